//! Where RT tasks go: find_lowest_rq, the double lock's table, and the IPIs of both push
//! generations (docs/model/rt-balancing.md, docs/model/rt-balancing.md#push-ipi-bounds).

use std::collections::BTreeSet;

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{DoubleLock, LowestPick, RtBalance};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::ipi::RESCHEDULE;
use schedscope_engine::machine::topology::Topology;
use schedscope_engine::setup::{Op, Policy, Setup};
use schedscope_engine::trace::catalogue::{Kind, NONE};

use crate::support::build::{bare, burst, cyclic, fair, fifo, hog, once, task, work};
use crate::support::judge::{Row, Written, play};
use crate::support::locks::Hardware;
use crate::support::{MS, US, herd, with_balance};

/// CPUs `task` was put on, in order.
fn placed(written: &Written, task: u32) -> Vec<u32> {
    written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::SchedWakeup && row.a == task)
        .map(|row| row.b)
        .collect()
}

/// The CPU on which a FIFO 50 task wakes that slept on CPU 0, while each CPU runs `busy`; `None` =
/// idle.
fn wakes_on(busy: &[Option<Policy>; 8], pick: LowestPick) -> u32 {
    let mut setup = bare(8, CostsName::Qspin2s);
    setup.machine.topology = Topology::new(8, 4);
    setup.kernel.lowest_pick = pick;
    setup.tasks.push(task(
        "woken",
        fifo(50),
        &[0, 1, 2, 3, 4, 5, 6, 7],
        0,
        cyclic(100 * US, 50 * MS, US),
    ));
    for (cpu, policy) in (0..8).zip(busy) {
        if let Some(policy) = policy {
            setup.tasks.push(task(&format!("busy{cpu}"), *policy, &[cpu], 0, hog(50 * MS)));
        }
    }
    setup.duration_ns = 110 * US;
    placed(&play(&setup), 0)[0]
}

#[test]
fn a_woken_task_goes_to_the_weakest_cpu_nearest_to_its_own() {
    let (strong, weak, weakest) = (Some(fifo(80)), Some(fifo(20)), Some(fifo(10)));
    for pick in [LowestPick::DomainFirst, LowestPick::DomainDistribute] {
        // A CPU of the task's own package first, however many CPUs idle in the other.
        assert_eq!(wakes_on(&[strong, strong, None, strong, strong, None, None, strong], pick), 2);
        assert_eq!(
            wakes_on(&[strong, strong, strong, strong, strong, None, strong, strong], pick),
            5
        );
        // A fair task is as weak as none: level 0.
        assert_eq!(wakes_on(&[strong, Some(fair()), weak, weak, None, None, None, None], pick), 1);
        // The single weakest level, even when it is farther away.
        assert_eq!(wakes_on(&[strong, weak, weak, weak, strong, strong, weakest, strong], pick), 6);
        // Nothing weaker: it stays, behind the stronger one.
        assert_eq!(wakes_on(&[strong; 8], pick), 0);
        assert_eq!(wakes_on(&[Some(fifo(50)); 8], pick), 0, "equal strength is no home");
        // The task on its own CPU is weaker, but could not be pushed away: the woken task moves
        // instead of displacing it.
        assert_eq!(wakes_on(&[weak, None, None, None, None, None, None, None], pick), 1);
    }
}

#[test]
fn ties_go_to_the_lowest_cpu_or_round_robin() {
    for (pick, expected) in
        [(LowestPick::DomainFirst, [1, 1, 1, 1]), (LowestPick::DomainDistribute, [1, 2, 3, 1])]
    {
        let mut setup = bare(4, CostsName::Qspin2s);
        setup.kernel.lowest_pick = pick;
        // Every fourth task starts out on CPU 0, where a stronger one runs; the others never start.
        for index in 0..16 {
            let start = if index % 4 == 0 { (100 + 50 * index) * US } else { 50 * MS };
            setup.tasks.push(task(
                &format!("woken{index}"),
                fifo(50),
                &[0, 1, 2, 3],
                start,
                hog(5 * US),
            ));
        }
        setup.tasks.push(task("busy", fifo(80), &[0], 0, hog(50 * MS)));
        let written = play(&setup);
        assert_eq!([0, 4, 8, 12].map(|task| placed(&written, task)[0]), expected, "{pick:?}");
    }
}

#[test]
fn an_equal_without_another_home_displaces_one_that_has_one() {
    // Both are movable, but the woken one's other CPU is taken; the running one's is idle.
    for mask in [&[0, 1][..], &[0][..]] {
        let mut setup = bare(3, CostsName::Qspin2s);
        setup.tasks.push(task("woken", fifo(50), mask, 0, cyclic(100 * US, 50 * MS, 5 * US)));
        setup.tasks.push(task("never", fifo(50), &[0], 50 * MS, hog(1)));
        setup.tasks.push(task("running", fifo(50), &[0, 2], 10 * US, hog(MS)));
        setup.tasks.push(task("taken", fifo(90), &[1], 0, hog(50 * MS)));
        setup.duration_ns = 500 * US;
        let written = play(&setup);
        assert!(
            written.report.metrics.latency["woken"].max_ns < 5 * US,
            "{mask:?}: {}",
            written.report.metrics.latency["woken"].max_ns
        );
        assert!(
            written.rows.iter().any(|row| row.kind == Kind::PushOk && (row.a, row.b) == (2, 2)),
            "{mask:?}"
        );
    }
}

#[test]
fn a_stronger_task_stays_and_the_one_it_preempts_is_pushed() {
    let mut setup = bare(2, CostsName::Qspin2s);
    setup.tasks.push(task("stronger", fifo(60), &[0, 1], 0, cyclic(100 * US, 50 * MS, 100 * US)));
    setup.tasks.push(task("never", fifo(50), &[0], 50 * MS, hog(1)));
    setup.tasks.push(task("preempted", fifo(50), &[0, 1], 10 * US, hog(MS)));
    setup.duration_ns = MS / 2;
    let written = play(&setup);
    assert_eq!(placed(&written, 0), [0]);
    assert_eq!(written.report.metrics.sched.pushes, 1);
}

/// Every wait of a puller for its source's lock: (its CPU is above the source, it holds its own
/// lock, it dropped its own).
fn pull_waits(setup: &Setup) -> BTreeSet<(bool, bool, bool)> {
    let written = play(setup);
    let rto_lock = setup.machine.topology.cpus();
    let mut hardware = Hardware::default();
    let mut trying: Vec<Option<(u32, bool)>> = vec![None; rto_lock as usize];
    let mut waits = BTreeSet::new();
    for row in &written.rows {
        hardware.row(row, rto_lock).expect("judged before");
        let cpu = row.cpu;
        match row.kind {
            Kind::PullTry => trying[cpu as usize] = Some((row.a, false)),
            Kind::LockRel if row.a == cpu => {
                trying[cpu as usize] = trying[cpu as usize].map(|(source, _)| (source, true))
            }
            Kind::LockWait => {
                if let Some((source, dropped)) =
                    trying[cpu as usize].filter(|(source, _)| *source == row.a)
                {
                    waits.insert((cpu > source, hardware.holds(cpu, cpu), dropped));
                }
            }
            Kind::PullOk | Kind::PullFail => trying[cpu as usize] = None,
            _ => {}
        }
    }
    waits
}

#[test]
fn who_holds_its_own_lock_while_it_queues_for_the_victims() {
    let mut setup = herd(12, 3, US, CostsName::Ticket2012);
    setup.duration_ns = 20 * MS;
    // docs/model/locks-and-ipis.md#double-lock. Fair always drops its own; below the victim it has
    // it back before it queues, above not.
    setup.kernel.double_lock = DoubleLock::Fair;
    assert_eq!(pull_waits(&setup), BTreeSet::from([(false, true, true), (true, false, true)]));
    // Unfair keeps its own below the victim, and lets go of it above.
    setup.kernel.double_lock = DoubleLock::Unfair;
    assert_eq!(pull_waits(&setup), BTreeSet::from([(false, true, false), (true, false, true)]));
}

#[test]
fn a_free_second_lock_is_taken_without_a_drop_only_by_the_unfair_form() {
    for (double_lock, expected) in [(DoubleLock::Unfair, 0), (DoubleLock::Fair, 1)] {
        let mut setup = bare(2, CostsName::Qspin2s);
        setup.kernel.double_lock = double_lock;
        // CPU 1 runs something stronger for 50 us longer than CPU 0: CPU 0 pulls the one that waits
        // there.
        setup.tasks.push(task("never", fifo(1), &[0], 50 * MS, hog(1)));
        setup.tasks.push(task("waits", fifo(50), &[0, 1], 50 * US, hog(20 * US)));
        setup.tasks.push(task("short", fifo(80), &[0], 0, hog(100 * US)));
        setup.tasks.push(task("long", fifo(80), &[1], 0, hog(150 * US)));
        setup.duration_ns = MS / 5;
        let written = play(&setup);
        assert_eq!(written.report.metrics.sched.pulls, 1);
        let tried =
            written.rows.iter().position(|row| row.kind == Kind::PullTry).expect("it pulls");
        let taken = written.rows.iter().position(|row| row.kind == Kind::PullOk).expect("it takes");
        let own = written.rows[tried..taken]
            .iter()
            .filter(|row| row.kind == Kind::LockRel && (row.cpu, row.a) == (0, 0))
            .count();
        assert_eq!(own, expected, "{double_lock:?}");
    }
}

#[test]
fn ipi_v1_sends_every_lowering_to_every_overloaded_cpu() {
    for (lower, overloaded) in [(1, 1), (4, 1), (6, 3), (12, 4)] {
        let written = play(&burst(lower, overloaded, RtBalance::IpiV1));
        let asks = |row: &&Row| {
            row.kind == Kind::IpiSend
                && row.b == RESCHEDULE as u32
                && row.cpu >= overloaded
                && row.a < overloaded
        };
        let sent = written.rows.iter().filter(asks).count() as u32;
        assert_eq!(sent, lower * overloaded, "K x M");
        for victim in 0..overloaded {
            let handled = written.rows.iter().filter(|row| {
                row.kind == Kind::IrqEntry && row.cpu == victim && row.a == RESCHEDULE as u32
            });
            let handled = handled.count() as u32;
            assert!((1..=lower).contains(&handled), "1 to K deliveries, not {handled}");
            assert!(
                lower < 4 || handled < lower,
                "a handler's time merges the senders that come in it"
            );
        }
        assert_eq!(written.report.metrics.sched.pushes, u64::from(overloaded.min(lower)));
        assert_eq!(written.report.metrics.rq_lock.pull_remote_acquisitions, 0);
    }
}

#[test]
fn ipi_v1_places_no_more_tasks_than_its_deliveries_have_tries() {
    // All overloaded CPUs push at the same time, and find the same weakest CPU: its lock lets one
    // of them in, the others find a stronger task there and look again, three times in all
    // (RT_MAX_TRIES). The lowerings merge into two deliveries for each, so six of eight find a CPU.
    // The last of ten wait so long for the first lock that two CPUs are taken when they look again:
    // they are a CPU ahead of the rest.
    let deliveries_times_tries = 2 * 3;
    for (lower, overloaded) in [(12, 4), (20, 6), (20, 7), (12, 8), (20, 8), (30, 10)] {
        let written = play(&burst(lower, overloaded, RtBalance::IpiV1));
        let of = |kind: Kind, cpu: u32| {
            written
                .rows
                .iter()
                .filter(move |row| row.kind == kind && row.cpu == cpu && row.time > 200 * US)
        };
        for victim in 0..overloaded {
            assert_eq!(
                of(Kind::IrqEntry, victim).filter(|row| row.a == RESCHEDULE as u32).count(),
                2
            );
            let tries = of(Kind::LockAcq, victim).filter(|row| row.a >= overloaded).count();
            let placed = of(Kind::PushOk, victim).count();
            assert!(tries <= deliveries_times_tries, "{victim} of {overloaded}: {tries} tries");
            assert!(
                placed == 1 || of(Kind::PushFail, victim).count() == 2,
                "{victim} of {overloaded} gives up twice"
            );
            assert!(
                placed == 1 || tries == deliveries_times_tries,
                "{victim} of {overloaded}: {tries} tries"
            );
        }
        let placed = written.report.metrics.sched.pushes;
        let in_step = u64::from(overloaded.min(lower).min(deliveries_times_tries as u32));
        let ahead = u64::from(overloaded > 8);
        assert_eq!(placed, in_step + ahead, "{lower} lower, {overloaded} overloaded");
    }
}

/// The scans of the push chain: the CPUs each went to, and whether it ended on a newer counter.
fn scans(written: &Written) -> Vec<(Vec<u32>, bool)> {
    let mut scans = Vec::new();
    let mut scan = Vec::new();
    let hops: Vec<&Row> = written.rows.iter().filter(|row| row.kind == Kind::RtoHop).collect();
    for (at, hop) in hops.iter().enumerate() {
        if hop.a != NONE {
            scan.push(hop.a);
            continue;
        }
        let again =
            hops.get(at + 1).is_some_and(|next| (next.time, next.cpu) == (hop.time, hop.cpu));
        scans.push((std::mem::take(&mut scan), again));
    }
    scans.push((scan, false));
    scans
}

#[test]
fn the_push_chain_of_one_burst_sends_at_most_two_scans() {
    for (lower, overloaded) in [(1, 1), (4, 1), (4, 4), (6, 3), (12, 4), (20, 8)] {
        let written = play(&burst(lower, overloaded, RtBalance::Ipi415));
        let chain = written.report.metrics.ipi.rto_push.expect("this generation has the chain");
        let (sent, m) = (chain.sent, u64::from(overloaded));
        assert!((m..=2 * m).contains(&sent), "{lower} lower, {overloaded} overloaded: {sent} sent");
        assert_eq!(chain.max_in_flight, 1);
        let restarts = scans(&written).iter().filter(|(_, again)| *again).count() as u64;
        assert!(sent <= m * (1 + restarts), "{sent} sent, {restarts} restarts");
        assert_eq!(written.report.metrics.sched.pushes, m.min(u64::from(lower)));
    }
}

#[test]
fn every_scan_of_the_chain_visits_each_overloaded_cpu_once_upwards() {
    for seed in 1..=3 {
        let mut setup =
            with_balance(herd(24, seed, 3 * US, CostsName::Ticket2012), RtBalance::Ipi415, true);
        setup.duration_ns = 20 * MS;
        let written = play(&setup);
        let scans = scans(&written);
        assert!(scans.len() > 10);
        for (visited, _) in &scans {
            assert!(visited.windows(2).all(|pair| pair[0] < pair[1]), "seed {seed}: {visited:?}");
        }
        let visits: usize = scans.iter().map(|(visited, _)| visited.len()).sum();
        assert_eq!(
            written.report.metrics.ipi.rto_push.map(|chain| chain.sent),
            Some(visits as u64)
        );
    }
}

#[test]
fn a_running_task_that_changes_its_affinity_asks_for_no_push() {
    let mut setup = with_balance(bare(2, CostsName::Qspin2s), RtBalance::ActivePlist, false);
    let allowed =
        |cpus: &[u32]| Op::SetCpus { cpus: cpus.iter().copied().map(CpuId::new).collect() };
    let moves = once(&[work(MS), allowed(&[0]), work(MS), allowed(&[0, 1]), work(5 * MS)]);
    setup.tasks.push(task("runs", fifo(50), &[0, 1], 0, moves));
    setup.tasks.push(task("elsewhere", fifo(60), &[1], 0, hog(9 * MS)));
    setup.tasks.push(task("waits", fifo(40), &[0, 1], 100 * US, hog(MS)));
    setup.duration_ns = 5 * MS;
    let pushes = play(&setup)
        .rows
        .iter()
        .filter(|row| matches!(row.kind, Kind::PushOk | Kind::PushFail) && row.time > 500 * US)
        .count();
    assert_eq!(
        pushes, 0,
        "set_next_task() of a task that is put back returns before the callback is queued"
    );
}
