//! A hog on CPU 0 and a task that is woken over it, for the tests of preemption models
//! (docs/model/preemption.md#preemption-bounds, docs/model/preemption.md#lazy-delay).

use schedscope_engine::kernel::config::{Preempt, TtwuQueue};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::Topology;
use schedscope_engine::run::Options;
use schedscope_engine::setup::{Amount, Object, ObjectSpec, Op, Policy, Program, Section, Setup};

use super::build::{bare, fair, fifo, forever, task, work};
use super::judge::{Written, judge, written};
use super::{MS, US, run};

/// Entry, timer, wake-up, switch and way back of one wake-up on the CPU of the hog, and the time
/// that a tick may add.
pub const SWITCH_NS: u64 = 6 * US;

/// The least time of such a wake-up with these costs, over kernel code: 150 entry, 150 hrtimer, 20
/// lock, 400 wake-up, 150 exit; 20 and 900 for schedule(), 150 back to user mode.
pub const PARTS_NS: u64 = 1_940;

/// Ticks per second.
pub const RATES: [u32; 3] = [100, 250, 1000];

/// Runs and judges.
pub fn play(setup: &Setup) -> Written {
    let written = written(&mut run(setup, Options::EVERYTHING, 64));
    judge(setup, &written).expect("the trace keeps the laws");
    written
}

/// A system call that works in the kernel.
pub fn kernel(section: Section, ns: u64, cond_resched: Option<u64>) -> Op {
    Op::Kernel {
        section,
        ns: Amount::Fixed(ns),
        cond_resched: cond_resched.map(Amount::Fixed),
        might_sleep: None,
    }
}

/// Sleeps for random times, so that its wake-ups fall on every phase of the tick, and hardly runs.
pub fn sleeper(hz: u32) -> Program {
    let tick = 1_000_000_000 / u64::from(hz);
    forever(&[work(US), Op::Sleep { ns: Amount::Uniform { min: 2 * tick, max: 8 * tick } }])
}

/// One CPU: a fair hog and a task that a local timer wakes some `wakes` times.
pub fn hog_and_sleeper(model: Preempt, hz: u32, hog: &[Op], policy: Policy, wakes: u64) -> Setup {
    let mut setup = bare(1, CostsName::Ticket2012);
    (setup.kernel.preempt, setup.kernel.hz) = (model, hz);
    setup.duration_ns = (wakes + 10) * 8 * setup.kernel.tick_ns();
    setup.tasks.push(task("sleeper", policy, &[0], 0, sleeper(hz)));
    setup.tasks.push(task("hog", fair(), &[0], 0, forever(hog)));
    setup
}

/// Latencies of task kind `sleeper`, ns; a fair one's timer slack is not the model's doing.
pub fn latencies(setup: &Setup) -> Vec<u64> {
    latencies_in(setup, &play(setup))
}

/// Latencies of task kind `sleeper` in a finished run.
pub fn latencies_in(setup: &Setup, written: &Written) -> Vec<u64> {
    let timer = setup.tasks.len() == 2 && matches!(setup.tasks[0].policy, Policy::Fair { .. });
    let slack = if timer { 50 * US } else { 0 };
    let mine = (0..written.wakes.task.len()).filter(|at| written.wakes.task[*at] == 0);
    mine.map(|at| written.wakes.latency[at].saturating_sub(slack)).collect()
}

/// Two CPUs, of one package unless the wake-list is only for others: the hog on 0, and a task on 1
/// that posts the object that the sleeper on 0 waits for.
pub fn woken_from_afar(
    model: Preempt,
    hz: u32,
    hog: &[Op],
    policy: Policy,
    ttwu_queue: TtwuQueue,
) -> Setup {
    let mut setup = bare(2, CostsName::Ticket2012);
    (setup.kernel.preempt, setup.kernel.hz, setup.kernel.ttwu_queue) = (model, hz, ttwu_queue);
    if ttwu_queue == TtwuQueue::CrossLlcOrIdle {
        setup.machine.topology = Topology::new(2, 1);
    }
    setup.duration_ns = 1200 * 4 * setup.kernel.tick_ns();
    setup
        .objects
        .push(ObjectSpec { name: "post".to_owned(), object: Object::Semaphore { value: 0 } });
    setup.tasks.push(task(
        "sleeper",
        policy,
        &[0],
        0,
        forever(&[work(US), Op::SemWait { sem: 0 }]),
    ));
    setup.tasks.push(task("hog", fair(), &[0], 0, forever(hog)));
    let tick = setup.kernel.tick_ns();
    let poster = [
        Op::SemPost { sem: 0 },
        Op::Sleep { ns: Amount::Uniform { min: 2 * tick, max: 4 * tick } },
    ];
    setup.tasks.push(task("poster", fifo(10), &[1], 0, forever(&poster)));
    setup
}

/// Greatest latency against its bound: never above, and at least 0.95 of it
/// (docs/model/preemption.md#preemption-bounds), which is no less than the sum of the parts of any
/// wake-up.
pub fn assert_bound(what: &str, found: &[u64], bound: u64) {
    assert!(found.len() >= 1000, "{what}: {} wake-ups", found.len());
    let most = *found.iter().max().expect("wake-ups");
    assert!(
        most <= bound + SWITCH_NS,
        "{what}: {most} ns passes the bound of {bound} + {SWITCH_NS}"
    );
    let bound = bound.max(PARTS_NS);
    assert!(most * 100 >= bound * 95, "{what}: {most} ns is far below the bound of {bound}");
}

/// The hog's kernel paths: 20 ms of system call with cond_resched every 5 ms; sections with
/// preemption off; with interrupts off.
pub const LONG_NS: u64 = 20 * MS;
pub const GAP_NS: u64 = 5 * MS;
pub const SECTION_NS: u64 = 200 * US;
