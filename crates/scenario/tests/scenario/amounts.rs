//! Drawn durations of an rt-app task: their distributions, that both sides of a comparison draw
//! alike, and what is refused.

use std::collections::BTreeMap;

use schedscope_engine::run::{Options, Run};
use schedscope_scenario::prepare;
use serde_json::{Value, json};

/// The samples of a task that measures each `run` of so long, and each `sleep`.
fn samples(run: &Value, sleep: &Value, set: &[(String, Value)]) -> BTreeMap<String, [u64; 3]> {
    // In the order of the events.
    let text = format!(
        r#"{{ "schema": 1, "title": "drawn", "duration": "20s",
            "machine": {{ "cpus": 1, "costs": "zero" }},
            "kernel": {{ "version": "6.12", "preempt": "full" }},
            "workload": {{ "tasks": {{ "t": {{
                "policy": "SCHED_FIFO", "priority": 50,
                "stamp0": "ran", "run": {run}, "sample0": "ran",
                "stamp1": "slept", "sleep": {sleep}, "sample1": "slept" }} }} }} }}"#
    );
    let prepared = prepare("drawn", &text, set).unwrap();
    let mut run = Run::new(&prepared.setup, Options::default()).unwrap();
    run.advance(u64::MAX, u64::MAX);
    let samples = run.report().metrics.tool_samples.into_iter();
    samples.map(|(name, of)| (name, [of.p50_ns, of.p99_ns, of.max_ns])).collect()
}

/// Whether `is` lies within a twentieth of `wanted` us.
fn close(is: u64, wanted: f64) -> bool {
    (is as f64 / 1_000.0 / wanted - 1.0).abs() < 0.05
}

#[test]
fn run_and_sleep_are_drawn_as_they_state() {
    let quantiles = json!({ "min": 20, "p50": 200, "p90": 600, "p99": 3_000, "max": 5_000 });
    let exponential = json!({ "mean": 400, "max": 100_000 });
    let of = samples(&quantiles, &exponential, &[]);
    let [ran, slept] = [of["t.ran"], of["t.slept"]];
    assert!(close(ran[0], 200.0) && close(ran[1], 3_000.0) && ran[2] <= 5_000_000, "{ran:?}");
    let quantile = |part: f64| -400.0 * libm::log(1.0 - part);
    assert!(close(slept[0], quantile(0.5)) && close(slept[1], quantile(0.99)), "{slept:?}");

    let even = json!({ "min": 100, "max": 300 });
    let normal = json!({ "median": 200, "sigma_milli": 500, "max": 800 });
    let of = samples(&even, &normal, &[]);
    let [ran, slept] = [of["t.ran"], of["t.slept"]];
    assert!(close(ran[0], 200.0) && close(ran[1], 298.0) && ran[2] <= 300_000, "{ran:?}");
    let quantile = |normal: f64| 200.0 * libm::exp(0.5 * normal);
    assert!(close(slept[0], 200.0) && close(slept[1], quantile(2.326)), "{slept:?}");
    assert_eq!(slept[2], 800_000, "cut off at max");
}

#[test]
fn both_sides_of_a_comparison_draw_the_same() {
    let drawn = json!({ "min": 20, "p50": 200, "max": 5_000 });
    let of = |model: &str| {
        samples(&drawn, &drawn, &[("kernel.preempt".to_owned(), json!(model))])["t.ran"]
    };
    assert_eq!(of("full"), of("none"));
}

#[test]
fn an_amount_that_cannot_be_drawn_is_refused_at_its_place() {
    for (run, place, says) in [
        (json!({ "min": 9, "max": 8 }), "run.min", "min is more than max"),
        (json!({ "min": 1, "p50": 9, "p90": 8, "max": 10 }), "run.p50", "p50 is more than p90"),
        (json!({ "min": 1, "p50": 2, "p50.0": 3, "max": 4 }), "run.p50.0", "once more"),
        (json!({ "min": 1, "p100": 2, "max": 4 }), "run.p100", "no quantile"),
        (json!({ "min": 1, "p0": 2, "max": 4 }), "run.p0", "no quantile"),
        (json!({ "min": 1, "mediam": 2, "max": 4 }), "run.mediam", "no quantile"),
        (json!({ "min": 1, "p50": 2 }), "run.max", "missing"),
        (json!({ "mean": 2, "min": 1, "max": 4 }), "run.min", "no key"),
        (json!({ "mean": 0, "max": 4 }), "run.mean", "0"),
        (json!("5ms"), "run", "microseconds"),
    ] {
        let tasks = json!({ "t": { "run": run } });
        let text = json!({
            "schema": 1, "title": "x", "duration": "1s", "machine": { "cpus": 1 },
            "kernel": { "version": "6.12" }, "workload": { "tasks": tasks },
        });
        let error = prepare("x", &text.to_string(), &[]).unwrap_err().to_string();
        assert!(error.contains(&format!("workload.tasks.t.{place}")), "{error}");
        assert!(error.contains(says), "{error}");
    }
}
