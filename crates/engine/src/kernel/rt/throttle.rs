//! RT throttling: the RT class of a CPU may use `rt_runtime` of every `rt_period`
//! (docs/model/bandwidth.md#rt-throttling).
//!
//! ```text
//!   rt_time ▁▂▃▄▅▆▇█ > rt_runtime ──► the RT queue leaves the rq: pick skips it, fair tasks run
//!   period timer: rt_time -= rt_runtime; below it the queue comes back
//! ```
//! Throttling touches `nr_running` and the pick, nothing else: priorities, cpupri, the pushable
//! list and the overload bit stay as they are, as dequeue_top_rt_rq leaves them
//! (docs/develop/decisions/0011-throttling-and-stoppers.md).

use crate::ids::CpuId;
use crate::kernel::core::preempt::Why;
use crate::kernel::frame::Flow;
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::machine::spinlock::LockId;
use crate::machine::spinlock::line_ns;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// One run queue's RT bandwidth account; times in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RtTime {
    /// RT execution not yet forgiven by a period.
    time: u64,
    /// The runtime per period: the system's figure, plus borrowed, less lent.
    runtime: u64,
    /// The RT queue is off the rq.
    throttled: bool,
    /// The running task joined the class, by a change of policy or priority, while it was
    /// throttled: switched_to_rt does not look at that, so it runs on until it is charged.
    pub joined: bool,
    /// When the running RT task was last charged.
    pub exec_start: u64,
}

impl RtTime {
    /// RT execution not yet forgiven by a period, ns.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// The runtime per period, ns: the system's figure, plus borrowed, less lent.
    pub fn runtime(&self) -> u64 {
        self.runtime
    }

    /// Whether the RT queue is off the rq.
    #[inline]
    pub fn is_throttled(&self) -> bool {
        self.throttled
    }

    /// The account, for tests that damage it: time, runtime, throttled.
    #[cfg(test)]
    pub(crate) fn damaged(&mut self) -> (&mut u64, &mut u64, &mut bool) {
        (&mut self.time, &mut self.runtime, &mut self.throttled)
    }
}

/// def_rt_bandwidth: the system-wide period timer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RtBandwidth {
    /// The period timer is armed or its handler runs.
    pub period_active: bool,
    /// When the period timer expires, or would have had it gone on, ns: a timer that stops keeps
    /// it, and the next start goes on from there. 0 before the first start.
    expires: u64,
    /// A limit was written where there was none, with no period under way: none starts for RT tasks
    /// that are queued already.
    pub unwatched: bool,
    /// The limit was taken away, and a CPU is throttled: the last period had passed over it before,
    /// or none ran.
    pub left_throttled: bool,
}

/// sched_rt_period_timer(): one pass over the CPUs, one run-queue lock at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RtPeriod {
    expiry: u64,
    overrun: u64,
    /// CPU looked at.
    at: CpuId,
    throttled: bool,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Next,
    Locked,
}

impl RtPeriod {
    /// The period that expired at `expiry`.
    pub fn new(expiry: u64) -> Self {
        Self { expiry, overrun: 0, at: CpuId::FIRST, throttled: false, step: Step::Start }
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Start => {
                let period = sim.kernel().rt_period_ns;
                self.overrun = (sim.now - self.expiry) / period + 1;
                sim.rt_bandwidth.expires = self.expiry + self.overrun * period;
                self.step = Step::Next;
                Flow::Again
            }
            Step::Next => self.next(sim, cpu),
            Step::Locked => {
                self.replenish(sim, cpu);
                sim.unlock(cpu, LockId::rq(self.at));
                self.at = self.at.next();
                self.step = Step::Next;
                Flow::Again
            }
        }
    }

    /// CPUs without RT tasks and without debts are passed over without their lock.
    fn next(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let limit = sim.rt_limit();
        let share = sim.kernel().rt_throttle().borrows();
        while let Some(rq) = sim.rqs.get_mut(self.at) {
            if !share {
                rq.rt_time.runtime = limit.unwrap_or(u64::MAX);
            }
            if rq.rt_time.time > 0 || !rq.rt.active.is_empty() {
                self.step = Step::Locked;
                return Flow::Lock(LockId::rq(self.at));
            }
            self.at = self.at.next();
        }
        // Looked at once more at the end: an RT task may have come to a CPU behind the walk
        // (decisions 0011).
        let idle = sim.rqs.iter().all(|rq| rq.rt_time.time == 0 && rq.rt.active.is_empty());
        if idle || (limit.is_none() && !self.throttled) {
            sim.rt_bandwidth.period_active = false;
            sim.note_left_throttled();
        } else {
            sim.arm_rt_period(cpu, sim.rt_bandwidth.expires.max(sim.now));
        }
        Flow::Done
    }

    fn replenish(&mut self, sim: &mut Sim, cpu: CpuId) {
        let rq = sim.rqs[self.at].rt_time;
        let waiting = !sim.rqs[self.at].rt.active.is_empty();
        if rq.time == 0 {
            if waiting && !rq.throttled {
                sim.resched_curr(cpu, self.at, Why::HigherClass);
            }
            self.throttled |= rq.throttled;
            return;
        }
        if rq.throttled {
            sim.balance_runtime(cpu, self.at);
        }
        let rq = &mut sim.rqs[self.at].rt_time;
        rq.time = rq.time.saturating_sub(self.overrun.saturating_mul(rq.runtime));
        let free = rq.throttled && rq.time < rq.runtime;
        if free {
            sim.rt_unthrottle(cpu, self.at);
        }
        self.throttled |= sim.rqs[self.at].rt_time.throttled;
    }
}

impl Sim {
    /// rt_runtime of the system; `None` where nothing throttles.
    pub(crate) fn rt_limit(&self) -> Option<u64> {
        self.kernel().rt_runtime_ns.filter(|_| self.kernel().rt_throttle().has_limit())
    }

    /// Gives every run queue the system's runtime: at boot, and when the sysctl is written.
    pub(crate) fn reset_rt_runtime(&mut self) {
        let limit = self.rt_limit();
        let watched = self.rt_bandwidth.period_active;
        self.rt_bandwidth.unwatched = limit.is_some() && !watched;
        if limit.is_none() && !watched {
            self.note_left_throttled();
        }
        let runtime = limit.unwrap_or(u64::MAX);
        self.rqs.iter_mut().for_each(|rq| rq.rt_time.runtime = runtime);
    }

    /// start_rt_bandwidth(): an RT task is enqueued on `cpu`, and no period is under way.
    ///
    /// A timer whose next period has not come yet goes on with it. If it has, the timer fires at
    /// once since commit c3a990dc9fab (4.6), and the periods follow that instant; before,
    /// hrtimer_forward_now() passed over whole periods from the boot on.
    pub(crate) fn start_rt_bandwidth(&mut self, cpu: CpuId) {
        if self.rt_bandwidth.period_active || self.rt_limit().is_none() {
            return;
        }
        let (now, period, expires) =
            (self.now, self.kernel().rt_period_ns, self.rt_bandwidth.expires);
        let expires = match now.checked_sub(expires) {
            None => expires,
            Some(_) if self.kernel().late_rt_period_fires_at_once() => now + 1,
            Some(late) => expires + (late / period + 1) * period,
        };
        self.rt_bandwidth = RtBandwidth { period_active: true, expires, ..RtBandwidth::default() };
        self.arm_rt_period(cpu, expires);
    }

    /// A throttled queue remains although there is no limit and no timer any more: it stays
    /// throttled until a limit is written again. Either the timer stopped because it saw no
    /// throttled queue, and a CPU that the walk had passed became throttled
    /// (do_sched_rt_period_timer(), read in 6.1.192), or the limit was lifted while no timer ran.
    fn note_left_throttled(&mut self) {
        let Some(left) = self.rqs.position(|rq| rq.rt_time.throttled) else { return };
        self.rt_bandwidth.left_throttled = true;
        let what = format!(
            "CPU {left} is throttled and no RT period timer runs: its RT tasks wait until a limit \
                is written"
        );
        self.found("rt_throttled_for_good", what);
    }

    fn arm_rt_period(&mut self, cpu: CpuId, expiry: u64) {
        self.cpu(cpu).timers.arm(Timer { expiry, kind: TimerKind::RtPeriod });
        self.arm_device(cpu);
    }

    /// update_curr_rt(): charges the running RT task of `target`; `cpu` executes.
    pub(crate) fn update_curr_rt(&mut self, cpu: CpuId, target: CpuId) {
        let rq = &mut self.rqs[target];
        let ran = rq.clock - std::mem::replace(&mut rq.rt_time.exec_start, rq.clock);
        if ran == 0 || self.rt_limit().is_none() {
            return;
        }
        self.rqs[target].rt_time.time += ran;
        if self.rt_runtime_exceeded(cpu, target) {
            self.resched_curr(cpu, target, Why::RtRuntime);
            // Commit 9b58e976b3b3 (5.17): before it, a limit written while an RT task runs
            // throttles it until another one is queued.
            if self.kernel().overrun_starts_rt_period() {
                self.start_rt_bandwidth(cpu);
            }
        }
    }

    /// sched_rt_runtime_exceeded().
    fn rt_runtime_exceeded(&mut self, cpu: CpuId, target: CpuId) -> bool {
        let account = self.rqs[target].rt_time;
        if account.throttled {
            return true;
        }
        if account.runtime >= self.kernel().rt_period_ns {
            return false;
        }
        self.balance_runtime(cpu, target);
        let account = self.rqs[target].rt_time;
        if account.time <= account.runtime {
            return false;
        }
        if self.rt_limit() == Some(0) {
            // A runtime of 0 forbids RT tasks at admission; time of those there already is
            // forgiven, as the kernel does.
            self.rqs[target].rt_time.time = 0;
            return false;
        }
        self.rt_throttle(target);
        true
    }

    fn rt_throttle(&mut self, cpu: CpuId) {
        let rq = &mut self.rqs[cpu];
        rq.rt_time.throttled = true;
        rq.count_running(-(rq.rt.active.len() as i64));
        let account = rq.rt_time;
        self.ledger.rt_throttled.get_or_insert((self.now, cpu));
        self.emit(Kind::RtThrottle, cpu, micros(account.time), micros(account.runtime));
        self.refresh(cpu);
    }

    /// sched_rt_rq_enqueue(): the RT queue is back on `target`'s run queue.
    fn rt_unthrottle(&mut self, cpu: CpuId, target: CpuId) {
        let rq = &mut self.rqs[target];
        rq.rt_time.throttled = false;
        rq.count_running(rq.rt.active.len() as i64);
        let (owed, waiting) = (rq.rt_time.time, !rq.rt.active.is_empty());
        self.emit(Kind::RtUnthrottle, target, micros(owed), 0);
        if waiting {
            self.resched_curr(cpu, target, Why::HigherClass);
        }
        self.refresh(target);
    }

    /// balance_runtime(), RT_RUNTIME_SHARE: borrows a share of the spare time of every peer in the
    /// root domain, up to a whole period. `cpu` pays one line transfer per peer, whose lock it
    /// takes on its own.
    fn balance_runtime(&mut self, cpu: CpuId, target: CpuId) {
        let account = self.rqs[target].rt_time;
        if !self.kernel().rt_throttle().borrows() || account.time <= account.runtime {
            return;
        }
        let period = self.kernel().rt_period_ns;
        let span = self.rd(target).span;
        let weight = u64::from(span.count());
        for peer in span.iter().filter(|peer| *peer != target) {
            let lender = self.rqs[peer].rt_time;
            let distance = self.setup.machine.topology.distance(cpu, peer);
            let ns = self.cost(cpu, line_ns(distance, &self.setup.machine.costs));
            self.cpu(cpu).owe(ns);
            let spare = lender.runtime.saturating_sub(lender.time) / weight;
            let taken = spare.min(period - self.rqs[target].rt_time.runtime);
            self.rqs[peer].rt_time.runtime -= taken;
            self.rqs[target].rt_time.runtime += taken;
            if self.rqs[target].rt_time.runtime == period {
                break;
            }
        }
    }
}

fn micros(ns: u64) -> u32 {
    u32::try_from(ns / 1_000).unwrap_or(u32::MAX)
}
