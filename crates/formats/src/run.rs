//! What a writer is given of a run: its setup at the start, then rows as they come, then figures.

use std::io::{Error, ErrorKind, Result, Write};

use schedscope_engine::setup::Setup;
use schedscope_engine::trace::columns::Columns;

use crate::figures::Figures;

/// What is known of a run before its first row.
#[derive(Clone, Debug)]
pub struct Run {
    /// The machine, the kernel, the tasks and their programs. Index = task in the columns.
    pub setup: Setup,
    /// What people call it.
    pub title: Title,
    /// Which of two runs in one file it is.
    pub side: Side,
    /// The span of machine time to write, ns, without its end. A writer is given the rows before
    /// the span too, from 0 on: they say who runs where when the span begins.
    pub window: (u64, u64),
    /// Writes to the running kernel in order of time: path and value, as `--live` has them.
    pub writes: Vec<(String, String)>,
}

/// A run's names.
#[derive(Clone, Debug, Default)]
pub struct Title {
    /// The scenario's name: `rt-pull-herd`.
    pub scenario: String,
    /// The kernel as reports name it: `6.12 with bandwidth 4.19`.
    pub kernel: String,
    /// Shell command that replays it.
    pub replay: String,
}

/// One of two sides of a comparison; a run alone is A.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The first.
    #[default]
    A,
    /// The second.
    B,
}

impl Run {
    /// Number of CPUs.
    pub fn cpus(&self) -> u32 {
        self.setup.machine.topology.cpus()
    }

    /// The name of a task, `cyclictest.12`; none for idle.
    pub fn name(&self, task: u32) -> Option<&str> {
        self.setup.tasks.get(task as usize).map(|task| task.name.as_str())
    }

    /// Whether an instant lies in the window.
    pub fn shows(&self, time: u64) -> bool {
        (self.window.0..self.window.1).contains(&time)
    }
}

/// The error of a writer whose format has no place for this run; the sentence says why. Nothing has
/// been written.
pub fn refused(why: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unsupported, why.into())
}

/// What is known of a run once its last row is written.
#[derive(Clone, Debug, Default)]
pub struct End {
    /// Machine time that was simulated, ns: less than the setup's where a limit stopped the run.
    pub ns: u64,
    /// The figures of its report.
    pub figures: Figures,
}

impl End {
    /// How often a task left a CPU because it slept or ended; none if the figures do not have it.
    pub(crate) fn sleeps(&self, run: &Run, task: u32) -> Option<u64> {
        let sleeps = self.figures.at(&["tasks", run.name(task)?, "voluntary_switches"])?;
        u64::try_from(sleeps).ok()
    }
}

/// Writes one run. The bytes depend on rows and [`End`] alone, not on where one call's rows end.
pub trait RunWriter {
    /// Writes what comes before the first row.
    ///
    /// # Errors
    /// The format has no place for this run ([`refused`]), or `out` fails.
    fn begin(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    /// Takes the next rows, in order of time.
    fn rows(&mut self, rows: &Columns, out: &mut dyn Write) -> Result<()>;

    /// Writes what is left after the last row. Instant and figures are those of the whole run,
    /// whatever the window.
    fn end(&mut self, _end: &End, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    /// What this run has and its file has not, beyond what the format loses of every run: sentences
    /// without a full stop. Complete after [`RunWriter::end`].
    fn lost(&self) -> Vec<String> {
        Vec::new()
    }
}
