//! The generator `softirq`: a timer interrupt that leaves tasklet work behind on every round (the
//! live lock of 2026).
//!
//! The report behind commit dd29c017aed6 (May 2026) has 500 us of softirq work every 750 us on a
//! CPU the RT push chain also visits (docs/model/locks-and-ipis.md#softirq-live-lock).

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{
    Amount, Machine, Op, Policy, Program, SoftirqLoad, TaskSpec, TimerSpec,
};

use super::generator::Generator;
use super::parts::{forever, listed_cpus, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::resolver::Resolver;

const SECOND_NS: u64 = 1_000_000_000;
/// The report's loops on the other CPUs: SCHED_FIFO 50. Their length is assumed.
const LOOP: (Policy, Amount) = (Policy::Fifo { rt_priority: 50 }, Amount::Fixed(2_000));
/// The first loop starts this long after CPU 0 would.
const LOOPS_START_NS: u64 = 100_000;

pub(super) const GENERATOR: Generator = Generator {
    name: "softirq",
    kinds: &["ksoftirqd", "rt_loop"],
    group: None,
    outside: "",
    knobs,
    add,
};

fn knobs() -> Vec<Knob> {
    const MAY_2026: &str =
        "log of commit dd29c017aed6 (May 2026): softirqs run 500 of every 750 µs";
    vec![
        Knob::cpu_list(
            "workload.softirq.cpus",
            "softirq CPUs",
            "0",
            "CPUs with the load: \"all\", or a list such as \"0-3,8\".",
            "assumed: one CPU",
        ),
        Knob::new(
            "workload.softirq.period",
            "softirq period",
            KnobType::Time,
            "750us",
            "Time between two interrupts that raise a softirq.",
            MAY_2026,
        )
        .range(1_000, SECOND_NS),
        Knob::new(
            "workload.softirq.work",
            "softirq work",
            KnobType::Time,
            "500us",
            "Time one softirq takes.",
            MAY_2026,
        )
        .range(1, SECOND_NS),
        Knob::new(
            "workload.softirq.lowering",
            "an RT task ends every",
            KnobType::Time,
            "0us",
            "Short SCHED_FIFO 50 loops on all other CPUs: one of them ends per time of this \
                length; 0us: none.",
            "assumed for the report's 190 loops",
        )
        .range(0, SECOND_NS),
    ]
}

fn add(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let count = machine.topology.cpus();
    let cpus = listed_cpus(resolver, machine, "workload.softirq.cpus")?;
    let period_ns = resolver.amount("workload.softirq.period")?.value;
    let work_ns = resolver.amount("workload.softirq.work")?.value;
    if work_ns >= period_ns {
        resolver.notes.push(
            "workload.softirq.work fills its period: on these CPUs hardly anything but softirqs \
                and ksoftirqd runs"
                .to_owned(),
        );
    }
    let first_task = u32::try_from(workload.tasks.len()).expect("tasks are counted in u32");
    workload.tasks.extend(cpus.iter().map(ksoftirqd));
    workload.softirq = Some(SoftirqLoad { cpus, period_ns, work_ns, first_task });
    let gap_ns = resolver.amount("workload.softirq.lowering")?.value;
    let others = machine.topology.cpu_ids().filter(|cpu| gap_ns > 0 && !cpus.has(*cpu));
    others.for_each(|cpu| rt_loop(workload, cpu, gap_ns, count));
    Ok(())
}

/// The loop of one CPU, whose turn comes once in as many gaps as there are CPUs.
fn rt_loop(workload: &mut Workload, cpu: CpuId, gap_ns: u64, count: u32) {
    let timer = workload.timers.len() as u32;
    workload.timers.push(TimerSpec { name: format!("rt_loop.{cpu}") });
    let (policy, run) = LOOP;
    let ops = vec![
        Op::Run { ns: run },
        Op::Timer { timer, period_ns: gap_ns * u64::from(count), absolute: true },
    ];
    let start_ns = LOOPS_START_NS + gap_ns * u64::from(cpu);
    workload.tasks.push(TaskSpec {
        start_ns,
        ..task("rt_loop", cpu.raw(), policy, CpuMask::one(cpu), vec![forever(ops)])
    });
}

/// The kernel's thread of one CPU.
fn ksoftirqd(cpu: CpuId) -> TaskSpec {
    TaskSpec {
        kind: "ksoftirqd".to_owned(),
        name: format!("ksoftirqd.{cpu}"),
        policy: Policy::Fair { nice: 0 },
        cpus: CpuMask::one(cpu),
        start_ns: 0,
        measured: true,
        group: 0,
        slice_ns: None,
        forked: false,
        program: Program::Ksoftirqd,
    }
}
