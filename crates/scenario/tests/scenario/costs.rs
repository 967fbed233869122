//! Costs one by one: in a file, as a change, as an object; what a report says of them.

use schedscope_engine::machine::costs::{COST_FIELDS, Costs, CostsName, Provenance};
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_scenario::{Prepared, ScenarioError, prepare, report_json};
use serde_json::{Value, json};

fn with(costs: &str, set: &[(&str, Value)]) -> Result<Prepared, Box<ScenarioError>> {
    let text = format!(
        r#"{{ "schema": 1, "title": "t", "duration": "1ms", "machine": {{ "cpus": 2{costs} }},
            "kernel": {{ "version": "6.6" }},
             "workload": {{ "busy": {{ "threads": 1 }} }} }}"#
    );
    let set: Vec<(String, Value)> =
        set.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
    prepare("t", &text, &set).map_err(Box::new)
}

/// Preset, schedule_ns and tick_ns.
fn of(costs: &str, set: &[(&str, Value)]) -> (CostsName, u32, u32) {
    let machine = with(costs, set).unwrap().setup.machine;
    (machine.costs_name, machine.costs.schedule_ns, machine.costs.tick_ns)
}

const VM: &str = r#", "costs": "vm2_meas""#;
const ONE: &str = r#", "costs": { "preset": "vm2_meas", "schedule_ns": 1200 }"#;
const SCHEDULE: (&str, Value) = ("machine.costs.schedule_ns", Value::Null);

#[test]
fn a_cost_is_stated_beside_a_preset_in_a_file_and_laid_over_it_by_a_change() {
    let set = |ns: u64| (SCHEDULE.0, json!(ns));
    assert_eq!(of(VM, &[]), (CostsName::Vm2, 297, 600));
    assert_eq!(of(ONE, &[]), (CostsName::Vm2, 1_200, 600));
    assert_eq!(of(VM, &[set(1_200)]), (CostsName::Vm2, 1_200, 600));
    assert_eq!(
        of(VM, &[(SCHEDULE.0, json!("1200"))]),
        (CostsName::Vm2, 1_200, 600),
        "as a flag hands it over"
    );
    assert_eq!(of(ONE, &[set(7), ("machine.costs.tick_ns", json!(5))]), (CostsName::Vm2, 7, 5));
    assert_eq!(of(ONE, &[(SCHEDULE.0, json!("auto"))]), (CostsName::Vm2, 297, 600));
    assert_eq!(of("", &[set(7)]), (CostsName::Ticket2012, 7, 600), "no preset is stated");
    assert_eq!(
        of(VM, &[("machine.costs", json!({ "preset": "zero", "tick_ns": 9 }))]),
        (CostsName::Zero, 0, 9)
    );
}

#[test]
fn another_preset_takes_the_place_of_the_files_costs_and_leaves_those_set_beside_it_in_either_order()
 {
    let (preset, cost) = (("machine.costs", json!("zero")), (SCHEDULE.0, json!(7)));
    assert_eq!(of(ONE, std::slice::from_ref(&preset)), (CostsName::Zero, 0, 0));
    assert_eq!(of(ONE, &[preset.clone(), cost.clone()]), (CostsName::Zero, 7, 0));
    assert_eq!(of(ONE, &[cost, preset]), (CostsName::Zero, 7, 0));
}

#[test]
fn every_cost_of_every_preset_can_be_set_to_the_value_it_has() {
    for name in [CostsName::Ticket2012, CostsName::Vm2, CostsName::Vm4Cal2023, CostsName::Zero] {
        let costs = Costs::preset(name);
        let set: Vec<(&str, Value)> = COST_FIELDS
            .iter()
            .zip(costs.values())
            .map(|(field, (_, value))| (field.path, json!(value)))
            .collect();
        assert_eq!(with("", &set).unwrap().setup.machine.costs, costs, "{name:?}");
    }
}

#[test]
fn an_unknown_cost_is_refused_with_the_nearest_and_a_value_out_of_range_with_its_range() {
    let refused = |costs: &str, set: &[(&str, Value)]| *with(costs, set).unwrap_err();
    let error = refused(r#", "costs": { "preset": "vm2_meas", "shedule_ns": 1 }"#, &[]);
    assert_eq!((error.path.as_str(), error.line), ("machine.costs.shedule_ns", Some(1)));
    assert_eq!(error.suggestion.as_deref(), Some("\"schedule_ns\""));
    let error = refused(VM, &[("machine.costs.shedule_ns", json!(1))]);
    assert_eq!(error.suggestion.as_deref(), Some("machine.costs.schedule_ns"));
    let error = refused(VM, &[(SCHEDULE.0, json!(100_000_001))]);
    assert!(
        error.expected.as_deref().unwrap().starts_with("a whole number from 0 to 100000000"),
        "{error:?}"
    );
    assert_eq!(refused(r#", "costs": { "preset": "vm3" }"#, &[]).path, "machine.costs.preset");
    assert_eq!(refused(r#", "costs": { "preset": {} }"#, &[]).path, "machine.costs.preset");
}

#[test]
fn a_report_names_the_cost_that_was_set_and_whose_it_is() {
    let prepared = with(VM, &[(SCHEDULE.0, json!(1_200))]).unwrap();
    assert_eq!(prepared.meta.costs_in_words(), "vm2_meas, schedule_ns 1200");
    let stated: Vec<&str> = prepared
        .meta
        .costs
        .iter()
        .filter(|cost| cost.provenance == Provenance::Stated)
        .map(|cost| cost.name)
        .collect();
    assert_eq!(stated, ["schedule_ns"]);
    let mut run = Run::new(&prepared.setup, Options::default()).unwrap();
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    let report = report_json(&prepared, &run.report());
    let config = &report["config"];
    assert_eq!(
        (&config["machine.costs"], &config[SCHEDULE.0]),
        (&json!("vm2_meas"), &json!(1_200))
    );
    assert_eq!(
        (&config["costs"]["schedule_ns"], &config["costs"]["tick_ns"]),
        (&json!(1_200), &json!(600))
    );
    assert!(config.get("machine.costs.tick_ns").is_none(), "it stands among the costs alone");
}

#[test]
fn a_cost_stated_as_its_presets_value_runs_the_same() {
    let bytes = |costs: &str, set: &[(&str, Value)]| with(costs, set).unwrap().canonical();
    assert_eq!(bytes(VM, &[]), bytes(VM, &[(SCHEDULE.0, json!(297))]));
    assert_ne!(bytes(VM, &[]), bytes(ONE, &[]));
}

#[test]
fn the_skew_of_ticks_is_the_same_under_both_its_names_or_is_refused() {
    const STEP: &str = "machine.tick_skew_step";
    const COST: &str = "machine.costs.tick_skew_ns";
    let told = |set: &[(&str, Value)]| {
        let prepared = with(VM, set).unwrap();
        let knob = |path: &str| {
            prepared.meta.knobs.iter().find(|knob| knob.path == path).unwrap().value.clone()
        };
        let cost = prepared.meta.costs.iter().find(|cost| cost.name == "tick_skew_ns").unwrap();
        let known = (knob(STEP), knob(COST), cost.provenance == Provenance::Stated);
        assert_eq!(cost.value, prepared.setup.machine.costs.tick_skew_ns);
        (prepared.setup.machine.costs.tick_skew_ns, known)
    };
    assert_eq!(told(&[]), (0, (json!("0us"), json!(0), false)));
    assert_eq!(told(&[(STEP, json!("60us"))]), (60_000, (json!("60us"), json!(60_000), true)));
    assert_eq!(told(&[(COST, json!(60_000))]), (60_000, (json!("60us"), json!(60_000), true)));
    assert_eq!(told(&[(STEP, json!("60us")), (COST, json!(60_000))]).0, 60_000);
    let file =
        r#", "tick_skew_step": "60us", "costs": { "preset": "vm2_meas", "tick_skew_ns": 5 }"#;
    let error = *with(file, &[]).unwrap_err();
    assert_eq!((error.path.as_str(), error.line.is_some()), (STEP, true), "{error}");
    let error = *with(r#", "tick_skew_step": "60us""#, &[(COST, json!(5))]).unwrap_err();
    assert!(
        error.path == STEP
            && error.line.is_some()
            && error.message.contains("60 µs, machine.costs.tick_skew_ns says 5 ns"),
        "{error}"
    );
}

#[test]
fn an_object_of_costs_in_a_links_text_is_read_as_strictly_as_a_file() {
    let text = |text: &str| [("machine.costs", Value::String(text.to_owned()))];
    assert_eq!(of(VM, &text(r#"{"preset":"vm2_meas","schedule_ns":77}"#)).1, 77);
    let error = with(VM, &text(r#"{"schedule_ns":1,"schedule_ns":2}"#)).unwrap_err();
    assert_eq!(error.path, "machine.costs.schedule_ns");
    assert_eq!(
        error.message,
        "the key \"schedule_ns\" stands here twice (line 1, column 18 of the value)"
    );
    assert!(with(VM, &text("{schedule_ns:1}")).unwrap_err().message.contains("not JSON"));
}
