//! The forms of text that are read, a file each.

mod bench;
mod boot;
pub(super) mod cfs;
mod command;
mod cpulist;
mod cyclictest;
mod features;
pub(super) mod kernel_text;
mod machine;
pub(super) mod measured;
pub(super) mod results;
mod rt_app;
mod rtla;
mod scenario_file;
mod stat;
mod sysctl;
mod uname;

use super::form::Form;

/// The forms; the first that knows a piece reads it. Those that know a program by its name come
/// before the one that takes any program.
pub const FORMS: &[Form] = &[
    scenario_file::FORM,
    rt_app::FORM,
    uname::FORM,
    measured::FORM,
    results::FORM,
    machine::FORM,
    cfs::FORM,
    stat::FORM,
    features::FORM,
    sysctl::FORM,
    boot::FORM,
    kernel_text::FORM,
    cyclictest::FORM,
    bench::FORM,
    rtla::FORM,
    cpulist::FORM,
    command::FORM,
];
