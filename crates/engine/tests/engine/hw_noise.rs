//! Hardware noise (docs/model/time.md#hardware-noise): a stopped CPU executes nothing, its work
//! ends later by the length of the stop, and it takes pending interrupts when it goes on.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{IpiPollingElide, TtwuQueue, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::hw_noise::NoiseSource;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::run::{Options, Run};
use schedscope_engine::setup::{Amount, IdleKind, Op, Section, Setup};
use schedscope_engine::trace::catalogue::{CpuState, Kind};

use crate::support::build::{bare, costless, cyclic, fair, fifo, forever, hog, once, task, work};
use crate::support::hw_noise::stop;
use crate::support::judge::{Written, ended, judge, play, written};
use crate::support::waterfall::waterfall;
use crate::support::{MS, US};

const SMI: NoiseSource = NoiseSource::Smi;
const STEAL: NoiseSource = NoiseSource::Steal;

/// `setup` with one SMI of all its CPUs.
fn with_smi(mut setup: Setup, at: u64, ns: u64) -> Setup {
    let cpus = CpuMask::first(setup.machine.topology.cpus());
    stop(&mut setup, SMI, cpus, at, ns);
    setup
}

/// `setup` whose CPU `cpu` the host takes away once.
fn with_steal(mut setup: Setup, cpu: u32, at: u64, ns: u64) -> Setup {
    stop(&mut setup, STEAL, CpuMask::one(CpuId::new(cpu)), at, ns);
    setup
}

/// A thread that measures on an otherwise idle CPU, due once at 100 us, in a run of 195 us.
fn alone(idle: IdleKind) -> Setup {
    let mut setup = bare(1, CostsName::Qspin2s);
    setup.machine.idle = idle;
    setup.tasks.push(task("measure", fifo(50), &[0], 0, cyclic(100 * US, 5 * MS, 2 * US)));
    setup.duration_ns = 195 * US;
    setup
}

fn latency(written: &Written) -> u64 {
    written.report.metrics.latency["measure"].max_ns
}

fn rows_of(written: &Written, kind: Kind, cpu: u32) -> Vec<(u64, u32, u32)> {
    let of = written.rows.iter().filter(|row| row.kind == kind && row.cpu == cpu);
    of.map(|row| (row.time, row.a, row.b)).collect()
}

#[test]
fn a_timer_that_is_due_in_a_stop_is_taken_when_the_cpu_goes_on_in_any_idle_state() {
    for idle in [IdleKind::Poll, IdleKind::Mwait, IdleKind::Halt] {
        let without = play(&alone(idle));
        let with = play(&with_smi(alone(idle), 98 * US, 50 * US));
        assert_eq!(latency(&with), latency(&without) + 48 * US);
        let mut expected = waterfall(&without, 0, 0);
        expected.insert(0, ("smi", 48_000));
        assert_eq!(waterfall(&with, 0, 0), expected, "{idle:?}");
        assert_eq!(rows_of(&with, Kind::CpuStop, 0), [(98 * US, SMI as u32, 50_000)]);
        assert_eq!(rows_of(&with, Kind::CpuGo, 0), [(148 * US, 50_000, 0)]);
    }
}

#[test]
fn a_stop_of_an_idle_cpu_that_nobody_needs_meanwhile_delays_nothing() {
    let without = play(&alone(IdleKind::Halt));
    let with = play(&with_smi(alone(IdleKind::Halt), 50 * US, 49 * US));
    // The next stop begins at 100 us: once the thread is due.
    let with_next = |written: &Written| rows_of(written, Kind::CpuStop, 0).len();
    assert_eq!((with_next(&with), rows_of(&with, Kind::CpuGo, 0)[0]), (3, (99 * US, 49_000, 0)));
    let late = play(&with_smi(alone(IdleKind::Halt), 97 * US, 2 * US));
    assert_eq!(latency(&late), latency(&without));
}

#[test]
fn a_stop_lengthens_what_runs_with_interrupts_off_by_its_length() {
    let mut setup = alone(IdleKind::Halt);
    let section = Op::Kernel {
        section: Section::IrqOff,
        ns: Amount::Fixed(60 * US),
        cond_resched: None,
        might_sleep: None,
    };
    setup.tasks.push(task("driver", fifo(10), &[0], 60 * US, once(&[section])));
    let (without, with) = (play(&setup), play(&with_smi(setup.clone(), 99 * US, 30 * US)));
    assert_eq!(latency(&with), latency(&without) + 30 * US);
    let blamed = |written: &Written| waterfall(written, 0, 0)[..3].to_vec();
    let [.., (cause, before), _] = blamed(&without)[..2] else { panic!("{:?}", blamed(&without)) };
    assert_eq!(cause, "irq_delay");
    assert_eq!(blamed(&with)[0], ("smi", 29_000));
    assert_eq!(blamed(&with)[1], ("irq_delay", before + 1_000));
    let off = |written: &Written| written.report.metrics.rq_lock.irq_off_max_ns;
    assert_eq!(off(&with), off(&without) + 30 * US, "the clock sees the stop, the kernel does not");
}

/// On CPU 0 a tick from 1000 us on holds its own run queue's lock for 50 us; at 1010 us a timer of
/// CPU 1 wakes a task of CPU 0 directly, and waits for that lock.
fn contended() -> Setup {
    let mut setup = costless(Version::V3_19, 2, 1_400 * US);
    (setup.machine.costs.tick_ns, setup.machine.costs.tick_skew_ns) = (50_000, 500_000);
    setup.kernel.ttwu_queue = TtwuQueue::Off;
    (setup.kernel.hz, setup.kernel.tick_phase_ns) = (1000, 0);
    setup.tasks.push(task("busy", fair(), &[0], 0, hog(10 * MS)));
    // The task slept on CPU 1, which a stronger task keeps, and may wake on CPU 0.
    setup.tasks.push(task("measure", fifo(50), &[0, 1], 0, cyclic(1_010 * US, 5 * MS, US)));
    setup.tasks.push(task("pin", fifo(90), &[1], 0, hog(10 * MS)));
    setup
}

/// CPUs that waited for the lock of CPU 0, each with the end and the length of its wait.
fn waited(written: &Written) -> Vec<(u32, u64, u32)> {
    let waits =
        |row: &&crate::support::judge::Row| row.kind == Kind::LockAcq && row.a == 0 && row.b > 0;
    written.rows.iter().filter(waits).map(|row| (row.cpu, row.time, row.b)).collect()
}

#[test]
fn a_stopped_cpu_keeps_its_locks_and_others_spin_for_as_long() {
    let without = waited(&play(&contended()));
    let with = waited(&play(&with_steal(contended(), 0, 1_020 * US, 100 * US)));
    let [(cpu, at, ns)] = without[..] else { panic!("{without:?}") };
    assert_eq!(with, [(cpu, at + 100 * US, ns + 100_000)]);
}

#[test]
fn a_lock_that_is_handed_to_a_stopped_cpu_is_its_own_when_it_goes_on() {
    let without = waited(&play(&contended()));
    let [(cpu, at, ns)] = without[..] else { panic!("{without:?}") };
    let until = 1_015 * US + 300 * US;
    let with = play(&with_steal(contended(), cpu, 1_015 * US, 300 * US));
    assert_eq!(waited(&with), [(cpu, until, ns + (until - at) as u32)]);
    let states = rows_of(&with, Kind::CpuState, cpu);
    let stopped: Vec<u64> = states
        .iter()
        .filter(|(_, state, _)| state & 255 == CpuState::Stopped as u32)
        .map(|(time, ..)| *time)
        .collect();
    assert_eq!(stopped, [1_015 * US]);
}

/// A timer on CPU 0 wakes the measuring thread on CPU 1, which is idle.
fn from_afar(idle: IdleKind, elide: IpiPollingElide) -> Setup {
    let mut setup = bare(2, CostsName::Ticket2012);
    setup.machine.idle = idle;
    setup.kernel.ipi_polling_elide = elide;
    setup.tasks.push(task("measure", fifo(50), &[0, 1], 0, cyclic(100 * US, 5 * MS, 2 * US)));
    setup.tasks.push(task("pin", fifo(90), &[0], 0, hog(900 * US)));
    setup.duration_ns = 195 * US;
    setup
}

#[test]
fn an_ipi_that_arrives_in_a_stop_is_pending_until_it_ends() {
    let setup = from_afar(IdleKind::Halt, IpiPollingElide::Off);
    let arrived = |written: &Written| rows_of(written, Kind::IpiArrive, 1);
    let (without, with) = (play(&setup), play(&with_steal(setup.clone(), 1, 100 * US, 60 * US)));
    assert_eq!(arrived(&with), arrived(&without));
    let (arrival, ..) = arrived(&with)[0];
    assert!(arrival < 160 * US, "{arrival}");
    assert_eq!(latency(&with), latency(&without) + (160 * US - arrival));
    let steal = waterfall(&with, 0, 0).iter().find(|(cause, _)| *cause == "steal").copied();
    assert!(steal.is_some_and(|(_, ns)| u64::from(ns) > 50 * US), "{steal:?}");
}

#[test]
fn a_polling_idle_cpu_sees_its_flag_when_it_goes_on() {
    let setup = from_afar(IdleKind::Poll, IpiPollingElide::ReschedAndCallfunc);
    let (without, with) = (play(&setup), play(&with_steal(setup.clone(), 1, 100 * US, 60 * US)));
    let seen = |written: &Written| {
        let exits = rows_of(written, Kind::CpuState, 1).into_iter();
        exits
            .filter(|(_, state, _)| state & 255 == CpuState::IdleExit as u32)
            .map(|row| row.0)
            .min()
    };
    assert_eq!(seen(&with), Some(160 * US));
    let flagged = seen(&without).expect("it wakes");
    assert_eq!(latency(&with), latency(&without) + (160 * US - flagged));
}

#[test]
fn stops_that_overlap_or_follow_each_other_are_one_and_each_part_has_its_source() {
    // The host from 90 to 110 us, the firmware from 105 to 120: 10, then 10 us.
    let mut setup = with_smi(alone(IdleKind::Halt), 105 * US, 15 * US);
    stop(&mut setup, STEAL, CpuMask::first(1), 90 * US, 20 * US);
    setup.duration_ns = 179 * US;
    let overlap = play(&setup);
    assert_eq!(waterfall(&overlap, 0, 0)[..2], [("steal", 5_000), ("smi", 15_000)]);
    assert_eq!(rows_of(&overlap, Kind::CpuGo, 0), [(120 * US, 30_000, 0)]);
    let noise = overlap.report.metrics.hw_noise.expect("there is noise");
    assert_eq!((noise.steal.count, noise.steal.stopped_ns), (1, 15 * US));
    assert_eq!((noise.smi.count, noise.smi.stopped_ns), (1, 15 * US));
    // The firmware from 105 to 120 us, then the host at once.
    let mut setup = with_smi(alone(IdleKind::Halt), 99 * US, 21 * US);
    stop(&mut setup, STEAL, CpuMask::first(1), 120 * US, 30 * US);
    let follows = play(&setup);
    assert_eq!(waterfall(&follows, 0, 0)[..2], [("smi", 20_000), ("steal", 30_000)]);
    assert_eq!(rows_of(&follows, Kind::CpuGo, 0), [(150 * US, 51_000, 0)]);
}

#[test]
fn work_ends_later_by_the_stops_and_a_loop_that_watches_the_clock_in_time() {
    let base = |op: Op| {
        let mut setup = costless(Version::V6_6, 1, 5 * MS);
        setup.tasks.push(task("works", fifo(10), &[0], 0, once(&[op])));
        setup
    };
    let ends = |setup: &Setup| ended(&play(setup), setup, "works.0");
    let (fixed, watching) =
        (base(work(2 * MS)), base(Op::RunFor { ns: 2 * MS, round_ns: 10 * US }));
    assert_eq!(ends(&with_smi(fixed.clone(), 700 * US, 100 * US)), ends(&fixed) + 300);
    assert_eq!(ends(&with_smi(watching.clone(), 700 * US, 100 * US)), ends(&watching));
    // A stop across the end of the loop's time: it finds that time over, and finishes its round.
    let across = ends(&with_smi(watching.clone(), 1_995 * US, 100 * US));
    assert!((2_095..=2_106).contains(&across), "{across}");
}

#[test]
fn a_task_is_charged_for_the_stop_and_has_no_user_time_of_it() {
    let mut setup = costless(Version::V6_6, 1, 950 * US);
    setup.tasks.push(task("works", fair(), &[0], 0, hog(10 * MS)));
    let written = play(&with_steal(setup, 0, 500 * US, 100 * US));
    let works = &written.report.metrics.tasks["works.0"];
    assert_eq!(works.run_ns - works.user_ns, 100 * US, "{} {}", works.run_ns, works.user_ns);
}

#[test]
fn each_cpu_is_stolen_by_itself_and_an_smi_stops_all_at_once() {
    let mut setup = costless(Version::V6_6, 3, 10 * MS);
    let gap = Amount::Uniform { min: 500 * US, max: 1_500 * US };
    let length = Amount::Uniform { min: US, max: 50 * US };
    for (source, cpus) in [(SMI, CpuMask::first(3)), (STEAL, CpuMask::first(2))] {
        stop(&mut setup, source, cpus, 1, 1);
        let load = setup.hw_noise[source as usize].as_mut().expect("just set");
        (load.gap, load.length) = (gap, length);
    }
    let written = play(&setup);
    let stops = |cpu, source: NoiseSource| {
        let mut rows = rows_of(&written, Kind::CpuStop, cpu);
        rows.retain(|(_, by, _)| *by == source as u32);
        rows
    };
    assert!(stops(0, SMI).len() > 5 && stops(0, STEAL).len() > 5);
    assert_eq!((stops(1, SMI), stops(2, SMI)), (stops(0, SMI), stops(0, SMI)));
    assert_ne!(stops(0, STEAL), stops(1, STEAL));
    assert_eq!(stops(2, STEAL), []);
    let noise = written.report.metrics.hw_noise.expect("there is noise");
    assert_eq!(noise.smi.count, 3 * stops(0, SMI).len() as u64);
}

#[test]
fn a_run_goes_on_from_a_snapshot_in_the_middle_of_a_stop() {
    let mut setup = bare(2, CostsName::Qspin2s);
    setup.duration_ns = 3 * MS;
    setup.tasks.push(task("measure", fifo(50), &[0], 0, cyclic(100 * US, 100 * US, 10 * US)));
    setup.tasks.push(task("other", fair(), &[0, 1], 0, forever(&[work(30 * US)])));
    let setup = with_steal(with_smi(setup, 130 * US, 40 * US), 0, 70 * US, 25 * US);
    let whole = play(&setup);
    let options = Options { window: Options::EVERYTHING, check_every: 1, ..Options::default() };
    let mut run = Run::new(&setup, options).expect("sound");
    for at in [140 * US, 265 * US, 290 * US] {
        run.advance(at, u64::MAX);
        assert!(run.sim().is_stopped(CpuId::FIRST), "CPU 0 is stopped at {at} ns");
        let snapshot = run.snapshot();
        run.advance(at + 500 * US, u64::MAX);
        run.restore(&snapshot);
    }
    run.advance(u64::MAX, u64::MAX);
    let again = written(&mut run);
    let figures = |written: &Written| serde_json::to_string(&written.report).expect("plain data");
    assert_eq!(figures(&again), figures(&whole));
    judge(&setup, &whole).expect("the laws hold");
}
