//! The generator `busy`: threads that never stop (docs/model/programs.md#busy-threads: ten of them
//! use up 50 ms of quota in 5 ms).

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Amount, Machine, Op, Policy};

use super::generator::Generator;
use super::parts::{count, forever, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::resolver::Resolver;

/// Work of one loop.
const LOOP_NS: u64 = 1_000_000;

pub(super) const GENERATOR: Generator = Generator {
    name: "busy",
    kinds: &[],
    group: Some("workload.busy.group"),
    outside: "",
    knobs,
    add,
};

fn knobs() -> Vec<Knob> {
    use KnobType::{Boolean, Integer};
    const WHY: &str = "the ten busy threads of the kernel's and Chiluk 2019's examples";
    vec![
        Knob::new("workload.busy.threads", "threads", Integer, 10, "Busy threads.", WHY)
            .range(1, 4_096),
        Knob::new(
            "workload.busy.pinned",
            "pinned",
            Boolean,
            true,
            "Thread n runs on CPU n mod CPUs; off: anywhere.",
            WHY,
        ),
    ]
}

fn add(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let threads = count(resolver, "workload.busy.threads")?;
    let pinned = resolver.flag("workload.busy.pinned")?;
    let cpus = machine.topology.cpus();
    for thread in 0..threads {
        let place =
            if pinned { CpuMask::one(CpuId::new(thread % cpus)) } else { CpuMask::first(cpus) };
        let work = forever(vec![Op::Run { ns: Amount::Fixed(LOOP_NS) }]);
        workload.tasks.push(task("busy", thread, Policy::Fair { nice: 0 }, place, vec![work]));
    }
    Ok(())
}
