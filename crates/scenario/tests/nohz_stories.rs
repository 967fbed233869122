//! What the READMEs of the scenarios of idle balancing claim, and the knobs they offer.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use schedscope_scenario::{Prepared, prepare};
use serde_json::{Value, json};

fn prepared(slug: &str, set: &[(&str, Value)]) -> Prepared {
    let path = format!("{}/../../scenarios/{slug}/scenario.json", env!("CARGO_MANIFEST_DIR"));
    let set: Vec<(String, Value)> = set.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
    prepare(slug, &std::fs::read_to_string(path).unwrap(), &set).unwrap()
}

#[test]
fn the_skew_between_neighbours_ticks_is_the_presets_unless_somebody_states_it() {
    let step = |set: &[(&str, Value)]| {
        let prepared = prepared("nohz-kick", set);
        let knob = prepared.meta.knobs.iter().find(|knob| knob.path == "machine.tick_skew_step").unwrap().value.clone();
        (prepared.setup.machine.costs.tick_skew_ns, knob)
    };
    assert_eq!(step(&[]), (20_000, json!("20us")));
    assert_eq!(step(&[("machine.costs", json!("vm2_meas"))]), (0, json!("0us")));
    for (us, stated) in [(0, "0us"), (20, "20us"), (60, "60us")] {
        assert_eq!(step(&[("machine.tick_skew_step", json!(stated))]).0, us * 1_000);
    }
}
