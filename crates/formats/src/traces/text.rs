//! Lines of text that each hold one event: who ran, the CPU, flags, the time, the event.
//!
//! ```text
//!  cyclictest-1012    [003] dNh..   0.010503: sched_waking: comm=…      the file `trace`
//!  cyclictest-1012 ( 1012) [003] dNh..   0.010503: sched_waking: …      with the thread group
//!  cyclictest-1012  [003]     0.010503: sched_waking:  …                trace-cmd report
//!  cyclictest-1012    3dNh..   503us : sched_waking: …                  latency-format
//!  cyclictest  1012 [003]     0.010503: sched:sched_waking: …           perf script
//! ```

use std::borrow::Cow;

use super::form::{Refused, Watch};
use super::payload::taken;
use crate::recording::{Builder, Stamp};

/// Lines between two looks at whether the reading goes on.
const LINES: u64 = 20_000;

/// A line that holds an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    pub(super) cpu: u32,
    pub(super) ns: u64,
    /// The letters of the second column; empty where there is none.
    pub(super) flags: &'t str,
    pub(super) event: &'t str,
    pub(super) payload: &'t str,
}

/// Reads every line; `before`: lines of the file before them.
pub(super) fn read(
    bytes: &[u8],
    before: u64,
    builder: &mut Builder,
    watch: &mut dyn Watch,
    passes: fn(&str, &mut Builder) -> bool,
) -> Result<(), Refused> {
    let (mut number, mut at) = (before, 0_usize);
    for line in bytes.split(|byte| *byte == b'\n') {
        number += 1;
        if number.is_multiple_of(LINES) && !watch.goes_on(at) {
            return Err(Refused::Ended);
        }
        at += line.len() + 1;
        let text = match std::str::from_utf8(line) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(line),
        };
        // Old pages of systrace are a string of JavaScript.
        let text = text.trim_end().trim_end_matches("\\n\\").trim_end();
        if text.trim_start().is_empty() {
            continue;
        }
        if passes(text, builder) {
            builder.passed();
            continue;
        }
        match line_of(text) {
            // Once there is no room, further events are counted.
            Some(line) => _ = event(&line, number, builder),
            None if at > bytes.len() && number > 1 => {
                let why = "its last line is cut off".to_owned();
                builder.damaged(format!("line {number}"), why);
            }
            None => builder.unread("line", format!("line {number}"), text.trim().to_owned()),
        }
    }
    Ok(())
}

fn event(
    line: &Line<'_>,
    number: u64,
    builder: &mut Builder,
) -> Result<(), crate::recording::Full> {
    let resched = line.flags.as_bytes().get(1);
    let stamp = Stamp {
        ns: line.ns,
        cpu: line.cpu,
        need_resched: resched.is_some_and(|sign| b"NnBb".contains(sign)),
        is_lazy: resched.is_some_and(|sign| b"lLbB".contains(sign)),
    };
    match taken(line.event, line.payload) {
        Some(Ok(event)) => builder.event(stamp, event),
        Some(Err(())) => {
            let what = format!("{}: {}", line.event, line.payload);
            builder.unread("event", format!("line {number}"), what);
            Ok(())
        }
        None => {
            builder.other(line.event);
            Ok(())
        }
    }
}

/// The parts of a line; none where it holds no event.
pub(super) fn line_of(text: &str) -> Option<Line<'_>> {
    match bracket(text) {
        Some((cpu, rest)) => with_bracket(cpu, rest),
        None => latency(text),
    }
}

/// The CPU in brackets, and what follows it.
fn bracket(text: &str) -> Option<(u32, &str)> {
    let mut from = 0;
    while let Some(at) = text[from..].find('[').map(|at| from + at) {
        let inside = &text[at + 1..];
        if let Some(end) = inside.find(']') {
            let rest = &inside[end + 1..];
            let is_apart = at == 0 || text.as_bytes()[at - 1] == b' ';
            if is_apart
                && rest.starts_with(' ')
                && let Ok(cpu) = inside[..end].parse()
            {
                return Some((cpu, rest));
            }
        }
        from = at + 1;
    }
    None
}

fn with_bracket(cpu: u32, rest: &str) -> Option<Line<'_>> {
    let rest = rest.trim_start();
    let (first, after) = rest.split_once(' ')?;
    let (flags, time, after) = match time(first) {
        Some(ns) => ("", ns, after),
        None => {
            let (second, after) = after.trim_start().split_once(' ')?;
            (first, time(second)?, after)
        }
    };
    let (event, payload) = named(after)?;
    Some(Line { cpu, ns: time, flags, event, payload })
}

/// `17284.993652:`, with up to nine digits behind the point, as ns.
fn time(text: &str) -> Option<u64> {
    let (seconds, fraction) = text.strip_suffix(':')?.split_once('.')?;
    let digits = fraction.len();
    if digits == 0 || digits > 9 || seconds.is_empty() {
        return None;
    }
    let scale = 10_u64.pow(9 - digits as u32);
    let ns = whole(fraction)?.checked_mul(scale)?;
    whole(seconds)?.checked_mul(1_000_000_000)?.checked_add(ns)
}

fn whole(text: &str) -> Option<u64> {
    text.bytes().all(|sign| sign.is_ascii_digit()).then(|| text.parse().ok())?
}

/// An event and its payload: `sched_switch: …`, `sched:sched_switch: …`.
fn named(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let (name, payload) = text.split_once(": ").or_else(|| Some((text.strip_suffix(':')?, "")))?;
    let name = name.rsplit(':').next().unwrap_or(name).trim_end();
    let is_name = !name.is_empty() && !name.contains([' ', '(']);
    is_name.then(|| (name, payload.trim()))
}

/// `comm-pid  3dNh..  503us+: event: …`: the time since the trace began.
fn latency(text: &str) -> Option<Line<'_>> {
    let (before, rest) = text.split_once("us")?;
    let (head, us) = before.trim_end().rsplit_once(' ')?;
    let (_, flagged) = head.trim_end().rsplit_once(' ')?;
    let digits = flagged.bytes().take_while(u8::is_ascii_digit).count();
    let (cpu, flags) = flagged.split_at(digits);
    let after = rest.trim_start_matches(['!', '+', '#', '*', '@', '$', ' ']).strip_prefix(':')?;
    let (event, payload) = named(after)?;
    let ns = whole(us)?.checked_mul(1_000)?;
    Some(Line { cpu: cpu.parse().ok()?, ns, flags, event, payload })
}
