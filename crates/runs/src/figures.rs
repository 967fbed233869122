//! The figures of a report: as JSON, and flat for the writers of files.

use schedscope_engine::account::report::Metrics;
use schedscope_formats::Figures;
use schedscope_formats::figures::BETWEEN;
use serde_json::Value;

use crate::numbers::rounded;

/// The metrics as JSON, without the lists of activations, in which no figure lies.
pub fn figures(metrics: &Metrics) -> Value {
    let mut metrics = metrics.clone();
    metrics.tasks.values_mut().for_each(|task| task.activations = Vec::new());
    serde_json::to_value(&metrics).unwrap_or_default()
}

/// A figure of a headline per second of machine time, ns, rounded, as the page shows it: that of a
/// time that adds up over the run. None where the page shows the figure itself or, for a group's
/// usage whose limit is in the headline, too, a share (src/state/figures/headline.ts).
pub fn per_second(headline: &[String], path: &str, value: i64, simulated_ns: u64) -> Option<i64> {
    let is_there = |path: String| headline.contains(&path);
    let of_limit = |leaf: &str, other: &str| {
        path.starts_with("groups.")
            && path.strip_suffix(leaf).is_some_and(|of| is_there(format!("{of}{other}")))
    };
    let is_share = of_limit("usage_ns", "entitled_ns") || of_limit("entitled_ns", "usage_ns");
    if is_share || !adds_up(path) || simulated_ns == 0 {
        return None;
    }
    i64::try_from(rounded(i128::from(value) * 1_000_000_000, i128::from(simulated_ns))).ok()
}

/// Whether a figure is a time that grows as the run goes on, and not a greatest one, a least one or
/// a percentile.
fn adds_up(path: &str) -> bool {
    let leaf = path.rsplit_once('.').map_or(path, |(_, leaf)| leaf);
    let Some(name) = leaf.strip_suffix("_ns") else { return false };
    let last = name.rsplit_once('_').map_or(name, |(_, last)| last);
    let is_percentile = last
        .strip_prefix('p')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()));
    !name.split('_').any(|word| word == "max") && last != "min" && !is_percentile
}

/// The whole numbers in them by their paths.
pub fn flat(metrics: &Metrics) -> Figures {
    let mut into = Vec::new();
    add("", &figures(metrics), &mut into);
    into.into_iter().collect()
}

fn add(path: &str, value: &Value, into: &mut Vec<(String, i64)>) {
    if let Value::Object(fields) = value {
        for (name, value) in fields {
            let path =
                if path.is_empty() { name.clone() } else { format!("{path}{BETWEEN}{name}") };
            add(&path, value, into);
        }
    } else if let Some(number) = value.as_i64() {
        into.push((path.to_owned(), number));
    }
}

#[cfg(test)]
mod tests {
    use super::per_second;

    #[test]
    fn times_that_add_up_have_a_figure_per_second_and_no_other_figure_has() {
        let of = |path: &str| per_second(&[path.to_owned()], path, 1_829_000_000, 100_000_000);
        for path in ["rq_lock.wait_ns", "tasks.a.*.run_ns", "groups.app.throttled_ns"] {
            assert_eq!(of(path), Some(18_290_000_000), "{path}");
        }
        for path in [
            ["rq_lock.irq_off_max_ns", "latency.a.max_ns", "latency.a.p99_ns"],
            ["latency.a.min_ns", "groups.app.max_period_usage_ns", "rq_lock.max_waiters"],
        ]
        .concat()
        {
            assert_eq!(of(path), None, "{path}");
        }
        assert_eq!(per_second(&[], "rq_lock.wait_ns", 5, 0), None, "nothing ran");
        assert_eq!(per_second(&[], "rq_lock.wait_ns", 1, 2_000_000_000), Some(1), "rounded");
    }

    #[test]
    fn usage_beside_its_limit_is_a_share_on_the_page_and_has_no_figure_per_second() {
        let both = ["groups.app.usage_ns", "groups.app.entitled_ns"].map(str::to_owned);
        let of = |headline: &[String], path: &str| per_second(headline, path, 1, 1);
        assert!(both.iter().all(|path| of(&both, path).is_none()));
        assert!(of(&both[..1], "groups.app.usage_ns").is_some());
    }
}
