//! Kernel code that works for a task: a long system call, a section with preemption disabled, one with interrupts off.
//!
//! ```text
//!   ──work──┬──work──┬──work──►          ┬ cond_resched or might_sleep: a supply of preemption points in `none`, `voluntary`
//! ```

use super::frame::{Flow, Frame};
use super::preempt::{Bit, Point};
use super::schedule::Schedule;
use crate::kernel::config::Preempt;
use crate::setup::{Amount, Section};
use crate::sim::Sim;

/// Where the work is. Gaps are drawn whether or not the model has such points, so every model sees the same draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelWork {
    section: Section,
    left: u64,
    cond_resched: Gap,
    might_sleep: Gap,
    step: Step,
}

/// A supply of points: how far the next one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gap {
    spacing: Option<Amount>,
    left: u64,
}

impl Gap {
    /// The distance to the next point; without points it never comes.
    fn draw(&mut self, sim: &mut Sim, cpu: u32) {
        self.left = self.spacing.map_or(u64::MAX, |spacing| sim.draw_amount(cpu, spacing).max(1));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Enter,
    Work,
    Spent { ns: u64 },
    MightSleep,
    Leave,
}

impl KernelWork {
    /// `ns` of work in `section`, with points so far apart (`None` = no such point).
    pub fn new(section: Section, ns: u64, cond_resched: Option<Amount>, might_sleep: Option<Amount>) -> Self {
        let gap = |spacing| Gap { spacing, left: 0 };
        Self { section, left: ns, cond_resched: gap(cond_resched), might_sleep: gap(might_sleep), step: Step::Enter }
    }

    /// Next step on `cpu`.
    pub fn step(&mut self, sim: &mut Sim, cpu: u32) -> Flow {
        match self.step {
            Step::Enter => {
                self.cond_resched.draw(sim, cpu);
                self.might_sleep.draw(sim, cpu);
                self.enter(sim, cpu);
                self.step = Step::Work;
                Flow::Again
            }
            Step::Work => {
                let ns = self.left.min(self.cond_resched.left).min(self.might_sleep.left);
                self.step = Step::Spent { ns };
                Flow::Spend(ns)
            }
            Step::Spent { ns } => {
                self.left -= ns;
                self.cond_resched.left -= ns;
                self.might_sleep.left -= ns;
                self.step = Step::MightSleep;
                self.look(sim, cpu, Point::CondResched)
            }
            Step::MightSleep => {
                self.step = if self.left == 0 { Step::Leave } else { Step::Work };
                self.look(sim, cpu, Point::MightSleep)
            }
            Step::Leave => {
                self.leave(sim, cpu);
                Flow::Done
            }
        }
    }

    /// Looks at the flags if the work has come to a `point` of this kind. In models without such calls (full, lazy, rt,
    /// thread 004) nothing is looked at, and nothing written down.
    fn look(&mut self, sim: &mut Sim, cpu: u32, point: Point) -> Flow {
        let gap = if point == Point::CondResched { &mut self.cond_resched } else { &mut self.might_sleep };
        if gap.left > 0 {
            return Flow::Again;
        }
        gap.draw(sim, cpu);
        let exists = self.section == Section::Preemptible && self.left > 0 && sim.kernel().preempt.honours(point, Bit::Now);
        if exists && sim.preempts_at(cpu, point) {
            return Flow::Call(Frame::Schedule(Schedule::new(point)));
        }
        Flow::Again
    }

    /// A spinlock_t section stays preemptible under PREEMPT_RT, where that lock sleeps (spec E.7).
    fn raises_count(&self, sim: &Sim) -> bool {
        self.section == Section::NoPreempt && sim.kernel().preempt != Preempt::Rt
    }

    /// Whether preempt_count holds this section now.
    pub(crate) fn counts(&self, sim: &Sim) -> bool {
        self.step != Step::Enter && self.raises_count(sim)
    }

    fn enter(&self, sim: &mut Sim, cpu: u32) {
        if self.raises_count(sim) {
            sim.cpu(cpu).preempt_count += 1;
        }
        if self.section == Section::IrqOff {
            sim.irq_disable(cpu);
        }
    }

    fn leave(&self, sim: &mut Sim, cpu: u32) {
        if self.raises_count(sim) {
            sim.cpu(cpu).preempt_count -= 1;
        }
        if self.section == Section::IrqOff {
            sim.irq_enable(cpu);
        }
    }
}
