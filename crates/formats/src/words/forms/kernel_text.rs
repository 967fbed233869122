//! What the kernel itself says: its log, its configuration, and files of /proc and /sys.

mod config;
mod debug;
mod interrupts;
mod log;
mod process;

use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::table::Table;
use crate::words::{marks::unwrapped, paste::Piece};

pub(super) const FORM: Form = Form {
    name: "kernel",
    title: "dmesg, CONFIG_PREEMPT, /proc/interrupts, ps, chrt -p",
    example: "Dynamic Preempt: full\nNO_HZ: Full dynticks CPUs: 2-7.",
    read,
};

/// Programs that print what the next lines say.
const PRINTING: &[&str] = &["dmesg", "journalctl", "zcat", "zgrep", "ps"];
/// Files that are read here, by the end of their path.
const FILES: &[&str] = &[
    "/interrupts",
    "/schedstat",
    "/autogroup",
    "/sched",
    "/debug",
    "/preempt",
    "/status",
    "/config.gz",
    "/sched_debug",
];

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some(pipeline) = piece.pipeline() {
        let words = unwrapped(&pipeline[0].words);
        let name = words.first()?.rsplit('/').next()?;
        let prints = PRINTING.contains(&name)
            || matches!(name, "cat" | "head" | "tail" | "grep")
                && words[1..].iter().any(|word| is_file(word));
        return prints.then(|| Note::left_out("prints what the next lines say"));
    }
    let text = piece.text()?;
    interrupts::read(text, case)
        .or_else(|| process::read(text, case))
        .or_else(|| config::read(text, case))
        .or_else(|| debug::read(text, case))
        .or_else(|| log::read(text, case))
}

fn is_file(word: &str) -> bool {
    let is_config = word.starts_with("/boot/config-");
    is_config || word.starts_with('/') && FILES.iter().any(|file| word.ends_with(file))
}

/// Says what a table comes to.
pub(in crate::words) fn said(table: &Table, case: &mut Case) {
    interrupts::said(table, case);
    process::said(table, case);
    debug::said(table, case);
}

/// What only the whole text settles.
pub(in crate::words) fn settled(case: &mut Case) {
    log::settled(case);
}
