//! The generator `thread_pool`: many workers behind one queue, each with a millisecond or two of
//! work at a time (docs/model/programs.md#thread-pool).

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Machine, Object, Op, Policy, Room};

use super::generator::Generator;
use super::parts::{Source, arrivals, check_size, client, count, forever, run_between, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::resolver::Resolver;

const SECOND_NS: u64 = 1_000_000_000;

pub(super) const GENERATOR: Generator = Generator {
    name: "thread_pool",
    kinds: &["pool_client", "pool_worker"],
    group: Some("workload.thread_pool.group"),
    outside: "pool_client",
    knobs,
    add,
};

fn knobs() -> Vec<Knob> {
    use KnobType::{Integer, Time};
    const WHY: &str =
        "assumed: Chiluk 2019 speaks of Java pools whose workers use 1 to 2 ms of a slice of 5 ms";
    vec![
        Knob::new(
            "workload.thread_pool.workers",
            "workers",
            Integer,
            200,
            "Workers of the pool.",
            WHY,
        )
        .range(1, 4_096),
        Knob::new(
            "workload.thread_pool.rate",
            "tasks per s",
            Integer,
            1_000,
            "Mean rate of tasks; exponential gaps.",
            WHY,
        )
        .range(1, 100_000),
        Knob::new(
            "workload.thread_pool.run_min",
            "least work",
            Time,
            "1ms",
            "Least CPU time of a task.",
            WHY,
        )
        .range(1_000, SECOND_NS),
        Knob::new(
            "workload.thread_pool.run_max",
            "most work",
            Time,
            "2ms",
            "Most CPU time of a task.",
            WHY,
        )
        .range(1_000, SECOND_NS),
    ]
}

fn add(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let workers = count(resolver, "workload.thread_pool.workers")?;
    let rate = resolver.amount("workload.thread_pool.rate")?.value;
    let run =
        run_between(resolver, "workload.thread_pool.run_min", "workload.thread_pool.run_max")?;
    let instants = arrivals(workload, Source::ThreadPool, SECOND_NS / rate);
    check_size(
        workers + 1,
        (instants.len() as u32).saturating_mul(2),
        &["workload.thread_pool.rate", "workload.thread_pool.workers", "duration"],
    )?;
    let cpus = CpuMask::first(machine.topology.cpus());
    // Every arrival finds room: it does not wait for the arrivals before it.
    let capacity = (instants.len() as u32).max(1);
    let queue = workload.object(
        "tasks",
        Object::Queue { capacity, filled: 0, closed_when_empty: false, room: Room::Message },
    );
    for worker in 0..workers {
        // A task waits from its arrival to its start, is worked on to its end, throttling included,
        // and both together are its answer.
        let [wait, work, answer] =
            ["wait", "work", "answer"].map(|name| workload.object(name, Object::Stamp));
        let ops = vec![
            Op::Get { queue, stamp: Some(wait) },
            Op::Sample { stamp: wait },
            Op::CopyStamp { from: wait, to: answer },
            Op::Stamp { stamp: work },
            Op::Run { ns: run },
            Op::Sample { stamp: work },
            Op::Sample { stamp: answer },
        ];
        workload.tasks.push(task(
            "pool_worker",
            worker,
            Policy::Fair { nice: 0 },
            cpus,
            vec![forever(ops)],
        ));
    }
    client("pool_client", workload, cpus, &instants, |_| vec![Op::Put { queue }]);
    Ok(())
}
