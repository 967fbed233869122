//! Small machines with a handful of tasks, for tests that know every event by hand.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Kernel, RtBalance, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::{CpuMask, Topology};
use schedscope_engine::setup::{
    Amount, GroupSpec, Object, ObjectSpec, Op, Phase, Policy, Program, Rounds, Setup, TaskSpec,
    Until,
};

use super::{MS, US, machine, with_balance};

/// A machine of one package without tasks, the kernel of 3.19 and 10 ms to run.
pub fn bare(cpus: u32, costs: CostsName) -> Setup {
    let mut machine = machine(cpus, costs);
    machine.topology = Topology::new(cpus, cpus);
    let kernel = Kernel::of_version(Version::V3_19, cpus);
    Setup {
        seed: 1,
        duration_ns: 10 * MS,
        machine,
        kernel,
        tasks: Vec::new(),
        objects: Vec::new(),
        timers: Vec::new(),
        quantiles: Vec::new(),
        noise: None,
        softirq: None,
        hw_noise: [None; 2],
        device_irq: None,
        rcu: None,
        groups: vec![GroupSpec::root()],
    }
}

/// A SCHED_FIFO policy.
pub fn fifo(rt_priority: u8) -> Policy {
    Policy::Fifo { rt_priority }
}

/// A SCHED_OTHER policy, nice 0.
pub fn fair() -> Policy {
    Policy::Fair { nice: 0 }
}

/// A task; its kind is its name.
pub fn task(name: &str, policy: Policy, cpus: &[u32], start_ns: u64, program: Program) -> TaskSpec {
    TaskSpec {
        kind: name.to_owned(),
        name: format!("{name}.0"),
        policy,
        cpus: cpus.iter().copied().map(CpuId::new).collect::<CpuMask>(),
        start_ns,
        measured: true,
        group: 0,
        slice_ns: None,
        forked: false,
        program,
    }
}

/// A program that does `ops` once and ends.
pub fn once(ops: &[Op]) -> Program {
    Program::Ops {
        loops: Some(1),
        phases: vec![Phase { rounds: Rounds::Times(1), ops: ops.to_vec() }],
    }
}

/// A program that does `ops` for ever.
pub fn forever(ops: &[Op]) -> Program {
    Program::Ops { loops: None, phases: vec![Phase { rounds: Rounds::Endless, ops: ops.to_vec() }] }
}

/// User work.
pub fn work(ns: u64) -> Op {
    Op::Run { ns: Amount::Fixed(ns) }
}

pub fn pause(ns: u64) -> Op {
    Op::Sleep { ns: Amount::Fixed(ns) }
}

/// Runs in user mode for `ns`, then ends.
pub fn hog(ns: u64) -> Program {
    once(&[work(ns)])
}

/// A measuring thread.
pub fn cyclic(first_due_ns: u64, interval_ns: u64, body_ns: u64) -> Program {
    Program::Cyclictest { first_due_ns, interval_ns, body_ns, extra_ns: 0, until: Until::default() }
}

/// One more object; its index.
pub fn object(setup: &mut Setup, object: Object) -> u32 {
    let name = format!("object{}", setup.objects.len());
    setup.objects.push(ObjectSpec { name, object });
    setup.objects.len() as u32 - 1
}

/// `lower` CPUs end their strong work at the same instant while `overloaded` CPUs each have one
/// task waiting: task i sleeps on CPU i and wakes when every CPU is busy. Fair tasks are not
/// balanced: there are none, and the CPUs would be a search apart when they idle.
pub fn burst(lower: u32, overloaded: u32, balance: RtBalance) -> Setup {
    let cpus = lower + overloaded;
    let mut setup =
        with_balance(bare(cpus, CostsName::Ticket2012), balance, balance.has_push_ipi_bit());
    let all: Vec<u32> = (0..cpus).collect();
    for cpu in 0..overloaded {
        setup.tasks.push(task(&format!("waits{cpu}"), fifo(50), &all, 50 * US, hog(5 * MS)));
    }
    for cpu in 0..cpus {
        let ns = if cpu < overloaded { 9 * MS } else { 200 * US };
        setup.tasks.push(task(&format!("strong{cpu}"), fifo(90), &[cpu], 10 * US, hog(ns)));
    }
    setup.duration_ns = MS;
    setup.kernel.load_balance = false;
    setup
}

/// `cpus` CPUs at 1000 Hz without costs.
pub fn costless(version: Version, cpus: u32, duration_ns: u64) -> Setup {
    let mut setup = bare(cpus, CostsName::Zero);
    setup.kernel = Kernel::of_version(version, cpus);
    setup.duration_ns = duration_ns;
    setup
}
