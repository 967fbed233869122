//! A build of the kernel.

use crate::real::line::Line;
use crate::real::run::Own;

pub(super) fn line(own: &Own<'_>) -> Line {
    let cpus = own.run.cpus;
    let jobs = match (own.get("jobs").and_then(serde_json::Value::as_u64), own.text("load")) {
        (Some(jobs), _) => jobs.to_string(),
        (None, load) if load == "half" => (cpus / 2).max(1).to_string(),
        (None, load) if load == "optimal" => (4 * cpus).to_string(),
        _ => String::new(),
    };
    Line::program(format!("make -j{jobs} vmlinux"))
}
