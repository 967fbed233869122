//! Busy threads are workers of stress-ng. It binds all its workers to one list of CPUs: workers
//! with a CPU each are programs of their own.

use crate::real::line::Line;
use crate::real::run::Own;
use crate::real::values::whole_seconds;

pub(super) fn line(own: &Own<'_>) -> Line {
    let (threads, cpus) = (own.number("threads"), own.run.cpus);
    // By itself it ends after a day.
    let timeout = format!("--timeout {}s", whole_seconds(own.run.duration_ns));
    if !own.is("pinned", true) {
        return Line::program(format!("stress-ng --cpu {threads} {timeout}"));
    }
    let cpu = match threads > u64::from(cpus) {
        true => format!("$((n % {cpus}))"),
        false => "$n".to_owned(),
    };
    Line::program(format!(
        "for n in $(seq 0 {}); do stress-ng --cpu 1 --taskset {cpu} {timeout} & done; wait",
        threads.saturating_sub(1)
    ))
}
