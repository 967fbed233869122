//! rseq time slice extension: a thread that is about to be preempted on its way back to user code
//! may ask for a few microseconds more (docs/model/preemption.md#slice-extension).
//!
//! ```text
//!   request ──need_resched on return from an interrupt──► granted ──timer──► expired ──► schedule()
//!      │                                                    ├──system call──► schedule()
//!      └──user code clears it                               └──need_resched──► schedule()
//! ```

use super::preempt::Point;
use crate::ids::{CpuId, TaskId};
use crate::kernel::hrtimer::{Timer, TimerKind};
use crate::sim::Sim;
use crate::trace::catalogue::Kind;
use crate::trace::codes::SliceEnd;

/// A thread's side of rseq::slice_ctrl, and the kernel's copy of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SliceCtrl {
    /// Neither bit is set.
    #[default]
    Clear,
    /// User code asks for an extension if it is about to be preempted.
    Requested,
    /// The task has an extension.
    Granted,
    /// The task has used its extension up: the timer has set need_resched.
    Expired,
}

impl Sim {
    /// User code sets the request bit, where the kernel offers extensions.
    pub(crate) fn request_slice_extension(&mut self, task: TaskId) {
        let offered = self.kernel().rseq_slice_extension();
        let ctrl = &mut self.task_mut(task).slice_ctrl;
        if offered && *ctrl == SliceCtrl::Clear {
            *ctrl = SliceCtrl::Requested;
        }
    }

    /// User code clears the request bit after its critical section; false where it finds that it
    /// was granted an extension, which it gives back by a system call.
    pub(crate) fn clears_slice_request(&mut self, task: TaskId) -> bool {
        let ctrl = &mut self.task_mut(task).slice_ctrl;
        let granted = matches!(*ctrl, SliceCtrl::Granted | SliceCtrl::Expired);
        if !granted {
            *ctrl = SliceCtrl::Clear;
        }
        !granted
    }

    /// rseq_grant_slice_extension(): whether the task that runs on `cpu`, on its way from an
    /// interrupt or a fault back to user code with a flag set, goes on instead. A task that has an
    /// extension already loses it.
    pub(crate) fn grants_slice_extension(&mut self, cpu: CpuId) -> bool {
        if !self.kernel().rseq_slice_extension() {
            return false;
        }
        let Some(task) = self.rqs[cpu].curr else { return false };
        match self.task(task).slice_ctrl {
            SliceCtrl::Clear => return false,
            SliceCtrl::Requested => {}
            SliceCtrl::Granted => {
                self.end_slice_extension(cpu, task, SliceEnd::Revoked);
                return false;
            }
            SliceCtrl::Expired => {
                self.task_mut(task).slice_ctrl = SliceCtrl::Clear;
                return false;
            }
        }
        // Other work on the way out denies it, and so does need_resched under PREEMPT_RT
        // (TIF_SLICE_EXT_DENY).
        let now = self.cpus[cpu].need_resched.is_some();
        if self.task(task).throttle_work || (now && self.kernel().preempt().is_rt()) {
            self.task_mut(task).slice_ctrl = SliceCtrl::Clear;
            return false;
        }
        true
    }

    /// Grants the requested extension: clears the flags and arms the timer.
    pub(crate) fn extend_slice(&mut self, cpu: CpuId) {
        let Some(task) = self.rqs[cpu].curr else { return };
        let length = u64::from(self.kernel().rseq_slice_extension_length_ns());
        self.task_mut(task).slice_ctrl = SliceCtrl::Granted;
        self.emit(Kind::SliceGrant, cpu, task.raw(), length as u32);
        self.clear_need_resched(cpu);
        let expiry = self.now.saturating_add(length);
        let state = self.cpu(cpu);
        state.slice_cookie = Some(task);
        state.timers.cancel(TimerKind::SliceExtension);
        state.timers.arm(Timer { expiry, kind: TimerKind::SliceExtension });
        self.arm_device(cpu);
        self.refresh(cpu);
    }

    /// rseq_slice_expired(): the timer has fired. It stays armed when its task is switched out, so
    /// the task may be gone.
    pub(crate) fn slice_extension_expires(&mut self, cpu: CpuId) {
        let cookie = self.cpu(cpu).slice_cookie;
        let Some(task) = self.rqs[cpu].curr.filter(|curr| Some(*curr) == cookie) else { return };
        if self.task(task).slice_ctrl == SliceCtrl::Granted {
            self.end_slice_extension(cpu, task, SliceEnd::Expired);
            self.task_mut(task).slice_ctrl = SliceCtrl::Expired;
            self.set_need_resched(cpu, cpu);
        }
    }

    /// __rseq_arm_slice_extension_timer(): on the way out, flags a task again that has used its
    /// extension up, if a schedule() in a page fault has picked that task and cleared the flag.
    pub(crate) fn looks_at_expiry(&mut self, cpu: CpuId) {
        let expired = |task| self.task(task).slice_ctrl == SliceCtrl::Expired;
        if self.rqs[cpu].curr.is_some_and(expired) {
            self.set_need_resched(cpu, cpu);
        }
    }

    /// Whether the task that runs on `cpu` has an extension (SYSCALL_RSEQ_SLICE).
    pub(crate) fn has_slice_extension(&self, cpu: CpuId) -> bool {
        let ctrl = self.rqs[cpu].curr.map(|task| self.task(task).slice_ctrl);
        matches!(ctrl, Some(SliceCtrl::Granted | SliceCtrl::Expired))
    }

    /// rseq_syscall_enter_work(): a system call ends an extension, and the CPU reschedules; the
    /// point where, if it does.
    pub(crate) fn leaves_slice_extension(&mut self, cpu: CpuId, yields: bool) -> Option<Point> {
        let task = self.rqs[cpu].curr?;
        match self.task(task).slice_ctrl {
            SliceCtrl::Granted => {
                let how = if yields { SliceEnd::Yielded } else { SliceEnd::Aborted };
                self.end_slice_extension(cpu, task, how);
            }
            SliceCtrl::Expired => self.task_mut(task).slice_ctrl = SliceCtrl::Clear,
            SliceCtrl::Clear | SliceCtrl::Requested => return None,
        }
        self.cpu(cpu).timers.cancel(TimerKind::SliceExtension);
        self.arm_device(cpu);
        self.set_need_resched(cpu, cpu);
        let preempts = self.kernel().preempt().preempts_kernel();
        let point = if preempts { Point::PreemptEnable } else { Point::CondResched };
        self.preempts_at(cpu, point).then_some(point)
    }

    /// The task is switched out: on its way back to user code it will find both bits cleared.
    pub(crate) fn reset_slice_extension(&mut self, cpu: CpuId, task: TaskId) {
        match self.task(task).slice_ctrl {
            SliceCtrl::Clear => {}
            SliceCtrl::Granted => self.end_slice_extension(cpu, task, SliceEnd::Revoked),
            SliceCtrl::Requested | SliceCtrl::Expired => {
                self.task_mut(task).slice_ctrl = SliceCtrl::Clear;
            }
        }
    }

    fn end_slice_extension(&mut self, cpu: CpuId, task: TaskId, how: SliceEnd) {
        self.task_mut(task).slice_ctrl = SliceCtrl::Clear;
        self.emit(Kind::SliceEnd, cpu, task.raw(), how as u32);
    }
}
