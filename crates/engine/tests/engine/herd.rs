//! Rostedt 2015: the herd on one run-queue lock, and the effect of RT_PUSH_IPI on it
//! (docs/model/rt-balancing.md#herd-law).

use schedscope_engine::kernel::config::{RtBalance, SpinlockKind};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::ipi::RESCHEDULE;
use schedscope_engine::named::Named;
use schedscope_engine::run::{Options, Report};
use schedscope_engine::trace::catalogue::{CpuState, Kind};
use schedscope_engine::trace::columns::Columns;

use crate::support::{US, herd, run, with_balance};

/// One overload as the trace shows it: from the noise interrupt to 60 us later, when every body has
/// ended.
struct Herd {
    /// Most CPUs queued for the overloaded CPU's lock.
    depth: u32,
    /// CPUs that went for that lock before the first of them had the task.
    readers_before_take: u32,
    /// From the first of them to the take, ns.
    take_ns: u64,
    /// The overloaded CPU was itself among the waiters.
    victim_waited: bool,
    /// From the end of the first body to that of the last, ns; without the overloaded CPU's.
    spread_ns: u64,
}

fn herds(trace: &Columns) -> Vec<Herd> {
    let is = |row: usize, kind: Kind| trace.kind[row] == kind as u8;
    let fires = (0..trace.time.len()).filter(|row| is(*row, Kind::NoiseFire));
    fires.filter_map(|fire| one_herd(trace, fire)).collect()
}

fn one_herd(trace: &Columns, fire: usize) -> Option<Herd> {
    let victim = u32::from(trace.cpu[fire]);
    let rows =
        (fire..trace.time.len()).take_while(|row| trace.time[*row] < trace.time[fire] + 60 * US);
    let (mut tried, mut taken) = (Vec::new(), None);
    let (mut depth, mut victim_waited) = (0, false);
    let mut released = std::collections::BTreeMap::new();
    for row in rows {
        let kind = trace.kind[row];
        let cpu = u32::from(trace.cpu[row]);
        if kind == Kind::CpuState as u8
            && trace.a[row] & 255 == CpuState::Kernel as u32
            && trace.b[row] == cpu
            && cpu != victim
        {
            released.entry(cpu).or_insert(trace.time[row]);
        }
        if kind == Kind::PullTry as u8 && trace.a[row] == victim {
            tried.push(trace.time[row]);
        } else if kind == Kind::PullOk as u8 && trace.b[row] == victim {
            taken = taken.or(Some(trace.time[row]));
        } else if kind == Kind::LockWait as u8 && trace.a[row] == victim {
            depth = depth.max(trace.b[row]);
            victim_waited |= u32::from(trace.cpu[row]) == victim;
        }
    }
    let (first, taken) = (*tried.first()?, taken?);
    let readers_before_take = tried.iter().filter(|time| **time <= taken).count() as u32;
    let spread_ns = released.values().max()? - released.values().min()?;
    Some(Herd { depth, readers_before_take, take_ns: taken - first, victim_waited, spread_ns })
}

#[test]
fn every_cpu_that_looked_before_the_first_puller_had_the_task_queues_for_its_lock() {
    for kind in [SpinlockKind::Ticket, SpinlockKind::Qspinlock] {
        for window in [1, 3, 6, 12] {
            let mut setup = herd(40, 11, window * US, CostsName::Ticket2012);
            setup.kernel.spinlock = kind;
            let all = herds(&run(&setup, Options::EVERYTHING, 64).take_trace());
            assert!(all.len() > 100, "{} herds", all.len());
            for herd in all {
                // All readers except the first queue. The overloaded CPU may be among them, and
                // while the queue drains a CPU or two may come for other reasons.
                let expected = herd.readers_before_take - 1 + u32::from(herd.victim_waited);
                assert!(
                    herd.depth.abs_diff(expected) <= 2,
                    "{kind:?} {window} us: depth {} for {expected}",
                    herd.depth
                );
            }
        }
    }
}

/// min(K, K * T1 / W) at 40 CPUs.
fn herd_law(take_ns: u64, spread_ns: u64) -> f64 {
    39.0_f64.min(39.0 * take_ns as f64 / spread_ns as f64)
}

/// The mean depth of a run's herds over the mean of the law, each herd with its own T1 and the
/// spread of its own releases.
fn mean_depth_over_law(costs: CostsName, spinlock: SpinlockKind, window: u64) -> f64 {
    let mut setup = herd(40, 7, window * US, costs);
    setup.kernel.spinlock = spinlock;
    let all = herds(&run(&setup, Options::EVERYTHING, 0).take_trace());
    assert!(all.len() > 100, "{} herds", all.len());
    let depth: f64 = all.iter().map(|herd| f64::from(herd.depth)).sum();
    let ratio = depth / all.iter().map(|herd| herd_law(herd.take_ns, herd.spread_ns)).sum::<f64>();
    println!("{costs:?} {spinlock:?} {window} us: mean depth over law {ratio:.2}");
    ratio
}

#[test]
fn the_mean_queue_follows_the_herd_law_of_the_measured_spread_within_30_percent_while_the_window_is_short()
 {
    for (costs, longest) in [(CostsName::Ticket2012, 8), (CostsName::Qspin2s, 5)] {
        for kind in [SpinlockKind::Ticket, SpinlockKind::Qspinlock] {
            for window in 1..=longest {
                let ratio = mean_depth_over_law(costs, kind, window);
                assert!((0.7..=1.3).contains(&ratio), "{costs:?} {kind:?} {window} us: {ratio}");
            }
        }
    }
}

/// A gap (docs/model/known-gaps.md): the releases are the sum of two draws, so the first ones are
/// sparser than uniform.
#[test]
fn at_12_us_the_mean_queue_is_shallower_than_the_herd_law_of_the_measured_spread() {
    for costs in [CostsName::Ticket2012, CostsName::Qspin2s] {
        for kind in [SpinlockKind::Ticket, SpinlockKind::Qspinlock] {
            let ratio = mean_depth_over_law(costs, kind, 12);
            assert!(ratio < 0.7, "{costs:?} {kind:?}: the herd law holds at 12 us: {ratio}");
        }
    }
}

#[test]
fn the_deepest_queue_follows_the_herd_law_within_30_percent() {
    for costs in [CostsName::Ticket2012, CostsName::Qspin2s] {
        for kind in [SpinlockKind::Ticket, SpinlockKind::Qspinlock] {
            for window in 1..=12 {
                let mut setup = herd(40, 7, window * US, costs);
                setup.kernel.spinlock = kind;
                let mut run = run(&setup, Options::EVERYTHING, 1024);
                let deepest = run.report().metrics.rq_lock.max_waiters;
                let all = herds(&run.take_trace());
                let take_ns =
                    all.iter().max_by_key(|herd| herd.depth).map_or(0, |herd| herd.take_ns);
                // T1 of the deepest herd; W is the window the phases are drawn in, not the measured
                // spread, as docs/develop/decisions/0004-herd-law.md says and why: the mean herd is
                // judged by that, below.
                let law = herd_law(take_ns, window * US);
                let ratio = f64::from(deepest) / law;
                println!("{costs:?} {kind:?} {window} us: depth {deepest}, law {law:.1}");
                assert!(
                    (0.7..=1.3).contains(&ratio),
                    "{costs:?} {kind:?} {window} us: depth {deepest}, law {law:.1}"
                );
            }
        }
    }
}

#[test]
fn pushing_by_ipi_ends_the_herd() {
    for seed in [7, 8, 9] {
        let setup = herd(40, seed, 3 * US, CostsName::Ticket2012);
        let pull = run(&setup, None, 256).report().metrics;
        assert!(
            (8..=39).contains(&pull.rq_lock.max_waiters),
            "seed {seed}: {}",
            pull.rq_lock.max_waiters
        );
        for balance in RtBalance::ALL.iter().copied().filter(|balance| balance.has_push_ipi_bit()) {
            let push = run(&with_balance(setup.clone(), balance, true), None, 64).report().metrics;
            assert!(
                push.rq_lock.max_waiters <= 2,
                "seed {seed} {balance:?}: {}",
                push.rq_lock.max_waiters
            );
            assert_eq!(push.rq_lock.pull_remote_acquisitions, 0);
            assert_eq!(push.sched.pulls, 0);
            assert!(push.sched.pushes > 0);
            assert!(pull.rq_lock.wait_ns >= 5 * push.rq_lock.wait_ns, "seed {seed} {balance:?}");
            assert!(
                push.ipi
                    .rto_push
                    .is_none_or(|chain| !balance.walks_domain() || chain.max_in_flight == 1)
            );
        }
    }
}

#[test]
fn four_in_five_overloads_are_pulled_away_by_another_cpu() {
    for seed in 1..=5 {
        let mut run =
            run(&herd(40, seed, 3 * US, CostsName::Ticket2012), Options::EVERYTHING, 1024);
        let fired = run.report().metrics.latency["rt_noise"].count;
        let pulled = herds(&run.take_trace()).len() as u64;
        assert!(pulled * 5 >= fired * 4, "seed {seed}: {pulled} of {fired}");
    }
}

#[test]
fn depth_and_spin_grow_with_the_number_of_cpus() {
    // `npm run test:long` asks 20 seeds, each cost preset and each way.
    let mean = |cpus: u32| {
        let reports: Vec<Report> = (1..=6)
            .map(|seed| run(&herd(cpus, seed, 3 * US, CostsName::Qspin2s), None, 0).report())
            .collect();
        let depth: u32 = reports.iter().map(|report| report.metrics.rq_lock.max_waiters).sum();
        let spin: u64 = reports.iter().map(|report| report.metrics.rq_lock.wait_ns).sum();
        (depth, spin)
    };
    let sizes: Vec<(u32, u64)> = [16, 24, 40, 80].into_iter().map(mean).collect();
    assert!(
        sizes.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1),
        "{sizes:?}"
    );
}

#[test]
fn up_to_16_cpus_the_two_ways_cannot_be_told_apart_by_cyclictest() {
    let setup = herd(16, 7, 3 * US, CostsName::Ticket2012);
    let pull = run(&setup, None, 1024).report().metrics.latency["cyclictest"].max_ns;
    let push = run(&with_balance(setup, RtBalance::IpiV1, true), None, 1024)
        .report()
        .metrics
        .latency["cyclictest"]
        .max_ns;
    assert!(pull <= 2 * push && push <= 2 * pull, "pull {pull} ns, push {push} ns");
}

#[test]
fn a_switch_changes_no_draw_and_no_absolute_arrival() {
    let setup = herd(24, 5, 3 * US, CostsName::Qspin2s);
    let dues = |setup| {
        let wakes = run(setup, Options::EVERYTHING, 0).take_wakes();
        let mut dues: Vec<(u32, u64)> =
            wakes.task.iter().copied().zip(wakes.due).filter(|(task, _)| *task < 24).collect();
        dues.sort_unstable();
        dues
    };
    assert_eq!(dues(&setup), dues(&with_balance(setup.clone(), RtBalance::Ipi415, true)));
}

#[test]
fn a_pushed_task_interrupts_only_the_overloaded_cpu() {
    let setup = with_balance(herd(24, 5, 3 * US, CostsName::Ticket2012), RtBalance::IpiV1, true);
    let trace = run(&setup, Options::EVERYTHING, 0).take_trace();
    let mut overloaded = std::collections::BTreeSet::new();
    for row in 0..trace.time.len() {
        let cpu = u32::from(trace.cpu[row]);
        match trace.kind[row] {
            kind if kind == Kind::RtoSet as u8 => drop(overloaded.insert(cpu)),
            // Idle balancing asks by function call.
            kind if kind == Kind::IpiSend as u8 && trace.b[row] == RESCHEDULE as u32 => {
                assert!(
                    overloaded.contains(&trace.a[row]),
                    "an IPI to cpu {} at {}",
                    trace.a[row],
                    trace.time[row]
                )
            }
            _ => {}
        }
    }
    assert!(!overloaded.is_empty());
    let spins = (0..trace.time.len()).any(|row| {
        trace.kind[row] == Kind::CpuState as u8 && trace.a[row] & 255 == CpuState::Spin as u32
    });
    assert!(spins, "even then a push waits for its target's lock now and then");
}
