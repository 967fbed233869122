//! The forms of text that are read, a file each.

mod boot;
pub(super) mod cfs;
mod command;
mod cyclictest;
mod features;
mod machine;
pub(super) mod measured;
mod stat;
mod sysctl;
mod uname;

use super::form::Form;

/// The forms; the first that knows a piece reads it. Those that know a program by its name come
/// before the one that takes any program.
pub const FORMS: &[Form] = &[
    uname::FORM,
    measured::FORM,
    machine::FORM,
    cfs::FORM,
    stat::FORM,
    features::FORM,
    sysctl::FORM,
    boot::FORM,
    cyclictest::FORM,
    command::FORM,
];
