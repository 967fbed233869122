//! The generator `database`: backends that take one user-space spin lock in each transaction, and
//! perhaps a page fault under it (docs/model/programs.md#database).

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Amount, Machine, Object, Op, Policy};

use super::generator::Generator;
use super::parts::{count, forever, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::resolver::Resolver;

const SECOND_NS: u64 = 1_000_000_000;
/// MIN_DELAY_USEC and MAX_DELAY_USEC of PostgreSQL's s_lock.c.
const SLEEP_NS: u64 = 1_000_000;
const SLEEP_MAX_NS: u64 = SECOND_NS;

pub(super) const GENERATOR: Generator = Generator {
    name: "database",
    kinds: &["backend"],
    group: Some("workload.database.group"),
    outside: "",
    knobs,
    add,
};

fn knobs() -> Vec<Knob> {
    use KnobType::{Boolean, Integer, Time};
    const ASSUMED: &str = "assumed";
    let time = |path, label, default: &'static str, doc, source| {
        Knob::new(path, label, Time, default, doc, source).range(0, SECOND_NS)
    };
    vec![
        Knob::new(
            "workload.database.backends",
            "backends",
            Integer,
            "auto",
            "Processes of the database, one for each client.",
            ASSUMED,
        )
        .range(1, 4_096)
        .words([("auto", "two for each CPU of the machine")]),
        time(
            "workload.database.work",
            "work",
            "60us",
            "CPU time of a transaction outside the lock: half to one and a half times this.",
            ASSUMED,
        ),
        time(
            "workload.database.locked",
            "locked work",
            "1us",
            "CPU time under the spin lock.",
            ASSUMED,
        ),
        time(
            "workload.database.fault",
            "page fault",
            "2us",
            "CPU time of a page fault under the lock, in the kernel.",
            ASSUMED,
        ),
        Knob::new(
            "workload.database.fault_share",
            "faults under lock",
            Integer,
            100,
            "Times in a thousand that a page fault comes under the lock. 0: huge pages.",
            ASSUMED,
        )
        .range(0, 1_000),
        time(
            "workload.database.wait",
            "wait",
            "0us",
            "Sleep after each transaction: the client and the disk. 0: none.",
            ASSUMED,
        ),
        time(
            "workload.database.spin",
            "patience",
            "45us",
            "How long a backend spins before it sleeps for 1 ms or more. 0: it spins without end.",
            "PostgreSQL's s_lock.c: 1000 spins at most; assumed: 45 ns for each",
        ),
        Knob::new(
            "workload.database.slice_extension",
            "asks for extension",
            Boolean,
            true,
            "Whether a backend asks for a slice extension while it holds the lock.",
            "S. Rostedt's patch of PostgreSQL, October 2023, does; PostgreSQL as released does not",
        ),
    ]
}

fn add(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let cpus = machine.topology.cpus();
    let stated = resolver.integer("workload.database.backends")?.value;
    let backends = stated
        .map_or(2 * cpus, |backends| u32::try_from(backends).expect("the table's maximum fits"));
    let extends = resolver.flag("workload.database.slice_extension")?;
    let share_milli = count(resolver, "workload.database.fault_share")?;
    let mut time = |path| resolver.amount(path).map(|stated| stated.value);
    let work = time("workload.database.work")?;
    let locked = time("workload.database.locked")?;
    let fault = time("workload.database.fault")?;
    let wait = time("workload.database.wait")?;
    let spin_ns = time("workload.database.spin")?;
    let lock = workload.object("spin lock", Object::SpinLock { per_cpu: false });
    for backend in 0..backends {
        let begun = workload.object("transaction", Object::Stamp);
        let mut ops = vec![
            Op::Stamp { stamp: begun },
            Op::Run { ns: Amount::Uniform { min: work / 2, max: work / 2 + work } },
            match spin_ns {
                0 => Op::SpinLock { lock },
                _ => Op::SpinOrSleep {
                    lock,
                    spin_ns,
                    sleep_ns: SLEEP_NS,
                    sleep_max_ns: SLEEP_MAX_NS,
                },
            },
        ];
        ops.extend(extends.then_some(Op::SliceRequest));
        ops.push(Op::PageFault { ns: Amount::Fixed(fault), share_milli });
        ops.extend([Op::Run { ns: Amount::Fixed(locked) }, Op::SpinUnlock { lock }]);
        ops.extend(extends.then_some(Op::SliceYield));
        ops.push(Op::Sample { stamp: begun });
        ops.extend((wait > 0).then_some(Op::Sleep { ns: Amount::Fixed(wait) }));
        let all = CpuMask::first(cpus);
        workload.tasks.push(task(
            "backend",
            backend,
            Policy::Fair { nice: 0 },
            all,
            vec![forever(ops)],
        ));
    }
    Ok(())
}
