//! An event as the bytes that the kernel puts into its ring buffer.

use std::fmt::Display;

use super::events::{
    IRQ_HANDLER_ENTRY, IRQ_HANDLER_EXIT, SCHED_MIGRATE_TASK, SCHED_PI_SETPRIO, SCHED_SWITCH,
    SCHED_WAKING, SOFTIRQ_RAISE, irq_vector,
};
use crate::events::{Act, Event, Flags, Softirq, State, Wake, Who, pid};
use crate::names::{Comm, DEVICE_IRQ, x86_vector};
use crate::run::Run;

/// Bytes of a task's name, with a zero behind it.
const COMM_LEN: usize = 16;

// Bits of `common_flags`, include/linux/trace_events.h of Linux 6.13, the first with
// TRACE_FLAG_NEED_RESCHED_LAZY.
const IRQS_OFF: u8 = 0x01;
const NEED_RESCHED_LAZY: u8 = 0x02;
const NEED_RESCHED: u8 = 0x04;
const HARDIRQ: u8 = 0x08;
const SOFTIRQ: u8 = 0x10;
const PREEMPT_RESCHED: u8 = 0x20;

/// Makes records; knows the tasks' names.
pub struct Records {
    comms: Vec<[u8; COMM_LEN]>,
}

impl Records {
    pub fn new(run: &Run) -> Self {
        Self { comms: run.setup.tasks.iter().map(|task| comm(Comm(&task.name))).collect() }
    }

    /// Writes an event's record, whose length is a multiple of 4; false for an event without one.
    pub fn write(&self, event: &Event, into: &mut Vec<u8>) -> bool {
        let Some(id) = id(event.act) else { return false };
        into.extend(id.to_le_bytes());
        into.extend([flags(event.flags), u8::from(event.flags.migrate_disable) << 4]);
        into.extend(pid(event.curr).to_le_bytes());
        match event.act {
            Act::SchedSwitch { prev, state, next } => {
                self.who(prev, event.cpu, into);
                into.extend(prev_state(state).to_le_bytes());
                self.who(next, event.cpu, into);
            }
            Act::Wake { task, target_cpu, .. } => {
                self.who(task, event.cpu, into);
                into.extend(target_cpu.to_le_bytes());
            }
            Act::MigrateTask { task, orig_cpu, dest_cpu } => {
                self.who(task, event.cpu, into);
                into.extend(orig_cpu.to_le_bytes());
                into.extend(dest_cpu.to_le_bytes());
            }
            Act::PiSetprio { task, newprio } => {
                self.who(task, event.cpu, into);
                into.extend(u32::from(newprio).to_le_bytes());
            }
            Act::Irq { entry, vector } => irq(entry, vector, into),
            Act::Softirq { nr, .. } => into.extend(u32::from(nr).to_le_bytes()),
            Act::IpiSend { .. } | Act::NeedResched { .. } => {}
        }
        true
    }

    /// Name, pid and priority: 24 bytes.
    fn who(&self, who: Who, cpu: u16, into: &mut Vec<u8>) {
        let named = self.comms.get(who.task as usize).copied();
        into.extend(named.unwrap_or_else(|| comm(format_args!("swapper/{cpu}"))));
        into.extend(pid(who.task).to_le_bytes());
        into.extend(u32::from(who.prio).to_le_bytes());
    }
}

/// The identity of an event; none for an event without a record.
fn id(act: Act) -> Option<u16> {
    Some(match act {
        Act::SchedSwitch { .. } => SCHED_SWITCH,
        Act::Wake { step: Wake::Waking, .. } => SCHED_WAKING,
        Act::Wake { step: Wake::Wakeup, .. } => SCHED_WAKING + 1,
        Act::Wake { step: Wake::WakeupNew, .. } => SCHED_WAKING + 2,
        Act::MigrateTask { .. } => SCHED_MIGRATE_TASK,
        Act::PiSetprio { .. } => SCHED_PI_SETPRIO,
        Act::Irq { entry, vector } => match (x86_vector(vector), entry) {
            (Some(_), _) => irq_vector(vector, entry),
            (None, true) => IRQ_HANDLER_ENTRY,
            (None, false) => IRQ_HANDLER_EXIT,
        },
        Act::Softirq { step: Softirq::Raise, .. } => SOFTIRQ_RAISE,
        Act::Softirq { step: Softirq::Entry, .. } => SOFTIRQ_RAISE + 1,
        Act::Softirq { step: Softirq::Exit, .. } => SOFTIRQ_RAISE + 2,
        Act::IpiSend { .. } | Act::NeedResched { .. } => return None,
    })
}

fn irq(entry: bool, vector: u8, into: &mut Vec<u8>) {
    let (irq, name) = DEVICE_IRQ;
    match (x86_vector(vector), entry) {
        (Some((_, vector)), _) => into.extend(u32::from(vector).to_le_bytes()),
        (None, true) => {
            into.extend(irq.to_le_bytes());
            // __data_loc: where the text begins, and its length with the zero behind it.
            let (at, length) = (16u16, u16::try_from(name.len() + 1).unwrap_or(u16::MAX));
            into.extend(at.to_le_bytes());
            into.extend(length.to_le_bytes());
            into.extend(name.bytes());
            into.resize((into.len() + 1).next_multiple_of(4), 0);
        }
        (None, false) => {
            into.extend(irq.to_le_bytes());
            into.extend(1u32.to_le_bytes());
        }
    }
}

/// TASK_RUNNING, TASK_INTERRUPTIBLE, or TASK_REPORT_MAX for a preempted task
/// (`__trace_sched_switch_state`).
fn prev_state(state: State) -> u64 {
    match state {
        State::Running => 0,
        State::Sleeping => 1,
        State::Preempted => 0x100,
    }
}

fn flags(flags: Flags) -> u8 {
    let need_resched = match flags.need_resched {
        b'N' => NEED_RESCHED | PREEMPT_RESCHED,
        b'n' => NEED_RESCHED,
        b'l' => NEED_RESCHED_LAZY,
        b'B' => NEED_RESCHED | PREEMPT_RESCHED | NEED_RESCHED_LAZY,
        b'b' => NEED_RESCHED | NEED_RESCHED_LAZY,
        _ => 0,
    };
    let interrupt = match flags.interrupt {
        b'H' => HARDIRQ | SOFTIRQ,
        b'h' => HARDIRQ,
        b's' => SOFTIRQ,
        _ => 0,
    };
    let irqs_off = if flags.irqs_off { IRQS_OFF } else { 0 };
    irqs_off | need_resched | interrupt
}

/// A name as the kernel keeps it. One that is too long keeps the number behind its last dot, so
/// that instances of a task remain apart: `kernbench_compile.12` is `kernbench_co.12`.
fn comm(name: impl Display) -> [u8; COMM_LEN] {
    let name = name.to_string();
    let numbered = |dot: &usize| {
        let number = &name[dot + 1..];
        number.len() < 10 && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let tail = name.rfind('.').filter(numbered).map_or("", |dot| &name[dot..]);
    let mut comm = [0; COMM_LEN];
    let mut put = |from: usize, text: &str| {
        comm[from..][..text.len()].copy_from_slice(text.as_bytes());
    };
    if name.len() < COMM_LEN {
        put(0, &name);
    } else {
        let mut stem = COMM_LEN - 1 - tail.len();
        while !name.is_char_boundary(stem) {
            stem -= 1;
        }
        put(0, &name[..stem]);
        put(stem, tail);
    }
    comm
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_name_keeps_its_number_and_whole_letters() {
        let cut = |name: &str| {
            let comm = comm(name);
            let end = comm.iter().position(|byte| *byte == 0).expect("a zero ends a name");
            String::from_utf8(comm[..end].to_vec()).expect("letters stay whole")
        };
        assert_eq!(cut("cyclictest.12"), "cyclictest.12");
        assert_eq!(cut("kernbench_compile.12"), "kernbench_co.12");
        assert_eq!(cut("a_long_name_without_one"), "a_long_name_wit");
        assert_eq!(cut("a_long_name.of_something"), "a_long_name.of_");
        assert_eq!(cut("\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}"), "\u{e4}".repeat(7));
        assert_eq!(cut(""), "");
    }
}
