//! How many CPUs the machine has: `nproc`, `lscpu`, `getconf`.

use crate::words::case::{Case, Note};
use crate::words::cpus::{CPUS_MAX, CpuList};
use crate::words::form::Form;
use crate::words::{marks::unwrapped, paste::Piece};

pub(super) const FORM: Form = Form {
    name: "machine",
    title: "nproc, lscpu",
    example: "CPU(s): 16\ncpu.max 200000 100000",
    read,
};

/// The name of the bare number behind the command.
const NPROC: &str = "nproc";

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some(pipeline) = piece.pipeline() {
        let words = unwrapped(&pipeline[0].words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let is_count = matches!(words[..], ["nproc", ..] | ["getconf", "_NPROCESSORS_ONLN"]);
        if !is_count && words.first() != Some(&"lscpu") {
            return None;
        }
        if is_count {
            case.printed = vec![NPROC.to_owned()];
        }
        return Some(Note::left_out("prints what the next lines say"));
    }
    let text = piece.text()?;
    if case.printed.first().is_some_and(|printed| printed == NPROC) {
        let cpus = counted(text)?;
        case.printed.clear();
        return Some(machine(cpus, case));
    }
    // `CPUs: 8` is a line of docker info.
    if let Some(count) = text.strip_prefix("CPU(s):").or_else(|| text.strip_prefix("CPUs:")) {
        return Some(machine(counted(count.trim())?, case));
    }
    let list = text.strip_prefix("On-line CPU(s) list:")?.trim();
    let cpus = CpuList::read(list)?.on(CPUS_MAX).len();
    Some(machine(u32::try_from(cpus).ok()?, case))
}

fn counted(text: &str) -> Option<u32> {
    text.parse().ok().filter(|cpus| (1..=CPUS_MAX).contains(cpus))
}

fn machine(cpus: u32, case: &mut Case) -> Note {
    case.cpus = Some(cpus);
    Note::used(format!("a machine of {cpus} CPUs"))
}
