//! How long softirqs go on as an interrupt ends, and what is left to ksoftirqd, by release
//! (docs/model/locks-and-ipis.md#softirqs).

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Kernel, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Policy, Program, Setup, SoftirqLoad, TaskSpec};
use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::codes::Softirq;

use crate::support::build::{bare, fair, fifo, hog, task};
use crate::support::judge::{Row, play};
use crate::support::{MS, US};

/// Tasklets of 210 us that come every 200 us, beside a hog on one CPU where nothing else costs
/// anything; ksoftirqd is task 1.
fn storm(release: &str, hz: u32, policy: Policy) -> Setup {
    let mut setup = bare(1, CostsName::Zero);
    setup.kernel = Kernel::of_version(Version::of(release), 1);
    setup.kernel.hz = hz;
    setup.duration_ns = 40 * MS;
    setup.tasks.push(task("hog", policy, &[0], 0, hog(100 * MS)));
    setup.tasks.push(TaskSpec {
        measured: false,
        ..task("ksoftirqd", fair(), &[0], 0, Program::Ksoftirqd)
    });
    setup.softirq = Some(SoftirqLoad {
        cpus: CpuMask::one(CpuId::new(0)),
        period_ns: 200 * US,
        work_ns: 210 * US,
        first_task: 1,
    });
    setup
}

/// When each pass of tasklets began.
fn passes(rows: &[Row]) -> Vec<u64> {
    let begins = |row: &&Row| row.kind == Kind::SoftirqEntry && row.a == Softirq::Tasklet as u32;
    rows.iter().filter(begins).map(|row| row.time).collect()
}

/// How many passes ran before ksoftirqd was woken for the first time.
fn passes_before_ksoftirqd(release: &str, hz: u32) -> usize {
    let rows = play(&storm(release, hz, fair())).rows;
    let woken = rows.iter().find(|row| row.kind == Kind::SchedWakeup && row.a == 1);
    let woken = woken.expect("the softirqs never end").time;
    passes(&rows).iter().filter(|time| **time < woken).count()
}

#[test]
fn ten_passes_end_softirqs_and_from_3_9_on_two_milliseconds_too() {
    for release in ["3.8", "3.10", "4.14.336", "6.12", "7.3"] {
        assert_eq!(
            passes_before_ksoftirqd(release, 100),
            10,
            "{release}: 2 ms are a tick of 10 ms"
        );
    }
    // From 0.2 ms on a pass ends every 0.21 ms: the ninth is the first to end after 2 ms.
    for (release, passes) in [("3.8", 10), ("3.10", 9), ("6.12", 9)] {
        assert_eq!(passes_before_ksoftirqd(release, 1000), passes, "{release}");
    }
}

#[test]
fn behind_a_fifo_hog_tasklets_starve_from_4_9_to_4_15_alone() {
    for (release, starve) in [
        ("4.8", false),
        ("4.9", true),
        ("4.15", true),
        ("4.16", false),
        ("6.1.192", false),
        ("6.4", false),
        ("6.5", false),
    ] {
        let rows = play(&storm(release, 1000, fifo(50))).rows;
        let late = passes(&rows).into_iter().filter(|time| *time > 20 * MS).count();
        assert_eq!(late == 0, starve, "{release}: {late} passes in the last 20 ms");
    }
}
