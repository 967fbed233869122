//! `resources:` of Kubernetes: in a Pod, a Deployment, a List, a block that was cut out, values of
//! a chart, a LimitRange, `kubectl describe`, and lines such as `limits.cpu: 500m`. Units as in
//! Kubernetes: `250m` is a quarter of a CPU, and the finest step is `1m`.

use serde_json::{Map, Value};

use crate::words::amounts::{self, quoted};
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::group::Group;
use crate::words::limit::{LEAST_US, Limit, weight_of_shares};
use crate::words::paste::Piece;
use crate::words::quantity;
use crate::words::tree::{self, DEPTH_MAX, VALUES_MAX};

pub(super) const FORM: Form = Form {
    name: "kubernetes",
    title: "resources: of a container",
    example: "resources:\n  limits:\n    cpu: 500m\n  requests:\n    cpu: 250m",
    read,
};

/// What a container or a Pod states, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stated {
    /// What it is called; none where the text does not say.
    pub(super) name: Option<String>,
    /// The object that it is of: `Deployment/web`.
    pub(super) owner: Option<String>,
    pub(super) limit: Option<String>,
    pub(super) request: Option<String>,
    pub(super) of: Of,
    /// Which Pod with a limit of its own it is in.
    pub(super) pod: Option<usize>,
}

/// What states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Of {
    #[default]
    Container,
    /// One that ends before the others start.
    Init,
    /// One of initContainers that is always restarted: it runs beside the others.
    Sidecar,
    /// All containers of a Pod together.
    Pod,
    /// The default of a LimitRange.
    Range,
    /// Every container of the objects that a command names.
    Each,
}

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    match piece.document() {
        Some(document) => document_of(document.value(), case),
        None => line(piece.text()?, case),
    }
}

pub(super) fn document_of(value: &Value, case: &mut Case) -> Option<Note> {
    let mut walk = Walk { left: VALUES_MAX, ..Walk::default() };
    walk.look(value, &Place::default());
    let Walk { found, said, is_quota, is_manifest, .. } = walk;
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
            return Some(Note::left_out("bounds what others state; no limit of a container"));
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
        assumptions(millis, request, case);
    }
    Some(case.groups.put(group))
}

fn name_of(stated: &Stated, all: &[Stated]) -> Option<String> {
    let alike = |other: &&Stated| other.name == stated.name && other.of == stated.of;
    let is_twice = all.iter().filter(alike).any(|other| other.owner != stated.owner);
    match (&stated.name, &stated.owner) {
        (Some(name), Some(owner)) if is_twice => Some(format!("{owner}/{name}")),
        (Some(name), _) => Some(name.clone()),
        (None, owner) => owner.clone(),
    }
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
        Of::Pod => group.remark(
            "The limit of the Pod is its own: its containers share it. kubectl set resources does \
             not change it.",
        ),
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

fn assumptions(millis: Option<u64>, request: Option<u64>, case: &mut Case) {
    match millis {
        Some(_) => case.assume(
            "The period is the kubelet's default, 100 ms; cpuCFSQuotaPeriod may change it.",
        ),
        None => case.say(
            "A request counts only where groups compete for a CPU; a LimitRange of the namespace \
             may give a container without a limit one.",
        ),
    }
    if request.is_some() {
        case.assume(
            "The cpu.weight of a request follows the rule of older container runtimes; newer ones \
             use another formula.",
        );
    }
}

/// Where a value is.
#[derive(Clone, Default)]
struct Place {
    name: Option<String>,
    /// Keys above it that may name it.
    keys: Vec<String>,
    owner: Option<String>,
    depth: usize,
    is_init: bool,
    pod: Option<usize>,
}

#[derive(Default)]
struct Walk {
    found: Vec<Stated>,
    said: Vec<String>,
    left: usize,
    is_quota: bool,
    /// It has containers, with CPU time or without.
    is_manifest: bool,
}

/// Keys that name no component.
const GENERIC: &[&str] = &[
    "containers",
    "init containers",
    "initcontainers",
    "template",
    "spec",
    "jobtemplate",
    "items",
    "resources",
    "values",
    "global",
    "data",
    "input",
    "requests",
    "limits",
];
/// Keys whose values say what was, not what is set.
const PASSED: &[&str] = &["status", "metadata", "managedFields", "lastState", "resourcePolicy"];

impl Walk {
    fn look(&mut self, value: &Value, place: &Place) {
        if self.left == 0 || place.depth > DEPTH_MAX {
            return;
        }
        self.left -= 1;
        match value {
            Value::Array(items) => {
                let inner = Place { depth: place.depth + 1, ..place.clone() };
                items.iter().for_each(|item| self.look(item, &inner));
            }
            Value::Object(object) => self.object(object, place),
            _ => {}
        }
    }

    fn object(&mut self, object: &Map<String, Value>, place: &Place) {
        let mut place = Place { depth: place.depth + 1, ..place.clone() };
        let kind = object.get("kind").and_then(Value::as_str);
        let named = object.get("metadata").and_then(|meta| tree::text(meta, &["name"]));
        if let Some(kind) = kind {
            place.owner = Some(match named {
                Some(name) => format!("{kind}/{name}"),
                None => kind.to_owned(),
            });
        }
        if kind == Some("ResourceQuota") || place.keys.last().is_some_and(|key| key == "hard") {
            self.is_quota = true;
            return;
        }
        if let Some(recommended) = object.get("containerRecommendations") {
            return self.recommended(recommended);
        }
        if kind == Some("LimitRange") {
            return self.range(object, &place);
        }
        if let Some(name) = object.get("name").and_then(tree::scalar) {
            place.name = Some(name);
        }
        let containers = ["containers", "Containers", "initContainers"];
        let is_pod = containers.iter().any(|key| object.contains_key(*key));
        self.is_manifest |= is_pod && place.owner.is_some();
        self.block(object, is_pod, &mut place);
        self.dotted(object, &place);
        for (key, value) in object {
            let is_object = value.is_object() || value.is_array();
            let passed = PASSED.contains(&key.as_str())
                || matches!(key.as_str(), "resources" | "limits" | "Limits" | "requests");
            if is_object && !passed {
                self.look(value, &below(key, value, &place));
            }
        }
    }

    /// `resources:` of the object, or the object that is such a block.
    fn block(&mut self, object: &Map<String, Value>, is_pod: bool, place: &mut Place) {
        let is_block = |object: &Map<String, Value>| {
            cpu_in(object, "limits").is_some() || cpu_in(object, "requests").is_some()
        };
        let own = object.get("resources").and_then(Value::as_object);
        let Some(block) = own.filter(|own| is_block(own)).or(Some(object).filter(|o| is_block(o)))
        else {
            return;
        };
        let is_sidecar = object.get("restartPolicy").is_some_and(|policy| policy == "Always");
        let of = match (is_pod, place.is_init) {
            (true, _) => Of::Pod,
            (false, true) if is_sidecar => Of::Sidecar,
            (false, true) => Of::Init,
            (false, false) => Of::Container,
        };
        let name = match of {
            Of::Pod => None,
            _ => place.name.clone().or_else(|| Some(place.keys.join("."))),
        };
        self.found.push(Stated {
            name: name.filter(|name| !name.is_empty()),
            owner: place.owner.clone(),
            limit: cpu_in(block, "limits"),
            request: cpu_in(block, "requests"),
            of,
            pod: place.pod,
        });
        if is_pod {
            place.pod = Some(self.found.len() - 1);
        }
    }

    /// `limits.cpu: 500m` as keys.
    fn dotted(&mut self, object: &Map<String, Value>, place: &Place) {
        let stated = |what: &str| {
            let mut keys = object.iter().filter(|(key, _)| key.ends_with(what));
            keys.find_map(|(_, value)| tree::scalar(value))
        };
        let (limit, request) = (stated("limits.cpu"), stated("requests.cpu"));
        if limit.is_some() || request.is_some() {
            let (name, owner) = (place.name.clone(), place.owner.clone());
            self.found.push(Stated { name, owner, limit, request, ..Stated::default() });
        }
    }

    fn range(&mut self, object: &Map<String, Value>, place: &Place) {
        let items = object.get("spec").and_then(|spec| tree::at(spec, &["limits"]));
        let items = items.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for item in items.iter().take(100) {
            let cpu = |key: &str| tree::text(item, &[key, "cpu"]);
            let (limit, request) = (cpu("default"), cpu("defaultRequest"));
            if limit.is_some() || request.is_some() {
                let name = Some("LimitRange default".to_owned());
                let owner = place.owner.clone();
                let of = Of::Range;
                self.found.push(Stated { name, owner, limit, request, of, pod: None });
            } else {
                let what = "The LimitRange states no default for CPUs: it only bounds what \
                            containers state.";
                self.said.push(what.to_owned());
            }
        }
    }

    /// A VerticalPodAutoscaler's: a recommended request.
    fn recommended(&mut self, value: &Value) {
        for each in value.as_array().map_or(&[][..], Vec::as_slice).iter().take(100) {
            let Some(cpu) = tree::text(each, &["target", "cpu"]) else { continue };
            let name = tree::text(each, &["containerName"]).unwrap_or_else(|| "?".to_owned());
            let cpus = quantity::millis(&cpu)
                .map_or_else(|| quoted(&cpu), |millis| amounts::cpus(millis as f64 / 1_000.0));
            self.said.push(format!(
                "The VerticalPodAutoscaler recommends a request of {cpus} for the container {}: a \
                 weight, no limit. A limit keeps its ratio to the request.",
                quoted(&name)
            ));
        }
    }
}

/// The place of what a key holds.
fn below(key: &str, value: &Value, place: &Place) -> Place {
    let lower = key.to_ascii_lowercase();
    let mut inner = place.clone();
    inner.is_init |= lower == "initcontainers" || lower == "init containers";
    if !GENERIC.contains(&lower.as_str()) && value.is_object() {
        inner.keys.push(key.to_owned());
    } else if lower == "containers" || lower.ends_with("initcontainers") {
        inner.keys.clear();
        inner.name = None;
    }
    // A component of a chart is called by its key, not by what an object above it is called.
    if value.is_object() && !GENERIC.contains(&lower.as_str()) {
        inner.name = None;
    }
    inner
}

/// `cpu` in `limits` or `requests`; `kubectl describe` has both with capitals.
fn cpu_in(object: &Map<String, Value>, of: &str) -> Option<String> {
    let block = tree::of(object, of)?.as_object()?;
    match block.get("cpu")? {
        // A template's {{ … }} is a mapping of YAML.
        Value::Object(_) => Some("{{ … }}".to_owned()),
        value => tree::scalar(value),
    }
}

/// `limits.cpu: 500m`, `resources.requests.cpu=1`, `cpu: 500m`.
fn line(text: &str, case: &mut Case) -> Option<Note> {
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
    case.open.resources.push((of.to_owned(), value.to_owned()));
    Some(Note::used(format!("{of} of a container")))
}

/// The container that such lines are of.
pub(super) fn settled(case: &mut Case) {
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
