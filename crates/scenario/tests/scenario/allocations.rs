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

/// How often a run is made longer or shorter until it shows something.
const LENGTHS: u32 = 6;

/// The group owes run time after its first period: nothing wakes once every CPU's lists have grown
/// for the first time.
const STOPS_AT_ONCE: &str = "quota-five-fixes, 7.3-rc1: escape";

/// What the second half of a run did.
struct Half {
    wakeups: u64,
    switches: u64,
    /// Those that no growing list explains.
    allocations: u64,
    /// More than so many would be one for each wake-up, or for each switch.
    most: u64,
}

impl Half {
    fn of(setup: &Setup) -> Self {
        // The laws, which are looked at now and then, collect what they compare.
        let mut run = Run::new(setup, Options { check_every: 0, ..Options::default() }).unwrap();
        assert_eq!(run.advance(setup.duration_ns / 2, u64::MAX), Progress::Running);
        let before = run.report();
        let asked = measure(|| {
            assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
        });
        let after = run.report();
        let wakeups = wakeups(&after) - wakeups(&before);
        let switches = after.metrics.sched.context_switches - before.metrics.sched.context_switches;
        let places = setup.tasks.len() as u64 + u64::from(setup.machine.topology.cpus());
        Self {
            wakeups,
            switches,
            allocations: asked.count_total.saturating_sub(of_lists(&after) - of_lists(&before)),
            most: places + (wakeups + switches) / EVENTS_PER_ALLOCATION,
        }
    }

    /// The second half of a run of `setup`, at a length that decides something: longer where too
    /// few tasks wake to distinguish one allocation for each wake-up from none, shorter where the
    /// work is over by then.
    fn telling(mut setup: Setup) -> Self {
        let mut half = Self::of(&setup);
        for _ in 0..LENGTHS {
            if half.is_still() {
                setup.duration_ns /= 2;
            } else if half.would_tell() {
                break;
            } else {
                setup.duration_ns *= 2;
            }
            half = Self::of(&setup);
        }
        half
    }

    fn is_still(&self) -> bool {
        self.wakeups + self.switches == 0
    }

    /// Whether one allocation for each wake-up, or for each switch, would be too many; where tasks
    /// only take turns, none wakes.
    fn would_tell(&self) -> bool {
        [self.wakeups, self.switches].iter().all(|events| *events == 0 || *events > self.most)
            && !self.is_still()
    }
}

fn wakeups(report: &Report) -> u64 {
    let paths = &report.metrics.wakeups;
    paths.local + paths.remote_direct + paths.wake_list + paths.still_queued
}

/// Allocations of lists that grow: samples of the tools, latencies and activations.
fn of_lists(report: &Report) -> u64 {
    let tools: u64 = report.metrics.tool_samples.values().map(|samples| samples.count).sum();
    let wakeups: u64 = report.metrics.tasks.values().map(|task| task.wakeups).sum();
    (tools + 2 * wakeups) * 2 / CHUNK
}

#[test]
fn a_wake_up_and_a_switch_of_a_shipped_scenario_allocate_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut still = Vec::new();
    for entry in shipped(&root).unwrap() {
        let path = root.join(&entry.slug).join("scenario.json");
        let text = std::fs::read_to_string(path).unwrap();
        for variant in &entry.variants {
            let name = format!("{}, {}", entry.slug, variant.name);
            if name == STOPS_AT_ONCE {
                continue;
            }
            let setup = prepare(&entry.slug, &text, &variant.set).unwrap().setup;
            let half = Half::telling(setup);
            let Half { wakeups, switches, allocations, most } = half;
            let events = format!("{wakeups} wake-ups and {switches} switches");
            assert!(allocations <= most, "{name}: {allocations} allocations, {events}");
            assert!(
                half.would_tell() || half.is_still(),
                "{name}: {most} allow one for each of {events}"
            );
            if half.is_still() {
                still.push(name);
            }
        }
    }
    // One task runs for ever.
    assert_eq!(still, ["rt-throttling, with sharing", "rt-throttling, off"]);
}
