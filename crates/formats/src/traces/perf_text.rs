//! What `perf script` prints of `perf record -e sched:*` and `perf sched record`.

use super::form::{Refused, TraceForm, Watch};
use super::text::{self, line_of};
use crate::recording::Builder;

pub(super) const FORM: TraceForm = TraceForm {
    name: "perf",
    title: "perf script text",
    extensions: &["txt", "perf"],
    made_by: "perf sched record, then perf script",
    carries: "the same events as ftrace text has",
    loses: "Every other event is counted by its name; call chains are passed over. It has no \
        flags.",
    is,
    read,
};

/// perf names events with their system.
fn is(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let is_event = |line: &str| {
        let names_system = [" sched:sched_", " irq:", " irq_vectors:", " power:cpu_idle"]
            .iter()
            .any(|system| line.contains(system));
        names_system && line_of(line).is_some()
    };
    text.lines().take(2_000).any(is_event)
}

fn read(bytes: &[u8], builder: &mut Builder, watch: &mut dyn Watch) -> Result<(), Refused> {
    text::read(bytes, 0, builder, watch, passes)
}

/// Headers, call chains (an address, `schedule+0x2e (…)`), and what perf lost.
fn passes(line: &str, _: &mut Builder) -> bool {
    let text = line.trim_start();
    let is_chain = line.starts_with([' ', '\t'])
        && text.split_once(' ').is_some_and(|(address, rest)| {
            address.len() >= 6
                && address.bytes().all(|sign| sign.is_ascii_hexdigit())
                && line_of(text).is_none()
                && !rest.is_empty()
        });
    is_chain || text.starts_with('#')
}
