//! What `read` prints for people.

use std::collections::BTreeMap;

use schedscope_fit::Inquiry;
use schedscope_fit::sentences::{self, Beside};
use schedscope_formats::words::{Fate, Reading};
use schedscope_runs::numbers::counted;

pub fn page(inquiry: &Inquiry, assumed: &[String]) -> String {
    let reading = inquiry.reading();
    let mut text = format!("{}\n\n", count(reading));
    let digits = reading.lines.len().to_string().len();
    for line in &reading.lines {
        for note in &line.notes {
            text += &format!("{:>digits$}  {:<14}  {}", line.number, note.fate.name(), note.words);
            if note.fate == Fate::NotUnderstood {
                text += &format!(": {}", shortened(line.text.trim()));
            }
            text.push('\n');
        }
    }
    for (title, sentences) in [
        ("says", reading.says.as_slice()),
        ("cannot be", &reading.doubts),
        ("missing", &reading.asks),
        ("assumed", assumed),
    ] {
        text += &section(title, sentences);
    }
    if let Some(fitting) = inquiry.fitting() {
        if let Some(best) = fitting.best() {
            text += &section("fit", &sentences::fit(fitting, best));
            text += &table(&sentences::beside(fitting, best), inquiry.runs());
        }
        text += &section("limit", &sentences::limits(fitting, reading.group_kind()));
        if fitting.range().is_some() {
            text += "  (--burst TIME narrows it; --within TIME asks for less)\n";
        }
    }
    text
}

fn section(title: &str, sentences: &[String]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = sentences.iter().map(|sentence| format!("  {sentence}\n")).collect();
    format!("\n{title}\n{}", lines.concat())
}

/// Asked and got, in columns.
fn table(rows: &[Beside], runs: u32) -> String {
    let width = |of: fn(&Beside) -> &str| {
        rows.iter().map(|row| of(row).chars().count()).max().unwrap_or(0).max("asked".len())
    };
    let (first, second) = (width(|row| row.figure), width(|row| &row.asked));
    let mut text = format!("  {:first$}  {:>second$}  got\n", "", "asked");
    for Beside { figure, asked, got } in rows {
        text += &format!("  {figure:first$}  {asked:>second$}  {got}\n");
    }
    format!("{text}  by {}\n", counted(u64::from(runs), "run"))
}

/// `5 lines: 3 used, 1 left out, 1 not understood`.
fn count(reading: &Reading) -> String {
    let mut fates: BTreeMap<Fate, u64> = BTreeMap::new();
    let with_notes = reading.lines.iter().filter(|line| !line.notes.is_empty());
    let mut lines = 0;
    for line in with_notes {
        lines += 1;
        if let Some(best) = line.notes.iter().map(|note| note.fate).min() {
            *fates.entry(best).or_default() += 1;
        }
    }
    let parts: Vec<String> =
        fates.iter().map(|(fate, count)| format!("{count} {}", fate.name())).collect();
    format!("{}: {}", counted(lines, "line"), parts.join(", "))
}

const SHOWN_MAX: usize = 60;

fn shortened(text: &str) -> String {
    if text.chars().count() <= SHOWN_MAX {
        return text.to_owned();
    }
    text.chars().take(SHOWN_MAX).chain(['…']).collect()
}
