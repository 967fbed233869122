//! Stoppers: a thread on each CPU, above every other class, that moves tasks its own CPU runs
//! (docs/model/rt-balancing.md#stopper, docs/model/rt-balancing.md#push-the-running-task).
//!
//! A running task cannot be moved. The stopper preempts the task, which then waits and can be
//! moved.
//!
//! ```text
//!   a waiter may not migrate, what runs may:
//!   running ──► (preempted by) stopper: push_cpu_stop ──► the waiter runs here, the other elsewhere
//! ```
//! A stopper's own lock is not a lock object: it is held for a few instructions. Interrupts are off
//! during each work.

use crate::ids::{CpuId, TaskId};
use std::collections::VecDeque;

use super::double_lock::DoubleLocking;
use super::preempt::Why;
use super::schedule::Schedule;
use super::task::TaskState;
use super::wakeup::Ttwu;
use crate::kernel::fair::Enqueue;
use crate::kernel::fair::load_balance::detach::Attach;
use crate::kernel::frame::{Flow, Frame};
use crate::machine::spinlock::LockId;
use crate::machine::topology::Distance;
use crate::sim::Sim;
use crate::trace::catalogue::{Kind, NONE};
use crate::trace::codes::StopWork;

/// find_lock_lowest_rq tries this often (RT_MAX_TRIES).
const RT_MAX_TRIES: u8 = 3;

/// One piece of work for a stopper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// push_cpu_stop: move this RT task, which was running, to the weakest CPU.
    Push { task: TaskId },
    /// migration_cpu_stop: move this task off a CPU it may no longer use.
    Migrate { task: TaskId, to: CpuId },
    /// Active balance: move a task that may, of 2.6.24 the strongest, to the CPU that could not
    /// pull one; `to_home`: only one whose process has its home there
    /// (active_load_balance_llc_cpu_stop).
    Balance { to: CpuId, to_home: bool },
}

impl Work {
    /// The task it is about; an active balance chooses one when it begins.
    fn task(self) -> Option<TaskId> {
        match self {
            Self::Push { task } | Self::Migrate { task, .. } => Some(task),
            Self::Balance { .. } => None,
        }
    }

    /// The code in column `b` of [`Kind::StopWork`].
    fn code(self) -> StopWork {
        match self {
            Self::Push { .. } => StopWork::Push,
            Self::Migrate { .. } => StopWork::Migrate,
            Self::Balance { .. } => StopWork::Balance,
        }
    }
}

/// The stopper's side of a run queue.
#[derive(Clone, Debug, Default)]
pub struct StopRq {
    /// The stopper, while it is runnable.
    pub queued: Option<TaskId>,
    /// The stopper's works, in order of arrival; the first stays until it is done.
    pub works: VecDeque<Work>,
    /// A push of the running task is under way: at most one at a time.
    pub push_busy: bool,
}

impl StopRq {
    /// rq->active_balance of 2.6.24: the migration thread has been asked to push and is not done.
    pub fn balances(&self) -> bool {
        self.works.iter().any(|work| matches!(work, Work::Balance { .. }))
    }
}

/// Where a stopper's loop (cpu_stopper_thread) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopper {
    target: CpuId,
    task: TaskId,
    tries: u8,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Look,
    Locked,
    Search,
    Both,
    Move,
    Detached,
    Leave,
}

impl Stopper {
    /// Waiting for work.
    pub fn asleep() -> Self {
        Self { target: CpuId::FIRST, task: TaskId::new(0), tries: 0, step: Step::Look }
    }

    /// Next step on `cpu`, the stopper's own.
    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        if self.step == Step::Leave {
            sim.irq_enable(cpu);
            self.step = Step::Look;
            return Flow::Again;
        }
        let Some(work) = sim.rqs[cpu].stop.works.front().copied() else {
            // set_current_state, then schedule(): nothing is to be done.
            if let Some(task) = sim.rqs[cpu].curr {
                sim.task_mut(task).state = TaskState::Sleeping;
            }
            return Flow::Call(Frame::Schedule(Schedule::explicit()));
        };
        match self.step {
            Step::Look | Step::Leave => {
                sim.first_user_instruction(cpu);
                let task = work.task().map_or(NONE, TaskId::raw);
                sim.emit(Kind::StopWork, cpu, task, work.code() as u32);
                sim.irq_disable(cpu);
                self.tries = 0;
                self.step = Step::Locked;
                Flow::Lock(LockId::rq(cpu))
            }
            Step::Locked => self.begin(sim, cpu, work),
            Step::Search => self.search(sim, cpu, work),
            Step::Both => self.both(sim, cpu, work),
            Step::Detached => self.finish(sim, cpu, work),
            Step::Move => {
                sim.stop_move(cpu, work, self.task, self.target);
                sim.unlock(cpu, LockId::rq(self.target));
                self.finish(sim, cpu, work)
            }
        }
    }

    /// The own lock is held: is there still something to move?
    fn begin(&mut self, sim: &mut Sim, cpu: CpuId, work: Work) -> Flow {
        sim.update_rq_clock(cpu);
        let gone = work.task().is_some_and(|id| {
            self.task = id;
            sim.task(id).cpu != cpu || !sim.task(id).on_rq
        });
        match work {
            Work::Balance { to, to_home } => {
                self.target = to;
                // The stopper itself is the one that always runs.
                let alone = sim.rqs[cpu].nr_running() <= 1;
                match sim.active_candidate(cpu, to, to_home).filter(|_| !alone) {
                    _ if !alone && !sim.kernel().rt_balance().is_active() => {
                        self.lock_target(sim, cpu, work)
                    }
                    Some(task) => {
                        // active_load_balance_cpu_stop(): one lock at a time.
                        sim.detach_task(cpu, task, to);
                        sim.active_balance_done(cpu, to);
                        self.step = Step::Detached;
                        Flow::Spend(sim.half_move_ns(cpu, cpu, to))
                    }
                    None => self.finish(sim, cpu, work),
                }
            }
            _ if gone => self.finish(sim, cpu, work),
            Work::Migrate { task, .. } if sim.task(task).cpus.has(cpu) => {
                self.finish(sim, cpu, work)
            }
            Work::Migrate { to, .. } => {
                self.target = to;
                self.lock_target(sim, cpu, work)
            }
            Work::Push { task } => self.begin_push(sim, cpu, task),
        }
    }

    fn begin_push(&mut self, sim: &mut Sim, cpu: CpuId, task: TaskId) -> Flow {
        let work = Work::Push { task };
        // Has it disabled its migration since it was to be pushed? Then it goes when it enables it
        // (MDF_PUSH).
        sim.task_mut(task).sync.push_later = sim.task(task).sync.migrate_disabled;
        if !sim.task(task).movable || !sim.task(task).row().is_pushed_and_pulled {
            return self.finish(sim, cpu, work);
        }
        self.step = Step::Search;
        Flow::Spend(sim.search_lowest_ns(cpu, task))
    }

    /// find_lock_lowest_rq: the pick and its lock are one instant; changes during the wait for the
    /// lock are found once it is held.
    fn search(&mut self, sim: &mut Sim, cpu: CpuId, work: Work) -> Flow {
        self.target = sim.find_lowest_rq(self.task, cpu).unwrap_or(cpu);
        self.lock_target(sim, cpu, work)
    }

    fn lock_target(&mut self, sim: &mut Sim, cpu: CpuId, work: Work) -> Flow {
        if self.target == cpu {
            return self.finish(sim, cpu, work);
        }
        self.step = Step::Both;
        Flow::Call(Frame::DoubleLock(DoubleLocking::new(cpu, self.target)))
    }

    /// Both locks are held; findings from before the own one was dropped are checked again
    /// (docs/model/locks-and-ipis.md#recheck-after-drop).
    fn both(&mut self, sim: &mut Sim, cpu: CpuId, work: Work) -> Flow {
        if let Work::Balance { to, .. } = work {
            match sim.movable_2624(cpu, to, u8::MAX) {
                Some(task) => self.task = task,
                None => {
                    sim.unlock(cpu, LockId::rq(to));
                    return self.finish(sim, cpu, work);
                }
            }
        }
        let first = sim.rqs[cpu].rt.pushable().first() == Some(&self.task);
        let passed_over = matches!(work, Work::Push { .. })
            && sim.cpu(cpu).dropped
            && sim.kernel().rechecks_first_pushable()
            && !first;
        let task = sim.task(self.task);
        let may_move = task.cpu == cpu
            && task.on_rq
            && task.movable
            && task.cpus.has(self.target)
            && !passed_over;
        let bound = task.cpu == cpu
            && task.on_rq
            && task.cpus.has(self.target)
            && matches!(work, Work::Migrate { .. });
        if (may_move || bound) && sim.is_home(work, self.target) {
            let costs = &sim.setup.machine.costs;
            let near = sim.setup.machine.topology.distance(cpu, self.target) != Distance::Cross;
            self.step = Step::Move;
            // Never nothing: two stoppers may hand a task to and fro as long as two others may not
            // migrate.
            return Flow::Spend(
                sim.cost(cpu, if near { costs.push_llc_ns } else { costs.push_cross_ns }).max(1),
            );
        }
        sim.unlock(cpu, LockId::rq(self.target));
        self.tries += 1;
        if may_move && self.tries < RT_MAX_TRIES {
            self.begin(sim, cpu, work)
        } else {
            self.finish(sim, cpu, work)
        }
    }

    /// The work is done; the task that waits for a move goes on.
    fn finish(&mut self, sim: &mut Sim, cpu: CpuId, work: Work) -> Flow {
        sim.rqs[cpu].stop.works.pop_front();
        self.step = Step::Leave;
        match work {
            Work::Push { .. } | Work::Balance { .. } => {
                sim.rqs[cpu].stop.push_busy &= !matches!(work, Work::Push { .. });
                sim.unlock(cpu, LockId::rq(cpu));
                if sim.cpu(cpu).detached.is_empty() {
                    Flow::Again
                } else {
                    Flow::Call(Frame::Attach(Attach::new(self.target)))
                }
            }
            Work::Migrate { task, .. } => {
                if sim.task(task).se.delayed && sim.task(task).cpu == cpu {
                    // The task sleeps on a queue that it may no longer use: its wake-up finds
                    // another.
                    sim.finish_delayed_dequeue(cpu, sim.level_of(task));
                }
                let sync = &mut sim.task_mut(task).sync;
                let waits = std::mem::take(&mut sync.awaits_move);
                sync.moving = false;
                sim.unlock(cpu, LockId::rq(cpu));
                if waits { Flow::Call(Frame::Ttwu(Ttwu::new(task))) } else { Flow::Again }
            }
        }
    }
}

impl Sim {
    /// The stopper of `cpu`, where the run has any.
    pub(crate) fn stopper(&self, cpu: CpuId) -> Option<TaskId> {
        self.setup.stopper(cpu).map(TaskId::new)
    }

    /// stop_one_cpu_nowait(): hands `work` to the stopper of `cpu`; which task to wake for it.
    pub(crate) fn queue_stop_work(&mut self, cpu: CpuId, work: Work) -> Option<TaskId> {
        let stopper = self.stopper(cpu);
        self.law(stopper.is_some(), || format!("cpu {cpu} has no stopper for {work:?}"));
        self.rqs[cpu].stop.works.push_back(work);
        stopper
    }

    /// get_push_task(): asks the stopper of `rq`, whose lock is held, to move the running RT task,
    /// if the task may move and no push is under way. Returns the stopper to wake.
    pub(crate) fn push_running(&mut self, rq: CpuId) -> Option<TaskId> {
        let curr = self.rqs[rq].curr?;
        let may = self.task(curr).movable
            && self.task(curr).row().is_pushed_and_pulled
            && self.task(curr).on_rq;
        if !may || self.rqs[rq].stop.push_busy {
            return None;
        }
        self.rqs[rq].stop.push_busy = true;
        self.queue_stop_work(rq, Work::Push { task: curr })
    }

    /// Whether `target` is where the task of `work` should go: an RT task that is pushed goes where
    /// it is the strongest.
    fn is_home(&self, work: Work, target: CpuId) -> bool {
        match work {
            Work::Push { task } => self.rqs[target].rt.highest_curr() > self.task(task).prio,
            Work::Migrate { .. } | Work::Balance { .. } => true,
        }
    }

    /// Moves the task with both locks held. Law: only a CPU's own stopper takes away the task that
    /// the CPU was running.
    pub(crate) fn stop_move(&mut self, cpu: CpuId, work: Work, task: TaskId, target: CpuId) {
        let own = self.stopper(cpu).is_some_and(|stopper| self.rqs[cpu].curr == Some(stopper));
        self.law(own, || format!("cpu {cpu} does a stopper's work while another task runs there"));
        self.move_task(cpu, task, target);
        if matches!(work, Work::Push { .. }) {
            self.resched_curr(cpu, target, Why::Balance);
        } else {
            self.check_preempt_curr(cpu, target, task, Enqueue::Moved);
        }
        if !matches!(work, Work::Migrate { .. }) {
            self.ledger.pushes += 1;
            self.emit(Kind::PushOk, cpu, task.raw(), target.raw());
        }
    }
}
