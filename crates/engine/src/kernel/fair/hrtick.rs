//! HRTICK: a timer ends the request of a fair task, not the next tick. On by default from 7.1 on,
//! where a CPU re-arms its timer late (CONFIG_HRTIMER_REARM_DEFERRED: x86 among others).
//!
//! ```text
//!   picked after another one ──┐                    the task's request is used up
//!   another task joins ────────┴─► armed ──────────────────────► fires: charge, need_resched
//! ```
//! The timer follows the deadline of the task alone, not those of its groups, and not the end of
//! its protection. A pick of the task that runs already does not arm it.

use super::entity::EntityId;
use crate::ids::{CpuId, GroupId, TaskId};
use crate::kernel::core::preempt::Why;
use crate::kernel::frame::Flow;
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::machine::spinlock::LockId;
use crate::sim::Sim;

/// The shortest time the timer is armed for, ns.
const LEAST_NS: u64 = 10_000;
/// An armed timer stays if it is at most this far from where it should be, ns.
const NEAR_NS: u64 = 5_000;

/// hrtick(): the timer's callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HrTick {
    /// About to take the own rq lock.
    Start,
    /// The lock is held.
    Locked,
    /// Releases the lock.
    Unlock,
}

impl HrTick {
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match *self {
            Self::Start => {
                *self = Self::Locked;
                Flow::Lock(LockId::rq(cpu))
            }
            Self::Locked => {
                sim.update_rq_clock(cpu);
                sim.charge_curr(cpu, cpu);
                sim.task_hrtick_fair(cpu);
                *self = Self::Unlock;
                // Work of a quota that the charge has noted is done first.
                Flow::Again
            }
            Self::Unlock => {
                sim.unlock(cpu, LockId::rq(cpu));
                Flow::Done
            }
        }
    }
}

impl Sim {
    /// task_tick_fair() of an hrtick: the weights of the groups, and a reschedule in any case.
    fn task_hrtick_fair(&mut self, cpu: CpuId) {
        let Some(task) = self.rqs[cpu].curr.filter(|curr| self.task(*curr).row().has_vruntime)
        else {
            return;
        };
        self.reweight_above(cpu, cpu, self.level_of(task).1);
        self.refresh_h_load(cpu, task);
        self.resched_curr(cpu, cpu, Why::HrTick);
    }

    /// hrtick_update(): a task has joined; the running fair task's timer is armed if it is not.
    pub(super) fn hrtick_update(&mut self, cpu: CpuId) {
        if self.kernel().hrtick() && !self.cpus[cpu].timers.is_armed(TimerKind::HrTick) {
            let fair = |curr: &TaskId| self.task(*curr).row().has_vruntime;
            if let Some(curr) = self.rqs[cpu].curr.filter(fair) {
                self.hrtick_start_fair(cpu, curr);
            }
        }
    }

    /// hrtick_start_fair(): arms the timer for the rest of the request of `task`, if the CPU has
    /// more fair tasks.
    pub(super) fn hrtick_start_fair(&mut self, cpu: CpuId, task: TaskId) {
        let contested = self.cfs_rq(cpu, GroupId::ROOT).h_nr_running() > 1;
        if !self.kernel().hrtick() || !self.is_eevdf() || !contested {
            return;
        }
        let se = self.se(cpu, EntityId::Task(task));
        let rest = (se.deadline - se.vruntime).max(0) as u64;
        let expiry = self.now + (rest * se.weight / super::NICE_0_WEIGHT).max(LEAST_NS);
        let timers = &mut self.cpu(cpu).timers;
        if timers.expiry_of(TimerKind::HrTick).is_some_and(|at| at.abs_diff(expiry) <= NEAR_NS) {
            return;
        }
        timers.cancel(TimerKind::HrTick);
        timers.arm(Timer { expiry, kind: TimerKind::HrTick });
        self.arm_device(cpu);
    }

    /// hrtick_schedule_exit(): a CPU that goes idle disarms the timer.
    pub(crate) fn hrtick_cancel(&mut self, cpu: CpuId) {
        if self.kernel().hrtick() && self.cpu(cpu).timers.cancel(TimerKind::HrTick) {
            self.arm_device(cpu);
        }
    }
}
