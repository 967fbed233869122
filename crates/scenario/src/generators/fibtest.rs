//! The generator `fibtest`: threads that count Fibonacci numbers, one per CPU, most of them in
//! light wakes (Chiluk 2019; indeedeng/fibtest).
//!
//! ```text
//!   fast   until the end { 1 000 000 additions ─ look at the clock }
//!   slow   until the end { 100 additions ─ usleep(10 000) }
//! ```
//! Thread n runs on CPU n mod CPUs, and is fast if that is below `fast`.

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Amount, Machine, Op, Phase, Policy, Rounds, TaskSpec};

use super::generator::Generator;
use super::parts::{count, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::resolver::Resolver;

/// Additions between two looks of a fast thread at the clock.
const FAST_ADDITIONS: u64 = 1_000_000;
/// A slow thread's sleep: usleep(10000), and how much it varies besides the timer slack
/// (assumption; docs/model/programs.md#fibtest).
const USLEEP: Amount = Amount::Uniform { min: 10_000_000, max: 10_005_000 };
/// Threads are created this far apart (assumed).
const CREATION_NS: u64 = 20_000;
const SECOND_NS: u64 = 1_000_000_000;

pub(super) const GENERATOR: Generator = Generator {
    name: "fibtest",
    kinds: &["fast", "slow"],
    group: Some("workload.fibtest.group"),
    outside: "",
    knobs,
    add,
};

fn knobs() -> Vec<Knob> {
    use KnobType::{Boolean, Integer, Time};
    const FIBTEST: &str = "fibtest; Chiluk 2019";
    vec![
        Knob::new(
            "workload.fibtest.fast",
            "-f",
            Integer,
            1,
            "CPUs whose threads are fast.",
            FIBTEST,
        )
        .range(0, 1024),
        Knob::new(
            "workload.fibtest.threads",
            "-t",
            Integer,
            "auto",
            "Threads; at least as many as are fast.",
            FIBTEST,
        )
        .range(1, 4096)
        .words([("auto", "one for each CPU")]),
        Knob::new("workload.fibtest.seconds", "-s", Time, "5s", "How long it runs.", FIBTEST)
            .range(1_000_000, 3_600 * SECOND_NS),
        Knob::new(
            "workload.fibtest.verbose",
            "-v",
            Boolean,
            false,
            "Print each thread's iterations and last number.",
            FIBTEST,
        ),
        Knob::new(
            "workload.fibtest.light_wake",
            "light wake",
            Time,
            "3us",
            "Time charged to a slow thread per wake-up, kernel time included.",
            "assumed: Chiluk 2019 does not give it; 2 to 5 µs",
        )
        .range(0, 1_000_000),
        Knob::new(
            "workload.fibtest.rate",
            "additions per µs",
            Integer,
            1_000,
            "Additions of a thread per µs of CPU time.",
            "assumed: a free constant of calibration",
        )
        .range(1, 100_000),
    ]
}

fn add(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    const THREADS: &str = "workload.fibtest.threads";
    let cpus = machine.topology.cpus();
    let fast = count(resolver, "workload.fibtest.fast")?;
    let stated = resolver.integer(THREADS)?.value;
    let threads =
        stated.map_or(cpus, |threads| u32::try_from(threads).expect("the table's maximum fits"));
    if threads < fast {
        resolver.notes.push(format!(
            "{THREADS}: {threads} is raised to {fast}, the number of fast threads, as in the \
                program"
        ));
    }
    let end_ns = resolver.amount("workload.fibtest.seconds")?.value;
    resolver.flag("workload.fibtest.verbose")?;
    let light_ns = resolver.amount("workload.fibtest.light_wake")?.value;
    let rate = resolver.amount("workload.fibtest.rate")?.value;
    // A wake is charged for more than user code. The run-queue clock does not advance inside
    // schedule(), so one whole call of schedule() is added, and one way out of the kernel and back.
    let costs = &machine.costs;
    let kernel_ns = u64::from(
        costs.syscall_entry_ns + costs.syscall_exit_ns + costs.schedule_ns + costs.lock_local_ns,
    );
    if light_ns < kernel_ns {
        resolver.notes.push(format!(
            "workload.fibtest.light_wake: the kernel's part alone is {kernel_ns} ns on this machine"
        ));
    }
    let additions = |ns| Op::Run { ns: Amount::Fixed(ns) };
    let fast_ops = vec![additions(FAST_ADDITIONS * 1_000 / rate)];
    let slow_ops = vec![additions(light_ns.saturating_sub(kernel_ns)), Op::Sleep { ns: USLEEP }];
    for thread in 0..threads.max(fast) {
        let cpu = thread % cpus;
        let (kind, ops) =
            if cpu < fast { ("fast", fast_ops.clone()) } else { ("slow", slow_ops.clone()) };
        let until_the_end = Phase { rounds: Rounds::Until(end_ns), ops };
        let start_ns = u64::from(thread) * CREATION_NS;
        let spec = task(
            kind,
            thread,
            Policy::Fair { nice: 0 },
            CpuMask::one(CpuId::new(cpu)),
            vec![until_the_end],
        );
        workload.tasks.push(TaskSpec { start_ns, ..spec });
    }
    Ok(())
}
