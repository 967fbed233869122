//! Counters that grow while a run goes on; `report.rs` turns them into the metrics of
//! docs/model/accounting.md#report.

use crate::ids::{CpuId, Id, IdVec, ObjectId, TaskId};
use serde::Serialize;

use super::latency::Wake;
use super::report::Finding;
use crate::kernel::core::task::{Task, TaskState};
use crate::machine::hw_noise::SOURCES;
use crate::machine::ipi::VECTORS;
use crate::setup::{Series, Setup};
use crate::sim::Sim;
use crate::trace::catalogue::{CAUSES, Kind, SAMPLE_HIGH, SAMPLE_SERIES, SAMPLE_TASK};

/// A sum of a tool's samples stops here, at the largest figure that JavaScript holds, and is then
/// that much or more.
pub const SUM_MAX: u64 = (1 << 53) - 1;

/// The longest sample that a trace row can hold, ns; a row shows a longer one as this value.
pub const SAMPLE_NS_MAX: u64 = ((SAMPLE_HIGH.mask() as u64) << 32) | u32::MAX as u64;

/// Counts of one IPI vector.
#[derive(Clone, Copy, Debug, Default)]
pub struct IpiCounts {
    /// Left as an IPI.
    pub sent: u64,
    /// Set a pending bit.
    pub delivered: u64,
    /// Found the bit set.
    pub coalesced: u64,
    /// Not needed: the target polled.
    pub elided_polling: u64,
    /// Not needed: the list it goes onto held something, whose IPI is under way: the wake-list,
    /// from 5.8 on that of all calls.
    pub elided_list: u64,
    /// Not needed: another CPU's need_resched was set already.
    pub elided_set: u64,
}

/// Stops of CPUs by one source of hardware noise.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stops {
    /// How many; an SMI counts once for each CPU.
    pub count: u64,
    /// CPU time lost, all CPUs together; stolen time does not include the part that an SMI took.
    pub stopped_ns: u64,
}

/// Wake-ups by the path they took (docs/model/wake-ups.md#wake-up-paths).
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WakePaths {
    /// Enqueued on the waker's own CPU.
    pub local: u64,
    /// Enqueued under another CPU's run-queue lock.
    pub remote_direct: u64,
    /// Through another CPU's wake-list.
    pub wake_list: u64,
    /// The task had not left its run queue yet.
    pub still_queued: u64,
}

#[derive(Clone, Debug)]
pub struct KindTotals {
    /// The kind's name.
    pub name: String,
    /// Sum of latencies, ns.
    pub sum_ns: u64,
    /// Part of `sum_ns`, by cause.
    pub causes_ns: [u64; CAUSES.len()],
    /// Part of `sum_ns` while an allowed CPU was idle or ran a weaker task.
    pub avoidable_ns: u64,
    /// Samples in the log.
    pub count: u64,
}

/// Most findings kept.
const FINDINGS_MAX: usize = 100;

/// Interrupts of one CPU's work.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CpuInterrupts {
    pub ticks: u64,
    /// Interrupts of the device with an affinity.
    pub device_irqs: u64,
    /// Times the NET_RX softirq ran.
    pub net_rx_softirqs: u64,
    /// Times the RCU softirq ran.
    pub rcu_softirqs: u64,
    pub rcu_callbacks: u64,
}

/// Everything counted.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// Task kind of each task.
    pub kind_of: Vec<u16>,
    /// Task kinds in order of first appearance.
    pub kinds: Vec<KindTotals>,
    /// rq lock acquisitions.
    pub acquisitions: u64,
    /// Acquisitions after waiting.
    pub contended: u64,
    /// Most CPUs spinning for one rq lock at once.
    pub max_waiters: u32,
    /// CPU time spent spinning for rq locks until they were taken, ns.
    pub wait_ns: u64,
    pub wakeups: WakePaths,
    /// Longest stretch with interrupts off on one CPU that is over, ns.
    pub irq_off_max_ns: u64,
    /// Times pull_rt_task went for another CPU's lock.
    pub pull_remote_acquisitions: u64,
    /// By vector.
    pub ipi: [IpiCounts; VECTORS],
    /// irq_works of the RT push chain: an IPI each before 5.8.
    pub rto_sent: u64,
    /// Most irq_works of the chain under way at once in one root domain.
    pub rto_max_in_flight: u64,
    /// irq_works of the chain that a CPU sent to itself.
    pub rto_self_sent: u64,
    /// Chains of `ipi_4_1` that began anew because their CPU had lowered its priority again.
    pub rto_restarts: u64,
    /// Context switches, to and from idle included.
    pub context_switches: u64,
    /// Tasks that changed CPU.
    pub migrations: u64,
    /// By push_rt_task and by stoppers.
    pub pushes: u64,
    /// By pull_rt_task and load balancing.
    pub pulls: u64,
    pub ticks: u64,
    /// need_resched set.
    pub now_set: u64,
    /// need_resched_lazy set.
    pub lazy_set: u64,
    /// Lazy flags that became need_resched.
    pub lazy_upgraded: u64,
    /// When and where RT throttling acted first, ns and CPU.
    pub rt_throttled: Option<(u64, CpuId)>,
    /// rt_noise wake-ups.
    pub noise_fired: u64,
    /// By source of hardware noise.
    pub hw_noise: [Stops; SOURCES],
    /// Interrupts of each CPU; empty where only ticks interrupt.
    pub interrupts: IdVec<CpuId, CpuInterrupts>,
    /// Picks of a last buddy for its mark alone.
    pub last_buddies: u64,
    /// The samples that tools take themselves, in order of appearance.
    pub series: Vec<Series>,
    /// Findings so far, at most [`FINDINGS_MAX`].
    pub findings: Vec<Finding>,
}

impl Ledger {
    /// Nothing counted yet.
    pub fn new(setup: &Setup) -> Self {
        let mut ledger = Self {
            series: setup.series(),
            kind_of: Vec::new(),
            kinds: Vec::new(),
            acquisitions: 0,
            contended: 0,
            max_waiters: 0,
            wait_ns: 0,
            wakeups: WakePaths::default(),
            irq_off_max_ns: 0,
            pull_remote_acquisitions: 0,
            ipi: [IpiCounts::default(); VECTORS],
            rto_sent: 0,
            rto_max_in_flight: 0,
            rto_self_sent: 0,
            rto_restarts: 0,
            context_switches: 0,
            migrations: 0,
            pushes: 0,
            pulls: 0,
            ticks: 0,
            now_set: 0,
            lazy_set: 0,
            lazy_upgraded: 0,
            rt_throttled: None,
            noise_fired: 0,
            hw_noise: [Stops::default(); SOURCES],
            interrupts: if setup.interrupts_cpus() {
                vec![CpuInterrupts::default(); setup.machine.topology.cpus() as usize].into()
            } else {
                IdVec::default()
            },
            last_buddies: 0,
            findings: Vec::new(),
        };
        ledger.take_in_tasks(setup);
        ledger
    }

    /// Adds the tasks of `setup` that the ledger does not have yet, after the others.
    pub(crate) fn take_in_tasks(&mut self, setup: &Setup) {
        for spec in &setup.tasks[self.kind_of.len()..] {
            let known = self.kinds.iter().position(|kind| kind.name == spec.kind);
            let at = known.unwrap_or(self.kinds.len());
            if known.is_none() {
                self.kinds.push(KindTotals {
                    name: spec.kind.clone(),
                    sum_ns: 0,
                    causes_ns: [0; CAUSES.len()],
                    avoidable_ns: 0,
                    count: 0,
                });
            }
            self.kind_of.push(at as u16);
        }
    }
}

impl Sim {
    /// Counts an interrupt of `cpu`, if the run counts interrupts.
    pub(crate) fn count_on(&mut self, cpu: CpuId, count: impl FnOnce(&mut CpuInterrupts)) {
        if self.setup.interrupts_cpus() {
            count(&mut self.ledger.interrupts[cpu]);
        }
    }

    /// Records a time that a tool took itself; it ends now.
    pub(crate) fn book_tool_sample(&mut self, cpu: CpuId, task: TaskId, stamp: ObjectId, ns: u64) {
        let (kind, name) =
            (&self.setup.tasks[task.place()].kind, self.setup.meaning_of(stamp.raw()));
        let Some(at) = self
            .ledger
            .series
            .iter()
            .position(|series| series.name == name && series.kind == *kind)
        else {
            return;
        };
        self.log.tool_sample(at, ns);
        let told = ns.min(SAMPLE_NS_MAX);
        let a = SAMPLE_TASK.put(task.raw())
            | SAMPLE_SERIES.put(self.ledger.series[at].number)
            | SAMPLE_HIGH.put((told >> 32) as u32);
        self.emit(Kind::ToolSample, cpu, a, told as u32);
    }

    #[inline]
    pub(crate) fn book_latency(&mut self, task: TaskId, latency: u64, wake: &Wake) {
        let kind = self.ledger.kind_of[task.place()] as usize;
        let totals = &mut self.ledger.kinds[kind];
        totals.count += 1;
        totals.sum_ns += latency;
        totals.avoidable_ns += wake.avoidable_ns;
        for (cause, ns) in wake.stretches.entries() {
            totals.causes_ns[*cause as usize] += ns;
        }
        self.log.sample(kind, latency);
    }

    /// A task becomes runnable; up to 2.6.39 perhaps before its CPU has left it, and then it has
    /// not begun to wait.
    #[inline]
    pub(crate) fn account_ready(&mut self, task: TaskId) {
        if self.task(task).state == TaskState::Waking && !self.task(task).on_cpu {
            let now = self.now;
            self.task_mut(task).stats.begin_wait(now);
        }
    }

    /// Tasks in the report: all except stoppers that never woke.
    pub(super) fn told_tasks(&self) -> impl Iterator<Item = TaskId> {
        self.tasks
            .ids()
            .filter(|task| self.task(*task).row().is_reported || self.task(*task).stats.wakeups > 0)
    }

    /// The running `task` of `cpu` is taken off its queue: its run ends there, and not with the
    /// switch, as its group's charge does.
    pub(crate) fn account_sleep(&mut self, cpu: CpuId, task: TaskId) {
        let clock = self.rqs[cpu].clock;
        self.task_mut(task).stats.book_run(clock);
        self.end_in_vain(task);
    }

    /// `cpu` changes tasks: one is charged, and the other begins, at the time its queue knows.
    #[inline]
    pub(crate) fn count_switch(&mut self, cpu: CpuId, prev: Option<TaskId>, next: Option<TaskId>) {
        self.ledger.context_switches += 1;
        let clock = self.rqs[cpu].clock;
        if let Some(prev) = prev {
            let Task { on_rq, throttled, stats, .. } = self.task_mut(prev);
            // One in limbo has left its queue before, too.
            if *on_rq && !*throttled {
                stats.book_run(clock);
            }
            stats.count_switch(!*on_rq);
        }
        if let Some(next) = next {
            let throttled = self.is_throttled(next);
            self.task_mut(next).stats.book_wait(clock, throttled);
        }
    }

    /// Something the viewer should know.
    pub(crate) fn found(&mut self, kind: &'static str, what: String) {
        if self.ledger.findings.len() < FINDINGS_MAX {
            let time_ns = self.now;
            self.ledger.findings.push(Finding { time_ns, kind, what });
        }
    }

    /// A task goes back to sleep, or finds the end of a sleep past.
    #[inline]
    pub(crate) fn end_activation(&mut self, task: TaskId) {
        let now = self.now;
        if let Some(row) = self.tasks[task].stats.end_activation(now) {
            self.log.activation(task.raw(), row);
        }
    }
}
