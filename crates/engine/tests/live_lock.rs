//! The softirq live lock of May 2026 (spec C.6, H.6).

mod support;

use schedscope_engine::kernel::config::{OverloadDef, Preempt, RtBalance};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::run::{Options, Run};
use schedscope_engine::setup::{Program, Setup, SoftirqLoad, TaskSpec};
use support::build::{bare, cyclic, fair, fifo, task};
use support::{MS, US};

fn storm(cpus: u32, interval: u64, on: bool) -> Setup {
    let mut setup = bare(cpus, CostsName::Qspin2s);
    setup.kernel.rt_balance = RtBalance::Ipi415;
    setup.kernel.rt_push_ipi = on;
    setup.kernel.overload_def = OverloadDef::PushableNonempty;
    setup.kernel.ksoftirqd_defers = false;
    setup.kernel.preempt = Preempt::None;
    setup.duration_ns = 1000 * MS;
    for cpu in 1..cpus {
        setup.tasks.push(task("storm", fifo(50), &[cpu], 0, cyclic(100 * US + u64::from(cpu) * 977, interval, 2 * US)));
    }
    let all: Vec<u32> = (0..cpus).collect();
    let psimon = TaskSpec { name: "psimon.0".to_owned(), ..task("psimon", fifo(1), &all, 0, cyclic(10 * MS + 300 * US, 1 * MS, 20 * US)) };
    setup.tasks.insert(0, psimon);
    let first_task = setup.tasks.len() as u32;
    setup.tasks.push(TaskSpec { cpus: CpuMask::one(0), ..task("ksoftirqd", fair(), &[0], 0, Program::Ksoftirqd) });
    setup.softirq = Some(SoftirqLoad { cpus: CpuMask::one(0), period_ns: 750 * US, work_ns: 500 * US, first_task });
    setup
}

#[test]
fn probe() {
    for (cpus, interval) in [(16, 20), (24, 20), (32, 20)] {
        for on in [false, true] {
            let setup = storm(cpus, interval * US, on);
            let mut run = Run::new(&setup, Options { check_every: 4096, ..Options::default() }).expect("sound");
            let progress = run.advance(u64::MAX, u64::MAX);
            let report = run.report();
            let latency = &report.metrics.latency["psimon"];
            println!(
                "{cpus} CPUs every {interval} us, on {on}: {progress:?} psimon n {} max {} us unfinished {} rto {:?} records {}",
                latency.count,
                latency.max_ns / 1000,
                latency.unfinished,
                report.metrics.ipi.rto_push,
                report.records
            );
        }
    }
}
