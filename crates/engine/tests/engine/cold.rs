//! Cold caches: on the measured guest the switch to a woken task takes microseconds, spread by
//! draws that both sides of a comparison share.

use schedscope_engine::kernel::config::{Kernel, Preempt, Version};
use schedscope_engine::machine::costs::{Costs, CostsName};
use schedscope_engine::named::Named;
use schedscope_engine::setup::{IdleKind, Object, Op, Setup};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{bare, cyclic, fair, fifo, forever, hog, object, task, work};
use crate::support::judge::{Row, play};
use crate::support::{MS, US};

/// A FIFO task alone on a CPU that wakes by its timer every millisecond.
fn alone(costs: CostsName, idle: IdleKind) -> Setup {
    let mut setup = bare(1, costs);
    setup.machine.idle = idle;
    setup.tasks.push(task("measure", fifo(95), &[0], 0, cyclic(100 * US, MS, 2 * US)));
    setup.duration_ns = 2_000 * MS;
    setup
}

/// From each sched_wakeup of task 0 to its first user instruction, sorted; the first, from its
/// start, left out.
fn wake_to_run(setup: &Setup) -> Vec<u64> {
    let written = play(setup);
    let woken = written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::SchedWakeup && row.a == 0)
        .map(|row| row.time);
    let wakes = &written.wakes;
    let ran = (0..wakes.task.len())
        .filter(|at| wakes.task[*at] == 0)
        .map(|at| wakes.due[at] + wakes.latency[at]);
    let mut waits: Vec<u64> = woken.zip(ran).skip(1).map(|(woken, ran)| ran - woken).collect();
    waits.sort_unstable();
    waits
}

/// From each sched_waking of task 0 to the switch to it, sorted; the first, from its start, left
/// out.
fn waking_to_switch(setup: &Setup) -> Vec<u64> {
    let written = play(setup);
    let of = |kind, column: fn(&Row) -> u32| {
        written.rows.iter().filter(move |row| row.kind == kind && column(row) == 0)
    };
    let waking = of(Kind::SchedWaking, |row| row.a);
    let switched = of(Kind::SchedSwitch, |row| row.b);
    waking.zip(switched).skip(1).map(|(waking, switched)| switched.time - waking.time).collect()
}

#[test]
fn on_the_busy_guest_waking_to_switch_takes_8_us_at_the_median_and_15_to_29_at_99_percent() {
    let mut setup = bare(2, CostsName::Vm2);
    setup.machine.idle = IdleKind::Halt;
    setup.machine.costs = Costs::preset(CostsName::Vm2);
    setup.kernel = Kernel::of_version(Version::of("6.18"), 2);
    for cpu in [0, 1] {
        setup.tasks.push(task(
            &format!("measure{cpu}"),
            fifo(80),
            &[cpu],
            0,
            cyclic(100 * US, MS, 2 * US),
        ));
    }
    for nth in 0..4 {
        setup.tasks.push(task(&format!("busy{nth}"), fair(), &[0, 1], 0, hog(2_000 * MS)));
    }
    setup.duration_ns = 2_000 * MS;
    let mut times = waking_to_switch(&setup);
    times.sort_unstable();
    assert!(times.len() > 1_900);
    let at = |percent: usize| times[times.len() * percent / 100];
    assert!((7_600..8_400).contains(&at(50)), "{}", at(50));
    assert!((9_500..11_000).contains(&at(90)), "{}", at(90));
    assert!((15_000..29_000).contains(&at(99)), "{}", at(99));
}

#[test]
fn a_preset_that_states_no_cold_costs_has_one_wake_to_run() {
    for costs in
        CostsName::ALL.iter().filter(|name| !matches!(name, CostsName::Vm2 | CostsName::Vm4Cal2023))
    {
        for idle in [IdleKind::Poll, IdleKind::Mwait, IdleKind::Halt] {
            let waits = wake_to_run(&alone(*costs, idle));
            assert_eq!(waits.first(), waits.last(), "{costs:?} {idle:?}");
        }
    }
}

#[test]
fn a_cpu_that_polled_is_not_cold_but_for_the_tasks_own_sleep() {
    let mut setup = alone(CostsName::Vm2, IdleKind::Poll);
    setup.machine.costs.cold_sigma_milli = 0;
    let [polled, halted] = [IdleKind::Poll, IdleKind::Halt].map(|idle| {
        setup.machine.idle = idle;
        let waits = wake_to_run(&setup);
        assert_eq!(waits.first(), waits.last());
        waits[0]
    });
    let costs = &setup.machine.costs;
    // Only who sleeps stops the tick, and has to start it again.
    assert_eq!(
        halted - polled,
        u64::from(costs.cold_idle_ns - costs.cold_sleep_ns + costs.idle_leave_ns)
    );
    setup.machine.costs.cold_after_ns = 2 * MS as u32;
    setup.machine.idle = IdleKind::Poll;
    let cold_sleep_ns = u64::from(setup.machine.costs.cold_sleep_ns);
    assert_eq!(polled - wake_to_run(&setup)[0], cold_sleep_ns, "it slept for 1 ms only");
}

#[test]
fn both_sides_of_a_comparison_draw_the_same_for_the_same_wake_up() {
    // The second fair task decides when the first runs, and the model changes that; the time paid
    // for the n-th wake-up stays.
    let sides = [Preempt::None, Preempt::Full].map(|model| {
        let mut setup = alone(CostsName::Vm2, IdleKind::Halt);
        setup.kernel.preempt = model;
        setup.machine.costs.cold_sigma_milli = 500;
        setup.tasks.push(task("other", fair(), &[0], 0, hog(3 * MS)));
        setup.duration_ns = 200 * MS;
        waking_to_switch(&setup)
    });
    assert!(sides[0].len() > 190);
    let spread = sides[0].iter().max() > sides[0].iter().min().map(|least| 2 * least).as_ref();
    assert!(spread, "{:?}", sides[0]);
    assert_eq!(sides[0], sides[1]);
}

#[test]
fn who_is_back_within_microseconds_finds_everything_as_it_was() {
    // Two that wake each other on one CPU, as a pipe's two ends do.
    let played = |sigma_milli: u32, cold_sleep_ns: u32| {
        let mut setup = bare(1, CostsName::Vm2);
        (setup.machine.costs.cold_sigma_milli, setup.machine.costs.cold_sleep_ns) =
            (sigma_milli, cold_sleep_ns);
        let [there, back] = [(); 2].map(|()| object(&mut setup, Object::Semaphore { value: 0 }));
        setup.tasks.push(task(
            "a",
            fair(),
            &[0],
            0,
            forever(&[Op::SemPost { sem: there }, Op::SemWait { sem: back }, work(US)]),
        ));
        setup.tasks.push(task(
            "b",
            fair(),
            &[0],
            0,
            forever(&[Op::SemWait { sem: there }, Op::SemPost { sem: back }]),
        ));
        setup.duration_ns = 5 * MS;
        play(&setup).report.digest
    };
    assert_eq!(played(0, 0), played(900, 50_000));
}
