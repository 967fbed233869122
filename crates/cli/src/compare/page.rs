//! The text of `compare` for people: the headline, other differences, and the instant where the
//! schedules part.

use std::collections::BTreeSet;

use schedscope_runs::compare::{Delta, Divergence, deltas};
use schedscope_runs::execute::Outcome;
use schedscope_runs::figures::per_second;
use schedscope_runs::numbers::{figure, grouped, more, natural, rounded, table, three_figures};
use schedscope_runs::{Failure, Target};
use schedscope_scenario::{Presentation, sampled_at};

use super::Arm;
use super::row::row_text;
use crate::waits;

/// Kinds of tasks whose latencies are listed without `--all`.
const KINDS_SHOWN: usize = 4;
/// Figures of a kind's latency that are listed without `--all`.
const LEAVES_SHOWN: [&str; 4] = ["count", "p50_ns", "p99_ns", "max_ns"];

/// The stated differences of the two sides, resolved: "A and B differ in kernel.bandwidth: 4.19 |
/// 5.4".
fn stated(arms: [&Arm; 2]) -> String {
    let value = |arm: &Arm, path: &str| {
        let resolved = arm
            .side
            .prepared
            .meta
            .knobs
            .iter()
            .find(|knob| knob.path == path)
            .map(|knob| &knob.value);
        resolved.map_or_else(
            || "-".to_owned(),
            |value| value.as_str().map_or_else(|| value.to_string(), str::to_owned),
        )
    };
    let paths: BTreeSet<&String> =
        arms.iter().flat_map(|arm| arm.set.iter().map(|(path, _)| path)).collect();
    let both = paths.into_iter().map(|path| (path, value(arms[0], path), value(arms[1], path)));
    let parts: Vec<String> =
        both.filter(|(_, a, b)| a != b).map(|(path, a, b)| format!("{path}: {a} | {b}")).collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!("A and B differ in {}\n", parts.join("; "))
    }
}

/// Everything the comparison has to say; `all` leaves nothing out.
pub fn text(
    target: &Target,
    arms: [&Arm; 2],
    outcomes: &[Outcome; 2],
    divergence: Option<&Divergence>,
    all: bool,
) -> Result<String, Failure> {
    let document = target.document()?;
    let presentation = &document.presentation;
    let cpus = arms.map(|arm| arm.side.prepared.meta.cpus);
    let mut text = format!("{}: {}\n", target.slug, document.question(&cpus));
    for (arm, outcome) in arms.iter().zip(outcomes) {
        text.push_str(&format!(
            "{}: {}\n   digest {}\n",
            arm.name,
            arm.side.headline(),
            outcome.report.digest
        ));
    }
    text.push_str(&stated(arms));
    let metrics = [0, 1].map(|side: usize| {
        serde_json::to_value(&outcomes[side].report.metrics).unwrap_or_default()
    });
    let at =
        |side: usize, path: &str| sampled_at(&metrics[side], path).and_then(|value| value.as_i64());
    let headline: Vec<Delta> =
        presentation.headline.iter().map(|path| (path.clone(), at(0, path), at(1, path))).collect();
    let simulated = [0, 1].map(|side: usize| outcomes[side].report.simulated_ns);
    text.push_str(&figures(
        presentation,
        "headline",
        headline.iter().filter(|(_, a, b)| a.is_some() || b.is_some()),
        |(path, a, b)| rates(presentation, path, [*a, *b], simulated),
    ));
    for (arm, outcome) in arms.iter().zip(outcomes) {
        let waits =
            waits::table(&outcome.open, &arm.side.prepared, outcome.report.simulated_ns, all);
        if !waits.is_empty() {
            text.push_str(&format!("\n{}: {}", arm.name, waits.trim_end_matches('\n')));
            text.push('\n');
        }
    }
    let others: Vec<Delta> = deltas(outcomes)
        .into_iter()
        .filter(|(path, ..)| !presentation.headline.contains(path))
        .collect();
    let (shown, left) = if all { (others.iter().collect(), 0) } else { differing(&others) };
    text.push_str(&figures(
        presentation,
        if all { "every other figure" } else { "what else differs" },
        shown.into_iter(),
        |_| None,
    ));
    text.push_str(&more("  ", left, "more figures differ"));
    let gap = if left == 0 { "\n" } else { "" };
    text.push_str(&match divergence {
        None if outcomes.iter().any(|outcome| outcome.limit.is_some()) => {
            format!("{gap}the two schedules are the same as far as both ran\n")
        }
        None => format!("{gap}the two schedules are the same to the end\n"),
        Some((a, b)) => format!(
            "{gap}the two schedules first differ:\n  A {}\n  B {}\n",
            row_text(*a),
            row_text(*b)
        ),
    });
    Ok(text)
}

/// The figures that differ, of latencies only some leaves of the kinds that differ most; and how
/// many are left out.
fn differing(deltas: &[Delta]) -> (Vec<&Delta>, usize) {
    let differ: Vec<&Delta> = deltas.iter().filter(|(_, a, b)| a != b).collect();
    let gap = |delta: &Delta| delta.1.unwrap_or(0).abs_diff(delta.2.unwrap_or(0));
    let mut kinds: Vec<(&str, u64)> = Vec::new();
    for delta in &differ {
        let Some((kind, leaf)) = latency(&delta.0) else { continue };
        let gap = if leaf == "max_ns" { gap(delta) } else { 0 };
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, most)) => *most = gap.max(*most),
            None => kinds.push((kind, gap)),
        }
    }
    kinds.sort_by(|(a, one), (b, other)| other.cmp(one).then_with(|| natural(a, b)));
    kinds.truncate(KINDS_SHOWN);
    let told = |delta: &&&Delta| {
        latency(&delta.0).is_none_or(|(kind, leaf)| {
            LEAVES_SHOWN.contains(&leaf) && kinds.iter().any(|(known, _)| *known == kind)
        })
    };
    let shown: Vec<&Delta> = differ.iter().filter(told).copied().collect();
    let left = differ.len() - shown.len();
    (shown, left)
}

/// Kind and figure of a latency's path.
fn latency(path: &str) -> Option<(&str, &str)> {
    let (head, leaf) = path.strip_prefix("latency.")?.rsplit_once('.')?;
    Some((head.strip_suffix(".causes_ns").unwrap_or(head), leaf))
}

/// A total of the headline per second of machine time; none for what is no total.
fn rates(
    presentation: &Presentation,
    path: &str,
    totals: [Option<i64>; 2],
    simulated: [u64; 2],
) -> Option<Vec<String>> {
    let rate =
        |side: usize| per_second(&presentation.headline, path, totals[side]?, simulated[side]);
    let rates = [rate(0), rate(1)];
    rates.iter().any(Option::is_some).then(|| {
        let name = format!("  {}, per second", presentation.metric_in_words(path));
        let cells = rates
            .map(|rate| rate.map_or_else(|| "-".to_owned(), |ns| three_figures(ns.unsigned_abs())));
        std::iter::once(name).chain(cells).collect()
    })
}

/// A row for each figure, and below it the one that `below` gives.
fn figures<'d>(
    presentation: &Presentation,
    title: &str,
    deltas: impl Iterator<Item = &'d Delta>,
    below: impl Fn(&Delta) -> Option<Vec<String>>,
) -> String {
    let mut deltas: Vec<&Delta> = deltas.collect();
    if deltas.is_empty() {
        return String::new();
    }
    if title != "headline" {
        deltas.sort_by(|(a, ..), (b, ..)| natural(a, b));
    }
    let row = |(path, a, b): &&Delta| {
        let cell =
            |value: Option<i64>| value.map_or_else(|| "-".to_owned(), |value| figure(path, value));
        let delta = a.zip(*b).map_or_else(
            || "-".to_owned(),
            |(a, b)| match b - a {
                0 => "=".to_owned(),
                delta => format!("{}{}", if delta < 0 { "" } else { "+" }, figure(path, delta)),
            },
        );
        vec![
            format!("  {}", presentation.metric_in_words(path)),
            cell(*a),
            cell(*b),
            delta,
            change(*a, *b),
        ]
    };
    let head = [title, "A", "B", "B - A", ""].map(str::to_owned).to_vec();
    let pairs = deltas.iter().flat_map(|delta| std::iter::once(row(delta)).chain(below(delta)));
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(pairs).collect();
    format!("\n{}", table(&rows))
}

/// `-28.1 %`, `x 12`: the change from A to B; empty where a quotient says nothing.
fn change(a: Option<i64>, b: Option<i64>) -> String {
    let (Some(a), Some(b)) = (a.filter(|a| *a > 0), b) else { return String::new() };
    if b == a {
        return String::new();
    }
    let per_mille = rounded((i128::from(b) - i128::from(a)) * 1_000, i128::from(a));
    let sign = if b < a { '-' } else { '+' };
    match per_mille.unsigned_abs() {
        0 => String::new(),
        few @ 1..10_000 => format!("{sign}{}.{} %", few / 10, few % 10),
        _ => {
            let times = rounded(i128::from(b), i128::from(a)).unsigned_abs();
            format!("x {}", grouped(u64::try_from(times).unwrap_or(u64::MAX)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_two_figures_stand_to_each_other() {
        let told = |a, b| change(Some(a), Some(b));
        assert_eq!(
            [told(1_000, 719), told(1_000, 1_001), told(3, 36), told(0, 9), told(5, 5)],
            ["-28.1 %", "+0.1 %", "x 12", "", ""]
        );
    }

    #[test]
    fn a_change_is_rounded_not_cut_off() {
        let told = |a, b| change(Some(a), Some(b));
        assert_eq!(
            [told(100_000, 2_410), told(1_000_000, 916_040), told(7, 45), told(10_000, 9_995)],
            ["-97.6 %", "-8.4 %", "+542.9 %", "-0.1 %"]
        );
        assert_eq!([told(2, 25), told(i64::MAX, 1)], ["x 13", "-100.0 %"]);
    }

    #[test]
    fn of_many_kinds_those_that_differ_most_are_told_and_the_rest_counted() {
        let delta =
            |kind: usize, leaf: &str, b: i64| (format!("latency.k{kind}.{leaf}"), Some(0), Some(b));
        let mut deltas: Vec<Delta> =
            (0..10).map(|kind| delta(kind, "max_ns", kind as i64)).collect();
        deltas.push(delta(9, "min_ns", 5));
        deltas.push(("sched.ticks".to_owned(), Some(1), Some(2)));
        deltas.push(("sched.pulls".to_owned(), Some(1), Some(1)));
        let (shown, left) = differing(&deltas);
        let names: Vec<&str> = shown.iter().map(|(path, ..)| path.as_str()).collect();
        assert_eq!(
            names,
            [
                "latency.k6.max_ns",
                "latency.k7.max_ns",
                "latency.k8.max_ns",
                "latency.k9.max_ns",
                "sched.ticks"
            ]
        );
        assert_eq!(left, 6, "five smaller maxima and a minimum; what is equal is not counted");
    }
}
