//! `--manifest`, `--shard` and `--parts`: a sweep planned here, run anywhere, and collected again
//! (docs/use/clusters.md).

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use schedscope_runs::Failure;
use schedscope_runs::numbers::{counted, grouped};
use schedscope_runs::sweep::cost::costs;
use schedscope_runs::sweep::manifest::{MANIFEST_RUNS_MAX, Manifest};
use schedscope_runs::sweep::parts::Parts;

use super::out::OutFile;
use super::{Arguments, bar, check, processors};
use crate::interrupt::asked_to_end;
use crate::new_file::NewFile;
use crate::results;

/// Share `index` of `of`, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    of: usize,
}

/// Reads `I/N`.
pub fn parse_shard(text: &str) -> Result<Shard, String> {
    let numbers = text
        .split_once('/')
        .and_then(|(index, of)| Some((index.parse::<usize>().ok()?, of.parse::<usize>().ok()?)));
    match numbers {
        Some((index, of)) if index < of => Ok(Shard { index, of }),
        Some((index, of)) if of > 0 && index == of => {
            Err(format!("shards count from 0: the last of {of} is {}/{of}", of - 1))
        }
        _ => Err("expected I/N with I from 0 to N - 1, such as 0/8".to_owned()),
    }
}

/// Writes the manifest of a sweep.
pub fn plan(arguments: &Arguments, scenario: &str, file: &Path) -> Result<(), Failure> {
    let of_running = [
        ("--shard", arguments.shard.is_some()),
        ("--parts", arguments.parts.is_some()),
        ("--out", arguments.out.is_some()),
        ("--jobs", arguments.jobs.is_some()),
        ("--json", arguments.json),
        ("--reach", arguments.reach.is_some()),
    ];
    if let Some((flag, _)) = of_running.into_iter().find(|(_, given)| *given) {
        return Err(Failure::usage(format!(
            "{flag}: with a scenario, --manifest writes the plan and runs nothing\n  expected: \
                the plan first, then `schedscope sweep --manifest {} {flag} ...`",
            file.display()
        )));
    }
    if arguments.over.is_empty() {
        return Err(Failure::usage(
            "--over PATH=VALUES is missing: a manifest plans a sweep of some knob's values",
        ));
    }
    let mut plan = super::plan(arguments, scenario, None, MANIFEST_RUNS_MAX)?;
    check(&mut plan, arguments, None)?;
    let bar = bar(plan.grid.points() as u64, "points tried");
    let costs = costs(&plan, &mut |point| bar.set_position(point as u64));
    bar.finish_and_clear();
    let manifest = Manifest::new(&plan, &costs?, arguments.batch);
    let mut new = NewFile::create(file, "--manifest")?;
    new.write_all(manifest.text().as_bytes())
        .map_err(|error| Failure::usage(format!("cannot write {}: {error}", file.display())))?;
    new.keep()?;
    let (name, runs) = (file.display(), counted(manifest.runs() as u64, "run"));
    let sweep = format!("schedscope sweep --manifest {name}");
    results::print(&format!(
        "{name}: {runs} in {}\n\
            run them:     {sweep}\n\
            or a share:   {sweep} --shard 0/8\n\
            collect them: {sweep} --out sweep.parquet\n",
        batches(manifest.batches()),
    ))
}

fn batches(number: usize) -> String {
    let ending = if number == 1 { "" } else { "es" };
    format!("{} batch{ending}", grouped(number as u64))
}

/// Runs what is missing, or a share of it; with `--out` collects all of it.
pub fn run(arguments: &Arguments, file: &Path) -> Result<(), Failure> {
    refuse_flags_of_a_plan(arguments)?;
    let manifest = read(file)?;
    let folder = arguments.parts.clone().unwrap_or_else(|| beside(file));
    let parts = Parts::open(&folder, &manifest)?;
    let shard = arguments.shard.unwrap_or(Shard { index: 0, of: 1 });
    if let (Some(_), true) = (&arguments.out, shard.of > 1) {
        return Err(Failure::usage(
            "--out collects all batches, --shard runs some\n  expected: --out without --shard, \
                once the shards are done",
        ));
    }
    let missing = parts.missing();
    let mine: Vec<usize> =
        missing.iter().copied().filter(|batch| batch % shard.of == shard.index).collect();
    let jobs = arguments.jobs.map_or_else(processors, usize::from);
    run_batches(&parts, &manifest, &mine, jobs)?;
    match &arguments.out {
        Some(out) => collect(&parts, &manifest, out),
        None => results::print(&said(&manifest, &parts, &folder)),
    }
}

/// What is there, and what is not.
fn said(manifest: &Manifest, parts: &Parts<'_>, folder: &Path) -> String {
    let (all, left) = (manifest.batches() as u64, parts.missing().len() as u64);
    let rest = if left == 0 { String::new() } else { format!(", {} missing", grouped(left)) };
    let done = format!("{} of {} batches", grouped(all - left), grouped(all));
    format!("{}: {done}{rest}\n", folder.display())
}

fn read(file: &Path) -> Result<Manifest, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::usage(format!("cannot read {name}: {error}")))?;
    Manifest::read(&text).map_err(|failure| match failure {
        Failure::Usage(message) => Failure::Usage(format!("{name}: {message}")),
        other => other,
    })
}

/// `herd.json.parts` of `herd.json`.
fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".parts");
    PathBuf::from(name)
}

fn refuse_flags_of_a_plan(arguments: &Arguments) -> Result<(), Failure> {
    let of_plan = [
        ("--over", !arguments.over.is_empty()),
        ("--seeds", arguments.seeds.is_some()),
        ("--metric", !arguments.metric.is_empty()),
        ("--reach", arguments.reach.is_some()),
        ("--json", arguments.json),
        ("a change of the scenario", arguments.changes.count() > 0),
    ];
    match of_plan.into_iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::usage(format!(
            "{flag}: the manifest already says what is run\n  expected: a new manifest, written \
                with a scenario"
        ))),
    }
}

/// Runs these batches, with a bar, until Ctrl-C.
fn run_batches(
    parts: &Parts<'_>,
    manifest: &Manifest,
    batches: &[usize],
    jobs: usize,
) -> Result<(), Failure> {
    let interrupted = asked_to_end();
    let runs = batches.iter().map(|batch| manifest.batch(*batch).len() as u64).sum();
    let bar = bar(runs, "runs");
    let halted = || interrupted.load(Ordering::Relaxed);
    let end = parts.run(batches, jobs, &halted, &mut || bar.inc(1));
    bar.finish_and_clear();
    end
}

/// Writes the rows of all batches in the order of the sweep: the file that one process writes.
fn collect(parts: &Parts<'_>, manifest: &Manifest, out: &Path) -> Result<(), Failure> {
    let mut file = OutFile::create(out, parts.plan())?;
    for batch in 0..manifest.batches() {
        for row in parts.read(batch)? {
            file.row(parts.plan(), &row)?;
        }
    }
    file.finish(&Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_one_of_several_from_zero() {
        assert_eq!(parse_shard("3/8"), Ok(Shard { index: 3, of: 8 }));
        for wrong in ["8/8", "1", "1/0", "-1/2", "a/b", "1/2/3", ""] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
        assert!(parse_shard("8/8").is_err_and(|why| why.contains("7/8")));
    }
}
