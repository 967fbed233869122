//! One setup always gives the same bytes: twice, after snapshots, across forks, with any rows kept
//! (docs/develop/architecture.md).

use schedscope_engine::kernel::config::RtBalance;
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::named::Named;
use schedscope_engine::run::{Limit, Options, Progress, Run};
use schedscope_engine::setup::Setup;

use crate::support::build::{bare, cyclic, fair, forever, task, work};
use crate::support::judge::rows;
use crate::support::random::{Dice, case};
use crate::support::{MS, US, herd, with_balance};

/// The results of a run at its end, as text: digest, records, metrics, findings.
fn said(run: &Run) -> String {
    serde_json::to_string(&run.report()).expect("a report is plain data")
}

fn boot(setup: &Setup, window: Option<(u64, u64)>, check_every: u32) -> Run {
    Run::new(setup, Options { window, check_every, ..Options::default() })
        .expect("the setup is valid")
}

fn finish(run: &mut Run) {
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
}

/// A run to its end, nothing kept.
fn whole(setup: &Setup) -> String {
    let mut run = boot(setup, None, 0);
    finish(&mut run);
    said(&run)
}

/// A few herds and random machines.
fn setups() -> Vec<Setup> {
    let mut setups: Vec<Setup> = (1..=40).map(|seed| case(seed).setup).collect();
    for balance in RtBalance::ALL.iter().copied() {
        let mut setup = with_balance(
            herd(24, 3, 3 * US, CostsName::Ticket2012),
            balance,
            balance.has_push_ipi_bit(),
        );
        setup.duration_ns = 10 * MS;
        setups.push(setup);
    }
    setups
}

#[test]
fn the_same_setup_says_the_same_twice() {
    for setup in setups() {
        assert_eq!(whole(&setup), whole(&setup), "seed {}", setup.seed);
    }
}

#[test]
fn watching_changes_nothing() {
    for setup in setups() {
        let expected = whole(&setup);
        let middle = setup.duration_ns / 2;
        for (window, check_every) in
            [(Options::EVERYTHING, 0), (None, 1), (Some((middle / 2, middle)), 7)]
        {
            let mut run = boot(&setup, window, check_every);
            finish(&mut run);
            assert_eq!(said(&run), expected, "seed {} {window:?} {check_every}", setup.seed);
        }
    }
}

#[test]
fn a_window_keeps_exactly_the_rows_inside_it() {
    for setup in setups().into_iter().take(12) {
        let window = (setup.duration_ns / 3, setup.duration_ns / 2);
        let mut all = boot(&setup, Options::EVERYTHING, 0);
        let mut some = boot(&setup, Some(window), 0);
        finish(&mut all);
        finish(&mut some);
        let inside = rows(&all.take_trace())
            .into_iter()
            .filter(|row| (window.0..window.1).contains(&row.time));
        let inside: Vec<String> = inside.map(|row| format!("{row:?}")).collect();
        let kept: Vec<String> =
            rows(&some.take_trace()).iter().map(|row| format!("{row:?}")).collect();
        assert_eq!(kept, inside, "seed {}", setup.seed);
    }
}

#[test]
fn stopping_on_the_way_changes_nothing() {
    for setup in setups() {
        let mut run = boot(&setup, Options::EVERYTHING, 0);
        let dice = &mut Dice::new(setup.seed);
        loop {
            let (until, budget) =
                (run.now() + dice.below(setup.duration_ns / 5), dice.below(300) + 1);
            match run.advance(until, budget) {
                Progress::Running => {}
                Progress::Finished => break,
                other => panic!("seed {}: {other:?}", setup.seed),
            }
        }
        assert_eq!(said(&run), whole(&setup), "seed {}", setup.seed);
    }
}

/// A run to its end in pauses of at most `most` steps, and the most steps of a pause that were
/// drawn.
fn in_steps(setup: &Setup, most: u64) -> String {
    let mut run = boot(setup, None, 0);
    let dice = &mut Dice::new(setup.seed ^ most);
    loop {
        match run.advance_within(u64::MAX, u64::MAX, dice.below(most) + 1) {
            Progress::Running => {}
            Progress::Finished => return said(&run),
            other => panic!("seed {}: {other:?}", setup.seed),
        }
    }
}

#[test]
fn pausing_after_any_number_of_steps_changes_nothing() {
    for setup in setups() {
        let expected = whole(&setup);
        assert_eq!(
            [in_steps(&setup, 3), in_steps(&setup, 5_000)],
            [expected.clone(), expected],
            "seed {}",
            setup.seed
        );
    }
}

/// One fair task that runs for an hour of machine time and lets itself be ticked: a thousand times
/// a second, with hardly a record.
fn quiet_hour() -> Setup {
    let mut setup = bare(2, CostsName::Zero);
    setup.duration_ns = 3_600_000 * MS;
    setup.tasks.push(task("hog", fair(), &[0], 0, cyclic(0, 7_200_000 * MS, 7_200_000 * MS)));
    setup
}

#[test]
fn a_run_that_writes_little_pauses_by_steps() {
    let mut run = boot(&quiet_hour(), None, 0);
    let mut last = 0;
    for _ in 0..50 {
        assert_eq!(run.advance_within(u64::MAX, u64::MAX, 1_000), Progress::Running);
        assert!(
            run.now() > last && run.now() - last < 2_000 * MS,
            "from {last} to {} ns",
            run.now()
        );
        last = run.now();
    }
    assert!(run.records() < 50_000, "{} records", run.records());
}

#[test]
fn a_run_that_ends_early_says_at_which_limit() {
    let limited = |setup: &Setup, max_records| {
        let mut run = Run::new(setup, Options { max_records, ..Options::default() })
            .expect("the setup is valid");
        assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Limit);
        run.limit()
    };
    assert_eq!(limited(&herd(8, 1, US, CostsName::Qspin2s), 100), Some(Limit::Records));
    let mut slivers = bare(1, CostsName::Zero);
    slivers.duration_ns = 1_000 * MS;
    slivers.tasks.push(task("slivers", fair(), &[0], 0, forever(&[work(1)])));
    assert_eq!(limited(&slivers, 1_000), Some(Limit::Steps));
}

#[test]
fn asking_for_an_instant_that_has_passed_does_not_turn_time_back() {
    for setup in setups().into_iter().take(8) {
        let mut run = boot(&setup, None, 1);
        run.advance(setup.duration_ns / 2, u64::MAX);
        assert_eq!(run.advance(setup.duration_ns / 4, u64::MAX), Progress::Running);
        assert_eq!(run.now(), setup.duration_ns / 2);
        assert_eq!(run.report().simulated_ns, setup.duration_ns / 2);
        finish(&mut run);
        assert_eq!(said(&run), whole(&setup), "seed {}", setup.seed);
    }
}

#[test]
fn a_restored_snapshot_replays_the_same_future_row_by_row() {
    for setup in setups() {
        let dice = &mut Dice::new(setup.seed ^ 77);
        let mut run = boot(&setup, Options::EVERYTHING, 0);
        run.advance(dice.below(setup.duration_ns), u64::MAX);
        let snapshot = run.snapshot();
        run.take_trace();
        run.take_wakes();
        finish(&mut run);
        let first = (said(&run), run.take_trace(), run.take_wakes());
        run.restore(&snapshot);
        finish(&mut run);
        assert_eq!((said(&run), run.take_trace(), run.take_wakes()), first, "seed {}", setup.seed);
        assert_eq!(first.0, whole(&setup));
    }
}

#[test]
fn taking_a_snapshot_loses_no_row() {
    let setup = herd(8, 1, US, CostsName::Qspin2s);
    let mut with = boot(&setup, Options::EVERYTHING, 0);
    let mut without = boot(&setup, Options::EVERYTHING, 0);
    with.advance(setup.duration_ns / 2, u64::MAX);
    with.snapshot();
    finish(&mut with);
    finish(&mut without);
    assert_eq!(
        (with.take_trace(), with.take_wakes()),
        (without.take_trace(), without.take_wakes())
    );
}

#[test]
fn a_run_can_be_sought_back_and_forth() {
    for setup in setups() {
        let mut run = boot(&setup, Options::EVERYTHING, 0);
        let mut snapshots = Vec::new();
        for part in 1..4 {
            run.advance(setup.duration_ns * part / 4, u64::MAX);
            snapshots.push((run.snapshot(), said(&run)));
        }
        for at in [0, 2, 1, 2, 0, 1] {
            run.restore(&snapshots[at].0);
            assert_eq!(said(&run), snapshots[at].1, "seed {}", setup.seed);
            run.advance(run.now() + setup.duration_ns / 7, u64::MAX);
        }
        run.restore(&snapshots[2].0);
        finish(&mut run);
        assert_eq!(said(&run), whole(&setup), "seed {}", setup.seed);
    }
}

#[test]
fn a_fork_without_a_change_is_the_same_run() {
    for setup in setups() {
        let mut run = boot(&setup, None, 0);
        run.advance(Dice::new(setup.seed).below(setup.duration_ns), u64::MAX);
        let snapshot = run.snapshot();
        let mut fork = run.fork(&snapshot);
        finish(&mut run);
        finish(&mut fork);
        assert_eq!(said(&fork), said(&run), "seed {}", setup.seed);
    }
}

#[test]
fn switching_live_is_forking_with_the_other_switch() {
    for balance in RtBalance::ALL.iter().copied().filter(|balance| balance.has_push_ipi_bit()) {
        let setup = with_balance(herd(24, 5, 3 * US, CostsName::Ticket2012), balance, false);
        let mut run = boot(&setup, Options::EVERYTHING, 64);
        run.advance(setup.duration_ns / 3, u64::MAX);
        let snapshot = run.snapshot();
        let mut fork = run.fork(&snapshot);
        run.take_trace();
        run.take_wakes();
        assert!(run.set_rt_push_ipi(true) && fork.set_rt_push_ipi(true));
        finish(&mut run);
        finish(&mut fork);
        let live = (said(&run), run.take_trace(), run.take_wakes());
        assert_eq!(live, (said(&fork), fork.take_trace(), fork.take_wakes()));
        assert_ne!(live.0, whole(&setup), "the switch does something");
        // The snapshot is of before: it still has the old switch.
        run.restore(&snapshot);
        finish(&mut run);
        assert_eq!(said(&run), whole(&setup));
    }
}

#[test]
fn a_chain_that_was_switched_off_is_still_reported() {
    let setup = with_balance(herd(24, 5, 3 * US, CostsName::Ticket2012), RtBalance::Ipi415, true);
    let mut run = boot(&setup, None, 0);
    run.advance(setup.duration_ns / 2, u64::MAX);
    let sent = run.report().metrics.ipi.rto_push.expect("the chain is on").sent;
    assert!(sent > 0 && run.set_rt_push_ipi(false));
    finish(&mut run);
    assert!(run.report().metrics.ipi.rto_push.is_some_and(|chain| chain.sent >= sent));
}

#[test]
fn a_generation_without_the_bit_refuses_it() {
    let setup = with_balance(herd(8, 1, US, CostsName::Qspin2s), RtBalance::ActivePlist, false);
    let mut run = boot(&setup, None, 0);
    assert!(!run.set_rt_push_ipi(true));
    finish(&mut run);
    assert_eq!(said(&run), whole(&setup));
}

#[test]
fn another_seed_is_another_run() {
    let digests: std::collections::BTreeSet<String> = (1..=20)
        .map(|seed| herd(8, seed, 3 * US, CostsName::Qspin2s))
        .map(|setup| whole(&setup))
        .collect();
    assert_eq!(digests.len(), 20);
}
