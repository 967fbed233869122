//! Metrics of cAdvisor and kube-state-metrics as Prometheus has them: lines of the exposition
//! format, and the JSON of a query. A metric that comes again is another instant.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::words::case::{Case, Note};
use crate::words::counters::{Counters, Field};
use crate::words::form::Form;
use crate::words::group::Group;
use crate::words::limit::{Limit, weight_of_shares};
use crate::words::paste::Piece;
use crate::words::tree;

pub(super) const FORM: Form = Form {
    name: "prometheus",
    title: "metrics of cAdvisor in Prometheus",
    example: "container_cpu_cfs_periods_total{container=\"web\",pod=\"web-1\"} 17342\n\
              container_cpu_cfs_throttled_periods_total{container=\"web\",pod=\"web-1\"} 5211\n\
              container_cpu_cfs_throttled_seconds_total{container=\"web\",pod=\"web-1\"} 812.34\n\
              container_spec_cpu_quota{container=\"web\",pod=\"web-1\"} 50000",
    read,
};

/// What a metric says.
#[derive(Clone, Copy)]
enum Metric {
    /// A counter; so many of its units are 1 us.
    Counter(Field, f64),
    Quota,
    Period,
    Shares,
    /// CPUs of a limit.
    Limit,
    /// CPUs of a request.
    Request,
}

const METRICS: &[(&str, Metric)] = &[
    ("container_cpu_cfs_periods_total", Metric::Counter(Field::Periods, 1.0)),
    ("container_cpu_cfs_throttled_periods_total", Metric::Counter(Field::Throttled, 1.0)),
    ("container_cpu_cfs_throttled_seconds_total", Metric::Counter(Field::ThrottledTime, 1e6)),
    ("container_cpu_usage_seconds_total", Metric::Counter(Field::Usage, 1e6)),
    ("container_spec_cpu_period", Metric::Period),
    ("container_spec_cpu_quota", Metric::Quota),
    ("container_spec_cpu_shares", Metric::Shares),
    ("kube_pod_container_resource_limits", Metric::Limit),
    ("kube_pod_container_resource_limits_cpu_cores", Metric::Limit),
    ("kube_pod_container_resource_requests", Metric::Request),
    ("kube_pod_container_resource_requests_cpu_cores", Metric::Request),
];
/// Functions of which the value is no counter.
const FUNCTIONS: &[&str] = &["rate", "irate", "increase", "delta", "idelta", "deriv"];
/// Series of a query's answer that are looked at.
const SERIES_MAX: usize = 500;

type Labels<'t> = BTreeMap<&'t str, String>;

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some(document) = piece.document() {
        return answer(document.value(), case);
    }
    let text = piece.text()?;
    if let Some(function) = function(text) {
        return Some(Note::left_out(format!(
            "a value of {function}() is no counter: the counter itself is needed, at two instants"
        )));
    }
    let (name, labels, rest) = series(text)?;
    let (_, metric) = METRICS.iter().find(|(known, _)| *known == name)?;
    let mut words = rest.split_whitespace();
    let Some(value) = words.next() else {
        return Some(Note::left_out("names a metric without its value"));
    };
    let value: f64 = value.trim_end_matches(',').parse().ok()?;
    Some(sample(name, *metric, &labels, value, case))
}

/// The function around a metric: `rate(container_cpu_…[5m])`.
fn function(text: &str) -> Option<&'static str> {
    let is_metric = METRICS.iter().any(|(name, _)| text.contains(name));
    let is_in = |name: &&&str| {
        text.match_indices(**name).any(|(at, name)| {
            let before = text[..at].chars().next_back();
            let is_word = before.is_some_and(|sign| sign.is_alphanumeric() || sign == '_');
            !is_word && text[at + name.len()..].trim_start().starts_with('(')
        })
    };
    FUNCTIONS.iter().find(is_in).copied().filter(|_| is_metric)
}

/// Name and labels of a series, and what follows it.
fn series(text: &str) -> Option<(&str, Labels<'_>, &str)> {
    let end =
        text.find(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_' && sign != ':')?;
    let (name, rest) = text.split_at(end);
    let Some(mut rest) = rest.strip_prefix('{') else {
        return Some((name, Labels::new(), rest));
    };
    let mut labels = Labels::new();
    loop {
        rest = rest.trim_start_matches([' ', ',']);
        if let Some(rest) = rest.strip_prefix('}') {
            return Some((name, labels, rest));
        }
        let (key, value) = rest.split_once("=\"")?;
        let end = value
            .char_indices()
            .scan(false, |escaped, (at, sign)| {
                let is_end = sign == '"' && !*escaped;
                *escaped = sign == '\\' && !*escaped;
                Some((at, is_end))
            })
            .find(|(_, is_end)| *is_end)?
            .0;
        labels.insert(key.trim(), value[..end].to_owned());
        rest = &value[end + 1..];
    }
}

/// The JSON of a query's answer.
fn answer(value: &Value, case: &mut Case) -> Option<Note> {
    let result = tree::at(value, &["data", "result"]).or_else(|| tree::at(value, &["result"]))?;
    let mut used = None;
    for each in result.as_array()?.iter().take(SERIES_MAX) {
        let Some(metric) = each.get("metric").and_then(Value::as_object) else { continue };
        let labels: Labels<'_> = metric
            .iter()
            .filter_map(|(key, value)| Some((key.as_str(), tree::scalar(value)?)))
            .collect();
        let Some(name) = labels.get("__name__").cloned() else { continue };
        let Some((_, kind)) = METRICS.iter().find(|(known, _)| *known == name) else { continue };
        let many = each.get("values").and_then(Value::as_array);
        let samples = match (many, each.get("value")) {
            // The first and the last of a range: what is between does not matter.
            (Some(many), _) if many.len() > 1 => [many.first(), many.last()],
            (Some(many), _) => [many.first(), None],
            (None, one) => [one, None],
        };
        for sample_of in samples.into_iter().flatten() {
            let text = sample_of.get(1).and_then(tree::scalar);
            let Some(value) = text.and_then(|text| text.parse().ok()) else { continue };
            used = Some(sample(&name, *kind, &labels, value, case));
        }
    }
    used.or_else(|| {
        Some(Note::left_out("answers of a query that name no counter of a container's limit"))
    })
}

fn sample(name: &str, metric: Metric, labels: &Labels<'_>, value: f64, case: &mut Case) -> Note {
    let label = |key: &str| labels.get(key).map(String::as_str);
    if !value.is_finite() || value.abs() >= 1e15 {
        return Note::left_out(format!("{name} has no value"));
    }
    if label("resource").is_some_and(|of| of != "cpu") {
        return Note::left_out("no CPU time");
    }
    if label("cpu").is_some_and(|cpu| cpu != "total") {
        return Note::left_out("a part of the time: that of one CPU");
    }
    let group = group_of(labels, case);
    let count = value.max(0.0).round() as u64;
    match metric {
        Metric::Counter(field, scale) => {
            fill(&mut group.counters, field, value * scale);
        }
        Metric::Quota => group.quota_us = Some((count > 0).then_some(count)),
        Metric::Period => group.period_us = (count > 0).then_some(count),
        Metric::Shares => group.weight = Some(weight_of_shares(count)),
        Metric::Limit => {
            let millis = (value.max(0.0) * 1e3).round() as u64;
            group.quota_us = Some((millis > 0).then(|| Limit::of_millis(millis).quota_us));
        }
        Metric::Request => group.weight = Some(weight_of_shares((value * 1_024.0) as u64)),
    }
    Note::used(format!("{name} of the {}", group.who()))
}

/// A metric's first value belongs to the first instant, its second one to the second: answers list
/// a metric's values together.
fn fill(instants: &mut Vec<Counters>, field: Field, value: f64) {
    let at = instants.iter_mut().position(|at| at.field(field).is_none());
    let at = at.unwrap_or_else(|| {
        instants.push(Counters::default());
        instants.len() - 1
    });
    *instants[at].field(field) = Some(value);
}

/// The container of a series, or its Pod, or its cgroup.
fn group_of<'c>(labels: &Labels<'_>, case: &'c mut Case) -> &'c mut Group {
    let label = |keys: [&str; 2]| {
        let mut all = keys.iter().filter_map(|key| labels.get(*key));
        all.find(|value| !value.is_empty()).map(String::as_str)
    };
    let pod = label(["pod", "pod_name"]);
    let container = label(["container", "container_name"]).or(label(["name", "name"]));
    let (name, kind) = match (pod, container) {
        (Some(pod), Some(container)) => (format!("{pod}/{container}"), "container"),
        (Some(pod), None) => (pod.to_owned(), "Pod"),
        (None, Some(container)) => (container.to_owned(), "container"),
        (None, None) => match label(["id", "id"]) {
            Some(id) => (super::folders::group_name(id).unwrap_or(id).to_owned(), ""),
            None => return case.groups.current(),
        },
    };
    let group = case.groups.named(&name);
    if group.kind.is_empty() {
        group.kind = kind;
    }
    group
}

/// Counters of a container that another text of the same limits: its name there is that of the
/// container alone.
pub(super) fn settled(case: &mut Case) {
    for at in 0..case.groups.all.len() {
        let group = &case.groups.all[at];
        let Some((_, container)) = group.name.as_deref().and_then(|name| name.split_once('/'))
        else {
            continue;
        };
        if group.quota_us.is_some() || group.kind != "container" {
            continue;
        }
        let is_owner =
            |other: &&Group| other.name.as_deref() == Some(container) && other.limit().is_some();
        let owners: Vec<&Group> = case.groups.all.iter().filter(is_owner).collect();
        if let [owner] = owners[..] {
            let owner = owner.clone();
            let group = &mut case.groups.all[at];
            (group.quota_us, group.period_us) = (owner.quota_us, owner.period_us);
            group.weight = group.weight.or(owner.weight);
            group.inside = owner.inside;
            let who = group.who();
            let of = format!("The {who} has the limit of the {}, by its name.", owner.who());
            group.assume(of);
        }
    }
}
