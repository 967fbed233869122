//! Figures in texts. A README marks them, `<!-- claim NAME -->53 to 60 %<!-- /claim -->`, and
//! `cargo xtask gen` fills them in; the marks are comments, so that a reader of the file sees plain
//! text.

use std::collections::BTreeSet;

use schedscope_scenario::statistics::figure;

use crate::scenario::Scenario;
use crate::table::{Claim, Statistic, Table, Unit};

const OPEN: &str = "<!-- claim ";
const CLOSE: &str = "<!-- /claim -->";
const END: &str = " -->";

/// A claim as it is written: `53 to 60 %`, `181 ms`, `236 ± 18`, `1.8 times (1.5 to 2.1)`. `part`
/// is `range` (no unit), `low` or `high` (least and most of all runs, no unit), `short` (without
/// the number of seeds), `note` (that alone), or nothing.
pub fn stated(claim: &Claim, part: &str) -> Result<String, String> {
    let no_note = || format!("claim \"{}\" is no range over seeds", claim.name);
    let [least, most] = claim.extremes.unwrap_or([claim.low, claim.high]);
    match part {
        "" => Ok(whole(claim)),
        "short" => Ok(short(claim)),
        "range" => Ok(with_unit(claim, "")),
        "low" => Ok(figure(least, claim.digits)),
        "high" => Ok(figure(most, claim.digits)),
        "note" => runs(claim).ok_or_else(no_note),
        _ => Err(format!("claim \"{}\" has no part \"{part}\"", claim.name)),
    }
}

/// The figure, and the runs that its range is of.
pub(crate) fn whole(claim: &Claim) -> String {
    note(claim).map_or_else(|| short(claim), |note| format!("{} ({note})", short(claim)))
}

fn short(claim: &Claim) -> String {
    with_unit(claim, written(claim).behind())
}

fn with_unit(claim: &Claim, unit: &str) -> String {
    let of = |value: f64| figure(value, claim.digits);
    let range = |low: f64, high: f64| format!("{} to {}", of(low), of(high));
    match (claim.error, claim.interval) {
        (Some(error), _) if error > 0.0 => format!("{} ± {}{unit}", of(claim.low), of(error)),
        (_, Some([low, high])) if low < high => {
            format!("{}{unit} ({})", of(claim.low), range(low, high))
        }
        _ if claim.low < claim.high => format!("{}{unit}", range(claim.low, claim.high)),
        _ => format!("{}{unit}", of(claim.low)),
    }
}

/// The runs that a range over seeds is of, where the figure says so: once its percentiles are
/// measured, and not of one number.
fn note(claim: &Claim) -> Option<String> {
    claim.extremes.filter(|_| claim.low < claim.high).and_then(|_| runs(claim))
}

fn runs(claim: &Claim) -> Option<String> {
    let seeds = claim.seeds_of_range()?;
    let all = claim.extremes.is_none_or(|extremes| extremes == [claim.low, claim.high]);
    Some(format!("{} {seeds} seeds", if all { "all of" } else { "5 to 95 % of" }))
}

/// The unit a claim is written with: a number of runs has none.
fn written(claim: &Claim) -> Unit {
    if matches!(claim.statistic, Statistic::Within(..)) { Unit::None } else { claim.unit }
}

/// `NAME` or `NAME part` of this scenario. The first of several ranges in a row that are of equal
/// runs says which: `said` is what the range before it says.
fn quoted(scenario: &Scenario, mark: &str, said: &mut Option<String>) -> Result<String, String> {
    let (name, part) = mark.split_once(' ').unwrap_or((mark, ""));
    let claim = scenario
        .claim(name)
        .ok_or_else(|| format!("{}: there is no claim \"{name}\"", scenario.slug))?;
    let before = match part {
        "" if claim.low < claim.high => std::mem::replace(said, note(claim)),
        "note" => said.replace(runs(claim).unwrap_or_default()),
        _ => None,
    };
    let part = if part.is_empty() && before.is_some() && before == *said { "short" } else { part };
    stated(claim, part).map_err(|error| format!("{}: {error}", scenario.slug))
}

/// The text with every mark filled in. Errors name the mark.
pub fn fill(scenario: &Scenario, text: &str) -> Result<String, String> {
    let mut filled = String::with_capacity(text.len());
    let mut said = None;
    for piece in pieces(text) {
        match piece {
            Piece::Plain(text) => {
                // A paragraph, a list, a table begins.
                if text.contains("\n\n") {
                    said = None;
                }
                filled.push_str(text);
            }
            Piece::Mark { mark, .. } => {
                let quoted = quoted(scenario, mark, &mut said)?;
                filled.push_str(&format!("{OPEN}{mark}{END}{quoted}{CLOSE}"));
            }
            Piece::Broken(text) => {
                return Err(format!(
                    "{}: a mark has no end: {}",
                    scenario.slug,
                    text.chars().take(60).collect::<String>()
                ));
            }
        }
    }
    Ok(filled)
}

/// The text as a reader sees it.
pub fn without_marks(text: &str) -> String {
    let shown = |piece: Piece<'_>| match piece {
        Piece::Plain(text) | Piece::Broken(text) => text.to_owned(),
        Piece::Mark { shown, .. } => shown.to_owned(),
    };
    pieces(text).into_iter().map(shown).collect()
}

enum Piece<'t> {
    Plain(&'t str),
    Mark { mark: &'t str, shown: &'t str },
    Broken(&'t str),
}

fn pieces(mut text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    while let Some((before, rest)) = text.split_once(OPEN) {
        pieces.push(Piece::Plain(before));
        let mark = rest.split_once(END).and_then(|(mark, rest)| {
            rest.split_once(CLOSE).map(|(shown, rest)| (mark, shown, rest))
        });
        let Some((mark, shown, rest)) = mark.filter(|(_, shown, _)| !shown.contains(OPEN)) else {
            pieces.push(Piece::Broken(rest));
            return pieces;
        };
        pieces.push(Piece::Mark { mark, shown });
        text = rest;
    }
    pieces.push(Piece::Plain(text));
    pieces
}

/// The rows of the first table of docs/model/known-gaps.md, header included.
pub fn known_gaps(scenarios: &[Scenario]) -> Result<String, String> {
    let mut table =
        "| figure | its source says | the model gives | why | held by |\n|---|---|---|---|---|\n"
            .to_owned();
    for scenario in scenarios {
        for claim in &scenario.table.claims {
            let Some(gap) = &claim.gap else { continue };
            let gives = gap
                .gives
                .as_deref()
                .map_or_else(|| stated(claim, ""), |text| braced(scenario, text))?;
            let (figure, says, why) = (&gap.figure, &gap.says, braced(scenario, &gap.why)?);
            table.push_str(&format!(
                "| {figure} | {says} | {gives} | {why} | `{}`: `{}` |\n",
                scenario.slug, claim.name
            ));
        }
    }
    Ok(table)
}

/// `{name}` and `{name part}` filled in.
fn braced(scenario: &Scenario, mut text: &str) -> Result<String, String> {
    let (mut filled, mut said) = (String::new(), None);
    while let Some((before, rest)) = text.split_once('{') {
        let (mark, rest) = rest
            .split_once('}')
            .ok_or_else(|| format!("{}: a brace has no end: {text}", scenario.slug))?;
        filled.push_str(before);
        filled.push_str(&quoted(scenario, mark, &mut said)?);
        text = rest;
    }
    filled.push_str(text);
    Ok(filled)
}

/// Sections of a README that hold the sources' figures, the settings and commands; all other
/// sections report results.
const NO_RESULTS: [&str; 4] =
    ["## The question", "## Where it comes from", "## What is assumed", "## Try"];

/// Figures with a unit that a README reports as results and no claim measures: figures without a
/// mark that are no setting of the scenario and not listed as `plain`.
pub fn bare_figures(scenario_text: &str, table: &Table, readme: &str) -> Vec<String> {
    let settings = settings_ns(scenario_text);
    let told: String = results(readme)
        .iter()
        .flat_map(|part| pieces(part))
        .filter_map(|piece| {
            if let Piece::Plain(text) = piece { Some(format!("{text}\u{1}")) } else { None }
        })
        .collect();
    let told = table.plain.iter().fold(told, |told, plain| told.replace(&plain.text, "\u{1}"));
    let words: Vec<&str> = told.split_whitespace().collect();
    let mut bare = Vec::new();
    for pair in words.windows(2) {
        let unit: String =
            pair[1].chars().take_while(|letter| letter.is_alphabetic() || *letter == '%').collect();
        let digits = pair[0].trim_start_matches(|letter: char| !letter.is_ascii_digit());
        let Ok(figure) = digits.parse::<f64>() else { continue };
        let size = match unit.as_str() {
            "ns" => 1.0,
            "us" | "µs" => 1e3,
            "ms" => 1e6,
            "s" => 1e9,
            "%" | "times" => 0.0,
            _ => continue,
        };
        if size == 0.0 || !settings.contains(&((figure * size).round() as u64)) {
            bare.push(format!("{digits} {unit}"));
        }
    }
    bare
}

fn results(readme: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = readme;
    while let Some(at) = rest.get(1..).and_then(|text| text.find("\n## ")) {
        parts.push(&rest[..at + 2]);
        rest = &rest[at + 2..];
    }
    parts.push(rest);
    parts.retain(|part| !NO_RESULTS.iter().any(|heading| part.starts_with(heading)));
    parts
}

/// Every whole number of a scenario file, taken as ns, us, ms and s: numbers without a unit have
/// that of their key.
fn settings_ns(text: &str) -> BTreeSet<u64> {
    let numbers = text
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|digits| digits.parse::<u64>().ok());
    numbers
        .flat_map(|number| {
            [1, 1_000, 1_000_000, 1_000_000_000].map(|size: u64| number.saturating_mul(size))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario() -> Scenario {
        let table = r#"{ "claims": [
            { "name": "used", "metric": "sched.ticks / 3", "unit": "%", "low": 53, "high": 60,
                "source": "model",
              "gap": { "figure": "ticks", "says": "a log: 70 %", "low": 65, "high": 75,
                  "gives": "{used}, {many low} at least", "why": "{less range} apart" } },
            { "name": "many", "metric": "sched.ticks", "low": 1234567, "high": 1234567,
                "source": "model" },
            { "name": "less", "metric": "sched.ticks", "digits": 1, "low": -0.5, "high": 2,
                "source": "model" }],
            "plain": [{ "text": "takes 5 s by hand", "why": "arithmetic" }] }"#;
        Scenario {
            slug: "x".to_owned(),
            text: r#"{ "run": 1000, "for": "3us" }"#.to_owned(),
            table: Table::read(table).unwrap(),
        }
    }

    #[test]
    fn marks_are_filled_and_a_reader_sees_no_mark() {
        let filled = fill(
            &scenario(),
            "It is <!-- claim used -->?<!-- /claim -->, <!-- claim many -->?<!-- /claim --> (<!-- \
                claim less range --><!-- /claim -->).",
        )
        .unwrap();
        assert_eq!(without_marks(&filled), "It is 53 to 60 %, 1 234 567 (-0.5 to 2.0).");
        assert_eq!(fill(&scenario(), &filled).unwrap(), filled);
        assert!(
            fill(&scenario(), "<!-- claim user -->?<!-- /claim -->").unwrap_err().contains("user")
        );
        assert!(fill(&scenario(), "<!-- claim used -->?").unwrap_err().contains("no end"));
        assert!(
            fill(&scenario(), "<!-- claim used most -->?<!-- /claim -->")
                .unwrap_err()
                .contains("most")
        );
    }

    #[test]
    fn a_range_over_seeds_says_of_which_and_the_next_one_of_the_same_runs_need_not() {
        let table = r#"{ "claims": [
            { "name": "a", "metric": "sched.ticks", "over": { "seed": "1..64" }, "unit": "ms",
                "low": 3, "high": 5, "extremes": [2, 8], "source": "model" },
            { "name": "b", "metric": "sched.ticks", "over": { "seed": "1..64" },
                "low": 1, "high": 2, "extremes": [1, 3], "source": "model" },
            { "name": "few", "metric": "sched.ticks", "over": { "seed": "1..8" },
                "low": 1, "high": 2, "extremes": [1, 2], "source": "model" },
            { "name": "one", "metric": "sched.ticks", "over": { "seed": "1..64" },
                "low": 0, "high": 0, "extremes": [0, 0], "source": "model" },
            { "name": "phases", "metric": "sched.ticks", "over": { "machine.cpus": "1..4" },
                "low": 1, "high": 2, "source": "model" },
            { "name": "before", "metric": "sched.ticks", "over": { "seed": "1..64" },
                "low": 1, "high": 2, "source": "model" }] }"#;
        let scenario = Scenario { table: Table::read(table).unwrap(), ..scenario() };
        let of = |names: &[&str], between: &str| {
            let marks = names.iter().map(|name| format!("<!-- claim {name} -->?<!-- /claim -->"));
            without_marks(&fill(&scenario, &marks.collect::<Vec<_>>().join(between)).unwrap())
        };
        assert_eq!(of(&["a", "one", "b"], ", "), "3 to 5 ms (5 to 95 % of 64 seeds), 0, 1 to 2");
        let apart = "3 to 5 ms (5 to 95 % of 64 seeds)\n\n1 to 2 (5 to 95 % of 64 seeds)";
        assert_eq!(of(&["a", "b"], "\n\n"), apart);
        assert_eq!(of(&["few", "phases"], ", "), "1 to 2 (all of 8 seeds), 1 to 2");
        assert_eq!(of(&["a short", "a range", "a high"], ", "), "3 to 5 ms, 3 to 5, 8");
        assert_eq!(of(&["a note", "b"], ": "), "5 to 95 % of 64 seeds: 1 to 2");
        assert_eq!(of(&["before"], ""), "1 to 2", "what was measured before is the extremes");
        assert_eq!(of(&["before note"], ""), "all of 64 seeds");
        assert!(stated(&scenario.table.claims[4], "note").unwrap_err().contains("phases"));
    }

    #[test]
    fn a_mean_is_written_with_its_error_and_a_quotient_with_its_interval() {
        let of = |more: &str| {
            let text = format!(
                r#"{{ "claims": [{{ "name": "a", "metric": "sched.ticks", "statistic": "mean",
                    "low": 1.8, "high": 1.8, "digits": 1, {more} "source": "model" }}] }}"#
            );
            ["", "range", "low"]
                .map(|part| stated(&Table::read(&text).unwrap().claims[0], part).unwrap())
        };
        assert_eq!(of(r#""error": 0.2, "unit": "ms","#), ["1.8 ± 0.2 ms", "1.8 ± 0.2", "1.8"]);
        let interval = r#""interval": [1.5, 2.1], "unit": "times","#;
        assert_eq!(of(interval), ["1.8 times (1.5 to 2.1)", "1.8 (1.5 to 2.1)", "1.8"]);
        assert_eq!(of(r#""error": 0,"#)[0], "1.8");
    }

    #[test]
    fn a_gap_is_a_row() {
        let table = known_gaps(&[scenario()]).unwrap();
        assert_eq!(
            table.lines().last(),
            Some(
                "| ticks | a log: 70 % | 53 to 60 %, 1 234 567 at least | -0.5 to 2.0 apart | `x`: \
                    `used` |"
            )
        );
    }

    #[test]
    fn a_result_without_a_mark_is_found_and_settings_and_what_is_listed_are_not() {
        let readme = "# T\n\n## What you see\nRuns of 1 ms and 3 us; <!-- claim used -->53 to 60 \
            %<!-- /claim -->, 7 ms, takes 5 s by hand, 9 %.\n\n## Try\n8 ms\n\n## More\n(2 times)";
        assert_eq!(
            bare_figures(&scenario().text, &scenario().table, readme),
            ["7 ms", "9 %", "2 times"]
        );
    }
}
