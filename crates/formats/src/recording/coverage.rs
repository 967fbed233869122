//! What a recording holds, and what it lacks.

use std::collections::BTreeMap;

/// A part of a file that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// How many lines, packets or events.
    pub count: u64,
    /// Where the first one is: `line 12`, `byte 4096`.
    pub place: String,
    /// The beginning of it, or what is wrong with it.
    pub what: String,
}

/// Where a damaged or truncated file ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// `byte 4096`.
    pub place: String,
    /// Why nothing more could be read.
    pub why: String,
}

/// What is in a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Events that were taken, by name.
    pub events: BTreeMap<String, u64>,
    /// Events that were read and that nothing here needs, by name.
    pub others: BTreeMap<String, u64>,
    /// What was not understood, by sort: `line`, `packet`.
    pub unread: BTreeMap<&'static str, Unread>,
    /// Events that the kernel lost, by CPU; `None` in the count: some, and it does not say how
    /// many.
    pub lost: BTreeMap<u32, Option<u64>>,
    /// Lines or records that state no event, such as headers and call chains.
    pub passed: u64,
    /// The clock, where the file says it.
    pub clock: Option<String>,
    /// The kernel, where the file says it.
    pub kernel: Option<String>,
    /// Where it ends before its end.
    pub damage: Option<Damage>,
    /// Events with an earlier time than one before them in the file.
    pub out_of_order: u64,
    /// Events beyond the most that are kept.
    pub beyond: u64,
}

impl Coverage {
    /// Whether it has this event.
    pub fn has(&self, event: &str) -> bool {
        self.events.contains_key(event)
    }

    /// What a recording cannot say for want of events, a sentence each.
    pub fn missing(&self) -> Vec<String> {
        let wakes = self.has("sched_waking") || self.has("sched_wakeup");
        let mut all = Vec::new();
        let mut lacks = |has: bool, words: &str| {
            if !has {
                all.push(words.to_owned());
            }
        };
        lacks(
            self.has("sched_switch"),
            "Without sched_switch it does not say what runs where: record -e sched:sched_switch.",
        );
        lacks(wakes, "Without sched_waking or sched_wakeup no latency can be measured.");
        lacks(
            self.has("sched_waking") || !wakes,
            "Latencies begin with sched_wakeup, after the IPI on the way: sched_waking comes \
             before it.",
        );
        lacks(
            self.has("irq_handler_entry") || self.has("irq_vectors"),
            "Interrupts are not in it: their time counts as that of the task that they interrupt.",
        );
        lacks(
            self.has("softirq_entry"),
            "Softirqs are not in it: their time counts as that of the task that they interrupt.",
        );
        all
    }
}
