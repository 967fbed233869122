//! Hardware threads that share a core: a busy thread slows the user code of the others
//! (docs/model/programs.md#hardware-threads, Rostedt 2007).
//!
//! Kernel code keeps its pace, because the cost presets already contain the effect.

use crate::ids::CpuId;
use crate::kernel::frame::Frame;
use crate::machine::topology::FULL_SPEED;
use crate::sim::Sim;
use crate::trace::catalogue::CpuState;

impl Sim {
    /// Pace of user code on `cpu` as things are, percent.
    #[inline]
    pub(crate) fn pace_of(&self, cpu: CpuId) -> u32 {
        let topology = self.setup.machine.topology;
        if topology.threads() == 1 {
            return FULL_SPEED;
        }
        let busy = |other: CpuId| other != cpu && self.cpus[other].shown().0.0 != CpuState::Idle;
        if topology.core_of(cpu).any(busy) { topology.smt_speed() } else { FULL_SPEED }
    }

    /// How long `work` ns of the executing frame take on `cpu` from now on, and its pace.
    #[inline]
    pub(super) fn paced_ns(&mut self, cpu: CpuId, work: u64) -> (u64, u32) {
        let slows = self.setup.machine.topology.threads() > 1
            && matches!(self.cpu(cpu).top().frame, Frame::User);
        let pace = if slows { self.pace_of(cpu) } else { FULL_SPEED };
        if pace == FULL_SPEED {
            return (work, pace);
        }
        let ns = (u128::from(work) * u128::from(FULL_SPEED))
            .div_ceil(u128::from(pace))
            .try_into()
            .unwrap_or(u64::MAX);
        (ns, pace)
    }

    /// Stops the work of `cpu` in mid-step and keeps the rest. Returns whether it was at work.
    pub(super) fn stop_work(&mut self, cpu: CpuId) -> bool {
        let state = &mut self.cpus[cpu];
        let now = state.hw.resumes_at(self.now);
        let Some(until) = state.hw.stop_work() else { return false };
        state.top().remaining = match state.hw.pace() {
            FULL_SPEED => until - now,
            pace => (u128::from(until - now) * u128::from(pace) / u128::from(FULL_SPEED)) as u64,
        };
        true
    }

    /// `cpu` has become idle or busy: user code beside it goes on at another pace.
    #[inline]
    pub(super) fn pace_changes(&mut self, cpu: CpuId) {
        if self.setup.machine.topology.threads() == 1 {
            return;
        }
        for other in self.setup.machine.topology.core_of(cpu) {
            let user = matches!(self.cpu(other).top().frame, Frame::User);
            if other != cpu && user {
                self.work_anew(other);
            }
        }
    }

    /// Restarts the rest of the user code that `cpu` works on, at the present speed.
    pub(super) fn work_anew(&mut self, cpu: CpuId) {
        if self.stop_work(cpu) {
            self.look_at_the_clock(cpu);
            let work = self.cpu(cpu).top().remaining;
            self.spend(cpu, work);
        }
    }
}
