//! Numbers in columns that stand for one of a few things: declared once, for the engine that writes
//! them, the page that reads them and `docs/trace.md`.

use super::catalogue::Kind;

/// What the numbers of one column stand for.
#[derive(Clone, Copy, Debug)]
pub struct CodeDoc {
    /// Name, as in the page's constants.
    pub name: &'static str,
    pub kind: Kind,
    pub column: Column,
    /// Name and words for people; the index is the number.
    pub values: &'static [(&'static str, &'static str)],
}

/// A column that holds a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    A,
    B,
}

macro_rules! codes {
    ($(
        $(#[$doc:meta])+ $name:ident: $kind:ident $column:ident {
            $($variant:ident $words:literal,)+
        }
    )+) => {
        $(
            $(#[$doc])+
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #[repr(u8)]
            pub enum $name { $(#[doc = $words] $variant,)+ }
        )+

        /// Every code. The numbers are part of digest encoding 1: append, never reorder.
        pub const CODES: &[CodeDoc] = &[$(CodeDoc {
            name: stringify!($name),
            kind: Kind::$kind,
            column: Column::$column,
            values: &[$((stringify!($variant), $words),)+],
        },)+];
    };
}

codes! {
    /// Which path asks for a source's lock.
    Puller: PullTry B {
        PullRtTask "pull_rt_task",
        OldBalancing "load balancing of 2.6.24",
        FairBalancing "load balancing of fair tasks",
    }
    /// A stopper's work item.
    StopWork: StopWork B {
        Push "push_cpu_stop",
        Migrate "migration_cpu_stop",
        Balance "active balance",
    }
    /// Who unthrottles a group's queue.
    Unthrottle: BwUnthrottle B {
        Period "the period timer",
        Slack "the slack timer",
        Config "a write",
    }
    /// What the slack timer does.
    SlackTimer: BwSlack B {
        Armed "armed",
        Fired "fired",
        Idle "fired without effect",
        Near "fired too close to a refill",
    }
    /// Why the slack timer is not armed.
    SlackSkip: BwSlackSkip B {
        Near "a refill comes within 7 ms",
        Refilling "the refill is under way",
        Armed "it is armed already",
    }
    /// Which period without throttled queues in a row.
    IdlePeriod: BwIdle B {
        First "the first: the timer runs on",
        Second "the second: it stops",
    }
    /// Where a CPU balances for the idle ones.
    NohzPlace: NohzRun B {
        Softirq "in SCHED softirq",
        Idle "on its way into idle",
    }
    /// What a write to the running kernel changes.
    LiveWrite: LiveChange B {
        Affinity "affinity",
        Policy "policy and priority",
        Weight "cpu.weight",
        Signal "a signal that ends a sleep",
    }
    /// What stops a CPU.
    Stopper: CpuStop A {
        Smi "SMI",
        Host "host",
    }
    /// How a slice extension ends. The kernel counts the same four (rseq_stats).
    SliceEnd: SliceEnd B {
        Expired "its timer",
        Yielded "rseq_slice_yield",
        Aborted "another system call",
        Revoked "another request to reschedule",
    }
}

/// The code of a column, if it holds one.
pub fn code_of(kind: Kind, column: Column) -> Option<&'static CodeDoc> {
    CODES.iter().find(|code| code.kind == kind && code.column == column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::ipi::{CALL_FUNCTION_SINGLE, DEVICE, IRQ_WORK, LOCAL_TIMER, RESCHEDULE};
    use crate::trace::catalogue::VECTORS;

    #[test]
    fn a_column_holds_one_code_and_every_number_has_words_of_its_own() {
        for (nth, code) in CODES.iter().enumerate() {
            let first = CODES.iter().position(|other| {
                (other.kind, other.column) == (code.kind, code.column) || other.name == code.name
            });
            assert_eq!(first, Some(nth), "{}", code.name);
            for (number, (name, words)) in code.values.iter().enumerate() {
                let same = |value: &&(&str, &str)| value.0 == *name || value.1 == *words;
                let first = code.values.iter().position(|value| same(&value));
                assert_eq!(first, Some(number), "{} {name}", code.name);
            }
        }
    }

    #[test]
    fn the_vectors_of_the_machine_are_those_of_the_catalogue() {
        let named = [LOCAL_TIMER, RESCHEDULE, CALL_FUNCTION_SINGLE, DEVICE, IRQ_WORK]
            .map(|vector| VECTORS[vector].0);
        assert_eq!(
            named,
            ["local_timer", "reschedule", "call_function_single", "device", "irq_work"]
        );
    }
}
