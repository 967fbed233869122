//! Remarks to people, on stderr.

use schedscope_scenario::text::shown_lines;

/// Most characters of a line to people: names and values in it come from files and links.
const LINE_MAX: usize = 1_000;

/// Writes a remark to stderr. A closed stderr loses the remark, which is no failure.
pub fn say(text: &str) {
    say_whole(&shown_lines(text, LINE_MAX));
}

/// Writes a remark of any length, for a command that the user copies.
pub fn say_whole(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr().lock(), "{}", shown_lines(text, usize::MAX));
}

/// Writes notes to stderr.
pub fn note<N: AsRef<str>>(notes: impl IntoIterator<Item = N>) {
    notes.into_iter().for_each(|note| say(&format!("note: {}", note.as_ref())));
}
