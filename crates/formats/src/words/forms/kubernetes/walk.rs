//! Where a block of Kubernetes states CPU time: containers, Pods, components of a chart, entries
//! of a LimitRange, recommendations.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::words::amounts::{self, quoted};
use crate::words::quantity;
use crate::words::tree::{self, DEPTH_MAX, VALUES_MAX};

/// What a container or a Pod states, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::words::forms) struct Stated {
    /// What it is called; none where the text does not say.
    pub(in crate::words::forms) name: Option<String>,
    /// The object that it is of: `Deployment/web`.
    pub(in crate::words::forms) owner: Option<String>,
    pub(in crate::words::forms) limit: Option<String>,
    pub(in crate::words::forms) request: Option<String>,
    pub(in crate::words::forms) of: Of,
    /// Which Pod with a limit of its own it is in.
    pub(in crate::words::forms) pod: Option<usize>,
}

/// What states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::words::forms) enum Of {
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

/// What a whole number in `limits.cpu` is taken for.
pub(super) const PLAIN: &str = "A whole number in limits.cpu is CPU time, as in Kubernetes; in LXD \
                                it would be a number of CPUs without a quota.";

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

/// Every object of a block that states CPU time.
#[derive(Default)]
pub(super) struct Walk<'k> {
    /// The order of keys in the text.
    keys: Option<&'k BTreeMap<String, usize>>,
    pub(super) found: Vec<Stated>,
    pub(super) said: Vec<String>,
    left: usize,
    pub(super) is_quota: bool,
    /// It has containers, with CPU time or without.
    pub(super) is_manifest: bool,
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

impl<'k> Walk<'k> {
    /// Looks at a value; `keys`: the order of the keys in the text, where it is known.
    pub(super) fn over(value: &Value, keys: &'k BTreeMap<String, usize>) -> Self {
        let mut walk = Self { keys: Some(keys), left: VALUES_MAX, ..Self::default() };
        walk.look(value, &Place::default());
        walk
    }

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
        if object.get("type").is_some_and(Value::is_string) && self.range(object, &place) {
            return;
        }
        if let Some(name) = object.get("name").and_then(tree::scalar) {
            place.name = Some(name);
        }
        let containers = ["containers", "Containers", "initContainers"];
        let is_pod = containers.iter().any(|key| object.contains_key(*key));
        self.is_manifest |= is_pod && place.owner.is_some();
        self.block(object, is_pod, &mut place);
        self.dotted(object, &place);
        let mut entries: Vec<(&String, &Value)> = object.iter().collect();
        let place_of = |key: &String| self.keys.and_then(|keys| keys.get(key).copied());
        entries.sort_by_key(|(key, _)| place_of(key).unwrap_or(usize::MAX));
        for (key, value) in entries {
            let is_block = matches!(key.as_str(), "resources" | "limits" | "Limits" | "requests");
            // Recommendations are in the status of what makes them.
            let is_passed = PASSED.contains(&key.as_str()) && value.get("recommendation").is_none()
                || is_block && (value.is_object() || key == "resources");
            // Parts that other places of the file refer to.
            let is_passed = is_passed || key.starts_with("x-");
            if !is_passed && (value.is_object() || value.is_array()) {
                self.look(value, &below(key, value, &place));
            }
        }
    }

    /// `resources:` of the object, or the object that is such a block.
    fn block(&mut self, object: &Map<String, Value>, is_pod: bool, place: &mut Place) {
        let is_block = |object: &Map<String, Value>| {
            cpu_in(object, "limits").is_some() || cpu_in(object, "requests").is_some()
        };
        // HCL has blocks as lists.
        let own = object
            .get("resources")
            .and_then(|own| own.as_array().map_or(Some(own), |all| all.first()));
        let own = own.and_then(Value::as_object);
        let has_words = |object: &Map<String, Value>| {
            // `cpus` is a word of Compose.
            let is_ours = |block: &Value| block.is_object() && block.get("cpus").is_none();
            ["limits", "requests"].iter().any(|key| object.get(*key).is_some_and(is_ours))
        };
        self.is_manifest |= own.is_some_and(has_words) || has_words(object);
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
        if limit.as_deref().and_then(quantity::count).is_some() {
            self.said.push(PLAIN.to_owned());
        }
        if limit.is_some() || request.is_some() {
            let (name, owner) = (place.name.clone(), place.owner.clone());
            self.found.push(Stated { name, owner, limit, request, ..Stated::default() });
        }
    }

    /// An entry of a LimitRange; whether the object is one.
    fn range(&mut self, object: &Map<String, Value>, place: &Place) -> bool {
        let bounds = ["default", "defaultRequest", "max", "min", "maxLimitRequestRatio"];
        if !bounds.iter().any(|key| object.get(*key).is_some_and(Value::is_object)) {
            return false;
        }
        let cpu = |key: &str| tree::text(object.get(key)?, &["cpu"]);
        let (limit, request) = (cpu("default"), cpu("defaultRequest"));
        if limit.is_some() || request.is_some() {
            let name = Some("LimitRange default".to_owned());
            let owner = place.owner.clone();
            let of = Of::Range;
            self.found.push(Stated { name, owner, limit, request, of, pod: None });
        } else {
            let what = "The LimitRange states no default for CPUs: it only bounds what containers \
                        state.";
            self.said.push(what.to_owned());
        }
        true
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
                 weight, no limit. A limit keeps its ratio to the request, which the container's \
                 own resources say.",
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
