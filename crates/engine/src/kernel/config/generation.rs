//! The behaviour of each generation of RT balancing code: one row for each. A new generation states
//! every column, and the compiler names the places that distinguish the values of [`Code2007`],
//! [`Woken`] and [`PushIpi`].

use super::switches::RtBalance;

/// One of the two generations before there was a list of tasks that may be pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code2007 {
    /// Commit 4642dafdf93d.
    First,
    /// Commit 318e0893ce3f, which looks for a CPU as a task wakes.
    Routed,
}

/// Where a woken RT task goes (select_task_rq_rt()).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// By load weight, as any task.
    ByLoad,
    /// The CPU that the task ran on last.
    Stays,
    /// To a weaker CPU if the task is not stronger than the one that its own CPU runs.
    ToWeaker,
    /// The task stays unless its CPU runs a task that must not be displaced, and a weaker CPU
    /// exists.
    UnlessResisted,
}

/// The action of a CPU that lowers its priority while RT_PUSH_IPI is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushIpi {
    /// There is no such bit.
    NoBit,
    /// The CPU sends a reschedule IPI to every overloaded CPU.
    ToEach,
    /// The CPU sends an IPI of its own round the overloaded CPUs.
    ChainOfEach,
    /// The CPU lets the one IPI of the root domain walk, or walk once more.
    OneWalk,
}

struct Generation {
    balances: bool,
    code_2007: Option<Code2007>,
    has_list: bool,
    woken: Woken,
    push_ipi: PushIpi,
    has_post_schedule: bool,
    only_overloaded_asks_nobody: bool,
    walk_leaves_out_itself: bool,
    rechecks_after_lock: bool,
}

impl RtBalance {
    /// The variants of [`RtBalance`] name commits and versions.
    #[inline(always)]
    #[expect(clippy::too_many_lines, reason = "a table: a row for each generation")]
    const fn row(self) -> Generation {
        match self {
            Self::Passive2624 => Generation {
                balances: false,
                code_2007: None,
                has_list: false,
                woken: Woken::ByLoad,
                push_ipi: PushIpi::NoBit,
                has_post_schedule: false,
                only_overloaded_asks_nobody: false,
                walk_leaves_out_itself: false,
                rechecks_after_lock: false,
            },
            Self::Active2007First => Generation {
                balances: true,
                code_2007: Some(Code2007::First),
                has_list: false,
                woken: Woken::Stays,
                push_ipi: PushIpi::NoBit,
                has_post_schedule: false,
                only_overloaded_asks_nobody: false,
                walk_leaves_out_itself: false,
                rechecks_after_lock: false,
            },
            Self::Active2008Routed => Generation {
                balances: true,
                code_2007: Some(Code2007::Routed),
                has_list: false,
                woken: Woken::ToWeaker,
                push_ipi: PushIpi::NoBit,
                has_post_schedule: false,
                only_overloaded_asks_nobody: false,
                walk_leaves_out_itself: false,
                rechecks_after_lock: false,
            },
            Self::ActivePlist => Generation {
                balances: true,
                code_2007: None,
                has_list: true,
                woken: Woken::UnlessResisted,
                push_ipi: PushIpi::NoBit,
                has_post_schedule: true,
                only_overloaded_asks_nobody: false,
                walk_leaves_out_itself: false,
                rechecks_after_lock: false,
            },
            Self::IpiV1 => Generation {
                balances: true,
                code_2007: None,
                has_list: true,
                woken: Woken::UnlessResisted,
                push_ipi: PushIpi::ToEach,
                has_post_schedule: true,
                only_overloaded_asks_nobody: false,
                walk_leaves_out_itself: false,
                rechecks_after_lock: false,
            },
            Self::Ipi41 => Generation {
                balances: true,
                code_2007: None,
                has_list: true,
                woken: Woken::UnlessResisted,
                push_ipi: PushIpi::ChainOfEach,
                has_post_schedule: true,
                only_overloaded_asks_nobody: false,
                walk_leaves_out_itself: false,
                rechecks_after_lock: false,
            },
            Self::Ipi415 => Generation {
                balances: true,
                code_2007: None,
                has_list: true,
                woken: Woken::UnlessResisted,
                push_ipi: PushIpi::OneWalk,
                has_post_schedule: false,
                only_overloaded_asks_nobody: false,
                walk_leaves_out_itself: false,
                rechecks_after_lock: false,
            },
            Self::Ipi416Skip1 => Generation {
                balances: true,
                code_2007: None,
                has_list: true,
                woken: Woken::UnlessResisted,
                push_ipi: PushIpi::OneWalk,
                has_post_schedule: false,
                only_overloaded_asks_nobody: true,
                walk_leaves_out_itself: false,
                rechecks_after_lock: false,
            },
            Self::Ipi2026Noself => Generation {
                balances: true,
                code_2007: None,
                has_list: true,
                woken: Woken::UnlessResisted,
                push_ipi: PushIpi::OneWalk,
                has_post_schedule: false,
                only_overloaded_asks_nobody: true,
                walk_leaves_out_itself: true,
                rechecks_after_lock: true,
            },
        }
    }

    /// Whether RT tasks are balanced by the RT class itself.
    pub const fn is_active(self) -> bool {
        self.row().balances
    }

    /// One of the two generations of 2007 and 2008: arrays are scanned, there is no pushable list.
    pub const fn is_2007(self) -> bool {
        self.row().code_2007.is_some()
    }

    /// Which of those two it is.
    pub const fn code_2007(self) -> Option<Code2007> {
        self.row().code_2007
    }

    /// Whether tasks that may be pushed are on a list. With it came the rule by which an equal may
    /// displace the running task.
    pub const fn has_pushable_list(self) -> bool {
        self.row().has_list
    }

    /// Where a woken task goes.
    pub const fn woken(self) -> Woken {
        self.row().woken
    }

    /// The effect of the RT_PUSH_IPI bit.
    pub const fn push_ipi(self) -> PushIpi {
        self.row().push_ipi
    }

    /// Whether this generation has the RT_PUSH_IPI feature bit.
    pub const fn has_push_ipi_bit(self) -> bool {
        match self.push_ipi() {
            PushIpi::NoBit => false,
            PushIpi::ToEach | PushIpi::ChainOfEach | PushIpi::OneWalk => true,
        }
    }

    /// Whether its push IPIs go on from CPU to CPU.
    pub const fn has_push_chain(self) -> bool {
        match self.push_ipi() {
            PushIpi::ChainOfEach | PushIpi::OneWalk => true,
            PushIpi::NoBit | PushIpi::ToEach => false,
        }
    }

    /// Whether its push IPI walks the root domain, one at a time.
    pub const fn walks_domain(self) -> bool {
        match self.push_ipi() {
            PushIpi::OneWalk => true,
            PushIpi::NoBit | PushIpi::ToEach | PushIpi::ChainOfEach => false,
        }
    }

    /// Whether a reschedule IPI may ask its CPU to push.
    pub const fn asks_each(self) -> bool {
        match self.push_ipi() {
            PushIpi::ToEach => true,
            PushIpi::NoBit | PushIpi::ChainOfEach | PushIpi::OneWalk => false,
        }
    }

    /// Whether each CPU's push chain has a lock of its own.
    pub const fn has_push_locks(self) -> bool {
        match self.push_ipi() {
            PushIpi::ChainOfEach => true,
            PushIpi::NoBit | PushIpi::ToEach | PushIpi::OneWalk => false,
        }
    }

    /// Whether this code was in kernels with post_schedule().
    pub const fn has_post_schedule(self) -> bool {
        self.row().has_post_schedule
    }

    /// Whether a CPU that is the only overloaded one asks no other CPU.
    pub const fn only_overloaded_asks_nobody(self) -> bool {
        self.row().only_overloaded_asks_nobody
    }

    /// Whether the walk leaves out the CPU it is at.
    pub const fn walk_leaves_out_itself(self) -> bool {
        self.row().walk_leaves_out_itself
    }

    /// Whether a push of this code, in every version, checks after taking its lock that the task is
    /// still the first.
    pub const fn rechecks_after_lock(self) -> bool {
        self.row().rechecks_after_lock
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::Named;

    /// The columns are the generations, oldest first.
    #[test]
    fn every_generation_does_what_was_written_down_for_it() {
        let answers = |asked: fn(RtBalance) -> bool| -> String {
            RtBalance::ALL
                .iter()
                .map(|generation| if asked(*generation) { '1' } else { '0' })
                .collect()
        };
        assert_eq!(answers(RtBalance::is_active), "011111111");
        assert_eq!(answers(RtBalance::is_2007), "011000000");
        assert_eq!(answers(RtBalance::has_pushable_list), "000111111");
        assert_eq!(answers(RtBalance::has_push_ipi_bit), "000011111");
        assert_eq!(answers(RtBalance::has_push_chain), "000001111");
        assert_eq!(answers(RtBalance::walks_domain), "000000111");
        assert_eq!(answers(RtBalance::has_post_schedule), "000111000");
        assert_eq!(answers(RtBalance::only_overloaded_asks_nobody), "000000011");
        assert_eq!(answers(RtBalance::walk_leaves_out_itself), "000000001");
        assert_eq!(answers(RtBalance::rechecks_after_lock), "000000001");
    }
}
