//! Waits that the end of a run cuts off: the report names the starving task, since when, why and
//! behind which task.

use schedscope_engine::account::unfinished::{OpenWait, Waiting};
use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::RtThrottle;
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::hw_noise::NoiseSource;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{Program, Setup};
use schedscope_engine::trace::catalogue::CAUSE_NAMES;

use crate::support::build::{bare, cyclic, fair, fifo, forever, hog, pause, task, work};
use crate::support::hw_noise::stop;
use crate::support::{MS, US, run};

/// A SCHED_FIFO hog from `hog_ns` on, and a fair task that plays `program` from `fair_ns` on, on
/// one CPU without throttling.
fn beside_a_hog(hog_ns: u64, fair_ns: u64, program: Program) -> Setup {
    let mut setup = bare(1, CostsName::Qspin2s);
    // Not at a tick, in whose handler the run would end.
    setup.duration_ns = 9_500 * US;
    setup.kernel.rt_throttle = RtThrottle::Off;
    setup.tasks.push(task("hog", fifo(50), &[0], hog_ns, hog(3_600_000 * MS)));
    setup.tasks.push(task("fair", fair(), &[0], fair_ns, program));
    setup
}

fn waits(setup: &Setup) -> Vec<OpenWait> {
    let run = run(setup, None, 1);
    let waits = run.open_waits();
    for wait in &waits {
        let sum: u64 = wait.segments.iter().map(|(_, ns)| ns).sum();
        assert_eq!(sum, run.now() - wait.due, "{wait:?}: its parts make the whole");
    }
    waits
}

/// A fair task that begins at once beside another, and a SCHED_FIFO one that takes their CPU at
/// 9 ms: at the end the fair ones wait for that.
fn shared_then_taken() -> Setup {
    let mut setup = beside_a_hog(9 * MS, 0, hog(3_600_000 * MS));
    setup.tasks.push(task("other", fair(), &[0], 0, hog(3_600_000 * MS)));
    setup
}

fn charged(setup: &Setup) -> Run {
    let options = Options { charge_preempted: true, check_every: 16, ..Options::default() };
    let mut run = Run::new(setup, options).expect("sound");
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    run
}

fn cause(wait: &OpenWait) -> &'static str {
    CAUSE_NAMES[usize::from(wait.cause)]
}

#[test]
fn a_task_that_never_got_the_cpu_waits_in_its_first_start() {
    let waits = waits(&beside_a_hog(0, MS, hog(MS)));
    let [wait] = waits.as_slice() else { panic!("one task waits: {waits:?}") };
    assert_eq!(
        (wait.task, wait.waiting, wait.nth, wait.behind),
        (1, Waiting::FirstStart, None, Some(0))
    );
    assert_eq!((wait.due, cause(wait)), (MS, "higher_prio"));
}

#[test]
fn a_task_set_aside_in_mid_run_is_preempted_since_the_switch() {
    let waits = waits(&beside_a_hog(2 * MS, 0, hog(3_600_000 * MS)));
    let [wait] = waits.as_slice() else { panic!("one task waits: {waits:?}") };
    assert_eq!((wait.task, wait.waiting, wait.behind), (1, Waiting::Preempted, Some(0)));
    assert!((2 * MS..2 * MS + 20 * US).contains(&wait.due), "{wait:?}");
    assert_eq!(cause(wait), "higher_prio");
}

#[test]
fn a_wake_up_cut_off_has_the_number_it_would_have_had() {
    let waits = waits(&beside_a_hog(5_500 * US, 0, forever(&[work(10 * US), pause(MS)])));
    let [wait] = waits.as_slice() else { panic!("one task waits: {waits:?}") };
    assert_eq!((wait.task, wait.waiting), (1, Waiting::WakeUp));
    assert!(wait.nth.is_some_and(|nth| nth >= 4) && wait.due > 5 * MS, "{wait:?}");
}

#[test]
fn nobody_waits_on_a_machine_with_time_to_spare() {
    let mut setup = bare(2, CostsName::Qspin2s);
    setup.tasks.push(task("cyclic", fifo(80), &[0], 0, cyclic(MS, MS, 5 * US)));
    setup.duration_ns = 10 * MS - 100 * US;
    assert_eq!(waits(&setup), []);
}

#[test]
fn a_thread_preempted_on_its_way_into_a_sleep_that_is_not_due_yet_waits_for_no_wake_up() {
    // In the kernel from some 150 us on, preempted there until 170: its next due time is 200.
    let mut setup = bare(1, CostsName::Ticket2012);
    setup.tasks.push(task("measure", fifo(50), &[0], 0, cyclic(100 * US, 100 * US, 48 * US)));
    setup.tasks.push(task("stronger", fifo(90), &[0], 0, cyclic(150_200, 5 * MS, 20 * US)));
    setup.duration_ns = 160 * US;
    let waits = waits(&setup);
    let [wait] = waits.as_slice() else { panic!("one task waits: {waits:?}") };
    assert_eq!((wait.task, wait.waiting, wait.nth), (0, Waiting::Preempted, None));
    assert_eq!(run(&setup, None, 1).report().metrics.latency["measure"].unfinished, 0);
}

#[test]
fn a_preempted_task_that_is_charged_tells_all_that_its_wait_is_made_of() {
    let run = charged(&shared_then_taken());
    let waits = run.open_waits();
    let longest = waits.iter().min_by_key(|wait| wait.due).expect("two fair tasks wait");
    assert_eq!((longest.waiting, longest.behind), (Waiting::Preempted, Some(0)));
    let sum_of = |name: &str| -> u64 {
        let parts = longest.segments.iter();
        parts.filter(|(cause, _)| CAUSE_NAMES[usize::from(*cause)] == name).map(|(_, ns)| ns).sum()
    };
    let whole: u64 = longest.segments.iter().map(|(_, ns)| ns).sum();
    assert_eq!(whole, run.now() - longest.due, "{longest:?}: its parts make the whole");
    assert_eq!(cause(longest), "higher_prio");
    assert!(sum_of("same_class") > sum_of("higher_prio"), "{longest:?}");
}

#[test]
fn a_preempted_task_waits_since_the_same_instant_and_for_the_same_cause_charged_or_not() {
    let mut setup = shared_then_taken();
    let told = |run: &Run| -> Vec<_> {
        let waits = run.open_waits();
        waits.iter().map(|wait| (wait.task, wait.due, wait.cause)).collect()
    };
    let plain = told(&run(&setup, None, 1));
    assert_eq!((told(&charged(&setup)), plain.len()), (plain, 2));
    // The end falls into a stop of their CPU.
    let end = setup.duration_ns;
    stop(&mut setup, NoiseSource::Smi, CpuMask::one(CpuId::new(0)), end - 10 * US, 20 * US);
    let plain = told(&run(&setup, None, 1));
    assert!(plain.iter().all(|wait| CAUSE_NAMES[usize::from(wait.2)] == "smi"), "{plain:?}");
    assert_eq!(told(&charged(&setup)), plain);
}

#[test]
fn to_charge_preempted_tasks_changes_nothing_of_the_run() {
    let setup = shared_then_taken();
    let told = |run: &Run| format!("{:?}", run.report());
    assert_eq!(told(&charged(&setup)), told(&run(&setup, None, 16)));
}
