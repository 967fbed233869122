//! Effects and changes in words, and the remarks before a bisection.

use schedscope_engine::kernel::config::Version;
use schedscope_runs::bisect::{Bisection, Effect, Plan, whole};
use schedscope_runs::numbers::{figure, grouped};
use serde_json::Value;

/// A remark on the direction, if the question goes back in time.
pub fn direction([from, to]: [Version; 2]) -> Option<String> {
    (from > to).then(|| {
        format!("{to} is older than {from}: the question goes back, and a change is taken out")
    })
}

/// A remark on the differences that stated values leave out.
pub fn stated(plan: &Plan) -> Option<String> {
    (!plan.stated.is_empty()).then(|| {
        format!(
            "both runs keep a stated value, so these changes are not tried: {}",
            plan.stated.join(", ")
        )
    })
}

/// A mean of a metric: a time in its unit, a count with a place where it is small.
pub fn mean(metric: &str, value: f64) -> String {
    let is_time = figure(metric, 1) != grouped(1);
    if is_time || value.abs() >= 100.0 {
        return figure(metric, whole(value));
    }
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// [`mean`] with its sign.
pub fn signed(metric: &str, value: f64) -> String {
    let text = mean(metric, value);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

/// `+1.200 ms (+1.100 ms to +1.300 ms)`.
pub fn effect(metric: &str, effect: &Effect) -> String {
    with_interval(effect, |value| signed(metric, value))
}

/// A figure with its interval, if it varies with the seed.
pub fn with_interval(effect: &Effect, told: impl Fn(f64) -> String) -> String {
    let mean = told(effect.mean);
    if effect.is_exact() {
        return mean;
    }
    format!("{mean} ({} to {})", told(effect.low), told(effect.high))
}

/// A part of the difference in percent.
pub fn percent(share: f64) -> String {
    let text = format!("{:.0}", share * 100.0);
    if text == "-0" { "0 %".to_owned() } else { format!("{text} %") }
}

/// The names of changes, or of a pair.
pub fn names(bisection: &Bisection, changes: &[usize]) -> String {
    let names = changes.iter().map(|change| bisection.plan.changes[*change].name.as_str());
    names.collect::<Vec<_>>().join(" with ")
}

/// A value as a scenario writes it, without quotes.
pub fn value(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
