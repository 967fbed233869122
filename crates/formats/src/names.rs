//! Names as other tools' texts can hold them.

use std::fmt::{Display, Formatter};

use schedscope_engine::machine::ipi::{
    CALL_FUNCTION_SINGLE, DEVICE, IRQ_WORK, LOCAL_TIMER, RESCHEDULE,
};
use schedscope_engine::trace::codes::Softirq;

use crate::run::Run;

/// The name of a task on a line of text: a character that would end the line, steer a terminal or
/// turn the text around is an underscore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comm<'n>(pub &'n str);

/// The name of a task; none for idle.
pub fn comm(run: &Run, task: u32) -> Option<Comm<'_>> {
    run.name(task).map(Comm)
}

impl Display for Comm<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        if self.0.contains(steers) {
            formatter.pad(&self.0.replace(steers, "_"))
        } else {
            formatter.pad(self.0)
        }
    }
}

fn steers(character: char) -> bool {
    let turns = ['\u{61c}', '\u{200e}', '\u{200f}'].contains(&character)
        || ('\u{2028}'..='\u{202e}').contains(&character)
        || ('\u{2066}'..='\u{2069}').contains(&character);
    character.is_control() || turns
}

/// An interrupt of x86: the stem of its tracepoints (arch/x86/include/asm/trace/irq_vectors.h) and
/// its vector (irq_vectors.h); none for a device, which has `irq_handler_entry`.
pub fn x86_vector(vector: u8) -> Option<(&'static str, u8)> {
    match usize::from(vector) {
        LOCAL_TIMER => Some(("local_timer", 0xec)),
        RESCHEDULE => Some(("reschedule", 0xfd)),
        CALL_FUNCTION_SINGLE => Some(("call_function_single", 0xfb)),
        IRQ_WORK => Some(("irq_work", 0xf6)),
        _ => None,
    }
}

/// The number and name of the one device that the model has.
pub const DEVICE_IRQ: (u32, &str) = (24, "device");
const _: () = assert!(DEVICE == 3);

/// The kernel's name of a softirq.
pub fn softirq(nr: u8) -> &'static str {
    const NAMES: [&str; 10] = [
        "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER",
        "RCU",
    ];
    const _: () = assert!(Softirq::NetRx as usize == 3 && Softirq::Rcu as usize == 9);
    NAMES.get(usize::from(nr)).copied().unwrap_or("?")
}
