//! What the kernel's files `trace` and `trace_pipe` print, and what `trace-cmd report` does.

use super::form::{Refused, TraceForm, Watch};
use super::text::{self, line_of};
use crate::recording::Builder;

pub(super) const FORM: TraceForm = TraceForm {
    name: "ftrace",
    title: "ftrace text (trace, trace_pipe, trace-cmd report)",
    extensions: &["txt", "log", "trace", "ftrace"],
    made_by: "trace-cmd record -e sched -e irq -e irq_vectors, then trace-cmd report; or cat \
        /sys/kernel/tracing/trace",
    carries: "sched_switch, sched_waking, sched_wakeup, sched_wakeup_new, sched_migrate_task, \
        sched_pi_setprio, interrupts, softirqs, cpu_idle, tick_stop, ipi_send_cpu; need_resched by \
        the letters of the second column; lost events.",
    loses: "Every other event is counted by its name. Times are as fine as they are printed.",
    is,
    read,
};

fn is(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let is_header = |line: &str| line.starts_with("# tracer:") || line.starts_with("cpus=");
    text.lines().take(2_000).any(|line| is_header(line) || line_of(line).is_some())
}

fn read(bytes: &[u8], builder: &mut Builder, watch: &mut dyn Watch) -> Result<(), Refused> {
    text::read(bytes, 0, builder, watch, passes)
}

/// Headers, and lines about lost events: `CPU:3 [LOST 17 EVENTS]`, `CPU:3 [17 EVENTS DROPPED]`.
pub(super) fn passes(line: &str, builder: &mut Builder) -> bool {
    let text = line.trim_start();
    if let Some((cpu, what)) = text.strip_prefix("CPU:").and_then(|rest| rest.split_once(' ')) {
        let is_lost = what.contains("LOST") || what.contains("DROPPED");
        if let Some(cpu) = cpu.parse().ok().filter(|_| is_lost) {
            let number = what.split(['[', ' ', ']']).find_map(|word| word.parse().ok());
            builder.lost(cpu, number);
            return true;
        }
    }
    text.starts_with('#')
        || text.starts_with("cpus=")
        || text.starts_with("version = ")
        || text.starts_with("CPU ") && text.ends_with(" is empty")
        || text.starts_with("##### CPU")
}
