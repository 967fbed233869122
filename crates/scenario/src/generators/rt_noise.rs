//! The generator `rt_noise`: unpinned SCHED_FIFO tasks woken by a device interrupt, which overload
//! a CPU.
//!
//! Rostedt 2015 says that another RT task was scheduled on a CPU that ran the test; it does not say
//! which. These tasks take its place, and every number about them is assumed.

use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{
    DURATION_NS_MAX, NoiseTrigger, NoiseWhen, Policy, Program, TaskSpec,
};
use serde::Serialize;

use super::cyclictest::Cyclictest;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType, SECOND_NS};
use crate::resolve::resolver::Resolver;

pub(crate) fn knobs() -> Vec<Knob> {
    use KnobType::{Enum, Integer, Time};
    const WHY: &str = "assumed: Rostedt 2015 does not say which RT task overloaded the CPU";
    vec![
        Knob::new(
            "workload.rt_noise.tasks",
            "noise tasks",
            Integer,
            1,
            "Unpinned SCHED_FIFO tasks, woken in turn by a device interrupt.",
            WHY,
        )
        .range(1, 1024),
        Knob::new(
            "workload.rt_noise.priority",
            "noise priority",
            Integer,
            50,
            "SCHED_FIFO priority of the noise tasks.",
            WHY,
        )
        .range(1, 99),
        Knob::new(
            "workload.rt_noise.run",
            "noise run",
            Time,
            "30us",
            "User time of a noise task per wake-up.",
            WHY,
        )
        .range(1, SECOND_NS),
        Knob::new(
            "workload.rt_noise.when",
            "noise when",
            Enum,
            "all-cpus-in-cyclictest",
            "When a noise task is woken.",
            WHY,
        )
        .words([
            (
                "all-cpus-in-cyclictest",
                "at an instant at which every CPU runs its measuring thread",
            ),
            ("random", "at random times around min_gap"),
        ]),
        Knob::new(
            "workload.rt_noise.min_gap",
            "noise gap",
            Time,
            "600us",
            "Least time between two noise wake-ups.",
            WHY,
        )
        .range(1_000, DURATION_NS_MAX),
    ]
}

/// The generator's options, resolved.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RtNoise {
    tasks: u32,
    priority: u8,
    run_ns: u64,
    in_cyclictest: bool,
    min_gap_ns: u64,
}

impl RtNoise {
    /// Reads `workload.rt_noise`, which the scenario has.
    pub(crate) fn resolve(
        resolver: &mut Resolver<'_>,
        cyclictest: Option<&Cyclictest>,
        cpus: u32,
    ) -> Result<Self, Fault> {
        const WHEN: &str = "workload.rt_noise.when";
        let tasks = resolver.amount("workload.rt_noise.tasks")?.value;
        let priority = resolver.amount("workload.rt_noise.priority")?;
        let run_ns = resolver.amount("workload.rt_noise.run")?.value;
        let when = resolver.word(WHEN)?;
        let in_cyclictest = when.value == "all-cpus-in-cyclictest";
        if in_cyclictest && cyclictest.is_none() {
            let message = "\"all-cpus-in-cyclictest\" needs a cyclictest in the same workload";
            return Err(Fault::new(when.at, WHEN, message)
                .expected("\"random\", or a \"cyclictest\" beside rt_noise")
                .decided_with(["workload.rt_noise"]));
        }
        if let Some(cyclictest) = cyclictest {
            if in_cyclictest && cyclictest.threads < cpus {
                resolver.notes.push(format!(
                    "rt_noise never wakes: {} cyclictest threads cannot run on all \
                        {cpus} CPUs at once",
                    cyclictest.threads
                ));
            }
            if priority.value >= u64::from(cyclictest.policies.priority) {
                resolver.notes.push(
                    "rt_noise is as strong as cyclictest: it preempts instead of overloading a CPU"
                        .to_owned(),
                );
            }
        }
        Ok(Self {
            tasks: u32::try_from(tasks).expect("the table's maximum fits"),
            priority: u8::try_from(priority.value).expect("the table's maximum fits"),
            run_ns,
            in_cyclictest,
            min_gap_ns: resolver.amount("workload.rt_noise.min_gap")?.value,
        })
    }

    /// The tasks `rt_noise.<i>`.
    pub(crate) fn tasks(&self, cpus: u32) -> Vec<TaskSpec> {
        let task = |index| TaskSpec {
            kind: "rt_noise".to_owned(),
            name: format!("rt_noise.{index}"),
            policy: Policy::Fifo { rt_priority: self.priority },
            cpus: CpuMask::first(cpus),
            start_ns: 0,
            measured: true,
            group: 0,
            slice_ns: None,
            forked: false,
            program: Program::RtNoise { run_ns: self.run_ns },
        };
        (0..self.tasks).map(task).collect()
    }

    /// When they are woken; the first of them is task `first_task`.
    pub(crate) fn trigger(&self, first_task: u32) -> NoiseTrigger {
        let when =
            if self.in_cyclictest { NoiseWhen::AllCpusInCyclictest } else { NoiseWhen::Random };
        NoiseTrigger { first_task, tasks: self.tasks, when, min_gap_ns: self.min_gap_ns }
    }
}
