//! What a run asks of the allocator once it is under way: a wake-up and a switch ask for nothing.

use std::path::Path;

use allocation_counter::measure;
use schedscope_engine::run::{Options, Progress, Report, Run};
use schedscope_engine::setup::Setup;
use schedscope_scenario::{prepare, shipped};

/// Lists of samples and activations grow by so many, with two allocations.
const CHUNK: u64 = 64;

/// A queue that is longer than ever before asks too, as does a task that waits for longer than
/// before: one for each task and CPU, and one for so many events.
const EVENTS_PER_ALLOCATION: u64 = 100;

/// Wake-ups and switches.
fn events(report: &Report) -> u64 {
    let paths = &report.metrics.wakeups;
    let wakeups = paths.local + paths.remote_direct + paths.wake_list + paths.still_queued;
    wakeups + report.metrics.sched.context_switches
}

/// Allocations of lists that grow: samples of the tools, latencies and activations.
fn of_lists(report: &Report) -> u64 {
    let tools: u64 = report.metrics.tool_samples.values().map(|samples| samples.count).sum();
    let wakeups: u64 = report.metrics.tasks.values().map(|task| task.wakeups).sum();
    (tools + 2 * wakeups) * 2 / CHUNK
}

/// Events of the second half of a run, and allocations that no growing list explains.
fn second_half(setup: &Setup) -> (u64, u64) {
    // The laws, which are looked at now and then, collect what they compare.
    let mut run = Run::new(setup, Options { check_every: 0, ..Options::default() }).unwrap();
    assert_eq!(run.advance(setup.duration_ns / 2, u64::MAX), Progress::Running);
    let before = run.report();
    let asked = measure(|| {
        assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    });
    let after = run.report();
    let lists = of_lists(&after) - of_lists(&before);
    (events(&after) - events(&before), asked.count_total.saturating_sub(lists))
}

#[test]
fn a_wake_up_and_a_switch_of_a_shipped_scenario_allocate_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut seen = 0;
    for entry in shipped(&root).unwrap() {
        let path = root.join(&entry.slug).join("scenario.json");
        let text = std::fs::read_to_string(path).unwrap();
        for variant in &entry.variants {
            let setup = prepare(&entry.slug, &text, &variant.set).unwrap().setup;
            let (events, allocations) = second_half(&setup);
            let places = setup.tasks.len() as u64 + u64::from(setup.machine.topology.cpus());
            let most = places + events / EVENTS_PER_ALLOCATION;
            let name = format!("{}, {}", entry.slug, variant.name);
            assert!(allocations <= most, "{name}: {allocations} allocations, {events} events");
            seen += events;
        }
    }
    assert!(seen > 100_000);
}
