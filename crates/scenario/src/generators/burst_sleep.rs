//! The generator `burst_sleep`: the probe that burns 5 ms by the clock, sleeps, and says how long
//! each burn took (kubernetes issue 67577; docs/model/programs.md#burst-and-sleep).

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Amount, Machine, Object, Op, Phase, Policy, Rounds};

use super::generator::Generator;
use super::parts::{count, once, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::resolver::Resolver;

/// CPU time between two looks at the clock; a round counts one loop.
pub const LOOK_NS: u64 = 1_000;
const SECOND_NS: u64 = 1_000_000_000;

pub(super) const GENERATOR: Generator = Generator {
    name: "burst_sleep",
    kinds: &[],
    group: Some("workload.burst_sleep.group"),
    outside: "",
    knobs,
    add,
};

fn knobs() -> Vec<Knob> {
    use KnobType::{Integer, Time};
    const PROBE: &str = "the Go probe of kubernetes issue 67577";
    vec![
        Knob::new(
            "workload.burst_sleep.iterations",
            "-iterations",
            Integer,
            100,
            "Number of \
            burns.",
            PROBE,
        )
        .range(1, 100_000),
        Knob::new(
            "workload.burst_sleep.sleep",
            "-sleep",
            Time,
            "1s",
            "Sleep after each burn.",
            PROBE,
        )
        .range(1_000, 100 * SECOND_NS),
        Knob::new(
            "workload.burst_sleep.burn",
            "burn",
            Time,
            "5ms",
            "Length of a burn in wall-clock time.",
            PROBE,
        )
        .range(1_000, SECOND_NS),
    ]
}

fn add(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let iterations = count(resolver, "workload.burst_sleep.iterations")?;
    let sleep = Amount::Fixed(resolver.amount("workload.burst_sleep.sleep")?.value);
    let burn_ns = resolver.amount("workload.burst_sleep.burn")?.value;
    let took = workload.object("burn", Object::Stamp);
    let burn = vec![
        Op::Stamp { stamp: took },
        Op::RunFor { ns: burn_ns, round_ns: LOOK_NS },
        Op::Sample { stamp: took },
        Op::Sleep { ns: sleep },
    ];
    // The first wake-up of a program is no activation: a short sleep before the first burn makes it
    // one.
    let phases = vec![
        once(vec![Op::Sleep { ns: Amount::Fixed(LOOK_NS) }]),
        Phase { rounds: Rounds::Times(iterations), ops: burn },
    ];
    let spec = task(
        "burst_sleep",
        0,
        Policy::Fair { nice: 0 },
        CpuMask::first(machine.topology.cpus()),
        phases,
    );
    workload.tasks.push(spec);
    Ok(())
}
