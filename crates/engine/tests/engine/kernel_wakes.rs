//! Kernel code that wakes others and goes on (docs/model/preemption.md#kernel-sections).

use schedscope_engine::kernel::config::{Kernel, Preempt, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::setup::{Amount, KernelWakee, KernelWakes, Object, Op, Section, Setup};

use crate::support::build::{bare, fair, fifo, forever, object, once, pause, task};
use crate::support::hogs::{SWITCH_NS, kernel, play};
use crate::support::{MS, US};

/// A worker on CPU 0, in the kernel for `ns` at a time, that posts `at_ns` into it, then every
/// `every_ns`, and a kworker beside it that waits for that.
fn worker_and_kworker(
    preempt: Preempt,
    section: Section,
    ns: u64,
    (at_ns, every_ns): (u64, Option<u64>),
) -> Setup {
    let mut setup = bare(1, CostsName::Qspin2s);
    setup.kernel = Kernel { preempt, hz: 100, ..Kernel::of_version(Version::V7_0, 1) };
    setup.duration_ns = 500 * MS;
    let sem = object(&mut setup, Object::Semaphore { value: 0 });
    let works = Op::KernelWakes {
        section,
        ns: Amount::Fixed(ns),
        cond_resched: None,
        might_sleep: None,
        wakes: KernelWakes { who: KernelWakee::Post(sem), at_ns, every_ns },
    };
    let waits = [Op::SemWait { sem }, kernel(Section::Preemptible, 3 * US, None)];
    setup.tasks.push(task("kworker", fair(), &[0], 0, forever(&waits)));
    setup.tasks.push(task("worker", fair(), &[0], MS, forever(&[works])));
    setup
}

/// Latencies of the kworker without its first ten, in which its lag is that of a new task.
fn waits(setup: &Setup) -> Vec<u64> {
    let written = play(setup);
    let mine = (0..written.wakes.task.len()).filter(|at| written.wakes.task[*at] == 0);
    mine.map(|at| written.wakes.latency[at]).skip(10).collect()
}

#[test]
fn a_kworker_woken_by_a_worker_that_stays_in_the_kernel_waits_for_the_tick_under_lazy_alone() {
    let times = (30 * US, Some(200 * US));
    let all = |preempt| waits(&worker_and_kworker(preempt, Section::Preemptible, 500 * MS, times));
    let full = all(Preempt::Full);
    assert!(full.len() > 2_000 && full.iter().all(|ns| *ns < SWITCH_NS), "{:?}", full.iter().max());
    let lazy = all(Preempt::Lazy);
    assert!((35..=40).contains(&lazy.len()), "one a tick of 10 ms: {}", lazy.len());
    assert!(lazy.iter().all(|ns| (9 * MS..=10 * MS + SWITCH_NS).contains(ns)), "{lazy:?}");
}

#[test]
fn a_wake_up_inside_of_a_section_without_preemption_waits_for_its_end() {
    let setup = worker_and_kworker(Preempt::Full, Section::NoPreempt, 100 * US, (30 * US, None));
    let waits = waits(&setup);
    assert!(waits.len() > 4_000, "{}", waits.len());
    let late = waits.iter().filter(|ns| !(70 * US..70 * US + SWITCH_NS).contains(ns)).count();
    // A tick falls into some of them.
    assert!(late <= 60, "{late} of {}", waits.len());
}

#[test]
fn work_that_names_no_instant_wakes_at_its_end() {
    let setup = worker_and_kworker(Preempt::Full, Section::NoPreempt, 100 * US, (u64::MAX, None));
    let waits = waits(&setup);
    assert!(waits.len() > 4_000 && waits.iter().filter(|ns| **ns < SWITCH_NS).count() > 4_000);
}

#[test]
fn a_broadcast_from_kernel_code_lets_all_go_and_a_signal_one() {
    for (who, woken) in [(KernelWakee::Broadcast as fn(u32) -> _, 3), (KernelWakee::Signal, 1)] {
        let mut setup = bare(1, CostsName::Zero);
        setup.duration_ns = 10 * MS;
        let mutex = object(&mut setup, Object::Mutex { pi: false });
        let cond = object(&mut setup, Object::Cond);
        let wait = [Op::Lock { mutex }, Op::Wait { cond, mutex }, Op::Unlock { mutex }];
        for name in ["a", "b", "c"] {
            let then = [wait.as_slice(), &[pause(MS)]].concat();
            setup.tasks.push(task(name, fifo(10), &[0], 0, once(&then)));
        }
        let wakes = KernelWakes { who: who(cond), at_ns: 50 * US, every_ns: None };
        let works = Op::KernelWakes {
            section: Section::Preemptible,
            ns: Amount::Fixed(100 * US),
            cond_resched: None,
            might_sleep: None,
            wakes,
        };
        setup.tasks.push(task("worker", fair(), &[0], MS, once(&[works])));
        let written = play(&setup);
        let slept = written.wakes.task.iter().filter(|task| **task < 3).count();
        // Each that goes on sleeps once more, by a timer.
        assert_eq!(slept, 2 * woken);
    }
}
