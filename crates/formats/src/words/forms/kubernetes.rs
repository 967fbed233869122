//! `resources:` of Kubernetes: in a Pod, a Deployment, a List, a block that was cut out, values of
//! a chart, a LimitRange, `kubectl describe`, and lines such as `limits.cpu: 500m`. Units as in
//! Kubernetes: `250m` is a quarter of a CPU, and the finest step is `1m`.

mod kubelet;
mod walk;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::words::amounts::{self, quoted};
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::group::Group;
use crate::words::limit::{LEAST_US, Limit, weight_of_shares};
use crate::words::paste::Piece;
use crate::words::quantity;

use kubelet::PERIOD;
pub(super) use walk::{Of, Stated};
use walk::{PLAIN, Walk};

pub(super) const FORM: Form = Form {
    name: "kubernetes",
    title: "resources: of a container",
    example: "resources:\n  limits:\n    cpu: 500m\n  requests:\n    cpu: 250m",
    read,
};

/// So many CPUs or more, in a line alone, are in another unit: shares of ECS are 128 or more.
const PLAIN_MAX: u64 = 128;
/// So many or more in a line of HCL, where cpu is in MHz or in units of ECS.
const HCL_MAX: u64 = 10;

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    match piece.document() {
        Some(document) => document_of(document.value(), &document.keys, case),
        None => line(piece.text()?, case),
    }
}

/// `keys`: the order of the keys in the text, where it is known.
pub(super) fn document_of(
    value: &Value,
    keys: &BTreeMap<String, usize>,
    case: &mut Case,
) -> Option<Note> {
    if let Some(note) = kubelet::file(value, case) {
        return Some(note);
    }
    let Walk { found, said, is_quota, is_manifest, .. } = Walk::over(value, keys);
    let is_range = !said.is_empty();
    for words in said {
        case.say(words);
    }
    if is_quota {
        case.doubt(
            "A ResourceQuota bounds what all containers of a namespace state together, and sets no \
             cpu.max: add a container's resources.",
        );
    }
    if found.is_empty() {
        if is_quota || is_range {
            return Some(Note::left_out("no limit of a container"));
        }
        return is_manifest.then(|| {
            case.ask(
                "No container of the text has limits.cpu or requests.cpu: it sets no CPU time. \
                 Add limits.cpu, such as 500m.",
            );
            Note::left_out("its containers state no CPU time")
        });
    }
    Some(add(&found, case))
}

/// Groups of what containers state: containers first, then init containers; Pods before what is in
/// them.
pub(super) fn add(found: &[Stated], case: &mut Case) -> Note {
    let mut pods: Vec<Option<usize>> = vec![None; found.len()];
    let is_late = |stated: &&Stated| matches!(stated.of, Of::Init | Of::Sidecar);
    let is_pod = |stated: &&Stated| stated.of == Of::Pod;
    let mut names = Vec::new();
    for (at, stated) in found.iter().enumerate().filter(|(_, stated)| is_pod(stated)) {
        pods[at] = group(stated, None, found, case);
    }
    let early = found.iter().filter(|stated| !is_late(stated) && !is_pod(stated));
    for stated in early.chain(found.iter().filter(is_late)) {
        let inside = stated.pod.and_then(|at| pods.get(at).copied().flatten());
        if let Some(index) = group(stated, inside, found, case) {
            names.push(case.groups.all[index].who());
        }
    }
    names.extend(pods.into_iter().flatten().map(|index| case.groups.all[index].who()));
    match names.len() {
        0 => Note::left_out("states no CPU time that can be read"),
        1..=6 => Note::used(format!("CPU time of the {}", amounts::listed(&names))),
        more => Note::used(format!("CPU time of the {} and {} more", names[0], more - 1)),
    }
}

/// The group of what one states; none where its value is not in the text.
fn group(stated: &Stated, inside: Option<usize>, all: &[Stated], case: &mut Case) -> Option<usize> {
    let kind = match stated.of {
        Of::Pod => "Pod",
        Of::Init => "init-container",
        _ => "container",
    };
    let mut group = Group { name: name_of(stated, all), kind, inside, ..Group::default() };
    if let Some(owner) = stated.owner.as_ref().filter(|_| is_taken(stated, &group, case)) {
        group.name = Some(format!("{owner}/{}", group.name.unwrap_or_default()));
    }
    let who = group.who();
    for (what, value) in [("limits", &stated.limit), ("requests", &stated.request)] {
        if let Some(text) =
            value.as_deref().filter(|text| text.contains("{{") || text.contains('$'))
        {
            case.ask(format!("What {what}.cpu of the {who} is: {} is a template's.", quoted(text)));
            return None;
        }
    }
    let limit = stated.limit.as_deref().map(quantity::millis);
    let request = stated.request.as_deref().map(quantity::millis);
    let wrong = wrong(stated, &who, limit, request, stated.pod.and_then(|at| all.get(at)));
    // Kubernetes takes 0 as no limit.
    let millis = limit.flatten().filter(|millis| *millis > 0);
    let request = request.flatten();
    group.quota_us = Some(millis.map(|millis| Limit::of_millis(millis).quota_us));
    if wrong.is_none() {
        group.weight = request.or(millis).map(weight_of_millis);
    }
    group.wrong = wrong;
    remarks(stated, millis, &mut group);
    if group.wrong.is_none() {
        assumptions(&mut group, millis, request);
    }
    Some(case.groups.put(group))
}

fn name_of(stated: &Stated, all: &[Stated]) -> Option<String> {
    let alike = |other: &&Stated| other.name == stated.name && other.of == stated.of;
    let is_twice = all.iter().filter(alike).any(|other| other.owner != stated.owner);
    match (&stated.name, &stated.owner) {
        (Some(name), Some(owner)) if is_twice => Some(format!("{owner}/{name}")),
        (Some(name), _) => Some(name.clone()),
        (None, owner) => {
            let name = owner.as_deref()?.rsplit_once('/').map(|(_, name)| name.to_owned());
            name.or_else(|| owner.clone().filter(|owner| owner != "Pod"))
        }
    }
}

/// Whether another manifest of the text has a container of the name, with another limit.
fn is_taken(stated: &Stated, group: &Group, case: &Case) -> bool {
    let millis = stated.limit.as_deref().and_then(quantity::millis);
    let quota_us = millis.map(|millis| Limit::of_millis(millis).quota_us);
    group.name.is_some()
        && stated.of != Of::Pod
        && case.groups.all.iter().any(|other| {
            let is_alike = other.name == group.name && other.kind == group.kind;
            is_alike && other.quota_us.is_some() && other.quota_us != Some(quota_us)
        })
}

/// Why Kubernetes would refuse it.
fn wrong(
    stated: &Stated,
    who: &str,
    limit: Option<Option<u64>>,
    request: Option<Option<u64>>,
    pod: Option<&Stated>,
) -> Option<String> {
    let text = |value: &Option<String>| quoted(value.as_deref().unwrap_or_default());
    let expected = "expected CPUs such as 2, 0.5 or 500m";
    if limit == Some(None) {
        return Some(format!("limits.cpu of the {who} is {}; {expected}.", text(&stated.limit)));
    }
    if request == Some(None) {
        return Some(format!(
            "requests.cpu of the {who} is {}; {expected}.",
            text(&stated.request)
        ));
    }
    let limit = limit.flatten().filter(|millis| *millis > 0)?;
    if request.flatten().is_some_and(|request| request > limit) {
        return Some(format!(
            "Kubernetes refuses a request above the limit: requests.cpu of the {who} is {}, \
             limits.cpu {}.",
            text(&stated.request),
            text(&stated.limit)
        ));
    }
    let most =
        pod.and_then(|pod| quantity::millis(pod.limit.as_deref()?)).filter(|pod| *pod > 0)?;
    (limit > most).then(|| {
        format!(
            "Kubernetes refuses a container's limit above its Pod's: limits.cpu of the {who} is \
             {}, of the Pod {}.",
            text(&stated.limit),
            text(&pod.and_then(|pod| pod.limit.clone()))
        )
    })
}

/// cpu.weight of a request, by the rule that runtimes used until 2025.
fn weight_of_millis(millis: u64) -> u64 {
    weight_of_shares(millis.saturating_mul(1_024) / 1_000)
}

fn remarks(stated: &Stated, millis: Option<u64>, group: &mut Group) {
    let who = group.who();
    if millis.is_some_and(|millis| millis * 100 < LEAST_US) {
        group.remark(format!(
            "A quota below 1 ms is not possible: the kubelet raises that of the {who} to 1 ms."
        ));
    }
    match stated.of {
        Of::Pod => {
            if let Some(millis) = millis {
                group.remark(format!(
                    "The {who} has a limit of its own, {} for all its containers together; kubectl \
                     set resources does not change it.",
                    amounts::cpus(millis as f64 / 1e3)
                ));
            }
        }
        Of::Init => group.remark(format!("The {who} ends before the other containers start.")),
        Of::Range => group.remark(
            "A LimitRange gives its default to containers that state no limit; those that state \
             one keep theirs.",
        ),
        Of::Each => group.remark(
            "Without -c the command sets the limit of every container of the Pod, each its own.",
        ),
        Of::Container | Of::Sidecar => {}
    }
}

fn assumptions(group: &mut Group, millis: Option<u64>, request: Option<u64>) {
    match millis {
        Some(_) => group.assume(PERIOD),
        None => group.remark(
            "A request counts only where groups compete for a CPU; a LimitRange of the namespace \
             may give a container without a limit one.",
        ),
    }
    if let Some(weight) = group.weight.filter(|_| request.is_some()) {
        let who = group.who();
        group.assume(format!(
            "The request of the {who} sets cpu.weight {weight}, by the rule of older container \
             runtimes; newer ones use another formula."
        ));
    }
}

/// `limits.cpu: 500m`, `resources.requests.cpu=1`, `cpu: 500m`.
fn line(text: &str, case: &mut Case) -> Option<Note> {
    if let Some(note) = kubelet::flags(text, case) {
        return Some(note);
    }
    if matches!(text, "Capacity:" | "Allocatable:" | "capacity:" | "allocatable:") {
        case.open.is_node = true;
        return Some(Note::left_out("what a node has, no limit"));
    }
    let (key, value) =
        text.split_once([':', '=']).map(|(key, value)| (key.trim(), value.trim()))?;
    let key = key.trim_matches(['"', '\'']);
    let value = value.trim_end_matches(',').trim_matches(['"', '\'']);
    let of = ["limits.cpu", "requests.cpu"]
        .into_iter()
        .find(|known| {
            key.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        })
        .or((key == "cpu" && quantity::millis(value).is_some()).then_some("cpu"));
    let Some(of) = of else {
        let is_memory =
            ["limits.memory", "requests.memory"].iter().any(|known| key.ends_with(known));
        return is_memory.then(|| Note::left_out("memory is no CPU time"));
    };
    if value.is_empty() || value.contains(char::is_whitespace) {
        return None;
    }
    if of == "cpu" && case.open.is_node {
        return Some(Note::left_out("CPUs of a node, no limit"));
    }
    let most = if text.contains('=') && !text.contains('"') { HCL_MAX } else { PLAIN_MAX };
    if of == "cpu" && quantity::count(value).is_some_and(|cpus| cpus >= most) {
        case.ask(format!(
            "What cpu {} is in: CPUs of Kubernetes, MHz of Nomad, or units of ECS.",
            quoted(value)
        ));
        return Some(Note::left_out("a number of CPUs that no machine has, or another unit"));
    }
    if of == "limits.cpu" && quantity::count(value).is_some() {
        case.assume(PLAIN);
    }
    case.open.resources.push((of.to_owned(), value.to_owned()));
    Some(Note::used(format!("{of} of a container")))
}

/// The container that such lines are of, and what the kubelet makes of limits.
pub(super) fn settled(case: &mut Case) {
    of_lines(case);
    kubelet::settled(case);
}

fn of_lines(case: &mut Case) {
    let lines = std::mem::take(&mut case.open.resources);
    let last = |key: &str| {
        let mut of_key = lines.iter().rev().filter(|(of, _)| of == key);
        of_key.next().map(|(_, value)| value.clone())
    };
    let (limit, request) = (last("limits.cpu"), last("requests.cpu"));
    if limit.is_some() || request.is_some() {
        add(&[Stated { limit, request, ..Stated::default() }], case);
        return;
    }
    let mut bare: Vec<&String> = lines.iter().map(|(_, value)| value).collect();
    bare.sort_by_key(|value| quantity::millis(value));
    bare.dedup();
    let (limit, request) = match bare[..] {
        [] => return,
        [only] => {
            case.assume("Whether the line “cpu:” is of limits or of requests; taken as the limit.");
            (only, None)
        }
        [less, more] => {
            case.assume("The larger of the two lines “cpu:” is the limit, the other the request.");
            (more, Some(less))
        }
        _ => return case.ask("Which of the lines “cpu:” is a container's limit."),
    };
    let (limit, request) = (Some(limit.clone()), request.cloned());
    add(&[Stated { limit, request, ..Stated::default() }], case);
}
