//! What a run notes holds: other answers and values of rows that it never asks change nothing.

use std::convert::Infallible;
use std::env;
use std::fs;
use std::path::Path;

use schedscope_engine::kernel::config::{Bandwidth, Beside, ROWS, Reader, Row, Version};
use schedscope_engine::named::Named;
use schedscope_scenario::prepare;

use super::*;
use crate::execute::{Limits, Watch, execute_while};
use crate::figures::figures;

/// Scenarios of each part of the kernel, a release of each, and for how long they run.
const RUNS: [Run; 9] = [
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

/// Runs whose kernel is written to in the first quarter: a state kept later has what was written.
const WRITTEN: [(Run, LiveWrites<'static>); 2] = [
    (RUNS[1], &[(3_000_000, "kernel.run_to_parity", "false")]),
    (("rt-throttling", "5.4", "1s"), &[(3_000_000, "kernel.sched_rt_runtime_us", "500000")]),
];

type Run = (&'static str, &'static str, &'static str);
type LiveWrites<'w> = &'w [(u64, &'static str, &'static str)];

fn watch() -> Watch {
    Watch { window: None, wakes: false, limits: Limits::default(), waits: false }
}

fn prepared((slug, version, time): Run, live: LiveWrites<'_>) -> Prepared {
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

/// Every row but these.
fn all_but(rows: &[usize]) -> RowSet {
    let mut others = RowSet([u64::MAX; _]);
    rows.iter().for_each(|row| others.0[row / 64] ^= 1 << (row % 64));
    others
}

fn name(row: usize) -> &'static str {
    let RowSet(others) = all_but(&[row]);
    RowSet(others.map(|word| !word)).names().next().unwrap()
}

/// Gives every row of the table its value of this place.
struct Nth(usize);

impl Reader for Nth {
    type Fault = Infallible;

    fn named<T: Named>(&mut self, _: &Row<T>, _: Beside<T>) -> Result<T, Infallible> {
        Ok(T::ALL[self.0 % T::ALL.len()])
    }

    fn flag(&mut self, _: &Row<bool>, _: Beside<bool>) -> Result<bool, Infallible> {
        Ok(self.0 == 0)
    }

    fn time(&mut self, _: &Row<u32>, _: Beside<u32>) -> Result<u32, Infallible> {
        Ok(1_000_000 + self.0 as u32)
    }
}

/// Kernels of which one at least differs from `own` in any row: every release's, and two that no
/// release has.
fn kernels(own: &Kernel) -> impl Iterator<Item = Kernel> {
    let read = |nth: usize| {
        let mut kernel = own.clone();
        kernel.read(&mut Nth(nth)).unwrap();
        kernel.bandwidth = Bandwidth::read(&mut Nth(nth)).unwrap();
        kernel.rt_push_ipi = nth == 0;
        kernel
    };
    let releases = Version::LADDER.iter().map(|version| Kernel::of_version(*version, 4));
    releases.chain([0, 1].map(read))
}

/// Another answer to a rule, or another value of a row.
fn change(setup: &mut Setup, row: usize) {
    let own = setup.kernel.clone();
    for other in kernels(&own) {
        setup.kernel.take_unasked(&other, all_but(&[row]));
        if setup.kernel != own {
            return;
        }
    }
    panic!("{}: every kernel has one value", name(row));
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
fn other_answers_and_values_of_rows_that_a_run_never_asks_leave_it_the_same() {
    let is_long = env::var("CLAIMS").is_ok_and(|claims| claims == "long");
    for (place, run) in RUNS.into_iter().enumerate() {
        let own = prepared(run, NONE);
        let Recorded { digest, metrics, origin, .. } = noted(&own);
        let (asked, never): (Vec<usize>, Vec<usize>) =
            (0..ROWS).partition(|row| origin.asked.has(*row));
        assert!(asked.len() > 15 && never.len() > 40, "{run:?}: {asked:?}, {never:?}");
        let with = |rows: &[usize]| {
            let mut other = prepared(run, NONE);
            rows.iter().for_each(|row| change(&mut other.setup, *row));
            other
        };
        let all = with(&never);
        assert!(origin.is_of(&all), "{run:?}");
        assert_eq!(noted(&all).origin.asked, origin.asked, "{run:?}");
        assert_eq!(ordinary(&all), (digest.clone(), metrics.clone()), "{run:?}, all at once");
        for row in never.iter().filter(|_| is_long || place < ONE_BY_ONE) {
            let other = with(&[*row]);
            assert!(origin.is_of(&other), "{run:?}, {}", name(*row));
            assert_eq!(
                ordinary(&other),
                (digest.clone(), metrics.clone()),
                "{run:?}, {}",
                name(*row)
            );
        }
        for row in asked {
            assert!(!origin.is_of(&with(&[row])), "{run:?}, {}", name(row));
        }
    }
}

#[test]
fn a_row_that_the_kernels_code_looks_at_is_noted() {
    let fair = "preempt fair base_slice_ns protection run_to_parity spinlock rt_balance";
    let quota = "preempt fair expiry silo_return distribution slack_threshold list refill";
    let rt = "preempt rt_balance rt_push_ipi cpupri lowest_pick overload_def ttwu_queue";
    for (run, rows) in [(RUNS[1], fair), (RUNS[2], quota), (RUNS[4], rt)] {
        let asked: Vec<&str> = noted(&prepared(run, NONE)).origin.asked.names().collect();
        for row in rows.split(' ') {
            assert!(asked.contains(&row), "{run:?}: {row} is not in {asked:?}");
        }
    }
}

#[test]
fn a_run_with_another_tick_time_or_write_is_another_one() {
    let run = RUNS[0];
    let origin = noted(&prepared(run, NONE)).origin;
    assert!(origin.is_of(&prepared(run, NONE)));
    let write = [(1_000_000, "kernel.run_to_parity", "false")];
    let mut hz = prepared(run, NONE);
    hz.setup.kernel.hz = 250;
    let (slug, version, time) = run;
    for other in [
        hz,
        prepared(run, &write),
        prepared((slug, version, "101ms"), NONE),
        prepared((slug, "6.6.1", time), NONE),
    ] {
        assert!(!origin.is_of(&other), "{:?}", other.live);
    }
}

#[test]
fn a_run_whose_rows_are_first_asked_late_ends_alike_from_there() {
    let mut late = [0; 2];
    for (run, live) in RUNS.map(|run| (run, NONE)).into_iter().chain(WRITTEN) {
        let Recorded { origin, .. } = noted(&prepared(run, live));
        let first = origin.marks.first().map_or(all_but(&[]), |mark| mark.asked);
        for row in (0..ROWS).filter(|row| origin.asked.has(*row) && !first.has(*row)) {
            let mut other = prepared(run, live);
            change(&mut other.setup, row);
            let resumed = origin.resumed(&other, watch().options(), &mut || true);
            let Ended { digest, metrics, .. } = resumed.expect("asked after the first quarter");
            assert_eq!((digest, metrics), ordinary(&other), "{run:?}, {live:?}, {}", name(row));
            late[usize::from(!live.is_empty())] += 1;
        }
    }
    assert!(late[0] >= 5 && late[1] >= 2, "{late:?} rows are first asked late");
}
