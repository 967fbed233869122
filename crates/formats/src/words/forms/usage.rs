//! What `kubectl top` and `docker stats` print: CPU time that was used, an average over seconds. It
//! says no limit, and throttling does not show in it.

use crate::words::amounts::{self, quoted};
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::paste::Piece;
use crate::words::quantity;

pub(super) const FORM: Form = Form {
    name: "usage",
    title: "kubectl top, docker stats",
    example: "cpu.max 50000 100000\nNAME    CPU(cores)   MEMORY(bytes)\nweb-1   250m         64Mi",
    read,
};

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let text = piece.text()?;
    let words: Vec<&str> = text.split_whitespace().collect();
    if text.contains("CPU(cores)") || text.contains("CPU %") && text.contains("MEM ") {
        case.open.has_averages = true;
        return Some(Note::used("names the columns below"));
    }
    let (name, cpus) = top(&words).or_else(|| stats(&words))?;
    case.open.has_averages = true;
    case.say(format!(
        "{} used {} on average while it was measured; throttling does not show in an average.",
        quoted(name),
        amounts::cpus(cpus)
    ));
    Some(Note::used(format!("{} used {}", quoted(name), amounts::cpus(cpus))))
}

/// `web-1   nginx   250m   64Mi`; of nodes with percent beside each.
fn top<'w>(words: &[&'w str]) -> Option<(&'w str, f64)> {
    let at = words.iter().position(|word| is_memory(word))?;
    let cpu = words[..at].iter().rposition(|word| !word.ends_with('%'))?;
    let is_cpu = words[cpu].ends_with(['m', 'n', 'u']) || words[cpu] == "0";
    let name = words[..cpu].last()?;
    (is_cpu && cpu <= 3 && at + 2 >= words.len())
        .then(|| Some((*name, quantity::millis(words[cpu])? as f64 / 1e3)))
        .flatten()
}

/// `1f2e…   web   49.85%   12.5MiB / 512MiB   2.44%   …`.
fn stats<'w>(words: &[&'w str]) -> Option<(&'w str, f64)> {
    let [_, name, cpu, memory, "/", _, ..] = words else { return None };
    let is_size = memory.ends_with(['B', 'i']);
    let percent = quantity::decimal(cpu.strip_suffix('%')?)?;
    is_size.then_some((*name, percent / 100.0))
}

fn is_memory(word: &str) -> bool {
    let number = word.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
    matches!(&word[number.len()..], "Ki" | "Mi" | "Gi") && quantity::count(number).is_some()
}
