//! schbench, which ends after whole seconds.

use crate::real::line::Line;
use crate::real::run::Own;
use crate::real::values::whole_seconds;

pub(super) fn line(own: &Own<'_>) -> Line {
    let workers = own.flag(" -t ", "workers", None).unwrap_or_default();
    let [messages, footprint, operations] =
        ["message_threads", "cache_footprint", "operations"].map(|key| own.text(key));
    let locking = if own.is("locking", false) { " -L" } else { "" };
    let (sleep, seconds) = (own.us("sleep"), whole_seconds(own.run.duration_ns));
    Line::program(format!(
        "schbench -m {messages}{workers} -s {sleep} -F {footprint} -n {operations}{locking} \
         -r {seconds}"
    ))
}
