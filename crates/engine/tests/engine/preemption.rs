//! Preemption models: when a flag is set, and how long it waits
//! (docs/model/preemption.md#which-flag-is-set, docs/model/preemption.md#lazy-delay).

use schedscope_engine::kernel::config::{DoubleLock, Kernel, Preempt, TtwuQueue, Version};
use schedscope_engine::kernel::core::preempt::Point;
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::named::Named;
use schedscope_engine::run::{Options, Run};
use schedscope_engine::setup::{Op, Policy, Section};
use schedscope_engine::trace::catalogue::{Kind, POINT, POINT_TAKEN};

use crate::support::build::{bare, cyclic, fair, fifo, forever, hog, once, pause, task, work};
use crate::support::hogs::{
    RATES, SWITCH_NS, hog_and_sleeper, kernel, latencies, latencies_in, play, woken_from_afar,
};
use crate::support::judge::{Row, Written};
use crate::support::{MS, US};

/// Kolmogorov-Smirnov distance of `samples` from the uniform distribution on (0, `end`].
fn distance_from_uniform(samples: &[u64], end: u64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    let n = sorted.len() as f64;
    let deviation = |(at, sample): (usize, &u64)| {
        let expected = (*sample as f64 / end as f64).min(1.0);
        ((at as f64 + 1.0) / n - expected).abs().max((expected - at as f64 / n).abs())
    };
    sorted.iter().enumerate().map(deviation).fold(0.0, f64::max)
}

/// The distance that uniform samples exceed with probability 0.001.
fn critical_distance(samples: usize) -> f64 {
    1.95 / (samples as f64).sqrt()
}

/// Ages of the lazy flags of CPU 0 when they were upgraded, ns.
fn ages_at_upgrade(written: &Written) -> Vec<u64> {
    let mut born = 0;
    let mut ages = Vec::new();
    for row in written.rows.iter().filter(|row| row.cpu == 0) {
        match row.kind {
            Kind::NeedReschedLazy => born = row.time,
            Kind::NeedReschedUpgrade => ages.push(row.time - born),
            _ => {}
        }
    }
    ages
}

#[test]
fn a_lazy_flag_over_kernel_code_waits_uniformly_for_up_to_one_tick() {
    for hz in RATES {
        let tick = 1_000_000_000 / u64::from(hz);
        let setup = hog_and_sleeper(
            Preempt::Lazy,
            hz,
            &[kernel(Section::Preemptible, 50 * tick, None)],
            fair(),
            1200,
        );
        let written = play(&setup);
        let ages = ages_at_upgrade(&written);
        assert!(ages.len() >= 1000, "{} flags at {hz} Hz", ages.len());
        // The handler of a tick that falls due while the flag is being set runs a little after its
        // grid.
        assert!(
            ages.iter().all(|age| *age <= tick + SWITCH_NS),
            "{:?} at {hz} Hz",
            ages.iter().max()
        );
        let distance = distance_from_uniform(&ages, tick);
        assert!(
            distance < critical_distance(ages.len()),
            "distance {distance} with {} flags at {hz} Hz",
            ages.len()
        );
        assert_eq!(written.report.metrics.ipi.reschedule.sent, 0);
    }
}

#[test]
fn over_user_code_a_local_timer_delivers_a_lazy_flag_at_its_own_exit() {
    for hz in RATES {
        let setup = hog_and_sleeper(Preempt::Lazy, hz, &[work(50 * MS)], fair(), 300);
        let longest = latencies(&setup).into_iter().max().expect("it woke");
        assert!(longest < SWITCH_NS, "{longest} ns at {hz} Hz");
    }
}

#[test]
fn over_user_code_a_lazy_flag_from_another_cpu_waits_uniformly_for_the_tick_and_sends_no_ipi() {
    for hz in RATES {
        let setup = woken_from_afar(Preempt::Lazy, hz, &[work(50 * MS)], fair(), TtwuQueue::Off);
        let written = play(&setup);
        let waits: Vec<u64> = (0..written.wakes.task.len())
            .filter(|at| written.wakes.task[*at] == 0)
            .map(|at| written.wakes.latency[at])
            .collect();
        let tick = setup.kernel.tick_ns();
        assert!(waits.len() >= 1000, "{}", waits.len());
        assert!(
            waits.iter().all(|ns| *ns <= tick + 2 * SWITCH_NS),
            "{:?} at {hz} Hz",
            waits.iter().max()
        );
        let distance = distance_from_uniform(&waits, tick);
        assert!(distance < critical_distance(waits.len()), "distance {distance} at {hz} Hz");
        assert_eq!(
            written.report.metrics.ipi.reschedule.sent, 0,
            "a lazy request never sends a reschedule IPI"
        );
        assert!(written.report.metrics.resched.lazy_set >= 1000);
    }
}

/// The wake-list delivers by an interrupt of its own, at whose exit user code looks at the lazy
/// flag.
#[test]
fn over_user_code_the_wake_lists_interrupt_delivers_a_lazy_flag_at_its_own_exit() {
    for hz in RATES {
        for queue in [TtwuQueue::AllRemote, TtwuQueue::CrossLlcOrIdle] {
            let setup = woken_from_afar(Preempt::Lazy, hz, &[work(50 * MS)], fair(), queue);
            let written = play(&setup);
            let waits = latencies_in(&setup, &written);
            assert!(waits.len() >= 1000, "{}", waits.len());
            assert!(
                waits.iter().all(|ns| *ns <= SWITCH_NS),
                "{queue:?}: {:?} at {hz} Hz",
                waits.iter().max()
            );
            assert_only_the_wake_list_interrupts(&written, queue, waits.len() as u64);
        }
    }
}

/// No IPI asks for preemption; those of the wake-list are counted apart: before 5.8 it travels on
/// the reschedule vector.
fn assert_only_the_wake_list_interrupts(written: &Written, queue: TtwuQueue, wakes: u64) {
    let metrics = &written.report.metrics;
    let expected = |on: bool| if on { metrics.wakeups.wake_list } else { 0 };
    assert!(
        metrics.resched.lazy_set >= 1000
            && (queue == TtwuQueue::Off || metrics.wakeups.wake_list >= wakes)
    );
    assert_eq!(metrics.ipi.reschedule.sent, expected(queue == TtwuQueue::AllRemote), "{queue:?}");
    // The hog's tick asks the idle CPU to balance now and then, which is a function call too.
    let kicks = metrics.ipi.nohz_kick.map_or(0, |kick| kick.sent);
    assert_eq!(
        metrics.ipi.call_function.sent,
        expected(queue == TtwuQueue::CrossLlcOrIdle) + kicks,
        "{queue:?}"
    );
}

#[test]
fn over_kernel_code_a_lazy_flag_from_another_cpu_waits_uniformly_for_the_tick_however_it_came() {
    for hz in RATES {
        for queue in [TtwuQueue::Off, TtwuQueue::AllRemote, TtwuQueue::CrossLlcOrIdle] {
            let tick = 1_000_000_000 / u64::from(hz);
            let setup = woken_from_afar(
                Preempt::Lazy,
                hz,
                &[kernel(Section::Preemptible, 50 * tick, None)],
                fair(),
                queue,
            );
            let written = play(&setup);
            let waits = latencies_in(&setup, &written);
            assert!(waits.len() >= 1000, "{}", waits.len());
            assert!(
                waits.iter().all(|ns| *ns <= tick + 2 * SWITCH_NS),
                "{queue:?}: {:?} at {hz} Hz",
                waits.iter().max()
            );
            let distance = distance_from_uniform(&waits, tick);
            assert!(
                distance < critical_distance(waits.len()),
                "{queue:?}: distance {distance} at {hz} Hz"
            );
            assert_only_the_wake_list_interrupts(&written, queue, waits.len() as u64);
        }
    }
}

#[test]
fn full_preemption_sends_at_most_one_reschedule_ipi_per_wake_up_where_lazy_sends_none() {
    let posted = |model| {
        let written = play(&woken_from_afar(model, 250, &[work(50 * MS)], fair(), TtwuQueue::Off));
        (
            written.report.metrics.latency["sleeper"].count,
            written.report.metrics.ipi.reschedule.sent,
        )
    };
    let (wakes, full) = posted(Preempt::Full);
    assert!(full > wakes / 2 && full <= wakes + 1, "{full} IPIs for {wakes} wake-ups");
    assert_eq!(posted(Preempt::Lazy).1, 0);
}

#[test]
fn a_used_up_slice_waits_two_ticks_for_the_next_fair_task_where_the_tick_asks_lazily() {
    // Two hogs in the kernel share a CPU: at 100 Hz each tick finds the slice used up; one sets the
    // flag, the next upgrades it.
    for (model, ticks) in [
        (Preempt::Full, 1),
        (Preempt::Lazy, 2),
        (Preempt::Rfc2023None, 2),
        (Preempt::Auto2024Voluntary, 2),
    ] {
        let mut setup = bare(1, CostsName::Ticket2012);
        (setup.kernel.preempt, setup.kernel.hz, setup.duration_ns) = (model, 100, 2_000 * MS);
        for name in ["one", "two"] {
            setup.tasks.push(task(
                name,
                fair(),
                &[0],
                0,
                forever(&[kernel(Section::Preemptible, 3_600_000 * MS, None)]),
            ));
        }
        let written = play(&setup);
        let switches: Vec<u64> = written
            .rows
            .iter()
            .filter(|row| row.kind == Kind::SchedSwitch)
            .map(|row| row.time)
            .collect();
        let stints: Vec<u64> = switches.windows(2).skip(3).map(|pair| pair[1] - pair[0]).collect();
        assert!(
            stints.len() > 50 && stints.iter().all(|ns| ns.abs_diff(ticks * 10 * MS) < SWITCH_NS),
            "{model:?}: {stints:?}"
        );
    }
}

#[test]
fn a_running_dynamic_kernel_changes_its_mode_and_flags_already_set_are_judged_by_the_new_one() {
    let hog = [kernel(Section::Preemptible, 1_000 * MS, None)];
    let mut setup = hog_and_sleeper(Preempt::DynamicNone, 250, &hog, fifo(50), 1);
    setup.duration_ns = 200 * MS;
    setup.tasks[0].program = forever(&[work(US), pause(30 * MS)]);
    let mut run = Run::new(
        &setup,
        Options { window: Options::EVERYTHING, check_every: 1, ..Options::default() },
    )
    .expect("sound");
    run.advance(100 * MS, u64::MAX);
    assert!(
        run.report().metrics.latency["sleeper"].unfinished == 1,
        "it waits for the system call to end"
    );
    assert!(run.set_preempt(Preempt::DynamicFull));
    run.advance(200 * MS, u64::MAX);
    let latency = &run.report().metrics.latency["sleeper"];
    assert!(latency.count >= 3 && latency.unfinished == 0, "{latency:?}");
    assert!(!run.set_preempt(Preempt::Lazy), "not a mode of PREEMPT_DYNAMIC");
    let mut fixed =
        Run::new(&hog_and_sleeper(Preempt::None, 250, &hog, fifo(50), 1), Options::default())
            .expect("sound");
    assert!(!fixed.set_preempt(Preempt::DynamicFull), "none was compiled in");
}

#[test]
fn every_flag_in_the_trace_has_one_birth_at_most_one_upgrade_and_one_end() {
    for model in Preempt::ALL {
        let hog = [
            kernel(Section::Preemptible, 7 * MS, Some(MS)),
            kernel(Section::NoPreempt, 300 * US, None),
            work(500 * US),
        ];
        let written = play(&hog_and_sleeper(*model, 1000, &hog, fair(), 300));
        let count = |kind| written.rows.iter().filter(|row| row.kind == kind).count() as u64;
        let resched = written.report.metrics.resched;
        assert_eq!(resched.lazy_set, count(Kind::NeedReschedLazy), "{model:?}");
        assert_eq!(resched.lazy_upgraded, count(Kind::NeedReschedUpgrade), "{model:?}");
        assert_eq!(
            resched.now_set,
            count(Kind::NeedResched) + count(Kind::NeedReschedUpgrade),
            "{model:?}"
        );
        let (born, ended) = (
            count(Kind::NeedResched) + count(Kind::NeedReschedLazy),
            count(Kind::NeedReschedClear),
        );
        assert!(born - ended <= 1, "{model:?}: {born} born, {ended} ended");
        assert_eq!(model.has_lazy(), resched.lazy_set > 0, "{model:?}");
    }
}

/// ns of `cause` in the waits of `kind`.
fn blamed(written: &Written, kind: &str, cause: &str) -> u64 {
    written.report.metrics.latency[kind].causes_ns[cause]
}

#[test]
fn a_fair_task_that_has_won_waits_for_the_system_call_and_one_behind_it_for_its_class() {
    // Under EEVDF the hog's slice ends with the tick at 21 ms, and the first of them has not won
    // before.
    for (version, model, won) in [
        (Version::V3_19, Preempt::None, (49, 0)),
        (Version::V6_6, Preempt::None, (40, 8)),
        (Version::V6_6, Preempt::Voluntary, (40, 8)),
    ] {
        let mut setup = bare(1, CostsName::Ticket2012);
        setup.kernel = Kernel::of_version(version, 1);
        (setup.kernel.preempt, setup.kernel.hz, setup.duration_ns) = (model, 1000, 100 * MS);
        setup.tasks.push(task(
            "hog",
            fair(),
            &[0],
            0,
            forever(&[kernel(Section::Preemptible, 200 * MS, Some(5 * MS))]),
        ));
        // Both are due before the cond_resched at 25 ms, by 4.9 and 4.7 ms.
        for (name, due) in [("won", 20_100 * US), ("behind", 20_300 * US)] {
            setup.tasks.push(task(name, fair(), &[0], 0, cyclic(due, 500 * MS, 2 * US)));
        }
        let written = play(&setup);
        let waits = |kind| {
            (
                blamed(&written, kind, "nonpreemptible") / (100 * US),
                blamed(&written, kind, "same_class") / (100 * US),
            )
        };
        assert_eq!((waits("won"), waits("behind")), (won, (0, 47)), "{version:?}, {model:?}");
    }
}

#[test]
fn an_equal_whose_turn_has_come_waits_for_the_section_that_its_equal_is_in() {
    let mut setup = bare(1, CostsName::Ticket2012);
    (setup.kernel.preempt, setup.duration_ns) = (Preempt::Full, 200 * MS);
    let policy = Policy::RoundRobin { rt_priority: 80 };
    setup.tasks.push(task(
        "first",
        policy,
        &[0],
        0,
        forever(&[kernel(Section::NoPreempt, 150 * MS, None)]),
    ));
    setup.tasks.push(task("measure", policy, &[0], 0, cyclic(10 * MS, 500 * MS, 2 * US)));
    let written = play(&setup);
    // The slice of 100 ms is used up 50 ms before the section ends.
    let found = (
        blamed(&written, "measure", "same_class") / MS,
        blamed(&written, "measure", "nonpreemptible") / MS,
    );
    assert_eq!(found, (89, 50));
}

#[test]
fn an_ipi_that_has_arrived_where_interrupts_are_off_is_delayed_and_no_longer_under_way() {
    for queue in [TtwuQueue::Off, TtwuQueue::AllRemote, TtwuQueue::CrossLlcOrIdle] {
        for model in [Preempt::Full, Preempt::Lazy, Preempt::Rt] {
            let setup = woken_from_afar(
                model,
                250,
                &[kernel(Section::IrqOff, 400 * US, None)],
                fifo(50),
                queue,
            );
            let written = play(&setup);
            let wakes = written.report.metrics.latency["sleeper"].count;
            // 200 to send it and 900 or 1350 on its way.
            let (flight, delay) =
                (blamed(&written, "sleeper", "ipi"), blamed(&written, "sleeper", "irq_delay"));
            assert!(flight <= wakes * 1_550, "{queue:?}, {model:?}: {flight} ns for {wakes} IPIs");
            assert!(
                delay >= wakes * 150 * US,
                "{queue:?}, {model:?}: {delay} ns for {wakes} wake-ups"
            );
        }
        // Where the kernel is not preempted it is the section, however the flag comes.
        let written = play(&woken_from_afar(
            Preempt::None,
            250,
            &[kernel(Section::IrqOff, 400 * US, None)],
            fifo(50),
            queue,
        ));
        let blocked = blamed(&written, "sleeper", "nonpreemptible")
            + blamed(&written, "sleeper", "irq_delay");
        assert!(
            blocked * 100 > written.report.metrics.latency["sleeper"].sum_ns * 95,
            "{queue:?}: {blocked} ns"
        );
    }
}

/// A thread leaves the CPU to a long system call, and a timer that expired meanwhile is delivered
/// as schedule() returns: the woken task runs at once under every model, not at the call's next
/// cond_resched.
#[test]
fn a_flag_left_by_an_interrupt_that_waited_for_schedule_is_acted_on_before_schedule_returns() {
    let again = POINT.put(Point::ScheduleLoop as u32) | POINT_TAKEN.put(1);
    use Preempt::{DynamicNone, Full, None, Voluntary};
    let old =
        [Version::V2_6_24, Version::V3_2, Version::V4_1].map(|version| (version, [None, Full]));
    let new = [(Version::V6_1, [Voluntary, DynamicNone]), (Version::V6_1, [None, Full])];
    for (version, preempt) in old.into_iter().chain(new).flat_map(|(v, all)| all.map(|p| (v, p))) {
        let mut looked = 0;
        for due in (258 * US..264 * US).step_by(20) {
            let mut setup = bare(1, CostsName::Qspin2s);
            setup.kernel = Kernel::of_version(version, 1);
            setup.kernel.preempt = preempt;
            let call = kernel(Section::Preemptible, 900 * MS, Some(200 * US));
            setup.tasks.push(task("call", fair(), &[0], 0, forever(&[call])));
            setup.tasks.push(task("sleeps", fifo(60), &[0], 0, cyclic(190 * US, 90 * MS, 5 * US)));
            setup.tasks.push(task("wakes", fifo(50), &[0], 0, cyclic(due, 90 * MS, 5 * US)));
            setup.duration_ns = 900 * US;
            let written = play(&setup);
            let is_again = |row: &&Row| row.kind == Kind::PreemptPoint && row.a == again;
            let times = written.rows.iter().filter(is_again).count();
            let longest = written.report.metrics.latency["wakes"].max_ns;
            let at_once = times > 0 || preempt == Full;
            assert!(!at_once || longest < 20 * US, "{version:?} {preempt:?}, {due}: {longest} ns");
            looked += times;
        }
        // Where kernel code is preempted the interrupt's own exit acts, at the same instant.
        assert_eq!(looked > 10, preempt != Full, "{version:?} {preempt:?}: {looked}");
    }
}

/// CPU 1 pushes a thread to CPU 0 at the end of a switch and releases its own lock meanwhile: CPU 2
/// wakes a stronger thread on it then. Its IPI takes longer than the rest of schedule(), which acts
/// on the flag without it.
#[test]
fn a_flag_that_another_cpu_set_is_acted_on_before_schedule_returns_while_its_ipi_is_under_way() {
    const FLIGHT: u64 = 20 * US;
    let again = POINT.put(Point::ScheduleLoop as u32) | POINT_TAKEN.put(1);
    let versions = [Version::V2_6_25, Version::V3_2, Version::V4_1, Version::V6_1];
    for (version, preempt) in
        versions.into_iter().flat_map(|v| [(v, Preempt::None), (v, Preempt::Full)])
    {
        let mut acted = 0;
        for due in (96 * US..102 * US).step_by(50) {
            let mut setup = bare(3, CostsName::Qspin2s);
            setup.kernel = Kernel::of_version(version, 3);
            setup.kernel.preempt = preempt;
            (setup.kernel.ttwu_queue, setup.kernel.double_lock) =
                (TtwuQueue::Off, DoubleLock::Fair);
            setup.machine.costs.ipi_flight_llc_ns = FLIGHT as u32;
            let wakes = forever(&[Op::Suspend, work(5 * US)]);
            let waker = once(&[work(due), Op::Resume { task: 0 }, work(MS)]);
            setup.tasks.push(task("wakes", fifo(70), &[1], 0, wakes));
            setup.tasks.push(task("pushed", fifo(40), &[0, 1], 0, hog(MS)));
            setup.tasks.push(task("stronger", fifo(50), &[1], 100 * US, hog(MS)));
            setup.tasks.push(task("waker", fifo(50), &[2], 0, waker));
            setup.tasks.push(task("first", fifo(90), &[0], 0, hog(50 * US)));
            setup.duration_ns = 150 * US;
            let written = play(&setup);
            let rows: Vec<&Row> = written.rows.iter().filter(|row| row.cpu == 1).collect();
            let Some(at) =
                rows.iter().position(|row| (row.kind, row.a) == (Kind::PreemptPoint, again))
            else {
                continue;
            };
            let asked = rows[..at].iter().rfind(|row| row.kind == Kind::NeedResched);
            assert!(
                asked.is_some_and(|row| row.b == 2),
                "{version:?} {preempt:?}, {due}: {asked:?}"
            );
            let arrives = rows.iter().find(|row| row.kind == Kind::IpiArrive);
            let under_way = arrives.is_some_and(|row| row.time > rows[at].time);
            assert!(under_way, "{version:?} {preempt:?}, {due}: {arrives:?}");
            let longest = written.report.metrics.latency["wakes"].max_ns;
            assert!(longest < FLIGHT, "{version:?} {preempt:?}, {due}: {longest} ns");
            acted += 1;
        }
        assert!(acted > 0, "{version:?} {preempt:?}");
    }
}
