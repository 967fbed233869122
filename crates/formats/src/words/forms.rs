//! The forms of text that are read, a file each.

mod boot;
mod command;
mod cyclictest;
mod features;
pub(super) mod measured;
mod sysctl;
mod uname;

use super::case::{Case, Note};
use super::paste::Piece;

/// One form of text.
#[derive(Clone, Copy)]
pub struct Form {
    /// The key of the row: `sched_features`.
    pub name: &'static str,
    /// The name that a person reads.
    pub title: &'static str,
    /// A text that is read.
    pub example: &'static str,
    /// Reads a piece into the case; none where the piece is of another form.
    pub read: fn(&Piece, &mut Case) -> Option<Note>,
}

/// The forms; the first that knows a piece reads it. Those that know a program by its name come
/// before the one that takes any program.
pub const FORMS: &[Form] = &[
    uname::FORM,
    measured::FORM,
    features::FORM,
    sysctl::FORM,
    boot::FORM,
    cyclictest::FORM,
    command::FORM,
];

/// Programs that begin a command without a prompt before it, sorted. Other words begin a line of
/// text.
pub(super) const PROGRAMS: &[&str] = &[
    "cat",
    "chrt",
    "cyclictest",
    "echo",
    "grep",
    "head",
    "hostnamectl",
    "nice",
    "nproc",
    "numactl",
    "printf",
    "sudo",
    "sysctl",
    "taskset",
    "uname",
];
