//! The generator `pipe`: two tasks that pass a message to and fro (perf bench sched pipe;
//! pipe-test-1m).
//!
//! ```text
//!   pipe.0   loops x { read 1, write 2 }           pipe.1   note the time ─ loops x { write 1, read 2 } ─ wait for pipe.0
//! ```

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Machine, Object, Op, Phase, Policy, Room, Rounds};

use super::generator::Generator;
use super::parts::{self, once, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::resolver::Resolver;

/// Messages of an int a page of a pipe holds, and all 16 of them; one is ever under way.
const PAGE: u32 = 1_024;
const CAPACITY: u32 = 16 * PAGE;

pub(super) const GENERATOR: Generator = Generator {
    name: "pipe",
    kinds: &[],
    group: Some("workload.pipe.group"),
    outside: "",
    knobs,
    add,
};

fn knobs() -> Vec<Knob> {
    const PERF: &str = "perf bench sched pipe";
    vec![
        Knob::new("workload.pipe.loops", "-l", KnobType::Integer, 1_000_000, "Round trips.", PERF)
            .range(1, 100_000_000),
        Knob::new(
            "workload.pipe.threaded",
            "-T",
            KnobType::Boolean,
            false,
            "Threads instead of processes.",
            PERF,
        ),
        Knob::new(
            "workload.pipe.cpus",
            "pipe CPUs",
            KnobType::Enum,
            "free",
            "Where the two may run.",
            "perf binds nothing, as taskset would",
        )
        .words([
            ("free", "anywhere"),
            ("two", "pipe.0 on CPU 0, pipe.1 on CPU 1"),
            ("one", "both on CPU 0"),
        ]),
    ]
}

fn add(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    const CPUS: &str = "workload.pipe.cpus";
    let count = machine.topology.cpus();
    let loops = parts::count(resolver, "workload.pipe.loops")?;
    resolver.flag("workload.pipe.threaded")?;
    resolver
        .inert("workload.pipe.threaded", "what an address space costs at a switch is not modelled");
    let placed = resolver.word(CPUS)?;
    if placed.value == "two" && count < 2 {
        return Err(Fault::new(placed.at, CPUS, "this machine has one CPU")
            .expected("\"one\" or \"free\", or a machine of two CPUs")
            .decided_with(["machine.cpus"]));
    }
    let cpus = |task: u32| match placed.value.as_str() {
        "two" => CpuMask::one(CpuId::new(task)),
        "one" => CpuMask::one(CpuId::new(0)),
        _ => CpuMask::first(count),
    };
    let queue = Object::Queue {
        capacity: CAPACITY,
        filled: 0,
        closed_when_empty: false,
        room: Room::Page(PAGE),
    };
    let pipe = |workload: &mut Workload, name| workload.object(name, queue);
    let (there, back) = (pipe(workload, "pipe 1"), pipe(workload, "pipe 2"));
    let start = workload.object("elapsed", Object::Stamp);
    let child = workload.object("child", Object::Semaphore { value: 0 });
    let fair = Policy::Fair { nice: 0 };
    let rounds = |ops| Phase { rounds: Rounds::Times(loops), ops };
    let answer = rounds(vec![Op::Get { queue: there, stamp: None }, Op::Put { queue: back }]);
    let ask = rounds(vec![Op::Put { queue: there }, Op::Get { queue: back, stamp: None }]);
    workload.tasks.push(task(
        "pipe",
        0,
        fair,
        cpus(0),
        vec![answer, once(vec![Op::SemPost { sem: child }])],
    ));
    let (first, last) = (
        once(vec![Op::Stamp { stamp: start }]),
        once(vec![Op::SemWait { sem: child }, Op::Sample { stamp: start }]),
    );
    workload.tasks.push(task("pipe", 1, fair, cpus(1), vec![first, ask, last]));
    Ok(())
}
