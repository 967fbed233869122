//! What does on a real machine what a run does here: a line for each switch, group and program that
//! one can set or start there, files for rt-app, and a sentence for what has neither.
//!
//! The command and the page write with this module. A switch that the kernel's version decides
//! needs no line, as the version brings it: [`Real::kernel`] says which one to boot. What is
//! written can be read: [`words`](crate::words) knows these lines, and a property test holds the
//! two together.
//!
//! A new switch is a row of `kernel::ROWS`. A new program is a file and a row in `programs`, or in
//! `stand_ins` where rt-app plays it, or a sentence in `no_tool`.

mod features;
mod groups;
mod kernel;
mod kernel_words;
mod line;
mod made;
mod no_tool;
mod programs;
mod rt_app;
mod run;
mod shell;
mod stand_ins;
mod switches;
mod values;

pub use line::{Line, Needs, Step, TaskFile};
pub use run::{Knob, Run};

use serde_json::{Value, json};

use crate::words::Node;

/// What does the same as one run, or as both sides of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Real {
    /// Which kernel to boot, a sentence; one for each side where they differ.
    pub kernel: String,
    /// What both sides have; all of it where there is one run.
    pub shared: Share,
    /// What A and B have of their own.
    pub sides: [Share; 2],
    /// What nothing here does, and why, a sentence each.
    pub missing: Vec<String>,
    /// What one has to know of the lines, a sentence each.
    pub notes: Vec<String>,
}

/// Lines and files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// In the order in which one would type them: the kernel, its groups, the programs, what reads
    /// the groups' figures.
    pub lines: Vec<Line>,
    /// The files that some of the lines name.
    pub files: Vec<TaskFile>,
    /// How a program of the reader's own is started the same way, where the scenario's is made up.
    pub own: Vec<Line>,
}

/// What does the same as one run of the scenario `file`. `suffix` distinguishes its files from
/// those of another run: `-a`.
pub fn of_run(run: &Run, file: &Node, suffix: &str) -> (Share, Vec<String>) {
    let files = files_of(run, file, suffix);
    let loads = files.iter().map(|file| file.command.clone());
    let lines = lines_of(run, loads.collect());
    let missing = no_tool::without_tool(run, file);
    (Share { lines, files, own: switches::own_switch(run) }, missing)
}

/// What does the same as the run `a` of the scenario `file`, or as both sides of a comparison.
pub fn of(a: &Run, b: Option<&Run>, file: &Node) -> Real {
    let kernel = kernel_words::sentences(a, b);
    let Some(b) = b else {
        let (shared, missing) = of_run(a, file, "");
        let notes = notes(&[&shared.lines]);
        return Real { kernel, shared, missing, notes, ..Real::default() };
    };
    let texts = |run: &Run| -> Vec<String> {
        files_of(run, file, "").into_iter().map(|file| file.text).collect()
    };
    let are_same = texts(a) == texts(b);
    let [suffix_a, suffix_b] = if are_same { ["", ""] } else { ["-a", "-b"] };
    let (mut of_a, mut missing) = of_run(a, file, suffix_a);
    let (mut of_b, also) = of_run(b, file, suffix_b);
    missing.extend(also);
    once(&mut missing);
    let notes = notes(&[&of_a.lines, &of_b.lines]);
    let mut shared = Share {
        lines: common(&mut of_a.lines, &mut of_b.lines),
        own: common(&mut of_a.own, &mut of_b.own),
        files: Vec::new(),
    };
    if are_same {
        shared.files = std::mem::take(&mut of_a.files);
        of_b.files.clear();
    }
    Real { kernel, shared, sides: [of_a, of_b], missing, notes }
}

impl Real {
    /// Every file, those of A before those of B.
    pub fn files(&self) -> impl Iterator<Item = &TaskFile> {
        std::iter::once(&self.shared).chain(&self.sides).flat_map(|share| &share.files)
    }

    /// The object `schedscope.real/1`, of the scenario of this name.
    pub fn json(&self, scenario: &str) -> Value {
        let [a, b] = &self.sides;
        json!({
            "schema": "schedscope.real/1",
            "scenario": scenario,
            "kernel": self.kernel,
            "shared": self.shared.json(),
            "a": a.json(),
            "b": b.json(),
            "missing": self.missing,
            "notes": self.notes,
        })
    }
}

impl Share {
    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.files.is_empty() && self.own.is_empty()
    }

    fn json(&self) -> Value {
        let lines = |lines: &[Line]| lines.iter().map(Line::json).collect::<Vec<_>>();
        let files = self.files.iter().map(TaskFile::json);
        json!({
            "lines": lines(&self.lines),
            "files": files.collect::<Vec<_>>(),
            "own": lines(&self.own),
        })
    }
}

/// Every line of a run; `loads` start the files for rt-app. Two knobs may be one line.
fn lines_of(run: &Run, loads: Vec<Line>) -> Vec<Line> {
    let groups = groups::lines(run);
    let parts = [kernel::lines(run), groups.made, programs::lines(run), loads, groups.read];
    let mut lines: Vec<Line> = Vec::new();
    for line in parts.into_iter().flatten() {
        if !lines.iter().any(|known| known.text == line.text) {
            lines.push(line);
        }
    }
    lines
}

fn files_of(run: &Run, file: &Node, suffix: &str) -> Vec<TaskFile> {
    let tasks = rt_app::task_files(run, file, suffix).files;
    tasks.into_iter().chain(stand_ins::of(run, suffix).files).collect()
}

/// Takes what both have out of both.
fn common(a: &mut Vec<Line>, b: &mut Vec<Line>) -> Vec<Line> {
    let is_in = |lines: &[Line], line: &Line| {
        lines.iter().any(|other| other.text == line.text && other.needs == line.needs)
    };
    let shared: Vec<Line> = a.iter().filter(|line| is_in(b, line)).cloned().collect();
    a.retain(|line| !is_in(&shared, line));
    b.retain(|line| !is_in(&shared, line));
    shared
}

fn notes(sides: &[&Vec<Line>]) -> Vec<String> {
    let has = |is: &dyn Fn(&Line) -> bool, least: usize| {
        sides.iter().any(|lines| lines.iter().filter(|line| is(line)).count() >= least)
    };
    let device = has(&|line| line.text.contains("/proc/irq/N/"), 1)
        .then(|| "Put the device’s number of /proc/interrupts in the place of N.".to_owned());
    let terminals = has(&|line| line.step == Step::Program, 2)
        .then(|| "The programs belong together: start each in a terminal of its own.".to_owned());
    [device, terminals].into_iter().flatten().collect()
}

fn once(sentences: &mut Vec<String>) {
    let mut known: Vec<String> = Vec::new();
    for sentence in sentences.drain(..) {
        if !known.contains(&sentence) {
            known.push(sentence);
        }
    }
    *sentences = known;
}
