//! Shipped scenarios, run to their end.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use schedscope_engine::account::groups::GroupMetrics;
use schedscope_engine::kernel::config::Version;
use schedscope_engine::run::{Options, Progress, Report, Run};
use schedscope_engine::setup::Setup;
use schedscope_scenario::prepare;
use serde_json::{Value, json};

/// The shipped scenario `slug` with changes.
pub fn run(slug: &str, set: &[(&str, Value)]) -> Report {
    let path = format!("{}/../../scenarios/{slug}/scenario.json", env!("CARGO_MANIFEST_DIR"));
    let set: Vec<(String, Value)> =
        set.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
    let prepared = prepare(slug, &std::fs::read_to_string(path).unwrap(), &set).unwrap();
    finish(&prepared.setup)
}

/// The setup, run to its end.
pub fn finish(setup: &Setup) -> Report {
    let mut run = Run::new(setup, Options::default()).unwrap();
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    run.report()
}

/// Least, median and greatest of a figure over the seeds 1 to `seeds`: with a seed goes a phase of
/// the period.
pub fn over_seeds(
    slug: &str,
    seeds: u64,
    set: &[(&str, Value)],
    figure: impl Fn(&Report) -> u64,
) -> [u64; 3] {
    let one = |seed: u64| figure(&run(slug, &[set, &[("seed", json!(seed))]].concat()));
    let mut all: Vec<u64> = (1..=seeds).map(one).collect();
    all.sort_unstable();
    let range = [all[0], all[all.len() / 2], all[all.len() - 1]];
    println!("{slug} {set:?}: {range:?}");
    range
}

/// Reports of the seeds 1 to `seeds`, in their order, run on as many threads as there are CPUs.
pub fn reports(slug: &str, seeds: u64, set: &[(&str, Value)]) -> Vec<Report> {
    let (next, found) = (AtomicU64::new(1), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > seeds {
                        break;
                    }
                    let report = run(slug, &[set, &[("seed", json!(seed))]].concat());
                    found.lock().unwrap().push((seed, report));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|(seed, _)| *seed);
    found.into_iter().map(|(_, report)| report).collect()
}

/// The group that is entitled to something.
pub fn group(report: &Report) -> GroupMetrics {
    *report.metrics.groups.values().find(|group| group.entitled_ns > 0).unwrap()
}

/// Whether `npm run test:long` runs this: then over all sizes, seeds and phases.
pub fn is_long() -> bool {
    std::env::var("CLAIMS").is_ok_and(|value| value == "long")
}

/// A release as scenarios spell it, for as long as the test runs.
pub fn name(version: impl std::borrow::Borrow<Version>) -> &'static str {
    Box::leak(version.borrow().to_string().into_boxed_str())
}
