//! Tables of schbench, runqslower and rtla.

use super::open::{last, table};
use crate::words::amounts::{decimal, quoted, time};
use crate::words::case::{Case, Fate, Note};
use crate::words::getopt::whole;
use crate::words::table::{Kind, Table};

pub(super) fn read(text: &str, case: &mut Case) -> Option<Note> {
    percentiles(text, case).or_else(|| slow(text, case)).or_else(|| rtla(text, case))
}

/// `Wakeup Latencies percentiles (usec) runtime 10 (s)`, then `* 99.0th: 10 (2984 samples)`.
fn percentiles(text: &str, case: &mut Case) -> Option<Note> {
    if let Some((name, rest)) = text.split_once(" percentiles (") {
        let unit = rest.split(')').next()?;
        if !matches!(unit, "usec" | "requests") {
            return None;
        }
        let head = [name.to_owned(), unit.to_owned()];
        case.tables.push(Table::new(Kind::Percentiles, head.to_vec()));
        return Some(Note::left_out("what schbench measured"));
    }
    if let Some((name, rest)) = text.split_once(" rps: ") {
        let rate: f64 = decimal(rest.split_whitespace().next()?)?;
        if !matches!(name, "current" | "average" | "final") {
            return None;
        }
        if name == "average" {
            case.says.push(format!("schbench did {rate} requests a second on average."));
        }
        return Some(Note::left_out(format!("a measurement: {rate} requests a second")));
    }
    let rows = last(Kind::Percentiles, case)?;
    let row = text.trim_start_matches(['*', ' ']);
    if let Some((percent, rest)) = row.split_once("th:") {
        let (percent, value) = (decimal(percent)?, rest.split_whitespace().next()?);
        whole(value)?;
        rows.row(&[&percent.to_string(), value]);
        return Some(Note::left_out(format!("a measurement: {percent} % at {value} or less")));
    }
    let (_, most) = row.strip_prefix("min=")?.split_once("max=")?;
    let most = most.trim();
    whole(most)?;
    rows.row(&["max", most]);
    Some(Note::left_out(format!("a measurement: at most {most}")))
}

/// `04:30:25 kworker/20:2 6023 2264`: who waited, and how long.
fn slow(text: &str, case: &mut Case) -> Option<Note> {
    if let Some(rest) = text.strip_prefix("Tracing run queue latency higher than ") {
        let bound = rest.split_whitespace().next()?;
        whole(bound)?;
        case.tables.push(Table::new(Kind::SlowQueues, vec![bound.to_owned()]));
        return Some(Note::left_out(format!("runqslower looked for waits above {bound} us")));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    if matches!(words[..], ["TIME", "COMM", "PID" | "TID", "LAT(us)", ..]) {
        table(Kind::SlowQueues, case);
        return Some(Note::left_out("names the columns of runqslower"));
    }
    let first = *words.first()?;
    let is_time = first.len() == 8 && first.bytes().filter(|sign| *sign == b':').count() == 2;
    // A name may have spaces in it; with -P the task before comes behind.
    let numbers = words.iter().skip(2).position(|word| whole(word).is_some())? + 2;
    let us = words.get(numbers + 1).and_then(|word| whole(word))?;
    if !is_time || last(Kind::SlowQueues, case).is_none() {
        return None;
    }
    let comm = words[1..numbers].join(" ");
    let row = [first, comm.as_str(), words[numbers + 1]];
    table(Kind::SlowQueues, case).row(&row);
    Some(Note::left_out(format!("a measurement: {} waited {us} us for a CPU", quoted(&comm))))
}

/// `0 #1000 | 0 0 0 7 | 8 3 9 25` of timerlat; osnoise's rows have no bars.
fn rtla(text: &str, case: &mut Case) -> Option<Note> {
    let kind = match text {
        _ if text.starts_with("Timer Latency") => Some(Kind::Timerlat),
        _ if text.starts_with("Operating System Noise") => Some(Kind::Osnoise),
        _ => None,
    };
    if let Some(kind) = kind {
        case.tables.push(Table::new(kind, Vec::new()));
        return Some(Note::left_out("what rtla measured"));
    }
    if text.starts_with("# RTLA ") {
        return Some(Note::left_out("a histogram of rtla; its rows are not read"));
    }
    if let Some(rest) = text.strip_prefix("rtla ").filter(|text| text.contains("hit stop tracing"))
    {
        let tool = rest.split_whitespace().next()?;
        return Some(Note::left_out(format!("rtla {tool} met a latency above its bound")));
    }
    let kind = case.tables.last()?.kind;
    if !matches!(kind, Kind::Timerlat | Kind::Osnoise) {
        return None;
    }
    let words: Vec<&str> = text
        .split(|sign: char| sign.is_whitespace() || sign == '|')
        .filter(|w| !w.is_empty())
        .collect();
    if text.contains("CPU") || text.contains("Timer Latency (us)") || text.starts_with("duration:")
    {
        return Some(Note::new(Fate::Passed, "names the columns"));
    }
    let count = words.get(1)?.strip_prefix('#')?;
    whole(words[0]).and(whole(count))?;
    let cell =
        |at: usize| words.get(at).copied().filter(|word| *word == "-" || decimal(word).is_some());
    let (row, says) = match kind {
        Kind::Timerlat => {
            let (irq, thread) = (cell(5)?, cell(9)?);
            (
                [words[0], irq, thread],
                format!("thread at most {thread} us late, interrupt {irq} us"),
            )
        }
        _ => {
            let (share, most) = (cell(4)?, cell(6)?);
            ([words[0], share, most], format!("{share} % of the CPU, at most {most} us away"))
        }
    };
    table(kind, case).row(&row);
    Some(Note::left_out(format!("a measurement: CPU {}: {says}", words[0])))
}

pub(super) fn said(table: &Table, case: &mut Case) {
    if table.rows.is_empty() {
        return;
    }
    match table.kind {
        Kind::Percentiles => percentiles_said(table, case),
        Kind::SlowQueues => slow_said(table, case),
        _ => rtla_said(table, case),
    }
}

fn percentiles_said(table: &Table, case: &mut Case) {
    let name = table.head.first().map_or("", String::as_str);
    let is_time = table.head.get(1).is_some_and(|unit| unit == "usec");
    let shown = |text: &str| match whole(text) {
        Some(us) if is_time => format!("{us} us"),
        _ => text.to_owned(),
    };
    let parts: Vec<String> = table
        .rows
        .iter()
        .map(|row| match row[0].as_str() {
            "max" => format!("at most {}", shown(&row[1])),
            percent => format!("{} at {percent} %", shown(&row[1])),
        })
        .collect();
    case.says.push(format!("schbench, {}: {}.", name.to_lowercase(), parts.join(", ")));
    if is_time {
        case.says.push(
            "Percentiles do not say behind whom a thread waited, nor whether the late ones came \
             together."
                .to_owned(),
        );
    }
}

fn slow_said(table: &Table, case: &mut Case) {
    let us = |row: &Vec<String>| row.get(2).and_then(|cell| whole(cell)).unwrap_or(0);
    let Some(worst) = table.rows.iter().max_by_key(|row| us(row)) else { return };
    let bound =
        table.head.first().map_or_else(String::new, |bound| format!(" more than {bound} us"));
    let count = table.rows.len();
    let waits = if count == 1 { "1 wait" } else { "waits" };
    let many = if count == 1 { String::new() } else { format!("{count} ") };
    case.says.push(format!(
        "runqslower saw {many}{waits} for a CPU of{bound}; the longest was {} of {} at {}.",
        time(us(worst) as f64),
        quoted(&worst[1]),
        worst[0]
    ));
    case.says.push(
        "Its lines do not say what ran on that CPU meanwhile: a recording of sched_switch does."
            .to_owned(),
    );
}

fn rtla_said(table: &Table, case: &mut Case) {
    let value = |row: &Vec<String>| decimal(&row[2]).unwrap_or(0.0);
    let Some(worst) = table.rows.iter().max_by(|one, two| value(one).total_cmp(&value(two))) else {
        return;
    };
    let cpu = &worst[0];
    case.says.push(match table.kind {
        Kind::Timerlat => format!(
            "timerlat: the latest thread was {} us late, on CPU {cpu}, where the interrupt was at \
             most {} us late; the rest is the way from the interrupt to the thread.",
            worst[2], worst[1]
        ),
        _ => format!(
            "osnoise: the longest that CPU {cpu} was taken away is {} us; a task had {} % of it.",
            worst[2], worst[1]
        ),
    });
    case.says.push(
        "The table does not say who was in the way: rtla with -a stops at such a latency and \
         prints it."
            .to_owned(),
    );
}
