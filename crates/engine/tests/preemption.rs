//! Preemption models: when a flag is set, how long it waits, and the bounds of spec E.5 as L.6 and L.7 rule them.

mod support;

use schedscope_engine::kernel::config::{Preempt, TtwuQueue};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::named::Named;
use schedscope_engine::run::{Options, Run};
use schedscope_engine::setup::{Amount, Object, ObjectSpec, Op, Policy, Program, Section, Setup};
use schedscope_engine::trace::catalogue::Kind;
use support::build::{bare, fair, fifo, forever, pause, task, work};
use support::judge::{Written, judge, written};
use support::{MS, US, run};

/// Entry, timer, wake-up, switch and way back of one wake-up on the CPU of the hog, and what a tick may add.
const SWITCH_NS: u64 = 6 * US;

const RATES: [u32; 3] = [100, 250, 1000];

fn play(setup: &Setup) -> Written {
    let written = written(&mut run(setup, Options::EVERYTHING, 64));
    judge(setup, &written).expect("the trace keeps the laws");
    written
}

fn kernel(section: Section, ns: u64, cond_resched: Option<u64>) -> Op {
    Op::Kernel { section, ns: Amount::Fixed(ns), cond_resched: cond_resched.map(Amount::Fixed), might_sleep: None }
}

/// Sleeps for random times, so that its wake-ups fall on every phase of the tick, and hardly runs.
fn sleeper(hz: u32) -> Program {
    let tick = 1_000_000_000 / u64::from(hz);
    forever(&[work(US), Op::Sleep { ns: Amount::Uniform { min: 2 * tick, max: 8 * tick } }])
}

/// One CPU: a fair hog and a task that a local timer wakes some `wakes` times.
fn hog_and_sleeper(model: Preempt, hz: u32, hog: &[Op], policy: Policy, wakes: u64) -> Setup {
    let mut setup = bare(1, CostsName::Ticket2012);
    (setup.kernel.preempt, setup.kernel.hz) = (model, hz);
    setup.duration_ns = (wakes + 10) * 8 * setup.kernel.tick_ns();
    setup.tasks.push(task("sleeper", policy, &[0], 0, sleeper(hz)));
    setup.tasks.push(task("hog", fair(), &[0], 0, forever(hog)));
    setup
}

/// Latencies of task kind `sleeper`, ns; a fair one's timer slack is not the model's doing.
fn latencies(setup: &Setup) -> Vec<u64> {
    let written = play(setup);
    let slack = if matches!(setup.tasks[0].policy, Policy::Fair { .. }) { 50 * US } else { 0 };
    let mine = (0..written.wakes.task.len()).filter(|at| written.wakes.task[*at] == 0);
    mine.map(|at| written.wakes.latency[at].saturating_sub(slack)).collect()
}

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
        let setup = hog_and_sleeper(Preempt::Lazy, hz, &[kernel(Section::Preemptible, 50 * tick, None)], fair(), 1200);
        let written = play(&setup);
        let ages = ages_at_upgrade(&written);
        assert!(ages.len() >= 1000, "{} flags at {hz} Hz", ages.len());
        // The handler of a tick that falls due while the flag is being set runs a little after its grid.
        assert!(ages.iter().all(|age| *age <= tick + SWITCH_NS), "{:?} at {hz} Hz", ages.iter().max());
        let distance = distance_from_uniform(&ages, tick);
        assert!(distance < critical_distance(ages.len()), "distance {distance} with {} flags at {hz} Hz", ages.len());
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

/// Two CPUs of one package: the hog on 0, and a task on 1 that posts what the sleeper on 0 waits for.
fn woken_from_afar(model: Preempt, hz: u32, hog: &[Op], policy: Policy, ttwu_queue: TtwuQueue) -> Setup {
    let mut setup = bare(2, CostsName::Ticket2012);
    (setup.kernel.preempt, setup.kernel.hz, setup.kernel.ttwu_queue) = (model, hz, ttwu_queue);
    setup.duration_ns = 1200 * 4 * setup.kernel.tick_ns();
    setup.objects.push(ObjectSpec { name: "post".to_owned(), object: Object::Semaphore { value: 0 } });
    setup.tasks.push(task("sleeper", policy, &[0], 0, forever(&[work(US), Op::SemWait { sem: 0 }])));
    setup.tasks.push(task("hog", fair(), &[0], 0, forever(hog)));
    let tick = setup.kernel.tick_ns();
    let poster = [Op::SemPost { sem: 0 }, Op::Sleep { ns: Amount::Uniform { min: 2 * tick, max: 4 * tick } }];
    setup.tasks.push(task("poster", fifo(10), &[1], 0, forever(&poster)));
    setup
}

#[test]
fn over_user_code_a_lazy_flag_from_another_cpu_waits_uniformly_for_the_tick_and_sends_no_ipi() {
    for hz in RATES {
        let setup = woken_from_afar(Preempt::Lazy, hz, &[work(50 * MS)], fair(), TtwuQueue::Off);
        let written = play(&setup);
        let waits: Vec<u64> =
            (0..written.wakes.task.len()).filter(|at| written.wakes.task[*at] == 0).map(|at| written.wakes.latency[at]).collect();
        let tick = setup.kernel.tick_ns();
        assert!(waits.len() >= 1000, "{}", waits.len());
        assert!(waits.iter().all(|ns| *ns <= tick + 2 * SWITCH_NS), "{:?} at {hz} Hz", waits.iter().max());
        let distance = distance_from_uniform(&waits, tick);
        assert!(distance < critical_distance(waits.len()), "distance {distance} at {hz} Hz");
        assert_eq!(written.report.metrics.ipi.reschedule.sent, 0, "a lazy request never sends a reschedule IPI");
        assert!(written.report.metrics.resched.lazy_set >= 1000);
    }
}

#[test]
fn full_preemption_sends_at_most_one_reschedule_ipi_per_wake_up_where_lazy_sends_none() {
    let posted = |model| {
        let written = play(&woken_from_afar(model, 250, &[work(50 * MS)], fair(), TtwuQueue::Off));
        (written.report.metrics.latency["sleeper"].count, written.report.metrics.ipi.reschedule.sent)
    };
    let (wakes, full) = posted(Preempt::Full);
    assert!(full > wakes / 2 && full <= wakes + 1, "{full} IPIs for {wakes} wake-ups");
    assert_eq!(posted(Preempt::Lazy).1, 0);
}

/// Greatest latency against its bound: never above, and at least 0.95 of it (spec L.7).
fn assert_bound(what: &str, found: &[u64], bound: u64) {
    assert!(found.len() >= 1000, "{what}: {} wake-ups", found.len());
    let most = *found.iter().max().expect("wake-ups");
    assert!(most <= bound + SWITCH_NS, "{what}: {most} ns passes the bound of {bound} + {SWITCH_NS}");
    assert!(most * 100 >= bound * 95, "{what}: {most} ns is far below the bound of {bound}");
}

/// The hog's kernel paths: 20 ms of system call with cond_resched every 5 ms; sections with preemption off; with interrupts off.
const LONG_NS: u64 = 20 * MS;
const GAP_NS: u64 = 5 * MS;
const SECTION_NS: u64 = 200 * US;

/// J8: at every HZ.
#[test]
fn an_rt_task_over_a_hog_in_a_long_system_call_waits_as_its_model_says() {
    let hog = [kernel(Section::Preemptible, LONG_NS, Some(GAP_NS))];
    for hz in RATES {
        let found = |model| latencies(&hog_and_sleeper(model, hz, &hog, fifo(50), 1700));
        for model in Preempt::ALL.iter().copied().filter(|model| *model != Preempt::Rfc2023None && *model != Preempt::Auto2024None) {
            assert_bound(model.name(), &found(model), if model.preempts_kernel() { 0 } else { GAP_NS });
        }
        // Thread 004's none asks a higher class lazily too: the next tick at the latest (docs/decisions/0007-preemption.md).
        assert_bound("rfc2023-none", &found(Preempt::Rfc2023None), 1_000_000_000 / u64::from(hz));
    }
    // Its second version upgrades only if the fair tick wants a resched, and the hog is the only fair task here.
    let found = latencies(&hog_and_sleeper(Preempt::Auto2024None, 250, &hog, fifo(50), 1700));
    assert_bound("auto2024-none", &found, LONG_NS);
}

/// J8: a wake-up that is granted preemption waits for the next cond_resched, whatever HZ.
#[test]
fn a_fair_task_over_a_fair_hog_in_the_kernel_waits_for_a_cond_resched_under_none_and_voluntary() {
    let hog = [kernel(Section::Preemptible, 100 * MS, Some(GAP_NS))];
    for hz in RATES {
        for model in [Preempt::None, Preempt::Voluntary, Preempt::DynamicNone, Preempt::DynamicVoluntary] {
            assert_bound(model.name(), &latencies(&hog_and_sleeper(model, hz, &hog, fair(), 1700)), GAP_NS);
        }
    }
}

#[test]
fn without_cond_resched_none_waits_for_the_rest_of_the_system_call() {
    let hog = [kernel(Section::Preemptible, LONG_NS, None)];
    for model in [Preempt::None, Preempt::Voluntary, Preempt::DynamicNone] {
        assert_bound(model.name(), &latencies(&hog_and_sleeper(model, 250, &hog, fifo(50), 1700)), LONG_NS);
    }
}

#[test]
fn might_sleep_points_serve_voluntary_but_not_none() {
    let sleepy = [Op::Kernel {
        section: Section::Preemptible,
        ns: Amount::Fixed(LONG_NS),
        cond_resched: None,
        might_sleep: Some(Amount::Fixed(MS)),
    }];
    assert_bound("voluntary", &latencies(&hog_and_sleeper(Preempt::Voluntary, 250, &sleepy, fifo(50), 1700)), MS);
    assert_bound("none", &latencies(&hog_and_sleeper(Preempt::None, 250, &sleepy, fifo(50), 1700)), LONG_NS);
}

#[test]
fn a_section_with_preemption_off_bounds_full_and_lazy_and_not_rt() {
    let hog = [kernel(Section::NoPreempt, SECTION_NS, None)];
    for model in [Preempt::Full, Preempt::Lazy, Preempt::DynamicFull, Preempt::Rfc2023Voluntary, Preempt::Rfc2023Full] {
        assert_bound(model.name(), &latencies(&hog_and_sleeper(model, 1000, &hog, fifo(50), 1700)), SECTION_NS);
    }
    assert_bound("rt", &latencies(&hog_and_sleeper(Preempt::Rt, 1000, &hog, fifo(50), 1700)), 0);
}

#[test]
fn a_section_with_interrupts_off_bounds_every_model() {
    let hog = [kernel(Section::IrqOff, SECTION_NS, None)];
    for model in Preempt::ALL.iter().copied().filter(|model| !matches!(model, Preempt::Rfc2023None | Preempt::Auto2024None)) {
        assert_bound(model.name(), &latencies(&hog_and_sleeper(model, 1000, &hog, fifo(50), 1700)), SECTION_NS);
    }
}

#[test]
fn a_fair_task_over_a_fair_hog_in_the_kernel_waits_a_tick_under_lazy() {
    let hog = [kernel(Section::Preemptible, 100 * MS, Some(GAP_NS))];
    for hz in RATES {
        let tick = 1_000_000_000 / u64::from(hz);
        for model in [Preempt::Lazy, Preempt::DynamicLazy, Preempt::Rfc2023None, Preempt::Rfc2023Voluntary] {
            assert_bound(model.name(), &latencies(&hog_and_sleeper(model, hz, &hog, fair(), 1700)), tick);
        }
        let full = latencies(&hog_and_sleeper(Preempt::Full, hz, &hog, fair(), 1700));
        assert_bound("full", &full, 0);
    }
}

#[test]
fn a_used_up_slice_waits_two_ticks_for_the_next_fair_task_where_the_tick_asks_lazily() {
    // Two hogs in the kernel share a CPU: at 100 Hz each tick finds the slice used up; one sets the flag, the next upgrades it.
    for (model, ticks) in [(Preempt::Full, 1), (Preempt::Lazy, 2), (Preempt::Rfc2023None, 2), (Preempt::Auto2024Voluntary, 2)] {
        let mut setup = bare(1, CostsName::Ticket2012);
        (setup.kernel.preempt, setup.kernel.hz, setup.duration_ns) = (model, 100, 2_000 * MS);
        for name in ["one", "two"] {
            setup.tasks.push(task(name, fair(), &[0], 0, forever(&[kernel(Section::Preemptible, 3_600_000 * MS, None)])));
        }
        let written = play(&setup);
        let switches: Vec<u64> = written.rows.iter().filter(|row| row.kind == Kind::SchedSwitch).map(|row| row.time).collect();
        let stints: Vec<u64> = switches.windows(2).skip(3).map(|pair| pair[1] - pair[0]).collect();
        assert!(stints.len() > 50 && stints.iter().all(|ns| ns.abs_diff(ticks * 10 * MS) < SWITCH_NS), "{model:?}: {stints:?}");
    }
}

#[test]
fn a_running_dynamic_kernel_changes_its_mode_and_flags_already_set_are_judged_by_the_new_one() {
    let hog = [kernel(Section::Preemptible, 1_000 * MS, None)];
    let mut setup = hog_and_sleeper(Preempt::DynamicNone, 250, &hog, fifo(50), 1);
    setup.duration_ns = 200 * MS;
    setup.tasks[0].program = forever(&[work(US), pause(30 * MS)]);
    let mut run = Run::new(&setup, Options { window: Options::EVERYTHING, check_every: 1, ..Options::default() }).expect("sound");
    run.advance(100 * MS, u64::MAX);
    assert!(run.report().metrics.latency["sleeper"].unfinished == 1, "it waits for the system call to end");
    assert!(run.set_preempt(Preempt::DynamicFull));
    run.advance(200 * MS, u64::MAX);
    let latency = &run.report().metrics.latency["sleeper"];
    assert!(latency.count >= 3 && latency.unfinished == 0, "{latency:?}");
    assert!(!run.set_preempt(Preempt::Lazy), "not a mode of PREEMPT_DYNAMIC");
    let mut fixed = Run::new(&hog_and_sleeper(Preempt::None, 250, &hog, fifo(50), 1), Options::default()).expect("sound");
    assert!(!fixed.set_preempt(Preempt::DynamicFull), "none was compiled in");
}

#[test]
fn every_flag_in_the_trace_has_one_birth_at_most_one_upgrade_and_one_end() {
    for model in Preempt::ALL {
        let hog = [kernel(Section::Preemptible, 7 * MS, Some(MS)), kernel(Section::NoPreempt, 300 * US, None), work(500 * US)];
        let written = play(&hog_and_sleeper(*model, 1000, &hog, fair(), 300));
        let count = |kind| written.rows.iter().filter(|row| row.kind == kind).count() as u64;
        let resched = written.report.metrics.resched;
        assert_eq!(resched.lazy_set, count(Kind::NeedReschedLazy), "{model:?}");
        assert_eq!(resched.lazy_upgraded, count(Kind::NeedReschedUpgrade), "{model:?}");
        assert_eq!(resched.now_set, count(Kind::NeedResched) + count(Kind::NeedReschedUpgrade), "{model:?}");
        let (born, ended) = (count(Kind::NeedResched) + count(Kind::NeedReschedLazy), count(Kind::NeedReschedClear));
        assert!(born - ended <= 1, "{model:?}: {born} born, {ended} ended");
        assert_eq!(model.has_lazy(), resched.lazy_set > 0, "{model:?}");
    }
}
