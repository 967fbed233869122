//! Work in one piece instead of several steps gives the same rows and figures, no matter what else
//! happens, and when.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Bandwidth, Kernel, Preempt, TtwuQueue, Version};
use schedscope_engine::kernel::core::preempt::Point;
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::hw_noise::NoiseSource;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{Amount, Op, Section, Setup};
use schedscope_engine::trace::catalogue::{Kind, POINT, POINT_TAKEN};

use crate::support::build::{bare, cyclic, fair, fifo, forever, hog, once, pause, task, work};
use crate::support::hogs::kernel;
use crate::support::hw_noise::stop;
use crate::support::judge::{Row, Written, written};
use crate::support::live::{Switch, Write, ready};
use crate::support::quota::{machine, member, quota};
use crate::support::random::Dice;
use crate::support::{MS, US};

/// Plays `setup` with `writes`, in pieces or not. Returns the rows and figures, and the number of
/// events.
fn played(setup: &Setup, writes: &[Write], in_pieces: bool) -> (Written, u64) {
    let options =
        Options { window: Options::EVERYTHING, check_every: 1, in_pieces, ..Options::default() };
    let mut run = Run::new(&ready(setup, writes), options).expect("the setup is sound");
    let (mut pauses, mut writes) = (0, writes.iter().peekable());
    loop {
        let until = writes.peek().map_or(u64::MAX, |write| write.at_ns);
        match run.advance_within(until, u64::MAX, 1) {
            Progress::Running if run.has_reached(until) => {
                let write = writes.next().expect("a run has no end beyond its last write");
                assert!(write.write(&mut run), "{write:?} is refused");
            }
            Progress::Running => pauses += 1,
            ended => {
                assert_eq!(ended, Progress::Finished);
                return (written(&mut run), pauses);
            }
        }
    }
}

/// How many events fewer `setup` takes in one piece, with the same rows and figures.
fn saved(setup: &Setup, when: u64) -> u64 {
    saved_with(setup, &[], when)
}

/// How many events fewer `setup` takes in one piece, with these writes.
fn saved_with(setup: &Setup, writes: &[Write], when: u64) -> u64 {
    let ((whole, few), (pieces, many)) =
        (played(setup, writes, false), played(setup, writes, true));
    let key = |row: &Row| (row.time, row.kind, row.cpu, row.a, row.b);
    let first = whole.rows.iter().zip(&pieces.rows).find(|(one, other)| key(one) != key(other));
    assert!(first.is_none(), "at {when}: {first:?}");
    assert_eq!(whole.rows.len(), pieces.rows.len(), "at {when}");
    let figures = |written: &Written| serde_json::to_string(&written.report).expect("plain data");
    assert_eq!(figures(&whole), figures(&pieces), "at {when}");
    let charged =
        |written: &Written| (written.wakes.segment_ns.clone(), written.wakes.segment_cause.clone());
    assert_eq!(charged(&whole), charged(&pieces), "at {when}");
    many - few
}

/// A thread that measures, due at 100 us, beside a fair one of which the tick comes at 104 us.
fn measured(costs: CostsName, busy: bool) -> Setup {
    let mut setup = bare(1, costs);
    setup.kernel.tick_phase_ns = 104 * US;
    setup.tasks.push(task("measure", fifo(50), &[0], 0, cyclic(100 * US, 5 * MS, 2 * US)));
    if busy {
        setup.tasks.push(task("busy", fair(), &[0], 0, forever(&[work(50 * US)])));
    }
    setup.duration_ns = 130 * US;
    setup
}

#[test]
fn a_wake_up_takes_fewer_events_in_one_piece() {
    for costs in [CostsName::Qspin2s, CostsName::Ticket2012] {
        // From idle: the handler and its first timer, the wake-up and its lock, dequeue and pick of
        // schedule() and its lock; and the tick and its lock.
        assert!(saved(&measured(costs, false), 0) >= 5, "{costs:?}");
        // A task that runs is charged when schedule() has the lock.
        assert!(saved(&measured(costs, true), 0) >= 4, "{costs:?}");
    }
}

#[test]
fn a_stop_by_hardware_at_any_instant_of_a_wake_up_is_as_if_it_had_been_done_in_pieces() {
    for costs in [CostsName::Qspin2s, CostsName::Ticket2012] {
        for busy in [false, true] {
            for at in 99 * US..109 * US {
                let mut setup = measured(costs, busy);
                stop(&mut setup, NoiseSource::Smi, CpuMask::one(CpuId::new(0)), at, 333);
                saved(&setup, at);
            }
        }
    }
}

/// A long system call with points of both kinds at drawn gaps, and two threads that preempt it.
fn long_call(preempt: Preempt, section: Section) -> Setup {
    let mut setup = bare(1, CostsName::Qspin2s);
    setup.kernel = Kernel::of_version(Version::V6_1, 1);
    setup.kernel.preempt = preempt;
    let gaps = |min, max| Some(Amount::Uniform { min, max });
    let (cond_resched, might_sleep) = (gaps(US, 9 * US), gaps(2 * US, 30 * US));
    let call = Op::Kernel { section, ns: Amount::Fixed(900 * US), cond_resched, might_sleep };
    setup.tasks.push(task("call", fair(), &[0], 0, forever(&[call, work(5 * US)])));
    setup.tasks.push(task("strong", fifo(50), &[0], 0, cyclic(170 * US, 230 * US, 7 * US)));
    setup.tasks.push(task("fair", fair(), &[0], 0, cyclic(190 * US, 310 * US, 7 * US)));
    setup.duration_ns = 3 * MS;
    setup
}

#[test]
fn points_at_which_nobody_looks_are_passed_in_one_piece() {
    use Preempt::{DynamicFull, Full, Lazy, None, Rt, Voluntary};
    for preempt in [Full, Lazy, Rt] {
        assert!(saved(&long_call(preempt, Section::Preemptible), 0) > 400, "{preempt:?}");
    }
    for preempt in [None, Voluntary, DynamicFull] {
        assert!(saved(&long_call(preempt, Section::Preemptible), 0) < 100, "{preempt:?}");
        assert!(saved(&long_call(preempt, Section::IrqOff), 0) > 400, "{preempt:?}");
    }
}

/// A thread that works under spinlock_t goes on when a stronger one sleeps, and schedule() pushes a
/// third away in its tail, with interrupts on: who wakes there asks for the CPU, and no interrupt's
/// exit acts on it, but the end of schedule() does. Under PREEMPT_RT the lock sleeps.
#[test]
fn a_flag_left_by_the_tail_of_an_old_schedule_is_acted_on_in_a_section_that_stays_preemptible() {
    let taken = POINT.put(Point::ScheduleLoop as u32) | POINT_TAKEN.put(1);
    let mut acted = 0;
    for due in (107 * US..109 * US).step_by(50) {
        let mut setup = bare(2, CostsName::Qspin2s);
        setup.kernel = Kernel::of_version(Version::V3_2, 2);
        setup.kernel.preempt = Preempt::Rt;
        let gaps = Some(Amount::Uniform { min: US, max: 9 * US });
        let section = Section::NoPreempt;
        let ns = Amount::Fixed(900 * US);
        let call = Op::Kernel { section, ns, cond_resched: gaps, might_sleep: gaps };
        setup.tasks.push(task("call", fifo(50), &[1], 0, forever(&[call])));
        setup.tasks.push(task("pushed", fifo(40), &[0, 1], 50 * US, hog(9 * MS)));
        setup.tasks.push(task("other", fifo(90), &[0], 0, hog(9 * MS)));
        setup.tasks.push(task("sleeps", fifo(60), &[1], 0, cyclic(100 * US, 5 * MS, 5 * US)));
        setup.tasks.push(task("wakes", fifo(70), &[1], 0, cyclic(due, 5 * MS, 5 * US)));
        setup.duration_ns = 300 * US;
        saved(&setup, due);
        let again = |row: &&Row| row.kind == Kind::PreemptPoint && row.a == taken;
        acted += played(&setup, &[], false).0.rows.iter().filter(again).count();
    }
    assert!(acted > 10, "{acted}");
}

/// Threads of an old kernel that work in it, sleep and are pushed to and fro, at random.
fn old_and_pushing(seed: u64) -> Setup {
    let dice = &mut Dice::new(seed);
    let cpus = dice.between(2, 4) as u32;
    let mut setup = bare(cpus, dice.pick(&[CostsName::Qspin2s, CostsName::Ticket2012]));
    let version = dice.pick(&["2.6.25", "3.2", "3.16", "3.19", "3.19-push-ipi", "4.1"]);
    setup.kernel = Kernel::of_version(Version::of(version), cpus);
    setup.kernel.preempt = dice.pick(&[Preempt::Full, Preempt::Full, Preempt::Rt, Preempt::None]);
    setup.machine.costs.ipi_flight_llc_ns = dice.pick(&[600, 1_200, 9_000]);
    for nth in 0..dice.between(4, 9) {
        let gaps = dice.chance(70).then_some(Amount::Uniform { min: US, max: 9 * US });
        let section = dice.pick(&[Section::Preemptible, Section::NoPreempt, Section::IrqOff]);
        let ns = Amount::Fixed(dice.between(1, 90) * US);
        let call = Op::Kernel { section, ns, cond_resched: gaps, might_sleep: gaps };
        let ops = [work(dice.between(1, 9) * US), call, pause(dice.between(1, 60) * US)];
        let from = dice.below(u64::from(cpus)) as u32;
        let all: Vec<u32> = if dice.chance(60) { (0..cpus).collect() } else { vec![from] };
        let policy = if dice.chance(85) { fifo(dice.between(20, 26) as u8) } else { fair() };
        let start = dice.below(40) * US + dice.below(1_000);
        setup.tasks.push(task(&format!("task{nth}"), policy, &all, start, forever(&ops)));
    }
    setup.duration_ns = 900 * US;
    setup
}

#[test]
fn kernel_work_of_an_old_kernel_that_pushes_in_its_tail_is_as_if_each_point_had_been_passed() {
    let fewer = (0..60).filter(|seed| saved(&old_and_pushing(*seed), *seed) > 30).count();
    assert!(fewer > 40, "{fewer}");
}

/// A stronger thread has asked for the CPU when the mode is written: cond_resched is nothing any
/// more, but the kernel's work goes on only to its next step.
#[test]
fn a_flag_that_waits_for_a_point_that_a_write_takes_away_is_acted_on_at_the_next_step() {
    let mut setup = bare(1, CostsName::Qspin2s);
    setup.kernel = Kernel::of_version(Version::V6_1, 1);
    setup.kernel.preempt = Preempt::DynamicNone;
    let call = kernel(Section::Preemptible, 900 * MS, Some(100 * US));
    setup.tasks.push(task("call", fair(), &[0], 0, forever(&[call])));
    setup.tasks.push(task("strong", fifo(50), &[0], 0, cyclic(20 * MS, 100 * MS, 7 * US)));
    setup.duration_ns = 40 * MS;
    for us in [2, 5, 10, 20, 40] {
        let what = Switch::Preempt(Preempt::DynamicFull);
        let write = Write { at_ns: 20 * MS + us * US, what };
        let report = played(&setup, &[write], false).0.report;
        let longest = report.metrics.latency["strong"].max_ns;
        assert!((us * US..130 * US).contains(&longest), "{us} us: {longest} ns");
    }
}

#[test]
fn a_stop_by_hardware_among_points_at_which_nobody_looks_is_as_if_each_had_been_passed() {
    for at in (400 * US..410 * US).step_by(37) {
        let mut setup = long_call(Preempt::Full, Section::Preemptible);
        setup.duration_ns = 700 * US;
        stop(&mut setup, NoiseSource::Smi, CpuMask::one(CpuId::new(0)), at, 333);
        saved(&setup, at);
    }
}

/// A lock without cost is taken, and the clock read under it, in the event that asks for it. If
/// that event is a timer, a stop at its instant comes after it and does not delay the reading: the
/// charge of the group's run time at the tick shows it.
#[test]
fn a_stop_at_the_instant_a_lock_that_costs_nothing_is_had_comes_after_the_clock_was_read() {
    let quota = quota(20 * MS, 50 * MS);
    let mut setup = machine(1, Bandwidth::of_version(Version::V6_1), &[(0, quota)]);
    setup.kernel.tick_phase_ns = 104 * US;
    setup.kernel.bandwidth_slice_ns = 50 * US;
    let costs = &mut setup.machine.costs;
    (costs.lock_local_ns, costs.irq_user_ns, costs.tick_ns) = (0, 0, 900);
    setup.tasks.push(member(1, "hog", &[0], 0, hog(MS)));
    setup.duration_ns = 130 * US;
    for at in 104 * US - 50..104 * US + 50 {
        let mut setup = setup.clone();
        stop(&mut setup, NoiseSource::Smi, CpuMask::one(CpuId::new(0)), at, 333);
        saved(&setup, at);
    }
}

#[test]
fn a_waiter_for_a_ticket_lock_at_any_instant_slows_its_holder_as_if_that_worked_in_pieces() {
    let mut fewer = 0;
    for after in (0..6 * US).step_by(3) {
        let mut setup = bare(2, CostsName::Ticket2012);
        setup.kernel.tick_phase_ns = 103 * US;
        // Odd times, so that each piece's slowing is rounded.
        let costs = &mut setup.machine.costs;
        (costs.ttwu_local_ns, costs.ttwu_remote_llc_ns, costs.schedule_ns) = (357, 713, 921);
        // CPU 0, which a stronger task keeps, wakes a task on CPU 1, whose own thread wakes up and
        // goes to sleep around that time: both take the lock of CPU 1's queue.
        let away = cyclic(100 * US, 5 * MS, 2 * US);
        let own = cyclic(96 * US + after, 5 * MS, US);
        setup.tasks.push(task("away", fifo(50), &[0, 1], 0, away));
        setup.tasks.push(task("pin", fifo(90), &[0], 0, hog(900 * US)));
        setup.tasks.push(task("own", fifo(60), &[1], 0, own));
        setup.duration_ns = 130 * US;
        fewer += saved(&setup, after);
    }
    assert!(fewer > 0);
}

/// CPU 2 wakes a stronger task on CPU 0, which is in the kernel and wakes another one. The wait of
/// that task has the cause that flags wait for, which a write changes in the middle.
#[test]
fn a_mode_of_preemption_written_at_any_instant_is_charged_as_if_all_was_done_in_pieces() {
    let mut setup = bare(3, CostsName::Qspin2s);
    setup.kernel = Kernel::of_version(Version::V5_14, 3);
    (setup.kernel.preempt, setup.kernel.ttwu_queue) = (Preempt::DynamicFull, TtwuQueue::Off);
    let costs = &mut setup.machine.costs;
    (costs.futex_wake_min_ns, costs.futex_wake_max_ns) = (1_000, 1_000);
    let woken = || forever(&[Op::Suspend, work(5 * US)]);
    let resume = |task| Op::Resume { task };
    setup.tasks.push(task("a", fair(), &[0], 0, once(&[work(101 * US), resume(1), work(MS)])));
    setup.tasks.push(task("b", fair(), &[1], 0, woken()));
    setup.tasks.push(task("c", fifo(50), &[0], 0, woken()));
    setup.tasks.push(task("d", fair(), &[2], 0, once(&[work(100 * US), resume(2)])));
    setup.duration_ns = 170 * US;
    for at_ns in (100 * US..160 * US).step_by(30) {
        for model in [Preempt::DynamicNone, Preempt::DynamicVoluntary] {
            saved_with(&setup, &[Write { at_ns, what: Switch::Preempt(model) }], at_ns);
        }
    }
}
