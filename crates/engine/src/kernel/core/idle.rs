//! The idle loop: stop the tick, wait while watching need_resched or for an interrupt, then
//! schedule().

use super::schedule::Schedule;
use crate::ids::CpuId;
use crate::kernel::fair::bandwidth::csd::BwCsd;
use crate::kernel::frame::{Flow, Frame};
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::kernel::irq::Drain;
use crate::kernel::rt::rto::RtoWork;
use crate::machine::spinlock::line_ns;
use crate::setup::IdleKind;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// Where the idle loop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// do_idle() begins.
    Enter,
    /// About to sleep, or just woken: look at need_resched.
    Loop,
    /// The tick is back: flush_smp_call_function_queue() takes the list.
    Take,
    /// The calls of the list, then its wake-ups.
    Flush,
    /// One call is done.
    Called,
    /// Softirqs that the calls have raised.
    Softirq,
    /// schedule_idle().
    Schedule,
}

impl Idle {
    #[inline]
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        sim.cpu(cpu).hw.set_idle_exiting(false);
        match self {
            Self::Enter => self.enter(sim, cpu),
            Self::Loop => self.look(sim, cpu),
            Self::Take => {
                sim.cpu(cpu).polling = false;
                sim.take_calls(cpu);
                *self = Self::Flush;
                Flow::Again
            }
            Self::Flush => self.flush(sim, cpu),
            Self::Called => {
                sim.irq_enable(cpu);
                *self = Self::Flush;
                Flow::Again
            }
            Self::Softirq => {
                sim.irq_enable(cpu);
                *self = Self::Schedule;
                Flow::Again
            }
            Self::Schedule => {
                *self = Self::Enter;
                Flow::Call(Frame::Schedule(Schedule::explicit()))
            }
        }
    }

    #[inline]
    fn enter(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        // got_tick is a local variable of do_idle().
        sim.rqs[cpu].nohz.idle_ticked = false;
        if sim.rqs[cpu].nohz.flags == 0 {
            return self.look(sim, cpu);
        }
        *self = Self::Loop;
        sim.nohz_run_idle_balance(cpu).unwrap_or(Flow::Again)
    }

    #[inline]
    fn look(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        *self = Self::Loop;
        if sim.cpu(cpu).need_resched.is_none() {
            return sim.idle_enter(cpu);
        }
        // cpuidle_idle_call() sets the bit again on its way out, after any idle state; the bit
        // stays until the tick is back.
        sim.cpu(cpu).polling = true;
        let stopped = !sim.cpu(cpu).timers.tick_armed();
        sim.tick_restart(cpu);
        *self = Self::Take;
        match sim.setup.machine.costs.idle_leave_ns {
            ns if ns > 0 && stopped => Flow::Spend(sim.cost(cpu, ns)),
            _ => Flow::Again,
        }
    }

    /// The whole list, wake-ups last, and only then the softirqs that it has raised.
    fn flush(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        if sim.rqs[cpu].nohz.csd {
            // The CPU polled, or woke before the IPI came.
            sim.nohz_csd_func(cpu);
        }
        if std::mem::take(&mut sim.cpu(cpu).rto_work) {
            sim.irq_disable(cpu);
            *self = Self::Called;
            return Flow::Call(Frame::RtoWork(RtoWork::new()));
        }
        if !sim.rqs[cpu].bw_csd.is_empty() {
            return Flow::Call(Frame::BwCsd(BwCsd::Start));
        }
        if sim.has_wakeups(cpu) {
            return Flow::Call(Frame::Drain(Drain::new()));
        }
        sim.irq_disable(cpu);
        *self = Self::Softirq;
        sim.invoke_softirq(cpu)
    }
}

impl Sim {
    #[inline]
    fn idle_enter(&mut self, cpu: CpuId) -> Flow {
        if self.cpu(cpu).timers.cancel(TimerKind::TickOfSecond) {
            self.arm_device(cpu);
        }
        if self.setup.machine.idle.polls() {
            // cpu_idle_poll() starts it again, and for poll_idle() the menu governor never stops
            // it.
            self.tick_restart(cpu);
        } else if self.tick_may_stop(cpu) && self.cpu(cpu).timers.cancel_tick() {
            self.emit(Kind::TickStop, cpu, 0, 0);
            self.arm_device(cpu);
            self.drop_tick_duty(cpu);
            self.nohz_balance_enter_idle(cpu);
        }
        self.cpu(cpu).polling = self.setup.machine.idle.watches_flag();
        Flow::Block
    }

    /// Re-arms the tick on its grid when the CPU stops being idle.
    pub(crate) fn tick_restart(&mut self, cpu: CpuId) {
        if self.cpu(cpu).timers.tick_armed() {
            return;
        }
        self.cpu(cpu).timers.cancel(TimerKind::TickOfSecond);
        self.balanced_while_idle(cpu);
        self.update_jiffies();
        self.arm_tick(cpu);
        self.emit(Kind::TickRestart, cpu, 0, 0);
    }

    /// Arms the next tick of `cpu` on its grid.
    pub(crate) fn arm_tick(&mut self, cpu: CpuId) {
        let period = self.kernel().tick_ns();
        let phase = self.cpu(cpu).tick_phase_ns;
        let expiry = if self.now < phase {
            phase
        } else {
            phase + ((self.now - phase) / period + 1) * period
        };
        self.cpu(cpu).timers.arm(Timer { expiry, kind: TimerKind::Tick });
        self.arm_device(cpu);
    }

    /// A polling idle CPU sees its flag change: one line transfer from `by`, then the way out of
    /// the idle state.
    pub(crate) fn wake_poller(&mut self, cpu: CpuId, by: CpuId) {
        if !self.cpu(cpu).blocked {
            return;
        }
        let distance = self.setup.machine.topology.distance(by, cpu);
        let line_ns = line_ns(distance, &self.setup.machine.costs);
        let ns = self.cost(cpu, line_ns) + self.idle_exit_ns(cpu);
        self.cpu(cpu).hw.set_idle_exiting(true);
        self.resume_after(cpu, ns);
    }

    /// The time that `cpu` takes to leave this machine's idle state, in ns.
    pub(crate) fn idle_exit_ns(&self, cpu: CpuId) -> u64 {
        let costs = &self.setup.machine.costs;
        match self.setup.machine.idle {
            IdleKind::Poll => self.cost(cpu, costs.idle_exit_poll_ns),
            // What the state's hardware takes, not code.
            IdleKind::Mwait => u64::from(costs.idle_exit_mwait_ns),
            IdleKind::Halt => self.cost(cpu, costs.idle_exit_halt_ns),
        }
    }
}
