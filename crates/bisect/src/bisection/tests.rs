use schedscope_engine::kernel::config::Version;
use schedscope_scenario::Document;

use super::*;
use crate::plan::Source;

const SCENARIO: &str = r#"{ "schema": 1, "title": "Which change was it?", "seed": 1,
    "duration": "5ms", "machine": { "cpus": 2 }, "kernel": { "version": "6.6" },
    "workload": { "tasks": { "hog": { "loop": -1, "run": 1000 } } } }"#;

/// Rows in which the two releases differ here.
const ROWS: [&str; 2] = ["kernel.fair", "kernel.idle_stop_policy"];

/// A bisection with eight seeds, and up to 32.
fn bisection() -> Bisection {
    let source = Source {
        slug: "which".to_owned(),
        name: "which".to_owned(),
        document: Document::read(SCENARIO).expect("a scenario"),
        common: Vec::new(),
        live: Vec::new(),
        limits: String::new(),
    };
    let releases = ["6.5", "6.12.96"].map(Version::of);
    let plan = Plan::new(source, releases, "sched.ticks", Seeds { first: 8, most: 32 });
    Bisection::new(plan.expect("a scenario that both releases run"))
}

/// Which of [`ROWS`] have the second release's value in a run.
fn new_rows(bisection: &Bisection, settings: &Set) -> [bool; 2] {
    let stated = |path: &str| settings.iter().rev().find(|(own, _)| own == path);
    let (_, version) = stated("kernel.version").expect("a release");
    let release = usize::from(*version == "6.12.96");
    ROWS.map(|row| {
        let value = stated(row).map(|(_, value)| value).or(bisection.plan.value(release, row));
        value == bisection.plan.value(1, row)
    })
}

/// A bisection to its end: `figure` makes a run's figure of the rows that are new there and of its
/// seed.
fn ended(figure: impl Fn([bool; 2], usize) -> i64) -> Bisection {
    let mut bisection = bisection();
    while let Some(batch) = bisection.next_batch().expect("every run has the figure") {
        for run in batch.runs {
            let rows = new_rows(&bisection, &bisection.settings(run));
            bisection.hear(run, format!("{rows:?}"), Some(figure(rows, run.seed)));
        }
    }
    bisection
}

fn ranked(bisection: &Bisection) -> (Vec<&str>, Ranking) {
    let ranking = bisection.ranking().expect("changes that were tried");
    let clear = ranking.ranked.iter().filter(|ranked| ranked.is_clear);
    let changes = clear.flat_map(|ranked| &ranked.changes);
    (changes.map(|change| bisection.plan.changes[*change].name.as_str()).collect(), ranking)
}

#[test]
fn two_changes_that_cancel_to_nothing_are_both_named() {
    let exact = ended(|[one, other], _| 100 + 8 * i64::from(one) - 8 * i64::from(other));
    let (clear, ranking) = ranked(&exact);
    assert!(!exact.differs() && !exact.are_same() && ranking.cancels);
    assert_eq!(clear, ROWS);
    let means: Vec<f64> = ranking.ranked.iter().map(|ranked| ranked.effect.mean).collect();
    assert_eq!(means, [8.0, -8.0]);
    assert_eq!((exact.seeds, exact.trial_seeds), (8, 8));
}

#[test]
fn changes_that_cancel_within_the_error_are_named_and_take_no_more_seeds_than_the_first() {
    let noisy = ended(|rows, seed| {
        let [one, other] = rows.map(i64::from);
        // Each kind of run has draws of its own, as a run with another schedule has.
        let draw = (seed as i64 * 7 + one * 3 + other * 5) % 11;
        1_000 + draw + 80 * one - 80 * other
    });
    let (clear, ranking) = ranked(&noisy);
    assert!(!noisy.differs() && ranking.cancels, "{ranking:?}");
    assert_eq!(clear.len(), 2, "{clear:?}");
    assert!(ranking.ranked.iter().all(|ranked| ranked.share.is_none()));
    assert_eq!((noisy.seeds, noisy.trial_seeds), (32, 8), "the releases alone took more");
}

#[test]
fn an_effect_that_comes_near_has_more_seeds_and_the_others_have_none() {
    let near = ended(|rows, seed| {
        let [one, other] = rows.map(i64::from);
        // The first row moves the figure by a little more than its own draws; the other one has
        // draws alone.
        let spread = [0, 20, -20, 10, -10, 5, -5, 0][seed % 8];
        let whole = if one + other == 2 { [30, -30][seed % 2] } else { 0 };
        1_000 + whole + one * (1 - other) * (12 + spread)
    });
    let tried = near.tried();
    let seeds: Vec<Option<usize>> = ROWS
        .iter()
        .map(|row| near.plan.changes.iter().position(|change| change.name == *row))
        .map(|change| tried[change?].alone.as_ref()?.effect().map(|effect| effect.seeds))
        .collect();
    assert_eq!(seeds, [Some(32), Some(8)]);
    assert_eq!((near.seeds, near.trial_seeds), (32, 8));
}

#[test]
fn a_schedule_that_differs_and_a_figure_that_no_change_moves_name_none() {
    let still = ended(|_, _| 100);
    let (clear, ranking) = ranked(&still);
    assert!(!still.differs() && !still.are_same() && !ranking.cancels);
    assert!(clear.is_empty() && ranking.ranked.is_empty(), "{ranking:?}");
    let names = still.without_figure();
    let names: Vec<&str> =
        names.iter().map(|change| still.plan.changes[*change].name.as_str()).collect();
    assert_eq!(names, ROWS);
}

#[test]
fn equal_schedules_end_the_question_at_once() {
    let mut bisection = bisection();
    let first = bisection.next_batch().expect("a question").expect("both releases");
    for run in first.runs {
        bisection.hear(run, "same".to_owned(), Some(run.seed as i64));
    }
    assert!(bisection.next_batch().expect("figures").is_none());
    assert!(bisection.ranking().is_none());
    assert_eq!(bisection.runs(), 16);
}

#[test]
fn a_run_that_a_release_never_asks_for_has_the_releases_figure_and_counts_as_not_made() {
    // No run asks the second row; the first one makes the difference.
    let mut bisection = bisection();
    while let Some(batch) = bisection.next_batch().expect("every run has the figure") {
        for run in batch.runs {
            let rows = new_rows(&bisection, &bisection.settings(run));
            let release = new_rows(&bisection, &bisection.settings(bisection.of_release(run)));
            if rows != release && rows[0] == release[0] {
                bisection.hear_unasked(run);
            } else {
                let figure = if rows[0] { 7 } else { 4 };
                bisection.hear(run, format!("{}", rows[0]), Some(figure));
            }
        }
    }
    let name = |change: &usize| bisection.plan.changes[*change].name.as_str();
    let never = bisection.never_asked();
    assert_eq!(never.iter().map(name).collect::<Vec<_>>(), [ROWS[1]]);
    assert!(bisection.without_effect().contains(&never[0]), "it has no effect either");
    assert_eq!(bisection.unasked_runs(), 16, "eight seeds, put in and left out");
    assert_eq!(ranked(&bisection).0, [ROWS[0]]);
}
