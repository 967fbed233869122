//! The generator `schbench`: message threads that wake workers in batches, and workers that measure
//! how late they run (docs/model/programs.md#schbench).
//!
//! ```text
//!   message  take the whole list ─ note the time once ─ wake each worker taken
//!   worker   enlist, wait ─ wake-up latency ─ sleep ─ work under the CPU's lock ─ request latency
//! ```

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Amount, Machine, Object, Op, Phase, Policy, Rounds};

use super::generator::Generator;
use super::parts::{self, check_size, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::resolver::Resolver;

/// schbench's README: the default 5 products of 104 x 104 matrices take about 16.9 ms, 3 ns a
/// multiply-add.
const MULTIPLY_ADD_NS: u64 = 3;
const SECOND_NS: u64 = 1_000_000_000;

pub(super) const GENERATOR: Generator = Generator {
    name: "schbench",
    kinds: &["schbench_message", "schbench_worker"],
    group: Some("workload.schbench.group"),
    outside: "",
    knobs,
    add,
};

fn knobs() -> Vec<Knob> {
    use KnobType::{Boolean, Integer, Time};
    const SCHBENCH: &str = "schbench";
    vec![
        Knob::new(
            "workload.schbench.message_threads",
            "-m",
            Integer,
            1,
            "Message threads.",
            SCHBENCH,
        )
        .range(1, 256),
        Knob::new(
            "workload.schbench.workers",
            "-t",
            Integer,
            "auto",
            "Workers of each message thread.",
            SCHBENCH,
        )
        .range(1, 1024)
        .words([("auto", "CPUs / message threads, rounded up")]),
        Knob::new(
            "workload.schbench.sleep",
            "-s",
            Time,
            "100us",
            "How long a request sleeps before its work.",
            SCHBENCH,
        )
        .range(0, SECOND_NS),
        Knob::new(
            "workload.schbench.cache_footprint",
            "-F",
            Integer,
            256,
            "KiB of the three matrices of a worker.",
            SCHBENCH,
        )
        .range(1, 65_536),
        Knob::new(
            "workload.schbench.operations",
            "-n",
            Integer,
            5,
            "Matrix products of a request.",
            SCHBENCH,
        )
        .range(1, 1_000),
        Knob::new(
            "workload.schbench.locking",
            "not -L",
            Boolean,
            true,
            "Work under a spin lock of the CPU, as without -L.",
            SCHBENCH,
        ),
    ]
}

fn add(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let count = machine.topology.cpus();
    let messages = parts::count(resolver, "workload.schbench.message_threads")?;
    let stated = resolver.integer("workload.schbench.workers")?.value;
    let workers = stated.map_or(count.div_ceil(messages), |workers| {
        u32::try_from(workers).expect("the table's maximum fits")
    });
    let sleep_ns = resolver.amount("workload.schbench.sleep")?.value;
    let footprint = resolver.amount("workload.schbench.cache_footprint")?.value;
    let operations = resolver.amount("workload.schbench.operations")?.value;
    let locking = resolver.flag("workload.schbench.locking")?;
    check_size(
        messages * (workers + 1),
        messages * workers * 8,
        &["workload.schbench.workers", "workload.schbench.message_threads", "machine.cpus"],
    )?;
    let work_ns = operations * matrix_side(footprint).pow(3) * MULTIPLY_ADD_NS;
    let cpus = CpuMask::first(count);
    let fair = Policy::Fair { nice: 0 };
    let lock = workload.object("per_cpu_locks", Object::SpinLock { per_cpu: true });
    for message in 0..messages {
        let list = workload.object(format!("list {message}"), Object::List);
        let woken = workload.object(format!("wakeup {message}"), Object::Stamp);
        let serve = Phase {
            rounds: Rounds::Endless,
            ops: vec![Op::TakeAll { list }, Op::ResumeAll { stamp: woken }],
        };
        workload.tasks.push(task("schbench_message", message, fair, cpus, vec![serve]));
        for worker in message * workers..(message + 1) * workers {
            let start = workload.object(format!("request {worker}"), Object::Stamp);
            let mut ops = vec![
                Op::Enlist { list },
                Op::Suspend,
                Op::Sample { stamp: woken },
                Op::Stamp { stamp: start },
            ];
            if sleep_ns > 0 {
                ops.push(Op::Sleep { ns: Amount::Fixed(sleep_ns) });
            }
            let work = Op::Run { ns: Amount::Fixed(work_ns) };
            ops.extend(if locking {
                vec![Op::SpinLock { lock }, work, Op::SpinUnlock { lock }]
            } else {
                vec![work]
            });
            ops.push(Op::Sample { stamp: start });
            workload.tasks.push(task(
                "schbench_worker",
                worker,
                fair,
                cpus,
                vec![Phase { rounds: Rounds::Endless, ops }],
            ));
        }
    }
    Ok(())
}

/// Rows of one of three square matrices of longs that fill so many KiB.
fn matrix_side(kib: u64) -> u64 {
    (kib * 1024 / 3 / 8).isqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_work_is_what_the_readme_measured() {
        assert_eq!(matrix_side(256), 104);
        assert_eq!(5 * matrix_side(256).pow(3) * MULTIPLY_ADD_NS, 16_872_960);
    }
}
