//! Texts that people paste, read as one: what each line says, and the scenario that the lines come
//! to together.
//!
//! A text is cut into pieces ([`Paste`]): commands, as a shell cuts them, and lines of text. Each
//! piece goes to the first form of [`FORMS`] that knows it, which writes what it says into the
//! [`Case`]; a piece that no form knows is shown as such. The case then becomes a scenario, with
//! every assumption said. A new form is one file in `forms` and one row here.

pub mod amounts;
mod case;
mod counters;
pub mod cpus;
mod document;
mod form;
mod forms;
mod getopt;
mod group;
mod hcl;
mod json;
pub mod kernel;
mod layout;
mod limit;
mod load;
mod loops;
mod marks;
mod open;
mod outline;
mod paste;
mod quantity;
mod quota;
mod scenario;
mod settle;
mod shell;
mod table;
mod tree;

pub use case::{Case, Clock, Fate, Instant, Note, TaskFile};
pub use counters::{Counters, Happened};
pub use document::Document;
pub use form::Form;
pub use forms::FORMS;
pub use group::{Group, Groups};
pub use json::Node;
pub use layout::file_text;
pub use limit::Limit;
pub use open::{Megahertz, Open, Unit};
pub use paste::{BYTES_MAX, LINES_MAX, Paste, Piece, TooLong};
pub use quota::{ANSWER, Bursts};
pub use settle::Chosen;
pub use table::Table;

use serde_json::Value;

/// What a text came to.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Each line of the text with what became of it, in the text's order; a line has one note for
    /// each of its commands.
    pub lines: Vec<ReadLine>,
    /// What the text says and what follows from it by arithmetic, a sentence each.
    pub says: Vec<String>,
    /// What of it cannot be, a sentence each.
    pub doubts: Vec<String>,
    /// What is missing for an answer, a sentence each.
    pub asks: Vec<String>,
    /// What the text does not say and what is assumed instead, a sentence each; empty without a
    /// scenario.
    pub assumed: Vec<String>,
    /// The scenario, `docs/use/scenario-format.md`; none where no line was used.
    pub scenario: Option<Value>,
    /// The scenario as text, where the order of its keys counts, which a [`Value`] loses: a
    /// scenario or an rt-app file that was pasted. `scenario` is none then, and nothing says that
    /// it can run.
    pub scenario_text: Option<String>,
    /// The group with a limit that the scenario is about.
    pub chosen: Option<Chosen>,
    case: Case,
}

impl Reading {
    /// The scenario with another program under the limit than the one that is assumed, and under
    /// other limits, its own and that of the group around it, where they are given; and what is
    /// assumed beside it. None where the text has no group with a limit.
    pub fn with_bursts(
        &self,
        bursts: &Bursts,
        limit: Option<Limit>,
        outer: Option<Limit>,
    ) -> Option<(Value, Vec<String>)> {
        let chosen = self.chosen.as_ref()?;
        let chosen = Chosen {
            limit: limit.unwrap_or(chosen.limit),
            outer: chosen.outer.map(|own| outer.unwrap_or(own)),
            ..chosen.clone()
        };
        let (scenario, assumed) = scenario::of(&self.case, Some(&chosen), Some(bursts))?;
        Some((scenario, [self.case.assumed.clone(), assumed].concat()))
    }

    /// The group's path in the scenario, by which a report names its figures.
    pub fn group_path(&self) -> Option<String> {
        self.chosen.as_ref().map(|chosen| scenario::key_of(&self.case, chosen))
    }

    /// What the text calls the group: `container`; empty where it does not say.
    pub fn group_kind(&self) -> &'static str {
        self.chosen.as_ref().map_or("", |chosen| self.case.groups.all[chosen.group].kind)
    }

    /// What the text calls the group around it, where that has a limit too: `pod`.
    pub fn outer_kind(&self) -> Option<&'static str> {
        let chosen = self.chosen.as_ref().filter(|chosen| chosen.outer.is_some())?;
        let all = &self.case.groups.all;
        let kind = all[all[chosen.group].inside?].kind;
        Some(if kind.is_empty() { "group" } else { kind })
    }

    /// The kernel's release, where the text says it.
    pub fn release(&self) -> Option<&str> {
        kernel::stated(&self.case)
    }

    /// CPUs that the group may use, where the text says so.
    pub fn group_cpus(&self) -> Option<u32> {
        let chosen = self.chosen.as_ref()?;
        settle::cpus_of_group(&self.case, chosen.group)
    }
}

/// A line and what became of it.
#[derive(Clone, Debug)]
pub struct ReadLine {
    /// From 1.
    pub number: usize,
    /// The line that was pasted, without its end.
    pub text: String,
    /// One for each piece; empty for a line without letters.
    pub notes: Vec<Note>,
}

/// Reads a text.
///
/// # Errors
/// The text is longer than is read, [`Paste::new`].
pub fn read(text: &str) -> Result<Reading, TooLong> {
    let paste = Paste::new(text)?;
    let mut case = Case::default();
    for piece in paste.pieces() {
        let note = FORMS
            .iter()
            .find_map(|form| (form.read)(piece, &mut case))
            .unwrap_or_else(|| piece.without_form());
        case.note(piece.line(), note);
    }
    forms::results::settled(&mut case);
    forms::measured::program_of(&mut case);
    forms::kernel_text::settled(&mut case);
    forms::cfs::numbers_of(&mut case);
    forms::settled(&mut case);
    let chosen = settle::settle(&mut case);
    let (scenario, assumed) = scenario::of(&case, chosen.as_ref(), None).unzip();
    let scenario_text = load::as_text(&mut case, scenario.as_ref());
    let scenario = scenario.filter(|_| scenario_text.is_none());
    let mut all_assumed = case.assumed.clone();
    all_assumed.extend(assumed.unwrap_or_default());
    Ok(Reading {
        lines: lines(&paste, &case),
        says: case.says.clone(),
        doubts: case.doubts.clone(),
        asks: case.asks.clone(),
        assumed: all_assumed,
        scenario,
        scenario_text,
        chosen,
        case,
    })
}

/// Each line with its notes. Lines of a block that no form speaks of are a part of it.
fn lines(paste: &Paste, case: &Case) -> Vec<ReadLine> {
    let mut lines: Vec<ReadLine> = paste
        .lines()
        .iter()
        .enumerate()
        .map(|(at, text)| ReadLine { number: at + 1, text: text.clone(), notes: Vec::new() })
        .collect();
    for (line, note) in &case.notes {
        lines[*line].notes.push(note.clone());
    }
    for (begin, count) in paste.blocks() {
        let first = begin + 1;
        let silent = lines[begin..begin + count].iter_mut();
        for line in silent.filter(|line| line.notes.is_empty() && !line.text.trim().is_empty()) {
            line.notes
                .push(Note::new(Fate::Passed, format!("a part of what begins in line {first}")));
        }
    }
    lines
}

#[cfg(test)]
mod tests;
