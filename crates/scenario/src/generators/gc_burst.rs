//! The generator `gc_burst`: a runtime that counts the machine's CPUs, not its quota, wakes as many
//! collectors at once and waits for all of them (docs/model/programs.md#gc-burst: GOMAXPROCS,
//! parallel GC).

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Amount, Machine, Object, Op, Policy};

use super::generator::Generator;
use super::parts::{forever, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::resolver::Resolver;

const SECOND_NS: u64 = 1_000_000_000;

pub(super) const GENERATOR: Generator = Generator {
    name: "gc_burst",
    kinds: &["gc_main", "gc_worker"],
    group: Some("workload.gc_burst.group"),
    outside: "",
    knobs,
    add,
};

fn knobs() -> Vec<Knob> {
    use KnobType::{Integer, Time};
    const WHY: &str = "assumed: N threads that burn 10 ms each at once";
    vec![
        Knob::new(
            "workload.gc_burst.threads",
            "threads",
            Integer,
            "auto",
            "Threads that work at the same time: those of a garbage collector, for example.",
            WHY,
        )
        .range(1, 4_096)
        .words([(
            "auto",
            "one for each CPU of the machine, as a runtime does that ignores its quota",
        )]),
        Knob::new(
            "workload.gc_burst.work",
            "work",
            Time,
            "10ms",
            "CPU time of each thread in a cycle.",
            WHY,
        )
        .range(1_000, 10 * SECOND_NS),
        Knob::new(
            "workload.gc_burst.period",
            "period",
            Time,
            "500ms",
            "Time from one cycle to the next; a late cycle starts at once.",
            WHY,
        )
        .range(1_000, 100 * SECOND_NS),
    ]
}

fn add(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let cpus = machine.topology.cpus();
    let stated = resolver.integer("workload.gc_burst.threads")?.value;
    let threads =
        stated.map_or(cpus, |threads| u32::try_from(threads).expect("the table's maximum fits"));
    let work = Amount::Fixed(resolver.amount("workload.gc_burst.work")?.value);
    let period_ns = resolver.amount("workload.gc_burst.period")?.value;
    let timer = workload.timers.len() as u32;
    workload.timers.push(schedscope_engine::setup::TimerSpec { name: "gc_cycle".to_owned() });
    let cycle = workload.object("cycle", Object::Stamp);
    let (start, end) = ("gc_start", "gc_end");
    let barrier = |workload: &mut Workload, name| {
        workload.object(name, Object::Barrier { parties: threads + 1, drawn: false })
    };
    let (start, end) = (barrier(workload, start), barrier(workload, end));
    let meet = |barrier| Op::Barrier { barrier, measured: true, stamp: None };
    let main = vec![
        Op::Timer { timer, period_ns, absolute: true },
        Op::Stamp { stamp: cycle },
        meet(start),
        meet(end),
        Op::Sample { stamp: cycle },
    ];
    let fair = Policy::Fair { nice: 0 };
    let all = CpuMask::first(cpus);
    workload.tasks.push(task("gc_main", 0, fair, all, vec![forever(main)]));
    for worker in 0..threads {
        let collect = vec![meet(start), Op::Run { ns: work }, meet(end)];
        workload.tasks.push(task("gc_worker", worker, fair, all, vec![forever(collect)]));
    }
    Ok(())
}
