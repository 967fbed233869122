//! The steps one by one, on a machine of two CPUs (spec F.3 to F.7).

use std::sync::Arc;

use super::run::NohzRun;
use super::{BALANCE, NEXT, STATS};
use crate::check::invariants::tests::busy;
use crate::kernel::config::{NohzIlb, Version};
use crate::kernel::frame::Flow;
use crate::sim::Sim;

/// Both CPUs idle, neither in the mask, with these jiffies.
fn idle(ilb: NohzIlb, jiffies: u64) -> Sim {
    let mut sim = busy();
    let kernel = &mut Arc::make_mut(&mut sim.setup).kernel;
    (kernel.nohz_ilb, kernel.version) = (ilb, Version::V6_1);
    for cpu in 0..2 {
        sim.nohz_balance_exit_idle(cpu);
        sim.rqs[cpu as usize].curr = None;
        sim.rqs[cpu as usize].nr_running = 0;
    }
    (sim.nohz.needs_update, sim.nohz.jiffies) = (false, jiffies);
    sim
}

#[test]
fn who_stops_its_tick_with_an_earlier_next_balance_is_ignored_before_5_16_and_not_since() {
    // The arm64 board of 7fd7a9e0caba's log: next_balance 12 jiffies away, the CPU's own due now.
    for (ilb, next_balance, needs_update) in
        [(NohzIlb::Pre516, 112, false), (NohzIlb::NeedsUpdate, 112, true), (NohzIlb::Rfc2023, 112, false), (NohzIlb::V2, 100, false)]
    {
        let mut sim = idle(ilb, 100);
        sim.nohz.next_balance = 112;
        sim.nohz.next_blocked = 1_000;
        sim.rqs[1].balance.next_balance = 100;
        sim.nohz_balance_enter_idle(1);
        assert_eq!((sim.nohz.next_balance, sim.nohz.needs_update), (next_balance, needs_update), "{ilb:?}");
        sim.nohz_balancer_kick(0);
        let asked = sim.rqs[1].nohz.flags;
        match ilb {
            NohzIlb::NeedsUpdate => assert_eq!(asked, NEXT),
            _ => assert_eq!(asked, 0, "{ilb:?}: one busy CPU, or nothing due"),
        }
    }
}

#[test]
fn the_tick_asks_for_stats_when_they_are_old_and_for_balance_when_it_is_due_and_somebody_is_busy() {
    let mut sim = idle(NohzIlb::Pre516, 50);
    sim.nohz_balance_enter_idle(1);
    (sim.nohz.next_balance, sim.nohz.next_blocked) = (60, 49);
    sim.nohz_balancer_kick(0);
    assert_eq!(sim.rqs[1].nohz.flags, STATS);
    let mut sim = idle(NohzIlb::Pre516, 50);
    sim.nohz_balance_enter_idle(1);
    (sim.nohz.next_balance, sim.nohz.next_blocked) = (50, 50);
    sim.nohz_balancer_kick(0);
    assert_eq!(sim.rqs[1].nohz.flags, 0, "alone on the cache, with one task");
    sim.rqs[0].nr_running = 2;
    sim.nohz_balancer_kick(0);
    assert_eq!((sim.rqs[1].nohz.flags, sim.nohz.next_balance), (STATS | BALANCE, 51));
}

#[test]
fn the_second_kicker_leaves_it_to_the_first_and_the_patched_idle_loop_takes_the_bit_from_under_both() {
    let mut sim = idle(NohzIlb::Rfc2023, 50);
    sim.nohz_balance_enter_idle(1);
    (sim.nohz.next_balance, sim.nohz.next_blocked) = (60, 60);
    // An aborted run has left needs_update behind.
    sim.nohz.needs_update = true;
    sim.nohz_balancer_kick(0);
    assert_eq!((sim.rqs[1].nohz.flags, sim.nohz.kicks.sent), (NEXT, 1));
    sim.nohz_balancer_kick(0);
    assert_eq!((sim.nohz.kicks.sent, sim.nohz.kicks.already_owned), (1, 1));
    assert!(sim.nohz_run_idle_balance(1).is_some(), "the target's idle loop runs with the kicker's bit");
    sim.nohz_csd_func(1);
    assert_eq!(sim.ledger.findings.iter().filter(|finding| finding.kind == "nohz_kick_stolen").count(), 1);
}

#[test]
fn without_the_patch_the_idle_loop_takes_its_own_bit_only() {
    let mut sim = idle(NohzIlb::NeedsUpdate, 50);
    sim.rqs[1].nohz.flags = NEXT | super::NEWILB;
    assert!(sim.nohz_run_idle_balance(1).is_none(), "the kick that is under way does the same");
    assert_eq!(sim.rqs[1].nohz.flags, NEXT);
    sim.rqs[1].nohz.flags = super::NEWILB;
    assert!(sim.nohz_run_idle_balance(1).is_some());
}

#[test]
fn the_duty_of_keeping_time_goes_to_whoever_ticks_next() {
    let mut sim = idle(NohzIlb::NeedsUpdate, 0);
    sim.nohz.duty = Some(0);
    (sim.now, sim.nohz.next_jiffy_ns) = (5_000_000, 0);
    sim.tick_do_timer(1);
    assert_eq!(sim.nohz.jiffies, 0, "not its duty");
    sim.drop_tick_duty(0);
    sim.tick_do_timer(1);
    assert_eq!((sim.nohz.duty, sim.nohz.jiffies), (Some(1), 6));
}

/// RUN(NEXT) on CPU 0 over both CPUs, none of them due; `between` is done after so many steps.
fn walk(next: [u64; 2], steps: u32, between: fn(&mut Sim)) -> Sim {
    let mut sim = idle(NohzIlb::NeedsUpdate, 50);
    for cpu in 0..2 {
        sim.nohz_balance_enter_idle(cpu);
        sim.rqs[cpu as usize].balance.next_balance = next[cpu as usize];
    }
    sim.nohz.next_balance = 51;
    let mut run = NohzRun::new(NEXT);
    for step in 0.. {
        if step == steps {
            between(&mut sim);
        }
        match run.step(&mut sim, 0) {
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
        assert_eq!((sim.nohz.next_balance, sim.nohz.needs_update, sim.fault), (least, false, None), "{next:?}");
    }
    // A busy CPU is not asked; who enters the mask behind the walk has the next busy tick look again.
    let sim = walk([90, 70], 0, |sim| sim.rqs[1].nr_running = 1);
    assert_eq!((sim.nohz.next_balance, sim.fault), (90, None));
    let sim = walk([90, 70], 3, |sim| {
        sim.nohz_balance_exit_idle(1);
        sim.nohz_balance_enter_idle(1);
    });
    assert!(sim.nohz.needs_update && sim.fault.is_none());
}

#[test]
fn a_run_that_leaves_another_next_balance_than_the_least_or_a_cpu_out_breaks_a_law() {
    let damages: [fn(&mut Sim); 2] = [|sim| sim.rqs[1].nohz.visited.1 = 60, |sim| sim.rqs[1].nohz.visited.0 = 0];
    for damage in damages {
        let fault = walk([90, 70], 3, damage).fault.expect("a law is broken");
        assert!(fault.contains("the run of cpu 0 leaves next_balance 70"), "{fault}");
    }
}
