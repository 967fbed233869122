use schedscope_engine::kernel::config::default_version;

use super::*;

/// A short run of a thread that sleeps and one that computes; `kernel` is what the file states
/// beside the version.
fn plan(kernel: &str, releases: [&str; 2], set: &[(&str, Value)]) -> Plan {
    let text = format!(
        r#"{{ "schema": 1, "title": "Which change was it?", "seed": 3, "duration": "5ms",
            "machine": {{ "cpus": 2 }}, "kernel": {{ "version": "6.6" {kernel} }},
            "workload": {{ "cyclictest": {{ "threads": 1, "interval": "1ms", "priority": 80 }},
                "tasks": {{ "hog": {{ "loop": -1, "run": 1000 }} }} }} }}"#
    );
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
    let source = Source {
        slug: "which".to_owned(),
        name: "which".to_owned(),
        document: Document::read(&text).expect("a scenario"),
        common: set,
        live: Vec::new(),
        limits: String::new(),
    };
    let (metric, seeds) = ("latency.cyclictest.max_ns", Seeds { first: 3, most: 3 });
    Plan::new(source, releases.map(Version::of), metric, seeds)
        .expect("a scenario that both releases run")
}

fn place(plan: &Plan, name: &str) -> usize {
    plan.changes.iter().position(|change| change.name == name).expect(name)
}

/// The settings of a trial beside the release.
fn statement(plan: &Plan, trial: &Trial) -> Set {
    let Trial::Run(set) = trial else { panic!("a run of its own, not {trial:?}") };
    plan.statement(set)
}

#[test]
fn every_switch_of_bandwidth_control_is_a_row_that_can_be_tried() {
    let names: Vec<String> = all_rows()
        .into_iter()
        .filter(|row| row.is_stated)
        .filter_map(|row| switch_of(&row.name).map(str::to_owned))
        .collect();
    for switch in switches(Bandwidth::of_version(default_version())).keys() {
        assert!(names.contains(switch), "{switch} is not among {names:?}");
    }
}

#[test]
fn every_change_between_two_releases_is_tried_or_named() {
    let plan = plan("", ["3.2", "7.3"], &[("kernel.rt_throttle", "off".into())]);
    let differences = between(Version::of("3.2"), Version::of("7.3"));
    let tried = |name: &str| plan.changes.iter().any(|change| change.name == name);
    let named = |name: &str| {
        plan.unstatable.iter().any(|each| each.name == name)
            || plan.stated.iter().chain(&plan.alike).any(|each| each == name)
    };
    let lacking = differences.iter().filter(|each| !each.modelled).count();
    assert_eq!(plan.lacking, lacking);
    for each in differences.iter().filter(|each| each.modelled) {
        assert!(tried(&each.name) != named(&each.name), "{}", each.name);
    }
    assert_eq!(plan.stated, ["kernel.rt_throttle"]);
    assert_eq!(plan.alike, ["kernel.rt_push_ipi"], "rt_only is off without PREEMPT_RT");
}

#[test]
fn a_row_that_follows_the_changed_one_keeps_its_own_value() {
    let plan = plan("", ["4.0", "4.1"], &[]);
    let balance = plan.trial(0, &[place(&plan, "kernel.rt_balance")]);
    let alone = statement(&plan, &balance);
    assert!(alone.contains(&("kernel.rt_balance".to_owned(), "ipi_4_1".into())), "{alone:?}");
    assert!(alone.contains(&("kernel.rt_push_ipi".to_owned(), "off".into())), "{alone:?}");
}

#[test]
fn a_row_without_effect_beside_the_others_needs_no_run() {
    let plan = plan("", ["6.5", "6.12"], &[]);
    let delay = place(&plan, "kernel.delay_dequeue");
    assert!(matches!(plan.trial(0, &[delay]), Trial::Same), "6.5 has CFS, which delays nothing");
    assert!(matches!(plan.trial(1, &[delay]), Trial::Run(_)));
    let with_class = plan.trial(0, &[place(&plan, "kernel.fair"), delay]);
    assert_eq!(statement(&plan, &with_class).len(), 2, "{with_class:?}");
}

#[test]
fn a_value_that_a_release_cannot_have_is_refused_with_the_reason() {
    let plan = plan(r#", "preempt": "none""#, ["6.12", "7.0"], &[]);
    let preempt = place(&plan, "kernel.preempt");
    assert_eq!(plan.changes[preempt].values, ["none", "lazy"].map(Value::from));
    for (release, version) in ["6.12", "7.0"].into_iter().enumerate() {
        let Trial::Refused(why) = plan.trial(release, &[preempt]) else { panic!("{release}") };
        assert!(why.starts_with(&format!("kernel {version} has no ")), "{why}");
    }
}

#[test]
fn a_switch_of_bandwidth_control_is_stated_with_the_others_where_an_era_would_move_them() {
    let plan = plan("", ["5.3", "5.4"], &[]);
    let [expiry, subtract] =
        ["expiry", "slack_subtract"].map(|switch| place(&plan, &format!("{BANDWIDTH}.{switch}")));
    let stated = |changes: &[usize]| {
        let set = statement(&plan, &plan.trial(0, changes));
        let [(path, Value::Object(mix))] = &set[..] else { panic!("one object, not {set:?}") };
        assert_eq!(path, BANDWIDTH);
        mix.clone()
    };
    assert_eq!(Value::from(stated(&[expiry])), json!({ "expiry": "none" }));
    let both = stated(&[expiry, subtract]);
    let own = switches(plan.sides[0].meta.bandwidth);
    for (switch, value) in &own {
        let is_asked = ["expiry", "slack_subtract"].contains(&switch.as_str());
        assert_eq!(both[switch] != *value, is_asked, "{switch}");
    }
}

#[test]
fn a_run_of_a_kind_differs_from_another_in_the_seed_alone() {
    let plan = plan("", ["6.6", "6.12"], &[("seed", 11.into())]);
    assert_eq!(plan.first_seed, 11);
    let set = plan.with_seed(&plan.release(0), 12);
    let seeds: Vec<&Value> =
        set.iter().filter(|(path, _)| path == SEED).map(|(_, seed)| seed).collect();
    assert_eq!(seeds, [&Value::from(12)], "{set:?}");
}
