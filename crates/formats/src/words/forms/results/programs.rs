//! Lines that name the program that printed them: hackbench's first two, and the end of
//! cyclictest's histogram.

use serde_json::json;

use super::super::bench::hackbench_of_lines;
use super::open::table;
use crate::words::case::{Case, Fate, Measured, Note, Program};
use crate::words::getopt::whole;
use crate::words::table::{Kind, Table};

/// What a histogram does not say.
const PRIORITY: u32 = 80;
const INTERVAL_US: u64 = 1_000;
const ROWS: &[&str] = &["Total", "Min Latencies", "Avg Latencies", "Max Latencies"];

pub(super) fn read(text: &str, case: &mut Case) -> Option<Note> {
    hackbench(text, case).or_else(|| histogram(text, case))
}

fn hackbench(text: &str, case: &mut Case) -> Option<Note> {
    if let Some(rest) = text.strip_prefix("Running in ").filter(|text| text.contains(" mode with "))
    {
        let (groups, descriptors) = hackbench_of_lines(rest)?;
        let head = [groups.to_string(), (descriptors / 2).to_string()];
        case.tables.push(Table::new(Kind::Hackbench, head.to_vec()));
        let half = descriptors / 2;
        return Some(Note::used(format!(
            "hackbench with {groups} groups of {half} senders and {half} receivers"
        )));
    }
    if let Some(rest) = text.strip_prefix("Running with ").filter(|text| text.ends_with("tasks.")) {
        let (groups, descriptors) = hackbench_of_lines(rest)?;
        let head = [groups.to_string(), (descriptors / 2).to_string()];
        case.tables.push(Table::new(Kind::Hackbench, head.to_vec()));
        return Some(Note::used(format!("hackbench with {groups} groups")));
    }
    let rest = text.strip_prefix("Each sender will pass ")?;
    let (loops, bytes) = hackbench_of_lines(rest)?;
    table(Kind::Hackbench, case).row(&[&loops.to_string(), &bytes.to_string()]);
    Some(Note::used(format!("{loops} messages of {bytes} bytes")))
}

/// `# Max Latencies: 00017 00024`: a column for each thread; and the rows above.
fn histogram(text: &str, case: &mut Case) -> Option<Note> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_cell = |word: &&str| word.len() >= 6 && whole(word).is_some();
    // The first column counts us with six places; `150000 100000` is a file of a group.
    let is_index = words.first().is_some_and(|word| word.len() == 6 && word.starts_with('0'));
    if words.len() >= 2 && is_index && words.iter().all(is_cell) {
        return Some(Note::new(Fate::Passed, "a row of a histogram: how often, by us"));
    }
    let (name, rest) = text.strip_prefix("# ")?.split_once(':')?;
    let name = ROWS.iter().find(|known| **known == name)?;
    let cells: Vec<&str> = rest.split_whitespace().collect();
    if cells.is_empty() || cells.len() > 1_024 || !cells.iter().all(|cell| whole(cell).is_some()) {
        return None;
    }
    let row: Vec<&str> = std::iter::once(*name).chain(cells).collect();
    let table = table(Kind::Histogram, case);
    table.row(&row);
    Some(Note::used(format!("{} of {} threads", name.to_lowercase(), row.len() - 1)))
}

pub(super) fn said(table: &Table, case: &mut Case) {
    match table.kind {
        Kind::Hackbench => hackbench_said(table, case),
        _ => histogram_said(table, case),
    }
}

fn hackbench_said(table: &Table, case: &mut Case) {
    let is_started = |program: &Program| matches!(program, Program::Tool { key: "hackbench", .. });
    let number = |text: Option<&String>| text.and_then(|text| whole(text)).unwrap_or(0);
    let (groups, fds) = (number(table.head.first()), number(table.head.get(1)));
    if case.programs.iter().any(is_started) || groups == 0 {
        return;
    }
    let row = table.rows.last();
    let loops = number(row.and_then(|row| row.first()));
    let bytes = number(row.and_then(|row| row.get(1)));
    if !(1..=400).contains(&groups)
        || !(1..=200).contains(&fds)
        || 2 * groups * fds * fds > 190_000
        || 2 * groups * fds >= 16_384
    {
        case.doubts.push(format!("hackbench with {groups} groups of {fds}: no run here holds it."));
        return;
    }
    let loops = if loops == 0 { 100 } else { loops.min(1_000_000) };
    let datasize = if bytes == 0 { 100 } else { bytes.min(65_536) };
    let value = json!({ "groups": groups, "fds": fds, "loops": loops, "datasize": datasize });
    case.assumed.push("hackbench sends through socket pairs: its lines do not say it.".to_owned());
    case.programs.push(Program::Tool { key: "hackbench", value, run_us: 500_000 });
}

fn histogram_said(table: &Table, case: &mut Case) {
    let column = |name: &str, at: usize| {
        let row = table.rows.iter().rev().find(|row| row[0] == name)?;
        row.get(at + 1).and_then(|cell| whole(cell))
    };
    let threads = table.rows.iter().filter(|row| row[0] == "Max Latencies").map(Vec::len).max();
    let Some(threads) = threads.map(|cells| cells - 1).filter(|_| case.measured.is_empty()) else {
        return;
    };
    let signed = |number: Option<u64>| number.and_then(|number| i64::try_from(number).ok());
    for at in 0..threads {
        case.measured.push(Measured {
            index: u32::try_from(at).unwrap_or(0),
            priority: PRIORITY,
            interval_us: INTERVAL_US,
            rounds: column("Total", at).unwrap_or(1),
            min_us: signed(column("Min Latencies", at)),
            avg_us: signed(column("Avg Latencies", at)),
            max_us: signed(column("Max Latencies", at)).unwrap_or(0),
            has_interval: false,
        });
    }
    let is_started = |program: &Program| matches!(program, Program::Tool { key: "cyclictest", .. });
    if !case.programs.iter().any(is_started) {
        case.assumed.push(format!(
            "A histogram says neither priority nor interval: priority {PRIORITY}, every \
             {INTERVAL_US} us."
        ));
    }
}
