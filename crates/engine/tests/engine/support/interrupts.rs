//! A device with an affinity and RCU callbacks, on random CPUs.

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{
    Amount, DeviceIrqLoad, KernelWakee, Object, ObjectSpec, RcuLoad, Setup,
};

use super::random::Dice;
use super::{MS, US};

/// The first condition or semaphore, if tasks share one.
fn whom(setup: &Setup) -> Option<KernelWakee> {
    let wakee = |(at, spec): (usize, &ObjectSpec)| match spec.object {
        Object::Cond => Some(KernelWakee::Broadcast(at as u32)),
        Object::Semaphore { .. } => Some(KernelWakee::Post(at as u32)),
        _ => None,
    };
    setup.objects.iter().enumerate().find_map(wakee)
}

/// A device, RCU callbacks or both.
pub fn load(dice: &mut Dice, setup: &mut Setup) {
    let which = dice.below(3);
    if which != 1 {
        let gap = dice.between(5 * US, 300 * US).max(setup.duration_ns / 2_000);
        let (longest, most) = (dice.pick(&[1, 2 * US, 20 * US]), dice.pick(&[10 * US, gap / 2]));
        setup.device_irq = Some(DeviceIrqLoad {
            cpus: some_cpus(dice, setup),
            gap: Amount::Uniform { min: gap / 2, max: 3 * gap / 2 },
            work: Amount::Uniform { min: 0, max: longest },
            softirq_ns: if dice.chance(30) { 0 } else { dice.below(most) },
            wakes: whom(setup),
        });
    }
    if which != 0 {
        let cpus = some_cpus(dice, setup);
        let full = setup.kernel.nohz_full;
        let gap = dice.between(10 * US, 2 * MS);
        setup.rcu = Some(RcuLoad {
            cpus: cpus.iter().filter(|cpu| !full.has(*cpu)).collect(),
            gap: Amount::Uniform { min: gap / 2, max: 3 * gap / 2 },
            grace_ns: dice.below(5 * MS),
            work_ns: dice.below(gap / 4),
        });
    }
}

fn some_cpus(dice: &mut Dice, setup: &Setup) -> CpuMask {
    let cpus = setup.machine.topology.cpus();
    let mut on: CpuMask = CpuMask::first(cpus).iter().filter(|_| dice.chance(50)).collect();
    on.set(CpuId::new(dice.below(u64::from(cpus)) as u32));
    on
}

/// Leaves `setup` the part of its loads on the CPUs of `left`.
pub fn narrow(setup: &mut Setup, left: &CpuMask) {
    setup.device_irq = setup
        .device_irq
        .map(|load| DeviceIrqLoad { cpus: load.cpus.and(left), ..load })
        .filter(|load| !load.cpus.is_empty());
    setup.rcu = setup.rcu.map(|load| RcuLoad { cpus: load.cpus.and(left), ..load });
}
