//! The generators `device_irq` and `rcu`: what interrupts CPUs besides the tick
//! (docs/model/time.md#device-interrupts, docs/model/time.md#rcu-callbacks).
//!
//! How often and how long depends on the device and on what the machine does: every number is
//! assumed.

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{
    Amount, DURATION_NS_MAX, DeviceIrqLoad, KernelWakee, Machine, Object, ObjectSpec, Op, Policy,
    RcuLoad, TimerSpec,
};

use super::generator::Generator;
use super::parts::{around, forever, listed_cpus, run_between, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType, SECOND_NS};
use crate::resolve::resolver::Resolver;
use crate::text::readable;

const WHY: &str = "assumed: it depends on the device";
const DEVICE_WAKES: &str = "workload.device_irq.wakes";
const NOCBS: &str = "workload.rcu.nocbs";

pub(super) const DEVICE_IRQ: Generator = Generator {
    name: "device_irq",
    kinds: &[],
    group: None,
    outside: "",
    knobs: device_irq_knobs,
    add: add_device_irq,
};

pub(super) const RCU: Generator = Generator {
    name: "rcu",
    kinds: &["rcuop"],
    group: None,
    outside: "",
    knobs: rcu_knobs,
    add: add_rcu,
};

fn device_irq_knobs() -> Vec<Knob> {
    vec![
        Knob::cpu_list(
            "workload.device_irq.cpus",
            "device's CPUs",
            "all",
            "CPUs that the device interrupts in turn (/proc/irq/*/smp_affinity_list): \"all\", or \
                a list such as \"0-3,8\".",
            "assumed: an interrupt for each CPU",
        ),
        time(
            "workload.device_irq.period",
            "device interrupts every",
            "1ms",
            "Mean time from one interrupt of the device to its next, on whatever CPU: drawn from \
                half of it to one and a half.",
            WHY,
        )
        .range(1_000, DURATION_NS_MAX)
        .words([("off", "never")]),
        time(
            "workload.device_irq.work_min",
            "least handler",
            "1us",
            "Shortest time of the handler, besides what any device interrupt costs.",
            WHY,
        )
        .range(0, SECOND_NS),
        time("workload.device_irq.work_max", "longest handler", "3us", "Longest one.", WHY)
            .range(0, SECOND_NS),
        time(
            "workload.device_irq.softirq",
            "device's softirq",
            "5us",
            "Time of the NET_RX softirq that each interrupt raises; 0us: none.",
            WHY,
        )
        .range(0, SECOND_NS),
        Knob::new(
            DEVICE_WAKES,
            "device wakes",
            KnobType::Text,
            "",
            "Task that each interrupt resumes (one that suspends), or semaphore that it posts; \
                none if empty. The softirq wakes it, or without one the handler.",
            WHY,
        ),
    ]
}

/// Whom the device's interrupts wake: an object that tasks wait on, by its name.
///
/// # Errors
/// No task suspends by that name, and no semaphore has it.
pub(crate) fn device_wakes(
    resolver: &mut Resolver<'_>,
    objects: &[ObjectSpec],
) -> Result<Option<KernelWakee>, Fault> {
    let name = resolver.word(DEVICE_WAKES)?.value;
    if name.is_empty() {
        return Ok(None);
    }
    let wakee = |(at, object): (usize, &ObjectSpec)| match object.object {
        _ if object.name != name => None,
        Object::Cond => Some(KernelWakee::Broadcast(at as u32)),
        Object::Semaphore { .. } => Some(KernelWakee::Post(at as u32)),
        _ => None,
    };
    objects.iter().enumerate().find_map(wakee).map(Some).ok_or_else(|| {
        let message =
            format!("no task suspends as \"{}\", and no semaphore has that name", readable(&name));
        Fault::new(None, DEVICE_WAKES, message).expected(
            "the name of a task with a suspend event, or of a semaphore that a task waits for",
        )
    })
}

fn rcu_knobs() -> Vec<Knob> {
    const WHY: &str = "assumed: it depends on what the machine does";
    vec![
        Knob::cpu_list(
            "workload.rcu.cpus",
            "CPUs with RCU callbacks",
            "all",
            "CPUs on which call_rcu() is called: \"all\", or a list such as \"0-3,8\".",
            WHY,
        ),
        time(
            "workload.rcu.period",
            "callback every",
            "500us",
            "Mean time from one callback of a busy CPU to its next: drawn from half of it to one \
                and a half.",
            WHY,
        )
        .range(1_000, DURATION_NS_MAX),
        time(
            "workload.rcu.grace",
            "grace period",
            "5ms",
            "Time from call_rcu() until the callback may run; the tick after it runs the callback.",
            "assumed: some ticks",
        )
        .range(0, 10 * SECOND_NS),
        time("workload.rcu.work", "callback takes", "1us", "Time that one callback takes.", WHY)
            .range(0, SECOND_NS),
        Knob::cpu_list(
            NOCBS,
            "rcu_nocbs",
            "none",
            "CPUs, as a list (\"2-5,7\"), whose callbacks a thread rcuop.<cpu> runs on the other \
                CPUs. CPUs of kernel.nohz_full are always among them.",
            "boot option rcu_nocbs",
        ),
    ]
}

fn time(
    path: &'static str,
    label: &'static str,
    default: &'static str,
    help: &'static str,
    why: &'static str,
) -> Knob {
    Knob::new(path, label, KnobType::Time, default, help, why)
}

fn add_device_irq(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let cpus = listed_cpus(resolver, machine, "workload.device_irq.cpus")?;
    let period = resolver.time("workload.device_irq.period")?.value;
    let work =
        run_between(resolver, "workload.device_irq.work_min", "workload.device_irq.work_max")?;
    let softirq_ns = resolver.amount("workload.device_irq.softirq")?.value;
    workload.device_irq =
        period.map(|ns| DeviceIrqLoad { cpus, gap: around(ns), work, softirq_ns, wakes: None });
    Ok(())
}

fn add_rcu(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let cpus = listed_cpus(resolver, machine, "workload.rcu.cpus")?;
    let period_ns = resolver.amount("workload.rcu.period")?.value;
    let grace_ns = resolver.amount("workload.rcu.grace")?.value;
    let work_ns = resolver.amount("workload.rcu.work")?.value;
    let stated = resolver.some_cpus(NOCBS, machine.topology.cpus())?;
    let offloaded =
        |cpu: &CpuId| stated.has(*cpu) || workload.nohz_full.is_some_and(|full| full.has(*cpu));
    let outside: CpuMask = machine.topology.cpu_ids().filter(|cpu| !offloaded(cpu)).collect();
    let own = cpus.and(&outside);
    let nocbs: Vec<CpuId> = cpus.iter().filter(offloaded).collect();
    workload.rcu = Some(RcuLoad { cpus: own, gap: around(period_ns), grace_ns, work_ns });
    if outside.is_empty() && !nocbs.is_empty() {
        let message = "with those of kernel.nohz_full these are all CPUs: none is left for the \
            threads that run the callbacks";
        return Err(Fault::new(None, NOCBS, message)
            .expected("a list that leaves out a CPU that kernel.nohz_full leaves out")
            .decided_with(["kernel.nohz_full"]));
    }
    nocbs.into_iter().for_each(|cpu| {
        rcuop(workload, cpu, outside, (grace_ns.max(period_ns), period_ns, work_ns));
    });
    Ok(())
}

/// The thread of an offloaded CPU: each grace period it runs as many callbacks as come in one on
/// average.
fn rcuop(
    workload: &mut Workload,
    cpu: CpuId,
    outside: CpuMask,
    (grace_ns, period_ns, work_ns): (u64, u64, u64),
) {
    let timer = workload.timers.len() as u32;
    workload.timers.push(TimerSpec { name: format!("rcuop.{cpu}") });
    let batch_ns = (grace_ns / period_ns).saturating_mul(work_ns);
    let ops = vec![
        Op::Timer { timer, period_ns: grace_ns, absolute: true },
        Op::Run { ns: Amount::Fixed(batch_ns) },
    ];
    let policy = Policy::Fair { nice: 0 };
    workload.tasks.push(task("rcuop", cpu.raw(), policy, outside, vec![forever(ops)]));
}
