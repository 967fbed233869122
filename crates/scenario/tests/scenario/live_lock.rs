//! The softirq live lock of May 2026 as shipped, on machines of other sizes and with other seeds
//! (docs/model/locks-and-ipis.md#softirq-live-lock).

use schedscope_engine::run::{Options, Run};
use schedscope_scenario::prepare;
use serde_json::{Value, json};

use crate::support::is_long;

const MS: u64 = 1_000_000;
const TEXT: &str = include_str!("../../../../scenarios/softirq-live-lock/scenario.json");

/// Three in `npm run test:long`, else one.
fn seeds() -> std::ops::RangeInclusive<u64> {
    1..=if is_long() { 3 } else { 1 }
}

/// All of these sizes in `npm run test:long`, else every other one, the first among them.
fn of_sizes(all: &[u32]) -> impl Iterator<Item = u32> {
    all.iter().copied().step_by(if is_long() { 1 } else { 2 })
}

/// A run of 1.5 s with these settings.
fn run(set: &[(&str, Value)]) -> Run {
    let mut set: Vec<(String, Value)> =
        set.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
    set.push(("duration".to_owned(), json!("1500ms")));
    Run::new(&prepare("softirq-live-lock", TEXT, &set).unwrap().setup, Options::default()).unwrap()
}

/// How long at least the weak RT task, which wakes every millisecond, has once waited by the time
/// it shows, in ms; the run is looked at every 10 ms, so that a wait that would outlast it counts
/// too.
fn starved_ms(run: &mut Run) -> u64 {
    let (mut served, mut since) = (0, 0);
    for now in (10..=1_500).step_by(10) {
        run.advance(now * MS, u64::MAX);
        let report = run.report();
        let count = report.metrics.latency["cyclictest"].count;
        if count != served {
            (served, since) = (count, now);
        }
        // The last one served may have come at once after the look before; the next has waited
        // since a millisecond later.
        if now - since > 101 {
            return now - since - 1;
        }
    }
    0
}

#[test]
fn with_the_chain_on_the_live_lock_starves_for_more_than_100_ms_on_every_machine_of_12_cpus_and_more()
 {
    for cpus in of_sizes(&[12, 16, 20, 24, 32]) {
        for seed in seeds() {
            let mut run = run(&[("machine.cpus", json!(cpus)), ("seed", json!(seed))]);
            let starved = starved_ms(&mut run);
            assert!(starved > 100, "{cpus} CPUs, seed {seed}: {starved} ms");
        }
    }
}

#[test]
fn with_the_chain_off_or_under_preempt_rt_it_waits_less_than_2_ms_on_every_machine() {
    for cpus in of_sizes(&[4, 8, 12, 16, 20, 24, 32]) {
        for seed in seeds() {
            for (knob, value) in [("kernel.rt_push_ipi", "off"), ("kernel.preempt", "rt")] {
                let mut run = run(&[
                    ("machine.cpus", json!(cpus)),
                    ("seed", json!(seed)),
                    (knob, json!(value)),
                ]);
                run.advance(100 * MS, u64::MAX);
                let latency = &run.report().metrics.latency["cyclictest"];
                assert!(
                    latency.max_ns < 2 * MS && latency.count > 90,
                    "{cpus} CPUs, seed {seed}, {value}: {latency:?}"
                );
            }
        }
    }
}

/// The idle task keeps its polling bit in an interrupt only where it spins on the flag: then the
/// chain's calls wait on the list of CPU 0 until its softirqs are done
/// (call_function_single_prep_ipi(), 5.8 on).
#[test]
fn a_cpu_that_spins_in_its_idle_loop_is_spared_the_chains_ipis_and_serves_within_2_ms() {
    for cpus in [12, 20, 32] {
        let mut run = run(&[("machine.cpus", json!(cpus)), ("machine.idle", json!("poll"))]);
        run.advance(100 * MS, u64::MAX);
        let metrics = run.report().metrics;
        let latency = &metrics.latency["cyclictest"];
        assert!(latency.max_ns < 2 * MS && latency.count > 90, "{cpus} CPUs: {latency:?}");
        let sent = metrics.ipi.rto_push.map_or(0, |push| push.sent);
        let call = metrics.ipi.call_function;
        assert!(
            sent > 50 && call.sent < sent / 2 && call.elided_polling > 20,
            "{cpus} CPUs: {call:?} of {sent}"
        );
    }
}
