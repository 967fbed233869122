//! The answer of a bisection for people.

use schedscope_runs::Failure;
use schedscope_runs::bisect::{Bisection, Effect, Ranked, Ranking, Series};
use schedscope_runs::numbers::{counted, grouped, table};
use schedscope_scenario::set_flags;

use super::words::{effect, mean, names, percent, signed, value, with_interval};
use crate::versions::{lines, step_text};

/// Effects below this part of the difference have a line together.
const SMALL: f64 = 0.01;
/// The column of texts under a change.
const INDENT: usize = 12;

/// The whole answer; `is_complete` if no run is missing.
pub fn text(bisection: &Bisection, is_complete: bool) -> Result<String, Failure> {
    let presentation = &bisection.plan.source.document.presentation;
    let (plan, metric) = (&bisection.plan, &bisection.plan.metric[0]);
    let [from, to] = plan.releases;
    let seeds = bisection.seeds();
    let mut text = format!(
        "{}: {}\n{from} to {to}, {}, {} seeds: {}..{}\n\n",
        plan.source.slug,
        presentation.title,
        presentation.metric_in_words(metric),
        bisection.seeds,
        seeds.start,
        seeds.end - 1,
    );
    text.push_str(&releases(bisection));
    match bisection.ranking() {
        None => text.push_str(&no_difference(bisection, is_complete)),
        Some(ranking) => {
            if !bisection.differs() {
                text.push_str(&cancelling(bisection, &ranking, is_complete));
            }
            text.push_str(&answer(bisection, &ranking));
        }
    }
    text.push_str(&runs(bisection));
    Ok(text)
}

/// How many runs the answer is made of, and how many of them were not made.
fn runs(bisection: &Bisection) -> String {
    let runs = counted(bisection.runs() as u64, "run");
    match bisection.unasked_runs() {
        0 => format!("\n{runs} in all.\n"),
        unasked => {
            let unasked = grouped(unasked as u64);
            let why = "the release's own run never asks for the changes in them";
            format!("\n{}", lines(0, 2, &format!("{runs}, {unasked} of them not needed: {why}.")))
        }
    }
}

/// The figure of both releases, and their difference.
fn releases(bisection: &Bisection) -> String {
    let metric = &bisection.plan.metric[0];
    let row = |release: usize| {
        let told = bisection.figures(release).effect().map_or_else(
            || "-".to_owned(),
            |effect| with_interval(&effect, |value| mean(metric, value)),
        );
        vec![bisection.plan.releases[release].to_string(), told]
    };
    let whole =
        bisection.whole().effect().map_or_else(|| "-".to_owned(), |whole| effect(metric, &whole));
    let difference = vec!["difference".to_owned(), whole];
    let title = "Means, each with the interval that holds it in 95 of 100 experiments. One without \
        an interval is the same with every seed.";
    format!("{}\n{}", lines(0, 0, title), table(&[row(0), row(1), difference]))
}

/// No change was tried: the releases run alike, or the runs were stopped.
fn no_difference(bisection: &Bisection, is_complete: bool) -> String {
    let how = if is_complete && bisection.are_same() {
        "With every seed both releases run this scenario the same."
    } else {
        "The runs were stopped before a difference was found."
    };
    format!("\n{}", lines(0, 0, how))
}

/// The releases run differently and the figure does not differ: what its changes come to.
fn cancelling(bisection: &Bisection, ranking: &Ranking, is_complete: bool) -> String {
    let [from, to] = bisection.plan.releases;
    let same = match bisection.whole().effect() {
        Some(whole) if whole.is_exact() => {
            format!("With every seed the figure is the same in {from} and {to}")
        }
        _ => format!("The figure does not differ between {from} and {to} beyond its error"),
    };
    let clear = ranking.ranked.iter().filter(|ranked| ranked.is_clear).count();
    let found = match clear {
        _ if ranking.cancels => ", but these changes move it, and cancel.",
        0 => ", and no change alone moves it clearly.",
        1 => ", but this change moves it. What works against it was not found.",
        _ => ", but these changes move it. What works against them was not found.",
    };
    let mut text = format!("\n{}", lines(0, 0, &format!("{same}{found}")));
    let (seeds, tried) = (bisection.seeds, bisection.trial_seeds);
    let bar = "There is no difference to confirm an effect: one counts only where zero is outside \
        twice its interval.";
    text.push_str(&lines(0, 0, bar));
    if tried < seeds {
        let told = format!("Changes were tried with the first {tried} seeds (--seeds).");
        text.push_str(&lines(0, 0, &told));
    }
    if !is_complete {
        text.push_str("The runs were stopped: this is what came by then.\n");
    }
    text
}

fn answer(bisection: &Bisection, ranking: &Ranking) -> String {
    let is_large =
        |ranked: &&Ranked| ranked.is_clear && ranked.share.is_none_or(|share| share.abs() >= SMALL);
    let (large, rest): (Vec<&Ranked>, Vec<&Ranked>) = ranking.ranked.iter().partition(is_large);
    let (small, unsure): (Vec<&Ranked>, Vec<&Ranked>) =
        rest.into_iter().partition(|ranked| ranked.is_clear);
    let mut text = String::from("\n");
    if large.is_empty() && bisection.differs() {
        text.push_str("No single change has an effect of this size beyond its error.\n");
    } else if !large.is_empty() {
        text.push_str(&ranked_table(bisection, &large));
    }
    text.push_str(&left(bisection, ranking));
    for (place, ranked) in large.iter().enumerate() {
        text.push_str(&entry(bisection, place + 1, ranked));
    }
    text.push('\n');
    text.push_str(&opposite(bisection, &large));
    text.push_str(&list(bisection, "Below 1 % of the difference", &small));
    text.push_str(&list(bisection, "Not beyond the error", &unsure));
    text.push_str(&others(bisection));
    text
}

fn ranked_table(bisection: &Bisection, ranked: &[&Ranked]) -> String {
    let [from, to] = bisection.plan.releases;
    let metric = &bisection.plan.metric[0];
    let head = ["change", &format!("put into {from}"), &format!("left out of {to}")];
    let share = bisection.differs().then(|| "share".to_owned());
    let told = |of: &Option<Effect>| {
        of.as_ref().map_or_else(|| "not possible".to_owned(), |of| effect(metric, of))
    };
    let row = |(place, ranked): (usize, &&Ranked)| {
        let change = format!("{}. {}", place + 1, names(bisection, &ranked.changes));
        let cells = [change, told(&ranked.alone), told(&ranked.without)];
        cells.into_iter().chain(ranked.share.map(percent)).collect()
    };
    let head = head.map(str::to_owned).into_iter().chain(share).collect();
    let rows: Vec<Vec<String>> =
        std::iter::once(head).chain(ranked.iter().enumerate().map(row)).collect();
    table(&rows)
}

/// What is not explained, and what all changes do together.
fn left(bisection: &Bisection, ranking: &Ranking) -> String {
    let metric = &bisection.plan.metric[0];
    let mut text = String::new();
    if let Some(unexplained) = &ranking.unexplained {
        text.push_str(&format!("\nNot explained: {}\n", effect(metric, unexplained)));
    }
    if let Some(together) = bisection.together() {
        let from = bisection.plan.releases[0];
        text.push_str(&format!(
            "All changes that can be stated, put into {from} together: {}\n",
            effect(metric, &together)
        ));
    }
    text
}

/// One change, or a pair: what `versions` says of it, what states it, and the runs to look at.
fn entry(bisection: &Bisection, place: usize, ranked: &Ranked) -> String {
    let mut text = format!("\n{place}. {}\n", names(bisection, &ranked.changes));
    for change in &ranked.changes {
        let change = &bisection.plan.changes[*change];
        let Some(difference) = &change.difference else {
            let [old, new] = &change.values;
            text.push_str(&format!("{:INDENT$}{} -> {}\n", "", value(old), value(new)));
            continue;
        };
        let ends = [bisection.plan.releases[0], bisection.plan.releases[1]];
        let ends = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        text.extend(difference.steps.iter().map(|step| step_text(difference, step, ends)));
    }
    if ranked.changes.len() > 1 {
        text.push_str(&members(bisection, ranked));
    }
    text.push_str(&commands(bisection, &ranked.changes));
    text
}

/// What each change of a pair does by itself.
fn members(bisection: &Bisection, pair: &Ranked) -> String {
    let (metric, tried) = (&bisection.plan.metric[0], bisection.tried());
    let told = |series: &Option<Series>| {
        let own = series.as_ref().and_then(Series::effect);
        own.map_or_else(|| "not possible".to_owned(), |of| effect(metric, &of))
    };
    let [from, to] = bisection.plan.releases;
    let line = |change: &usize| {
        let (name, tried) = (names(bisection, &[*change]), &tried[*change]);
        let [alone, without] = [told(&tried.alone), told(&tried.without)];
        let text = format!("{name} alone: {alone} put into {from}, {without} left out of {to}");
        lines(INDENT, INDENT + 2, &text)
    };
    pair.changes.iter().map(line).collect()
}

/// What states the changes, and the commands that open their runs as A and B.
fn commands(bisection: &Bisection, changes: &[usize]) -> String {
    let [from, to] = bisection.plan.releases;
    let plan = &bisection.plan;
    let mut text = String::new();
    let mut line = |told: String| text.push_str(&format!("{:INDENT$}{told}\n", ""));
    match bisection.sets(changes, 1) {
        Ok(Some(sets)) => {
            let states = set_flags("--set", &plan.statement(&sets.changed));
            line(format!("{to} without it:{states}"));
            line(plan.compare(&sets.changed, &sets.release));
        }
        Ok(None) => line(format!("{to} without it runs the same")),
        Err(why) => line(format!("{to} cannot be without it: {why}")),
    }
    match bisection.sets(changes, 0) {
        Ok(Some(sets)) => {
            let states = set_flags("--set", &plan.statement(&sets.changed));
            line(format!("{from} with it:{states}"));
            line(plan.compare(&sets.release, &sets.changed));
        }
        Ok(None) => line(format!("{from} with it runs the same")),
        Err(why) => line(format!("{from} cannot have it: {why}")),
    }
    text
}

/// Changes that work against the others.
fn opposite(bisection: &Bisection, ranked: &[&Ranked]) -> String {
    let against: Vec<String> = ranked
        .iter()
        .filter(|ranked| ranked.share.is_some_and(|share| share < 0.0))
        .map(|ranked| names(bisection, &ranked.changes))
        .collect();
    if against.is_empty() {
        return String::new();
    }
    lines(
        0,
        2,
        &format!("Changes cancel in part: against the difference works {}.", against.join(", ")),
    )
}

fn list(bisection: &Bisection, what: &str, ranked: &[&Ranked]) -> String {
    if ranked.is_empty() {
        return String::new();
    }
    let metric = &bisection.plan.metric[0];
    let told = ranked.iter().map(|ranked| {
        let name = names(bisection, &ranked.changes);
        format!("{name} ({})", signed(metric, ranked.effect.mean))
    });
    lines(0, 2, &format!("{what}: {}.", told.collect::<Vec<_>>().join(", ")))
}

/// A remark on releases whose figures have no spread, because the seed changes nothing.
fn one_schedule(bisection: &Bisection) -> String {
    let releases = bisection.plan.releases.iter().enumerate();
    let fixed: Vec<String> = releases
        .filter(|(release, _)| bisection.is_one_schedule(*release))
        .map(|(_, version)| version.to_string())
        .collect();
    if fixed.is_empty() {
        return String::new();
    }
    let told = format!(
        "The seed changes nothing in the runs of {}: an effect there is that of one schedule, and \
            a small change of the workload may give another one.",
        fixed.join(" and ")
    );
    lines(0, 2, &told)
}

/// The changes that are not in the table, each kind in a sentence.
fn others(bisection: &Bisection) -> String {
    let (plan, mut text) = (&bisection.plan, String::new());
    let [from, to] = plan.releases;
    let mut say = |what: String, names: Vec<String>| {
        if !names.is_empty() {
            text.push_str(&lines(0, 2, &format!("{what}: {}.", names.join(", "))));
        }
    };
    let name = |change: usize| plan.changes[change].name.clone();
    let seeds = bisection.trial_seeds;
    let own = bisection.without_figure();
    say(
        "The schedule changes, the figure does not".to_owned(),
        own.into_iter().map(name).collect(),
    );
    say("Not finished".to_owned(), bisection.unfinished().into_iter().map(name).collect());
    let never = bisection.never_asked();
    let same = bisection.without_effect().into_iter().filter(|change| !never.contains(change));
    say(
        format!("No effect here, the same run with each of {seeds} seeds"),
        same.map(name).collect(),
    );
    say(
        format!("Never asked for by these runs, with any of {seeds} seeds"),
        never.iter().copied().map(name).collect(),
    );
    say(
        "Not tried, because neither release can have the other's value".to_owned(),
        bisection
            .refused()
            .into_iter()
            .map(|(change, why)| name(change) + " (" + why + ")")
            .collect(),
    );
    say(
        "Not tried, because the releases' values come to the same here".to_owned(),
        plan.alike.clone(),
    );
    say("Not tried, because a value is stated for both releases".to_owned(), plan.stated.clone());
    say(
        "Not tried, because no scenario can state them by themselves".to_owned(),
        plan.unstatable.iter().map(|difference| difference.name.clone()).collect(),
    );
    if plan.lacking > 0 {
        let [old, new] = [from.min(to), from.max(to)];
        text.push_str(&lines(
            0,
            2,
            &format!(
                "The model lacks {}: `schedscope versions {old} {new}` lists them.",
                counted(plan.lacking as u64, "change")
            ),
        ));
    }
    text.push_str(&one_schedule(bisection));
    let intervals = bisection.intervals();
    if intervals > 0 {
        text.push_str(&lines(
            0,
            2,
            &format!(
                "{} of 95 % were looked at: by chance about one in twenty leaves zero out.",
                counted(intervals as u64, "interval")
            ),
        ));
    }
    text
}
