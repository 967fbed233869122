//! Codes: numbers in columns, or in parts of packed columns, that each mean one of a few things.
//! Declared once for the engine that writes them, the page that reads them and `docs/use/trace.md`.

use super::catalogue::{Field, Kind};

/// The meaning of the numbers in one column, or in one part of it.
#[derive(Clone, Copy, Debug)]
pub struct CodeDoc {
    /// Name, as in the page's constants.
    pub name: &'static str,
    /// The records that hold it, all in the same place.
    pub kinds: &'static [Kind],
    pub place: Place,
    pub values: &'static [CodeValue],
}

/// A number of a code. A code whose values combine has a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeValue {
    pub number: u32,
    pub name: &'static str,
    /// For people.
    pub words: &'static str,
}

/// Where a record holds a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    A,
    B,
    /// A part of column `a`.
    Part(Field),
}

/// A column by its letter, else a field by its name.
macro_rules! place {
    (A) => {
        Place::A
    };
    (B) => {
        Place::B
    };
    ($field:ident) => {
        Place::Part(super::catalogue::$field)
    };
}

macro_rules! codes {
    ($(
        $(#[$doc:meta])+ $name:ident: $($kind:ident)|+ $place:ident {
            $($variant:ident $(= $number:literal)? $words:literal,)+
        }
    )+) => {
        $(
            $(#[$doc])+
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #[repr(u8)]
            pub enum $name { $(#[doc = $words] $variant $(= $number)?,)+ }
        )+

        /// Every code. The numbers are part of digest encoding 1: append, never reorder.
        pub const CODES: &[CodeDoc] = &[$(CodeDoc {
            name: stringify!($name),
            kinds: &[$(Kind::$kind,)+],
            place: place!($place),
            values: &[$(CodeValue {
                number: $name::$variant as u32,
                name: stringify!($variant),
                words: $words,
            },)+],
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
    /// The code that unthrottles a group's queue.
    Unthrottle: BwUnthrottle B {
        Period "the period timer",
        Slack "the slack timer",
        Config "a write",
    }
    /// The action of the slack timer.
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
    /// The subject of a write to the running kernel.
    LiveWrite: LiveChange B {
        Affinity "affinity",
        Policy "policy and priority",
        Weight "cpu.weight",
        Signal "a signal that ends a sleep",
    }
    /// The actor that stops a CPU.
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
    /// Where a flag may be honoured (docs/model/preemption.md#preemption-points).
    Point: PreemptPoint POINT {
        ReturnToUser "return to user",
        IrqExit "interrupt exit",
        PreemptEnable "preempt_enable",
        CondResched "cond_resched",
        MightSleep "might_sleep",
        ScheduleLoop "the end of schedule()",
    }
    /// The outcome of a kick of idle balancing.
    KickOutcome: NohzKick KICK_OUTCOME {
        Sent "an IPI was sent",
        Polling "the target polled: no IPI needed",
        AlreadyOwned "a kick of that CPU was under way already",
        NoTarget "no idle CPU was found",
    }
    /// Why a kick: bits of nohz_flags.
    KickReason: NohzKick KICK_REASONS {
        Balance = 1 "balance",
        BlockedLoad = 2 "refresh blocked load",
        NewlyIdle = 4 "newly idle",
        NextBalance = 8 "bring next_balance up to date",
    }
    /// The kernel's numbers.
    Softirq: SoftirqRaise | SoftirqEntry | SoftirqExit A {
        NetRx = 3 "NET_RX",
        Tasklet = 6 "TASKLET",
        Sched = 7 "SCHED",
        Rcu = 9 "RCU",
    }
}

impl CodeDoc {
    /// The words of a number, if the code has it.
    pub fn words(&self, number: u32) -> Option<&'static str> {
        self.values.iter().find(|value| value.number == number).map(|value| value.words)
    }
}

/// The code that a record holds at a place, if any.
pub fn code_of(kind: Kind, place: Place) -> Option<&'static CodeDoc> {
    CODES.iter().find(|code| code.place == place && code.kinds.contains(&kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::ipi::{CALL_FUNCTION_SINGLE, DEVICE, IRQ_WORK, LOCAL_TIMER, RESCHEDULE};
    use crate::trace::catalogue::{FIELDS, VECTORS};

    #[test]
    fn a_place_holds_one_code_and_every_number_has_words_of_its_own() {
        for (nth, code) in CODES.iter().enumerate() {
            let first = CODES.iter().position(|other| {
                let shares = other.kinds.iter().any(|kind| code.kinds.contains(kind));
                other.place == code.place && shares || other.name == code.name
            });
            assert_eq!(first, Some(nth), "{}", code.name);
            for (at, value) in code.values.iter().enumerate() {
                let same = |other: &&CodeValue| {
                    [other.name == value.name, other.words == value.words].contains(&true)
                };
                let first = code.values.iter().position(|other| same(&other));
                assert_eq!(first, Some(at), "{} {}", code.name, value.name);
            }
        }
    }

    #[test]
    fn the_part_of_a_column_that_holds_a_code_is_a_field_of_its_record_and_has_room() {
        for code in CODES {
            let Place::Part(field) = code.place else { continue };
            for kind in code.kinds {
                let known = FIELDS.iter().any(|doc| doc.kind == *kind && doc.field == field);
                assert!(known, "{} of {kind:?}", code.name);
            }
            for value in code.values {
                assert!(value.number <= field.mask(), "{} {}", code.name, value.name);
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
