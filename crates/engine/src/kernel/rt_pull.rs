//! pull_rt_task(): a CPU that lowers its priority looks for a task it could run instead (spec C.3).
//!
//! Thread 000: every CPU whose measuring thread goes to sleep sees the same overloaded CPU and goes for its lock.
//! The filter on `highest_next` is read without that lock, so it does not help the herd: all have read it before
//! the first puller empties the queue.

use super::config::RtBalance;
use super::double_lock::DoubleLocking;
use super::frame::{Flow, Frame};
use super::rto::RtoTell;
use crate::machine::ipi::RESCHEDULE;
use crate::machine::topology::Distance;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// Where pull_rt_task is; the own rq lock is held at every step boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pull {
    this: u32,
    source: u32,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Next { from: u32 },
    Locked,
    Take { task: u32 },
    Nothing,
    Unlock,
    End,
}

impl Pull {
    /// `this` CPU is about to run something weaker than before.
    pub fn new(this: u32) -> Self {
        Self { this, source: 0, step: Step::Start }
    }

    /// Next step on `cpu`.
    pub fn step(&mut self, sim: &mut Sim, cpu: u32) -> Flow {
        match self.step {
            Step::Start => self.start(sim, cpu),
            Step::Next { from } => self.next(sim, cpu, from),
            Step::Locked => self.locked(sim),
            Step::Take { task } => {
                self.step = Step::Unlock;
                sim.move_task(cpu, task, self.this);
                sim.ledger.pulls += 1;
                sim.emit(Kind::PullOk, cpu, task, self.source);
                Flow::Again
            }
            Step::Nothing => {
                sim.emit(Kind::PullFail, cpu, self.source, 0);
                self.step = Step::Unlock;
                Flow::Again
            }
            Step::Unlock => {
                sim.unlock(cpu, self.source);
                self.step = Step::Next { from: self.source + 1 };
                Flow::Again
            }
            Step::End => Flow::Done,
        }
    }

    fn start(&mut self, sim: &mut Sim, cpu: u32) -> Flow {
        self.step = Step::Next { from: 0 };
        if sim.rd.rto_count == 0 {
            return Flow::Done;
        }
        if !sim.kernel().rt_push_ipi {
            return Flow::Again;
        }
        self.step = Step::End;
        match sim.kernel().rt_balance {
            RtBalance::IpiV1 => {
                // Thread 000: one reschedule IPI to every overloaded CPU, no lock taken.
                let targets: Vec<u32> = sim.rd.rto_mask.iter().filter(|target| *target != self.this).collect();
                for target in targets {
                    sim.send_ipi(cpu, target, RESCHEDULE);
                }
                Flow::Again
            }
            RtBalance::Ipi415 => Flow::Call(Frame::RtoTell(RtoTell::new())),
            RtBalance::ActivePlist => Flow::Again,
        }
    }

    fn next(&mut self, sim: &mut Sim, cpu: u32, from: u32) -> Flow {
        let mut candidate = sim.rd.rto_mask.next(from);
        while let Some(source) = candidate {
            let worth_it = sim.rqs[source as usize].rt.highest_next < sim.rqs[self.this as usize].rt.highest_curr;
            if source != self.this && worth_it {
                self.source = source;
                self.step = Step::Locked;
                sim.emit(Kind::PullTry, cpu, source, 0);
                sim.ledger.pull_remote_acquisitions += 1;
                return Flow::Call(Frame::DoubleLock(DoubleLocking::new(self.this, source)));
            }
            candidate = sim.rd.rto_mask.next(source + 1);
        }
        Flow::Done
    }

    /// Both locks are held: take the strongest task allowed here, unless it is about to run at the source.
    fn locked(&mut self, sim: &mut Sim) -> Flow {
        let costs = &sim.setup.machine.costs;
        let near = sim.setup.machine.topology.distance(self.this, self.source) != Distance::Cross;
        let (inspect, take) =
            if near { (costs.pull_inspect_llc_ns, costs.pull_llc_ns) } else { (costs.pull_inspect_cross_ns, costs.pull_cross_ns) };
        let source = &sim.rqs[self.source as usize];
        let allowed = |task: &&u32| sim.task(**task).cpus.has(self.this);
        let found = source.rt.pushable.iter().find(allowed).copied().filter(|task| {
            let prio = sim.task(*task).prio;
            let source_prio = source.curr.map_or(u8::MAX, |curr| sim.task(curr).prio);
            prio < sim.rqs[self.this as usize].rt.highest_curr && prio >= source_prio
        });
        match found {
            Some(task) => {
                // The section's price is that of touching the source's lines, so the task moves at its end
                // (docs/decisions/0004-herd-law.md): until then every CPU that looks still sees it.
                self.step = Step::Take { task };
                Flow::Spend(u64::from(take))
            }
            None => {
                self.step = Step::Nothing;
                Flow::Spend(u64::from(inspect))
            }
        }
    }
}

impl Sim {
    /// The balance step of schedule(): prev was RT, has left the queue, and what remains is weaker (spec C.3).
    pub(crate) fn needs_pull(&self, cpu: u32, prev: Option<u32>) -> bool {
        prev.is_some_and(|prev| {
            let prev = self.task(prev);
            prev.is_rt() && !prev.on_rq && self.rqs[cpu as usize].rt.highest_curr > prev.prio
        })
    }

    /// Moves a queued task that does not run; both rq locks are held.
    pub(crate) fn move_task(&mut self, cpu: u32, task: u32, target: u32) {
        let source = self.task(task).cpu;
        self.law(!self.task(task).on_cpu, || format!("task {task} is moved while cpu {source} is not done with it"));
        let held = self.holds(cpu, source) && self.holds(cpu, target);
        self.law(held, || format!("cpu {cpu} moves task {task} from {source} to {target} without both locks"));
        self.dequeue_task(source, task);
        self.set_task_cpu(cpu, task, target);
        self.enqueue_task(target, task);
        self.wake_moved(task, target);
    }
}
