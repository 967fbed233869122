//! An event as a line of text.

use std::io::{Result, Write};

use crate::events::{Act, Event, Flags, Softirq, State, Who, pid};
use crate::names::{Comm, DEVICE_IRQ, comm, softirq, x86_vector};
use crate::run::Run;

/// What comes before the first line, for so many of them.
pub fn header(lines: usize, cpus: u32, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "# tracer: nop\n#")?;
    writeln!(out, "# entries-in-buffer/entries-written: {lines}/{lines}   #P:{cpus}")?;
    out.write_all(COLUMNS.as_bytes())
}

/// The names of the columns, as the kernel prints them.
const COLUMNS: &str = "#
#                                _-----=> irqs-off/BH-disabled
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| / _-=> migrate-disable
#                              |||| /     delay
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
";

/// Whether the event has a line.
pub fn has(event: &Event) -> bool {
    !matches!(event.act, Act::IpiSend { .. } | Act::NeedResched { .. })
}

/// What comes behind the time: the event and its fields; none for an event without a line.
pub fn text(event: &Event, run: &Run) -> Option<String> {
    let who = |who: Who| format!("comm={} pid={}", named(who, run), pid(who.task));
    Some(match event.act {
        Act::SchedSwitch { prev, state, next } => format!(
            "sched_switch: {} prev_state={} ==> {}",
            side("prev", prev, event.cpu, run),
            letters(state),
            side("next", next, event.cpu, run),
        ),
        Act::Wake { step, task, target_cpu } => {
            format!("{}: {} prio={} target_cpu={target_cpu:03}", step.name(), who(task), task.prio)
        }
        Act::MigrateTask { task, orig_cpu, dest_cpu } => format!(
            "sched_migrate_task: {} prio={} orig_cpu={orig_cpu} dest_cpu={dest_cpu}",
            who(task),
            task.prio
        ),
        Act::PiSetprio { task, newprio } => {
            format!("sched_pi_setprio: {} oldprio={} newprio={newprio}", who(task), task.prio)
        }
        Act::Irq { entry, vector } => irq(entry, vector),
        Act::Softirq { step, nr } => {
            let step = match step {
                Softirq::Raise => "raise",
                Softirq::Entry => "entry",
                Softirq::Exit => "exit",
            };
            format!("softirq_{step}: vec={nr} [action={}]", softirq(nr))
        }
        Act::IpiSend { .. } | Act::NeedResched { .. } => return None,
    })
}

fn irq(entry: bool, vector: u8) -> String {
    let (irq, name) = DEVICE_IRQ;
    match (x86_vector(vector), entry) {
        (Some((stem, vector)), true) => format!("{stem}_entry: vector={vector}"),
        (Some((stem, vector)), false) => format!("{stem}_exit: vector={vector}"),
        (None, true) => format!("irq_handler_entry: irq={irq} name={name}"),
        (None, false) => format!("irq_handler_exit: irq={irq} ret=handled"),
    }
}

/// Writes a whole line; `text` is what comes behind the time.
pub fn line(event: &Event, text: &str, run: &Run, out: &mut dyn Write) -> Result<()> {
    // Rounds as ns2usecs() does.
    let us = (event.time + 500) / 1000;
    let Flags { irqs_off, need_resched, interrupt, migrate_disable } = event.flags;
    writeln!(
        out,
        "{:>16}-{:<7} [{:03}] {}{}{}.{} {:5}.{:06}: {text}",
        comm(run, event.curr).unwrap_or(Comm("<idle>")),
        pid(event.curr),
        event.cpu,
        if irqs_off { 'd' } else { '.' },
        char::from(need_resched),
        char::from(interrupt),
        if migrate_disable { '1' } else { '.' },
        us / 1_000_000,
        us % 1_000_000,
    )
}

fn side(side: &str, who: Who, cpu: u16, run: &Run) -> String {
    let comm = match comm(run, who.task) {
        Some(comm) => comm.to_string(),
        None => format!("swapper/{cpu}"),
    };
    format!("{side}_comm={comm} {side}_pid={} {side}_prio={}", pid(who.task), who.prio)
}

fn named(who: Who, run: &Run) -> Comm<'_> {
    comm(run, who.task).unwrap_or(Comm("?"))
}

fn letters(state: State) -> &'static str {
    match state {
        State::Running => "R",
        State::Preempted => "R+",
        State::Sleeping => "S",
    }
}
