//! Every op and object of the op language on a machine without costs, where each time is known by
//! hand.

use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::run::Report;
use schedscope_engine::setup::{Object, Op, Setup, TimerSpec};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{bare, fair, fifo, forever, hog, object, once, pause, task, work};
use crate::support::judge::{ended, play};
use crate::support::{MS, US};

const FREE: CostsName = CostsName::Zero;

fn report(setup: &Setup) -> Report {
    play(setup).report
}

/// `strong` and `weak` on a CPU each; both want the same mutex, `weak` from 0 to 100 us.
fn contenders(pi: bool) -> Setup {
    let mut setup = bare(2, FREE);
    let mutex = object(&mut setup, Object::Mutex { pi });
    let (lock, unlock) = (Op::Lock { mutex }, Op::Unlock { mutex });
    setup.tasks.push(task(
        "weak",
        fifo(10),
        &[0],
        0,
        once(&[lock.clone(), work(100 * US), unlock.clone(), work(50 * US)]),
    ));
    setup.tasks.push(task("strong", fifo(20), &[1], 10 * US, once(&[lock, work(30 * US), unlock])));
    setup
}

#[test]
fn a_mutex_is_had_when_its_owner_lets_go() {
    for pi in [false, true] {
        let setup = contenders(pi);
        let written = play(&setup);
        assert_eq!(ended(&written, &setup, "strong.0"), 130, "pi {pi}");
        assert_eq!(ended(&written, &setup, "weak.0"), 150, "pi {pi}: the unlock costs it nothing");
    }
}

#[test]
fn the_strongest_waiter_goes_first_and_equals_in_order_of_arrival() {
    for pi in [false, true] {
        let mut setup = bare(5, FREE);
        let mutex = object(&mut setup, Object::Mutex { pi });
        let body = [Op::Lock { mutex }, work(100 * US), Op::Unlock { mutex }];
        for (index, (policy, start)) in
            [(fifo(50), 0), (fair(), 5), (fifo(10), 10), (fifo(20), 15), (fifo(20), 20)]
                .into_iter()
                .enumerate()
        {
            setup.tasks.push(task(
                &format!("t{index}"),
                policy,
                &[index as u32],
                start * US,
                once(&body),
            ));
        }
        let written = play(&setup);
        let ends: Vec<u64> =
            (0..5).map(|index| ended(&written, &setup, &format!("t{index}.0"))).collect();
        assert_eq!(ends, [100, 500, 400, 200, 300], "pi {pi}");
    }
}

#[test]
fn a_condition_gives_the_mutex_up_and_takes_it_again() {
    let mut setup = bare(2, FREE);
    let mutex = object(&mut setup, Object::Mutex { pi: false });
    let cond = object(&mut setup, Object::Cond);
    let waiter =
        [Op::Lock { mutex }, Op::Wait { cond, mutex }, work(10 * US), Op::Unlock { mutex }];
    let giver = [
        work(20 * US),
        Op::Lock { mutex },
        Op::Signal { cond },
        work(30 * US),
        Op::Unlock { mutex },
    ];
    setup.tasks.push(task("waiter", fifo(10), &[0], 0, once(&waiter)));
    setup.tasks.push(task("giver", fifo(10), &[1], 0, once(&giver)));
    let written = play(&setup);
    assert_eq!(
        ended(&written, &setup, "waiter.0"),
        60,
        "signalled at 20, the mutex at 50, 10 of work"
    );
}

#[test]
fn a_signal_lets_one_go_a_broadcast_all_and_one_that_comes_too_early_is_lost() {
    for (op, expected) in [(0, 1), (1, 3)] {
        let mut setup = bare(4, FREE);
        let mutex = object(&mut setup, Object::Mutex { pi: false });
        let cond = object(&mut setup, Object::Cond);
        let wait =
            [Op::Lock { mutex }, Op::Wait { cond, mutex }, Op::Unlock { mutex }, work(10 * US)];
        for index in 0..3 {
            setup.tasks.push(task(&format!("w{index}"), fifo(10), &[index], 10 * US, once(&wait)));
        }
        let give = if op == 0 { Op::Signal { cond } } else { Op::Broadcast { cond } };
        setup.tasks.push(task(
            "giver",
            fifo(10),
            &[3],
            0,
            once(&[give.clone(), pause(50 * US), give]),
        ));
        let report = report(&setup);
        let gone = (0..3)
            .filter(|index| report.metrics.tasks[&format!("w{index}.0")].run_ns == 10 * US + 1)
            .count();
        assert_eq!(gone, expected);
    }
}

#[test]
fn sync_signals_and_waits() {
    let mut setup = bare(2, FREE);
    let mutex = object(&mut setup, Object::Mutex { pi: false });
    let cond = object(&mut setup, Object::Cond);
    let ping = |ns| [Op::Lock { mutex }, Op::Sync { cond, mutex }, Op::Unlock { mutex }, work(ns)];
    setup.tasks.push(task("a", fifo(10), &[0], 0, forever(&ping(10 * US))));
    setup.tasks.push(task("b", fifo(10), &[1], US, forever(&ping(20 * US))));
    setup.duration_ns = MS;
    let report = report(&setup);
    // a waits from 0; b signals a at 1 and waits; a works 10, signals b and waits; b works 20,
    // signals a: 30 us a turn.
    let loops = ["a.0", "b.0"].map(|name| report.metrics.tasks[name].loops);
    assert_eq!(loops, [33, 33]);
}

#[test]
fn a_barrier_opens_for_its_last_party_and_its_activations_are_due_when_the_stamp_says() {
    let mut setup = bare(3, FREE);
    let barrier = object(&mut setup, Object::Barrier { parties: 3, drawn: false });
    let stamp = object(&mut setup, Object::Stamp);
    let wait = |measured| Op::Barrier { barrier, measured, stamp: Some(stamp) };
    setup.tasks.push(task(
        "seen",
        fifo(10),
        &[0],
        0,
        once(&[wait(true), work(10 * US), pause(US)]),
    ));
    setup.tasks.push(task(
        "unseen",
        fifo(10),
        &[1],
        0,
        once(&[wait(false), work(10 * US), pause(US)]),
    ));
    setup.tasks.push(task(
        "last",
        fifo(20),
        &[2],
        0,
        once(&[pause(40 * US), Op::Stamp { stamp }, work(5 * US), wait(true)]),
    ));
    let report = report(&setup);
    let seen = &report.metrics.tasks["seen.0"].activations;
    let rows: Vec<(u64, u64, u64)> =
        seen.iter().map(|row| (row.due_ns, row.start_ns, row.end_ns)).collect();
    assert_eq!(rows[0], (40 * US, 45 * US, 55 * US));
    assert_eq!(rows.len(), 2, "the sleep after it is one too");
    assert_eq!(report.metrics.tasks["unseen.0"].activations.len(), 1);
    assert_eq!(report.metrics.latency["unseen"].count, 1);
}

#[test]
fn a_barrier_wakes_one_after_the_other_each_for_the_price_of_a_futex_wake_up() {
    let mut setup = bare(4, CostsName::Qspin2s);
    let barrier = object(&mut setup, Object::Barrier { parties: 4, drawn: false });
    for index in 0..3 {
        let wait = [Op::Barrier { barrier, measured: true, stamp: None }, work(50 * US)];
        setup.tasks.push(task(
            &format!("w{index}"),
            fifo(10 + index),
            &[u32::from(index)],
            0,
            once(&wait),
        ));
    }
    setup.tasks.push(task(
        "last",
        fifo(20),
        &[3],
        100 * US,
        once(&[Op::Barrier { barrier, measured: true, stamp: None }]),
    ));
    let written = play(&setup);
    let waking: Vec<(u64, u32)> = written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::SchedWaking && row.time > 100 * US && row.a < 3)
        .map(|row| (row.time, row.a))
        .collect();
    assert_eq!(
        waking.iter().map(|(_, task)| *task).collect::<Vec<_>>(),
        [2, 1, 0],
        "the strongest first"
    );
    for pair in waking.windows(2) {
        let gap = pair[1].0 - pair[0].0;
        assert!((1_700..5_500).contains(&gap), "1 to 3 us and try_to_wake_up: {gap}");
    }
}

#[test]
fn a_semaphore_counts() {
    let mut setup = bare(2, FREE);
    let sem = object(&mut setup, Object::Semaphore { value: 2 });
    let take = [Op::SemWait { sem }, work(10 * US)];
    setup.tasks.push(task("taker", fifo(10), &[0], 0, forever(&take)));
    setup.tasks.push(task(
        "giver",
        fifo(10),
        &[1],
        50 * US,
        once(&[Op::SemPost { sem }, Op::SemPost { sem }, pause(50 * US), Op::SemPost { sem }]),
    ));
    assert_eq!(report(&setup).metrics.tasks["taker.0"].loops, 5);
}

#[test]
fn a_list_is_taken_whole_and_each_on_it_resumed_with_the_time_of_the_stamp() {
    let mut setup = bare(4, FREE);
    let list = object(&mut setup, Object::List);
    let stamp = object(&mut setup, Object::Stamp);
    let master = [Op::TakeAll { list }, work(20 * US), Op::ResumeAll { stamp }];
    setup.tasks.push(task("master", fifo(10), &[0], 0, forever(&master)));
    for index in 1..4 {
        let worker =
            [Op::Enlist { list }, Op::Suspend, work(5 * US), Op::Sample { stamp }, pause(100 * US)];
        setup.tasks.push(task("worker", fifo(10), &[index], 10 * US, forever(&worker)));
        setup.tasks.last_mut().expect("just added").name = format!("worker.{index}");
    }
    setup.duration_ns = 100 * US;
    let report = report(&setup);
    let samples = report.metrics.tool_samples["worker.object1"];
    // The first task on the list wakes the master at 10 us, which takes every task it finds: all
    // three, or one and then two.
    assert_eq!(samples.count, 3);
    assert_eq!((samples.min_ns, samples.max_ns), (5 * US, 5 * US));
    assert!(report.metrics.tool_samples.keys().all(|name| !name.starts_with("master")));
}

#[test]
fn a_resume_that_comes_first_is_remembered_once() {
    let mut setup = bare(2, FREE);
    let sleeper = [pause(50 * US), Op::Suspend, work(5 * US), Op::Suspend, work(5 * US)];
    setup.tasks.push(task("sleeper", fifo(10), &[0], 0, once(&sleeper)));
    setup.tasks.push(task(
        "waker",
        fifo(10),
        &[1],
        0,
        once(&[
            Op::Resume { task: 0 },
            Op::Resume { task: 0 },
            pause(200 * US),
            Op::Resume { task: 0 },
        ]),
    ));
    let written = play(&setup);
    assert_eq!(
        ended(&written, &setup, "sleeper.0"),
        205,
        "on at 50 without a wait, the second time at 200"
    );
}

#[test]
fn a_busy_loop_ends_with_the_round_that_sees_the_time_over() {
    let mut setup = bare(1, FREE);
    let busy = Op::RunFor { ns: 100 * US, round_ns: 30 * US };
    setup.tasks.push(task("busy", fifo(10), &[0], 0, once(&[busy])));
    setup.tasks.push(task("strong", fifo(20), &[0], 40 * US, hog(200 * US)));
    let report = report(&setup);
    // 40 us of work, 200 away, then the second round's last 20: two rounds, not four.
    assert_eq!(report.metrics.tasks["busy.0"].run_ns, 60 * US + 1);
    assert_eq!(report.metrics.tasks["busy.0"].loops, 3, "two rounds of work and the phase's");
}

#[test]
fn yield_goes_behind_equals_and_passes_a_fair_task_over_once() {
    // A fair task's timer has 50 us of slack, the start included.
    for (policy, start) in [(fifo(10), 0), (fair(), 50)] {
        let mut setup = bare(1, FREE);
        setup.tasks.push(task(
            "a",
            policy,
            &[0],
            0,
            once(&[work(10 * US), Op::Yield, work(10 * US)]),
        ));
        setup.tasks.push(task("b", policy, &[0], US, once(&[work(10 * US)])));
        let written = play(&setup);
        assert_eq!(ended(&written, &setup, "b.0"), start + 20, "{policy:?}");
        assert_eq!(ended(&written, &setup, "a.0"), start + 30, "{policy:?}");
    }
}

#[test]
fn a_spinner_burns_its_cpu_until_the_lock_is_free() {
    let mut setup = bare(2, FREE);
    let lock = object(&mut setup, Object::SpinLock { per_cpu: false });
    let own = object(&mut setup, Object::SpinLock { per_cpu: true });
    let body = |lock, ns| [Op::SpinLock { lock }, work(ns), Op::SpinUnlock { lock }];
    setup.tasks.push(task("holder", fifo(10), &[0], 0, once(&body(lock, 100 * US))));
    setup.tasks.push(task("spinner", fifo(10), &[1], 30 * US, once(&body(lock, 10 * US))));
    setup.tasks.push(task("apart0", fifo(5), &[0], 200 * US, once(&body(own, 100 * US))));
    setup.tasks.push(task("apart1", fifo(5), &[1], 200 * US, once(&body(own, 100 * US))));
    let written = play(&setup);
    let spinner = &written.report.metrics.tasks["spinner.0"];
    assert_eq!((spinner.spin_ns, spinner.run_ns), (70 * US, 80 * US + 1));
    assert_eq!(["apart0.0", "apart1.0"].map(|name| ended(&written, &setup, name)), [300; 2]);
    assert_eq!(written.report.metrics.tasks["apart1.0"].spin_ns, 0);
}

#[test]
fn a_spinner_that_loses_patience_sleeps_ever_longer() {
    let mut setup = bare(2, FREE);
    let lock = object(&mut setup, Object::SpinLock { per_cpu: false });
    let held = [Op::SpinLock { lock }, work(1_000 * US), Op::SpinUnlock { lock }];
    let tries =
        Op::SpinOrSleep { lock, spin_ns: 10 * US, sleep_ns: 100 * US, sleep_max_ns: 100_000 * US };
    setup.tasks.push(task("holder", fifo(10), &[0], 0, once(&held)));
    let ops = [tries, work(US), Op::SpinUnlock { lock }];
    setup.tasks.push(task("spinner", fifo(10), &[1], 10 * US, once(&ops)));
    let written = play(&setup);
    let slept: Vec<u64> = written
        .rows
        .iter()
        .filter(|row| row.cpu == 1 && row.kind == Kind::SchedSwitch)
        .map(|row| row.time / US)
        .collect();
    // Spins from 10 to 20, sleeps to 120, spins, sleeps for 100 to 200 more.
    assert_eq!(slept[1..3], [20, 120], "{slept:?}");
    let spinner = &written.report.metrics.tasks["spinner.0"];
    assert_eq!(spinner.spin_ns + US + 1, spinner.run_ns, "the rest is its own work");
    let sleeps: Vec<u64> = slept[1..].chunks_exact(2).map(|pair| pair[1] - pair[0]).collect();
    let longer = |pair: &[u64]| pair[0] <= pair[1] && pair[1] <= 2 * pair[0];
    assert!(sleeps.len() > 2 && sleeps.windows(2).all(longer), "{sleeps:?}");
}

#[test]
fn a_timer_may_be_shared() {
    let mut setup = bare(2, FREE);
    setup.timers.push(TimerSpec { name: "t".to_owned() });
    let tick = [work(US), Op::Timer { timer: 0, period_ns: 100 * US, absolute: true }];
    setup.tasks.push(task("a", fifo(10), &[0], 0, forever(&tick)));
    setup.tasks.push(task("b", fifo(10), &[1], 0, forever(&tick)));
    setup.duration_ns = 999 * US;
    let report = report(&setup);
    // Each use takes the next expiry: a at 100, b at 200, a at 300 ...
    assert_eq!(["a.0", "b.0"].map(|name| report.metrics.tasks[name].loops), [5, 4]);
}
