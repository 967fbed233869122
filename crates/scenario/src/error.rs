//! The error of a scenario or a link that cannot be used: one message with its place.
//!
//! Readers inside the crate make a [`Fault`], which knows a byte offset; the edge turns it into a
//! [`ScenarioError`] with line and column. Nothing here knows what a scenario contains.

use serde::Serialize;

use crate::text::shown;

/// Most characters of a path, a message, and of what would be right, which may be a list of all
/// choices.
const PATH_MAX: usize = 200;
const MESSAGE_MAX: usize = 600;
const EXPECTED_MAX: usize = 4_000;

/// An error in a scenario: the person's to fix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScenarioError {
    /// One sentence: what is wrong.
    pub message: String,
    /// Dotted path of the value, "" for the whole file.
    pub path: String,
    /// Line, counted from 1; absent when the value came from a flag, a link or the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Column in characters, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What would be right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The nearest known name, or the form that would work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

impl ScenarioError {
    /// An error about the whole file.
    pub fn whole(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            path: String::new(),
            line: None,
            column: None,
            expected: None,
            suggestion: None,
        }
    }
}

impl std::fmt::Display for ScenarioError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(out, "line {line}, column {column}: ")?;
        }
        if !self.path.is_empty() {
            write!(out, "{}: ", self.path)?;
        }
        write!(out, "{}", self.message)?;
        if let Some(expected) = &self.expected {
            write!(out, "\n  expected: {expected}")?;
        }
        if let Some(suggestion) = &self.suggestion {
            write!(out, "\n  did you mean: {suggestion}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ScenarioError {}

/// A [`ScenarioError`] whose place is still a byte offset into the text. Boxed, because every
/// reader passes one on: by value it would be copied at each of hundreds of places.
#[derive(Clone, Debug)]
pub(crate) struct Fault(Box<Told>);

#[derive(Clone, Debug)]
struct Told {
    at: Option<usize>,
    path: String,
    message: String,
    expected: Option<String>,
    suggestion: Option<String>,
    /// Other knobs that decide together with the one at `path`.
    others: Vec<String>,
    /// One of them that the file states, if the file does not state the one at `path`.
    beside: Option<(String, usize)>,
}

impl Fault {
    /// Names the knob of a control group by the group's own `path`, not by its pattern.
    pub(crate) fn of_group(self, path: &str) -> Self {
        if self.0.path.starts_with("cgroups.<name>.") { self.at_path(path) } else { self }
    }

    /// Makes it a fault of the value at `path`.
    pub(crate) fn at_path(mut self, path: &str) -> Self {
        path.clone_into(&mut self.0.path);
        self
    }

    /// `message` about the value at `path`, which starts at byte `at` of the file if it came from
    /// the file.
    #[inline(never)]
    pub(crate) fn new(
        at: Option<usize>,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self(Box::new(Told {
            at,
            path: path.into(),
            message: message.into(),
            expected: None,
            suggestion: None,
            others: Vec::new(),
            beside: None,
        }))
    }
    /// Names the other knobs that decide the same together: any of them may be the one that is
    /// stated.
    pub(crate) fn decided_with<P: Into<String>>(
        mut self,
        others: impl IntoIterator<Item = P>,
    ) -> Self {
        self.0.others.extend(others.into_iter().map(Into::into));
        self
    }
    /// Moves to a stated knob of those that decide together: one that was laid over the file, or
    /// else the first. `stated` gives nothing for a knob that is left to its default, and no place
    /// for one that was laid over the file.
    pub(crate) fn at_stated(mut self, stated: impl Fn(&str) -> Option<Option<usize>>) -> Self {
        if self.0.at.is_some() {
            return self;
        }
        let knobs = std::iter::once(&self.0.path).chain(&self.0.others);
        let mut found: Vec<(String, Option<usize>)> =
            knobs.filter_map(|path| Some((path.clone(), stated(path)?))).collect();
        self.0.beside = found.iter().find_map(|(path, at)| Some((path.clone(), (*at)?)));
        found.sort_by_key(|(_, at)| at.is_some());
        if let Some((path, at)) = found.into_iter().next() {
            (self.0.path, self.0.at) = (path, at);
        }
        self
    }
    /// Adds a place, which is looked for by the path, if there is none.
    pub(crate) fn or_at(mut self, find: impl FnOnce(&str) -> Option<usize>) -> Self {
        if self.0.at.is_none() {
            self.0.at = find(&self.0.path);
        }
        self
    }
    /// Makes it a fault of the knob at `path`, whose value is `text` and is in no file: the place
    /// in `text` becomes part of the message.
    pub(crate) fn of_value(mut self, path: &str, text: &str) -> Self {
        if let Some((line, column)) = self.0.at.take().map(|at| line_and_column(text, at)) {
            self.0.message.push_str(&format!(" (line {line}, column {column} of the value)"));
        }
        let dot = if self.0.path.is_empty() || self.0.path.starts_with('[') { "" } else { "." };
        self.0.path = format!("{path}{dot}{}", self.0.path);
        self
    }
    /// Adds what would be right.
    #[inline(never)]
    pub(crate) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.0.expected = Some(expected.into());
        self
    }
    /// Adds the nearest name or the form that would work, if there is one.
    #[inline(never)]
    pub(crate) fn suggest(mut self, suggestion: Option<String>) -> Self {
        self.0.suggestion = suggestion;
        self
    }
    /// The error with line and column in `text`.
    pub(crate) fn locate(self, text: &str) -> ScenarioError {
        let Told { at, path, mut message, expected, suggestion, beside, .. } = *self.0;
        if let (None, Some((other, at))) = (at, beside) {
            let (line, column) = line_and_column(text, at);
            message.push_str(&format!("; {other} is stated in line {line}, column {column}"));
        }
        let (path, message) = (shown(&path, PATH_MAX), shown(&message, MESSAGE_MAX));
        let expected = expected.map(|expected| shown(&expected, EXPECTED_MAX));
        // One that is cut or written out would not be the form that works.
        let suggestion = suggestion.filter(|text| shown(text, PATH_MAX) == *text);
        let place = at.map(|at| line_and_column(text, at));
        let (line, column) = (place.map(|(line, _)| line), place.map(|(_, column)| column));
        ScenarioError { message, path, line, column, expected, suggestion }
    }
}

/// Line and column, both from 1, of byte `at`; the column counts characters.
pub(crate) fn line_and_column(text: &str, at: usize) -> (u32, u32) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

/// The name among `names` closest to `wrong`, if it is close enough to be a slip of the finger.
pub fn nearest<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    // Names in this file format are short; an absurdly long key is no slip and would cost quadratic
    // time.
    if wrong.len() > 80 {
        return None;
    }
    let wrong = wrong.to_ascii_lowercase();
    names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&wrong, &name.to_ascii_lowercase()), name))
        .filter(|(score, _)| *score >= 0.8)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, name)| name.to_owned())
}

/// `a, b or c`, each in quotes where `quote` says so.
pub(crate) fn one_of<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let names: Vec<S> = names.into_iter().collect();
    match names.split_last() {
        None => "nothing".to_owned(),
        Some((only, [])) => only.as_ref().to_owned(),
        Some((last, rest)) => {
            let rest: Vec<&str> = rest.iter().map(AsRef::as_ref).collect();
            format!("{} or {}", rest.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_count_from_one() {
        assert_eq!(line_and_column("a\näö x", 1), (1, 2));
        assert_eq!(line_and_column("a\näö x", 7), (2, 4));
        assert_eq!(
            line_and_column("ä", 1),
            (1, 1),
            "an offset inside a character is that character's"
        );
        assert_eq!(line_and_column("", 99), (1, 1));
    }

    #[test]
    fn nearest_finds_slips_and_nothing_else() {
        assert_eq!(nearest("machin", ["machine", "kernel"]), Some("machine".to_owned()));
        assert_eq!(
            nearest("rt_push_ip", ["rt_push_ipi", "rt_balance"]),
            Some("rt_push_ipi".to_owned())
        );
        assert_eq!(nearest("qqq", ["machine", "kernel"]), None);
    }
}
