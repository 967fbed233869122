//! Knobs of the generator cyclictest: the program's own options under their own names, and what the
//! model adds.

use schedscope_engine::setup::CPUS_MAX;

use crate::knobs::knob::{Knob, KnobType, SECOND_NS};

const RT_TESTS: &str = "rt-tests cyclictest";

/// How many threads and what they run under.
pub(crate) fn program_knobs() -> Vec<Knob> {
    use KnobType::{Boolean, Enum, Integer, Time};
    vec![
        Knob::new(
            "workload.cyclictest.threads",
            "-t",
            Integer,
            "all",
            "Measuring threads.",
            "Rostedt 2015: -t; the tool's default is 1",
        )
        .range(1, u64::from(CPUS_MAX))
        .words([("all", "one per CPU")]),
        Knob::new(
            "workload.cyclictest.interval",
            "-i",
            Time,
            "100us",
            "Time between two wake-ups of a thread.",
            "Rostedt 2015: -i100; the tool's default is 1000 µs",
        )
        .range(1_000, SECOND_NS),
        Knob::new(
            "workload.cyclictest.distance",
            "-d",
            Time,
            "0us",
            "Each next thread's interval is longer by this.",
            "Rostedt 2015: -d0; the tool's default is 500 µs",
        )
        .range(0, SECOND_NS),
        Knob::new(
            "workload.cyclictest.priority",
            "-p",
            Integer,
            95,
            "Real-time priority of the threads; 0 is SCHED_OTHER, as without -p.",
            "Rostedt 2015: -p95; the tool's default is 0",
        )
        .range(0, 99),
        Knob::new(
            "workload.cyclictest.policy",
            "--policy",
            Enum,
            "auto",
            "Scheduling policy of the threads.",
            RT_TESTS,
        )
        .words([
            ("auto", "SCHED_FIFO with a priority, SCHED_OTHER without"),
            ("fifo", "SCHED_FIFO, with priority threads + 1 if none is given"),
            ("rr", "SCHED_RR, with priority threads + 1 if none is given"),
            ("idle", "SCHED_IDLE, where the priority is 0; with one, SCHED_FIFO"),
        ]),
        Knob::new(
            "workload.cyclictest.priospread",
            "--priospread",
            Boolean,
            false,
            "Each next thread's priority is one lower; a thread at 0 is SCHED_OTHER.",
            RT_TESTS,
        ),
    ]
}

/// Where the threads run.
pub(crate) fn place_knobs() -> Vec<Knob> {
    use KnobType::Boolean;
    vec![
        Knob::new(
            "workload.cyclictest.pinned",
            "-a",
            Boolean,
            true,
            "Thread n runs only on CPU n, as with -a, -S and --numa.",
            "Rostedt 2015: one thread on each CPU; the tool's default is not to pin",
        ),
        Knob::cpu_list(
            "workload.cyclictest.affinity",
            "-a CPUSET",
            "auto",
            "CPUs the threads are pinned to, in turn; auto: as pinned says.",
            RT_TESTS,
        ),
    ]
}

/// How their timers lie to each other and how long a round is.
pub(crate) fn timing_knobs() -> Vec<Knob> {
    use KnobType::{Enum, Time};
    vec![
        Knob::new(
            "workload.cyclictest.aligned",
            "-A",
            Time,
            "off",
            "The threads start together behind a barrier, each this much after the one before; \
                replaces phases.",
            RT_TESTS,
        )
        .range(0, SECOND_NS)
        .words([("off", "each starts when it was created")]),
        Knob::new(
            "workload.cyclictest.phase",
            "phases",
            Enum,
            "natural",
            "How the threads' timers are offset.",
            "assumed",
        )
        .words([
            ("natural", "threads start one after the other, 20 to 100 µs apart"),
            ("aligned", "all within phase_window"),
            ("uniform", "anywhere in the interval"),
        ]),
        Knob::new(
            "workload.cyclictest.phase_window",
            "phase window",
            Time,
            "3us",
            "Spread of aligned phases, and of the random extra time of every round's body.",
            "assumed",
        )
        .range(0, 10_000_000),
        Knob::new(
            "workload.cyclictest.body",
            "body",
            Time,
            "auto",
            "User time of a round, without the extra time.",
            "assumed: 1 to 3 µs on real machines",
        )
        .range(1, SECOND_NS)
        .words([(
            "auto",
            "phase_window + 4us, so that there is an instant at which all threads run",
        )]),
    ]
}

/// When they end, what they ask of idle CPUs.
pub(crate) fn limit_knobs() -> Vec<Knob> {
    use KnobType::Integer;
    vec![
        Knob::new(
            "workload.cyclictest.loops",
            "-l",
            Integer,
            0,
            "Samples of a thread; the program ends when the first thread has them. 0: no end.",
            RT_TESTS,
        )
        .range(0, u64::from(u32::MAX)),
        Knob::new(
            "workload.cyclictest.breaktrace",
            "-b",
            Integer,
            0,
            "The program ends at the first latency above this, in whole µs. 0: no limit.",
            RT_TESTS,
        )
        .range(0, 1_000_000),
        Knob::new(
            "workload.cyclictest.latency",
            "--latency",
            Integer,
            0,
            "PM-QoS latency request in µs: an idle CPU enters no state that takes longer to \
                leave, and polls if all do.",
            RT_TESTS,
        )
        .range(0, 2_000_000_000),
    ]
}
