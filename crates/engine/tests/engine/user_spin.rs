//! Spinning in user code, from the rows: for which lock, which task holds it, and when that task is
//! preempted.

use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::setup::{Amount, Object, Op, Setup};
use schedscope_engine::trace::catalogue::{CpuState, Kind, NONE, USER_LOCK, USER_LOCK_CPU};

use crate::support::build::{bare, fair, fifo, forever, object, once, task, work};
use crate::support::judge::{Row, Written, play};
use crate::support::{MS, US, user_spins};

/// Two fair tasks for each CPU, all of which want one lock, or one of each CPU.
fn crowd(cpus: u32, seed: u64, costs: CostsName, per_cpu: bool, sleeps: bool) -> Setup {
    let mut setup = bare(cpus, costs);
    (setup.seed, setup.duration_ns) = (seed, 40 * MS);
    let lock = object(&mut setup, Object::SpinLock { per_cpu });
    let all: Vec<u32> = (0..cpus).collect();
    let wants = match sleeps {
        true => Op::SpinOrSleep { lock, spin_ns: 45 * US, sleep_ns: MS, sleep_max_ns: 1_000 * MS },
        false => Op::SpinLock { lock },
    };
    for nth in 0..2 * cpus {
        let apart = Op::Run { ns: Amount::Uniform { min: 10 * US, max: 30 * US } };
        let ops = [apart, wants.clone(), work(2 * US), Op::SpinUnlock { lock }];
        setup.tasks.push(task(&format!("t{nth}"), fair(), &all, 0, forever(&ops)));
    }
    setup
}

/// ns of spinning: by the rows that end spins, by the lanes, by the report.
fn sums(setup: &Setup, written: &Written) -> [u64; 3] {
    let spins = user_spins::judge(setup, written).expect("the rows agree");
    let report = written.report.metrics.tasks.values().map(|task| task.spin_ns).sum();
    [spins.spun.values().sum(), spins.shown.values().sum(), report]
}

#[test]
fn spins_in_the_trace_add_up_to_the_report() {
    for cpus in [2, 3, 8] {
        for seed in 1..=3 {
            for (per_cpu, sleeps) in [(false, false), (true, false), (false, true)] {
                let setup = crowd(cpus, seed, CostsName::Qspin2s, per_cpu, sleeps);
                let written = play(&setup);
                let [ended, shown, report] = sums(&setup, &written);
                let what =
                    format!("{cpus} CPUs, seed {seed}, {per_cpu}, {sleeps}: {shown} {ended}");
                assert!(report > 0 || per_cpu, "{what}: somebody spins");
                // A spin that the end of the run cut off is only in the report.
                assert!(shown <= report && ended <= report, "{what} of {report}");
                assert!(report - ended <= 40 * MS * u64::from(cpus), "{what} of {report}");
            }
        }
    }
}

#[test]
fn without_interrupts_lanes_show_every_nanosecond_of_a_spin() {
    let mut setup = bare(2, CostsName::Zero);
    let lock = object(&mut setup, Object::SpinLock { per_cpu: false });
    let body = |ns| once(&[Op::SpinLock { lock }, work(ns), Op::SpinUnlock { lock }]);
    setup.tasks.push(task("holder", fifo(10), &[0], 0, body(100 * US)));
    setup.tasks.push(task("spinner", fifo(10), &[1], 30 * US, body(10 * US)));
    let written = play(&setup);
    assert_eq!(sums(&setup, &written), [70 * US; 3]);
    let lane = written.rows.iter().filter(|row| row.kind == Kind::CpuState && row.cpu == 1);
    let spins = |row: &Row| row.a & 255 == CpuState::UserSpin as u32;
    assert_eq!(lane.filter(|row| spins(row)).map(|row| row.time).collect::<Vec<_>>(), [30 * US]);
    let told = |kind: Kind| -> Vec<(u64, u32, u32)> {
        let rows = written.rows.iter().filter(|row| row.kind == kind);
        rows.map(|row| (row.time / US, row.a, row.b)).collect()
    };
    assert_eq!(told(Kind::UserSpin), [(30, lock, 1)]);
    assert_eq!(told(Kind::UserLockOwner), [(30, lock, 0), (100, lock, NONE)]);
    assert_eq!(told(Kind::UserSpinEnd), [(100, 1, 70_000)]);
    assert_eq!(told(Kind::UserLockOut), []);
}

#[test]
fn a_preempted_holder_is_told_with_its_lock() {
    let mut setup = bare(2, CostsName::Zero);
    let lock = object(&mut setup, Object::SpinLock { per_cpu: true });
    let body = |ns| once(&[Op::SpinLock { lock }, work(ns), Op::SpinUnlock { lock }]);
    setup.tasks.push(task("holder", fifo(10), &[1], 0, body(100 * US)));
    setup.tasks.push(task("strong", fifo(20), &[1], 40 * US, once(&[work(20 * US)])));
    let written = play(&setup);
    let out: Vec<&Row> = written.rows.iter().filter(|row| row.kind == Kind::UserLockOut).collect();
    let [out] = out[..] else { panic!("one preemption: {out:?}") };
    assert_eq!((out.time / US, out.cpu, out.b), (40, 1, 0));
    assert_eq!((USER_LOCK.of(out.a), USER_LOCK_CPU.of(out.a)), (lock, 1));
    assert!(!written.rows.iter().any(|row| row.kind == Kind::UserLockOwner), "nobody spins");
}
