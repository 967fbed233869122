//! nohz_full CPUs: the tick stops while one task runs alone (docs/model/time.md#nohz_full). Once a
//! second there is one all the same: their own to 4.16, later one that another CPU does for them.

use crate::ids::{CpuId, GroupId};
use crate::kernel::frame::{Flow, Frame};
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::machine::spinlock::LockId;
use crate::rng::{Purpose, below};
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// sched_tick_remote(): the CPU that keeps the time does the tick of a nohz_full CPU whose own is
/// stopped. In the kernel a kworker runs the work; here the timer's callback does it, so no task on
/// this CPU delays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteTick {
    target: CpuId,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Look,
    Locked,
    Class,
    Unlock,
    Queue,
}

impl RemoteTick {
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let target = self.target;
        match self.step {
            Step::Look if !sim.full_tick_stopped(target) => {
                self.step = Step::Queue;
                Flow::Again
            }
            Step::Look => {
                self.step = Step::Locked;
                Flow::Lock(LockId::rq(target))
            }
            Step::Locked => {
                sim.update_rq_clock(target);
                self.step = Step::Class;
                Flow::Spend(sim.cost(cpu, sim.setup.machine.costs.tick_ns))
            }
            Step::Class => {
                sim.charge_curr(cpu, target);
                sim.task_tick(cpu, target);
                self.step = Step::Unlock;
                Flow::Again
            }
            Step::Unlock => {
                sim.unlock(cpu, LockId::rq(target));
                self.step = Step::Queue;
                Flow::Again
            }
            Step::Queue => {
                sim.queue_remote_tick(cpu, target);
                Flow::Done
            }
        }
    }
}

/// Ticks between the instants at which the timer wheel runs a work that is due a second later: a
/// second is on its level with steps of 8 or of 64 ticks (kernel/time/timer.c, 4.8 on).
fn wheel_step(hz: u64) -> u64 {
    match hz {
        0..63 => 1,
        63..504 => 8,
        _ => 64,
    }
}

impl Sim {
    /// The work of `target` is due.
    pub(crate) fn remote_tick(target: CpuId) -> Flow {
        Flow::Call(Frame::RemoteTick(RemoteTick { target, step: Step::Look }))
    }

    /// The lowest other CPU keeps the time and its tick.
    pub(crate) fn boot_nohz_full(&mut self) {
        let full = self.kernel().nohz_full;
        if full.is_empty() {
            return;
        }
        let keeper = (self.setup.machine.topology.cpu_ids()).find(|cpu| !full.has(*cpu));
        self.nohz.duty = keeper;
        if let Some(keeper) = keeper {
            self.tick_restart(keeper);
            if self.kernel().ticks_remotely() {
                self.begin_remote_ticks(keeper);
            }
        }
    }

    /// A second after the last tick of `cpu`, on its grid.
    fn a_second_on(&self, cpu: CpuId) -> u64 {
        let (period, phase) = (self.kernel().tick_ns(), self.cpus[cpu].tick_phase_ns);
        let last = self.now.saturating_sub(phase) / period * period + phase;
        last + 1_000_000_000 / period * period
    }

    /// A run begins at any instant: each full CPU's work is somewhere in its second.
    fn begin_remote_ticks(&mut self, keeper: CpuId) {
        let hz = u64::from(self.kernel().hz);
        let step = wheel_step(hz);
        for target in self.setup.machine.topology.cpu_ids() {
            if self.kernel().nohz_full.has(target) {
                let (seed, entity) = (self.setup.seed, u64::from(target));
                let steps = below(seed, Purpose::RemoteTick, entity, 0, hz / step + 1);
                let ticks = (steps + 1) * step - self.wheel_offset(step);
                self.arm_remote_tick(keeper, target, ticks);
            }
        }
    }

    /// The work of `target` has run and is queued anew: in a second, and then at the next step of
    /// the timer wheel, which is 1 024 ticks at 1000 Hz and 256 at 250 Hz.
    fn queue_remote_tick(&mut self, keeper: CpuId, target: CpuId) {
        let hz = u64::from(self.kernel().hz);
        let (step, phase) = (wheel_step(hz), self.cpus[keeper].tick_phase_ns);
        let offset = self.wheel_offset(step);
        let now = self.now.saturating_sub(phase) / self.kernel().tick_ns() + offset;
        let due = ((now + hz) / step + 1) * step;
        self.arm_remote_tick(keeper, target, due - offset);
    }

    /// Ticks since the wheel's last step as the run begins.
    fn wheel_offset(&self, step: u64) -> u64 {
        below(self.setup.seed, Purpose::RemoteTick, u64::MAX, 0, step)
    }

    /// At the tick with that number of the CPU that keeps the time.
    fn arm_remote_tick(&mut self, keeper: CpuId, target: CpuId, tick: u64) {
        let expiry = self.cpus[keeper].tick_phase_ns + tick * self.kernel().tick_ns();
        self.cpu(keeper).timers.arm(Timer { expiry, kind: TimerKind::RemoteTick { target } });
        self.arm_device(keeper);
    }

    fn full_tick_stopped(&self, cpu: CpuId) -> bool {
        self.kernel().nohz_full.has(cpu) && !self.cpus[cpu].timers.tick_armed()
    }

    /// tick_nohz_full_update_tick(), at the end of an interrupt: stops or starts the tick as the
    /// running tasks demand.
    pub(crate) fn full_update_tick(&mut self, cpu: CpuId) {
        if !self.kernel().nohz_full.has(cpu) || self.rqs[cpu].curr.is_none() {
            return;
        }
        if !self.can_stop_full_tick(cpu) {
            return self.tick_restart(cpu);
        }
        if self.cpu(cpu).timers.cancel_tick() {
            self.emit(Kind::TickStop, cpu, 1, 0);
            self.arm_device(cpu);
        }
        // scheduler_tick_max_deferment()
        let ticks = self.kernel().ticks_remotely();
        if !ticks && !self.cpus[cpu].timers.is_armed(TimerKind::TickOfSecond) {
            let expiry = self.a_second_on(cpu);
            self.cpu(cpu).timers.arm(Timer { expiry, kind: TimerKind::TickOfSecond });
            self.arm_device(cpu);
        }
    }

    /// `cpu` has queued a task on `target`: if that CPU runs without a tick and now has to share,
    /// it starts its tick.
    pub(crate) fn full_tick_dependency(&mut self, cpu: CpuId, target: CpuId) {
        let busy = self.kernel().nohz_full.has(target) && self.rqs[target].curr.is_some();
        if !busy || self.can_stop_full_tick(target) || self.cpu(target).timers.tick_armed() {
            return;
        }
        if cpu == target {
            self.tick_restart(cpu);
        } else {
            self.call_single(cpu, target);
        }
    }

    /// sched_can_stop_tick(): a queued fair server needs a tick, as of the last change of
    /// nr_running; SCHED_FIFO needs none, SCHED_RR and fair tasks need one as soon as they share.
    fn can_stop_full_tick(&self, cpu: CpuId) -> bool {
        let rq = &self.rqs[cpu];
        if rq.nohz.server_ticks {
            return false;
        }
        let sharing =
            rq.rt.active().iter().filter(|task| self.task(**task).policy.has_rr_slice()).count();
        sharing <= 1
            && (!rq.rt.active().is_empty()
                || (rq.nr_running() <= 1 && !self.tick_guards_quota(cpu)))
    }

    /// cfs_task_bw_constrained(): from 6.6 on the tick stays where it alone notices that the quota
    /// is used up (docs/model/bandwidth.md#overrun).
    fn tick_guards_quota(&self, cpu: CpuId) -> bool {
        let Some(curr) = self.rqs[cpu].curr.filter(|_| self.kernel().tick_stays_for_quota()) else {
            return false;
        };
        let mut group = self.task_group(curr);
        while group != GroupId::ROOT {
            if self.bw_limits(cpu, group) {
                return true;
            }
            group = self.parent(group);
        }
        false
    }
}
