//! The kernel's trace events as FtraceEvent messages, in bundles of one CPU each.
//!
//! Numbers of fields: Perfetto's protos/perfetto/trace/ftrace/{ftrace_event,sched,irq,irq_vectors,
//! generic}.proto, v52.

use std::io::{Result, Write};

use super::packets::{Data, Packets, Sequence, release};
use super::proto::Message;
use crate::events::{Act, Event, Softirq, State, Wake, Who, pid};
use crate::names::{DEVICE_IRQ, x86_vector};
use crate::run::Run;

/// A bundle is written once it has so many bytes.
const BUNDLE_BYTES: usize = 1 << 15;
/// IRQ_HANDLED of irq_handler_exit.
const IRQ_HANDLED: u32 = 1;
/// TASK_INTERRUPTIBLE.
const SLEEPS: u64 = 1;

/// Makes messages of events.
struct Encoder<'r> {
    /// The task's name, by number.
    names: &'r [String],
    /// prev_state of a task preempted in the kernel.
    preempted: u64,
}

/// Writes all events.
pub(super) fn write(
    events: &[Event],
    run: &Run,
    names: &[String],
    packets: Packets,
    out: &mut dyn Write,
) -> Result<()> {
    let encoder = Encoder { names, preempted: preempted(run) };
    let mut bundles = vec![Message::default(); run.cpus() as usize];
    let flush = |cpu: usize, events: &mut Message, out: &mut dyn Write| {
        let mut bundle = Message::default();
        bundle.uint(1, cpu as u64).append(events);
        events.clear();
        packets.write(Sequence::System, None, (Data::Ftrace, &bundle), None, out)
    };
    for event in events {
        let cpu = usize::from(event.cpu);
        if let Some(message) = encoder.event(event) {
            bundles[cpu].message(2, &message);
        }
        if bundles[cpu].as_bytes().len() >= BUNDLE_BYTES {
            flush(cpu, &mut bundles[cpu], out)?;
        }
    }
    let left = bundles.iter_mut().enumerate().filter(|(_, events)| !events.as_bytes().is_empty());
    left.into_iter().try_for_each(|(cpu, events)| flush(cpu, events, out))
}

/// TASK_REPORT_MAX; before 4.14 TASK_STATE_MAX. Perfetto decodes it by the release in SystemInfo,
/// and takes 0x800 for every kernel before 4.8 (src/trace_processor/types/task_state.cc); the model
/// has none from 4.3 to 4.14.
fn preempted(run: &Run) -> u64 {
    let mut parts = release(run).unwrap_or("4.4").split('.').map(|part| part.parse().unwrap_or(0));
    let version: (u32, u32) = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if version < (4, 14) { 0x800 } else { 0x100 }
}

impl Encoder<'_> {
    /// FtraceEvent; none for an event that the kernel has no trace event for. Perfetto reads a
    /// time, a pid and an event in this order fastest, and takes `common_flags` (5) for one event
    /// more.
    fn event(&self, event: &Event) -> Option<Message> {
        let (field, act) = self.act(event)?;
        let mut message = Message::default();
        message.uint(1, event.time).uint(2, pid(event.curr)).message(field, &act);
        Some(message)
    }

    fn act(&self, event: &Event) -> Option<(u32, Message)> {
        let mut act = Message::default();
        let field = match event.act {
            Act::SchedSwitch { prev, state, next } => {
                let state = match state {
                    State::Running => 0,
                    State::Preempted => self.preempted,
                    State::Sleeping => SLEEPS,
                };
                self.side(&mut act, 1, prev, event.cpu);
                act.uint(4, state);
                self.side(&mut act, 5, next, event.cpu);
                4
            }
            Act::Wake { step, task, target_cpu } => {
                self.side(&mut act, 1, task, event.cpu);
                act.uint(5, target_cpu);
                match step {
                    Wake::Waking => 20,
                    Wake::Wakeup => 17,
                    Wake::WakeupNew => 114,
                }
            }
            Act::MigrateTask { task, orig_cpu, dest_cpu } => {
                self.side(&mut act, 1, task, event.cpu);
                act.uint(4, orig_cpu).uint(5, dest_cpu);
                491
            }
            Act::PiSetprio { task, newprio } => {
                act.text(1, self.name(task, event.cpu).as_ref());
                act.uint(2, newprio).uint(3, task.prio).uint(4, pid(task.task));
                353
            }
            Act::Irq { entry, vector } => irq(&mut act, entry, vector),
            Act::Softirq { step, nr } => {
                act.uint(1, nr);
                match step {
                    Softirq::Raise => 26,
                    Softirq::Entry => 24,
                    Softirq::Exit => 25,
                }
            }
            Act::IpiSend { target, .. } => generic(&mut act, "ipi_send_cpu", "cpu", target),
            Act::NeedResched { .. } => return None,
        };
        Some((field, act))
    }

    /// comm, pid and prio, which have consecutive numbers in each event.
    fn side(&self, act: &mut Message, first: u32, who: Who, cpu: u16) {
        act.text(first, self.name(who, cpu).as_ref());
        act.uint(first + 1, pid(who.task)).uint(first + 2, who.prio);
    }

    fn name(&self, who: Who, cpu: u16) -> std::borrow::Cow<'_, str> {
        match self.names.get(who.task as usize) {
            Some(name) => name.into(),
            None => format!("swapper/{cpu}").into(),
        }
    }
}

/// Vectors without a message of their own are the events that a kernel on x86 has, as Perfetto
/// records events that it does not know.
fn irq(act: &mut Message, entry: bool, vector: u8) -> u32 {
    let (irq, name) = DEVICE_IRQ;
    match (x86_vector(vector), entry) {
        (Some(("local_timer", number)), entry) => {
            act.uint(1, number);
            if entry { 559 } else { 560 }
        }
        (Some((stem, number)), entry) => {
            let step = if entry { "entry" } else { "exit" };
            generic(act, &format!("{stem}_{step}"), "vector", u32::from(number))
        }
        (None, true) => {
            act.uint(1, irq).text(2, name);
            36
        }
        (None, false) => {
            act.uint(1, irq).uint(2, IRQ_HANDLED);
            37
        }
    }
}

/// GenericFtraceEvent.
fn generic(act: &mut Message, event: &str, field: &str, value: u32) -> u32 {
    let mut one = Message::default();
    one.text(1, field).int(4, value.into());
    act.text(1, event).message(2, &one);
    327
}
