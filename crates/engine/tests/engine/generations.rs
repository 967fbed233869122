//! The differences between the generations of RT balancing: passive and active, the rules of 2007,
//! the chains, root domains (docs/model/rt-balancing.md).

use std::collections::{BTreeMap, BTreeSet};

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{
    CpupriGen, LowestPick, OverloadDef, Release, RtBalance, RtoScope, Version,
};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::ipi::{CALL_FUNCTION_SINGLE, IRQ_WORK};
use schedscope_engine::machine::topology::{CpuMask, Topology};
use schedscope_engine::named::Named;
use schedscope_engine::setup::{Amount, Op, Section, Setup};
use schedscope_engine::trace::catalogue::{Kind, NONE};

use crate::support::build::{bare, burst, cyclic, fair, fifo, hog, once, task};
use crate::support::judge::{Row, Written, play};
use crate::support::{MS, US, with_balance};

fn with(setup: Setup, balance: RtBalance) -> Setup {
    with_balance(setup, balance, balance.has_push_ipi_bit())
}

fn active() -> impl Iterator<Item = RtBalance> {
    RtBalance::ALL.iter().copied().filter(|balance| balance.is_active())
}

/// A task wakes on CPU 0 behind a stronger one, while CPU 1 runs a weaker one for `ns`.
fn waits_behind(ns: u64, balance: RtBalance) -> u64 {
    let mut setup = with(bare(2, CostsName::Qspin2s), balance);
    setup.kernel.rt_runtime_ns = None;
    setup.tasks.push(task("waits", fifo(50), &[0, 1], MS, cyclic(MS, 900 * MS, 10 * US)));
    setup.tasks.push(task("weaker", fifo(10), &[1], 0, hog(ns)));
    setup.tasks.push(task("stronger", fifo(60), &[0], 0, hog(500 * MS)));
    setup.duration_ns = 400 * MS;
    play(&setup).report.metrics.latency["waits"].max_ns
}

#[test]
fn without_active_balancing_a_stronger_task_waits_for_the_end_of_a_weaker_ones_run() {
    for ns in [7, 20] {
        let waited = waits_behind(ns * MS, RtBalance::Passive2624);
        assert!(waited.abs_diff((ns - 1) * MS) < 50 * US, "{ns} ms: {waited} ns");
        for balance in active() {
            let waited = waits_behind(ns * MS, balance);
            assert!(waited < 20 * US, "{balance:?}: {waited} ns");
        }
    }
}

#[test]
fn the_busy_tick_balance_rescues_it_after_64_ms_by_the_priority_exception() {
    let waited = waits_behind(300 * MS, RtBalance::Passive2624);
    assert!((60 * MS..66 * MS).contains(&waited), "{waited} ns");
}

/// Five on four CPUs: CPU 0 runs one and has a weaker one waiting; the others run stronger ones
/// that stay.
fn stuck(bound: bool) -> Written {
    let mut setup = with(bare(4, CostsName::Qspin2s), RtBalance::Passive2624);
    setup.kernel.rt_runtime_ns = None;
    let all = [0, 1, 2, 3];
    setup.tasks.push(task(
        "runs",
        fifo(50),
        if bound { &all[..1] } else { &all },
        0,
        hog(900 * MS),
    ));
    for cpu in 1..4 {
        setup.tasks.push(task(&format!("strong{cpu}"), fifo(60), &[cpu], 0, hog(900 * MS)));
    }
    setup.tasks.push(task("waits", fifo(40), &all, MS, hog(900 * MS)));
    setup.duration_ns = if bound { 800 * MS } else { 300 * MS };
    play(&setup)
}

#[test]
fn after_four_failures_the_migration_thread_pushes_what_runs_away() {
    let written = stuck(false);
    let works: Vec<&Row> = written.rows.iter().filter(|row| row.kind == Kind::StopWork).collect();
    let first =
        works.first().expect("the imbalance is found every 64 ms, and half a task is never moved");
    assert_eq!((first.cpu, first.a, first.b), (0, NONE, 2), "CPU 0's, for an active balance");
    assert!(
        (4 * 64 * MS..4 * 64 * MS + 2 * MS).contains(&first.time),
        "four failures of nr_balance_failed > 1 + 2: {}",
        first.time
    );
    let moved: Vec<&Row> = written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::MigrateTask && row.time > 2 * MS)
        .collect();
    assert_eq!((moved[0].cpu, moved[0].a), (0, 0), "the strongest that may: what ran");
    assert!(moved[0].time < first.time + 50 * US);
    let next = written
        .rows
        .iter()
        .find(|row| row.kind == Kind::SchedSwitch && row.b == 4)
        .expect("the waiter runs in its place");
    assert!(next.cpu == 0 && next.time < first.time + 50 * US, "{next:?}");
    assert_eq!(written.report.metrics.sched.pushes, moved.len() as u64);
}

#[test]
fn the_migration_thread_is_not_called_for_a_running_task_that_may_not_come() {
    let written = stuck(true);
    assert!(written.rows.iter().all(|row| row.kind != Kind::StopWork));
    let failures: Vec<u64> = written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::PullFail)
        .map(|row| row.time / MS)
        .collect();
    // The three others find the imbalance in the same tick.
    let gaps: Vec<u64> =
        failures.windows(2).map(|pair| pair[1] - pair[0]).filter(|ms| *ms > 0).collect();
    assert_eq!(gaps, [64, 64, 64, 128, 256], "ms; from the fourth failure on the interval doubles");
}

#[test]
fn one_burst_costs_each_generation_what_the_table_says() {
    for (lower, overloaded) in [(1, 1), (4, 1), (4, 4), (6, 3), (12, 4), (20, 8)] {
        let (k, m) = (u64::from(lower), u64::from(overloaded));
        for balance in active() {
            let metrics = play(&burst(lower, overloaded, balance)).report.metrics;
            let what = format!("{balance:?}, {k} lower, {m} overloaded");
            let remote = metrics.rq_lock.pull_remote_acquisitions;
            if balance.has_push_ipi_bit() {
                assert_eq!(
                    (remote, metrics.sched.pulls),
                    (0, 0),
                    "{what}: no pull takes a remote lock"
                );
            } else {
                assert!(
                    (m.min(k)..=k * m).contains(&remote),
                    "{what}: {remote} remote acquisitions"
                );
            }
            if balance == RtBalance::Active2007First {
                // Every overloaded CPU that is still overloaded when a puller comes to it is
                // locked, with no look first.
                assert!(k < 2 || remote >= k, "{what}: {remote}");
            }
            if let Some(chain) = metrics.ipi.rto_push {
                let (most, flying) =
                    if balance == RtBalance::Ipi41 { (k * m, k) } else { (2 * m, 1) };
                assert!(chain.sent <= most && chain.max_in_flight <= flying, "{what}: {chain:?}");
                assert!(chain.sent >= 1, "{what}");
            }
            let moved = metrics.sched.pulls + metrics.sched.pushes;
            let all = m.min(k);
            // Tasks that push at once all try for one CPU, and one gets it: `balancing.rs` counts
            // the tries.
            let placed = if balance == RtBalance::IpiV1 { all.min(6) } else { all };
            assert_eq!(moved, placed, "{what}");
        }
    }
}

#[test]
fn each_chain_of_4_1_goes_round_once_and_never_to_its_own_cpu() {
    let written = play(&burst(12, 4, RtBalance::Ipi41));
    let mut visited: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for hop in written.rows.iter().filter(|row| row.kind == Kind::RtoHop && row.a != NONE) {
        assert_ne!(hop.a, hop.b, "a chain comes to its own CPU");
        visited.entry(hop.b).or_default().push(hop.a);
    }
    assert!(visited.len() > 1, "every CPU that lowers sends a chain of its own");
    for (source, cpus) in visited {
        let distinct: BTreeSet<u32> = cpus.iter().copied().collect();
        assert_eq!(distinct.len(), cpus.len(), "chain of {source}: {cpus:?}");
    }
}

/// docs/model/rt-balancing.md#push-ipi-chain: CPU 0 cannot reschedule, one RT task runs on for ever
/// and one that could move waits there; RT on and off elsewhere.
fn self_ipi_loop(balance: RtBalance, duration_ns: u64) -> u64 {
    self_ipis(Version::V3_19, balance, duration_ns)
        .report
        .metrics
        .ipi
        .rto_push
        .expect("it has a chain")
        .self_sent
}

fn self_ipis(version: Version, balance: RtBalance, duration_ns: u64) -> Written {
    let mut setup = with(bare(12, CostsName::Qspin2s), balance);
    setup.kernel.release = Release::of(version);
    setup.kernel.overload_def = OverloadDef::Migratory;
    let all: Vec<u32> = (0..12).collect();
    let section = Op::Kernel {
        section: Section::NoPreempt,
        ns: Amount::Fixed(100 * MS),
        cond_resched: None,
        might_sleep: None,
    };
    setup.tasks.push(task("waits", fifo(20), &all, 130 * US, hog(MS)));
    // A fair task starts 50 us late: its timer slack.
    setup.tasks.push(task("stuck", fair(), &[0], 0, once(&[section])));
    setup.tasks.push(task("bound", fifo(50), &[0], 120 * US, hog(100 * MS)));
    for cpu in 1..12 {
        let due = 127 * US + u64::from(cpu) * 700;
        setup.tasks.push(task(
            &format!("on_off{cpu}"),
            fifo(90),
            &[cpu],
            0,
            cyclic(due, 8 * US, 4 * US),
        ));
    }
    setup.duration_ns = duration_ns;
    play(&setup)
}

#[test]
fn from_5_2_on_the_chain_comes_to_its_own_cpu_by_irq_work_and_not_by_a_function_call() {
    for version in [Version::V4_15, Version::V4_19, Version::V5_4, Version::V5_8, Version::V6_12] {
        let written = self_ipis(version, RtBalance::Ipi416Skip1, MS);
        let own = |vector: usize| {
            written
                .rows
                .iter()
                .filter(|row| {
                    row.kind == Kind::IpiSend && row.cpu == row.a && row.b == vector as u32
                })
                .count() as u64
        };
        let sent = written.report.metrics.ipi.rto_push.expect("it has a chain").self_sent;
        assert!(sent > 100, "{version:?}: {sent}");
        let expected = if version < Version::V5_4 { (sent, 0) } else { (0, sent) };
        assert_eq!((own(CALL_FUNCTION_SINGLE), own(IRQ_WORK)), expected, "{version:?}");
    }
}

#[test]
fn a_cpu_that_cannot_reschedule_sends_itself_ipis_without_end_until_2026() {
    for balance in [RtBalance::Ipi415, RtBalance::Ipi416Skip1] {
        let (short, long) = (self_ipi_loop(balance, 2 * MS), self_ipi_loop(balance, 4 * MS));
        assert!(
            short > 500 && long * 10 > short * 19,
            "{balance:?}: {short} in 2 ms, {long} in 4 ms"
        );
    }
    assert_eq!(self_ipi_loop(RtBalance::Ipi2026Noself, 4 * MS), 0);
}

#[test]
fn since_4_16_the_only_overloaded_cpu_asks_nobody() {
    // CPU 0 goes from 90 to 50 while a task that could move waits behind; no other CPU is
    // overloaded.
    let sent = |balance| {
        let mut setup = with(bare(2, CostsName::Qspin2s), balance);
        setup.tasks.push(task("waits", fifo(40), &[0, 1], 50 * US, hog(MS)));
        setup.tasks.push(task("elsewhere", fifo(80), &[1], 0, hog(5 * MS)));
        setup.tasks.push(task("next", fifo(50), &[0], 60 * US, hog(MS)));
        setup.tasks.push(task("never", fifo(1), &[1], 50 * MS, hog(1)));
        setup.tasks.push(task("first", fifo(90), &[0], 0, hog(200 * US)));
        setup.duration_ns = MS;
        play(&setup).report.metrics.ipi.rto_push.expect("it has a chain").sent
    };
    assert!(sent(RtBalance::Ipi415) > 0);
    assert_eq!(sent(RtBalance::Ipi416Skip1), 0);
}

#[test]
fn root_domains_keep_masks_chains_and_tasks_apart() {
    for (scope, domains) in
        [(RtoScope::RootDomain, 2), (RtoScope::Cpuset, 2), (RtoScope::Global, 1)]
    {
        let mut setup = with(bare(8, CostsName::Qspin2s), RtBalance::Ipi415);
        setup.machine.topology = Topology::new(8, 4);
        setup.kernel.rto_scope = scope;
        // The partitions lie across the packages.
        let halves = [[0, 1, 4, 5], [2, 3, 6, 7]];
        setup.machine.domains = halves
            .iter()
            .map(|half| half.iter().copied().map(CpuId::new).collect::<CpuMask>())
            .collect();
        for half in &halves {
            for index in 0..12 {
                let (rt_priority, start) = (20 + (index as u8 * 7) % 12, 50 * US + index * 31 * US);
                let program = cyclic(start, (200 + 17 * index) * US, 60 * US);
                setup.tasks.push(task(
                    &format!("half{}.{index}", half[0]),
                    fifo(rt_priority),
                    half,
                    start,
                    program,
                ));
            }
        }
        setup.duration_ns = 20 * MS;
        let written = play(&setup);
        let keys: BTreeSet<u32> =
            written.rows.iter().filter(|row| row.kind == Kind::RtoHop).map(|row| row.b).collect();
        assert_eq!(keys.len(), domains, "{scope:?}");
        assert_eq!(
            written.report.metrics.ipi.rto_push.expect("it has a chain").max_in_flight,
            1,
            "{scope:?}"
        );
        for row in written.rows.iter().filter(|row| row.kind == Kind::MigrateTask) {
            let half = usize::from(row.a >= 12);
            assert!(
                halves[half].contains(&row.b),
                "{scope:?}: task {} goes to CPU {}",
                row.a,
                row.b
            );
        }
        assert!(written.report.metrics.sched.pushes > 0);
    }
}

#[test]
fn in_2007_the_third_of_equal_strength_was_never_considered() {
    let moved = |balance| {
        let mut setup = with(bare(2, CostsName::Qspin2s), balance);
        setup.kernel.overload_def = OverloadDef::Migratory;
        // On CPU 0: one runs, the second is pinned, the third could go to CPU 1, whose stronger
        // task ends at 300 us.
        setup.tasks.push(task("third", fifo(50), &[0, 1], 60 * US, hog(MS)));
        setup.tasks.push(task("other", fifo(80), &[1], 0, hog(300 * US)));
        setup.tasks.push(task("second", fifo(50), &[0], 50 * US, hog(MS)));
        setup.tasks.push(task("never", fifo(1), &[1], 50 * MS, hog(1)));
        setup.tasks.push(task("runs", fifo(50), &[0], 0, hog(2 * MS)));
        setup.duration_ns = MS;
        let written = play(&setup);
        written.report.metrics.sched.pulls + written.report.metrics.sched.pushes
    };
    assert_eq!(moved(RtBalance::Active2008Routed), 0);
    assert_eq!(moved(RtBalance::ActivePlist), 1);
}

#[test]
fn the_count_of_2007_drifts_below_zero() {
    let counts = |bugs| {
        let mut setup = with(bare(2, CostsName::Qspin2s), RtBalance::Active2007First);
        (setup.kernel.bugs_2007, setup.kernel.overload_def) = (bugs, OverloadDef::CountGt1);
        setup.tasks.push(task(
            "alone",
            fifo(50),
            &[0],
            50 * US,
            cyclic(50 * US, 100 * US, 10 * US),
        ));
        setup.duration_ns = MS;
        let rows = play(&setup).rows;
        rows.iter()
            .filter(|row| row.kind == Kind::RtoClear)
            .map(|row| row.a as i32)
            .collect::<Vec<i32>>()
    };
    assert_eq!(counts(true), (1..=10).map(|n| -n).collect::<Vec<i32>>());
    assert!(counts(false).is_empty());
}

#[test]
fn the_first_scan_takes_the_first_cpu_without_rt_tasks_however_far() {
    let woken_on = |pick, cpupri| {
        let mut setup = with(bare(8, CostsName::Qspin2s), RtBalance::Active2008Routed);
        setup.machine.topology = Topology::new(8, 4);
        (setup.kernel.lowest_pick, setup.kernel.cpupri) = (pick, cpupri);
        setup.tasks.push(task("never", fifo(1), &[0], 50 * MS, hog(1)));
        setup.tasks.push(task("pad", fifo(1), &[0], 50 * MS, hog(1)));
        // Task 2 of cpus 2.. sleeps on CPU 4; CPUs 4 and 0 are taken.
        setup.tasks.push(task(
            "woken",
            fifo(50),
            &[1, 2, 4, 5, 6, 7],
            100 * US,
            cyclic(100 * US, 50 * MS, US),
        ));
        setup.tasks.push(task("busy", fifo(80), &[4], 0, hog(50 * MS)));
        setup.duration_ns = 110 * US;
        let written = play(&setup);
        let row =
            written.rows.iter().find(|row| row.kind == Kind::SchedWakeup && row.a == 2).copied();
        row.map(|row| row.b)
    };
    assert_eq!(woken_on(LowestPick::FirstScan, CpupriGen::Off), Some(1));
    assert_eq!(woken_on(LowestPick::FirstScan, CpupriGen::V101), Some(1));
    assert_eq!(woken_on(LowestPick::DomainFirst, CpupriGen::V101), Some(5));
    assert_eq!(
        woken_on(LowestPick::DomainFirst, CpupriGen::Off),
        Some(1),
        "the scan ends at the first CPU without RT tasks"
    );
}
