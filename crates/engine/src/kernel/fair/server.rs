//! The fair server of 6.12: a deadline reservation of 50 ms in 1 000 ms for the fair class of each
//! CPU.
//!
//! ```text
//!   fair task runnable ──deferred──► deadline - runtime (no laxity left) ──► fair runs above RT until the 50 ms are used
//! ```
//! Background time of fair tasks is charged too, and so is idle time, so the server never acts on a
//! CPU without RT tasks. Names of the flags are those of `struct sched_dl_entity`; the rules are
//! those of deadline.c as read in 6.12.117, 6.18.15, 7.1.3 and 7.2.13
//! (docs/model/bandwidth.md#fair-server).

use crate::ids::{CpuId, GroupId, TaskId};
use crate::kernel::class::Class;
use crate::kernel::config::Kernel;
use crate::kernel::core::preempt::Why;
use crate::kernel::frame::Flow;
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::machine::spinlock::LockId;
use crate::sim::Sim;

/// dl_runtime of the fair server, ns.
pub const RUNTIME_NS: u64 = 50_000_000;
/// dl_period and dl_deadline of the fair server, ns.
const PERIOD_NS: u64 = 1_000_000_000;
/// dl_server_min_res: a deferral shorter than this is not worth a timer, ns.
const MIN_RES_NS: i128 = 1_000_000;
/// DL_SCALE: bandwidths are compared in units of 1 024 ns.
const DL_SCALE: u32 = 10;
/// BW_SHIFT: the binary point of a density.
const BW_SHIFT: u32 = 20;

/// One CPU's fair server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FairServer {
    /// Fair tasks on the run queue.
    pub tasks: u32,
    /// dl_server_active: it was started with the first of them, and not stopped since.
    pub active: bool,
    /// Runtime left, ns.
    pub runtime: i64,
    /// The time by which the remaining runtime must be available, ns.
    deadline: u64,
    /// Waits for its timer: for the zero-laxity point or for the next period.
    pub throttled: bool,
    /// dl_defer_armed: the timer awaits the zero-laxity point.
    pub armed: bool,
    /// dl_defer_running: the server had to serve, and continues without deferral.
    running: bool,
    /// dl_defer_idle: idle time alone has used up its period, so its timer stops it.
    idle: bool,
    /// Whether the server is on the deadline queue, as of the last update.
    pub queued: bool,
    /// The idle task's exec_start: up to when its time is charged, ns.
    pub idle_since: u64,
}

impl FairServer {
    /// Whether the server is on the deadline queue: the pick then asks it before RT tasks.
    pub fn is_queued(&self) -> bool {
        self.active && !self.throttled
    }

    /// Fair tasks go before RT tasks now.
    pub fn serves(&self) -> bool {
        self.is_queued() && self.tasks > 0
    }

    /// replenish_dl_new_period()
    fn new_period(&mut self, now: u64) {
        self.deadline = now + PERIOD_NS;
        self.runtime = RUNTIME_NS as i64;
        if !self.running {
            (self.throttled, self.armed) = (true, true);
        }
    }

    fn laxity(&self, now: u64) -> i128 {
        i128::from(self.deadline) - i128::from(now)
    }

    /// dl_entity_overflow(): whether the remaining runtime exceeds the reservation's share of the
    /// time up to the deadline.
    fn overflows(&self, now: u64) -> bool {
        let left = i128::from(PERIOD_NS >> DL_SCALE) * i128::from(self.runtime >> DL_SCALE);
        (self.laxity(now) >> DL_SCALE) * i128::from(RUNTIME_NS >> DL_SCALE) < left
    }

    /// update_dl_entity(): the server starts again, with its remaining runtime and deadline if they
    /// are still valid.
    fn wake(&mut self, now: u64, kernel: &Kernel) {
        let passed = self.laxity(now) < 0;
        if !passed && !self.overflows(now) {
            if !self.running {
                (self.throttled, self.armed) = (true, true);
            }
            return;
        }
        let revises = kernel.server_revises_wakeup()
            || (self.running && kernel.serving_server_revises_wakeup());
        if revises && !passed {
            // update_dl_revised_wakeup()
            let density = (RUNTIME_NS << BW_SHIFT) / PERIOD_NS;
            self.runtime = ((i128::from(density) * self.laxity(now)) >> BW_SHIFT) as i64;
            return;
        }
        self.running &= !kernel.new_period_ends_serving();
        self.new_period(now);
    }

    /// replenish_dl_entity()
    fn replenish(&mut self, now: u64) {
        if self.armed && self.overflows(now) {
            // The server found no time in the background: its 50 ms and its period begin now.
            self.deadline = now + PERIOD_NS;
            self.runtime = RUNTIME_NS as i64;
        }
        while self.runtime <= 0 {
            self.deadline += PERIOD_NS;
            self.runtime += RUNTIME_NS as i64;
        }
        if self.deadline < now {
            self.new_period(now);
        }
        self.throttled = false;
        let was_armed = std::mem::take(&mut self.armed);
        if !was_armed && !self.running && i128::from(self.runtime) < self.laxity(now) {
            (self.throttled, self.armed) = (true, true);
        }
    }

    /// When its timer is due.
    fn due(&self) -> u64 {
        if self.armed {
            self.deadline.saturating_sub(self.runtime.max(0) as u64)
        } else {
            self.deadline
        }
    }

    /// How long the timer of the zero-laxity point goes on, if background time has moved that point
    /// far enough.
    fn forward(&self, now: u64) -> Option<u64> {
        let by = self.laxity(now) - i128::from(self.runtime);
        (self.armed && by > MIN_RES_NS).then_some(by as u64)
    }

    /// dl_server_stop(): the runtime, the deadline and dl_defer_running stay.
    fn stop(&mut self) {
        (self.active, self.throttled, self.armed, self.idle) = (false, false, false, false);
    }
}

/// The server's timer callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FairTimer {
    /// About to take the own rq lock; it expired at `expiry`.
    Start { expiry: u64 },
    /// The lock is held.
    Locked { expiry: u64 },
}

impl FairTimer {
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match *self {
            Self::Start { expiry } => {
                *self = Self::Locked { expiry };
                Flow::Lock(LockId::rq(cpu))
            }
            Self::Locked { expiry } => {
                sim.fair_server_timer(cpu, expiry);
                sim.unlock(cpu, LockId::rq(cpu));
                Flow::Done
            }
        }
    }
}

impl Sim {
    fn has_fair_server(&self) -> bool {
        self.kernel().rt_throttle().has_fair_server()
    }

    /// Fair tasks have joined or left `cpu`'s run queue: dl_server_start() with the first. In 6.12
    /// and 6.13 as released the last one that leaves stops the server; later the pick does that
    /// finds it without a task.
    pub(crate) fn fair_server_count(&mut self, cpu: CpuId) {
        let (now, exists, tasks) =
            (self.now, self.has_fair_server(), self.cfs_rq(cpu, GroupId::ROOT).h_nr_running());
        let first = self.kernel().has_first_fair_server();
        let server = &mut self.rqs[cpu].server;
        let before = std::mem::replace(&mut server.tasks, tasks);
        if !exists || (before == 0) == (tasks == 0) {
            return;
        }
        if tasks == 0 {
            if first {
                self.fair_server_stop(cpu);
            }
            return;
        }
        server.idle = false;
        if server.active {
            return;
        }
        server.active = true;
        server.wake(now, &self.setup.kernel);
        if self.kernel().idle_charges_server() {
            // dl_server_start() charges the idle task before the server is active.
            let rq = &mut self.rqs[cpu];
            rq.server.idle_since = rq.clock;
        }
        self.arm_fair_server(cpu);
        // dl_server_start() asks the running task to reschedule, deferred or not (read in
        // 6.12.117). The run-queue lock is held, so its owner is the CPU that asks.
        if let Some(by) = self.locks[LockId::rq(cpu)].owner() {
            self.resched_curr(by, cpu, Why::HigherClass);
        }
    }

    fn fair_server_stop(&mut self, cpu: CpuId) {
        self.rqs[cpu].server.stop();
        self.arm_fair_server(cpu);
    }

    /// __pick_next_task(): a queued server picks before the RT class, and stops if it has no fair
    /// task. While only fair tasks are queued, or none, and no task of a higher class leaves, the
    /// fair class picks at once and skips the server.
    pub(crate) fn pick_through_server(&mut self, cpu: CpuId) -> Option<TaskId> {
        let rq = &self.rqs[cpu];
        let fair_leaves = rq.curr.is_none_or(|curr| !self.task(curr).class().is_above(Class::Fair));
        let skipped = fair_leaves && rq.nr_running() == rq.cfs[GroupId::ROOT].h_nr_running();
        if skipped || !rq.server.is_queued() {
            return None;
        }
        let picked = self.pick_fair(cpu);
        if picked.is_none() {
            self.fair_server_stop(cpu);
        }
        picked
    }

    /// Arms the timer of a server that waits, or ends the wait if the time has passed
    /// (start_dl_timer() compares whole microseconds). The timer is on the run queue's own CPU, no
    /// matter which CPU starts the server (decisions 0011).
    fn arm_fair_server(&mut self, cpu: CpuId) {
        let now = self.now;
        let server = &mut self.rqs[cpu].server;
        if server.throttled && server.due() + 1_000 <= now {
            (server.throttled, server.armed) = (false, false);
        }
        let is_queued = server.is_queued();
        let was_queued = std::mem::replace(&mut server.queued, is_queued);
        let server = *server;
        if was_queued != is_queued {
            self.fair_server_queued(cpu, is_queued);
            if self.kernel().server_is_running() {
                self.rqs[cpu].count_running(if is_queued { 1 } else { -1 });
                self.note_overload(cpu);
            }
        }
        self.take_apart(cpu);
        self.cpu(cpu).timers.cancel(TimerKind::FairServer);
        if server.throttled {
            self.arm_fair_timer(cpu, server.due().max(now));
        }
        self.arm_device(cpu);
    }

    fn arm_fair_timer(&mut self, cpu: CpuId, expiry: u64) {
        self.cpu(cpu).timers.arm(Timer { expiry, kind: TimerKind::FairServer });
    }

    /// dl_server_update(): fair tasks have run for `ran` on `target`; `cpu` executes.
    pub(crate) fn fair_server_update(&mut self, cpu: CpuId, target: CpuId, ran: u64) {
        self.fair_server_charge(cpu, target, ran, false);
    }

    /// update_curr_dl_se() of the server of `target` for `ran`; `idle`: the run queue is empty.
    fn fair_server_charge(&mut self, cpu: CpuId, target: CpuId, ran: u64, idle: bool) {
        let now = self.now;
        let server = &mut self.rqs[target].server;
        if !server.active || ran == 0 {
            return;
        }
        server.runtime -= ran as i64;
        server.idle &= idle;
        if server.runtime > 0 {
            return;
        }
        if server.throttled {
            if server.idle {
                server.runtime = 0;
                return;
            }
            // Fair tasks ran without the server, if only from the end of its runtime to the switch:
            // none of them starves.
            server.running = false;
            server.new_period(now);
            server.idle = idle;
            self.arm_fair_server(target);
            return;
        }
        server.throttled = true;
        if server.due() + 1_000 <= now {
            if self.setup.kernel.late_server_waits() {
                server.new_period(now);
            } else {
                server.replenish(now);
            }
        }
        self.arm_fair_server(target);
        if !self.rqs[target].server.is_queued() {
            self.resched_curr(cpu, target, Why::RtRuntime);
        }
        self.refresh(target);
    }

    /// update_curr_idle() from 6.19 on: charges the idle time of `target` up to its clock.
    pub(crate) fn charge_idle(&mut self, cpu: CpuId, target: CpuId) {
        if !self.kernel().idle_charges_server() {
            return;
        }
        let rq = &mut self.rqs[target];
        let since = std::mem::replace(&mut rq.server.idle_since, rq.clock);
        let (ran, idle) = (rq.clock.saturating_sub(since), rq.nr_running() == 0);
        self.fair_server_charge(cpu, target, ran, idle);
    }

    /// The CPU leaves idle, or its first fair task joins there: dl_server_update_idle_time()
    /// charges the server for the time, in which fair tasks could have run.
    pub(crate) fn fair_server_update_idle(&mut self, cpu: CpuId) {
        let rq = &mut self.rqs[cpu];
        if rq.server.runtime < 0 {
            return;
        }
        let since = std::mem::replace(&mut rq.server.idle_since, rq.clock);
        rq.server.runtime -= rq.clock.saturating_sub(since) as i64;
        if rq.server.runtime < 0 {
            (rq.server.running, rq.server.runtime) = (false, 0);
        }
    }

    /// dl_server_timer() on `cpu`, own rq lock held.
    fn fair_server_timer(&mut self, cpu: CpuId, expiry: u64) {
        let now = self.now;
        let server = &mut self.rqs[cpu].server;
        if !server.throttled {
            return;
        }
        if self.kernel().idle_charges_server() {
            self.update_curr(cpu, cpu);
            if self.rqs[cpu].curr.is_none() {
                self.charge_idle(cpu, cpu);
            }
            let waits = self.cpus[cpu].timers.is_armed(TimerKind::FairServer);
            if self.rqs[cpu].server.idle {
                return self.fair_server_stop(cpu);
            }
            if waits || !self.rqs[cpu].server.throttled {
                return;
            }
        }
        let server = &mut self.rqs[cpu].server;
        if let Some(by) = server.forward(now) {
            // hrtimer_forward_now(): counted from when it was due, which is before now.
            let next = expiry + ((now - expiry) / by + 1) * by;
            self.cpu(cpu).timers.cancel(TimerKind::FairServer);
            self.arm_fair_timer(cpu, next);
            self.arm_device(cpu);
            return;
        }
        server.running |= server.armed;
        server.replenish(now);
        self.arm_fair_server(cpu);
        // The kernel reschedules without looking at the running task or at the server's tasks.
        self.resched_curr(cpu, cpu, Why::HigherClass);
        self.refresh(cpu);
    }
}
