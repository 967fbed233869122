//! Names of the figures a report holds: checking one, finding one, and the short name of a whole
//! result.

mod name;
pub(crate) mod names;
mod paths;

use serde_json::Value;

use crate::error::nearest;
use name::{Named, leaves, named, quoted};
use paths::FIXED;

/// Whether `path` names a figure a report can hold: a fixed one, `latency.<kind>.max_ns`,
/// `tasks.<name>.spin_ns`.
pub fn is_metric(path: &str) -> bool {
    FIXED.contains(&path)
        || named(path).is_some_and(|named| {
            leaves(named.group).is_some_and(|leaves| leaves.contains(&named.leaf))
        })
}

/// Refuses what is no figure of any report, in a sentence.
///
/// # Errors
/// The sentence, with what is expected and the nearest figure.
pub fn check_metric(metric: &str) -> Result<(), String> {
    if is_metric(metric) {
        return Ok(());
    }
    Err(no_metric(metric, "no report has it", nearest_metric(metric)))
}

fn no_metric(metric: &str, why: &str, near: Option<String>) -> String {
    let near = near.map_or_else(String::new, |near| format!("\n  did you mean: {near}"));
    format!(
        "there is no metric \"{metric}\": {why}\n  expected: a path inside `metrics` of a report, \
            such as rq_lock.max_waiters{near}"
    )
}

/// The figure whose name is closest to `wrong`: of an entry's figures where the entry is named,
/// else of the fixed ones.
pub fn nearest_metric(wrong: &str) -> Option<String> {
    // The path as a reader sees it in the whole report.
    if let Some(inside) = wrong.strip_prefix("metrics.").filter(|inside| is_metric(inside)) {
        return Some(inside.to_owned());
    }
    if let Some(Named { group, name, leaf }) = named(wrong) {
        let near = nearest(leaf, leaves(group)?.iter().copied())?;
        return Some(format!("{group}.{}.{near}", quoted(name)));
    }
    nearest(wrong, FIXED.iter().copied())
}

/// The figure at `path` inside the `metrics` of a report.
///
/// A `*` at the end of a task's name means every instance of a kind:
/// `tasks.cc.*.involuntary_switches` is their sum.
pub fn metric_at(metrics: &Value, path: &str) -> Option<Value> {
    let below = |value: &Value, path: &str| {
        path.split('.').try_fold(value, |value, key| value.get(key)).cloned()
    };
    let Some(Named { group, name, leaf }) = named(path) else { return below(metrics, path) };
    match name.strip_suffix('*') {
        Some(kind) if group == "tasks" => sum_of(metrics.get(group)?, kind, leaf),
        _ => below(metrics.get(group)?.get(name)?, leaf),
    }
}

/// The figure at `path`, if samples support it. A report says 0 for the greatest, the least and the
/// percentiles of no sample, but a task that never ran is not a quick one.
pub fn sampled_at(metrics: &Value, path: &str) -> Option<Value> {
    let count = samples_of(path).and_then(|count| metric_at(metrics, &count));
    if count == Some(Value::from(0)) { None } else { metric_at(metrics, path) }
}

/// Path of the number of samples that the figure at `path` is the greatest, the least or a
/// percentile of; none for another figure.
pub fn samples_of(path: &str) -> Option<String> {
    let (series, leaf) = path.rsplit_once('.')?;
    let percentile = leaf.strip_prefix('p').and_then(|rest| rest.strip_suffix("_ns"));
    let is_percentile =
        percentile.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
    (is_percentile || matches!(leaf, "min_ns" | "max_ns")).then(|| format!("{series}.count"))
}

/// What a label of the metric at `path` is of: the series of `tool_samples`, the kind of `latency`
/// and `tasks`.
pub(crate) fn labelled(path: &str) -> Option<&str> {
    let Named { group, name, .. } = named(path)?;
    match group {
        "latency" | "tool_samples" => Some(name),
        "tasks" => name.rsplit_once('.').map(|(kind, _)| kind),
        _ => None,
    }
}

/// The sum of `leaf` over the tasks whose name is `kind` (which ends in a dot) and a number; none
/// if there is no such task.
fn sum_of(tasks: &Value, kind: &str, leaf: &str) -> Option<Value> {
    let instance = |name: &str| {
        name.strip_prefix(kind).is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
        })
    };
    let of_kind = tasks.as_object()?.iter().filter(|(name, _)| instance(name));
    let figures = of_kind.filter_map(|(_, task)| task.get(leaf)?.as_u64());
    figures.reduce(u64::saturating_add).map(Value::from)
}

/// Metrics that the fingerprint of link version 1 covers. Frozen: a change makes every old link
/// look different. `cargo xtask gen` gives the page the same list.
pub const FINGERPRINT_V1: &[&str] = &[
    "rq_lock.acquisitions",
    "rq_lock.contended",
    "rq_lock.max_waiters",
    "rq_lock.wait_ns",
    "rq_lock.irq_off_max_ns",
    "rq_lock.pull_remote_acquisitions",
    "ipi.reschedule.sent",
    "ipi.reschedule.delivered",
    "ipi.reschedule.coalesced",
    "ipi.call_function.sent",
    "ipi.rto_push.sent",
    "sched.context_switches",
    "sched.migrations",
    "sched.pushes",
    "sched.pulls",
    "sched.ticks",
];

/// The `fp` of a link: eight hexadecimal digits over the `metrics` of side A and, if it ran, side B
/// (`docs/use/links.md`).
pub fn fingerprint(a: &Value, b: Option<&Value>) -> String {
    let mut hasher = crc32fast::Hasher::new();
    for (side, metrics) in [("A", Some(a)), ("B", b)] {
        let Some(metrics) = metrics else { continue };
        for path in FINGERPRINT_V1 {
            let value =
                metric_at(metrics, path).map_or_else(|| "-".to_owned(), |value| value.to_string());
            hasher.update(format!("{side} {path}={value}\n").as_bytes());
        }
    }
    format!("{:08x}", hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_greatest_of_no_samples_is_no_figure_and_other_figures_stand() {
        let latency = |count: u64| {
            let rt = json!({ "count": count, "max_ns": 0, "p99_ns": 0, "sum_ns": 0 });
            json!({ "latency": { "rt": rt } })
        };
        for path in ["latency.rt.max_ns", "latency.rt.p99_ns"] {
            assert_eq!(sampled_at(&latency(0), path), None, "{path}");
            assert_eq!(sampled_at(&latency(1), path), Some(json!(0)), "{path}");
        }
        assert_eq!(sampled_at(&latency(0), "latency.rt.sum_ns"), Some(json!(0)));
        let locks = json!({ "rq_lock": { "irq_off_max_ns": 0 } });
        assert_eq!(sampled_at(&locks, "rq_lock.irq_off_max_ns"), Some(json!(0)));
    }

    #[test]
    fn the_fingerprint_is_the_check_value_of_the_documented_text() {
        let metrics =
            json!({ "rq_lock": { "max_waiters": 12 }, "tasks": { "hog.0": { "run_ns": 5 } } });
        let line = |side: &str, path: &&str| {
            format!("{side} {path}={}\n", if *path == "rq_lock.max_waiters" { "12" } else { "-" })
        };
        let text: String = ["A", "B"]
            .iter()
            .flat_map(|side| FINGERPRINT_V1.iter().map(move |path| line(side, path)))
            .collect();
        assert_eq!(
            fingerprint(&metrics, Some(&metrics)),
            format!("{:08x}", crc32fast::hash(text.as_bytes()))
        );
        assert_ne!(fingerprint(&metrics, None), fingerprint(&metrics, Some(&metrics)));
        assert_eq!(metric_at(&metrics, "tasks.hog.0.run_ns"), Some(json!(5)));
    }

    #[test]
    fn the_list_of_link_version_1_is_frozen() {
        let check = crc32fast::hash(FINGERPRINT_V1.join("\n").as_bytes());
        assert_eq!(format!("{check:08x}"), "dbee78ee");
    }

    #[test]
    fn a_star_sums_the_instances_of_one_kind_and_of_no_other() {
        let task = |run: u64| json!({ "run_ns": run });
        let metrics = json!({ "tasks": { "cc.0": task(1), "cc.10": task(20), "cc.x.0": task(300),
            "ccd.0": task(4_000) } });
        assert_eq!(metric_at(&metrics, "tasks.cc.*.run_ns"), Some(json!(21)));
        assert_eq!(metric_at(&metrics, "tasks.nobody.*.run_ns"), None);
        assert_eq!(metric_at(&metrics, "tasks.cc.*.loops"), None);
        assert!(is_metric("tasks.cc.*.involuntary_switches") && !is_metric("tasks.cc.*"));
    }

    #[test]
    fn a_name_may_stand_in_quotes_as_a_knobs_does() {
        let metrics = json!({ "groups": { "user.slice/web": { "usage_ns": 3 } },
            "latency": { "a": { "causes_ns": { "irq": 4 } } } });
        for path in ["groups.\"user.slice/web\".usage_ns", "groups.user.slice/web.usage_ns"] {
            assert_eq!(metric_at(&metrics, path), Some(json!(3)), "{path}");
        }
        assert_eq!(metric_at(&metrics, "latency.a.causes_ns.irq"), Some(json!(4)));
        let some = json!({ "pressure": { "some": { "share_bp": 5_000 } } });
        let waits = json!({ "groups": { "user.slice/web": some } });
        let path = "groups.user.slice/web.pressure.some.share_bp";
        assert_eq!(metric_at(&waits, path), Some(json!(5_000)));
        assert_eq!(
            nearest_metric("groups.user.slice/web.use_ns").as_deref(),
            Some("groups.\"user.slice/web\".usage_ns")
        );
    }

    #[test]
    fn names_of_figures_are_known() {
        assert!(
            is_metric("tool_samples.schbench_worker.wakeup.p99_ns")
                && is_metric("tasks.cc.0.involuntary_switches")
        );
        assert!(
            is_metric("rq_lock.max_waiters")
                && is_metric("latency.cyclictest.max_ns")
                && is_metric("tasks.cyclictest.3.spin_ns")
        );
        assert!(
            is_metric("tool_samples.worker.p99_ns") && !is_metric("tool_samples.worker.unfinished")
        );
        assert!(
            is_metric("groups.\"user.slice/web\".usage_ns")
                && is_metric("latency.a.b.causes_ns.irq")
        );
        assert!(
            is_metric("groups.user.slice/web.pressure.full.avg10_bp")
                && is_metric("groups.\"web.pressure.x\".pressure.some.total_ns")
                && !is_metric("groups.web.pressure.some")
        );
        assert!(
            !is_metric("groups.\"web.usage_ns")
                && !is_metric("latency.a.causes_ns")
                && !is_metric("latency.a.causes_ns.weather")
        );
        assert!(
            !is_metric("rq_lock.depth")
                && !is_metric("latency.max_ns")
                && !is_metric("latency..max_ns")
                && !is_metric("")
        );
    }
}
