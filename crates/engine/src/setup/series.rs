//! The samples that tools take themselves, as series: one for each kind of task and each meaning of
//! its stamps.

use super::{Op, Setup};
use crate::trace::catalogue::SAMPLE_SERIES;

/// Most series of one kind of task: a trace row has no room for more numbers.
pub const SERIES_MAX: usize = SAMPLE_SERIES.mask() as usize + 1;

/// The samples of one meaning that tasks of one kind take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The kind of the tasks: `schbench_worker`.
    pub kind: String,
    /// The meaning of the samples: the first word of the stamp's name, because stamps of one
    /// meaning share it (`request 3`).
    pub name: String,
    /// The index among the series of its kind, from 0; trace rows carry this number.
    pub number: u32,
}

impl Setup {
    /// The meaning of the samples since this stamp.
    pub(crate) fn meaning_of(&self, stamp: u32) -> &str {
        let name = self.objects.get(stamp as usize).map_or("", |spec| spec.name.as_str());
        name.split(' ').next().unwrap_or_default()
    }

    /// Every series of the run, in order of first appearance among its tasks.
    pub fn series(&self) -> Vec<Series> {
        let mut series: Vec<Series> = Vec::new();
        for task in &self.tasks {
            for op in task.program.ops() {
                let Op::Sample { stamp } = op else { continue };
                let (kind, name) = (&task.kind, self.meaning_of(*stamp));
                if !series.iter().any(|known| known.name == name && known.kind == *kind) {
                    let number = series.iter().filter(|known| known.kind == *kind).count() as u32;
                    series.push(Series { kind: kind.clone(), name: name.to_owned(), number });
                }
            }
        }
        series
    }

    pub(super) fn check_series(&self) -> Result<(), String> {
        match self.series().into_iter().find(|series| series.number as usize >= SERIES_MAX) {
            None => Ok(()),
            Some(Series { kind, .. }) => {
                Err(format!("tasks of kind {kind} take samples of more than {SERIES_MAX} things"))
            }
        }
    }
}
