//! Random scenarios: any of the generators, with any of their options and of the kernel's and the
//! machine's switches, all drawn from the table of knobs; every law of the engine while it runs,
//! every law of the trace from outside.
//!
//! `SWARM_CASES=n` sets how many, `SWARM_FROM=seed` where they start, `SWARM_SEED=seed` runs one
//! and shows it.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use schedscope_engine::run::{Options, Progress, Run};
use schedscope_scenario::knobs::{GENERATORS, KnobType};
use schedscope_scenario::{Knob, Prepared, knobs, prepare};
use serde_json::{Map, Value, json};

use self::engine::judge::{judge, written};
use self::engine::random::Dice;

#[path = "../../../engine/tests/engine/support/mod.rs"]
#[allow(dead_code, reason = "the rest of it is for the engine's own tests")]
mod engine;

/// Cases in the usual run: some twenty seconds on one core.
const CASES: u64 = 1_000;
/// A run ends here at the latest: four thousand tasks are among the cases.
const RECORDS_MAX: u64 = 12_000;

fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text:?}")))
}

/// A value of `knob`, small ones more often than large ones; `None` where only a reader of its own
/// knows what there is.
fn value(dice: &mut Dice, knob: &Knob) -> Option<Value> {
    if !knob.choices.is_empty() && (knob.kind == KnobType::Enum || dice.chance(30)) {
        return Some(knob.choices[dice.below(knob.choices.len() as u64) as usize].value.clone());
    }
    let (min, max) = (knob.min.unwrap_or(0), knob.max.unwrap_or(1_000));
    // Draw the number of digits first, so that 1 us comes as often as 1 s.
    let bits = u64::from(64 - (max - min).leading_zeros());
    let digits = dice.below(bits + 1).min(62);
    let drawn = min + dice.below(1 << digits).min(max - min);
    match knob.kind {
        KnobType::Boolean => Some(json!(dice.chance(50))),
        KnobType::Integer => Some(json!(if dice.chance(80) { drawn.min(min + 20) } else { drawn })),
        KnobType::Time => Some(json!(format!("{drawn}ns"))),
        KnobType::Enum | KnobType::Text => match knob.key() {
            "group" => Some(json!(["/", "g", "g/h"][dice.below(3) as usize])),
            "cpus" | "affinity" => Some(json!(["all", "0", "0-1"][dice.below(3) as usize])),
            "nocbs" => Some(json!(["none", "0"][dice.below(2) as usize])),
            _ => None,
        },
    }
}

/// Sets about `percent` of a hundred of the knobs right below `parent`.
fn drawn(dice: &mut Dice, parent: &str, percent: u64) -> Map<String, Value> {
    let own = knobs().iter().filter(|knob| knob.parent() == parent);
    let mut members = Map::new();
    for knob in own {
        if dice.chance(percent)
            && let Some(value) = value(dice, knob)
        {
            members.insert(knob.key().to_owned(), value);
        }
    }
    members
}

/// The scenario of `seed`.
fn scenario(seed: u64) -> Value {
    let dice = &mut Dice::new(seed.rotate_left(7));
    let mut machine = drawn(dice, "machine", 10);
    machine.insert("cpus".to_owned(), json!(dice.between(1, 12)));
    let mut kernel = drawn(dice, "kernel", 4);
    let version = knobs()
        .iter()
        .find(|knob| knob.path == "kernel.version")
        .and_then(|knob| value(dice, knob));
    kernel.insert("version".to_owned(), version.unwrap());
    let mut workload = Map::new();
    for _ in 0..dice.between(1, 3) {
        let name = dice.pick(GENERATORS);
        workload
            .insert(name.to_owned(), Value::Object(drawn(dice, &format!("workload.{name}"), 35)));
    }
    let mut tasks = Map::new();
    if dice.chance(30) {
        let (run, sleep) = (dice.between(10, 900), dice.between(10, 900));
        tasks.insert("app".to_owned(), json!({ "loop": -1, "run": run, "sleep": sleep }));
    }
    if let Some(device) = workload.get_mut("device_irq").filter(|_| dice.chance(50)) {
        device["wakes"] = json!("rx");
        let run = dice.between(1, 90);
        tasks.insert("rx".to_owned(), json!({ "loop": -1, "suspend": "", "run": run }));
    }
    if !tasks.is_empty() {
        workload.insert("tasks".to_owned(), Value::Object(tasks));
    }
    let quota =
        |dice: &mut Dice| format!("{} {}", dice.between(1_000, 9_000), dice.between(1_000, 20_000));
    json!({
        "schema": 1,
        "title": "drawn",
        "seed": seed % 1_000_000,
        "duration": format!("{}us", dice.between(200, 60_000)),
        "machine": machine,
        "kernel": kernel,
        "cgroups": { "g": { "cpu_max": quota(dice) },
            "g/h": { "cpu_weight": dice.between(1, 10_000) } },
        "workload": workload,
    })
}

fn play(prepared: &Prepared) -> Result<(), String> {
    let options = Options {
        window: Options::EVERYTHING,
        max_records: RECORDS_MAX,
        check_every: 4,
        ..Options::default()
    };
    let mut run = Run::new(&prepared.setup, options)?;
    match run.advance(u64::MAX, u64::MAX) {
        Progress::Finished | Progress::Limit => judge(&prepared.setup, &written(&mut run)),
        other => Err(format!("{other:?}")),
    }
}

/// What the scenario states, as `path` or, where there are words to choose from, `path=value`.
fn stated(scenario: &Value) -> Vec<String> {
    let choose = |knob: &&Knob| {
        knob.parent().starts_with("workload.")
            || knob.parent() == "kernel"
            || knob.parent() == "machine"
    };
    let at = |knob: &Knob| scenario.pointer(&format!("/{}", knob.path.replace('.', "/"))).cloned();
    knobs().iter().filter(choose).filter_map(|knob| Some(name(knob, &at(knob)?))).collect()
}

fn name(knob: &Knob, value: &Value) -> String {
    let word =
        knob.choices.iter().any(|choice| choice.value == *value) || knob.kind == KnobType::Boolean;
    if word { format!("{}={value}", knob.path) } else { knob.path.to_owned() }
}

/// Every word that the table lets a generator take.
fn all() -> Vec<String> {
    let own = knobs()
        .iter()
        .filter(|knob| GENERATORS.iter().any(|name| knob.parent() == format!("workload.{name}")));
    let words = |knob: &Knob| match knob.kind {
        KnobType::Boolean => vec![json!(true), json!(false)],
        KnobType::Enum => knob.choices.iter().map(|choice| choice.value.clone()).collect(),
        _ => Vec::new(),
    };
    own.flat_map(|knob| match &words(knob)[..] {
        [] => vec![knob.path.to_owned()],
        words => words.iter().map(|word| name(knob, word)).collect(),
    })
    .collect()
}

/// Takes out of `scenario` what an error names, so that one value that does not go with the others
/// costs no case; whether it was there.
fn without(scenario: &mut Value, path: &str) -> bool {
    let Some((parent, key)) = path.rsplit_once('.') else { return false };
    let members = scenario
        .pointer_mut(&format!("/{}", parent.replace('.', "/")))
        .and_then(Value::as_object_mut);
    members.is_some_and(|members| members.remove(key).is_some())
}

/// The case of `seed`, mended until it is taken; `None` if that cannot be done by leaving out.
fn taken(seed: u64) -> Option<(Value, String, Prepared)> {
    let mut scenario = scenario(seed);
    loop {
        let text = serde_json::to_string_pretty(&scenario).unwrap();
        match prepare("drawn", &text, &[]) {
            Ok(prepared) => return Some((scenario, text, prepared)),
            Err(error) => {
                assert!(!error.message.is_empty(), "seed {seed}: {error}\n{text}");
                if !without(&mut scenario, error.path.as_str()) {
                    return None;
                }
            }
        }
    }
}

/// Whether the case ran.
fn trial(seed: u64, reached: &mut BTreeMap<String, u64>) -> bool {
    let Some((scenario, text, prepared)) = taken(seed) else { return false };
    let result = catch_unwind(AssertUnwindSafe(|| play(&prepared))).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Err(format!("panic: {}", text.unwrap_or_default()))
    });
    if let Err(what) = result {
        panic!(
            "{what}\nSWARM_SEED={seed} cargo test -p schedscope-scenario --test scenario -- \
                swarm::\n{text}"
        );
    }
    stated(&scenario).into_iter().for_each(|name| *reached.entry(name).or_default() += 1);
    true
}

#[test]
fn no_scenario_of_any_generator_breaks_a_law() {
    let mut reached = BTreeMap::new();
    if let Some(seed) = number("SWARM_SEED") {
        println!("{:#}", scenario(seed));
        println!("it {}", if trial(seed, &mut reached) { "runs" } else { "is refused" });
        return;
    }
    let (from, cases) = (number("SWARM_FROM").unwrap_or(1), number("SWARM_CASES").unwrap_or(CASES));
    let ran = (from..from + cases).filter(|seed| trial(*seed, &mut reached)).count() as u64;
    println!("{ran} of {cases} scenarios ran");
    reached.iter().for_each(|(name, runs)| println!("{runs:8} {name}"));
    assert!(ran * 3 > cases, "only {ran} of {cases} ran");
    let missing: Vec<String> =
        all().into_iter().filter(|name| !reached.contains_key(name)).collect();
    assert!(
        cases < CASES || missing.is_empty(),
        "{cases} cases never stated {missing:?} in a scenario that ran"
    );
}
