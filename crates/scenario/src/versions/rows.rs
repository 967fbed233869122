//! The rows of the table of kernels in words: what a page or a command says about each.

use std::convert::Infallible;

use schedscope_engine::kernel::config::row::{known, place};
use schedscope_engine::kernel::config::{
    Bandwidth, Beside, Kernel, Known, RULES, Reader, Row, Since, Version, default_version,
};
use schedscope_engine::named::Named;

use super::texts::{Text, all_texts};
use crate::knobs::all::knob;
use crate::units::time_text;

/// One row in words.
#[derive(Debug)]
pub struct TableRow {
    /// The path that a scenario states it at, `kernel.rt_push_ipi`; else the row's own name.
    pub name: String,
    /// Short name, the kernel's own token where it has one; empty for a row without a path.
    pub label: &'static str,
    /// The meaning or question, a sentence.
    pub doc: &'static str,
    /// Whether a scenario may state it at `name`.
    pub is_stated: bool,
    /// Whether the model has it.
    pub modelled: bool,
    /// Since when each value holds, oldest first.
    pub since: &'static [Since],
    /// Each value with its meaning, which may be empty.
    pub values: Vec<(String, &'static str)>,
    pub sources: &'static [&'static str],
    /// What each value's change means to a person. None for the first value, and for one that is as
    /// the value before it.
    pub texts: Vec<Option<Text>>,
}

impl TableRow {
    /// Which of the values `version` has, and how well that is known.
    pub fn at(&self, version: Version) -> (usize, Known) {
        (place(self.since, version), known(self.since, self.sources, version))
    }
}

/// Every row of the table: those that a scenario may state first, then bandwidth control, then
/// those that only follow the release.
pub(super) fn table_rows() -> Vec<TableRow> {
    let mut list = List { of: "", rows: Vec::new() };
    let Ok(_) = Kernel::of_version(default_version(), 1).read(&mut list);
    list.of = "kernel.bandwidth.";
    let Ok(_) = Bandwidth::read(&mut list);
    list.of = "";
    for rule in RULES.iter().filter(|rule| rule.words.is_none()) {
        list.add(rule, yes_or_no);
    }
    list.rows
}

struct List {
    /// What comes before the name of a row without a path.
    of: &'static str,
    rows: Vec<TableRow>,
}

impl List {
    fn add<T: Copy>(&mut self, row: &Row<T>, words: impl Fn(T) -> (String, &'static str)) -> T {
        let stated = row.words.as_ref();
        let label = stated.and_then(|words| knob(words.path)).map_or("", |knob| knob.label);
        let name = stated.map_or_else(
            || format!("{}{}", self.of, row.name.to_lowercase()),
            |words| words.path.to_owned(),
        );
        self.rows.push(TableRow {
            texts: row.since.iter().map(|since| text_of(&name, since.release)).collect(),
            name,
            label,
            doc: stated.map_or(row.doc, |words| words.doc).trim(),
            is_stated: stated.is_some() || !self.of.is_empty(),
            modelled: true,
            since: row.since,
            values: row.values.iter().map(|value| words(*value)).collect(),
            sources: row.sources,
        });
        row.value(default_version())
    }
}

impl Reader for List {
    type Fault = Infallible;

    fn named<T: Named>(&mut self, row: &Row<T>, _: Beside<T>) -> Result<T, Infallible> {
        Ok(self.add(row, |value| (value.name().to_owned(), value.doc())))
    }

    fn flag(&mut self, row: &Row<bool>, _: Beside<bool>) -> Result<bool, Infallible> {
        Ok(self.add(row, yes_or_no))
    }

    fn time(&mut self, row: &Row<u32>, _: Beside<u32>) -> Result<u32, Infallible> {
        Ok(self.add(row, |ns| (time_text(u64::from(ns)), "")))
    }
}

/// The texts of the change that a row got with `release`.
fn text_of(row: &str, release: Version) -> Option<Text> {
    all_texts()
        .find(|change| change.row == row && change.release == release)
        .map(|change| change.text)
}

fn yes_or_no(value: bool) -> (String, &'static str) {
    (if value { "yes" } else { "no" }.to_owned(), "")
}

#[cfg(test)]
mod tests {
    use super::{all_texts, table_rows};

    #[test]
    fn every_text_is_of_a_change_that_the_table_has_and_no_change_has_two() {
        let rows = table_rows();
        for (place, change) in all_texts().enumerate() {
            let name = format!("{} {}", change.row, change.release);
            let row = rows.iter().find(|row| row.name == change.row).expect(&name);
            let at = row.since.iter().position(|since| since.release == change.release);
            let at = at.expect(&name);
            assert!(at > 0 && row.values[at - 1].0 != row.values[at].0, "{name}");
            let first = all_texts()
                .position(|other| (other.row, other.release) == (change.row, change.release));
            assert_eq!(first, Some(place), "{name}");
        }
    }
}
