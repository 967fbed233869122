//! How much of a quota may lie on CPUs that do not use it, and what that costs others
//! (docs/model/bandwidth.md#return, docs/model/bandwidth.md#fixes-of-2019).

use schedscope_engine::kernel::config::{Bandwidth, BandwidthPreset, Version};
use schedscope_engine::run::{Options, Run};
use schedscope_engine::setup::Setup;

use crate::support::build::{fifo, hog, once, pause, task, work};
use crate::support::quota::{group_of, machine, member, quota};
use crate::support::{MS, US};

fn begin(setup: &Setup) -> Run {
    Run::new(setup, Options { check_every: 64, ..Options::default() }).expect("valid")
}

/// Chiluk 2019: 5 ms (its second version) or 1 ms (its fifth) for each CPU.
#[test]
fn once_the_pool_is_empty_a_cpu_that_has_slept_takes_a_millisecond_from_others_and_one_that_was_preempted_a_slice()
 {
    for version in [Version::V5_4, Version::V5_7, Version::V5_14, Version::V6_3] {
        let mut setup =
            machine(4, Bandwidth::of_version(version), &[(0, quota(40 * MS, 50 * MS + 300 * US))]);
        setup.kernel.rt_runtime_ns = None;
        setup.duration_ns = 150 * MS;
        setup.tasks.push(member(1, "hog", &[0], 51 * MS, hog(1 << 40)));
        // CPU 1 sleeps after 100 us; CPU 2's task is stopped in the middle of its slice, by a task
        // that strong. Both want all they can have 25 ms before the next refill.
        setup.tasks.push(member(
            1,
            "slept",
            &[1],
            60 * MS,
            once(&[work(100 * US), pause(65 * MS), work(1 << 40)]),
        ));
        setup.tasks.push(member(1, "preempted", &[2], 60 * MS, hog(1 << 40)));
        setup.tasks.push(task("strong", fifo(50), &[2], 60 * MS + 100 * US, hog(65 * MS)));
        let mut run = begin(&setup);
        run.advance(124 * MS, u64::MAX);
        let before = run.report().metrics.tasks;
        let dry = group_of(&run, "a").pool_ns;
        run.advance(150 * MS, u64::MAX);
        let after = run.report().metrics.tasks;
        let took = |name: &str| after[name].run_ns - before[name].run_ns;
        println!(
            "{version:?}: pool {dry}, slept {}, preempted {}, hog {}",
            took("slept.0"),
            took("preempted.0"),
            took("hog.0")
        );
        assert_eq!(dry, 0, "{version:?}: the hog has it");
        // A tick may be late by what is left of it.
        assert!(
            (MS..=2 * MS + 10 * US).contains(&took("slept.0")),
            "{version:?}: {}",
            took("slept.0")
        );
        assert!(
            (4 * MS..=6 * MS + 10 * US).contains(&took("preempted.0")),
            "{version:?}: {}",
            took("preempted.0")
        );
    }
}

/// Chiluk 2019's fourth version: N times 1 ms less 15 ms, by tasks that wake one after the other
/// and never again.
#[test]
fn the_fourth_version_strands_a_millisecond_for_each_cpu_but_for_the_last_three_slices() {
    for cpus in [24, 40, 80] {
        let stranded = |preset| {
            let quota_ns = u64::from(cpus) * MS;
            let mut setup = machine(
                cpus,
                Bandwidth::of_preset(preset),
                &[(0, quota(quota_ns, 50 * MS + 300 * US))],
            );
            setup.duration_ns = 149 * MS;
            for cpu in 0..cpus {
                setup.tasks.push(member(
                    1,
                    &format!("t{cpu}"),
                    &[cpu],
                    60 * MS + u64::from(cpu) * 500 * US,
                    hog(20 * US),
                ));
            }
            let mut run = begin(&setup);
            run.advance(149 * MS, u64::MAX);
            group_of(&run, "a").silo_ns
        };
        let (v4, v5) =
            (stranded(BandwidthPreset::ChilukV4), stranded(BandwidthPreset::ChilukV1V2V5));
        println!("{cpus} CPUs: v4 strands {v4} ns, v5 {v5}");
        let each = MS as i64;
        let bound = i64::from(cpus) * each - 15 * each;
        // The slice of a returning CPU is not in the pool when the pool is asked for 15 ms.
        assert!(v4 <= bound && v4 > bound - 6 * each, "{cpus} CPUs: {v4} of {bound}");
        assert!(
            v5 > bound + 10 * each,
            "{cpus} CPUs: the others leave every CPU its millisecond: {v5}"
        );
    }
}
