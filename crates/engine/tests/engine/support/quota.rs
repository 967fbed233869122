//! Groups under a quota, and workloads whose results differ between eras.

use schedscope_engine::account::groups::GroupMetrics;
use schedscope_engine::kernel::config::{Bandwidth, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::run::Run;
use schedscope_engine::setup::{GroupSpec, Op, Program, Quota, Setup, TaskSpec, TimerSpec};

use super::build::{bare, fair, forever, hog, pause, task, work};
use super::{MS, US};

/// Every era of docs/model/bandwidth.md#bandwidth-eras, by its first rung.
pub const ERAS: [Version; 14] = [
    Version::V3_2,
    Version::V3_16,
    Version::V3_17,
    Version::V4_2,
    Version::V4_18,
    Version::V4_19,
    Version::V5_4,
    Version::V5_7,
    Version::V5_8,
    Version::V5_14,
    Version::V6_3,
    Version::V6_6,
    Version::V6_18,
    Version::V7_2,
];

/// A quota of `quota` per 100 ms, first refilled at `phase_ns`.
pub fn quota(quota: u64, phase_ns: u64) -> Quota {
    Quota { quota_ns: Some(quota), period_ns: 100 * MS, burst_ns: 0, phase_ns }
}

/// A machine without costs, with the groups `a`, `b` ... of these parents and quotas.
pub fn machine(cpus: u32, bandwidth: Bandwidth, groups: &[(u32, Quota)]) -> Setup {
    let mut setup = bare(cpus, CostsName::Qspin2s);
    setup.kernel.bandwidth = bandwidth;
    for ((parent, quota), name) in groups.iter().zip('a'..) {
        setup.groups.push(GroupSpec {
            path: name.to_string(),
            parent: *parent,
            bandwidth: Some(*quota),
            ..GroupSpec::root()
        });
    }
    setup
}

/// A fair task of that group.
pub fn member(group: u32, name: &str, cpus: &[u32], start_ns: u64, program: Program) -> TaskSpec {
    TaskSpec { group, ..task(name, fair(), cpus, start_ns, program) }
}

/// fibtest's threads without its clock: one that computes, and on every other CPU one that computes
/// for `burst_ns` every 10 ms. They are started 137 us apart, as a parent that creates and pins
/// them does.
pub fn fibtest(
    cpus: u32,
    bandwidth: Bandwidth,
    quota_ms: u64,
    phase_ns: u64,
    burst_ns: u64,
) -> Setup {
    let mut setup = machine(cpus, bandwidth, &[(0, quota(quota_ms * MS, phase_ns))]);
    setup.duration_ns = 5_000 * MS;
    setup.tasks.push(member(1, "fast", &[0], 0, hog(1 << 40)));
    let slow = |cpu: u32| {
        let program = forever(&[work(burst_ns), pause(10 * MS + 50 * US)]);
        member(1, &format!("slow{cpu}"), &[cpu], 137 * US * u64::from(cpu), program)
    };
    setup.tasks.extend((1..cpus).map(slow));
    setup
}

/// Four workers are given slices at the tick that throttles a hog, and sleep 2 ms later: the slack
/// timer hands out the run time that they return.
pub fn slack(bandwidth: Bandwidth) -> Setup {
    let mut setup = machine(6, bandwidth, &[(0, quota(60 * MS, 41 * MS + 300 * US))]);
    setup.duration_ns = 5_000 * MS;
    setup.kernel.hz = 100;
    for cpu in 0..4 {
        setup.timers.push(TimerSpec { name: format!("timer{cpu}") });
        let program =
            forever(&[work(5 * MS), Op::Timer { timer: cpu, period_ns: 100 * MS, absolute: true }]);
        setup.tasks.push(member(1, &format!("worker{cpu}"), &[cpu], 47 * MS, program));
    }
    setup.tasks.extend((4..6).map(|cpu| member(1, &format!("hog{cpu}"), &[cpu], 0, hog(1 << 40))));
    setup
}

/// The books of the group.
pub fn group_of(run: &Run, path: &str) -> GroupMetrics {
    run.report().metrics.groups[path]
}
