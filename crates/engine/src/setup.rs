//! A run before it starts: the machine, the kernel and the tasks, all resolved to plain numbers.
//!
//! The `scenario` crate builds a setup from a file. The engine trusts it and checks only whatever
//! would break the engine's own laws ([`Setup::check`]).

use crate::ids::CpuId;
use crate::kernel::config::Kernel;
use crate::machine::costs::{Costs, CostsName};
use crate::machine::hw_noise::SOURCES;
use crate::machine::topology::{CpuMask, Topology};
use crate::{named_enum, questions};

mod amount;
mod check;
mod groups;
mod hw_noise;
mod interrupts;
mod program;
mod series;
mod wire;
pub use crate::kernel::class::Policy;
pub use crate::machine::topology::CPUS_MAX;
pub use amount::{Amount, Quantiles};
pub use groups::{
    GROUP_WEIGHT, GROUP_WEIGHT_RANGE, GROUPS_MAX, GroupSpec, PERIOD_RANGE_NS, QUOTA_MAX_NS,
    QUOTA_MIN_NS, Quota, ROOT,
};
pub use hw_noise::HwNoiseLoad;
pub use interrupts::{DeviceIrqLoad, RcuLoad};
pub use program::{
    KernelWakee, KernelWakes, NEVER, Object, ObjectSpec, Op, Phase, Program, Room, Rounds,
    TimerSpec, Until,
};
pub use series::{SERIES_MAX, Series};

/// Most tasks a run may have.
pub const TASKS_MAX: usize = 16_384;
/// Fastest tick.
const HZ_MAX: u32 = 10_000;
/// Longest run: 24 hours, well inside the 48-bit clock.
pub const DURATION_NS_MAX: u64 = 24 * 3_600 * 1_000_000_000;

named_enum! {
    /// The way a CPU waits in its idle loop (docs/model/wake-ups.md#polling-idle).
    pub enum IdleKind {
        Poll = "poll", "spins on need_resched: no IPI needed to wake it, shortest exit";
        Mwait = "mwait", "sleeps in C1 watching the flag word, interrupts off: no IPI needed until \
            an interrupt ends it, C1 exit";
        Halt = "halt", "halted: every wake-up is a real IPI";
    }
}

questions! { IdleKind {
    /// Whether the idle loop runs instructions all the time, interrupts on.
    polls: Poll, not Mwait | Halt;
    /// Whether the idle CPU sees a flag that another CPU sets, so that the flag needs no IPI.
    watches_flag: Poll | Mwait, not Halt;
} }

/// The hardware of a run.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Machine {
    /// CPUs and their packages.
    pub topology: Topology,
    /// The preset the costs came from.
    pub costs_name: CostsName,
    /// The durations of the machine's actions.
    pub costs: Costs,
    /// Idle loop of every CPU.
    pub idle: IdleKind,
    /// The idle loop polls since the kernel started (`idle=poll`), not since a latency request: no
    /// CPU has ever stopped its tick.
    pub polls_from_boot: bool,
    /// Exclusive cpuset partitions, the default one first; together they are all CPUs. Empty = one
    /// partition.
    pub domains: Vec<CpuMask>,
}

impl Machine {
    /// Partitions cover every CPU once.
    fn check_domains(&self) -> Result<(), String> {
        let total: u32 = self.domains.iter().map(CpuMask::count).sum();
        let sound =
            self.topology.cpu_ids().all(|cpu| self.domains.iter().any(|domain| domain.has(cpu)))
                && total == self.topology.cpus();
        let filled = self.domains.iter().all(|domain| !domain.is_empty());
        if self.domains.is_empty() || (sound && filled) {
            Ok(())
        } else {
            Err("partitions share no CPU and leave none out".to_owned())
        }
    }
}

/// How kernel work of a task may be interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Section {
    /// preempt_count 0: the model decides.
    Preemptible,
    /// preempt_disable or a spinlock_t held.
    NoPreempt,
    /// local_irq_disable or a raw spinlock held.
    IrqOff,
}

/// Softirq load: on each of `cpus` a hard timer queues one piece of tasklet work every period
/// (docs/model/locks-and-ipis.md#softirq-live-lock).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SoftirqLoad {
    /// CPUs it happens on.
    pub cpus: CpuMask,
    /// Time between two pieces of work, ns.
    pub period_ns: u64,
    /// Length of one piece, ns.
    pub work_ns: u64,
    /// Index of the first ksoftirqd task; they are consecutive, one per CPU of `cpus` in ascending
    /// order.
    pub first_task: u32,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct TaskSpec {
    /// Kind, the key of `latency` in reports: `cyclictest`, or the rt-app task's name.
    pub kind: String,
    /// Instance name: `cyclictest.12`.
    pub name: String,
    /// Policy and priority.
    pub policy: Policy,
    /// CPUs it may run on; never empty.
    pub cpus: CpuMask,
    /// When the task starts, ns after 0; [`NEVER`] for a task that is forked.
    pub start_ns: u64,
    /// Whether its wake-ups are latency samples and activations.
    pub measured: bool,
    /// Index of its control group.
    pub group: u32,
    /// EEVDF: the slice it asks for (sched_attr::sched_runtime, 6.12 on), ns; `None` for the
    /// kernel's.
    pub slice_ns: Option<u64>,
    /// It is a process of its own. The others of one `kind` are the threads of one process
    /// (docs/model/idle-balancing.md#threads-of-a-process).
    pub forked: bool,
    /// The task's program.
    pub program: Program,
}

/// When `rt_noise` wakes its tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum NoiseWhen {
    /// At the instant every cyclictest thread is in its body (docs/model/programs.md#rt-noise).
    AllCpusInCyclictest,
    /// At keyed random times, exponentially spaced around the gap.
    Random,
}

/// The `rt_noise` generator: which tasks, when, how far apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NoiseTrigger {
    /// Index of the first noise task; they are consecutive.
    pub first_task: u32,
    /// How many there are; woken in turn.
    pub tasks: u32,
    /// When they are woken.
    pub when: NoiseWhen,
    /// Least time between two wake-ups.
    pub min_gap_ns: u64,
}

/// Everything a run is made of. Seed + setup + engine version names the run completely.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Setup {
    /// Key of every random draw.
    pub seed: u64,
    /// Machine time to simulate.
    pub duration_ns: u64,
    pub machine: Machine,
    pub kernel: Kernel,
    /// Control groups, parents first; index 0 is the root.
    pub groups: Vec<GroupSpec>,
    /// Every task, in a fixed order; index = task id.
    pub tasks: Vec<TaskSpec>,
    /// Objects that tasks share, in a fixed order; index = object id.
    pub objects: Vec<ObjectSpec>,
    /// Timers of [`Op::Timer`].
    pub timers: Vec<TimerSpec>,
    /// Quantiles of drawn durations ([`Amount::Quantiles`]).
    pub quantiles: Vec<Quantiles>,
    /// The noise generator, if any.
    pub noise: Option<NoiseTrigger>,
    /// The softirq generator, if any.
    pub softirq: Option<SoftirqLoad>,
    /// Hardware noise that stops CPUs, by [`crate::machine::hw_noise::NoiseSource`].
    pub hw_noise: [Option<HwNoiseLoad>; SOURCES],
    /// The device with an affinity, if any.
    pub device_irq: Option<DeviceIrqLoad>,
    /// RCU callbacks, if any.
    pub rcu: Option<RcuLoad>,
}

impl Setup {
    /// This run with a stopper on each CPU, `migration.<cpu>`, behind all other tasks; without
    /// change if it has them or can never need one: only programs that change where they may run,
    /// or may not leave their CPU, do, and load balancing.
    pub fn with_stoppers(self) -> Self {
        let needs = |op: &Op| matches!(op, Op::SetCpus { .. } | Op::MigrateDisable);
        let moves = |task: &TaskSpec| task.program.ops().any(needs);
        let balanced = |policy: Policy| policy.class().row().is_load_balanced;
        let changes = |op: &Op| matches!(op, Op::SetPolicy { policy } if balanced(*policy));
        let roams = |task: &TaskSpec| {
            task.cpus.count() > 1 && (balanced(task.policy) || task.program.ops().any(changes))
        };
        let passive = !self.kernel.rt_balance().is_active();
        let balances = self.machine.topology.cpus() > 1
            && (passive || (self.kernel.load_balance() && self.tasks.iter().any(roams)));
        if balances || self.tasks.iter().any(moves) { self.with_all_stoppers() } else { self }
    }

    /// This run with stoppers even if its setup can never need one, because writes to its tasks
    /// during the run may.
    pub fn with_all_stoppers(mut self) -> Self {
        if self.stopper(CpuId::FIRST).is_none() {
            let stopper = |cpu| TaskSpec {
                kind: "migration".to_owned(),
                name: format!("migration.{cpu}"),
                policy: Policy::Fifo { rt_priority: 99 },
                cpus: CpuMask::one(cpu),
                start_ns: NEVER,
                measured: false,
                group: 0,
                slice_ns: None,
                forked: false,
                program: Program::Migration,
            };
            self.tasks.extend(self.machine.topology.cpu_ids().map(stopper));
        }
        self
    }

    /// The stopper of `cpu`, if the run has them.
    pub fn stopper(&self, cpu: CpuId) -> Option<u32> {
        let first = self.tasks.len().checked_sub(self.machine.topology.cpus() as usize)?;
        self.tasks
            .get(first)
            .filter(|task| task.program == Program::Migration)
            .map(|_| first as u32 + cpu.raw())
    }

    /// Refuses setups that the engine could not run; the scenario crate refuses them all earlier,
    /// with a place.
    pub fn check(&self) -> Result<(), String> {
        let cpus = self.machine.topology.cpus();
        if cpus == 0 || cpus > CPUS_MAX {
            return Err(format!("a machine has 1 to {CPUS_MAX} CPUs, not {cpus}"));
        }
        self.machine.topology.check()?;
        if self.tasks.iter().filter(|task| task.program != Program::Migration).count() > TASKS_MAX {
            return Err(format!("a run has at most {TASKS_MAX} tasks, not {}", self.tasks.len()));
        }
        if self.duration_ns == 0 || self.duration_ns > DURATION_NS_MAX {
            return Err("the duration is more than 0 and at most 24 h".to_owned());
        }
        if self.kernel.hz == 0 || self.kernel.hz > HZ_MAX {
            return Err(format!("the tick is 1 to {HZ_MAX} Hz, not {}", self.kernel.hz));
        }
        self.objects.iter().try_for_each(|spec| {
            spec.object.check().map_err(|why| format!("object {}: {why}", spec.name))
        })?;
        self.machine.check_domains()?;
        self.check_groups()?;
        self.quantiles.iter().try_for_each(Quantiles::check)?;
        self.tasks.iter().try_for_each(|task| task.check(self))?;
        self.check_series()?;
        let stoppers =
            self.tasks.iter().filter(|task| task.program == Program::Migration).count() as u32;
        let placed = self.machine.topology.cpu_ids().all(|cpu| {
            self.stopper(cpu)
                .is_some_and(|task| self.tasks[task as usize].cpus == CpuMask::one(cpu))
        });
        if stoppers > 0 && !(stoppers == cpus && placed) {
            return Err("stoppers are the last tasks, one on each CPU".to_owned());
        }
        let domains = &self.machine.domains;
        let inside = |task: &TaskSpec| {
            domains.is_empty() || domains.iter().any(|domain| domain.and(&task.cpus) == task.cpus)
        };
        if let Some(task) = self.tasks.iter().find(|task| !inside(task)) {
            return Err(format!("task {} may run on CPUs of several partitions", task.name));
        }
        self.noise.map_or(Ok(()), |noise| self.check_noise(noise))?;
        self.softirq.map_or(Ok(()), |load| self.check_softirq(load))?;
        self.check_hw_noise()?;
        self.check_interrupts()
    }
}

impl TaskSpec {
    fn check(&self, setup: &Setup) -> Result<(), String> {
        if self.cpus.is_empty() || self.cpus.last() >= Some(setup.machine.topology.cpu_ids().end())
        {
            return Err(format!("task {} may only run on CPUs the machine has", self.name));
        }
        self.policy.check().map_err(|why| format!("task {}: {why}", self.name))?;
        match &self.program {
            Program::Cyclictest { interval_ns: 0, .. } => {
                Err(format!("task {}: the interval is more than 0", self.name))
            }
            Program::Ops { phases, .. } => {
                let named = |why| format!("task {}: {why}", self.name);
                phases.iter().try_for_each(|phase| phase.check(setup).map_err(named))
            }
            Program::Cyclictest { .. }
            | Program::RtNoise { .. }
            | Program::Ksoftirqd
            | Program::Migration => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::config::Version;

    fn setup(program: Program, policy: Policy) -> Setup {
        let machine = Machine {
            topology: Topology::new(2, 2),
            costs_name: CostsName::Zero,
            costs: Costs::preset(CostsName::Zero),
            idle: IdleKind::Poll,
            polls_from_boot: false,
            domains: Vec::new(),
        };
        let task = TaskSpec {
            kind: "t".to_owned(),
            name: "t.0".to_owned(),
            policy,
            cpus: CpuMask::first(2),
            start_ns: 0,
            measured: true,
            group: 0,
            slice_ns: None,
            forked: false,
            program,
        };
        Setup {
            seed: 1,
            duration_ns: 1,
            machine,
            kernel: Kernel::of_version(Version::parse("3.19").unwrap(), 2),
            tasks: vec![task],
            objects: Vec::new(),
            timers: Vec::new(),
            quantiles: Vec::new(),
            noise: None,
            softirq: None,
            hw_noise: [None; SOURCES],
            device_irq: None,
            rcu: None,
            groups: vec![GroupSpec::root()],
        }
    }

    /// Four numbers of a topology as a damaged setup may hold them: CPUs, per package, threads per
    /// core, their pace.
    #[test]
    fn a_topology_that_the_engine_would_divide_by_is_refused() {
        let read = |numbers: [u8; 4]| {
            postcard::from_bytes::<Topology>(&numbers).expect("four numbers").check()
        };
        assert_eq!(read([2, 2, 1, 100]), Ok(()));
        for numbers in [
            [2, 0, 1, 100],
            [2, 3, 1, 100],
            [2, 2, 0, 100],
            [2, 2, 3, 100],
            [2, 2, 1, 0],
            [2, 2, 1, 101],
        ] {
            assert!(read(numbers).is_err(), "{numbers:?}");
        }
    }

    #[test]
    fn what_would_stop_the_engine_is_refused() {
        let noise = setup(Program::RtNoise { run_ns: 1 }, Policy::Fifo { rt_priority: 1 });
        assert_eq!(noise.check(), Ok(()));
        let trigger =
            NoiseTrigger { first_task: 0, tasks: 1, when: NoiseWhen::Random, min_gap_ns: 1 };
        assert_eq!(Setup { noise: Some(trigger), ..noise.clone() }.check(), Ok(()));
        for (first_task, tasks) in [(0, 0), (0, 2), (1, 1)] {
            assert!(
                Setup {
                    noise: Some(NoiseTrigger { first_task, tasks, ..trigger }),
                    ..noise.clone()
                }
                .check()
                .is_err()
            );
        }
        for hz in [0, HZ_MAX + 1] {
            assert!(
                Setup { kernel: Kernel { hz, ..noise.kernel.clone() }, ..noise.clone() }
                    .check()
                    .is_err()
            );
        }
        let still = Program::Cyclictest {
            first_due_ns: 0,
            interval_ns: 0,
            body_ns: 1,
            extra_ns: 0,
            until: Until::default(),
        };
        assert!(setup(still, Policy::Fifo { rt_priority: 1 }).check().is_err());
        for policy in [
            Policy::Fifo { rt_priority: 0 },
            Policy::RoundRobin { rt_priority: 100 },
            Policy::Fair { nice: 20 },
        ] {
            assert!(setup(Program::RtNoise { run_ns: 1 }, policy).check().is_err());
        }
    }
}
