//! The folder of a manifest's results: a Parquet file for each batch that is done.
//!
//! A part is written beside its place and renamed once all of it is on the disk, so a part that is
//! there is whole: whoever starts again does only what is missing, and two who do the same batch
//! write the same bytes.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use schedscope_formats::{Maker, What, named, read_runs};
use tempfile::Builder;

use super::Plan;
use super::jobs::{self, Done, Event, RunRow};
use super::manifest::Manifest;
use super::rows;
use crate::failure::Failure;
use crate::numbers::grouped;

/// The copy of the manifest in the folder: parts of another one do not go together with them.
/// Readers of a folder of Parquet files leave out a name that begins so.
const COPY: &str = "_manifest.json";

/// Where the parts of a manifest are.
#[derive(Debug)]
pub struct Parts<'m> {
    folder: PathBuf,
    manifest: &'m Manifest,
    plan: Plan,
}

impl<'m> Parts<'m> {
    /// The folder at that path, which is made if it is not there.
    ///
    /// # Errors
    /// It cannot be made, or holds the parts of another manifest.
    pub fn open(folder: &Path, manifest: &'m Manifest) -> Result<Self, Failure> {
        let name = folder.display();
        let failed = |error: std::io::Error| Failure::usage(format!("cannot use {name}: {error}"));
        std::fs::create_dir_all(folder).map_err(failed)?;
        let this = Self { folder: folder.to_owned(), manifest, plan: manifest.plan()? };
        let text = manifest.text();
        match std::fs::read_to_string(folder.join(COPY)) {
            Ok(copy) if copy == text => Ok(this),
            Ok(_) => Err(Failure::usage(format!(
                "{name} holds the parts of another manifest\n  expected: a folder of its own for \
                    each manifest"
            ))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                this.place(&folder.join(COPY), text.as_bytes())?;
                Ok(this)
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// The sweep.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The batches that are not there yet, in order.
    pub fn missing(&self) -> Vec<usize> {
        (0..self.manifest.batches()).filter(|batch| !self.path(*batch).is_file()).collect()
    }

    /// Runs these batches, `jobs` runs at once, until `asked_to_end` says so; each batch is on the
    /// disk before a row of the next one is taken. `ended` hears of each run.
    ///
    /// # Errors
    /// The first failure; [`Failure::Limit`] if it was ended before the last batch. What was done
    /// is there.
    pub fn run(
        &self,
        batches: &[usize],
        jobs: usize,
        asked_to_end: &(dyn Fn() -> bool + Sync),
        ended: &mut dyn FnMut(),
    ) -> Result<(), Failure> {
        let runs: Vec<usize> =
            batches.iter().flat_map(|batch| self.manifest.batch(*batch)).collect();
        let mut waiting: Vec<RunRow> = Vec::new();
        let mut next = batches.iter();
        let mut batch = next.next();
        let Done { rows, end } = jobs::run(&self.plan, &runs, jobs, asked_to_end, &mut |event| {
            match event {
                Event::Ended => ended(),
                Event::Row(row) => {
                    waiting.push(row.clone());
                    if let Some(done) = batch.filter(|batch| self.is_whole(**batch, &waiting)) {
                        self.write(*done, &waiting)?;
                        waiting.clear();
                        batch = next.next();
                    }
                }
            }
            Ok(())
        });
        match end {
            Err(Failure::Limit(_)) if rows.len() < runs.len() => Err(Failure::Limit(format!(
                "{} of {} runs were done; the same call does the rest",
                grouped(rows.len() as u64),
                grouped(runs.len() as u64)
            ))),
            end => end,
        }
    }

    /// Whether these rows, which ascend, are all of a batch: after an end there can be gaps.
    fn is_whole(&self, batch: usize, rows: &[RunRow]) -> bool {
        let runs = self.manifest.batch(batch);
        rows.len() == runs.len()
            && rows.first().is_some_and(|row| row.run == runs.start)
            && rows.last().is_some_and(|row| row.run + 1 == runs.end)
    }

    /// Writes a batch: its rows, in the order of its runs.
    ///
    /// # Errors
    /// The disk does not take it; then there is no part.
    pub fn write(&self, batch: usize, rows: &[RunRow]) -> Result<(), Failure> {
        self.place(&self.path(batch), &bytes(&self.plan, rows)?)
    }

    /// Takes the bytes of a batch that was done elsewhere ([`bytes`]).
    ///
    /// # Errors
    /// They are not those of this batch, or the disk does not take them.
    pub fn take(&self, batch: usize, bytes: &[u8]) -> Result<(), Failure> {
        self.rows_of(batch, bytes)?;
        self.place(&self.path(batch), bytes)
    }

    /// Reads a batch that is there.
    ///
    /// # Errors
    /// It cannot be read, or is not of this manifest.
    pub fn read(&self, batch: usize) -> Result<Vec<RunRow>, Failure> {
        let path = self.path(batch);
        let bytes = std::fs::read(&path)
            .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
        self.rows_of(batch, &bytes)
    }

    fn rows_of(&self, batch: usize, bytes: &[u8]) -> Result<Vec<RunRow>, Failure> {
        let name = self.path(batch);
        let damaged = |why: String| {
            Failure::usage(format!(
                "{} is no part of this manifest: {why}\n  expected: remove it, and start again",
                name.display()
            ))
        };
        let cells = read_runs(bytes).map_err(|error| damaged(error.to_string()))?;
        let runs = self.manifest.batch(batch);
        if cells.len() != runs.len() {
            return Err(damaged(format!("{} rows of {} runs", cells.len(), runs.len())));
        }
        let rows = runs.zip(cells).map(|(run, cells)| rows::read(&self.plan, run, &cells));
        rows.collect::<Option<_>>().ok_or_else(|| damaged("other columns".to_owned()))
    }

    fn path(&self, batch: usize) -> PathBuf {
        self.folder.join(format!("part-{batch:06}.parquet"))
    }

    /// Writes beside, onto the disk, then renames.
    fn place(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let placed = || -> std::io::Result<()> {
            let mut builder = Builder::new();
            builder.prefix(".part-").suffix(".tmp");
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = builder.tempfile_in(&self.folder)?;
            file.write_all(bytes)?;
            file.as_file().sync_all()?;
            file.persist(path)?;
            // The name has to be on the disk too.
            #[cfg(unix)]
            File::open(&self.folder)?.sync_all()?;
            Ok(())
        };
        placed()
            .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))
    }
}

/// The file of some runs of a sweep.
///
/// # Errors
/// Never: memory takes them.
pub fn bytes(plan: &Plan, rows: &[RunRow]) -> Result<Vec<u8>, Failure> {
    let parquet = named("parquet").and_then(|format| format.maker(What::Sweep));
    let Some(Maker::Sweep(begin)) = parquet else {
        return Err(Failure::usage("this build writes no Parquet"));
    };
    let (mut writer, columns, mut out) = (begin(), rows::columns(plan), Vec::new());
    let mut written = || -> std::io::Result<()> {
        writer.begin(&columns, &mut out)?;
        rows.iter().try_for_each(|row| rows::write(plan, row, &columns, &mut *writer, &mut out))?;
        writer.end(&mut out)
    };
    written().map_err(|error| Failure::usage(error.to_string()))?;
    Ok(out)
}
