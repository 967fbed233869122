//! A scenario read in one place and run in another: what the reader hands to who runs it, as JSON
//! text.

use serde::Serialize;
use serde_json::Value;

use crate::error::ScenarioError;
use crate::meta::{self, LiveWrite, RunMeta};
use crate::prepare::prepare;
use crate::prepared::Prepared;
use crate::report::{ReportHead, report_head};
use crate::shipped::ScenarioEntry;

/// A scenario ready to run elsewhere.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Handover<'m> {
    /// For people.
    pub meta: &'m RunMeta,
    /// What the reader knows of the report; the engine's own part completes it.
    pub head: ReportHead<'m>,
    /// The setup for the engine of the same build, in hexadecimal digits.
    pub setup: String,
}

/// A shipped scenario's first runs, prepared when the page is built.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstRuns {
    /// The scenario file they were read from.
    pub text: String,
    /// Sides A and B, as the page opens them.
    pub runs: Vec<FirstRun>,
}

/// One of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstRun {
    /// The changes laid over the file, in order.
    pub set: Vec<(String, Value)>,
    /// The [`Handover`].
    #[cfg_attr(feature = "schema", schemars(with = "Handover<'static>"))]
    pub prepared: Value,
}

impl Prepared {
    /// The scenario with these writes during the run. Writes of one instant are made in the order
    /// of `live`; notes name the writes without effect.
    pub fn writing(self, mut live: Vec<LiveWrite>) -> Self {
        live.sort_by_key(|write| write.at_ns);
        let to_tasks = live.iter().any(|write| write.path.starts_with("tasks."));
        let prepared = if to_tasks { self.with_all_stoppers() } else { self };
        let mut writing = Self { live, ..prepared };
        writing.note_live();
        writing
    }

    /// The scenario with stoppers on every CPU. A run needs them if its tasks are written to while
    /// it runs.
    pub fn with_all_stoppers(mut self) -> Self {
        self.setup = self.setup.with_all_stoppers();
        self.meta.tasks = meta::tasks(&self.setup);
        self
    }

    /// The scenario for who runs it.
    pub fn handover(&self) -> Handover<'_> {
        let setup = hexadecimal(&self.setup.to_bytes());
        Handover { meta: &self.meta, head: report_head(&self.meta), setup }
    }
}

/// Two digits a byte. Unlike base64, bytes that two sides share have the same digits at every
/// offset, and compress to one copy.
fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// What the page opens of a shipped scenario before anything is changed: its first two variants;
/// with fewer, the file without changes is side A.
pub fn first_runs(entry: &ScenarioEntry) -> Result<FirstRuns, ScenarioError> {
    let as_it_stands = Vec::new();
    let mut sets: Vec<_> = entry.variants.iter().take(2).map(|variant| &variant.set).collect();
    while sets.len() < 2 {
        sets.insert(0, &as_it_stands);
    }
    let run = |set: &Vec<(String, Value)>| {
        let prepared = prepare(&entry.slug, &entry.text, set)?;
        let prepared = serde_json::to_value(prepared.handover())
            .expect("keys are texts and numbers are integers");
        Ok(FirstRun { set: set.clone(), prepared })
    };
    Ok(FirstRuns {
        text: entry.text.clone(),
        runs: sets.into_iter().map(run).collect::<Result<_, _>>()?,
    })
}
