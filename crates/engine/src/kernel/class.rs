//! Scheduling policies and classes: one row for each class answers what the rest of the kernel asks
//! of a class.
//!
//! ```text
//!   Policy ──prio──► priority of a task, perhaps inherited ──of_prio──► Class ──row──► Row
//! ```
//! A new class states every column of its row, and the compiler names the functions that have code
//! for each class (recipe "A scheduling class").

/// Priorities below this one are real-time (MAX_RT_PRIO); a lower number is stronger.
pub const MAX_RT_PRIO: u8 = 100;
/// One more than the priority of the weakest task (MAX_PRIO): what an idle CPU runs.
pub const MAX_PRIO: u8 = 140;

/// A scheduling policy with its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Policy {
    /// SCHED_OTHER with a nice value, -20..=19.
    Fair { nice: i8 },
    /// SCHED_FIFO with rt_priority 1..=99.
    Fifo { rt_priority: u8 },
    /// SCHED_RR with rt_priority 1..=99.
    RoundRobin { rt_priority: u8 },
    /// SCHED_IDLE: in the fair class, with the least weight there is whatever its nice value, and
    /// no match for SCHED_OTHER.
    Idle,
}

impl Policy {
    /// The class of a task that has this policy and inherits no priority.
    #[inline]
    pub const fn class(self) -> Class {
        match self {
            Self::Fair { .. } | Self::Idle => Class::Fair,
            Self::Fifo { .. } | Self::RoundRobin { .. } => Class::Rt,
        }
    }

    /// Whether its tasks take turns with their equals by a slice that ticks count (SCHED_RR).
    #[inline]
    pub const fn has_rr_slice(self) -> bool {
        match self {
            Self::RoundRobin { .. } => true,
            Self::Fair { .. } | Self::Fifo { .. } | Self::Idle => false,
        }
    }

    /// idle_policy().
    #[inline]
    pub const fn is_idle_policy(self) -> bool {
        match self {
            Self::Idle => true,
            Self::Fair { .. } | Self::Fifo { .. } | Self::RoundRobin { .. } => false,
        }
    }

    /// The kernel's `prio`: 99 - rt_priority for RT, 120 + nice for fair, 120 for idle; lower is
    /// stronger.
    pub fn prio(self) -> u8 {
        match self {
            Self::Idle => 120,
            Self::Fair { nice } => u8::try_from(120 + i16::from(nice)).expect("nice is -20..=19"),
            Self::Fifo { rt_priority } | Self::RoundRobin { rt_priority } => 99 - rt_priority,
        }
    }

    /// Refuses values no kernel takes.
    pub(crate) fn check(self) -> Result<(), String> {
        let sound = match self {
            Self::Idle => true,
            Self::Fair { nice } => (-20..=19).contains(&nice),
            Self::Fifo { rt_priority } | Self::RoundRobin { rt_priority } => {
                (1..=99).contains(&rt_priority)
            }
        };
        if sound { Ok(()) } else { Err("nice is -20..19, rt_priority 1..99".to_owned()) }
    }

    /// Reads the form of a write to a running task: `SCHED_FIFO 50`, `SCHED_RR 1`, `SCHED_OTHER 5`
    /// (nice), `SCHED_OTHER`, `SCHED_IDLE`.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let name = words.next()?;
        let number = words.next().map(str::parse).transpose().ok()?;
        if words.next().is_some() || (name == Self::Idle.name() && number.is_some()) {
            return None;
        }
        Self::of(name, number.unwrap_or(0))
    }

    /// The policy of that [`name`](Self::name) and [`number`](Self::number); None if there is none.
    pub fn of(name: &str, number: i32) -> Option<Self> {
        let rt_priority = u8::try_from(number);
        let policy = match name {
            "SCHED_OTHER" => Self::Fair { nice: i8::try_from(number).ok()? },
            "SCHED_FIFO" => Self::Fifo { rt_priority: rt_priority.ok()? },
            "SCHED_RR" => Self::RoundRobin { rt_priority: rt_priority.ok()? },
            "SCHED_IDLE" if number == 0 => Self::Idle,
            _ => return None,
        };
        policy.check().is_ok().then_some(policy)
    }

    /// The name as printed in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fair { .. } => "SCHED_OTHER",
            Self::Fifo { .. } => "SCHED_FIFO",
            Self::RoundRobin { .. } => "SCHED_RR",
            Self::Idle => "SCHED_IDLE",
        }
    }

    /// The number beside the name: rt_priority 1..=99 for RT, nice -20..=19 for fair, 0 for idle.
    pub fn number(self) -> i32 {
        match self {
            Self::Fair { nice } => i32::from(nice),
            Self::Fifo { rt_priority } | Self::RoundRobin { rt_priority } => i32::from(rt_priority),
            Self::Idle => 0,
        }
    }
}

/// Scheduling classes, strongest first (docs/model/rt-balancing.md#rt-priorities). The deadline
/// class has only its server of the fair class, and the idle class no task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The stopper of each CPU.
    Stop,
    /// SCHED_FIFO and SCHED_RR.
    Rt,
    /// SCHED_OTHER and SCHED_IDLE.
    Fair,
}

/// What the kernel's code asks of a class.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Whether its tasks may change CPUs at all.
    pub can_migrate: bool,
    /// rt_task(): a real-time priority, which the owner of a PI mutex inherits and which decides
    /// whether a woken RT task leaves the CPU of the running task.
    pub has_rt_prio: bool,
    /// Whether push and pull move its tasks, as they wake, wait or run (get_push_task()).
    pub is_pushed_and_pulled: bool,
    /// Whether sched_rt_runtime_us limits its run time on a CPU.
    pub under_rt_bandwidth: bool,
    /// Whether its tasks have a virtual clock on a queue of their group (sched_entity.vruntime) and
    /// share the CPU by it, whatever their priorities.
    pub has_vruntime: bool,
    /// Whether its load counts in the choice of a CPU, and load balancing moves its tasks.
    pub is_load_balanced: bool,
    /// Whether the quota of a task's group limits it (CFS bandwidth control).
    pub under_cfs_bandwidth: bool,
    /// Whether the deadline server of the fair class runs its tasks ahead of RT tasks.
    pub has_server: bool,
    /// Whether its timers expire late by timer_slack_ns.
    pub has_timer_slack: bool,
    /// Whether its wake-ups are kept off wake-lists where the kernel spares a class
    /// (ttwu_queue_cond()).
    pub is_kept_off_wake_lists: bool,
    /// Whether reports list waits of the class: a stopper works for the kernel.
    pub is_reported: bool,
}

impl Class {
    /// The class of a task of priority `prio` that is no stopper (__setscheduler_prio()).
    #[inline]
    pub const fn of_prio(prio: u8) -> Self {
        if prio < MAX_RT_PRIO { Self::Rt } else { Self::Fair }
    }

    /// sched_class_above(): whether its tasks preempt those of `other`, whatever their priorities.
    #[inline]
    pub const fn is_above(self, other: Self) -> bool {
        (self as u8) < other as u8
    }

    /// The answers of this class.
    #[inline(always)]
    pub const fn row(self) -> Row {
        match self {
            Self::Stop => Row {
                can_migrate: false,
                has_rt_prio: true,
                is_pushed_and_pulled: false,
                under_rt_bandwidth: false,
                has_vruntime: false,
                is_load_balanced: false,
                under_cfs_bandwidth: false,
                has_server: false,
                has_timer_slack: false,
                is_kept_off_wake_lists: true,
                is_reported: false,
            },
            Self::Rt => Row {
                can_migrate: true,
                has_rt_prio: true,
                is_pushed_and_pulled: true,
                under_rt_bandwidth: true,
                has_vruntime: false,
                is_load_balanced: false,
                under_cfs_bandwidth: false,
                has_server: false,
                has_timer_slack: false,
                is_kept_off_wake_lists: false,
                is_reported: true,
            },
            Self::Fair => Row {
                can_migrate: true,
                has_rt_prio: false,
                is_pushed_and_pulled: false,
                under_rt_bandwidth: false,
                has_vruntime: true,
                is_load_balanced: true,
                under_cfs_bandwidth: true,
                has_server: true,
                has_timer_slack: true,
                is_kept_off_wake_lists: false,
                is_reported: true,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: [Class; 3] = [Class::Stop, Class::Rt, Class::Fair];

    /// The answers of stop, RT and fair.
    fn answers(asked: fn(Row) -> bool) -> String {
        CLASSES.iter().map(|class| if asked(class.row()) { '1' } else { '0' }).collect()
    }

    #[test]
    fn every_class_answers_as_was_written_down_for_it() {
        assert_eq!(answers(|row| row.can_migrate), "011");
        assert_eq!(answers(|row| row.has_rt_prio), "110");
        assert_eq!(answers(|row| row.is_pushed_and_pulled), "010");
        assert_eq!(answers(|row| row.under_rt_bandwidth), "010");
        assert_eq!(answers(|row| row.has_vruntime), "001");
        assert_eq!(answers(|row| row.is_load_balanced), "001");
        assert_eq!(answers(|row| row.under_cfs_bandwidth), "001");
        assert_eq!(answers(|row| row.has_server), "001");
        assert_eq!(answers(|row| row.has_timer_slack), "001");
        assert_eq!(answers(|row| row.is_kept_off_wake_lists), "100");
        assert_eq!(answers(|row| row.is_reported), "011");
    }

    #[test]
    fn classes_stand_in_the_order_of_the_kernel() {
        // Places in the list of include/asm-generic/vmlinux.lds.h: stop, dl, rt, fair, ext, idle.
        let place = |class: Class| match class {
            Class::Stop => 0,
            Class::Rt => 2,
            Class::Fair => 3,
        };
        for (one, other) in CLASSES.iter().flat_map(|one| CLASSES.map(|other| (*one, other))) {
            assert_eq!(one.is_above(other), place(one) < place(other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn a_policy_leads_to_the_class_of_its_priority() {
        let (strongest, weakest) = (Policy::Fair { nice: -20 }, Policy::Fair { nice: 19 });
        let rt = [1, 99].map(|rt_priority| Policy::Fifo { rt_priority });
        let turns = Policy::RoundRobin { rt_priority: 1 };
        for policy in [strongest, weakest, Policy::Idle, turns].into_iter().chain(rt) {
            assert_eq!(Class::of_prio(policy.prio()), policy.class(), "{policy:?}");
            assert!(policy.prio() < MAX_PRIO, "{policy:?}");
        }
    }

    #[test]
    fn only_round_robin_has_a_slice_in_ticks_and_only_sched_idle_an_idle_policy() {
        let fair = Policy::Fair { nice: 0 };
        let (fifo, rr) = (Policy::Fifo { rt_priority: 1 }, Policy::RoundRobin { rt_priority: 1 });
        let policies = [fair, fifo, rr, Policy::Idle];
        assert_eq!(policies.map(Policy::has_rr_slice), [false, false, true, false]);
        assert_eq!(policies.map(Policy::is_idle_policy), [false, false, false, true]);
    }
}
