//! Wake-ups of one task at a time, nanosecond by nanosecond; the expected figures are sums of the
//! cost preset, made by hand in the comments (docs/model/wake-ups.md#try-to-wake-up).

use schedscope_engine::kernel::config::{Kernel, Preempt, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::ipi::LOCAL_TIMER;
use schedscope_engine::setup::{IdleKind, Object, ObjectSpec, Op, Policy, Room, Setup};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{
    bare, cyclic, fair, fifo, forever, hog, object, once, pause, task, work,
};
use crate::support::judge::play;
use crate::support::waterfall::{count, waterfall};
use crate::support::{MS, US};

#[test]
fn a_local_timer_on_an_idle_cpu_costs_the_sum_of_its_parts() {
    // Interrupt: entry 150, hrtimer 150, own rq lock L, ttwu 400, exit 150. schedule(): lock L, 3 x
    // 300. System call: 150.
    let parts = |exit: u32, lock: u32| {
        vec![
            ("idle_exit", exit),
            ("irq", 850 + lock),
            ("switch", lock + 900),
            ("return_to_user", 150),
        ]
    };
    for (costs, idle, expected) in [
        (CostsName::Ticket2012, IdleKind::Poll, parts(200, 20)),
        (CostsName::Ticket2012, IdleKind::Mwait, parts(1250, 20)),
        (CostsName::Ticket2012, IdleKind::Halt, parts(1250, 20)),
        (CostsName::Qspin2s, IdleKind::Poll, parts(200, 15)),
        (CostsName::Zero, IdleKind::Halt, vec![]),
    ] {
        let mut setup = bare(1, costs);
        setup.machine.idle = idle;
        setup.tasks.push(task("measure", fifo(95), &[0], 0, cyclic(100 * US, 500 * US, 2 * US)));
        let written = play(&setup);
        for nth in 0..3 {
            assert_eq!(waterfall(&written, 0, nth), expected, "{costs:?} {idle:?} wake-up {nth}");
        }
        let total: u64 = expected.iter().map(|(_, ns)| u64::from(*ns)).sum();
        // schedule() is the longest stretch with interrupts off; leaving the idle state is none.
        let switch = expected
            .iter()
            .find(|(cause, _)| *cause == "switch")
            .map_or(0, |(_, ns)| u64::from(*ns));
        assert_eq!(written.report.metrics.rq_lock.irq_off_max_ns, switch);
        let latency = &written.report.metrics.latency["measure"];
        assert_eq!((latency.min_ns, latency.max_ns, latency.avoidable_ns), (total, total, 0));
    }
}

#[test]
fn up_to_2_6_39_a_wakeup_that_moves_a_task_takes_two_locks_one_after_the_other() {
    // 3.0 to 3.2 need no lock to wake on another CPU: the wake-list takes it.
    for (version, stays, moves) in [
        (Version::V2_6_24, vec![0], vec![0]),
        (Version::V2_6_25, vec![0], vec![0, 1]),
        (Version::V3_2, vec![0], vec![]),
        (Version::V3_16, vec![0], vec![1]),
    ] {
        // CPU 0's timer wakes a task that slept there: alone, and behind a stronger one while CPU 1
        // is free.
        for (busy, locks) in [(false, stays), (true, moves)] {
            let mut setup = bare(2, CostsName::Qspin2s);
            setup.kernel = Kernel::of_version(version, 2);
            setup.tasks.push(task(
                "woken",
                fifo(50),
                &[0, 1],
                0,
                cyclic(100 * US, 50 * MS, 2 * US),
            ));
            setup.tasks.push(task("other", fair(), &[1], 0, hog(MS)));
            if busy {
                setup.tasks.push(task("strong", fifo(80), &[0], 0, hog(MS)));
            }
            let written = play(&setup);
            let at = |kind: Kind| {
                written
                    .rows
                    .iter()
                    .position(|row| row.kind == kind && row.a == 0)
                    .expect("it is woken")
            };
            let (from, to) = (at(Kind::SchedWaking), at(Kind::SchedWakeup));
            let taken = written.rows[from..to]
                .iter()
                .filter(|row| row.kind == Kind::LockAcq && row.cpu == 0);
            assert_eq!(
                taken.map(|row| row.a).collect::<Vec<u32>>(),
                locks,
                "{version:?}, busy is {busy}"
            );
        }
    }
}

#[test]
fn up_to_2_6_39_a_waker_waits_for_the_lock_of_a_run_queue_it_will_not_use() {
    // CPU 1 releases the object that CPU 0's task waits for, while CPU 0 holds its own lock in
    // schedule().
    let wait = |version| {
        let mut setup = bare(3, CostsName::Qspin2s);
        setup.kernel = Kernel::of_version(version, 3);
        setup.machine.costs.schedule_ns = 90 * US as u32;
        setup
            .objects
            .push(ObjectSpec { name: "s".to_owned(), object: Object::Semaphore { value: 0 } });
        setup.tasks.push(task(
            "woken",
            fifo(50),
            &[0, 2],
            0,
            once(&[Op::SemWait { sem: 0 }, work(MS)]),
        ));
        setup.tasks.push(task(
            "waker",
            fifo(60),
            &[1],
            250 * US,
            once(&[Op::SemPost { sem: 0 }, work(MS)]),
        ));
        setup.tasks.push(task("strong", fifo(80), &[0], 280 * US, hog(5 * MS)));
        let written = play(&setup);
        let at = |kind: Kind| {
            written
                .rows
                .iter()
                .find(|row| row.kind == kind && row.a == 0 && row.time > 300 * US)
                .expect("it is woken")
        };
        assert_eq!(at(Kind::SchedWakeup).b, 2, "{version:?}");
        at(Kind::SchedWakeup).time - at(Kind::SchedWaking).time
    };
    let (old, new) = (wait(Version::V2_6_25), wait(Version::V3_2));
    assert!(new < 5 * US && old > 15 * US, "{old} ns, then {new}");
}

/// When each of nine timers on one CPU is run, us: they expire every 10 us from 100 us on, the last
/// at 300 us, and each takes 20.
fn crowded(version: Version) -> Vec<u64> {
    let mut setup = bare(1, CostsName::Zero);
    setup.kernel = Kernel::of_version(version, 1);
    setup.machine.costs.hrtimer_ns = 20 * US as u32;
    for index in 0..9 {
        let due = 100 + if index < 8 { 10 * index } else { 200 };
        setup.tasks.push(task(
            &format!("t{index}"),
            fifo(50),
            &[0],
            0,
            cyclic(due * US, 900 * MS, US),
        ));
    }
    let written = play(&setup);
    written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::HrtimerExpire)
        .map(|row| row.time / US - 20)
        .collect()
}

#[test]
fn after_three_rounds_the_timer_interrupt_gives_the_cpu_back_for_as_long_as_it_took() {
    // Rounds begin at 100, 120 and 160; at 240 the one of 170 is due: 140 us have passed, 140 more
    // have to.
    assert_eq!(crowded(Version::V3_2), [100, 120, 140, 160, 180, 200, 220, 380, 400]);
    assert_eq!(crowded(Version::V7_0), crowded(Version::V3_2));
    // Before the guard it goes on: 240 finds that of 170, 260 none.
    assert_eq!(crowded(Version::V2_6_25), [100, 120, 140, 160, 180, 200, 220, 240, 300]);
}

#[test]
fn a_run_that_ends_inside_a_stretch_with_interrupts_off_counts_it() {
    let mut setup = bare(1, CostsName::Ticket2012);
    setup.tasks.push(task("measure", fifo(95), &[0], 0, cyclic(100 * US, 500 * US, 2 * US)));
    // Out of idle at 100 200, then 870 of interrupt; the run ends 500 into it.
    setup.duration_ns = 100_700;
    assert_eq!(play(&setup).report.metrics.rq_lock.irq_off_max_ns, 500);
    setup.duration_ns = 100_150;
    assert_eq!(play(&setup).report.metrics.rq_lock.irq_off_max_ns, 0);
}

#[test]
fn an_rt_task_preempts_fair_user_code_at_the_interrupts_end_in_every_model() {
    // From user code: entry 200, hrtimer 150, lock 20, ttwu 400, exit 200; then schedule() 920 and
    // 150 back to user code.
    for preempt in [Preempt::None, Preempt::Voluntary, Preempt::Full] {
        let mut setup = bare(1, CostsName::Ticket2012);
        setup.kernel.preempt = preempt;
        setup.tasks.push(task("measure", fifo(1), &[0], 0, cyclic(100 * US, 300 * US, 2 * US)));
        setup.tasks.push(task("hog", fair(), &[0], 0, hog(MS)));
        let written = play(&setup);
        assert_eq!(
            waterfall(&written, 0, 0),
            [("irq", 970), ("switch", 920), ("return_to_user", 150)],
            "{preempt:?}"
        );
    }
}

#[test]
fn a_weaker_task_waits_for_the_stronger_one_and_an_equal_one_for_its_equal() {
    // The first is in user code at 100 000 + 2 140, is interrupted for 970, runs 50 000, jumps back
    // (1), enters exit (300).
    let runs_until = 100_000 + 2_140 + 970 + 50_000 + 1 + 300;
    let waits = u32::try_from(runs_until - 110_000 - 970).expect("short");
    for (first, second, cause) in [
        (fifo(80), fifo(50), "higher_prio"),
        (fifo(80), fifo(80), "same_class"),
        (Policy::RoundRobin { rt_priority: 80 }, fifo(80), "same_class"),
    ] {
        let mut setup = bare(1, CostsName::Ticket2012);
        setup.tasks.push(task("measure", second, &[0], 0, cyclic(110 * US, 50 * MS, 2 * US)));
        setup.tasks.push(task("first", first, &[0], 100 * US, hog(50 * US)));
        let written = play(&setup);
        let expected = [("irq", 970), (cause, waits), ("switch", 920), ("return_to_user", 150)];
        assert_eq!(waterfall(&written, 0, 0), expected);
        assert_eq!(
            written.report.metrics.tasks["measure.0"].ready_ns,
            u64::from(waits) + 200 + 20,
            "enqueue to the schedule() that chooses it"
        );
    }
}

#[test]
fn a_task_preempted_on_its_way_back_to_user_code_waits_for_who_preempted_it() {
    // The task would be in user code at 102 140; 140 before, the timer of the stronger one goes off
    // (in the kernel: 870).
    let mut setup = bare(1, CostsName::Ticket2012);
    setup.tasks.push(task("measure", fifo(50), &[0], 0, cyclic(100 * US, 5 * MS, 2 * US)));
    setup.tasks.push(task("stronger", fifo(90), &[0], 0, cyclic(102 * US, 5 * MS, 20 * US)));
    let written = play(&setup);
    let expected = [
        ("idle_exit", 200),
        ("irq", 870),
        ("switch", 920),
        ("return_to_user", 10),
        ("irq", 870),
        ("switch", 920),
        ("higher_prio", 150 + 20_000 + 300),
        ("switch", 920),
        ("return_to_user", 140),
    ];
    assert_eq!(waterfall(&written, 0, 0), expected);
}

#[test]
fn a_sleep_whose_time_passes_on_the_way_in_is_blamed_on_what_ran_meanwhile() {
    // In user code at 102 140, out of it at 199 960, 40 ns before the next due time; the way in
    // takes 300, the way out 150.
    let setup = |others: &[(u64, u64)]| {
        let mut setup = bare(1, CostsName::Ticket2012);
        setup.tasks.push(task("measure", fifo(50), &[0], 0, cyclic(100 * US, 100 * US, 97_820)));
        for (due, body) in others {
            setup.tasks.push(task("stronger", fifo(90), &[0], 0, cyclic(*due, 5 * MS, *body)));
        }
        setup.duration_ns = MS / 2;
        setup
    };
    assert_eq!(waterfall(&play(&setup(&[])), 0, 1), [("return_to_user", 260 + 150)]);
    // The stronger one's timer goes off 20 after the call began: 20 of the interrupt's 870 lie
    // before the due time, and 280 of the way in are left behind it.
    let written = play(&setup(&[(199_980, 20 * US)]));
    let expected = [
        ("irq", 870 - 20),
        ("switch", 920),
        ("higher_prio", 150 + 20_000 + 300),
        ("switch", 920),
        ("return_to_user", 280 + 150),
    ];
    assert_eq!(waterfall(&written, 0, 1), expected);
    assert_eq!(written.report.metrics.latency["measure"].causes_ns["higher_prio"], 20_450);
    // Preempted on the way in, but asleep in time: nothing of that is part of the sample.
    let mut in_time = setup(&[(192_200, 2 * US)]);
    in_time.tasks[0].program = cyclic(100 * US, 100 * US, 90 * US);
    assert_eq!(
        waterfall(&play(&in_time), 0, 1),
        [("idle_exit", 200), ("irq", 870), ("switch", 920), ("return_to_user", 150)]
    );
}

#[test]
fn a_timer_that_expires_on_the_way_out_of_idle_shares_the_interrupt() {
    // 27.5 us to leave halt from 100 000: the second timer is due in the midst of it.
    let mut setup = bare(1, CostsName::Vm2);
    for (name, due) in [("first", 100 * US), ("second", 110 * US)] {
        setup.tasks.push(task(name, fifo(50), &[0], 0, cyclic(due, 5 * MS, 2 * US)));
    }
    setup.duration_ns = MS;
    let written = play(&setup);
    assert_eq!(count(&written, |row| row.kind == Kind::IrqEntry && row.a == LOCAL_TIMER as u32), 1);
    assert_eq!(waterfall(&written, 1, 0)[0], ("idle_exit", 17_500));
}

#[test]
fn equals_run_in_order_of_arrival_and_a_preempted_task_keeps_its_place() {
    let mut setup = bare(1, CostsName::Qspin2s);
    for (name, priority, start) in
        [("c", 50, 30 * US), ("a", 50, 10 * US), ("b", 50, 20 * US), ("s", 80, 25 * US)]
    {
        setup.tasks.push(task(name, fifo(priority), &[0], start, hog(40 * US)));
    }
    setup.duration_ns = MS;
    let written = play(&setup);
    let order: Vec<u32> =
        written.rows.iter().filter(|row| row.kind == Kind::SchedSwitch).map(|row| row.b).collect();
    let (c, a, b, s, idle) = (0, 1, 2, 3, u32::MAX);
    assert_eq!(order, [a, s, a, b, c, idle]);
}

#[test]
fn round_robin_turns_every_hundred_ticks_and_fifo_never() {
    for (policy, expected) in [(Policy::RoundRobin { rt_priority: 10 }, 4), (fifo(10), 0)] {
        let mut setup = bare(1, CostsName::Ticket2012);
        for name in ["a", "b"] {
            setup.tasks.push(task(name, policy, &[0], 0, hog(5_000 * MS)));
        }
        setup.duration_ns = 450 * MS;
        let written = play(&setup);
        let switches: Vec<u64> = written
            .rows
            .iter()
            .filter(|row| row.kind == Kind::SchedSwitch)
            .map(|row| row.time)
            .skip(1)
            .collect();
        // Tick: entry 200, lock 20, 600, exit 200; schedule() up to the pick: lock 20, 2 x 300.
        let turns: Vec<u64> = (1..=expected).map(|turn| turn * 100 * MS + 1_640).collect();
        assert_eq!(switches, turns, "{policy:?}");
    }
}

#[test]
fn a_fair_task_that_moves_keeps_its_distance_not_its_virtual_time() {
    // After 50 ms alone on CPU 0 it must move to CPU 1, where a task that has hardly run wakes up
    // next to it.
    let mut setup = bare(2, CostsName::Zero);
    let ops = [work(50 * MS), pause(MS), work(500 * MS)];
    setup.tasks.push(task("moved", fair(), &[0, 1], 0, forever(&ops)));
    setup.tasks.push(task("pin", fifo(1), &[0], 50_500 * US, hog(500 * MS)));
    setup.tasks.push(task("other", fair(), &[1], 51_200 * US, hog(500 * MS)));
    setup.duration_ns = 91 * MS;
    let written = play(&setup);
    let ran = |name: &str| written.report.metrics.tasks[name].run_ns;
    assert!(
        ran("moved.0") > 65 * MS && ran("other.0") > 15 * MS,
        "{} and {} of 40 ms",
        ran("moved.0") - 50 * MS,
        ran("other.0")
    );
}

/// Three workers read one queue, and a bystander on their CPU takes a message before the worker
/// that was woken for it comes to run.
fn pool(messages: u64) -> Setup {
    let mut setup = bare(2, CostsName::Ticket2012);
    setup.duration_ns = 200 * MS;
    let queue = object(
        &mut setup,
        Object::Queue { capacity: 64, filled: 0, closed_when_empty: false, room: Room::Message },
    );
    let read = |ns| forever(&[Op::Get { queue, stamp: None }, work(ns)]);
    setup.tasks.push(task(
        "client",
        fifo(99),
        &[1],
        0,
        forever(&[pause(MS), Op::Put { queue }, Op::Put { queue }, pause(messages * MS)]),
    ));
    for (name, ns) in [("one", 400 * US), ("two", 300 * US), ("three", 700 * US)] {
        setup.tasks.push(task(name, fair(), &[0], 0, read(ns)));
    }
    setup
}

#[test]
fn a_reader_woken_in_vain_has_no_sample_and_its_sleep_is_nobodys_delay() {
    for messages in [1, 10, 50] {
        let setup = pool(messages);
        // The judge refuses a wake-up that holds a sleep.
        let written = play(&setup);
        for name in ["one", "two", "three"] {
            let latency = &written.report.metrics.latency[name];
            assert!(latency.max_ns < 3 * MS, "{name}, {messages}: {} ns late", latency.max_ns);
            let returns = latency.causes_ns["return_to_user"];
            assert!(
                returns <= latency.count * 5 * US,
                "{name}, {messages}: {returns} ns on the way to user code"
            );
        }
    }
}
