//! Groups from release to release: what a group's cpu.weight is worth on one CPU
//! (docs/model/fair-class.md#group-weights). Every figure is made by hand in a comment.

use schedscope_engine::kernel::config::{CgroupMode, Kernel, Preempt, Version};
use schedscope_engine::named::Named;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{GroupSpec, Setup, TaskSpec};

use crate::support::build::{costless, fair, forever, hog, pause, task, work};
use crate::support::judge::{judge, written};
use crate::support::{MS, run};

const LONG: u64 = 3_600_000 * MS;
const CPUS: u32 = 4;

/// Group 1, `a`, has `each` hogs on every CPU, group 2, `b`, one hog on CPU 0. Both groups have the
/// default weight, 1024.
fn everywhere_and_on_one(kernel: Kernel, each: u32, duration_ns: u64) -> Setup {
    let mut setup = costless(Version::V6_6, CPUS, duration_ns);
    setup.kernel = Kernel { preempt: Preempt::Full, ..kernel };
    for path in ["a", "b"] {
        let path = path.to_owned();
        setup.groups.push(GroupSpec { path, parent: 0, weight: 1024, bandwidth: None });
    }
    let of =
        |group, name: &str, cpu| TaskSpec { group, ..task(name, fair(), &[cpu], 0, hog(LONG)) };
    let hogs = (0..CPUS * each).map(|hog| of(1, &format!("a{hog}"), hog % CPUS));
    setup.tasks = hogs.chain([of(2, "b", 0)]).collect();
    setup
}

/// Per cent of CPU 0 that `b` gets in 4 s, rounded.
fn share_of_b(setup: &Setup) -> u64 {
    let written = written(&mut run(setup, Options::EVERYTHING, 64));
    judge(setup, &written).expect("the trace keeps the laws");
    (written.report.metrics.tasks["b.0"].run_ns + 20 * MS) / (40 * MS)
}

fn of(release: &str) -> Kernel {
    Kernel::of_version(Version::parse(release).expect("a release"), CPUS)
}

/// A quarter of `a`'s load is on CPU 0, all of `b`'s. `smp`: 256 against 1024. `up`: 1024 against
/// 1024. `concur` and `tasks`: 4 * 1024 / 4 against 1 * 1024. `max`: 4 * 1024 / 4 against
/// 4 * 1024. With two hogs of `a` on each CPU `tasks` is 8 * 1024 / 4 against 1024, the others
/// stay.
#[test]
fn cgroup_mode_says_what_a_group_on_all_cpus_gets_beside_one_on_a_single_cpu() {
    use CgroupMode::{Concur, Max, Smp, Tasks, Up};
    for (each, shares) in [
        (1, [(Up, 50), (Smp, 80), (Concur, 50), (Max, 80), (Tasks, 50)]),
        (2, [(Up, 50), (Smp, 80), (Concur, 50), (Max, 80), (Tasks, 33)]),
    ] {
        for (cgroup_mode, share) in shares {
            let kernel = Kernel { cgroup_mode, ..of("7.3") };
            let found = share_of_b(&everywhere_and_on_one(kernel, each, 4_000 * MS));
            assert_eq!(found, share, "{}, {each} hogs on each CPU", cgroup_mode.name());
        }
    }
}

#[test]
fn a_group_is_worth_the_cpus_it_keeps_busy_from_7_3_on() {
    for (release, share) in [("6.12", 80), ("7.2.13", 80), ("7.3", 50)] {
        assert_eq!(share_of_b(&everywhere_and_on_one(of(release), 1, 4_000 * MS)), share);
    }
}

/// The hogs of `a` on CPUs 1 to 3 sleep from 100 ms on, and with them n falls from 4 to 1: `a` is
/// worth 1024 * 1 on CPU 0 all the time.
#[test]
fn tasks_that_sleep_add_nothing_to_what_their_group_is_worth() {
    let mut setup = everywhere_and_on_one(of("7.3"), 1, 4_000 * MS);
    for task in &mut setup.tasks[1..4] {
        task.program = forever(&[work(100 * MS), pause(LONG)]);
    }
    assert_eq!(share_of_b(&setup), 50);
}

/// `smp` is written after 2 s of 4: `b` gets 50 % and then 80 % of CPU 0.
#[test]
fn cgroup_mode_is_written_in_mid_run() {
    let setup = everywhere_and_on_one(of("7.3"), 1, 4_000 * MS);
    let mut run = Run::new(&setup, Options::default()).expect("a sound setup");
    assert_eq!(run.advance(2_000 * MS, u64::MAX), Progress::Running);
    assert!(run.change("kernel.cgroup_mode", "smp"));
    assert!(!run.change("kernel.cgroup_mode", "half"));
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    let share = (run.report().metrics.tasks["b.0"].run_ns + 20 * MS) / (40 * MS);
    assert_eq!(share, 65);
}
