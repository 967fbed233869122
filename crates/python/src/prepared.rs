//! A scenario ready to run, and everything that is made of one run.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use schedscope_cli::run_file::{described, parse_window};
use schedscope_cli::{explain, export};
use schedscope_engine::run::Options;
use schedscope_engine::trace::catalogue::CAUSE_NAMES;
use schedscope_formats::{Content, End, Maker};
use schedscope_runs::execute::{Limits, Watch, simulate};
use schedscope_runs::explain::{Asked as Wanted, Explained};
use schedscope_runs::figures::flat;
use schedscope_runs::variant::{named, placed};
use schedscope_runs::{Changes, Failure, Set, Side, Target, Whose};
use schedscope_scenario::{report_json, units::time_text};
use serde_json::{Value, json};

use crate::changes::Asked;
use crate::errors::raised;
use crate::outcome::{Outcome, Pieces};
use crate::watch::{Watcher, watched};

/// A scenario with all its changes.
#[pyclass(frozen, module = "schedscope._native")]
pub struct Prepared {
    pub(crate) side: Side,
    title: String,
    text: String,
    figures: Vec<String>,
    set: Set,
    pub(crate) limits: Limits,
    notes: Vec<String>,
    variant: Option<String>,
}

/// Prepares a scenario for its run.
#[pyfunction]
pub fn prepare(py: Python<'_>, asked: Asked) -> PyResult<Prepared> {
    let target = asked.target().map_err(|failure| raised(py, failure, ""))?;
    let made = || {
        let changes = asked.changes()?;
        let variant = asked.variant(&target)?;
        let (set, side) = of_side(&target, variant.as_deref(), asked.side, &changes)?;
        let notes = target.notes.iter().cloned();
        let of_one = target.note_of_one_run().filter(|_| asked.side.is_none());
        let notes = notes.chain(of_one.map(str::to_owned));
        let notes = notes.chain(side.prepared.meta.notes.clone()).collect();
        let document = target.document()?;
        let title = document.question(&[side.prepared.meta.cpus]);
        let figures = document.presentation.headline.clone();
        let text = target.text().to_owned();
        let limits = changes.limits;
        Ok(Prepared { side, title, text, figures, set, limits, notes, variant })
    };
    made().map_err(|failure| raised(py, failure, target.text()))
}

/// The changes to the scenario's file, and the side that they make.
fn of_side(
    target: &Target,
    variant: Option<&str>,
    side: Option<usize>,
    changes: &Changes,
) -> Result<(Set, Side), Failure> {
    let Some(number) = side else {
        let (set, _) = target.sets(variant, changes.set.clone())?;
        return Ok((set, Side::alone(target, variant, changes)?));
    };
    let (index, variant) = variant.map(|name| named(target, name)).transpose()?.unzip();
    let mut set = target.set_of_side(number, variant.as_ref());
    set.extend(changes.set.iter().cloned());
    let of_variant = index.filter(|_| changes.is_empty());
    let live = target.live(Whose::Side(number), &changes.live);
    let side = Side::new(target, &set).map_err(|failure| placed(failure, target, of_variant))?;
    Ok((set, side.writing(live)?.limited_by(changes.limits)))
}

#[pymethods]
impl Prepared {
    /// The variant that it starts from.
    #[getter]
    fn variant(&self) -> Option<&str> {
        self.variant.as_deref()
    }

    /// The scenario's name.
    #[getter]
    fn scenario(&self) -> &str {
        &self.side.prepared.meta.slug
    }

    /// The question it answers, about as many CPUs as it runs on.
    #[getter]
    fn title(&self) -> &str {
        &self.title
    }

    /// Paths of its headline figures.
    #[getter]
    fn figures(&self) -> Vec<String> {
        self.figures.clone()
    }

    /// The text of the scenario, without the changes.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The changes in order, as JSON: a list of pairs.
    #[getter]
    fn set(&self) -> String {
        json!(self.set).to_string()
    }

    /// Writes to the running kernel: time in ns, path, value.
    #[getter]
    fn live(&self) -> Vec<(u64, String, String)> {
        let writes = self.side.prepared.live.iter();
        writes.map(|write| (write.at_ns, write.path.clone(), write.value.clone())).collect()
    }

    /// Remarks on the scenario.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Shell command that replays the run.
    #[getter]
    fn replay(&self) -> &str {
        &self.side.replay
    }

    /// One line about the run.
    #[getter]
    fn headline(&self) -> String {
        self.side.headline()
    }

    /// Runs it.
    fn execute(
        &self,
        py: Python<'_>,
        rows: bool,
        wakes: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Outcome> {
        let window = if rows { Options::EVERYTHING } else { None };
        let watch = Watch { window, wakes: false, limits: self.limits, waits: true };
        let watch = if wakes { watch.with_wakes() } else { watch };
        let (ended, kept) = self.watched(py, progress, |watcher| {
            let mut kept = Pieces::new(rows, wakes);
            let ended = self.simulate(watcher, watch, &mut |rows, wakes| {
                kept.take(rows, wakes);
                Ok(())
            })?;
            Ok((ended, kept))
        })?;
        Outcome::new(py, &self.side.prepared, &ended.0, kept)
    }

    /// Writes the run in a format of the registry: to a file, or as bytes.
    #[pyo3(signature = (format, path, window, progress))]
    fn export<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        path: Option<PathBuf>,
        window: Option<&str>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Option<Bound<'py, PyBytes>>, Option<String>)> {
        let raise = |failure| raised(py, failure, &self.text);
        let content = self.content(format, window).map_err(raise)?;
        let (bytes, limit) = self.watched(py, progress, |watcher| match &path {
            None => {
                let mut bytes = Vec::new();
                let limit = self.write(watcher, content.0, content.1, &mut bytes)?;
                Ok((Some(bytes), limit))
            }
            Some(path) => {
                let name = path.display();
                let failed = |error| Failure::usage(format!("cannot write {name}: {error}"));
                let mut file = BufWriter::new(File::create(path).map_err(failed)?);
                let limit = self.write(watcher, content.0, content.1, &mut file)?;
                file.flush().map_err(failed)?;
                Ok((None, limit))
            }
        })?;
        Ok((bytes.map(|bytes| PyBytes::new(py, &bytes)), limit))
    }

    /// Explains late wake-ups: as JSON and as the command's text.
    #[pyo3(signature = (worst, task, nth, progress))]
    fn explain(
        &self,
        py: Python<'_>,
        worst: usize,
        task: Option<String>,
        nth: Option<u32>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(String, String, Option<String>)> {
        let asked = Wanted { worst, task, nth };
        let explained = self.watched(py, progress, |watcher| {
            let prepared = &self.side.prepared;
            let mut run = |watch, sink: schedscope_runs::execute::Sink<'_>| {
                self.simulate(watcher, watch, sink)
            };
            schedscope_runs::explain::explain(prepared, &asked, self.limits, &mut run)
        })?;
        let limit = explained.outcome.limit.clone();
        if explained.wakes.is_empty() {
            let nothing = asked.nothing(explained.outcome.report.simulated_ns);
            return Err(raised(py, Failure::usage(nothing), ""));
        }
        Ok((self.told(&explained).to_string(), explain::text(&self.side, &explained), limit))
    }
}

impl Prepared {
    fn watched<T: Send>(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce(&Watcher) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let done = watched(py, progress, self.side.prepared.meta.duration_ns, work)?;
        done.map_err(|failure| raised(py, failure, &self.text))
    }

    fn simulate(
        &self,
        watcher: &Watcher,
        watch: Watch,
        sink: schedscope_runs::execute::Sink<'_>,
    ) -> Result<(schedscope_runs::execute::Outcome, bool), Failure> {
        simulate(&self.side.prepared, &self.side.replay, watch, sink, &mut |now| watcher.at(now))
    }

    fn content(
        &self,
        format: &str,
        window: Option<&str>,
    ) -> Result<(&'static Content, (u64, u64)), Failure> {
        let (format, content) = export::chosen(Some(format))?;
        let Some(text) = window else { return Ok((content, (0, u64::MAX))) };
        let window = parse_window(text)
            .map_err(|expected| Failure::usage(format!("window \"{text}\": {expected}")))?;
        let end = self.side.prepared.meta.duration_ns;
        match content.maker {
            Maker::Report(_) => Err(Failure::usage(format!(
                "window: {} holds {}, which are of the whole run",
                format.title,
                content.what.words()
            ))),
            _ if window.0 >= end => {
                Err(Failure::usage(format!("window {text}: the run ends at {}", time_text(end))))
            }
            _ => Ok((content, window)),
        }
    }

    /// Writes the run, and says why it ended before its end, if it did.
    fn write(
        &self,
        watcher: &Watcher,
        content: &Content,
        window: (u64, u64),
        out: &mut dyn Write,
    ) -> Result<Option<String>, Failure> {
        let failed = |error| Failure::usage(format!("cannot write the file: {error}"));
        let watch =
            Watch { window: Options::EVERYTHING, wakes: false, limits: self.limits, waits: false };
        let ended = match content.maker {
            Maker::Run(begin) => {
                let mut writer = begin(described(&self.side, schedscope_formats::Side::A, window));
                writer.begin(out).map_err(failed)?;
                let (ended, _) = self.simulate(watcher, watch, &mut |rows, _| {
                    writer.rows(&rows, out).map_err(failed)
                })?;
                let end =
                    End { ns: ended.report.simulated_ns, figures: flat(&ended.report.metrics) };
                writer.end(&end, out).map_err(failed)?;
                ended
            }
            Maker::Report(write) => {
                let watch = Watch { window: None, ..watch };
                let (ended, _) = self.simulate(watcher, watch, &mut |_, _| Ok(()))?;
                write(&report_json(&self.side.prepared, &ended.report), out).map_err(failed)?;
                ended
            }
            Maker::Sweep(_) | Maker::Page => {
                return Err(Failure::usage("that format is not made of one run"));
            }
        };
        Ok(ended.limit)
    }

    fn told(&self, explained: &Explained) -> Value {
        let prepared = &self.side.prepared;
        let wake = |at: usize| {
            let wake = &explained.wakes[at];
            let (parts, summed) = explained.parts(at);
            let part = |(number, part): (usize, &schedscope_runs::explain::Part)| {
                let inside = explained.inside(at, number, part, prepared).into_iter();
                json!({
                    "cause": CAUSE_NAMES.get(usize::from(part.cause)),
                    "ns": part.ns,
                    "of_which": inside.map(|(words, ns)| json!({ "what": words, "ns": ns }))
                        .collect::<Vec<_>>(),
                })
            };
            json!({
                "task": prepared.meta.tasks[wake.task as usize].name,
                "nth": wake.nth,
                "cpu": wake.cpu,
                "due_ns": wake.due,
                "latency_ns": wake.latency,
                "summed": summed,
                "waiting": wake.open.as_ref().map(|(what, place)| format!("{what}, {place}")),
                "parts": parts.iter().enumerate().map(part).collect::<Vec<_>>(),
                "meanwhile": explained.meanwhile(at, prepared),
            })
        };
        (0..explained.wakes.len()).map(wake).collect()
    }
}
