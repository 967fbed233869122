//! Kernel code that works for a task: a long system call, a section with preemption disabled, one
//! with interrupts off.
//!
//! ```text
//!   ──work──┬──work──┬──work──►          ┬ cond_resched or might_sleep: a supply of preemption points in `none`, `voluntary`
//!   ──work──────────────────────►        one piece of work where no point looks at a flag
//! ```

use super::objects::Wait;
use super::objects::call::{Deed, ObjectCall};
use crate::ids::{CpuId, ObjectId};
use crate::kernel::core::preempt::{Bit, Point};
use crate::kernel::core::schedule::Schedule;
use crate::kernel::frame::{Flow, Frame};
use crate::setup::{Amount, KernelWakee, Section};
use crate::sim::Sim;

/// The progress of kernel work. Gaps are drawn whether or not the model has such points, so every
/// model sees the same draws.
///
/// The task, not the frame, holds the distances between points ([`Spacing`]): frames are copied at
/// every step and stay small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelWork {
    section: Section,
    fault: bool,
    step: Step,
    left: u64,
    /// To the next cond_resched and the next might_sleep.
    to_point: [u64; 2],
    /// To the next wake-up of another task; none ever comes at the greatest value.
    to_wake: u64,
}

/// The distances between the points of a task's kernel work: cond_resched, might_sleep; `None` = no
/// such points.
pub type Spacing = [Option<Amount>; 2];

const POINTS: [Point; 2] = [Point::CondResched, Point::MightSleep];

/// Most points passed in one piece of work, so that the limits are checked even if all gaps of a
/// program are short.
const POINTS_AT_ONCE: u64 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Enter,
    Work,
    Wake,
    Look { nth: u8 },
    Leave,
    Left,
}

/// The distance to the next point of this kind; without such points it never comes.
fn next_point(sim: &mut Sim, cpu: CpuId, nth: usize) -> u64 {
    let spacing = sim.rqs[cpu].curr.and_then(|curr| sim.task(curr).spacing[nth]);
    spacing.map_or(u64::MAX, |spacing| sim.draw_amount(cpu, spacing).max(1))
}

impl Sim {
    /// mutex_lock() of the kernel work on `cpu`: how to wait for it, after which it is tried again.
    fn take_kernel_mutex(&mut self, cpu: CpuId) -> Option<Flow> {
        let task = self.rqs[cpu].curr?;
        let mutex = self.task(task).kernel_mutex?;
        let owner = self.object(mutex).owner();
        if owner.is_none() {
            self.own_mutex(cpu, mutex, Some(task));
        }
        if owner.is_none_or(|owner| owner == task) {
            return None;
        }
        Some(Flow::Call(Frame::Object(ObjectCall::new(Deed::Wait(Wait::Mutex(mutex))))))
    }

    /// mutex_unlock(): wakes the task that has waited longest; it tries again.
    fn release_kernel_mutex(&mut self, cpu: CpuId) -> Flow {
        let Some((task, mutex)) =
            self.rqs[cpu].curr.and_then(|curr| Some((curr, self.task(curr).kernel_mutex?)))
        else {
            return Flow::Done;
        };
        self.own_mutex(cpu, mutex, None);
        let Some(woken) = self.let_one_go(cpu, mutex, false) else { return Flow::Done };
        self.will_wake(task, woken);
        Flow::Call(Frame::Object(ObjectCall::new(Deed::Wake)))
    }
}

impl KernelWork {
    pub fn new(section: Section, ns: u64) -> Self {
        let (fault, step) = (false, Step::Enter);
        Self { section, fault, step, left: ns, to_point: [0; 2], to_wake: u64::MAX }
    }

    /// `ns` of work of a page fault.
    pub fn of_fault(ns: u64) -> Self {
        Self { fault: true, ..Self::new(Section::Preemptible, ns) }
    }

    /// Whether an exception led here, not a system call.
    pub fn is_fault(&self) -> bool {
        self.fault
    }

    pub fn step(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        match self.step {
            Step::Enter => {
                if let Some(wait) = sim.take_kernel_mutex(cpu) {
                    return wait;
                }
                // A task that waited for the mutex begins its own work here.
                sim.first_user_instruction(cpu);
                self.to_point = [0, 1].map(|nth| next_point(sim, cpu, nth));
                let wakes = sim.rqs[cpu].curr.and_then(|curr| sim.task(curr).kernel_wakes);
                self.to_wake = wakes.map_or(u64::MAX, |wakes| wakes.at_ns.min(self.left));
                self.enter(sim, cpu);
                self.step = if self.to_wake == 0 { Step::Wake } else { Step::Work };
                Flow::Again
            }
            Step::Work => {
                let worked = self.works(sim, cpu);
                self.step = if self.to_wake == 0 { Step::Wake } else { Step::Look { nth: 0 } };
                Flow::Spend(worked)
            }
            Step::Wake => {
                self.step = Step::Look { nth: 0 };
                self.wake(sim, cpu)
            }
            Step::Look { nth } => {
                self.step = match (nth, self.left) {
                    (0, _) => Step::Look { nth: 1 },
                    (_, 0) => Step::Leave,
                    _ => Step::Work,
                };
                self.look(sim, cpu, usize::from(nth))
            }
            Step::Leave => {
                self.leave(sim, cpu);
                self.step = Step::Left;
                sim.release_kernel_mutex(cpu)
            }
            Step::Left => Flow::Done,
        }
    }

    /// Works on to the next point at which the CPU looks at a flag. Earlier points only draw the
    /// gap to the next one.
    fn works(&mut self, sim: &mut Sim, cpu: CpuId) -> u64 {
        let mut worked = self.works_to_point();
        let mut passed = 0;
        while self.left > 0 && self.to_wake > 0 && passed < POINTS_AT_ONCE && self.nobody_looks(sim)
        {
            self.come_to(sim, cpu, 0);
            self.come_to(sim, cpu, 1);
            worked += self.works_to_point();
            passed += 1;
        }
        // The end of the work, two looks, and the work to the next point.
        sim.count_pieces(2 * passed);
        worked
    }

    fn works_to_point(&mut self) -> u64 {
        let ns = self.left.min(self.to_point[0]).min(self.to_point[1]).min(self.to_wake);
        self.left -= ns;
        self.to_point = self.to_point.map(|left| left - ns);
        if self.to_wake != u64::MAX {
            self.to_wake -= ns;
        }
        ns
    }

    /// The tasks that may go on are woken here, with preemption as the section has it.
    fn wake(&mut self, sim: &mut Sim, cpu: CpuId) -> Flow {
        let Some((task, wakes)) =
            sim.rqs[cpu].curr.and_then(|curr| Some((curr, sim.task(curr).kernel_wakes?)))
        else {
            return Flow::Again;
        };
        self.to_wake = wakes.every_ns.filter(|every| *every <= self.left).unwrap_or(u64::MAX);
        let (object, most) = match wakes.who {
            KernelWakee::Signal(cond) => (cond, 1),
            KernelWakee::Broadcast(cond) => (cond, usize::MAX),
            KernelWakee::Post(sem) => {
                sim.give(ObjectId::new(sem));
                (sem, 1)
            }
        };
        for _ in 0..most {
            let Some(woken) = sim.let_one_go(cpu, ObjectId::new(object), false) else { break };
            sim.will_wake(task, woken);
        }
        Flow::Call(Frame::Object(ObjectCall::new(Deed::Notify)))
    }

    /// Whether the work has come to a point of this kind; the gap to the next one is drawn.
    fn come_to(&mut self, sim: &mut Sim, cpu: CpuId, nth: usize) -> bool {
        let there = self.to_point[nth] == 0;
        if there {
            self.to_point[nth] = next_point(sim, cpu, nth);
        }
        there
    }

    /// Whether no point looks at a flag while the task works, even after a write to the kernel:
    /// with interrupts off or preemption disabled, and in a model without such calls (full, lazy,
    /// rt, Arora 2023), unless its mode can be written.
    fn nobody_looks(&self, sim: &Sim) -> bool {
        let model = sim.kernel().preempt();
        let honours = || POINTS.iter().any(|at| model.honours(*at, Bit::Now));
        let looks = || model.is_dynamic() || honours();
        let preemptible = self.section != Section::IrqOff && !self.raises_count(sim);
        !sim.in_pieces && (!preemptible || !looks())
    }

    /// Looks at the flags if the work has come to such a point and the model has it.
    fn look(&mut self, sim: &mut Sim, cpu: CpuId, nth: usize) -> Flow {
        if !self.come_to(sim, cpu, nth) {
            return Flow::Again;
        }
        let point = POINTS[nth];
        let exists = self.section == Section::Preemptible
            && self.left > 0
            && sim.kernel().preempt().honours(point, Bit::Now);
        if exists && sim.preempts_at(cpu, point) {
            return Flow::Call(Frame::Schedule(Schedule::at(point)));
        }
        Flow::Again
    }

    /// A spinlock_t section stays preemptible under PREEMPT_RT, where that lock sleeps
    /// (docs/model/preemption.md#kernel-sections).
    fn raises_count(&self, sim: &Sim) -> bool {
        self.section == Section::NoPreempt && !sim.kernel().preempt().is_rt()
    }

    /// Whether preempt_count holds this section now.
    pub(crate) fn counts(&self, sim: &Sim) -> bool {
        self.step != Step::Enter && self.raises_count(sim)
    }

    fn enter(&self, sim: &mut Sim, cpu: CpuId) {
        if self.raises_count(sim) {
            sim.cpu(cpu).preempt_disable();
        }
        if self.section == Section::IrqOff {
            sim.irq_disable(cpu);
        }
    }

    fn leave(&self, sim: &mut Sim, cpu: CpuId) {
        if self.raises_count(sim) {
            sim.cpu(cpu).preempt_enable();
        }
        if self.section == Section::IrqOff {
            sim.irq_enable(cpu);
        }
    }
}
