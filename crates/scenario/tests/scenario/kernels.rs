//! Versions, what they offer, and partitions, as scenario files state them.

use schedscope_engine::kernel::config::{
    Kernel, LowestPick, OverloadDef, Preempt, Row, RtBalance, RtoScope, Version, offered, table,
};
use schedscope_engine::named::Named;
use schedscope_scenario::{Origin, Prepared, ScenarioError, prepare};
use serde_json::{Value, json};

use crate::support::name;

const TEXT: &str = include_str!("../../../../scenarios/rt-fifo-preempt/scenario.json");
const HERD: &str = include_str!("../../../../scenarios/rt-pull-herd/scenario.json");

fn with(text: &str, set: &[(&str, &str)]) -> Result<Prepared, ScenarioError> {
    let set: Vec<(String, Value)> =
        set.iter().map(|(path, value)| ((*path).to_owned(), json!(value))).collect();
    prepare("x", text, &set)
}

#[test]
fn every_version_boots_with_every_model_it_offers_and_refuses_the_others_with_a_way_out() {
    for version in Version::LADDER {
        for preempt in Preempt::ALL {
            let set = [("kernel.version", name(version)), ("kernel.preempt", preempt.name())];
            let offers = offered(*version).any(|offered| offered == *preempt);
            match with(TEXT, &set) {
                Ok(prepared) => {
                    assert!(offers, "{version:?} {preempt:?}");
                    assert!(
                        prepared
                            .meta
                            .unavailable
                            .iter()
                            .all(|refused| refused.value != preempt.name()
                                && refused.path == "kernel.preempt")
                    );
                    assert_eq!(
                        prepared.meta.unavailable.len(),
                        Preempt::ALL.len() - offered(*version).count()
                    );
                }
                Err(error) => {
                    assert!(!offers, "{version:?} {preempt:?}: {error}");
                    let way_out = error.suggestion.unwrap();
                    with(
                        TEXT,
                        &[
                            ("kernel.version", name(version)),
                            ("kernel.preempt", way_out.trim_matches('"')),
                        ],
                    )
                    .unwrap();
                }
            }
        }
    }
    let error =
        with(TEXT, &[("kernel.version", "7.0"), ("kernel.preempt", "voluntary")]).unwrap_err();
    assert_eq!(
        (error.path.as_str(), error.suggestion.as_deref()),
        ("kernel.preempt", Some("\"lazy\""))
    );
    assert!(error.message.contains("7dadeaa6e851"), "{error}");
}

#[test]
fn a_version_brings_its_own_switches_and_says_how_well_they_are_known() {
    let of = |version: &str| with(TEXT, &[("kernel.version", version)]).unwrap();
    let origin = |prepared: &Prepared, path: &str| {
        prepared.meta.knobs.iter().find(|knob| knob.path == path).unwrap().origin
    };
    let old = of("2.6.24");
    assert_eq!(
        (old.setup.kernel.rt_balance, origin(&old, "kernel.rt_balance")),
        (RtBalance::Passive2624, Origin::Known)
    );
    assert_eq!(old.setup.kernel.preempt, Preempt::Full);
    let new = of("7.0");
    assert_eq!(
        (new.setup.kernel.preempt, new.setup.kernel.rt_balance),
        (Preempt::Lazy, RtBalance::Ipi2026Noself)
    );
    assert_eq!(origin(&new, "kernel.overload_def"), Origin::Known, "commit 612f769edd06 (6.7)");
    let recalled = ("3.14", "kernel.rules.has_wake_wide");
    assert_eq!(origin(&of(recalled.0), recalled.1), Origin::Recalled);
    let unread = ("6.6.30", "kernel.rules.rechecks_after_lock");
    assert_eq!(origin(&of(unread.0), unread.1), Origin::Carried, "6.6's branch was not read");
    assert!(!of("6.1.192").setup.kernel.rt_push_ipi && of("6.1").setup.kernel.rt_push_ipi);
    let rt = with(TEXT, &[("kernel.version", "6.1.192"), ("kernel.preempt", "rt")]).unwrap();
    assert!(rt.setup.kernel.rt_push_ipi, "rt_only means on under PREEMPT_RT");
    assert!(rt.meta.notes.iter().any(|note| note.contains("RT patch set")));
    assert!(of("6.3").setup.kernel.ksoftirqd_defers && !of("6.6").setup.kernel.ksoftirqd_defers);
}

#[test]
fn the_slips_of_2007_are_inert_elsewhere() {
    let on = [("kernel.rt_balance", "active_2007_first"), ("kernel.bugs_2007", "true")];
    let inert = |prepared: &Prepared| {
        prepared
            .meta
            .knobs
            .iter()
            .find(|knob| knob.path == "kernel.bugs_2007")
            .unwrap()
            .inert
            .clone()
    };
    assert_eq!(inert(&with(TEXT, &on).unwrap()), None);
    let elsewhere = with(TEXT, &on[1..]).unwrap();
    assert!(
        inert(&elsewhere).is_some_and(|why| why.contains("ipi_4_16_skip1"))
            && !elsewhere.setup.kernel.has_bugs_2007()
    );
    assert_eq!(elsewhere.meta.notes.iter().filter(|note| note.contains("bugs_2007")).count(), 1);
}

#[test]
fn partitions_are_root_domains_and_a_task_lives_in_one() {
    let prepared = with(HERD, &[("machine.partitions", "4-7;10-39")]).unwrap();
    let domains: Vec<u32> = prepared
        .setup
        .machine
        .domains
        .iter()
        .map(schedscope_engine::machine::topology::CpuMask::count)
        .collect();
    assert_eq!(domains, [6, 4, 30], "the CPUs left out come first");
    assert_eq!(
        prepared.meta.tasks[40].cpus, "0-3,8-9",
        "a task that may run anywhere lives in the default partition"
    );
    assert_eq!(prepared.meta.tasks[12].cpus, "12");
    assert_eq!(prepared.meta.locks[40..], ["rto_lock 0", "rto_lock 1", "rto_lock 2"]);
    let whole = with(HERD, &[("machine.partitions", "0-19;20-39"), ("kernel.rto_scope", "global")])
        .unwrap();
    assert_eq!(
        (whole.meta.tasks[40].cpus.as_str(), whole.meta.locks.len()),
        ("0-19", 41),
        "one mask, but affinity holds"
    );
    for (list, word) in [
        ("0-3;x", "not a list"),
        ("0-3;3-5", "in two"),
        ("0-40", "does not have"),
        ("", "not a list"),
        ("0;;1", "not a list"),
    ] {
        let error = with(HERD, &[("machine.partitions", list)]).unwrap_err();
        assert!(
            error.path == "machine.partitions" && error.message.contains(word),
            "{list}: {error}"
        );
    }
    let text = HERD.replace(
        "\"workload\": {",
        "\"workload\": { \"tasks\": { \"wide\": \
            { \"cpus\": \"10-25\", \"run\": 5, \"sleep\": 100 } },",
    );
    let error = with(&text, &[("machine.partitions", "0-19")]).unwrap_err();
    assert!(
        error.message.contains("wide.0") && error.message.contains("several partitions"),
        "{error}"
    );
    assert!(
        with(HERD, &[("machine.partitions", "0-19"), ("machine.cpus", "16")]).is_err(),
        "both are stated"
    );
    let text =
        HERD.replace("\"topology\": \"auto\"", "\"topology\": \"auto\", \"partitions\": \"0-19\"");
    assert_eq!(
        with(&text, &[("machine.cpus", "16")]).unwrap().setup.machine.domains.len(),
        0,
        "auto again"
    );
}

#[test]
fn the_push_locks_of_4_1_stand_after_rto_lock() {
    let prepared = with(HERD, &[("kernel.rt_balance", "ipi_4_1")]).unwrap();
    assert_eq!(prepared.meta.locks.len(), 81);
    assert_eq!(
        (prepared.meta.locks[40].as_str(), prepared.meta.locks[41].as_str()),
        ("rto_lock", "push_lock 0")
    );
}

#[test]
fn what_a_running_kernel_takes_depends_on_what_was_compiled_in() {
    let live = |set: &[(&str, &str)]| -> Vec<(String, Vec<&str>)> {
        with(TEXT, set)
            .unwrap()
            .meta
            .live
            .into_iter()
            .map(|knob| (knob.path, knob.values))
            .collect()
    };
    assert_eq!(live(&[("kernel.version", "2.6.24")]), [], "no bit, no wake-list, no throttling");
    let push = ("kernel.rt_push_ipi".to_owned(), vec![]);
    let modes =
        ("kernel.preempt".to_owned(), vec!["dynamic-none", "dynamic-voluntary", "dynamic-full"]);
    let list = ("kernel.ttwu_queue".to_owned(), vec!["off", "cross_llc_or_idle"]);
    let sysctls = ["kernel.sched_rt_runtime_us", "kernel.sched_rt_period_us"]
        .map(|path| (path.to_owned(), vec![]));
    let modern = live(&[("kernel.version", "6.1"), ("kernel.preempt", "dynamic-full")]);
    let next_buddy = ("kernel.next_buddy".to_owned(), vec![]);
    let switches = [push.clone(), modes, list.clone(), next_buddy];
    assert_eq!(modern, [&switches[..], &sysctls].concat());
    let newest = live(&[("kernel.version", "6.12"), ("kernel.ttwu_queue", "off")]);
    let features: Vec<_> = newest.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(newest[..2], [push, list], "the fair server goes by no sysctl");
    let bits = ["run_to_parity", "place_lag", "hrtick", "delay_dequeue", "preempt_short"];
    let bits = bits.into_iter().chain(["next_buddy"]).map(|bit| format!("kernel.{bit}"));
    assert_eq!(features[2..], bits.collect::<Vec<_>>(), "the bits of EEVDF's features");
}

/// The values of one switch that no version of the ladder brings, or that only those up to `last`
/// bring.
fn unbrought<T: Named>(row: &Row<T>, last: Version) -> Vec<&'static str> {
    let brought = |value: &T| {
        Version::LADDER.iter().any(|version| *version > last && row.value(*version) == *value)
    };
    T::ALL.iter().filter(|value| !brought(value)).map(|value| value.name()).collect()
}

/// Decisions 0008: the rungs are fixed, and these values belong to kernels between them.
#[test]
fn exactly_these_values_of_real_time_switches_come_with_no_version_later_than_2_6_24() {
    let last = Version::V2_6_24;
    assert_eq!(
        unbrought(&table::RT_BALANCE, last),
        ["passive_2624", "active_2007_first", "ipi_4_15"]
    );
    assert_eq!(unbrought(&table::RT_PUSH_IPI, last), [""; 0]);
    assert_eq!(unbrought(&table::OVERLOAD_DEF, last), ["count_gt1"]);
    assert_eq!(unbrought(&table::RTO_SCOPE, last), ["global", "cpuset"]);
    assert_eq!(unbrought(&table::LOWEST_PICK, last), ["first_scan"]);
    assert_eq!(unbrought(&table::CPUPRI, last), [""; 0]);
    assert_eq!(unbrought(&table::TTWU_QUEUE, last), [""; 0]);
    assert_eq!(unbrought(&table::IPI_POLLING_ELIDE, last), ["off"]);
    assert_eq!(unbrought(&table::RT_THROTTLE, last), ["off"]);
    let oldest = Kernel::of_version(last, 1);
    assert_eq!(
        (oldest.rt_balance, oldest.overload_def),
        (RtBalance::Passive2624, OverloadDef::CountGt1)
    );
    assert_eq!((oldest.rto_scope, oldest.lowest_pick), (RtoScope::Global, LowestPick::FirstScan));
}

#[test]
fn a_slice_extension_is_inert_before_7_0() {
    const PATHS: [&str; 2] = ["kernel.rseq_slice_extension", "kernel.rseq_slice_extension_length"];
    let of = |version| {
        with(TEXT, &[("kernel.version", version), (PATHS[0], "true"), (PATHS[1], "20us")]).unwrap()
    };
    let inert = |prepared: &Prepared| {
        PATHS.map(|path| {
            prepared.meta.knobs.iter().find(|knob| knob.path == path).unwrap().inert.clone()
        })
    };
    let before = of("6.18");
    assert!(!before.setup.kernel.rseq_slice_extension);
    assert!(inert(&before).iter().all(|why| why.as_ref().is_some_and(|why| why.contains("7.0"))));
    assert!(before.meta.own_switches.iter().all(|own| !PATHS.contains(&own.path)));
    assert!(before.meta.notes.iter().any(|note| note.contains(PATHS[0])));
    let from = of("7.0");
    assert!(from.setup.kernel.rseq_slice_extension);
    assert_eq!(inert(&from), [None, None]);
}

#[test]
fn under_rt_a_device_is_said_to_interrupt_as_under_full() {
    let text = |preempt: &str| {
        json!({ "schema": 1, "title": "x", "duration": "1ms", "machine": { "cpus": 2 },
            "kernel": { "version": "6.12", "preempt": preempt },
            "workload": { "device_irq": {}, "tasks": { "a": { "run": 1 } } } })
        .to_string()
    };
    let said = |preempt| {
        let prepared = schedscope_scenario::prepare("x", &text(preempt), &[]).unwrap();
        prepared.meta.notes.iter().any(|note| note.contains("irq/N"))
    };
    assert!(said("rt") && !said("full"));
}
