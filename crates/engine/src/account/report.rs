//! The `metrics` object of `schedscope.run/1` (docs/model/accounting.md#report): integers only, ns
//! unless named otherwise.

use crate::ids::{Id, TaskId};
use std::collections::BTreeMap;

use serde::Serialize;

use super::groups::GroupMetrics;
use super::metrics::{CpuInterrupts, IpiCounts, KindTotals, SUM_MAX, Stops, WakePaths};
use crate::kernel::nohz::NohzKick;
use crate::machine::hw_noise::SOURCES;
use crate::machine::ipi::{CALL_FUNCTION_SINGLE, RESCHEDULE};
use crate::setup::Series;
use crate::sim::Sim;
use crate::trace::catalogue::{CAUSE_NAMES, CpuState};
use crate::trace::columns::Activation;

/// The whole object.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Metrics {
    /// By task kind; only kinds with a measured wake-up, finished or under way.
    pub latency: BTreeMap<String, Latency>,
    /// Run-queue locks.
    pub rq_lock: RqLock,
    /// Inter-processor interrupts.
    pub ipi: Ipi,
    /// Wake-ups by the path they took.
    pub wakeups: WakePaths,
    /// The scheduler's own counters.
    pub sched: Sched,
    /// need_resched flags.
    pub resched: Resched,
    /// Hardware noise that stopped CPUs; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hw_noise: Option<HwNoiseMetrics>,
    /// Interrupts by CPU; absent without a device that has an affinity and RCU callbacks.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub cpus: BTreeMap<String, CpuInterrupts>,
    /// By path; absent where there is no group but the root.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, GroupMetrics>,
    /// By task instance.
    pub tasks: BTreeMap<String, TaskMetrics>,
    /// Samples that a tool takes itself, by task kind and meaning (`schbench_worker.wakeup`);
    /// absent when no tool takes any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tool_samples: BTreeMap<String, ToolSamples>,
}

/// Latency of one task kind: from the due time to the first user instruction.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Latency {
    /// Finished wake-ups.
    pub count: u64,
    /// Sum.
    pub sum_ns: u64,
    /// Least.
    pub min_ns: u64,
    /// Percentiles by nearest rank on the exact samples.
    pub p50_ns: u64,
    /// 90th.
    pub p90_ns: u64,
    /// 99th.
    pub p99_ns: u64,
    /// 99.9th.
    pub p999_ns: u64,
    /// Greatest; cyclictest prints this figure.
    pub max_ns: u64,
    /// Wake-ups under way when the run ended.
    pub unfinished: u64,
    /// Time an allowed CPU was idle or ran something weaker; a second reading, not part of the sum.
    pub avoidable_ns: u64,
    /// The sum by cause; every cause is listed, those of hardware noise only where there is some.
    pub causes_ns: BTreeMap<&'static str, u64>,
}

/// Run-queue locks, all CPUs together.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RqLock {
    /// Times taken.
    pub acquisitions: u64,
    /// Acquisitions after waiting.
    pub contended: u64,
    /// Most CPUs spinning for one lock at once. The CPU that it was handed to spins until it
    /// notices: during a hand-off all CPUs can spin while none holds the lock.
    pub max_waiters: u32,
    /// CPU time spent spinning, interrupts off.
    pub wait_ns: u64,
    /// Longest stretch with interrupts off on one CPU.
    pub irq_off_max_ns: u64,
    /// Times pull_rt_task went for another CPU's lock.
    pub pull_remote_acquisitions: u64,
}

/// One kind of IPI.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IpiVector {
    /// Left as an IPI.
    pub sent: u64,
    /// Arrived and set a pending bit.
    pub delivered: u64,
    /// Arrived and found it set.
    pub coalesced: u64,
    /// Under way at the end.
    pub in_flight: u64,
    /// Not sent because the target polled need_resched.
    pub elided_polling: u64,
    /// Not sent because the list it goes onto held something already: the wake-list, from 5.8 on
    /// that of all calls.
    pub elided_list: u64,
    /// Not sent because the target's need_resched was set already.
    pub elided_set: u64,
}

/// The RT push chain's irq_work: an IPI each, counted in `call_function` too; from 5.8 on none
/// where the target polls or has another call waiting, and from 5.2 on to the sender itself by a
/// vector of its own.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RtoPush {
    /// Queued on a CPU.
    pub sent: u64,
    /// Most under way at once in one root domain.
    pub max_in_flight: u64,
    /// To the sender itself.
    pub self_sent: u64,
}

/// Inter-processor interrupts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ipi {
    /// Reschedule IPIs.
    pub reschedule: IpiVector,
    /// Function-call IPIs.
    pub call_function: IpiVector,
    /// Only in generations that have the chain, with the bit on at the end or the chain used
    /// before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rto_push: Option<RtoPush>,
    /// Kicks of idle balancing; absent where 2.6.24 balances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nohz_kick: Option<NohzKick>,
}

/// The scheduler's own counters.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sched {
    /// To and from idle included.
    pub context_switches: u64,
    /// Tasks that changed CPU.
    pub migrations: u64,
    /// By push_rt_task and by stoppers.
    pub pushes: u64,
    /// By pull_rt_task and load balancing.
    pub pulls: u64,
    /// Scheduler ticks.
    pub ticks: u64,
}

/// need_resched flags.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Resched {
    /// need_resched set.
    pub now_set: u64,
    /// need_resched_lazy set.
    pub lazy_set: u64,
    /// Lazy flags that became need_resched, by a tick or by another request.
    pub lazy_upgraded: u64,
}

/// Time that no kernel sees (docs/model/time.md#hardware-noise).
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HwNoiseMetrics {
    /// By system management interrupts.
    pub smi: Stops,
    /// By the host.
    pub steal: Stops,
}

/// Times a tool took itself (schbench's wake-up latencies).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolSamples {
    /// How many.
    pub count: u64,
    /// Least.
    pub min_ns: u64,
    /// Percentiles by nearest rank on the exact samples.
    pub p50_ns: u64,
    /// 90th.
    pub p90_ns: u64,
    /// 95th percentile, which web services quote (Chiluk 2019).
    pub p95_ns: u64,
    /// 99th.
    pub p99_ns: u64,
    /// 99.9th.
    pub p999_ns: u64,
    /// Greatest.
    pub max_ns: u64,
    /// Sum.
    pub sum_ns: u64,
}

/// One task instance.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskMetrics {
    /// On a CPU, as its groups are charged it: from the entry of one schedule() to that of another
    /// (se.sum_exec_runtime).
    pub run_ns: u64,
    /// Part of `run_ns` in user mode; the rest is system time.
    pub user_ns: u64,
    /// Runnable but not running, with quota.
    pub ready_ns: u64,
    /// Runnable but not running, its group being out of quota.
    pub throttled_ns: u64,
    /// Spinning in user code.
    pub spin_ns: u64,
    /// Switches away from it while it could go on (time's %c).
    pub involuntary_switches: u64,
    /// Switches away from it because it slept or ended (time's %w).
    pub voluntary_switches: u64,
    /// Program rounds.
    pub loops: u64,
    /// Wake-ups that led to running, whether they are latency samples or not; a fork is none.
    pub wakeups: u64,
    /// First 1000.
    pub activations: Vec<Activation>,
}

/// Something the viewer should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// When.
    pub time_ns: u64,
    /// Stable name.
    pub kind: &'static str,
    /// One sentence.
    pub what: String,
}

/// The sample of this rank, by nearest rank; 0 of none.
fn rank(sorted: &[u64], per_mille: u64) -> u64 {
    sorted
        .get((sorted.len() as u64 * per_mille).div_ceil(1000).max(1) as usize - 1)
        .copied()
        .unwrap_or(0)
}

/// A sorted copy of `samples`. Not inlined, because the standard library's sort is large.
#[inline(never)]
fn in_order(mut samples: Vec<u64>) -> Vec<u64> {
    samples.sort_unstable();
    samples
}

/// The entries by key, one by one: collecting them would bring in a sort for each type of entry.
pub(super) fn by_key<K: Ord, V>(entries: impl Iterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    for (key, value) in entries {
        map.insert(key, value);
    }
    map
}

impl Sim {
    /// The metrics at this instant.
    pub fn metrics(&self) -> Metrics {
        let ledger = &self.ledger;
        // The bit may have been switched off since.
        let chain = self.kernel().rt_balance().has_push_chain()
            && (self.kernel().rt_push_ipi() || ledger.rto_sent > 0);
        Metrics {
            latency: by_key(
                ledger
                    .kinds
                    .iter()
                    .enumerate()
                    .filter_map(|(at, kind)| Some((kind.name.clone(), self.latency(at, kind)?))),
            ),
            rq_lock: RqLock {
                acquisitions: ledger.acquisitions,
                contended: ledger.contended,
                max_waiters: ledger.max_waiters,
                wait_ns: self.rq_lock_wait_ns(),
                irq_off_max_ns: self.irq_off_max_ns(),
                pull_remote_acquisitions: ledger.pull_remote_acquisitions,
            },
            ipi: Ipi {
                reschedule: self.ipi_vector(RESCHEDULE),
                call_function: self.ipi_vector(CALL_FUNCTION_SINGLE),
                rto_push: chain.then_some(RtoPush {
                    sent: ledger.rto_sent,
                    max_in_flight: ledger.rto_max_in_flight,
                    self_sent: ledger.rto_self_sent,
                }),
                nohz_kick: self.balances_load().then_some(self.nohz.kicks),
            },
            wakeups: ledger.wakeups,
            sched: Sched {
                context_switches: ledger.context_switches,
                migrations: ledger.migrations,
                pushes: ledger.pushes,
                pulls: ledger.pulls,
                ticks: ledger.ticks,
            },
            resched: Resched {
                now_set: ledger.now_set,
                lazy_set: ledger.lazy_set,
                lazy_upgraded: ledger.lazy_upgraded,
            },
            hw_noise: self.hw_noise_metrics(),
            cpus: by_key(
                ledger.interrupts.iter_enumerated().map(|(cpu, counts)| (cpu.to_string(), *counts)),
            ),
            groups: self.groups_metrics(),
            tasks: self.tasks_metrics(),
            tool_samples: by_key(
                (0..ledger.series.len())
                    .filter_map(|at| Some((self.series_name(at), self.tool_samples(at)?))),
            ),
        }
    }

    /// The causes of hardware noise are the last ones.
    fn causes_possible(&self) -> usize {
        let noisy = self.setup.hw_noise.iter().any(Option::is_some);
        if noisy { CAUSE_NAMES.len() } else { CAUSE_NAMES.len() - SOURCES }
    }

    /// Stops that go on count up to now.
    fn hw_noise_metrics(&self) -> Option<HwNoiseMetrics> {
        self.setup.hw_noise.iter().flatten().next()?;
        let mut stops = self.ledger.hw_noise;
        for cpu in self.cpus.ids().filter(|cpu| self.is_stopped(*cpu)) {
            let (source, ns) = self.hw_noise[cpu].unbooked(self.now);
            stops[source as usize].stopped_ns += ns;
        }
        let [smi, steal] = stops;
        Some(HwNoiseMetrics { smi, steal })
    }

    /// Waits that are over, and the part so far of those that are not.
    fn rq_lock_wait_ns(&self) -> u64 {
        let open = self
            .cpus
            .iter()
            .filter_map(|cpu| cpu.hw.spinning())
            .filter(|(lock, _)| self.is_rq_lock(*lock));
        self.ledger.wait_ns + open.map(|(_, since)| self.now - since).sum::<u64>()
    }

    /// The stretches that go on count up to now, unless the CPU is only on its way out of the idle
    /// state.
    fn irq_off_max_ns(&self) -> u64 {
        let shown = self.cpus.iter().filter(|cpu| !cpu.hw.idle_exiting());
        let open = shown.filter_map(|cpu| cpu.hw.irqs_off_since()).map(|since| self.now - since);
        open.fold(self.ledger.irq_off_max_ns, u64::max)
    }

    fn ipi_vector(&self, vector: usize) -> IpiVector {
        let IpiCounts { sent, delivered, coalesced, elided_polling, elided_list, elided_set } =
            self.ledger.ipi[vector];
        let in_flight = self.cpus.iter().map(|cpu| cpu.hw.lines.in_flight(vector) as u64).sum();
        IpiVector { sent, delivered, coalesced, in_flight, elided_polling, elided_list, elided_set }
    }

    fn latency(&self, at: usize, kind: &KindTotals) -> Option<Latency> {
        let unfinished = self.tasks.iter().enumerate().filter(|(task, state)| {
            self.ledger.kind_of[*task] as usize == at
                && state.wake.as_ref().is_some_and(|wake| wake.measured && wake.is_due(self.now))
        });
        let unfinished = unfinished.count() as u64;
        if kind.count + unfinished == 0 {
            return None;
        }
        let samples = in_order(self.log.samples(at));
        let rank = |per_mille| rank(&samples, per_mille);
        Some(Latency {
            count: kind.count,
            sum_ns: kind.sum_ns,
            min_ns: samples.first().copied().unwrap_or(0),
            p50_ns: rank(500),
            p90_ns: rank(900),
            p99_ns: rank(990),
            p999_ns: rank(999),
            max_ns: samples.last().copied().unwrap_or(0),
            unfinished,
            avoidable_ns: kind.avoidable_ns,
            causes_ns: by_key(
                CAUSE_NAMES.into_iter().zip(kind.causes_ns).take(self.causes_possible()),
            ),
        })
    }

    /// `schbench_worker.request`.
    fn series_name(&self, at: usize) -> String {
        let Series { kind, name, .. } = &self.ledger.series[at];
        format!("{kind}.{name}")
    }

    fn tool_samples(&self, at: usize) -> Option<ToolSamples> {
        let samples = in_order(self.log.tool_samples(at));
        let (min_ns, max_ns) = (*samples.first()?, *samples.last()?);
        let rank = |per_mille| rank(&samples, per_mille);
        Some(ToolSamples {
            count: samples.len() as u64,
            min_ns,
            p50_ns: rank(500),
            p90_ns: rank(900),
            p95_ns: rank(950),
            p99_ns: rank(990),
            p999_ns: rank(999),
            max_ns,
            sum_ns: samples.iter().fold(0, |sum: u64, ns| sum.saturating_add(*ns)).min(SUM_MAX),
        })
    }

    fn tasks_metrics(&self) -> BTreeMap<String, TaskMetrics> {
        let mut activations = self.log.activations(self.tasks.len());
        by_key(self.told_tasks().map(|task| {
            let activations = std::mem::take(&mut activations[task.place()]);
            (self.task_spec(task).name.clone(), self.task_metrics(task, activations))
        }))
    }

    fn task_metrics(&self, task: TaskId, activations: Vec<Activation>) -> TaskMetrics {
        let state = &self.tasks[task];
        let stats = &state.stats;
        // On its way to sleep it is off its queue, and its run is over.
        let running = self.rqs[state.cpu].curr == Some(task) && state.on_rq && !state.throttled;
        let open = if running || state.on_rq || state.migrating.is_some() {
            self.now - stats.since
        } else {
            0
        };
        let throttled = self.is_throttled(task);
        TaskMetrics {
            run_ns: stats.run_ns + if running { open } else { 0 },
            ready_ns: stats.ready_ns + if running || throttled { 0 } else { open },
            user_ns: stats.user_ns + self.user_open_ns(task),
            involuntary_switches: stats.involuntary_switches,
            voluntary_switches: stats.voluntary_switches,
            throttled_ns: stats.throttled_ns + if running || !throttled { 0 } else { open },
            spin_ns: self.spin_ns(task),
            loops: stats.loops,
            wakeups: stats.wakeups,
            activations,
        }
    }

    /// User time of `task` not booked yet.
    fn user_open_ns(&self, task: TaskId) -> u64 {
        let cpu = &self.cpus[self.task(task).cpu];
        let ((state, _, shown), since) = cpu.shown();
        let user = matches!(state, CpuState::User | CpuState::UserSpin);
        if user && shown == Some(task) { self.now - since } else { 0 }
    }

    /// The run's findings, complete at its end.
    pub fn findings(&self) -> Vec<Finding> {
        let silent = self.setup.noise.is_some() && self.ledger.noise_fired == 0;
        let what = || {
            "rt_noise never woke a task, because its condition never held: this run has no herd"
                .to_owned()
        };
        let noise =
            silent.then(|| Finding { time_ns: self.now, kind: "noise_never_fired", what: what() });
        let throttled = self.ledger.rt_throttled.map(|(time_ns, cpu)| {
            let what = format!(
                "RT throttling activated on CPU {cpu}: its RT tasks had used up their runtime"
            );
            Finding { time_ns, kind: "rt_throttling_activated", what }
        });
        let mut findings: Vec<Finding> = Vec::new();
        for finding in self.ledger.findings.iter().cloned().chain(throttled).chain(noise) {
            let place = findings.partition_point(|earlier| earlier.time_ns <= finding.time_ns);
            findings.insert(place, finding);
        }
        findings
    }
}
