//! Each step of idle balancing, on a machine of two CPUs.

use std::sync::Arc;

use super::run::NohzRun;
use super::{BALANCE, NEXT, STATS};
use crate::check::invariants::tests::busy;
use crate::ids::{CPU0, CPU1, CpuId};
use crate::kernel::config::{NohzIlb, Release, Version};
use crate::kernel::frame::Flow;
use crate::named::Named;
use crate::sim::Sim;

/// Both CPUs idle, neither in the mask, with these jiffies.
fn idle(ilb: NohzIlb, jiffies: u64) -> Sim {
    let mut sim = busy();
    let kernel = &mut Arc::make_mut(&mut sim.setup).kernel;
    (kernel.nohz_ilb, kernel.release) = (ilb, Release::of(Version::parse("6.1").unwrap()));
    for cpu in 0..2 {
        sim.nohz_balance_exit_idle(CpuId::new(cpu));
        sim.rqs[CpuId::new(cpu)].curr = None;
        *sim.rqs[CpuId::new(cpu)].damaged_nr_running() = 0;
    }
    (sim.nohz.needs_update, sim.nohz.jiffies) = (false, jiffies);
    sim
}

#[test]
fn who_stops_its_tick_with_an_earlier_next_balance_is_ignored_before_5_16_and_not_since() {
    // The arm64 board of 7fd7a9e0caba's log: next_balance 12 jiffies away, the CPU's own due now.
    for (ilb, next_balance, needs_update) in [
        (NohzIlb::Pre516, 112, false),
        (NohzIlb::NeedsUpdate, 112, true),
        (NohzIlb::Rfc2023, 112, false),
        (NohzIlb::V2, 100, false),
        (NohzIlb::V2NewidleNext, 100, false),
    ] {
        let mut sim = idle(ilb, 100);
        sim.nohz.next_balance = 112;
        sim.nohz.next_blocked = 1_000;
        sim.rqs[CPU1].balance.next_balance = 100;
        sim.nohz_balance_enter_idle(CPU1);
        assert_eq!(
            (sim.nohz.next_balance, sim.nohz.needs_update),
            (next_balance, needs_update),
            "{ilb:?}"
        );
        sim.nohz_balancer_kick(CPU0);
        let asked = sim.rqs[CPU1].nohz.flags;
        match ilb {
            NohzIlb::NeedsUpdate => assert_eq!(asked, NEXT),
            _ => assert_eq!(asked, 0, "{ilb:?}: one busy CPU, or nothing due"),
        }
    }
}

#[test]
fn the_tick_asks_for_stats_when_they_are_old_and_for_balance_when_it_is_due_and_somebody_is_busy() {
    let mut sim = idle(NohzIlb::Pre516, 50);
    sim.nohz_balance_enter_idle(CPU1);
    (sim.nohz.next_balance, sim.nohz.next_blocked) = (60, 49);
    sim.nohz_balancer_kick(CPU0);
    assert_eq!(sim.rqs[CPU1].nohz.flags, STATS);
    let mut sim = idle(NohzIlb::Pre516, 50);
    sim.nohz_balance_enter_idle(CPU1);
    (sim.nohz.next_balance, sim.nohz.next_blocked) = (50, 50);
    sim.nohz_balancer_kick(CPU0);
    assert_eq!(sim.rqs[CPU1].nohz.flags, 0, "alone on the cache, with one task");
    *sim.rqs[CPU0].damaged_nr_running() = 2;
    sim.nohz_balancer_kick(CPU0);
    assert_eq!((sim.rqs[CPU1].nohz.flags, sim.nohz.next_balance), (STATS | BALANCE, 51));
}

#[test]
fn the_second_kicker_leaves_it_to_the_first_and_the_patched_idle_loop_takes_the_bit_from_under_both()
 {
    let mut sim = idle(NohzIlb::Rfc2023, 50);
    sim.nohz_balance_enter_idle(CPU1);
    (sim.nohz.next_balance, sim.nohz.next_blocked) = (60, 60);
    // An aborted run has left needs_update behind.
    sim.nohz.needs_update = true;
    sim.nohz_balancer_kick(CPU0);
    assert_eq!((sim.rqs[CPU1].nohz.flags, sim.nohz.kicks.sent), (NEXT, 1));
    sim.nohz_balancer_kick(CPU0);
    assert_eq!((sim.nohz.kicks.sent, sim.nohz.kicks.already_owned), (1, 1));
    assert!(
        sim.nohz_run_idle_balance(CPU1).is_some(),
        "the target's idle loop runs with the kicker's bit"
    );
    sim.nohz_csd_func(CPU1);
    assert_eq!(
        sim.ledger.findings.iter().filter(|finding| finding.kind == "nohz_kick_stolen").count(),
        1
    );
}

#[test]
fn without_the_patch_the_idle_loop_takes_its_own_bit_only() {
    let mut sim = idle(NohzIlb::NeedsUpdate, 50);
    sim.rqs[CPU1].nohz.flags = NEXT | super::NEWILB;
    assert!(sim.nohz_run_idle_balance(CPU1).is_none(), "the kick that is under way does the same");
    assert_eq!(sim.rqs[CPU1].nohz.flags, NEXT);
    sim.rqs[CPU1].nohz.flags = super::NEWILB;
    assert!(sim.nohz_run_idle_balance(CPU1).is_some());
}

#[test]
fn the_duty_of_keeping_time_goes_to_whoever_ticks_next() {
    let mut sim = idle(NohzIlb::NeedsUpdate, 0);
    sim.nohz.duty = Some(CPU0);
    (sim.now, sim.nohz.next_jiffy_ns) = (5_000_000, 0);
    sim.tick_do_timer(CPU1);
    assert_eq!(sim.nohz.jiffies, 0, "not its duty");
    sim.drop_tick_duty(CPU0);
    sim.tick_do_timer(CPU1);
    assert_eq!((sim.nohz.duty, sim.nohz.jiffies), (Some(CPU1), 6));
}

/// RUN(NEXT) on CPU 0 over both CPUs, neither of them due; `between` happens after `steps` steps.
fn walk(next: [u64; 2], steps: u32, between: fn(&mut Sim)) -> Sim {
    let mut sim = idle(NohzIlb::NeedsUpdate, 50);
    for cpu in 0..2 {
        sim.nohz_balance_enter_idle(CpuId::new(cpu));
        sim.rqs[CpuId::new(cpu)].balance.next_balance = next[cpu as usize];
    }
    sim.nohz.next_balance = 51;
    let mut run = NohzRun::new(NEXT);
    for step in 0.. {
        if step == steps {
            between(&mut sim);
        }
        match run.step(&mut sim, CPU0) {
            Flow::Again => {}
            flow => {
                assert_eq!(flow, Flow::Done, "nothing is locked");
                break;
            }
        }
    }
    sim
}

#[test]
fn a_run_with_next_leaves_the_least_next_balance_of_the_idle_cpus() {
    for (next, least) in [([70, 90], 70), ([90, 70], 70), ([80, 60 * 1000 * 1000], 80)] {
        let sim = walk(next, 0, |_| {});
        assert_eq!(
            (sim.nohz.next_balance, sim.nohz.needs_update, sim.fault),
            (least, false, None),
            "{next:?}"
        );
    }
    // A busy CPU is not asked; who enters the mask behind the walk has the next busy tick look
    // again.
    let sim = walk([90, 70], 0, |sim| *sim.rqs[CPU1].damaged_nr_running() = 1);
    assert_eq!((sim.nohz.next_balance, sim.fault), (90, None));
    let sim = walk([90, 70], 3, |sim| {
        sim.nohz_balance_exit_idle(CPU1);
        sim.nohz_balance_enter_idle(CPU1);
    });
    assert!(sim.nohz.needs_update && sim.fault.is_none());
}

#[test]
fn a_run_that_leaves_another_next_balance_than_the_least_or_a_cpu_out_breaks_a_law() {
    let damages: [fn(&mut Sim); 2] =
        [|sim| sim.rqs[CPU1].nohz.visited.1 = 60, |sim| sim.rqs[CPU1].nohz.visited.0 = 0];
    for damage in damages {
        let fault = walk([90, 70], 3, damage).fault.expect("a law is broken");
        assert!(fault.contains("the run of cpu 0 leaves next_balance 70"), "{fault}");
    }
}

fn found(sim: &Sim, kind: &str) -> usize {
    sim.ledger.findings.iter().filter(|finding| finding.kind == kind).count()
}

#[test]
fn an_idle_cpu_that_wants_balancing_before_anybody_looks_is_one_finding_and_an_episode_each_time() {
    for ilb in NohzIlb::ALL.iter().copied() {
        let mut sim = idle(ilb, 100);
        sim.nohz.next_balance = 112;
        sim.rqs[CPU1].balance.next_balance = 100;
        for _ in 0..3 {
            sim.nohz_balance_enter_idle(CPU1);
            sim.nohz_balance_enter_idle(CPU1);
            sim.nohz_balance_exit_idle(CPU1);
        }
        let lost = u64::from(matches!(ilb, NohzIlb::Pre516 | NohzIlb::Rfc2023));
        assert_eq!(
            (found(&sim, "nohz_lost_update") as u64, sim.nohz.kicks.lost_updates),
            (lost, 3 * lost),
            "{ilb:?}"
        );
    }
}

#[test]
fn nothing_is_lost_while_somebody_is_about_to_look_or_the_next_jiffy_is_due_anyway() {
    let spared: [fn(&mut Sim); 5] = [
        |sim| sim.rqs[CPU0].nohz.csd = true,
        |sim| sim.rqs[CPU0].nohz.latched = BALANCE,
        |sim| sim.rqs[CPU0].nohz.flags = NEXT,
        |sim| sim.nohz.runs = 1,
        |sim| sim.nohz.next_balance = 101,
    ];
    for spare in spared {
        let mut sim = idle(NohzIlb::Pre516, 100);
        sim.nohz.next_balance = 112;
        spare(&mut sim);
        sim.rqs[CPU1].balance.next_balance = 100;
        sim.nohz_balance_enter_idle(CPU1);
        assert_eq!(sim.nohz.kicks.lost_updates, 0);
    }
}

#[test]
fn the_second_version_loses_who_enters_behind_the_walk_with_nothing_sooner_than_what_it_then_overwrites()
 {
    let mut sim = idle(NohzIlb::V2, 50);
    for (cpu, next_balance) in [(0, 90), (1, 70)] {
        sim.rqs[CpuId::new(cpu)].balance.next_balance = next_balance;
    }
    sim.nohz_balance_enter_idle(CPU0);
    sim.nohz.next_balance = 60;
    sim.rqs[CPU0].nohz.has_blocked_load = false;
    let mut run = NohzRun::new(STATS);
    for step in 0.. {
        if step == 3 {
            sim.nohz_balance_enter_idle(CPU1);
        }
        if run.step(&mut sim, CPU0) == Flow::Done {
            break;
        }
    }
    assert_eq!((sim.nohz.next_balance, found(&sim, "nohz_lost_update"), sim.fault), (90, 1, None));
}

#[test]
fn a_kick_that_finds_the_targets_own_next_is_lost_and_its_bits_stay_for_ever() {
    let mut sim = idle(NohzIlb::Rfc2023, 50);
    sim.nohz_balance_enter_idle(CPU1);
    (sim.nohz.next_balance, sim.nohz.next_blocked) = (50, 60);
    *sim.rqs[CPU0].damaged_nr_running() = 2;
    // A newly idle CPU's own, between its last task and its idle loop.
    sim.rqs[CPU1].nohz.flags = NEXT;
    sim.nohz_balancer_kick(CPU0);
    assert!(sim.nohz_run_idle_balance(CPU1).is_none());
    sim.nohz.jiffies = 52;
    sim.nohz_balancer_kick(CPU0);
    assert_eq!(
        (found(&sim, "nohz_kick_lost"), sim.nohz.kicks.lost_kicks, sim.nohz.kicks.sent),
        (1, 2, 0)
    );
    assert_eq!((sim.rqs[CPU1].nohz.flags, sim.rqs[CPU1].nohz.csd), (STATS | BALANCE, false));
}
