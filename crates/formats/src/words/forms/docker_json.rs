//! JSON of container engines: `docker inspect` and any HostConfig, the statistics of the Engine
//! API, a runtime specification of OCI, `crictl inspect`, `runc events --stats`. Their throttled
//! times are in ns.

use serde_json::{Map, Value};

use crate::words::amounts;
use crate::words::case::{Case, Note};
use crate::words::counters::Counters;
use crate::words::form::Form;
use crate::words::group::Group;
use crate::words::limit::{PERIOD_US, weight_of_shares};
use crate::words::paste::Piece;
use crate::words::tree;

pub(super) const FORM: Form = Form {
    name: "docker_json",
    title: "docker inspect, docker stats, config.json of OCI",
    example: "[{\"Name\": \"/web\", \"HostConfig\": {\"NanoCpus\": 1500000000, \"CpuShares\": 0}}]",
    read,
};

/// Keys of a limit, as engines spell them: CPUs in 1e-9, quota, period, shares, burst, list of
/// CPUs.
const SPELLINGS: &[[&str; 6]] = &[
    ["NanoCpus", "CpuQuota", "CpuPeriod", "CpuShares", "", "CpusetCpus"],
    ["", "quota", "period", "shares", "burst", "cpus"],
    ["", "cpuQuota", "cpuPeriod", "cpuShares", "", "cpusetCpus"],
    ["", "cpu_quota", "cpu_period", "cpu_shares", "", "cpuset_cpus"],
];
/// Keys of throttling: where they are, periods, throttled periods, throttled ns.
const THROTTLING: &[[&str; 4]] = &[
    ["throttling_data", "periods", "throttled_periods", "throttled_time"],
    ["throttling", "periods", "throttledPeriods", "throttledTime"],
    ["cfs", "periods", "throttled_periods", "throttled_time"],
];
/// Elements of a list that are looked at.
const ELEMENTS_MAX: usize = 200;

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let document = piece.document().filter(|document| document.language == "JSON")?;
    let value = document.value();
    let mut said = Vec::new();
    match value.as_array() {
        Some(items) => {
            items.iter().take(ELEMENTS_MAX).for_each(|item| said.extend(element(item, case)));
        }
        None => said.extend(element(value, case)),
    }
    (!said.is_empty()).then(|| Note::used(amounts::listed(&said)))
}

/// One container, or an object with several of them; what it says.
fn element(value: &Value, case: &mut Case) -> Vec<String> {
    let name = name_of(value);
    let mut limits: Vec<Group> = Vec::new();
    let mut instants = Vec::new();
    let mut inner = Vec::new();
    tree::walk(value, &mut |object, path| {
        if let Some(mut group) = limits_of(object, path) {
            let host = path.iter().position(|key| *key == "HostConfig");
            let above = host.and_then(|host| component(&path[..host]));
            group.name = above.or_else(|| name.clone());
            limits.push(group);
            return false;
        }
        if let Some(counters) = counters(object) {
            instants.push((path.last().copied() == Some("precpu_stats"), counters));
            return false;
        }
        let texts = object.values().filter_map(Value::as_str);
        let options = texts.filter(|text| text.contains("HostConfig"));
        inner.extend(options.map(|text| (component(path), text)));
        true
    });
    let mut said = Vec::new();
    // `crictl inspect` states one container's limit in three places.
    limits.dedup_by(|later, first| later.name == first.name);
    for mut group in limits {
        if let Some(list) = group.cpus.take() {
            group.on_cpus(&list);
        }
        said.push(format!("CPU time of the {}", group.who()));
        case.groups.put(group);
    }
    // The statistics have the earlier reading behind the later one.
    instants.sort_by_key(|(is_earlier, _)| !is_earlier);
    if !instants.is_empty() {
        let group = match &name {
            Some(name) => case.groups.named(name),
            None => case.groups.current(),
        };
        if group.kind.is_empty() && name.is_some() {
            group.kind = "container";
        }
        said.push(format!("counters of the {}", group.who()));
        group.counters.extend(instants.into_iter().map(|(_, counters)| counters));
    }
    // Options of a container as a text inside JSON.
    for (name, text) in inner.into_iter().take(20) {
        if let Ok(mut value) = serde_json::from_str::<Value>(text) {
            if let (Some(name), Some(object)) = (name, value.as_object_mut()) {
                object.insert("name".to_owned(), Value::from(name));
            }
            said.extend(element(&value, case));
        }
    }
    said
}

fn name_of(value: &Value) -> Option<String> {
    const PLACES: &[&[&str]] = &[
        &["name"],
        &["status", "metadata", "name"],
        &["annotations", "io.kubernetes.cri.container-name"],
        &["hostname"],
        &["id"],
    ];
    let name = PLACES.iter().find_map(|path| tree::text(value, path))?;
    let name = name.trim_start_matches('/').to_owned();
    (!name.is_empty()).then_some(name)
}

/// A component by the keys above its options: `modules: {"edge": {…}}`.
fn component(path: &[&str]) -> Option<String> {
    let is_name =
        |key: &&&str| !key.is_empty() && !matches!(**key, "settings" | "createOptions" | "modules");
    path.iter().rev().find(is_name).map(|key| (*key).to_owned())
}

/// The limit that an object states; none where it is no such object.
fn limits_of(object: &Map<String, Value>, path: &[&str]) -> Option<Group> {
    let is_oci = path.last() == Some(&"cpu") && path.contains(&"resources");
    let is_bare = path.is_empty() || path.last() == Some(&"cpu");
    let own = |key: &str| object.get(key).and_then(number);
    // The Engine API spells one key in two ways.
    let whole = |key: &str| match key {
        "NanoCpus" => own(key).or_else(|| own("NanoCPUs")),
        _ => own(key),
    };
    let at = SPELLINGS.iter().position(|keys| {
        let is_spelled = keys[..4].iter().any(|key| !key.is_empty() && whole(key).is_some());
        // The short words are those of a specification alone.
        is_spelled && (keys[1] != "quota" || is_oci || is_bare && whole("quota").is_some())
    })?;
    let [nano, quota, period, shares, burst, cpus] = SPELLINGS[at];
    let mut group = Group { kind: "container", ..Group::default() };
    let period_us = whole(period).and_then(positive).unwrap_or(PERIOD_US);
    let of_nano = whole(nano).and_then(positive);
    let (quota_us, period_us) = match (of_nano, whole(quota).and_then(positive)) {
        // Engines take a share of CPUs as a quota of the usual period.
        (Some(nano), _) => (Some(nano / 10_000), PERIOD_US),
        (None, quota) => (quota, period_us),
    };
    group.quota_us = Some(quota_us);
    group.period_us = quota_us.map(|_| period_us);
    group.burst_us = whole(burst).and_then(positive);
    group.weight = whole(shares).and_then(positive).map(weight_of_shares);
    group.cpus = object.get(cpus).and_then(tree::scalar).filter(|list| !list.is_empty());
    Some(group)
}

fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// 0 and -1 are no limit, and no shares.
fn positive(number: i64) -> Option<u64> {
    u64::try_from(number).ok().filter(|number| *number > 0)
}

/// What an object counted.
fn counters(object: &Map<String, Value>) -> Option<Counters> {
    let [_, periods, throttled, time] =
        THROTTLING.iter().find(|keys| object.get(keys[0]).is_some_and(Value::is_object))?;
    let data = THROTTLING.iter().find_map(|keys| object.get(keys[0]))?;
    let count = |key: &str| data.get(key).and_then(Value::as_f64).filter(|count| *count >= 0.0);
    // A first reading without an earlier one has no counters there.
    let usage = [["cpu_usage", "total_usage"], ["usage", "total"]]
        .iter()
        .find_map(|path| object.get(path[0])?.get(path[1])?.as_f64());
    let counters = Counters {
        usage_us: usage.map(|ns| ns / 1e3),
        periods: count(periods),
        throttled: count(throttled),
        throttled_us: count(time).map(|ns| ns / 1e3),
        ..Counters::default()
    };
    let is_empty = counters.periods.unwrap_or(0.0) == 0.0 && usage.unwrap_or(0.0) == 0.0;
    (!is_empty).then_some(counters)
}
