//! The switch that a runtime or a proxy has for the number of its threads, where a scenario asks
//! about one of them: what its reader turns, since the program of the scenario is made up.

use super::line::{Line, Step};
use super::run::Run;
use super::values::text;

/// The scenario, the knob whose value the switch takes, and the line, with `VALUE` in its place.
///
/// GOMAXPROCS: Go's documentation of runtime.GOMAXPROCS. --concurrency: Envoy's command line
/// options. Both options of the JVM: the documentation of OpenJ9, which takes HotSpot's; the second
/// one is needed because HotSpot starts fewer collectors than CPUs above eight (recalled).
const ROWS: &[(&str, &str, &str)] = &[
    ("quota-gomaxprocs", "workload.thread_pool.workers", "GOMAXPROCS=VALUE ./PROGRAM"),
    (
        "jvm-gc-threads",
        "workload.gc_burst.threads",
        "java -XX:ActiveProcessorCount=VALUE -XX:ParallelGCThreads=VALUE -jar PROGRAM.jar",
    ),
    ("envoy-workers", "workload.thread_pool.workers", "envoy --concurrency VALUE -c CONFIG.yaml"),
];

/// What one starts a program of one's own with, to have the threads of this run.
pub(super) fn own_switch(run: &Run) -> Vec<Line> {
    let rows = ROWS.iter().filter(|(slug, ..)| *slug == run.slug);
    let lines = rows.filter_map(|(_, path, line)| {
        let value = run.get(path)?;
        let value = if value == "auto" { run.cpus.to_string() } else { text(value) };
        Some(Line::new(Step::Own, None, line.replace("VALUE", &value)))
    });
    lines.collect()
}
