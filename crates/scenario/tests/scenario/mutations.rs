//! Every value of every shipped scenario replaced by every kind of wrong one: whatever is refused
//! has a place, and a path if it is about a value; whatever is wrong with several places together
//! has the place of one of them.

use std::collections::BTreeSet;
use std::path::Path;

use schedscope_engine::run::{Options, Run};
use schedscope_scenario::{entry, is_metric, metric_at, prepare, shipped};
use serde_json::{Value, json};

use crate::support::is_long;

/// What people get wrong, and what is right for a value of another kind.
fn wrong_values() -> Vec<Value> {
    let words = [
        "",
        "auto",
        "all",
        "0us",
        "-1us",
        "5s",
        "0-3",
        "0-1;2-3",
        "1024x1024",
        "6.12",
        "random",
        "all-cpus-in-cyclictest",
        "all-cpus",
    ];
    let others = [
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(1),
        json!(99),
        json!(u64::MAX),
    ];
    words.into_iter().map(Value::from).chain(others).collect()
}

/// Replaces the `n`-th value of a tree, counted depth first; false if there are fewer.
fn replace(value: &mut Value, n: &mut usize, with: &Value) -> bool {
    if *n == 0 {
        *value = with.clone();
        return true;
    }
    *n -= 1;
    match value {
        Value::Array(elements) => elements.iter_mut().any(|element| replace(element, n, with)),
        Value::Object(members) => members.values_mut().any(|member| replace(member, n, with)),
        _ => false,
    }
}

#[test]
fn every_refusal_of_a_mutated_scenario_has_its_place_and_its_path() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    // Each value of each scenario in `npm run test:long`; else every fortieth, others in each
    // scenario.
    let every = if is_long() { 1 } else { 40 };
    let (mut refused, mut told) = (0, BTreeSet::new());
    for (index, scenario) in shipped(&folder).unwrap().into_iter().enumerate() {
        let tree: Value = serde_json::from_str(&scenario.text).unwrap();
        // Large machines say no more and take long.
        if tree["machine"]["cpus"].as_u64() > Some(64) {
            continue;
        }
        for n in (1 + index % every..).step_by(every) {
            let wrongs = wrong_values();
            let mutated = wrongs.iter().map_while(|wrong| {
                let mut mutated = tree.clone();
                replace(&mut mutated, &mut n.clone(), wrong).then(|| mutated.to_string())
            });
            let mutated: Vec<String> = mutated.collect();
            if mutated.is_empty() {
                break;
            }
            for text in mutated {
                let Err(error) = prepare("x", &text, &[]) else { continue };
                refused += 1;
                if error.line.is_none()
                    || error.column.is_none()
                    || error.path.is_empty() && !error.message.contains("nothing runs")
                {
                    told.insert(format!("{}: {error:?}", scenario.slug));
                }
            }
        }
    }
    assert!(refused > 5_000 / every, "{refused} are too few to judge by");
    assert!(
        told.is_empty(),
        "{} of {refused} have no place or no path, such as {:#?}",
        told.len(),
        told.iter().take(5).collect::<Vec<_>>()
    );
}

/// Every whole number of `value` by its path.
fn figures(prefix: &str, value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                let key = if key.contains('.') { format!("\"{key}\"") } else { key.clone() };
                figures(
                    &if prefix.is_empty() { key } else { format!("{prefix}.{key}") },
                    member,
                    out,
                );
            }
        }
        Value::Number(_) => out.push(prefix.to_owned()),
        _ => {}
    }
}

#[test]
fn every_figure_of_a_report_is_a_metric_and_is_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    for scenario in shipped(&folder).unwrap() {
        let variant =
            scenario.variants.last().map(|variant| variant.set.clone()).unwrap_or_default();
        let prepared = prepare(&scenario.slug, &scenario.text, &variant).unwrap();
        let mut run =
            Run::new(&prepared.setup, Options { max_records: 20_000, ..Options::default() })
                .unwrap();
        run.advance(u64::MAX, u64::MAX);
        let metrics = serde_json::to_value(run.report().metrics).unwrap();
        let mut paths = Vec::new();
        figures("", &metrics, &mut paths);
        assert!(paths.len() > 50, "{}", scenario.slug);
        for path in paths {
            assert!(
                is_metric(&path)
                    && metric_at(&metrics, &path).is_some_and(|figure| figure.is_number()),
                "{}: {path}",
                scenario.slug
            );
        }
    }
}

#[test]
fn a_headline_of_nothing_is_refused_at_its_place_with_the_nearest() {
    let herd = include_str!("../../../../scenarios/rt-pull-herd/scenario.json");
    for (wrong, near) in [
        ("latency.cyclictst.max_ns", Some("latency.cyclictest.max_ns")),
        ("tasks.rt_noise.8.run_ns", None),
        ("groups.web.usage_ns", None),
    ] {
        let text = herd.replacen("\"rq_lock.max_waiters\"", &format!("\"{wrong}\""), 1);
        assert_ne!(text, herd);
        let error = prepare("x", &text, &[]).unwrap_err();
        assert!(error.line.is_some() && error.path == "headline[1]", "{error:?}");
        if near.is_some() {
            assert_eq!(error.suggestion.as_deref(), near, "{error:?}");
        }
    }
    assert!(entry("x", herd).is_ok());
}
