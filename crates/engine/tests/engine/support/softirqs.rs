//! Softirq load on random CPUs.

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Policy, Program, ROOT, Setup, SoftirqLoad, TaskSpec};

use super::US;
use super::random::Dice;

/// Gives `setup` tasklets on some of its CPUs, from a trickle to nine tenths of their time, with
/// their ksoftirqd threads.
pub fn load(dice: &mut Dice, setup: &mut Setup) {
    let cpus = setup.machine.topology.cpus();
    let mut on: CpuMask = CpuMask::first(cpus).iter().filter(|_| dice.chance(30)).collect();
    on.set(CpuId::new(dice.below(u64::from(cpus)) as u32));
    let period_ns = dice.between(20 * US, 500 * US);
    let work_ns = dice.between(1, period_ns * 9 / 10);
    let first_task = setup.tasks.len() as u32;
    setup.tasks.extend(on.iter().map(ksoftirqd));
    setup.softirq = Some(SoftirqLoad { cpus: on, period_ns, work_ns, first_task });
}

fn ksoftirqd(cpu: CpuId) -> TaskSpec {
    TaskSpec {
        kind: "ksoftirqd".to_owned(),
        name: format!("ksoftirqd/{cpu}"),
        policy: Policy::Fair { nice: 0 },
        cpus: CpuMask::one(cpu),
        start_ns: 0,
        measured: false,
        group: ROOT,
        slice_ns: None,
        forked: false,
        program: Program::Ksoftirqd,
    }
}

/// The remaining load when only the tasks of `cut` remain.
pub fn left(load: Option<SoftirqLoad>, cut: &Setup) -> Option<SoftirqLoad> {
    let of_load = |task: &TaskSpec| task.program == Program::Ksoftirqd;
    let first_task = cut.tasks.iter().position(of_load)? as u32;
    let cpus =
        cut.tasks.iter().filter(|task| of_load(task)).filter_map(|task| task.cpus.last()).collect();
    load.map(|load| SoftirqLoad { cpus, first_task, ..load })
}
