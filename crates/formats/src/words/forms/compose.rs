//! A Compose file, or a service of one: `deploy.resources.limits.cpus`, the service's own `cpus:`,
//! or `cpu_quota:` with `cpu_period:`. Reservations only say where a service is placed.

use serde_json::{Map, Value};

use crate::words::amounts::{self, quoted};
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::group::Group;
use crate::words::limit::PERIOD_US;
use crate::words::paste::Piece;
use crate::words::quantity;
use crate::words::tree;

use super::docker;

pub(super) const FORM: Form = Form {
    name: "compose",
    title: "a Compose file",
    example: "services:\n  web:\n    image: nginx\n    cpus: \"1.5\"",
    read,
};

/// Services of a file that are looked at.
const SERVICES_MAX: usize = 1_000;
/// Keys of a service that say something else of its CPUs.
const OTHERS: &[&str] = &["cpu_count", "cpu_percent", "cpu_rt_period", "cpu_rt_runtime"];

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let document = piece.document()?;
    let root = document.value().as_object()?;
    let is_part = document.language == "YAML" || root.contains_key("services");
    if !is_part || root.contains_key("kind") || root.contains_key("apiVersion") {
        return None;
    }
    let mut services = services_in(root)?;
    let place = |name: &Option<String>| {
        name.as_ref().and_then(|name| document.keys.get(name)).copied().unwrap_or(usize::MAX)
    };
    services.sort_by_key(|(name, _)| place(name));
    let mut names = Vec::new();
    for (name, service) in services.into_iter().take(SERVICES_MAX) {
        if let Some(group) = group(name, service, case) {
            names.push(group.who());
            case.groups.put(group);
        }
    }
    if names.is_empty() {
        case.say("No service has cpus: or cpu_quota:, so none has a CPU limit.");
        case.ask("A limit: a group without one is never throttled.");
        return Some(Note::left_out("its services state no CPU limit"));
    }
    Some(Note::used(format!("CPU time of the {}", amounts::listed(&names))))
}

/// What a service is called, and its keys.
type Service<'v> = (Option<String>, &'v Map<String, Value>);

/// The services of a file, or the one that was cut out of it; none where the block is neither.
fn services_in(root: &Map<String, Value>) -> Option<Vec<Service<'_>>> {
    if let Some(services) = root.get("services") {
        let services = services.as_object()?.iter();
        let named =
            services.filter_map(|(name, service)| Some((Some(name.clone()), service.as_object()?)));
        return Some(named.collect());
    }
    if root.contains_key("deploy") || states_limit(root) {
        return Some(vec![(None, root)]);
    }
    let named: Vec<_> = root
        .iter()
        .filter_map(|(name, service)| Some((Some(name.clone()), service.as_object()?)))
        .filter(|(_, service)| states_limit(service))
        .collect();
    (!named.is_empty()).then_some(named)
}

/// `deploy.resources.limits.cpus`, or what was cut out of it.
fn limit_of(service: &Map<String, Value>) -> Option<String> {
    let deploy = service.get("deploy").and_then(Value::as_object).unwrap_or(service);
    let resources = deploy.get("resources").and_then(Value::as_object).unwrap_or(deploy);
    resources.get("limits")?.get("cpus").and_then(tree::scalar)
}

fn states_limit(service: &Map<String, Value>) -> bool {
    let has = |key: &str| service.get(key).and_then(tree::scalar).is_some();
    has("cpus") || has("cpu_quota") || has("cpu_shares") || limit_of(service).is_some()
}

/// The group of a service; none where it states no CPU time.
fn group(name: Option<String>, service: &Map<String, Value>, case: &mut Case) -> Option<Group> {
    let mut group = Group { name, kind: "service", ..Group::default() };
    let who = group.who();
    let mut text = |key: &str, value: Option<String>| {
        let value = value?;
        match default_of(&value) {
            Some(default) => {
                case.assume(format!(
                    "{key} of the {who} is {}: the default, {}, is taken.",
                    quoted(&value),
                    quoted(&default)
                ));
                Some(default)
            }
            None => Some(value),
        }
    };
    let own = |key: &str| service.get(key).and_then(tree::scalar);
    let cpus = text("cpus", limit_of(service).or_else(|| own("cpus")));
    let quota = text("cpu_quota", own("cpu_quota"));
    let period = text("cpu_period", own("cpu_period"));
    let shares = text("cpu_shares", own("cpu_shares"));
    if [&cpus, &quota, &period].into_iter().flatten().any(|value| value.contains('$')) {
        case.ask(format!("The limit of the {who}: it is a variable that the text does not set."));
        return None;
    }
    if cpus.is_none() && quota.is_none() && shares.is_none() && own("cpuset").is_none() {
        return None;
    }
    match limit(cpus.as_deref(), quota.as_deref(), period.as_deref()) {
        Ok(limit) => {
            group.quota_us = Some(limit.map(|(quota_us, _)| quota_us));
            group.period_us = limit.map(|(_, period_us)| period_us);
        }
        Err(wrong) => group.wrong = Some(format!("The {who}: {wrong}.")),
    }
    let both = limit_of(service).zip(own("cpus"));
    if both.is_some_and(|(deploy, own)| quantity::decimal(&deploy) != quantity::decimal(&own)) {
        group.wrong = Some(format!(
            "Compose refuses two limits: cpus: of the {who} differs from its \
             deploy.resources.limits.cpus."
        ));
    }
    if let Some(shares) = shares {
        docker::shares(&mut group, "cpu_shares:", &shares);
    }
    if let Some(cpuset) = own("cpuset") {
        group.on_cpus(&cpuset);
    }
    let others: Vec<String> = OTHERS
        .iter()
        .filter(|key| service.contains_key(**key))
        .map(|key| format!("{key}:"))
        .collect();
    if !others.is_empty() {
        group.remark(format!("Left out of the {who}: {}.", amounts::listed(&others)));
    }
    Some(group)
}

/// `0.5` of `${CPUS:-0.5}`.
fn default_of(value: &str) -> Option<String> {
    let inside = value.strip_prefix("${")?.strip_suffix('}')?;
    let (_, default) = inside.split_once(":-").or_else(|| inside.split_once('-'))?;
    Some(default.to_owned())
}

/// Quota and period; none: no limit. A sentence without its end where Compose would refuse it.
fn limit(
    cpus: Option<&str>,
    quota: Option<&str>,
    period: Option<&str>,
) -> Result<Option<(u64, u64)>, String> {
    if let Some(cpus) = cpus {
        return docker::of_cpus("cpus", cpus);
    }
    // Docker takes 0 and -1 as no limit.
    let Some(quota) = quota.filter(|quota| !matches!(*quota, "0" | "-1")) else { return Ok(None) };
    let us = |key: &str, text: &str| {
        let us = quantity::time_us(text, "us").filter(|us| *us < 1e15);
        us.map(|us| us.round() as u64).ok_or_else(|| {
            format!("{key} is {}; expected microseconds such as 100000, or 100ms", quoted(text))
        })
    };
    let period_us = period.map_or(Ok(PERIOD_US), |period| us("cpu_period", period))?;
    Ok(Some((us("cpu_quota", quota)?, if period_us == 0 { PERIOD_US } else { period_us })))
}
