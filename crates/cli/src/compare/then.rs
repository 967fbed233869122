//! Compares the figures that a link's maker saw with those of this run.

use schedscope_runs::execute::Outcome;
use schedscope_runs::numbers::figure;
use schedscope_scenario::link::Link;
use schedscope_scenario::{fingerprint, metric_at, readable};
use serde_json::Value;

use crate::remarks;

/// Figures of a link that are looked at, as many as one may have.
const FIGURES_MAX: usize = 8;

/// Says whether the link's fingerprint still matches, and which of the link's figures have changed.
pub fn say(link: &Link, outcomes: &[Outcome; 2]) {
    let metrics = [0, 1].map(|side: usize| {
        serde_json::to_value(&outcomes[side].report.metrics).unwrap_or_default()
    });
    let shared = |key: &str| {
        link.view.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    };
    let engine = readable(shared("e").unwrap_or("an unnamed version"));
    if let Some(then) = shared("fp") {
        let here = fingerprint(&metrics[0], Some(&metrics[1]));
        if here == then {
            remarks::say(&format!(
                "note: the result is what it was when the link was made (fingerprint {here})"
            ));
        } else {
            remarks::say(&format!(
                "note: the result differs from when the link was made: fingerprint {here} here, \
                    {} then, by engine {engine}",
                readable(then)
            ));
        }
    }
    let named = link
        .view
        .iter()
        .filter_map(|(key, value)| Some((key.strip_prefix("was.")?, value.as_str())));
    named
        .take(FIGURES_MAX)
        .filter_map(|(path, then)| differing(path, then, &metrics))
        .for_each(|note| remarks::say(&note));
}

/// `note: rq_lock.max_waiters was 99 | 98 when the link was made, is 39 | 1`, if the figure is
/// another; of a side that the link leaves out, and of a value that cannot be read, there is
/// nothing to say.
fn differing(path: &str, then: &str, metrics: &[Value; 2]) -> Option<String> {
    let then = values(then)?;
    let here: Vec<Option<i64>> =
        metrics.iter().take(then.len()).map(|side| metric_at(side, path)?.as_i64()).collect();
    let told = |values: &[Option<i64>]| {
        let texts: Vec<String> = values
            .iter()
            .map(|value| value.map_or_else(|| "-".to_owned(), |value| figure(path, value)))
            .collect();
        texts.join(" | ")
    };
    (here != then).then(|| {
        format!(
            "note: {} was {} when the link was made, is {}",
            readable(path),
            told(&then),
            told(&here)
        )
    })
}

/// `12_-`: A's figure, then B's if it ran; none where a run did not have it.
fn values(text: &str) -> Option<Vec<Option<i64>>> {
    let one = |text: &str| if text == "-" { Some(None) } else { text.parse().ok().map(Some) };
    text.split('_').map(one).collect::<Option<Vec<_>>>().filter(|values| values.len() <= 2)
}
