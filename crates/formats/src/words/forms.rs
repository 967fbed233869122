//! The forms of text that are read, a file each.

mod bench;
mod boot;
pub(super) mod cfs;
mod cgroup_files;
mod clock;
mod command;
mod compose;
mod cpulist;
mod cyclictest;
mod docker;
mod docker_json;
mod ecs;
mod features;
mod folders;
pub(super) mod kernel_text;
mod kubectl;
mod kubernetes;
mod lxd;
mod machine;
pub(super) mod measured;
mod nomad;
mod pressure;
mod prometheus;
pub(super) mod results;
mod rt_app;
mod rtla;
mod scenario_file;
mod stat;
mod sysctl;
mod systemd;
mod uname;
mod usage;

use super::case::Case;
use super::form::Form;

/// The forms; the first that knows a piece reads it. Those that know a program by its name come
/// before the one that takes any program.
pub const FORMS: &[Form] = &[
    scenario_file::FORM,
    rt_app::FORM,
    kernel_text::FORM,
    uname::FORM,
    measured::FORM,
    results::FORM,
    machine::FORM,
    pressure::FORM,
    cfs::FORM,
    stat::FORM,
    cgroup_files::FORM,
    features::FORM,
    sysctl::FORM,
    boot::FORM,
    cyclictest::FORM,
    bench::FORM,
    rtla::FORM,
    prometheus::FORM,
    lxd::FORM,
    kubernetes::FORM,
    kubectl::FORM,
    docker_json::FORM,
    compose::FORM,
    docker::FORM,
    ecs::FORM,
    nomad::FORM,
    systemd::FORM,
    usage::FORM,
    clock::FORM,
    cpulist::FORM,
    command::FORM,
];

/// What lines say that only the whole text settles.
pub(super) fn settled(case: &mut Case) {
    kubernetes::settled(case);
    systemd::settled(case);
    nomad::settled(case);
    prometheus::settled(case);
    pressure::settled(case);
}
