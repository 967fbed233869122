//! wake_up_new_task(): a forked task's first place on a run queue.

use crate::ids::{CpuId, Id, TaskId};
use std::sync::Arc;

use crate::kernel::core::task::{Task, TaskState};
use crate::kernel::fair::{Enqueue, SchedEntity, WakeFlags};
use crate::kernel::frame::{Flow, Frame};
use crate::kernel::rt::push::Push;
use crate::machine::spinlock::LockId;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// Where the fork of `child` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    child: TaskId,
    target: CpuId,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Locked,
    Activate,
    Unlock,
}

impl Fork {
    /// About to start `child`.
    pub fn new(child: TaskId) -> Self {
        Self { child, target: CpuId::FIRST, step: Step::Start }
    }

    /// Next step on `cpu`, the parent's.
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Start => {
                if !sim.can_be_forked(self.child) {
                    return Flow::Done;
                }
                self.target = sim.new_task(cpu, self.child);
                sim.irq_disable(cpu);
                self.step = Step::Locked;
                Flow::Lock(LockId::rq(self.target))
            }
            Step::Locked => {
                sim.update_rq_clock(self.target);
                self.step = Step::Activate;
                Flow::Spend(sim.ttwu_ns(cpu, self.target))
            }
            Step::Activate => {
                self.step = Step::Unlock;
                if sim.activate_new(cpu, self.target, self.child) {
                    Flow::Call(Frame::Push(Push::new(self.target)))
                } else {
                    Flow::Again
                }
            }
            Step::Unlock => {
                sim.unlock(cpu, LockId::rq(self.target));
                sim.irq_enable(cpu);
                Flow::Done
            }
        }
    }
}

impl Sim {
    /// A task that has not begun, or has ended and left its CPU.
    fn can_be_forked(&self, child: TaskId) -> bool {
        let task = self.task(child);
        let idle = !task.on_cpu && !task.on_rq;
        idle && (task.state == TaskState::Dead
            || (task.state == TaskState::Sleeping && !task.program.started()))
    }

    /// The child at the start of its program, where sched_fork() would place it.
    fn new_task(&mut self, cpu: CpuId, child: TaskId) -> CpuId {
        let setup = Arc::clone(&self.setup);
        let spec = &setup.tasks[child.place()];
        let before = self.task(child);
        let (stats, draws) = (before.stats.clone(), before.draws);
        let home = if spec.cpus.has(cpu) { cpu } else { before.cpu };
        let floor = self.cfs_rq(home, self.task_group(child)).min_vruntime;
        let counts = spec.policy.class().row().has_vruntime || !self.counts_from_floor();
        let se = SchedEntity { vruntime: if counts { floor } else { 0 }, ..SchedEntity::default() };
        let fresh = Task { state: TaskState::Waking, stats, draws, se, ..Task::asleep(spec, home) };
        *self.task_mut(child) = fresh;
        let target = self.select_task_rq(child, cpu, WakeFlags::Fork);
        self.migrate_task_rq(child, home, target);
        self.task_mut(child).cpu = target;
        target
    }

    fn activate_new(&mut self, cpu: CpuId, target: CpuId, child: TaskId) -> bool {
        self.update_fair_curr(cpu, target, child);
        self.enqueue_task(target, child, Enqueue::New);
        self.task_mut(child).state = TaskState::Runnable;
        self.check_preempt_curr(cpu, target, child, Enqueue::New);
        self.emit(Kind::WakeupNew, cpu, child.raw(), target.raw());
        self.task_woken_wants_push(target, child)
    }
}
