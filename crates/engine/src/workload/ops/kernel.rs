//! Work in the kernel.

use super::{Action, Played};
use crate::ids::{CpuId, ObjectId, TaskId};
use crate::kernel::syscall::Call;
use crate::kernel::syscall::kernel_work::KernelWork;
use crate::setup::{Amount, Op, Section};
use crate::sim::Sim;

impl Sim {
    /// One step of an op of kernel work.
    #[expect(clippy::wildcard_enum_match_arm, reason = "play() says which ops come here")]
    pub(super) fn play_kernel(&mut self, cpu: CpuId, task: TaskId, op: &Op) -> Played {
        match op {
            Op::Kernel { section, ns, cond_resched, might_sleep } => {
                let work = KernelWork::new(*section, self.draw_amount(cpu, *ns));
                self.kernel_work(task, [*cond_resched, *might_sleep], None, work)
            }
            Op::KernelWakes { section, ns, cond_resched, might_sleep, wakes } => {
                let work = KernelWork::new(*section, self.draw_amount(cpu, *ns));
                let played = self.kernel_work(task, [*cond_resched, *might_sleep], None, work);
                self.task_mut(task).kernel_wakes = Some(*wakes);
                played
            }
            Op::KernelSleep { ns, cond_resched, might_sleep, share_milli, sleep } => {
                let ns = self.draw_amount(cpu, *ns);
                // Each draws, whether or not it sleeps.
                let sleeps = self.draw_share(cpu, *share_milli);
                let sleep = self.draw_amount(cpu, *sleep);
                self.task_mut(task).sleeps_after = sleeps.then_some(sleep);
                let work = KernelWork::new(Section::Preemptible, ns);
                self.kernel_work(task, [*cond_resched, *might_sleep], None, work)
            }
            Op::KernelMutex { mutex, ns } => {
                let work = KernelWork::new(Section::Preemptible, self.draw_amount(cpu, *ns));
                self.kernel_work(task, [None; 2], Some(ObjectId::new(*mutex)), work)
            }
            _ => Played::Over,
        }
    }

    /// A system call that works in the kernel, with its points and the mutex it holds.
    pub(super) fn kernel_work(
        &mut self,
        task: TaskId,
        spacing: [Option<Amount>; 2],
        mutex: Option<ObjectId>,
        work: KernelWork,
    ) -> Played {
        let state = self.task_mut(task);
        (state.spacing, state.kernel_mutex, state.kernel_wakes) = (spacing, mutex, None);
        Played::Last(Action::Call(Call::Work(work)))
    }
}
