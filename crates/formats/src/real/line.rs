//! A line of a real shell, and a file that one names.

use serde_json::{Value, json};

use super::shell::word;

/// What a line needs beside a shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Root's rights.
    Root,
    /// A reboot: it is a word of the kernel's command line.
    Boot,
    /// Another build of the kernel: it is an option of its configuration.
    Build,
}

impl Needs {
    /// The word in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Boot => "boot",
            Self::Build => "build",
        }
    }
}

/// What a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Sets a switch of the kernel.
    Kernel,
    /// Makes a control group or writes one of its files.
    Group,
    /// Starts one of the scenario's programs.
    Program,
    /// Reads what the scenario's figures are.
    Reading,
    /// Starts a program of the reader's own in the place of one that is made up.
    Own,
}

impl Step {
    /// The word in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Group => "group",
            Self::Program => "program",
            Self::Reading => "reading",
            Self::Own => "own",
        }
    }
}

/// A command line, a word for the kernel's command line, or an option of its build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What one types.
    pub text: String,
    /// What that needs; none: anyone may type it.
    pub needs: Option<Needs>,
    /// What it is for.
    pub step: Step,
}

impl Line {
    pub(super) fn new(step: Step, needs: Option<Needs>, text: impl Into<String>) -> Self {
        Self { text: text.into(), needs, step }
    }

    /// A switch of the running kernel.
    pub(super) fn root(text: impl Into<String>) -> Self {
        Self::new(Step::Kernel, Some(Needs::Root), text)
    }

    /// A word of the kernel's command line.
    pub(super) fn boot(text: impl Into<String>) -> Self {
        Self::new(Step::Kernel, Some(Needs::Boot), text)
    }

    /// An option of the kernel's build.
    pub(super) fn build(text: impl Into<String>) -> Self {
        Self::new(Step::Kernel, Some(Needs::Build), text)
    }

    /// A program that anyone may start.
    pub(super) fn program(text: impl Into<String>) -> Self {
        Self::new(Step::Program, None, text)
    }

    /// A program that only root may start.
    pub(super) fn program_of_root(text: impl AsRef<str>) -> Self {
        Self::new(Step::Program, Some(Needs::Root), format!("sudo {}", text.as_ref()))
    }

    /// The program from within a group, whose file `procs` takes what joins it: a shell joins and
    /// becomes the program, or starts the programs of a loop.
    pub(super) fn inside(&self, procs: &str) -> Self {
        let own = if self.text.starts_with("for ") {
            self.text.clone()
        } else {
            format!("exec {}", self.text.strip_prefix("sudo ").unwrap_or(&self.text))
        };
        Self::program_of_root(format!("sh -c {}", word(&format!("echo $$ > {procs} && {own}"))))
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "line": self.text,
            "needs": self.needs.map(Needs::name),
            "step": self.step.name(),
        })
    }
}

/// A file for rt-app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFile {
    /// The name that the command has.
    pub name: String,
    /// What the file holds, JSON.
    pub text: String,
    /// What starts rt-app with it.
    pub command: Line,
    /// What is in the scenario and not in the file, a sentence each.
    pub notes: Vec<String>,
}

impl TaskFile {
    pub(super) fn json(&self) -> Value {
        json!({
            "name": self.name,
            "text": self.text,
            "command": self.command.json(),
            "notes": self.notes,
        })
    }
}
