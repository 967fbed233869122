//! The real binary: costs from a file, and errors in such a file with their place.

use std::process::Output;

use serde_json::Value;

use crate::support::{File, schedscope, stderr, text};

/// A file of costs that lives as long as its test.
struct Costs(File);

impl Costs {
    fn new(name: &str, text: &str) -> Self {
        Self(File::new(&format!("{name}.json"), text))
    }

    fn run(&self, flags: &[&str]) -> Output {
        schedscope(
            &[&["run", "rt-pull-herd", "--for", "1ms", "--costs", self.0.name()], flags].concat(),
        )
    }

    /// The error for an unusable file.
    fn refused(&self) -> String {
        let output = self.run(&[]);
        assert_ne!(output.status.code(), Some(0));
        assert_eq!(text(&output.stdout), "", "nothing ran");
        stderr(&output)
    }
}

#[test]
fn a_file_of_costs_is_laid_over_the_scenario_and_a_change_over_the_file() {
    let file = Costs::new(
        "good",
        "{\n  \"preset\": \"vm2_meas\",\n  \"schedule_ns\": 1200,\n  \"tick_ns\": 700\n}\n",
    );
    let config = |flags: &[&str]| -> Value {
        let output = file.run(&[&["--json"][..], flags].concat());
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["config"].clone()
    };
    let plain = config(&[]);
    assert_eq!(plain["machine.costs"], "vm2_meas");
    assert_eq!(
        (&plain["costs"]["schedule_ns"], &plain["costs"]["tick_ns"]),
        (&1_200.into(), &700.into())
    );
    let changed = config(&["--set", "machine.costs.schedule_ns=9"]);
    assert_eq!(
        (&changed["costs"]["schedule_ns"], &changed["costs"]["tick_ns"]),
        (&9.into(), &700.into())
    );
    let text = text(&file.run(&[]).stdout);
    assert!(text.contains(", costs vm2_meas, ") && text.contains("schedule_ns 1200"), "{text}");
}

#[test]
fn an_unknown_cost_of_a_file_is_told_with_its_place_and_the_nearest_name() {
    let said = Costs::new("unknown", "{\n  \"preset\": \"vm2_meas\",\n  \"shedule_ns\": 1200\n}\n")
        .refused();
    assert!(said.contains("line 3, column 3: machine.costs.shedule_ns: "), "{said}");
    assert!(said.contains("did you mean: \"schedule_ns\""), "{said}");
}

#[test]
fn a_cost_of_a_wrong_type_or_out_of_range_is_told_with_its_place() {
    let said = Costs::new("type", "{\n  \"schedule_ns\": \"long\"\n}\n").refused();
    assert!(
        said.contains("line 2, column 18: machine.costs.schedule_ns: ")
            && said.contains("a whole number"),
        "{said}"
    );
    let said =
        Costs::new("range", "{\n  \"tick_ns\": 5,\n  \"schedule_ns\": 100000001\n}\n").refused();
    assert!(said.contains("line 3, column 18: machine.costs.schedule_ns: "), "{said}");
    let said = Costs::new("preset", "{\n  \"preset\": \"vm3\"\n}\n").refused();
    assert!(said.contains("line 2, column 13: machine.costs.preset: "), "{said}");
    let said = Costs::new("json", "{\n  \"preset\": \n}\n").refused();
    assert!(said.contains("line 3, column 1") && said.contains("not JSON"), "{said}");
    let said = Costs::new("list", "[]\n").refused();
    assert!(said.contains("line 1, column 1"), "{said}");
}
