//! What a run notes holds: other answers to rules that it never asks change nothing in it.

use std::env;
use std::fs;
use std::path::Path;

use schedscope_engine::kernel::config::{RULES, Version};
use schedscope_scenario::prepare;

use super::*;
use crate::execute::{Limits, Watch, execute_while};
use crate::figures::figures;

/// Scenarios of each part of the kernel, a release of each, and for how long they run.
const RUNS: [(&str, &str, &str); 9] = [
    ("eevdf-slices", "6.6", "100ms"),
    ("eevdf-slices", "6.12", "100ms"),
    ("quota-stranded", "5.4", "300ms"),
    ("beside-idle", "7.2", "100ms"),
    ("rt-migrate", "4.1", "20ms"),
    ("nohz-kick", "6.1.192", "50ms"),
    ("softirq-live-lock", "3.16", "20ms"),
    ("hackbench", "7.3", "5ms"),
    ("rt-throttling", "6.18", "1s"),
];
/// So many of them try each rule by itself, and the others do under `CLAIMS=long`.
const ONE_BY_ONE: usize = 4;
const NONE: LiveWrites<'static> = &[];

type LiveWrites<'w> = &'w [(u64, &'static str, &'static str)];

fn watch() -> Watch {
    Watch { window: None, wakes: false, limits: Limits::default(), waits: false }
}

fn prepared((slug, version, time): (&str, &str, &str), live: LiveWrites<'_>) -> Prepared {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(slug);
    let text = fs::read_to_string(file.join("scenario.json")).unwrap();
    let set = [("kernel.version", version), ("duration", time)];
    let set = set.map(|(path, value)| (path.to_owned(), Value::from(value)));
    let write = |&(at_ns, path, value): &(u64, &str, &str)| LiveWrite {
        at_ns,
        path: path.to_owned(),
        value: value.to_owned(),
        origin: "a test",
    };
    prepare(slug, &text, &set).unwrap().writing(live.iter().map(write).collect())
}

fn noted(prepared: &Prepared) -> Recorded {
    recorded(prepared, watch().options(), &mut || true).expect("a run that ends")
}

/// The digest and the metrics of an ordinary run.
fn ordinary(prepared: &Prepared) -> (String, Value) {
    let outcome = execute_while(prepared, "", watch(), &mut |_, _| Ok(()), &mut |_| true);
    let report = outcome.unwrap().unwrap().report;
    (report.digest, figures(&report.metrics))
}

fn is_in(rules: RuleSet, rule: usize) -> bool {
    rules.0[rule / 64] >> (rule % 64) & 1 != 0
}

/// The setup with the other answer to a rule.
fn flip(setup: &mut Setup, rule: usize) {
    let mut others = RuleSet([u64::MAX; _]);
    others.0[rule / 64] ^= 1 << (rule % 64);
    let (own, release) = (setup.kernel.release, &mut setup.kernel.release);
    for version in Version::LADDER {
        release.take_unasked(Release::of(*version), others);
        if *release != own {
            return;
        }
    }
    panic!("{}: every release has one answer", RULES[rule].name);
}

#[test]
fn a_run_that_notes_what_it_asks_is_the_ordinary_run() {
    let rt = [(1_000_000, "kernel.sched_rt_runtime_us", "-1")];
    for (run, live) in RUNS.iter().map(|run| (*run, NONE)).chain([(RUNS[4], &rt[..])]) {
        let prepared = prepared(run, live);
        let Recorded { digest, metrics, .. } = noted(&prepared);
        assert_eq!((digest, metrics), ordinary(&prepared), "{run:?}");
    }
}

#[test]
fn other_answers_to_rules_that_a_run_never_asks_leave_it_the_same() {
    let is_long = env::var("CLAIMS").is_ok_and(|claims| claims == "long");
    for (place, run) in RUNS.into_iter().enumerate() {
        let own = prepared(run, NONE);
        let Recorded { digest, metrics, origin, .. } = noted(&own);
        let (asked, never): (Vec<usize>, Vec<usize>) =
            (0..RULES.len()).partition(|rule| is_in(origin.asked, *rule));
        assert!(asked.len() > 5 && never.len() > 20, "{run:?}: {asked:?}, {never:?}");
        let with = |rules: &[usize]| {
            let mut other = prepared(run, NONE);
            rules.iter().for_each(|rule| flip(&mut other.setup, *rule));
            other
        };
        let all = with(&never);
        assert!(origin.is_of(&all), "{run:?}");
        assert_eq!(noted(&all).origin.asked, origin.asked, "{run:?}");
        assert_eq!(ordinary(&all), (digest.clone(), metrics.clone()), "{run:?}, all at once");
        for rule in never.iter().filter(|_| is_long || place < ONE_BY_ONE) {
            let (name, other) = (RULES[*rule].name, with(&[*rule]));
            assert!(origin.is_of(&other), "{run:?}, {name}");
            assert_eq!(ordinary(&other), (digest.clone(), metrics.clone()), "{run:?}, {name}");
        }
        for rule in asked {
            assert!(!origin.is_of(&with(&[rule])), "{run:?}, {}", RULES[rule].name);
        }
    }
}

#[test]
fn a_run_with_another_row_time_or_write_is_another_one() {
    let run = RUNS[0];
    let origin = noted(&prepared(run, NONE)).origin;
    assert!(origin.is_of(&prepared(run, NONE)));
    let write = [(1_000_000, "kernel.run_to_parity", "false")];
    let mut row = prepared(run, NONE);
    row.setup.kernel.place_lag ^= true;
    let (slug, version, time) = run;
    for other in [
        row,
        prepared(run, &write),
        prepared((slug, version, "101ms"), NONE),
        prepared((slug, "6.6.1", time), NONE),
    ] {
        assert!(!origin.is_of(&other), "{:?}", other.live);
    }
}
