//! `--reach METRIC=PERCENT`: the points at which a value of the last `--over` changes a figure by
//! at least this much against its first value.

use schedscope_runs::Failure;
use schedscope_runs::numbers::{counted, figure, rounded, table};
use schedscope_runs::sweep::Plan;
use schedscope_runs::sweep::grid::shown;
use schedscope_runs::sweep::jobs::RunRow;
use schedscope_runs::sweep::spread::Spread;
use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    pub metric: String,
    /// The change, hundredths of a percent; negative for less.
    pub change: i64,
}

/// A point's change against the point with the last axis at its first value.
#[derive(Clone, Copy, Debug)]
struct Change {
    point: usize,
    /// Medians of the first value and of this one; none where no whole run has the figure.
    from: Option<i64>,
    to: Option<i64>,
    /// Hundredths of a percent, rounded; none where the first value's figure is 0 or a debt.
    by: Option<i64>,
}

impl Change {
    fn of(point: usize, from: Option<i64>, to: Option<i64>) -> Self {
        let sound = from.filter(|from| *from > 0).zip(to);
        let by = sound.map(|(from, to)| {
            let moved = (i128::from(to) - i128::from(from)) * 10_000;
            rounded(moved, i128::from(from))
        });
        Self { point, from, to, by: by.and_then(|by| i64::try_from(by).ok()) }
    }
}

impl Reach {
    /// `METRIC=-28%`, with at most two places.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let wrong = || {
            Failure::usage(format!(
                "--reach: \"{text}\" is not METRIC=PERCENT, such as sched.context_switches=-28%"
            ))
        };
        let (metric, number) = text.split_once('=').ok_or_else(wrong)?;
        let number = number.strip_suffix('%').unwrap_or(number);
        let (sign, digits) = match number.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, number.strip_prefix('+').unwrap_or(number)),
        };
        let (whole, places) = digits.split_once('.').unwrap_or((digits, ""));
        let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if metric.is_empty()
            || !(1..=6).contains(&whole.len())
            || places.len() > 2
            || !plain(whole)
            || !plain(places)
        {
            return Err(wrong());
        }
        let hundredths: i64 = format!("{whole}{places:0<2}").parse().map_err(|_| wrong())?;
        if hundredths == 0 {
            return Err(Failure::usage("--reach: a change of 0 is reached anywhere"));
        }
        Ok(Self { metric: metric.to_owned(), change: sign * hundredths })
    }

    /// Asked of the figures themselves: a change that is only rounded to the target does not reach
    /// it.
    fn reached(&self, Change { from, to, by, .. }: &Change) -> bool {
        let (Some(from), Some(to), Some(_)) = (*from, *to, *by) else { return false };
        let (from, to) = (i128::from(from), i128::from(to));
        let (moved, wanted) = ((to - from) * 10_000, from * i128::from(self.change));
        if self.change < 0 { moved <= wanted } else { moved >= wanted }
    }

    fn changes(&self, plan: &Plan, rows: &[RunRow]) -> Vec<Change> {
        let last = plan.grid.axes.last().map_or(1, |axis| axis.values.len());
        let Some(metric) = plan.metrics.iter().position(|metric| *metric == self.metric) else {
            return Vec::new();
        };
        let median =
            |point: usize| Spread::of(plan, rows, point, metric).map(|spread| spread.median);
        let change = |point: usize| Change::of(point, median(point - point % last), median(point));
        (0..plan.grid.points()).filter(|point| point % last > 0).map(change).collect()
    }

    /// The table of changes, and one sentence.
    pub fn text(&self, plan: &Plan, rows: &[RunRow]) -> String {
        let Some(axis) = plan.grid.axes.last() else { return String::new() };
        let changes = self.changes(plan, rows);
        let paths = plan.grid.axes.iter().map(|axis| axis.path.clone());
        let first = shown(&axis.values[0]);
        let head = paths.chain([first.clone(), "here".to_owned(), "change".to_owned()]).collect();
        let row = |change: &Change| {
            let values = plan.grid.point(change.point).into_iter().map(shown);
            let told = |median: Option<i64>| median.map(|median| figure(&self.metric, median));
            let cells = [told(change.from), told(change.to), change.by.map(percent)]
                .map(|cell| cell.unwrap_or_else(|| "-".to_owned()));
            values.chain(cells).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(changes.iter().map(row)).collect();
        format!(
            "median of {} against {}={first}\n{}{}\n{}",
            self.metric,
            axis.path,
            table(&rows),
            self.sentence(plan, &changes),
            left_out(&changes)
        )
    }

    fn sentence(&self, plan: &Plan, changes: &[Change]) -> String {
        let known = || changes.iter().filter_map(|change| Some((change.point, change.by?)));
        let reached: Vec<String> = changes
            .iter()
            .filter(|change| self.reached(change))
            .map(|change| plan.words(change.point))
            .collect();
        let wanted = percent(self.change);
        if !reached.is_empty() {
            return format!("{wanted} is reached with {}", reached.join("; "));
        }
        let nearest = if self.change < 0 {
            known().min_by_key(|(_, by)| *by)
        } else {
            known().max_by_key(|(_, by)| *by)
        };
        nearest.map_or_else(
            || format!("{wanted}: there is nothing to compare"),
            |(point, by)| {
                format!(
                    "{wanted} is reached at no point of this sweep; the nearest is {} with {}",
                    percent(by),
                    plan.words(point)
                )
            },
        )
    }

    /// All changes as JSON for scripts, in hundredths of a percent.
    pub fn object(&self, plan: &Plan, rows: &[RunRow]) -> Value {
        let change = |change: &Change| {
            let set = plan.grid.axes.iter().zip(plan.grid.point(change.point));
            let set: serde_json::Map<String, Value> =
                set.map(|(axis, value)| (axis.path.clone(), value.clone())).collect();
            let reached = self.reached(change);
            json!({ "set": set, "from": change.from, "to": change.to,
                "hundredths_of_percent": change.by, "reached": reached })
        };
        let changes: Vec<Value> = self.changes(plan, rows).iter().map(change).collect();
        json!({ "metric": self.metric, "hundredths_of_percent": self.change, "changes": changes })
    }
}

/// How many points have no change, and the reasons.
fn left_out(changes: &[Change]) -> String {
    let is_told = |change: &&Change| change.from.is_some() && change.to.is_some();
    let lacking = changes.iter().filter(|change| !is_told(change)).count();
    let from_nothing = changes.iter().filter(is_told).filter(|change| change.by.is_none()).count();
    let line = |points: usize, why: &str| match points {
        0 => String::new(),
        points => format!("left out: {}, {why}\n", counted(points as u64, "point")),
    };
    format!(
        "{}{}",
        line(
            lacking,
            "where this value or the first one has no figure, or its runs did not come to an end"
        ),
        line(
            from_nothing,
            "where the first value's figure is not above 0, so that no change has a percentage"
        )
    )
}

/// Hundredths as `-28.00 %`.
fn percent(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "+" };
    format!("{sign}{} %", schedscope_runs::numbers::percent(hundredths.unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_read_exactly_or_refused() {
        let change = |text: &str| Reach::parse(text).ok().map(|reach| reach.change);
        assert_eq!(
            [change("m=-28%"), change("m=28"), change("m=+0.5%"), change("m=-12.34")],
            [Some(-2_800), Some(2_800), Some(50), Some(-1_234)]
        );
        for wrong in
            ["m", "m=", "=5", "m=%", "m=-", "m=1.234", "m=a", "m=0%", "m=--1", "m=1e3", "m=9999999"]
        {
            assert_eq!(change(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_target_below_zero_is_reached_from_above_and_one_above_zero_from_below() {
        let reached = |wanted: i64, from: i64, to: i64| {
            let reach = Reach { metric: String::new(), change: wanted };
            reach.reached(&Change::of(0, Some(from), Some(to)))
        };
        assert!(reached(-2_800, 100, 72) && reached(-2_800, 100, 70));
        assert!(!reached(-2_800, 10_000, 7_201) && !reached(-2_800, 0, -5));
        assert!(reached(100, 100, 101) && !reached(100, 10_000, 10_099));
    }

    #[test]
    fn a_change_is_rounded_and_one_rounded_to_the_target_does_not_reach_it() {
        let near = Change::of(0, Some(1_000_000), Some(720_040));
        assert_eq!(near.by, Some(-2_800));
        assert!(!Reach { metric: String::new(), change: -2_800 }.reached(&near));
        assert_eq!(Change::of(0, Some(7), Some(45)).by, Some(54_286));
    }
}
