//! What the lines of a text say together.

use std::collections::BTreeMap;

use serde_json::Value;

use super::cpus::CpuList;
use super::group::Groups;
use super::json::Node;
use super::open::Open;
use super::table::Table;

/// What became of a piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// The scenario has it.
    Used,
    /// It is known, and nothing of it is simulated or needed.
    LeftOut,
    /// It carries nothing: a prompt, a comment.
    Passed,
    /// No form knows it.
    NotUnderstood,
}

impl Fate {
    /// The word for people and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::LeftOut => "left out",
            Self::Passed => "passed over",
            Self::NotUnderstood => "not understood",
        }
    }
}

/// A piece's fate, and what it means or why it was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What became of it.
    pub fate: Fate,
    /// What it says, or why it was left out.
    pub words: String,
}

impl Note {
    /// A note.
    pub fn new(fate: Fate, words: impl Into<String>) -> Self {
        Self { fate, words: words.into() }
    }

    /// The scenario has what the piece says.
    pub fn used(words: impl Into<String>) -> Self {
        Self::new(Fate::Used, words)
    }

    /// The piece is known and has no counterpart here.
    pub fn left_out(words: impl Into<String>) -> Self {
        Self::new(Fate::LeftOut, words)
    }
}

/// A knob that the text sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The scenario's value.
    pub value: Value,
    /// What it is compared with; none where the text's value alone is of interest.
    pub against: Option<Value>,
    /// How the text names it: `NO_RT_PUSH_IPI`.
    pub name: String,
}

/// A program that the text starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Program {
    /// A workload of the scenario's own, by its key: `cyclictest`.
    Tool {
        /// Key below `workload`.
        key: &'static str,
        /// What the key has.
        value: Value,
        /// How long its run is worth watching, us.
        run_us: u64,
    },
    /// A program that is not known here, as a task.
    Other {
        /// The program's name, as a task's.
        name: String,
        /// A task of rt-app's grammar, without what it does.
        task: serde_json::Map<String, Value>,
    },
    /// A program whose work is known, as a task.
    Task {
        /// The task's name.
        name: String,
        /// A task of rt-app's grammar.
        task: serde_json::Map<String, Value>,
        /// It has as many instances as the machine has CPUs.
        on_each: bool,
        /// The figure that says most about it.
        figure: Option<String>,
        /// How long its run is worth watching, us.
        run_us: u64,
    },
}

impl Program {
    /// The name that people know it by: a workload's key, or the task's.
    pub fn name(&self) -> &str {
        match self {
            Self::Tool { key, .. } => key,
            Self::Other { name, .. } | Self::Task { name, .. } => name,
        }
    }

    /// The task's name; none where it is a workload of the scenario's own.
    fn task_name(&self) -> Option<&str> {
        match self {
            Self::Tool { .. } => None,
            Self::Other { name, .. } | Self::Task { name, .. } => Some(name),
        }
    }
}

/// The tasks of an rt-app file: their order counts.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskFile {
    /// `workload.tasks`.
    pub tasks: Node,
    /// `workload.resources`; an object.
    pub resources: Node,
    /// `workload.global`; an object.
    pub global: Node,
    /// Paths of the groups that tasks are in.
    pub groups: Vec<String>,
    /// How long it runs, us.
    pub run_us: u64,
}

/// A thread of cyclictest as the tool printed it, times in us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Number in the order of the lines, from 0.
    pub index: u32,
    /// 1 to 99; 0 is SCHED_OTHER.
    pub priority: u32,
    /// Time between two wake-ups.
    pub interval_us: u64,
    /// Wake-ups so far.
    pub rounds: u64,
    /// The earliest wake-up was so late, where the lines say it.
    pub min_us: Option<i64>,
    /// Wake-ups were so late on average, where the lines say it.
    pub avg_us: Option<i64>,
    /// The latest wake-up was so late.
    pub max_us: i64,
    /// The lines say the interval; a histogram does not.
    pub has_interval: bool,
}

/// The CPUs that are set apart from the scheduler's balancing.
pub const ISOLATED: &str = "isolcpus";

/// A date or a pause between lines, for the time from one reading to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Index of the line.
    pub line: usize,
    /// Readings of counters that precede it: those of the group that has most.
    pub readings: usize,
    /// What it says.
    pub says: Instant,
}

/// What a line says of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instant {
    /// A date, s since 1970 by the text's own clock: its zone is not looked at.
    Date(f64),
    /// `sleep`: so many s.
    Pause(f64),
}

/// What the lines say together.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// Knobs by their paths; the last line that sets one counts, as on a machine.
    pub settings: BTreeMap<&'static str, Setting>,
    /// CPUs of the machine, where the text says how many.
    pub cpus: Option<u32>,
    /// CPUs that the machine has at least: one more than the highest that is named.
    pub cpus_at_least: u32,
    /// Lists of CPUs by what they are for: a knob's path, or [`ISOLATED`].
    pub lists: BTreeMap<&'static str, CpuList>,
    /// Programs, in the text's order.
    pub programs: Vec<Program>,
    /// What cyclictest printed, a thread each.
    pub measured: Vec<Measured>,
    /// The policy above these lines.
    pub measured_policy: Option<String>,
    /// Tables that tools printed, in the text's order.
    pub tables: Vec<Table>,
    /// The tasks of an rt-app file.
    pub file: Option<TaskFile>,
    /// A scenario that was pasted whole, as it is.
    pub whole: Option<String>,
    /// The kernel said that it throttled real-time tasks.
    pub throttled: bool,
    /// Groups with limits and counters.
    pub groups: Groups,
    /// Files that the last command prints without their names, in its order.
    pub printed: Vec<String>,
    /// Numbers of files that one pattern names: what precedes its `*`, and the number.
    pub numbers: Vec<(String, String)>,
    /// Dates and pauses, in the text's order.
    pub clock: Vec<Clock>,
    /// What only the whole text settles.
    pub open: Open,
    /// What the text says, a sentence each.
    pub says: Vec<String>,
    /// What a form assumes, a sentence each.
    pub assumed: Vec<String>,
    /// What cannot be, a sentence each.
    pub doubts: Vec<String>,
    /// What is missing for an answer, a sentence each.
    pub asks: Vec<String>,
    pub(super) notes: Vec<(usize, Note)>,
}

impl Case {
    /// What became of a line.
    pub fn note(&mut self, line: usize, note: Note) {
        self.notes.push((line, note));
    }

    /// Sets a knob; `against` is what its effect shows beside.
    pub fn set(&mut self, path: &'static str, value: Value, against: Option<Value>, name: &str) {
        self.settings.insert(path, Setting { value, against, name: name.to_owned() });
    }

    /// Starts a workload of the scenario's own.
    ///
    /// # Errors
    /// The text starts another one of this key, in words.
    pub fn start(&mut self, key: &'static str, value: Value, run_us: u64) -> Result<(), String> {
        let known = self.programs.iter().find_map(|program| match program {
            Program::Tool { key: known, value, .. } if *known == key => Some(value),
            _ => None,
        });
        match known {
            Some(known) if *known != value => {
                Err(format!("one {key} runs here at a time, and a line above starts another one"))
            }
            Some(_) => Ok(()),
            None => {
                self.programs.push(Program::Tool { key, value, run_us });
                Ok(())
            }
        }
    }

    /// A name for a task that no other program of the text has: `job`, then `job-2`.
    pub fn free_name(&self, name: &str) -> String {
        let is_free = |wanted: &String| {
            !self.programs.iter().any(|program| program.task_name() == Some(wanted.as_str()))
        };
        let more = (2..).map(|nth: u32| format!("{name}-{nth}"));
        std::iter::once(name.to_owned()).chain(more).find(is_free).expect("numbers do not end")
    }

    /// A list of CPUs, by what it is for: the machine has them.
    pub fn list(&mut self, of: &'static str, cpus: CpuList) {
        self.cpus_at_least = self.cpus_at_least.max(cpus.least_cpus());
        self.lists.insert(of, cpus);
    }

    /// What the text says; once.
    pub fn say(&mut self, words: impl Into<String>) {
        once(&mut self.says, words.into());
    }

    /// What is assumed beside the text; once.
    pub fn assume(&mut self, words: impl Into<String>) {
        once(&mut self.assumed, words.into());
    }

    /// What cannot be; once.
    pub fn doubt(&mut self, words: impl Into<String>) {
        once(&mut self.doubts, words.into());
    }

    /// What is missing; once.
    pub fn ask(&mut self, words: impl Into<String>) {
        once(&mut self.asks, words.into());
    }
}

fn once(all: &mut Vec<String>, words: String) {
    if !all.contains(&words) {
        all.push(words);
    }
}
