//! Migration of waiting fair tasks: periodic, newly idle and active balancing
//! (docs/model/idle-balancing.md).

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Kernel, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::Topology;
use schedscope_engine::setup::{GroupSpec, IdleKind, Op, Policy, Quota, Setup};
use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::codes::{Puller, StopWork};

use crate::support::build::{bare, fair, fifo, forever, hog, once, pause, task, work};
use crate::support::judge::{Row, Written, play};
use crate::support::{MS, US};

fn machine(cpus: u32, package: u32, version: Version) -> Setup {
    let mut setup = bare(cpus, CostsName::Qspin2s);
    setup.machine.topology = Topology::new(cpus, package);
    setup.machine.idle = IdleKind::Mwait;
    setup.kernel = Kernel::of_version(version, cpus);
    setup.duration_ns = 400 * MS;
    setup
}

const VERSIONS: [Version; 5] =
    [Version::V3_2, Version::V5_4, Version::V6_1, Version::V6_12, Version::V7_0];

/// Adds `tasks` fair hogs that may run on `cpus`.
fn heap(setup: &mut Setup, tasks: u32, cpus: &[u32]) {
    for index in 0..tasks {
        setup.tasks.push(task(&format!("t{index}"), fair(), cpus, 0, hog(10_000 * MS)));
    }
}

fn run_ns(written: &Written, kind: &str) -> Vec<u64> {
    written
        .report
        .metrics
        .tasks
        .iter()
        .filter(|(name, _)| name.starts_with(kind))
        .map(|(_, task)| task.run_ns)
        .collect()
}

/// The number of CPUs that run a task at the end.
fn busy_at_end(written: &Written, cpus: u32) -> usize {
    let last = |cpu| {
        written
            .rows
            .iter()
            .rev()
            .find(|row| row.kind == Kind::SchedSwitch && row.cpu == cpu)
            .is_some_and(|row| row.b < 1000)
    };
    (0..cpus).filter(|cpu| last(*cpu)).count()
}

fn tries(written: &Written) -> Vec<&Row> {
    written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::PullTry && row.b == Puller::FairBalancing as u32)
        .collect()
}

#[test]
fn tasks_that_wait_on_one_cpu_spread_over_all_when_the_others_are_free() {
    for version in VERSIONS {
        for package in [8, 4] {
            let mut setup = machine(8, package, version);
            // RT tasks keep all other CPUs until 20 ms: the fair ones pile up on CPU 0.
            setup.kernel.rt_runtime_ns = None;
            for cpu in 1..8 {
                setup.tasks.push(task(&format!("rt{cpu}"), fifo(50), &[cpu], 0, hog(20 * MS)));
            }
            heap(&mut setup, 8, &[0, 1, 2, 3, 4, 5, 6, 7]);
            let written = play(&setup);
            assert_eq!(busy_at_end(&written, 8), 8, "{version:?}, packages of {package}");
            let least = run_ns(&written, "t").into_iter().min().expect("eight");
            assert!(
                least > 150 * MS,
                "{version:?}, packages of {package}: one had {least} ns of 400 ms"
            );
        }
    }
}

#[test]
fn affinity_is_respected_and_a_task_that_may_not_come_is_no_reason_to_call_the_stopper() {
    let mut setup = machine(4, 4, Version::V6_1);
    heap(&mut setup, 3, &[0, 1]);
    let written = play(&setup);
    // The judge refuses a task on a CPU it may not use; CPUs 2 and 3 find nothing that may come to
    // them.
    assert!(written.rows.iter().all(|row| row.kind != Kind::MigrateTask || row.b < 2));
    assert!(written.rows.iter().filter(|row| row.kind == Kind::StopWork).all(|row| row.cpu < 2));
    assert_eq!(
        run_ns(&written, "t").into_iter().filter(|ns| *ns > 190 * MS).count(),
        3,
        "nobody is lost"
    );
}

#[test]
fn without_load_balancing_what_waits_stays_where_it_is() {
    for balances in [false, true] {
        let mut setup = machine(2, 2, Version::V6_1);
        setup.kernel.load_balance = balances;
        setup.kernel.rt_runtime_ns = None;
        setup.tasks.push(task("rt", fifo(50), &[1], 0, hog(20 * MS)));
        heap(&mut setup, 2, &[0, 1]);
        let written = play(&setup);
        assert_eq!(!tries(&written).is_empty(), balances);
        assert_eq!(busy_at_end(&written, 2), if balances { 2 } else { 1 });
    }
}

/// CPU 0 has two hogs; CPU 1 a task that runs for 300 us and then sleeps for `pause_us`, 50 times.
fn short_idles(version: Version, pause_us: u64) -> Written {
    let mut setup = machine(2, 2, version);
    setup.duration_ns = 50 * MS;
    setup.tasks.push(task(
        "naps",
        fifo(10),
        &[1],
        0,
        forever(&[work(300 * US), pause(pause_us * US)]),
    ));
    heap(&mut setup, 2, &[0]);
    setup.tasks.push(task("free", fair(), &[0, 1], 40_000 * MS, hog(MS)));
    play(&setup)
}

#[test]
fn a_cpu_that_idles_only_briefly_does_not_look_for_work_before_it_idles() {
    // Up to 5.16 the gate is half a millisecond of average idle time.
    let own = |written: &Written| tries(written).iter().filter(|row| row.cpu == 1).count();
    let (brief, long) =
        (own(&short_idles(Version::V5_4, 100)), own(&short_idles(Version::V5_4, 2_000)));
    // From 1 ms, an eighth of the way to 100 us each time: the seventh is the last that finds it
    // above.
    assert!(
        brief == 7 && long >= 15,
        "{brief} searches with naps of 100 us, {long} with naps of 2 ms"
    );
    // Since then the gate is the cost of a search, which is little.
    assert!(own(&short_idles(Version::V6_1, 100)) >= 50);
}

#[test]
fn with_ni_random_a_cpu_that_runs_dry_looks_half_the_time_at_first() {
    // Passes that always fail, because the waiting tasks are bound. One domain, some 120 idle
    // times; the ratio is taken anew after 512 of them.
    let own = |written: &Written| tries(written).iter().filter(|row| row.cpu == 1).count();
    let (always, half) =
        (own(&short_idles(Version::V6_1, 100)), own(&short_idles(Version::V6_1_192, 100)));
    assert!(
        always > 100 && (always * 2 / 5..=always * 3 / 5).contains(&half),
        "{half} of {always}"
    );
}

#[test]
fn a_task_that_has_just_run_is_left_where_its_cache_is() {
    // Three tasks share CPU 0 in turns; a task that is taken has waited for half a millisecond,
    // unless passes have failed.
    let mut setup = machine(2, 2, Version::V6_1);
    setup.kernel.rt_runtime_ns = None;
    setup.tasks.push(task("rt", fifo(50), &[1], 0, hog(20 * MS)));
    heap(&mut setup, 3, &[0, 1]);
    let written = play(&setup);
    let mut failed = 0;
    let mut last_ran = [0; 8];
    let mut moved = 0;
    for row in &written.rows {
        match row.kind {
            Kind::SchedSwitch if row.a < 8 => last_ran[row.a as usize] = row.time,
            Kind::PullFail => failed += 1,
            Kind::MigrateTask if row.time > 20 * MS && row.cpu == 1 => {
                moved += 1;
                let cold = row.time - last_ran[row.a as usize] >= 500 * US;
                assert!(cold || failed > 1, "{row:?}");
                failed = 0;
            }
            _ => {}
        }
    }
    assert!(moved > 0);
}

#[test]
fn three_tasks_take_turns_on_two_cpus() {
    // Half a task is too little to move at first; each failed pass lets more of it count, so no
    // task stays behind.
    let mut setup = machine(2, 2, Version::V6_1);
    setup.duration_ns = 3_000 * MS;
    heap(&mut setup, 3, &[0, 1]);
    let shares = run_ns(&play(&setup), "t");
    assert!(shares.iter().all(|ns| *ns > 700 * MS), "{shares:?}");
}

/// Idle CPUs that halt: they are kicked by IPI. A polling CPU has its flag set instead, and up to
/// 6.12 the flag makes it forget the reason of the kick
/// (docs/model/idle-balancing.md#kick-handler); it then looks only as a newly idle CPU.
fn halting(cpus: u32, package: u32, version: Version) -> Setup {
    let mut setup = machine(cpus, package, version);
    setup.machine.idle = IdleKind::Halt;
    setup
}

/// A hog that is bound to `first` and lets itself go to `then` after a millisecond of work; it ends
/// up where load balancing puts it.
fn let_go(setup: &mut Setup, name: &str, first: u32, then: &[u32]) {
    let program = once(&[
        work(MS),
        Op::SetCpus { cpus: then.iter().copied().map(CpuId::new).collect() },
        work(10_000 * MS),
    ]);
    setup.tasks.push(task(name, fair(), &[first], 0, program));
}

/// Tasks that load balancing moved: time, task, target.
fn pulled(written: &Written) -> Vec<(u64, u32, u32)> {
    let rows = written.rows.iter().filter(|row| row.kind == Kind::MigrateTask);
    rows.map(|row| (row.time, row.a, row.b)).collect()
}

#[test]
fn of_two_hogs_on_one_cpu_an_idle_neighbour_without_a_tick_gets_one_within_a_balance_interval() {
    for version in VERSIONS {
        let mut setup = machine(2, 2, version);
        setup.duration_ns = 30 * MS;
        let_go(&mut setup, "a", 0, &[0, 1]);
        let_go(&mut setup, "b", 0, &[0, 1]);
        let written = play(&setup);
        // Both are free once each has had its millisecond. The interval of two CPUs is 2 to 4 ms,
        // of a CPU that bound tasks have made wait a step more; a tick kicks, and a waiting task
        // must have cooled for half a millisecond.
        let free = written
            .rows
            .iter()
            .filter(|row| row.kind == Kind::SchedSwitch && row.b < 2)
            .map(|row| row.time)
            .take(2)
            .max();
        let moved = pulled(&written);
        assert_eq!(moved.len(), 1, "{version:?}: {moved:?}");
        let (time, _, to) = moved[0];
        assert!(
            to == 1 && time <= free.expect("both run") + MS + 8 * MS + MS,
            "{version:?}: {moved:?}"
        );
        assert_eq!(busy_at_end(&written, 2), 2, "{version:?}");
        // CPU 1 has stopped its tick, so CPU 0's tick asks it to look, by IPI or by its polled
        // flag.
        assert!(
            written
                .rows
                .iter()
                .any(|row| row.kind == Kind::NohzKick && row.time < time && (row.a >> 16) & 1 == 1),
            "{version:?}"
        );
    }
}

#[test]
fn a_cpu_that_runs_dry_takes_a_waiting_task_before_it_idles() {
    for version in VERSIONS {
        let mut setup = machine(2, 2, version);
        setup.kernel.rt_runtime_ns = None;
        // 7.0 skips half of the passes at random.
        setup.kernel.ni_random = false;
        // The RT task ends between two ticks.
        setup.tasks.push(task("rt", fifo(50), &[1], 0, hog(20 * MS + 500 * US)));
        heap(&mut setup, 2, &[0, 1]);
        let written = play(&setup);
        let moved: Vec<_> = pulled(&written).into_iter().filter(|(time, ..)| *time > MS).collect();
        let (time, _, to) = moved[0];
        assert!(to == 1 && (20_500 * US..20_600 * US).contains(&time), "{version:?}: {moved:?}");
        let idled = written
            .rows
            .iter()
            .any(|row| row.kind == Kind::SchedSwitch && row.cpu == 1 && row.b > 9 && row.time > MS);
        assert!(!idled, "{version:?}: CPU 1 goes from the RT task to the one it took");
    }
}

#[test]
fn what_is_bound_stays_and_makes_looking_for_it_rare() {
    let mut setup = halting(2, 2, Version::V6_1);
    setup.duration_ns = 2_000 * MS;
    heap(&mut setup, 2, &[0]);
    // Something that could be balanced in principle, so that there are stoppers to be called in
    // vain.
    setup.tasks.push(task("late", fair(), &[0, 1], 40_000 * MS, hog(MS)));
    let written = play(&setup);
    assert!(pulled(&written).is_empty());
    assert!(
        !written.rows.iter().any(|row| row.kind == Kind::StopWork),
        "a bound task is no failure"
    );
    let times: Vec<u64> = tries(&written).iter().map(|row| row.time).collect();
    // From 4 ms on each interval is twice the last, up to a tenth of a second for each CPU.
    let gaps: Vec<u64> = times.windows(2).map(|pair| (pair[1] - pair[0]) / MS).collect();
    assert_eq!(gaps[..7], [4, 8, 16, 32, 64, 128, 200], "{gaps:?}");
    assert!(gaps[7..].iter().all(|gap| *gap == 200) && gaps.len() > 12, "{gaps:?}");
}

#[test]
fn where_all_that_waits_is_bound_the_next_busiest_cpu_is_asked() {
    // CPU 0's two hogs are bound; CPU 1's two may also run on CPU 2.
    let mut setup = machine(3, 3, Version::V6_1);
    heap(&mut setup, 2, &[0]);
    let_go(&mut setup, "c", 1, &[1, 2]);
    let_go(&mut setup, "d", 1, &[1, 2]);
    let written = play(&setup);
    let moved = pulled(&written);
    assert!(!moved.is_empty() && moved.iter().all(|(_, task, _)| *task >= 2), "{moved:?}");
    assert_eq!((moved[0].2, busy_at_end(&written, 3)), (2, 3));
    // CPU 2's pass asked CPU 0 first, found every task bound, and went on to CPU 1.
    let asked: Vec<(u32, u32)> = tries(&written).iter().map(|row| (row.cpu, row.a)).collect();
    assert!(asked.windows(2).any(|pair| pair == [(2, 0), (2, 1)]), "{asked:?}");
}

#[test]
fn a_neighbour_gets_what_the_cpu_that_looks_may_not_have() {
    // Two caches. CPU 0's excess may run on CPU 3 only, and CPU 2, the first idle one, looks for
    // its cache.
    let mut setup = halting(4, 2, Version::V6_1);
    let_go(&mut setup, "a", 0, &[0, 3]);
    let_go(&mut setup, "b", 0, &[0, 3]);
    let written = play(&setup);
    let moved = pulled(&written);
    assert_eq!(moved.iter().map(|row| row.2).collect::<Vec<_>>(), [3], "{moved:?}");
    assert_eq!(busy_at_end(&written, 4), 2);
}

#[test]
fn what_affinity_keeps_from_spreading_in_a_cache_spreads_beyond_it() {
    // The caches have two tasks and one: no difference to speak of. But CPU 0 may have neither of
    // CPU 1's.
    let mut setup = halting(4, 2, Version::V6_1);
    let_go(&mut setup, "a", 1, &[1, 3]);
    let_go(&mut setup, "b", 1, &[1, 3]);
    setup.tasks.push(task("fixed", fair(), &[2], 0, hog(10_000 * MS)));
    let written = play(&setup);
    let moved = pulled(&written);
    assert_eq!(moved.iter().map(|row| row.2).collect::<Vec<_>>(), [3], "{moved:?}");
    assert_eq!(busy_at_end(&written, 4), 3);
}

#[test]
fn after_repeated_failures_the_stopper_pushes_what_runs() {
    for version in [Version::V5_4, Version::V6_1, Version::V6_12] {
        // Four tasks on the four CPUs of one cache, the other cache idle: nothing waits, so nothing
        // can be pulled.
        let mut setup = halting(8, 4, version);
        (0..4)
            .for_each(|cpu| let_go(&mut setup, &format!("t{cpu}"), cpu, &[0, 1, 2, 3, 4, 5, 6, 7]));
        let written = play(&setup);
        let works: Vec<u64> = written
            .rows
            .iter()
            .filter(|row| row.kind == Kind::StopWork && row.b == StopWork::Balance as u32)
            .map(|row| row.time)
            .collect();
        // The fourth pass in a row that moves nothing calls the stopper, 8 ms apart.
        assert!(!works.is_empty() && works[0] >= 24 * MS, "{version:?}: {works:?}");
        let far = pulled(&written).iter().filter(|(_, _, to)| *to >= 4).count();
        assert_eq!((far, busy_at_end(&written, 8)), (2, 4), "{version:?}: two and two");
    }
}

/// Two CPUs with two tasks each. The running task of CPU 0 is most of its load and may leave; the
/// waiting task may not.
fn lopsided(version: Version) -> Setup {
    let mut setup = machine(2, 2, version);
    let nice = |nice| Policy::Fair { nice };
    let_go(&mut setup, "heavy", 0, &[0, 1]);
    setup.tasks.last_mut().expect("pushed").policy = nice(-20);
    for (name, policy, cpu) in
        [("light", nice(19), 0), ("most", nice(-19), 1), ("rest", nice(-6), 1)]
    {
        setup.tasks.push(task(name, policy, &[cpu], 0, hog(10_000 * MS)));
    }
    setup.duration_ns = 2_000 * MS;
    setup
}

#[test]
fn failures_to_move_load_call_the_stopper_up_to_5_11() {
    for (version, pushed) in
        [(Version::V5_10, true), (Version::V5_14, false), (Version::V6_12, false)]
    {
        let written = play(&lopsided(version));
        let works = written
            .rows
            .iter()
            .filter(|row| row.kind == Kind::StopWork && row.b == StopWork::Balance as u32);
        assert_eq!(works.count() > 0, pushed, "{version:?}");
    }
}

#[test]
fn a_throttled_queue_is_not_pushed_to_nor_up_to_6_17_pulled_from() {
    for version in [Version::V3_2, Version::V5_4, Version::V6_1, Version::V6_12, Version::V6_18] {
        let mut setup = machine(2, 2, version);
        setup.kernel.rt_runtime_ns = None;
        setup.duration_ns = 1_000 * MS;
        let quota =
            Quota { quota_ns: Some(30 * MS), period_ns: 100 * MS, burst_ns: 0, phase_ns: 37 * MS };
        setup.groups.push(GroupSpec {
            path: "g".to_owned(),
            bandwidth: Some(quota),
            ..GroupSpec::root()
        });
        // An RT task leaves CPU 1 again and again, so that it looks for work at any time; a bound
        // hog keeps CPU 0 crowded.
        setup.tasks.push(task("rt", fifo(50), &[1], 0, forever(&[work(7 * MS), pause(6 * MS)])));
        heap(&mut setup, 2, &[0]);
        for name in ["g0", "g1", "g2"] {
            let_go(&mut setup, name, 0, &[0, 1]);
            setup.tasks.last_mut().expect("pushed").group = 1;
        }
        let written = play(&setup);
        let mut throttled = [false; 2];
        let (mut moves, mut in_vain, mut out_of) = (0, 0, 0);
        for row in &written.rows {
            match row.kind {
                Kind::BwThrottle => throttled[row.cpu as usize] = true,
                Kind::BwUnthrottle => throttled[row.cpu as usize] = false,
                Kind::MigrateTask => {
                    let (from, to) = (throttled[1 - row.b as usize], throttled[row.b as usize]);
                    assert!(
                        !to && (!from || version == Version::V6_18),
                        "{version:?}: {row:?} with throttled queues {throttled:?}"
                    );
                    moves += 1;
                    out_of += u32::from(from);
                }
                Kind::PullFail if throttled[0] || throttled[1] => in_vain += 1,
                _ => {}
            }
        }
        println!(
            "{version:?}: {moves} moves, {out_of} out of a throttled queue, {in_vain} passes in \
                vain"
        );
        assert!(
            moves > if version == Version::V6_18 { 0 } else { 2 } && in_vain > 3,
            "{version:?}: {moves} moves, {in_vain} passes that found only throttled tasks"
        );
    }
}
