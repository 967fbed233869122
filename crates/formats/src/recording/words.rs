//! A recording in words: who a task is, what a part of a wait was.

use schedscope_engine::trace::catalogue::{NONE, VECTORS};

use super::recorded::Recording;
use super::waits::Part;

/// Softirqs by vector (include/linux/interrupt.h).
const SOFTIRQS: [&str; 10] =
    ["HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"];

impl Recording {
    /// A task by its index: `multipathd-533`; the idle task by its own name.
    pub fn name(&self, task: u32) -> String {
        match self.tasks.get(task as usize) {
            Some(task) => format!("{}-{}", task.comm, task.pid),
            None => "the idle task".to_owned(),
        }
    }

    /// A task with its priority: `multipathd-533 (real-time 99)`.
    pub fn who(&self, task: u32) -> String {
        match self.tasks.get(task as usize) {
            Some(known) => format!("{} ({})", self.name(task), known.prio.words()),
            None => self.name(task),
        }
    }

    /// A part of a wait.
    pub fn part_words(&self, part: Part) -> String {
        match part {
            Part::Waking => "waking, until it was on a run queue".to_owned(),
            Part::Idle => "the idle CPU wakes and switches".to_owned(),
            Part::Irq(vector, irq) => match VECTORS.get(vector as usize) {
                Some(("device", _)) => format!("interrupt {irq}"),
                Some((name, _)) => format!("interrupt {name}"),
                None => "an interrupt".to_owned(),
            },
            Part::Softirq(vec) => {
                format!("softirq {}", SOFTIRQS.get(vec as usize).unwrap_or(&"without a name"))
            }
            Part::Stronger(task) => format!("behind {}, stronger", self.who(task)),
            Part::Equal(task) => format!("behind {}, as strong", self.who(task)),
            Part::Weaker(task) => format!("behind {}, weaker: not preempted yet", self.who(task)),
            Part::Behind(task) => format!("behind {}", self.who(task)),
            Part::Unknown => "not recorded what the CPU did".to_owned(),
        }
    }

    /// Who woke a task.
    pub fn waker_words(&self, waker: u32) -> String {
        if waker == NONE { "an interrupt or the idle task".to_owned() } else { self.name(waker) }
    }
}
