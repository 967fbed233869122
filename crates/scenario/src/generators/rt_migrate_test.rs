//! The generator `rt_migrate_test`: threads of rising SCHED_FIFO priority that start together, one
//! more than there are CPUs (Rostedt 2007; rt-tests' rt-migrate-test).
//!
//! ```text
//!   main     settle ─ note the time ─ start barrier ─── sleep_time ──────────── end barrier
//!   thread i ················ start barrier ─ look at the clock until run_time is over ─ end barrier
//! ```
//! The rounds of the busy loop take one fixed time: beside another thread of their core they take
//! longer (`machine.threads_per_core`).

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Amount, Machine, Object, Op, Phase, Policy, Program, Rounds};

use super::generator::Generator;
use super::parts::{once, task};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::resolver::{Found, Resolver};
use crate::units::time_words;

const SECOND_NS: u64 = 1_000_000_000;
/// Priorities of SCHED_FIFO end here; the parent is one above its threads.
const STRONGEST: u64 = 99;

pub(super) const GENERATOR: Generator = Generator {
    name: "rt_migrate_test",
    kinds: &["rt_migrate_main"],
    group: Some("workload.rt_migrate_test.group"),
    outside: "",
    knobs,
    add,
};

const RT_TESTS: &str = "rt-tests rt-migrate-test";
const THREAD: &str = "Rostedt 2007; rt-tests rt-migrate-test";

fn knobs() -> Vec<Knob> {
    [options(), conditions()].concat()
}

/// The program's own options.
fn options() -> Vec<Knob> {
    use KnobType::{Integer, Time};
    vec![
        Knob::new(
            "workload.rt_migrate_test.threads",
            "threads",
            Integer,
            "auto",
            "Threads that start together.",
            THREAD,
        )
        .range(1, STRONGEST - 1)
        .words([("auto", "one more than there are CPUs")]),
        Knob::new(
            "workload.rt_migrate_test.priority",
            "-p",
            Integer,
            2,
            "SCHED_FIFO priority of the lowest thread; each next has one more.",
            THREAD,
        )
        .range(1, STRONGEST - 1),
        Knob::new(
            "workload.rt_migrate_test.run_time",
            "-r",
            Time,
            "20ms",
            "How long a thread looks at the clock, from its first look on.",
            THREAD,
        )
        .range(1_000, 10 * SECOND_NS),
        Knob::new(
            "workload.rt_migrate_test.sleep_time",
            "-s",
            Time,
            "100ms",
            "How long the parent sleeps while its threads run.",
            RT_TESTS,
        )
        .range(1_000, 100 * SECOND_NS),
        Knob::new(
            "workload.rt_migrate_test.iterations",
            "-l",
            Integer,
            50,
            "How often the threads start.",
            THREAD,
        )
        .range(1, 1_000_000),
    ]
    .into_iter()
    .chain(judging())
    .collect()
}

/// Which priorities the threads have, and what is a failure.
fn judging() -> [Knob; 3] {
    use KnobType::{Boolean, Time};
    [
        Knob::new(
            "workload.rt_migrate_test.max_err",
            "-m",
            Time,
            "1ms",
            "With check: how much later than a thread of lower priority one may start.",
            RT_TESTS,
        )
        .range(0, SECOND_NS),
        Knob::new(
            "workload.rt_migrate_test.check",
            "-c",
            Boolean,
            false,
            "Judge every iteration; the printed rows end at the first failure.",
            THREAD,
        ),
        Knob::new(
            "workload.rt_migrate_test.equal",
            "-e",
            Boolean,
            false,
            "All threads except the lowest and the highest have the same priority.",
            RT_TESTS,
        ),
    ]
}

/// What differs between versions of the program and between machines.
fn conditions() -> Vec<Knob> {
    use KnobType::{Boolean, Time};
    vec![
        Knob::new(
            "workload.rt_migrate_test.rotate",
            "rotate the highest priority",
            Boolean,
            false,
            "Bind the highest-priority thread to another single CPU in every iteration, as the \
                program of rt-tests does and that of Rostedt 2007 does not.",
            RT_TESTS,
        ),
        Knob::new(
            "workload.rt_migrate_test.settle",
            "settle",
            Time,
            "100ms",
            "How long the parent sleeps before it starts the threads; with 0us, as in the \
                program's first years, it need not be the last at the barrier.",
            RT_TESTS,
        )
        .range(0, 100 * SECOND_NS),
        Knob::new(
            "workload.rt_migrate_test.wake_order",
            "wake order",
            KnobType::Enum,
            "priority",
            "In which order the start barrier wakes the threads.",
            "a futex's list is sorted by priority (2.6.22 on); Rostedt 2007 shows an iteration in \
                which the lowest priority was first",
        )
        .words([
            ("priority", "highest priority first, as the kernel does"),
            ("drawn", "in an order drawn anew for each iteration"),
        ]),
        Knob::new(
            "workload.rt_migrate_test.loop_time",
            "loop time",
            Time,
            "119ns",
            "User time of one look at the clock.",
            "Rostedt 2007: 20 ms / 167 789 loops, of a thread that shares its core",
        )
        .range(10, 1_000_000),
    ]
}

/// The program's options.
struct Test {
    threads: u32,
    priority: u8,
    run_ns: u64,
    sleep_ns: u64,
    settle_ns: u64,
    loop_ns: u64,
    iterations: u32,
    equal: bool,
    rotate: bool,
    drawn: bool,
}

fn add(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let cpus = machine.topology.cpus();
    let test = resolve(resolver, cpus)?;
    let iteration_ns = test.settle_ns + test.sleep_ns;
    let needed_ns = iteration_ns.saturating_mul(u64::from(test.iterations));
    if workload.duration_ns < needed_ns {
        let (iterations, needed, duration) =
            (test.iterations, time_words(needed_ns), time_words(workload.duration_ns));
        resolver.notes.push(format!(
            "rt_migrate_test does not end: {iterations} iterations take more than \
                {needed}, the run has {duration}"
        ));
    }
    let stamp = workload.object("now", Object::Stamp);
    let start = workload
        .object("start_barrier", Object::Barrier { parties: test.threads + 1, drawn: test.drawn });
    let end =
        workload.object("end_barrier", Object::Barrier { parties: test.threads + 1, drawn: false });
    for thread in 0..test.threads {
        let body = vec![
            Op::Barrier { barrier: start, measured: true, stamp: Some(stamp) },
            Op::RunFor { ns: test.run_ns, round_ns: test.loop_ns },
            Op::Barrier { barrier: end, measured: false, stamp: None },
        ];
        let strongest = thread + 1 == test.threads;
        let phases =
            if test.rotate && strongest { rotating(&body, cpus) } else { vec![once(body)] };
        // rt-tests' calc_prio().
        let above = if test.equal && thread > 0 && !strongest { 1 } else { thread as u8 };
        let rt_priority = test.priority + above;
        let mut spec = task(
            "rt_migrate_test",
            thread,
            Policy::Fifo { rt_priority },
            CpuMask::first(cpus),
            Vec::new(),
        );
        // The parent ends the test: it does not come back to the barrier.
        spec.program = Program::Ops { loops: None, phases };
        workload.tasks.push(spec);
    }
    let sleep = |ns| Op::Sleep { ns: Amount::Fixed(ns) };
    let mut ops = vec![
        Op::Stamp { stamp },
        Op::Barrier { barrier: start, measured: false, stamp: None },
        sleep(test.sleep_ns),
        Op::Barrier { barrier: end, measured: false, stamp: None },
    ];
    if test.settle_ns > 0 {
        ops.insert(0, sleep(test.settle_ns));
    }
    let above = Policy::Fifo { rt_priority: test.priority + test.threads as u8 };
    let mut main = task(
        "rt_migrate_main",
        0,
        above,
        CpuMask::first(cpus),
        vec![Phase { rounds: Rounds::Times(test.iterations), ops }],
    );
    main.measured = false;
    workload.tasks.push(main);
    Ok(())
}

fn resolve(resolver: &mut Resolver<'_>, cpus: u32) -> Result<Test, Fault> {
    const THREADS: &str = "workload.rt_migrate_test.threads";
    let Found { value, at, .. } = resolver.integer(THREADS)?;
    let threads = value.unwrap_or(u64::from(cpus) + 1);
    let priority = resolver.amount("workload.rt_migrate_test.priority")?;
    if priority.value + threads > STRONGEST {
        let message = format!(
            "{threads} threads from priority {} on leave none above them for the parent",
            priority.value
        );
        let fault = Fault::new(at, THREADS, message)
            .expected(format!("threads + priority at most {STRONGEST}"));
        return Err(fault.decided_with(["workload.rt_migrate_test.priority", "machine.cpus"]));
    }
    let run_ns = resolver.amount("workload.rt_migrate_test.run_time")?.value;
    let sleep_ns = resolver.amount("workload.rt_migrate_test.sleep_time")?.value;
    let iterations = resolver.amount("workload.rt_migrate_test.iterations")?.value;
    resolver.amount("workload.rt_migrate_test.max_err")?;
    let check = resolver.flag("workload.rt_migrate_test.check")?;
    if !check {
        resolver.inert("workload.rt_migrate_test.max_err", "only check uses it");
    }
    Ok(Test {
        threads: u32::try_from(threads).expect("the table's maximum fits"),
        priority: u8::try_from(priority.value).expect("the table's maximum fits"),
        run_ns,
        sleep_ns,
        iterations: u32::try_from(iterations).expect("the table's maximum fits"),
        equal: resolver.flag("workload.rt_migrate_test.equal")?,
        rotate: resolver.flag("workload.rt_migrate_test.rotate")?,
        drawn: resolver.word("workload.rt_migrate_test.wake_order")?.value == "drawn",
        settle_ns: resolver.amount("workload.rt_migrate_test.settle")?.value,
        loop_ns: resolver.amount("workload.rt_migrate_test.loop_time")?.value,
    })
}

/// `body` once on each CPU in turn.
fn rotating(body: &[Op], cpus: u32) -> Vec<Phase> {
    let on = |cpu| {
        let ops = std::iter::once(Op::SetCpus { cpus: CpuMask::one(CpuId::new(cpu)) })
            .chain(body.iter().cloned())
            .collect();
        once(ops)
    };
    (0..cpus).map(on).collect()
}
