//! The generator `kernbench`: make with so many compilers at once, between two serial phases
//! (docs/model/programs.md#kernbench; Arora 2023).
//!
//! ```text
//!   make   note the time ─ configure ─ fork the compilers ─────────── wait for all ─ link ─ Elapsed Time
//!   cc     take a file ─ fork and exec ─ n x { compile 0.2..2 ms, system call 5..50 us (some then sleep) } ─ write out ─ next file
//!   kworker (one per CPU)   sleep about kworker_period ─ a little kernel work
//! ```
//! Compiler i is bound to CPU i mod CPUs: where load balancing puts it would add to the switches
//! that are compared.

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{
    Amount, Machine, NEVER, Object, Op, Phase, Policy, Program, Room, Rounds, Section, TaskSpec,
};

use super::generator::Generator;
use super::parts::{self, check_size, once, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::resolver::Resolver;

const SECOND_NS: u64 = 1_000_000_000;
const US: u64 = 1_000;
/// Assumption (docs/model/programs.md#kernbench): kernel time of fork and exec.
const FORK_EXEC: Amount = Amount::Uniform { min: 1_000 * US, max: 3_000 * US };
/// Assumption (docs/model/programs.md#kernbench): user time between two system calls or page
/// faults.
const COMPILE: Amount = Amount::Uniform { min: 200 * US, max: 2_000 * US };
/// Writing the object file (assumed).
const WRITE_OUT: Amount = Amount::Uniform { min: 100 * US, max: 500 * US };
/// Work of a kernel thread per wake-up (assumed).
const KWORKER: Amount = Amount::Uniform { min: 5 * US, max: 20 * US };
/// Assumption (docs/model/preemption.md#kernel-sections): cond_resched every 20 us, 500 us at the
/// 99th percentile.
const COND_RESCHED: Amount =
    Amount::LogNormal { median: 20 * US, sigma_milli: 1_384, max: 10_000 * US };
/// Spread of the files' sizes (assumed).
const FILE_SIGMA_MILLI: u32 = 600;

pub(super) const GENERATOR: Generator = Generator {
    name: "kernbench",
    kinds: &["make", "cc", "kworker"],
    group: Some("workload.kernbench.group"),
    outside: "kworker",
    knobs,
    add,
};

fn knobs() -> Vec<Knob> {
    use KnobType::{Enum, Integer, Time};
    const KERNBENCH: &str = "kernbench; Arora 2023";
    const ASSUMED: &str = "assumed: Arora 2023 gives only totals";
    vec![
        Knob::new(
            "workload.kernbench.load",
            "load",
            Enum,
            "half",
            "How many compilers run at once, if jobs is auto.",
            KERNBENCH,
        )
        .words([
            ("half", "make -j with half as many as there are CPUs"),
            ("optimal", "make -j with four for each CPU"),
            ("max", "make -j without a limit: a compiler for every file"),
        ]),
        Knob::new(
            "workload.kernbench.jobs",
            "-j",
            Integer,
            "auto",
            "Compilers at once.",
            KERNBENCH,
        )
        .range(1, 4096)
        .words([("auto", "by load")]),
        Knob::new("workload.kernbench.files", "files", Integer, 64, "Files to compile.", ASSUMED)
            .range(1, 4096),
        Knob::new(
            "workload.kernbench.rounds",
            "rounds per file",
            Integer,
            200,
            "Rounds of compiling and a system call per file, median.",
            ASSUMED,
        )
        .range(1, 1_000_000),
        Knob::new(
            "workload.kernbench.serial",
            "serial part",
            Time,
            "20ms",
            "User time of make alone, once before and once after the compilers.",
            ASSUMED,
        )
        .range(1_000, 100 * SECOND_NS),
        Knob::new(
            "workload.kernbench.kworker_period",
            "kworker period",
            Time,
            "20ms",
            "Mean time between two wake-ups of each CPU's kernel thread: the rate at which a \
                compiler may be preempted inside the kernel.",
            "assumed: Arora 2023 does not say how often a kernel section is preempted",
        )
        .range(100_000, 10 * SECOND_NS)
        .words([("off", "no kernel thread")]),
    ]
    .into_iter()
    .chain(call_knobs())
    .collect()
}

/// What the system calls of a round do.
fn call_knobs() -> [Knob; 3] {
    [
        Knob::new(
            "workload.kernbench.sleeping_calls",
            "calls that sleep",
            KnobType::Integer,
            0,
            "How many of 1000 system calls sleep at their end. Such a call makes two context \
                switches if it is preempted before, else one.",
            "assumed: Arora 2023 does not say how many",
        )
        .range(0, 1_000),
        Knob::new(
            "workload.kernbench.call_sleep",
            "call sleep",
            KnobType::Time,
            "200us",
            "Mean sleep of such a call, drawn from 0.5 to 1.5 times this.",
            "assumed: a read from a disk or an answer of another process",
        )
        .range(1_000, SECOND_NS),
        Knob::new(
            "workload.kernbench.call_work",
            "call work",
            KnobType::Time,
            "27500ns",
            "Mean kernel time of a system call of a round, drawn from 2/11 to 20/11 of this: 5 to \
                50 µs.",
            "assumed 5 to 50 µs; Arora 2023's stime is 0.144 of its utime, which this reaches at \
                160us",
        )
        .range(1_000, SECOND_NS),
    ]
}

fn calls(resolver: &mut Resolver<'_>) -> Result<Calls, Fault> {
    let calls = Calls {
        work_ns: resolver.amount("workload.kernbench.call_work")?.value,
        sleeping_milli: parts::count(resolver, "workload.kernbench.sleeping_calls")?,
        sleep_ns: resolver.amount("workload.kernbench.call_sleep")?.value,
    };
    if calls.sleeping_milli == 0 {
        resolver.inert("workload.kernbench.call_sleep", "workload.kernbench.sleeping_calls is 0");
    }
    Ok(calls)
}

/// Compilers at once, no more than there are files: as many as are stated, or those of a kind of
/// load.
fn jobs(stated: Option<u64>, load: &str, cpus: u32, files: u32) -> u32 {
    let by_load = match load {
        "half" => (cpus / 2).max(1),
        "optimal" => cpus * 4,
        _ => files,
    };
    stated.map_or(by_load, |jobs| u32::try_from(jobs).expect("the table's maximum fits")).min(files)
}

fn add(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let count = machine.topology.cpus();
    let load = resolver.word("workload.kernbench.load")?.value;
    let stated = resolver.integer("workload.kernbench.jobs")?.value;
    let files = parts::count(resolver, "workload.kernbench.files")?;
    let rounds = resolver.amount("workload.kernbench.rounds")?.value;
    let serial_ns = resolver.amount("workload.kernbench.serial")?.value;
    let kworker_ns = resolver.time("workload.kernbench.kworker_period")?.value;
    let calls = calls(resolver)?;
    if stated.is_some() {
        resolver.inert("workload.kernbench.load", "jobs says how many");
    }
    let jobs = jobs(stated, &load, count, files);
    check_size(
        jobs + count + 1,
        jobs * 7,
        &[
            "workload.kernbench.jobs",
            "workload.kernbench.files",
            "workload.kernbench.load",
            "machine.cpus",
        ],
    )?;
    let fair = Policy::Fair { nice: 0 };
    let pool = workload.object(
        "files",
        Object::Queue {
            capacity: files,
            filled: files,
            closed_when_empty: true,
            room: Room::Message,
        },
    );
    let done = workload.object("done", Object::Semaphore { value: 0 });
    let start = workload.object("elapsed", Object::Stamp);
    let serial = || Op::Run { ns: Amount::Fixed(serial_ns) };
    let wait = Phase { rounds: Rounds::Times(files), ops: vec![Op::SemWait { sem: done }] };
    let first_job = workload.tasks.len() as u32 + 1;
    let forks = (first_job..first_job + jobs).map(|task| Op::Fork { task });
    let first = once([Op::Stamp { stamp: start }, serial()].into_iter().chain(forks).collect());
    let make = vec![first, wait, once(vec![serial(), Op::Sample { stamp: start }])];
    workload.tasks.push(task("make", 0, fair, CpuMask::first(count), make));
    for job in 0..jobs {
        let cc = task("cc", job, fair, CpuMask::one(CpuId::new(job % count)), Vec::new());
        let program = Program::Ops { loops: None, phases: compiler(pool, done, rounds, calls) };
        workload.tasks.push(TaskSpec {
            start_ns: NEVER,
            measured: false,
            group: 0,
            slice_ns: None,
            forked: true,
            program,
            ..cc
        });
    }
    if let Some(period_ns) = kworker_ns {
        workload.tasks.extend(
            machine
                .topology
                .cpu_ids()
                .map(|cpu| task("kworker", cpu.raw(), fair, CpuMask::one(cpu), kworker(period_ns)))
                .map(|kworker| TaskSpec { forked: true, ..kworker }),
        );
    }
    Ok(())
}

/// The system calls of a round.
#[derive(Clone, Copy)]
struct Calls {
    work_ns: u64,
    sleeping_milli: u32,
    sleep_ns: u64,
}

impl Calls {
    fn op(self) -> Op {
        let (cond_resched, might_sleep) = (Some(COND_RESCHED), Some(COND_RESCHED));
        let ns = Amount::Uniform { min: self.work_ns * 2 / 11, max: self.work_ns * 20 / 11 };
        if self.sleeping_milli == 0 {
            return Op::Kernel { section: Section::Preemptible, ns, cond_resched, might_sleep };
        }
        let sleep = Amount::Uniform { min: self.sleep_ns / 2, max: self.sleep_ns * 3 / 2 };
        Op::KernelSleep { ns, cond_resched, might_sleep, share_milli: self.sleeping_milli, sleep }
    }
}

/// One of make's jobs: it takes files until there are none.
fn compiler(pool: u32, done: u32, rounds: u64, calls: Calls) -> Vec<Phase> {
    let kernel = |ns| Op::Kernel {
        section: Section::Preemptible,
        ns,
        cond_resched: Some(COND_RESCHED),
        might_sleep: Some(COND_RESCHED),
    };
    let size = Amount::LogNormal {
        median: rounds,
        sigma_milli: FILE_SIGMA_MILLI,
        max: rounds.saturating_mul(20),
    };
    vec![
        once(vec![Op::Get { queue: pool, stamp: None }, kernel(FORK_EXEC)]),
        Phase { rounds: Rounds::Drawn(size), ops: vec![Op::Run { ns: COMPILE }, calls.op()] },
        once(vec![kernel(WRITE_OUT), Op::SemPost { sem: done }]),
    ]
}

/// A kernel thread with something to do about every `period_ns`.
fn kworker(period_ns: u64) -> Vec<Phase> {
    let sleep = Op::Sleep { ns: Amount::Uniform { min: period_ns / 2, max: period_ns * 3 / 2 } };
    let work = Op::Kernel {
        section: Section::Preemptible,
        ns: KWORKER,
        cond_resched: None,
        might_sleep: None,
    };
    vec![Phase { rounds: Rounds::Endless, ops: vec![sleep, work] }]
}
