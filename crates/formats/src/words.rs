//! Texts that people paste, read as one: what each line says, and the scenario that the lines come
//! to together.
//!
//! A text is cut into pieces ([`Paste`]): commands, as a shell cuts them, and lines of text. Each
//! piece goes to the first form of [`FORMS`] that knows it, which writes what it says into the
//! [`Case`]; a piece that no form knows is shown as such. The case then becomes a scenario, with
//! every assumption said. A new form is one file in `forms` and one row here.

mod case;
pub mod cpus;
mod form;
mod forms;
mod paste;
mod scenario;
mod shell;

pub use case::{Case, Fate, Note};
pub use form::Form;
pub use forms::FORMS;
pub use paste::{BYTES_MAX, LINES_MAX, Paste, Piece, TooLong};

use serde_json::Value;

/// What a text came to.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Each line of the text with what became of it, in the text's order; a line has one note for
    /// each of its commands.
    pub lines: Vec<ReadLine>,
    /// What the text says, a sentence each.
    pub says: Vec<String>,
    /// What the text does not say and what is assumed instead, a sentence each; empty without a
    /// scenario.
    pub assumed: Vec<String>,
    /// The scenario, `docs/use/scenario-format.md`; none where no line was used.
    pub scenario: Option<Value>,
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
    forms::measured::program_of(&mut case);
    let scenario = scenario::of(&case);
    let Case { notes, says, .. } = case;
    let mut lines: Vec<ReadLine> = paste
        .lines()
        .iter()
        .enumerate()
        .map(|(at, text)| ReadLine { number: at + 1, text: text.clone(), notes: Vec::new() })
        .collect();
    for (line, note) in notes {
        lines[line].notes.push(note);
    }
    let (scenario, assumed) = scenario.unzip();
    Ok(Reading { lines, says, assumed: assumed.unwrap_or_default(), scenario })
}

#[cfg(test)]
mod tests;
