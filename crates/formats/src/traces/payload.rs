//! The text of one event behind its name, as the kernel's print formats and as trace-cmd's and
//! perf's plugins write it.
//!
//! Formats: include/trace/events/{sched,irq,power,timer,ipi}.h; libtraceevent's
//! plugin_sched_switch.c.

use crate::recording::{Event, Left, Named};

/// Vectors of the catalogue.
const LOCAL_TIMER: u32 = 0;
const RESCHEDULE: u32 = 1;
const CALL_FUNCTION: u32 = 2;
const IRQ_WORK: u32 = 4;
/// cpu_idle's state when the CPU leaves it.
const LEAVES_IDLE: u64 = 4_294_967_295;

/// The event; none where its name is one that is not taken, an error where its text is not as it
/// should be.
pub(super) fn taken<'t>(name: &str, text: &'t str) -> Option<Result<Event<'t>, ()>> {
    let text = text.strip_prefix("[FAILED TO PARSE] ").unwrap_or(text);
    let vector = |vector| Some(Event::Vector { vector, begins: name.ends_with("_entry") });
    let event =
        match name {
            "sched_switch" => switch(text),
            "sched_waking" => woken(text).map(|(task, target)| Event::Waking { task, target }),
            "sched_wakeup" | "sched_wakeup_new" => woken(text).map(|(task, target)| {
                Event::Wakeup { task, target, is_new: name == "sched_wakeup_new" }
            }),
            "sched_migrate_task" => migrated(text),
            "sched_pi_setprio" => prio_set(text),
            "sched_process_exit" => task(text).map(|task| Event::Ended { task }),
            "sched_process_fork" => forked(text),
            "irq_handler_entry" => number(text, "irq=").map(|irq| irq_of(irq, true)),
            "irq_handler_exit" => number(text, "irq=").map(|irq| irq_of(irq, false)),
            "softirq_raise" => softirq(text).map(|vec| Event::SoftirqRaise { vec }),
            "softirq_entry" => softirq(text).map(|vec| Event::Softirq { vec, begins: true }),
            "softirq_exit" => softirq(text).map(|vec| Event::Softirq { vec, begins: false }),
            "local_timer_entry" | "local_timer_exit" => vector(LOCAL_TIMER),
            "reschedule_entry" | "reschedule_exit" => vector(RESCHEDULE),
            "call_function_entry"
            | "call_function_exit"
            | "call_function_single_entry"
            | "call_function_single_exit" => vector(CALL_FUNCTION),
            "irq_work_entry" | "irq_work_exit" => vector(IRQ_WORK),
            "cpu_idle" => {
                number(text, "state=").map(|state| Event::Idle { begins: state != LEAVES_IDLE })
            }
            "ipi_send_cpu" => number(text, "cpu=").map(|to| Event::Ipi { target: cpu_of(to) }),
            "tick_stop" if number(text, "success=") != Some(0) => Some(Event::TickStop),
            _ => return None,
        };
    Some(event.ok_or(()))
}

fn irq_of<'t>(irq: u64, begins: bool) -> Event<'t> {
    Event::Irq { irq: cpu_of(irq), begins }
}

fn cpu_of(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The digits behind a key that begins a word.
fn number(text: &str, key: &str) -> Option<u64> {
    signed(text, key).and_then(|number| u64::try_from(number).ok())
}

fn signed(text: &str, key: &str) -> Option<i64> {
    let rest = text[begin(text, key)? + key.len()..].trim_start();
    digits(rest).map(|(number, _)| number)
}

/// Where a key begins a word.
fn begin(text: &str, key: &str) -> Option<usize> {
    let (text, key) = (text.as_bytes(), key.as_bytes());
    let begins = |at: usize| at == 0 || matches!(text[at - 1], b' ' | b'[' | b'\t');
    (0..text.len()).find(|at| text[*at] == key[0] && begins(*at) && text[*at..].starts_with(key))
}

/// What is between two keys: names hold any sign.
fn between<'t>(text: &'t str, key: &str, next: &str) -> Option<&'t str> {
    let from = begin(text, key)? + key.len();
    let to = text[from..].find(next)? + from;
    Some(&text[from..to])
}

fn switch(text: &str) -> Option<Event<'_>> {
    let Some(rest) = text.strip_prefix("prev_comm=") else { return short_switch(text) };
    let (comm, rest) = rest.split_once(" prev_pid=")?;
    let (pid, rest) = digits(rest)?;
    let prio = rest.strip_prefix(" prev_prio=").and_then(digits);
    let (prio, rest) = prio.map_or((None, rest), |(prio, rest)| (Some(prio), rest));
    let prev = Named { comm, pid: u32::try_from(pid).ok()?, prio };
    let (state, rest) = rest.trim_start().strip_prefix("prev_state=")?.split_once(' ')?;
    let (_, rest) = rest.split_once("next_comm=")?;
    let (comm, rest) = rest.split_once(" next_pid=")?;
    let (pid, rest) = digits(rest)?;
    let prio = rest.strip_prefix(" next_prio=").and_then(digits).map(|(prio, _)| prio);
    let next = Named { comm, pid: u32::try_from(pid).ok()?, prio };
    Some(Event::Switch { prev, left: Left::of(state), next })
}

/// The number that a text begins with, and what follows it.
fn digits(text: &str) -> Option<(i64, &str)> {
    let sign = usize::from(text.starts_with('-'));
    let count = text.as_bytes()[sign..].iter().take_while(|sign| sign.is_ascii_digit()).count();
    let (number, rest) = text.split_at(sign + count);
    Some((number.parse().ok()?, rest))
}

/// `bash:1977 [120] S ==> swapper/0:0 [120]`.
fn short_switch(text: &str) -> Option<Event<'_>> {
    let (before, after) = text.split_once(" ==> ")?;
    let (prev, state) = short(before)?;
    let (next, _) = short(after)?;
    Some(Event::Switch { prev, left: Left::of(state), next })
}

/// `bash:1977 [120] S`: the task, and what is behind it.
fn short(text: &str) -> Option<(Named<'_>, &str)> {
    let (name, rest) = text.split_once(" [")?;
    let (prio, rest) = rest.split_once(']')?;
    let (comm, pid) = name.rsplit_once(':')?;
    let named = Named { comm, pid: pid.trim().parse().ok()?, prio: prio.parse().ok() };
    Some((named, rest.trim()))
}

fn task(text: &str) -> Option<Named<'_>> {
    task_and_rest(text).map(|(task, _)| task)
}

/// `comm=… pid=… prio=…`, and what follows.
fn task_and_rest(text: &str) -> Option<(Named<'_>, &str)> {
    let (comm, rest) = text.strip_prefix("comm=")?.split_once(" pid=")?;
    let (pid, rest) = digits(rest)?;
    let prio = rest.strip_prefix(" prio=").and_then(digits);
    let (prio, rest) = prio.map_or((None, rest), |(prio, rest)| (Some(prio), rest));
    Some((Named { comm, pid: u32::try_from(pid).ok()?, prio }, rest))
}

fn woken(text: &str) -> Option<(Named<'_>, u32)> {
    if let Some((task, rest)) = task_and_rest(text) {
        return Some((task, cpu_of(number(rest, "target_cpu=")?)));
    }
    let (task, rest) = short(text)?;
    let at = rest.find("CPU:")? + "CPU:".len();
    let digits = rest[at..].trim_start();
    let end = digits.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(digits.len());
    Some((task, digits[..end].parse().ok()?))
}

fn migrated(text: &str) -> Option<Event<'_>> {
    let (task, rest) = task_and_rest(text)?;
    Some(Event::Migrate { task, to: cpu_of(number(rest, "dest_cpu=")?) })
}

fn prio_set(text: &str) -> Option<Event<'_>> {
    let (task, rest) = task_and_rest(text)?;
    Some(Event::PiSetprio { task, prio: signed(rest, "newprio=")? })
}

fn forked(text: &str) -> Option<Event<'_>> {
    let comm = between(text, "child_comm=", " child_pid=")?;
    let pid = u32::try_from(number(text, "child_pid=")?).ok()?;
    Some(Event::Forked { child: Named { comm, pid, prio: None } })
}

fn softirq(text: &str) -> Option<u32> {
    number(text, "vec=").map(cpu_of)
}
