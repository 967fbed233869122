//! How a random machine's CPUs hang together, and the policies of its fair tasks.

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Op, Policy, Program, Setup};

use super::random::Dice;

/// On one machine of four, cores of two to four hardware threads, at any pace beside one another.
pub fn cores(dice: &mut Dice, setup: &mut Setup) {
    if !dice.chance(25) {
        return;
    }
    let topology = &mut setup.machine.topology;
    *topology = topology.with_threads(dice.between(2, 4) as u32, dice.between(10, 100) as u32);
}

/// Two or three exclusive partitions of CPUs drawn one by one; each task lives in one of them.
pub fn partition(dice: &mut Dice, setup: &mut Setup) {
    let mut domains = vec![CpuMask::EMPTY; dice.between(2, 3) as usize];
    for cpu in setup.machine.topology.cpu_ids() {
        let at = dice.below(domains.len() as u64) as usize;
        domains[at].set(cpu);
    }
    domains.retain(|domain| !domain.is_empty());
    for task in &mut setup.tasks {
        let domain = domains[dice.below(domains.len() as u64) as usize];
        let inside = domain.and(&task.cpus);
        task.cpus = if inside.is_empty() { domain } else { inside };
    }
    setup.machine.domains = domains;
}

/// A quarter of the fair tasks, and of the changes to a fair policy, are SCHED_IDLE.
pub fn idle_policies(dice: &mut Dice, setup: &mut Setup) {
    let mut lower = |policy: &mut Policy| {
        if policy.class().row().has_vruntime && dice.chance(25) {
            *policy = Policy::Idle;
        }
    };
    for task in &mut setup.tasks {
        lower(&mut task.policy);
        let Program::Ops { phases, .. } = &mut task.program else { continue };
        for op in phases.iter_mut().flat_map(|phase| &mut phase.ops) {
            if let Op::SetPolicy { policy } = op {
                lower(policy);
            }
        }
    }
}
