//! The fair server of 6.12: a deadline reservation of 50 ms in 1 000 ms for the fair class of each CPU (spec B.7).
//!
//! ```text
//!   fair task runnable ──deferred──► deadline - runtime (no laxity left) ──► fair runs above RT until the 50 ms are used
//! ```
//! Fair time in the background is charged too, so a CPU that RT leaves alone never sees the server act. Names of the flags
//! are those of `struct sched_dl_entity` (6.12, recalled).

use super::config::RtThrottle;
use super::frame::Flow;
use super::preempt::Why;
use crate::machine::hrtimer::{Timer, TimerKind};
use crate::sim::Sim;

/// dl_runtime of the fair server, ns.
pub const RUNTIME_NS: u64 = 50_000_000;
/// dl_period and dl_deadline of the fair server, ns.
pub const PERIOD_NS: u64 = 1_000_000_000;

/// One CPU's fair server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FairServer {
    /// Fair tasks on the run queue.
    pub tasks: u32,
    /// There are any: dl_server_active.
    pub active: bool,
    /// Runtime left, ns.
    pub runtime: i64,
    /// Present deadline.
    pub deadline: u64,
    /// Waits for its timer: for the zero-laxity point or for the next period.
    pub throttled: bool,
    /// dl_defer_armed: the timer awaits the zero-laxity point.
    pub armed: bool,
    /// The fair task on the CPU was picked through the server.
    pub serving: bool,
    /// dl_defer_running: it has had to serve, and goes on to without deferral.
    pub running: bool,
}

impl FairServer {
    /// Fair tasks go before RT tasks now.
    pub fn serves(&self) -> bool {
        self.active && !self.throttled && self.tasks > 0
    }

    fn new_period(&mut self, now: u64) {
        self.deadline = now + PERIOD_NS;
        self.runtime = RUNTIME_NS as i64;
        self.defer();
    }

    fn defer(&mut self) {
        if !self.running {
            self.throttled = true;
            self.armed = true;
        }
    }

    /// The reservation as it stands cannot be used up to its deadline (update_dl_entity).
    fn stale(&self, now: u64) -> bool {
        let left = i128::from(self.deadline) - i128::from(now);
        left <= 0 || i128::from(self.runtime) * i128::from(PERIOD_NS) > left * i128::from(RUNTIME_NS)
    }

    /// When its timer is due.
    fn due(&self) -> u64 {
        if self.armed { self.deadline.saturating_sub(self.runtime.max(0) as u64) } else { self.deadline }
    }
}

/// The server's timer callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FairTimer {
    /// About to take the own rq lock.
    Start,
    /// It is held.
    Locked,
}

impl FairTimer {
    /// Next step on `cpu`.
    pub fn step(&mut self, sim: &mut Sim, cpu: u32) -> Flow {
        match self {
            Self::Start => {
                *self = Self::Locked;
                Flow::Lock(cpu)
            }
            Self::Locked => {
                sim.fair_server_timer(cpu);
                sim.unlock(cpu, cpu);
                Flow::Done
            }
        }
    }
}

impl Sim {
    fn has_fair_server(&self) -> bool {
        self.kernel().rt_throttle == RtThrottle::DlServer
    }

    /// Fair tasks have joined or left `cpu`'s run queue: dl_server_start() with the first, dl_server_stop() with the last.
    pub(crate) fn fair_server_count(&mut self, cpu: u32) {
        let (now, exists, tasks) = (self.now, self.has_fair_server(), self.cfs_rq(cpu, 0).h_nr_running);
        let server = &mut self.rqs[cpu as usize].server;
        let before = std::mem::replace(&mut server.tasks, tasks);
        if !exists || (before == 0) == (tasks == 0) {
            return;
        }
        server.active = tasks > 0;
        if !server.active {
            (server.throttled, server.armed) = (false, false);
        } else if server.stale(now) {
            server.new_period(now);
        } else {
            server.defer();
        }
        let starts = server.active;
        self.arm_fair_server(cpu);
        // dl_server_start() asks whoever runs there to reschedule, deferred or not (read in 6.12.117). It is called with the
        // run-queue lock held: its owner is who asks.
        if let Some(by) = self.locks[cpu as usize].owner().filter(|_| starts) {
            self.resched_curr(by, cpu, Why::HigherClass);
        }
    }

    /// The timer stands on the run queue's own CPU, whoever starts the server (decisions 0011).
    fn arm_fair_server(&mut self, cpu: u32) {
        let (now, server) = (self.now, self.rqs[cpu as usize].server);
        self.cpu(cpu).timers.cancel(TimerKind::FairServer);
        if server.throttled {
            self.cpu(cpu).timers.arm(Timer { expiry: server.due().max(now), kind: TimerKind::FairServer });
        }
        self.arm_device(cpu);
    }

    /// dl_server_update(): fair tasks have run for `ran` on `target`; `cpu` executes.
    pub(crate) fn fair_server_update(&mut self, cpu: u32, target: u32, ran: u64) {
        let now = self.now;
        let server = &mut self.rqs[target as usize].server;
        if !server.active || ran == 0 {
            return;
        }
        server.runtime -= ran as i64;
        if server.runtime > 0 {
            return;
        }
        if server.throttled && server.serving {
            return;
        }
        if server.throttled {
            // Fair tasks ran in the background: nobody starves.
            server.running = false;
            server.new_period(now);
            self.arm_fair_server(target);
            return;
        }
        server.throttled = true;
        if server.deadline <= now {
            self.fair_server_replenish(target);
            return;
        }
        self.arm_fair_server(target);
        self.resched_curr(cpu, target, Why::RtRuntime);
        self.refresh(target);
    }

    fn fair_server_replenish(&mut self, cpu: u32) {
        let now = self.now;
        let server = &mut self.rqs[cpu as usize].server;
        while server.runtime <= 0 {
            server.deadline += PERIOD_NS;
            server.runtime += RUNTIME_NS as i64;
        }
        if server.deadline < now {
            server.new_period(now);
        }
        server.throttled = server.armed;
        self.arm_fair_server(cpu);
    }

    /// dl_server_timer() on `cpu`, own rq lock held.
    pub(crate) fn fair_server_timer(&mut self, cpu: u32) {
        let now = self.now;
        let server = &mut self.rqs[cpu as usize].server;
        if !server.active || !server.throttled {
            return;
        }
        if now < server.due() {
            // What ran in the background has moved the zero-laxity point.
            self.arm_fair_server(cpu);
            return;
        }
        if server.armed {
            (server.armed, server.throttled, server.running) = (false, false, true);
        } else {
            self.fair_server_replenish(cpu);
        }
        if self.rqs[cpu as usize].server.serves() {
            self.resched_curr(cpu, cpu, Why::HigherClass);
        }
        self.refresh(cpu);
    }
}
