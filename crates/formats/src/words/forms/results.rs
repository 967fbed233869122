//! What tools printed: how late, how long, how often. Each says what it means and what it cannot
//! say; only where the lines name a program does a scenario come of them.

mod lines;
mod open;
mod perf;
mod programs;
mod tables;

use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::paste::Piece;
use crate::words::table::Kind;

pub(super) const FORM: Form = Form {
    name: "results",
    title: "what hackbench, schbench, perf sched, rtla, runqslower, cyclictest -h printed",
    example: "# Total: 000010000 000010000\n# Max Latencies: 00017 00024",
    read,
};

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some(pipeline) = piece.pipeline() {
        let words: Vec<&str> = pipeline[0].words.iter().map(String::as_str).collect();
        return perf::head(&words, case).or_else(|| printing(&words));
    }
    let text = piece.text()?;
    programs::read(text, case)
        .or_else(|| tables::read(text, case))
        .or_else(|| perf::read(text, case))
        .or_else(|| lines::read(text, case))
}

/// Commands that print what the next lines say.
fn printing(words: &[&str]) -> Option<Note> {
    if let ["cyclictest", "V", _] = words {
        return Some(Note::left_out("the version of cyclictest"));
    }
    let says = match words {
        ["perf", "sched", "latency" | "lat" | "timehist" | "map" | "script", ..]
        | ["perf", "report" | "script", ..] => "prints what the next lines say",
        ["trace-cmd", "report" | "stop" | "reset" | "show" | "extract", ..] => {
            "trace-cmd: a recording is read as a file, not here"
        }
        _ => return None,
    };
    Some(Note::left_out(says))
}

/// Says what the tables come to.
pub(in crate::words) fn settled(case: &mut Case) {
    for table in std::mem::take(&mut case.tables) {
        match table.kind {
            Kind::Hackbench | Kind::Histogram => programs::said(&table, case),
            Kind::Percentiles | Kind::SlowQueues | Kind::Timerlat | Kind::Osnoise => {
                tables::said(&table, case);
            }
            Kind::PerfLatency | Kind::TimeHistory => perf::said(&table, case),
            _ => super::kernel_text::said(&table, case),
        }
    }
}
