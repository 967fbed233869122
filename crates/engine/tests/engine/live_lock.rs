//! The softirq live lock of May 2026 (docs/model/locks-and-ipis.md#softirq-live-lock): a CPU whose
//! softirqs fill two thirds of its time, RT tasks that wake on it, and other CPUs whose lowerings
//! keep the push chain calling on it.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{OverloadDef, Preempt, RtBalance};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{IdleKind, Program, Setup, SoftirqLoad, TaskSpec};

use crate::support::build::{bare, cyclic, fair, fifo, task};
use crate::support::{MS, US};

/// CPU 0 gets a 500 us tasklet every 750 us and a movable RT task every ms; the others run short RT
/// loops every 20 us.
fn storm(cpus: u32, phase_ns: u64) -> Setup {
    let mut setup = bare(cpus, CostsName::Qspin2s);
    setup.kernel.rt_balance = RtBalance::Ipi415;
    setup.kernel.overload_def = OverloadDef::PushableNonempty;
    setup.kernel.ksoftirqd_defers = false;
    setup.kernel.preempt = Preempt::Voluntary;
    setup.machine.idle = IdleKind::Mwait;
    setup.duration_ns = 900 * MS;
    let all: Vec<u32> = (0..cpus).collect();
    setup.tasks.push(task("starved", fifo(1), &all, 0, cyclic(10 * MS + phase_ns, MS, 20 * US)));
    for cpu in 1..cpus {
        let name = format!("storm{cpu}");
        setup.tasks.push(task(
            &name,
            fifo(50),
            &[cpu],
            0,
            cyclic(100 * US + u64::from(cpu) * 977, 20 * US, 2 * US),
        ));
    }
    let first_task = setup.tasks.len() as u32;
    setup.tasks.push(TaskSpec {
        measured: false,
        ..task("ksoftirqd", fair(), &[0], 0, Program::Ksoftirqd)
    });
    setup.softirq = Some(SoftirqLoad {
        cpus: CpuMask::one(CpuId::new(0)),
        period_ns: 750 * US,
        work_ns: 500 * US,
        first_task,
    });
    setup
}

/// The longest finished wait of the RT task of CPU 0 in ns, and how many of its wake-ups were
/// served.
fn served(setup: &Setup) -> (u64, u64) {
    let mut run =
        Run::new(setup, Options { check_every: 4096, ..Options::default() }).expect("sound");
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    let latency = &run.report().metrics.latency["starved"];
    (latency.max_ns, latency.count)
}

#[test]
fn with_the_chain_on_softirqs_starve_rt_tasks_for_more_than_100_ms_and_with_it_off_they_do_not() {
    for (cpus, phase_ns) in [(16, 300 * US), (20, 10 * US)] {
        let mut setup = storm(cpus, phase_ns);
        setup.kernel.rt_push_ipi = true;
        let (on, few) = served(&setup);
        assert!(on > 100 * MS, "{cpus} CPUs: {on} ns with the chain on, {few} wake-ups served");
        setup.kernel.rt_push_ipi = false;
        let (off, all) = served(&setup);
        assert!(off < 2 * MS, "{cpus} CPUs: {off} ns with the chain off");
        assert!(all >= 885 && few < all / 2, "{few} of {all}");
    }
}

#[test]
fn under_preempt_rt_softirqs_are_threads_and_nothing_starves() {
    let mut setup = storm(16, 300 * US);
    setup.duration_ns = 300 * MS;
    (setup.kernel.rt_push_ipi, setup.kernel.preempt) = (true, Preempt::Rt);
    let (waited, all) = served(&setup);
    assert!(waited < 2 * MS && all >= 285, "{waited} ns, {all} served");
}
