//! The JSON Schema of scenario files, for editors; made from the tables that also check them.

use serde_json::{Map, Value, json};

use crate::cgroups;
use crate::document::presentation::{LABEL_MAX, SOURCES_MAX, TOP_KEYS};
use crate::generators::all::GENERATORS;
use crate::knobs::all::knobs;
use crate::knobs::knob::{Knob, KnobType};
use crate::resolve::{bandwidth, costs};
use crate::rt_app::amount::QUANTILE;
use crate::rt_app::events::{EVENTS, Shape};
use crate::rt_app::kernel::WAKES;
use crate::rt_app::resources::{RESOURCE_TYPES, SEMAPHORE_MAX};
use crate::rt_app::words::{GLOBAL_KEYS, PHASE_KEYS, TASK_KEYS, TIME_MAX_US, policy_names};
use crate::steps;
use crate::units::TIME_PATTERN;

/// The schema of scenario files, draft 2020-12.
pub fn json_schema() -> Value {
    let mut properties = top_level();
    properties.extend(knob_properties(""));
    properties.insert("machine".to_owned(), knob_object("machine", &["cpus"], "The hardware."));
    properties.insert("kernel".to_owned(), kernel());
    properties.insert("workload".to_owned(), workload());
    debug_assert!(
        TOP_KEYS.iter().all(|key| properties.contains_key(*key)),
        "every key of a file is described"
    );
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "schedscope scenario",
        "description": "A machine, a kernel and a workload. Times are texts with a unit; inside \
            rt-app tasks they are microseconds.",
        "type": "object",
        "required": ["schema", "title", "machine", "kernel", "workload"],
        "additionalProperties": false,
        "properties": properties,
        "$defs": { "rtAppTask": rt_app_task(), "rtAppPhase": rt_app_phase() },
    })
}

fn kernel() -> Value {
    let about = "The kernel: a version and every switch that differs from it.";
    let mut kernel = knob_object("kernel", &["version"], about);
    kernel["properties"]["rules"] =
        knob_object("kernel.rules", &[], "Single rules that differ from the version's.");
    kernel
}

fn object(properties: Map<String, Value>, required: &[&str], description: &str) -> Value {
    json!({ "type": "object", "description": description, "additionalProperties": false,
        "required": required, "properties": properties })
}

fn top_level() -> Map<String, Value> {
    let fixed = || knobs().iter().filter(|knob| !knob.path.starts_with("cgroups."));
    let knob_paths: Vec<&str> = fixed().map(|knob| knob.path).collect();
    let set: Map<String, Value> =
        fixed().map(|knob| (knob.path.to_owned(), knob_value(knob))).collect();
    let groups: Map<String, Value> = cgroups::knobs()
        .iter()
        .map(|knob| (format!("^cgroups\\..+\\.{}$", knob.key()), knob_value(knob)))
        .collect();
    let entries = [
        ("$schema", json!({ "type": "string" })),
        ("schema", json!({ "const": 1, "description": "The form of scenario files." })),
        ("title", json!({ "type": "string", "description": "The question the scenario answers." })),
        ("source", source()),
        (
            "cgroups",
            json!({
                "type": "object", "description": "Control groups by path (\"user.slice/web\"); \
                    parents are implied.",
                "additionalProperties": knob_object("cgroups.<name>", &[], "A control group: what \
                    it may use."),
            }),
        ),
        (
            "variants",
            json!({
                "type": "array", "maxItems": 16, "description": "Named changes; the first two are \
                    sides A and B.",
                "items": {
                    "type": "object", "additionalProperties": false, "required": ["name", "set"],
                    "properties": { "name": { "type": "string" }, "called": { "type": "string",
                        "description": "What people call it: \"before 4.1\", \"without limit\"." },
                        "set": {
                        "type": "object", "additionalProperties": false, "properties": set,
                        "patternProperties": groups } },
                },
            }),
        ),
        (
            "knobs",
            json!({ "type": "array", "maxItems": 64, "description": "Knobs the page offers, the \
                primary one first.", "items": { "anyOf": [{ "enum": knob_paths },
                    { "type": "string", "pattern":
                        "^cgroups\\..+\\.(cpu_max|cpu_max_burst|cpu_weight|period_phase)$" }] } }),
        ),
        (
            "headline",
            json!({ "type": "array", "maxItems": 8, "description": "Metrics shown \
                largest.", "items": { "type": "string" } }),
        ),
        (
            "labels",
            json!({ "type": "object", "maxProperties": 64, "description": "What people call a \
                kind of task (\"gc_main\": \"collector\") or what it measures \
                (\"gc_main.cycle\": \"collection\"); paths keep the names.",
                "additionalProperties": { "type": "string", "minLength": 1,
                    "maxLength": LABEL_MAX } }),
        ),
        (
            "references",
            json!({ "type": "array", "maxItems": 64, "description": "Figures the source reports; \
                never our own.", "items": reference() }),
        ),
        ("steps", steps::schema::schema()),
    ];
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// A figure of the source, as low and high.
fn reference() -> Value {
    json!({
        "type": "object", "additionalProperties": false,
        "required": ["metric", "label", "low", "high", "source"],
        "properties": {
            "metric": { "type": "string", "description": "Path inside `metrics` of a report." },
            "label": { "type": "string" }, "source": { "type": "string" },
            "low": { "type": "integer", "minimum": 0 }, "high": { "type": "integer", "minimum": 0 },
        },
    })
}

/// A list of sources, one of them, or the text that was one before sources had addresses.
fn source() -> Value {
    let one = json!({
        "type": "object", "additionalProperties": false, "required": ["title"],
        "properties": {
            "id": { "type": "string", "description": "Its short name: \"Rostedt 2015\"." },
            "title": { "type": "string", "description": "What it is called." },
            "url": { "type": "string", "pattern": "^https://[^ ]*$", "description": "Where it can \
                be opened." },
        },
    });
    json!({
        "description": "Where it comes from.",
        "anyOf": [{ "type": "array", "maxItems": SOURCES_MAX, "items": one }, one,
            { "type": "string" }],
    })
}

/// The object that the knob at `path` takes.
///
/// # Panics
/// Where a knob that takes one has no line here.
fn object_of(path: &str) -> Value {
    match path {
        costs::PATH => costs::schema(),
        bandwidth::PATH => bandwidth::schema(),
        _ => panic!("{path} takes an object that has no schema"),
    }
}

/// A kernel release as `uname -r` prints it. Its reader also judges whether there is such a one.
const RELEASE_PATTERN: &str = r"^(2\.6|[3-7])\.[0-9]{1,3}([-.+_~][-.+_~0-9A-Za-z]*)?$";

/// One knob's value; integers and times may also be one of the choices.
fn knob_value(knob: &Knob) -> Value {
    let choices: Vec<&Value> = knob.choices.iter().map(|choice| &choice.value).collect();
    let plain = match knob.kind {
        KnobType::Enum => json!({ "enum": choices }),
        KnobType::Integer => json!({ "type": "integer", "minimum": knob.min, "maximum": knob.max }),
        KnobType::Time => json!({ "type": "string", "pattern": TIME_PATTERN }),
        KnobType::Boolean => json!({ "type": "boolean" }),
        KnobType::Text => json!({ "type": "string" }),
    };
    let both = matches!(knob.kind, KnobType::Integer | KnobType::Time) && !choices.is_empty();
    let mut forms = vec![plain];
    forms.extend(both.then(|| json!({ "enum": choices })));
    let release = knob.release.then(|| json!({ "type": "string", "pattern": RELEASE_PATTERN }));
    forms.extend(release);
    forms.extend(knob.object.map(|_| object_of(knob.path)));
    let mut value = if forms.len() == 1 { forms.remove(0) } else { json!({ "anyOf": forms }) };
    value["description"] = knob.doc.into();
    // What the version decides has no default of its own.
    if !knob.follows_version {
        value["default"] = knob.default.clone();
    }
    value
}

fn knob_properties(parent: &str) -> Map<String, Value> {
    let mut properties = Map::new();
    for knob in knobs().iter().filter(|knob| knob.parent() == parent) {
        properties.insert(knob.key().to_owned(), knob_value(knob));
        if knob.kind == KnobType::Time {
            for (unit, unit_ns) in [("ns", 1), ("us", 1_000)] {
                let maximum = knob.max.map(|max| max / unit_ns);
                properties.insert(
                    format!("{}_{unit}", knob.key()),
                    json!({ "type": "integer", "minimum": 0, "maximum": maximum,
                        "description": knob.doc }),
                );
            }
        }
    }
    properties
}

fn knob_object(parent: &str, required: &[&str], description: &str) -> Value {
    object(knob_properties(parent), required, description)
}

fn workload() -> Value {
    let mut properties: Map<String, Value> = GENERATORS
        .iter()
        .map(|name| {
            (
                (*name).to_owned(),
                knob_object(
                    &format!("workload.{name}"),
                    &[],
                    "A generator; see docs/use/scenario-format.md.",
                ),
            )
        })
        .collect();
    properties.insert(
        "tasks".to_owned(),
        json!({ "type": "object", "description": "rt-app tasks by \
            name.", "additionalProperties": { "$ref": "#/$defs/rtAppTask" } }),
    );
    let global = json!({ "default_policy": { "enum": policy_names().collect::<Vec<_>>() },
        "duration": { "type": "integer", "minimum": -1, "maximum": 86_400,
        "description": "Seconds; -1 is endless." },
        "pi_enabled": { "type": "boolean", "description": "Mutexes inherit priorities; default \
            false." },
    });
    let resource = json!({
        "type": "object", "additionalProperties": false, "required": ["type"],
        "properties": { "type": { "enum": RESOURCE_TYPES },
            "value": { "type": "integer", "minimum": 0, "maximum": SEMAPHORE_MAX } },
    });
    properties.insert(
        "resources".to_owned(),
        json!({ "type": "object", "description": "What tasks share; \
            optional.", "additionalProperties": resource }),
    );
    debug_assert!(
        GLOBAL_KEYS.iter().all(|key| global.get(key).is_some()),
        "every key of global is described"
    );
    properties.insert(
        "global".to_owned(),
        json!({ "type": "object", "additionalProperties": false, "properties": global }),
    );
    object(properties, &[], "rt-app's tasks and global, and generators beside them.")
}

fn event_patterns() -> Value {
    let time = json!({ "type": "integer", "minimum": 1, "maximum": TIME_MAX_US,
        "description": "Microseconds." });
    let name = json!({ "type": "string", "minLength": 1 });
    let closed = |required: &[&str], properties: Value| {
        json!({ "type": "object",
        "additionalProperties": false, "required": required, "properties": properties })
    };
    let timer = closed(
        &["ref", "period"],
        json!({ "ref": { "type": "string" }, "period": time,
            "mode": { "enum": ["relative", "absolute"] } }),
    );
    let pair = closed(&["ref", "mutex"], json!({ "ref": name, "mutex": name }));
    let mut quantiles = closed(&["min", "max"], json!({ "min": time, "max": time }));
    quantiles["patternProperties"] = json!({ (QUANTILE): time });
    let exponential = closed(&["mean", "max"], json!({ "mean": time, "max": time }));
    let sigma = json!({ "type": "integer", "minimum": 0, "maximum": 5_000 });
    let lognormal = closed(
        &["median", "sigma_milli", "max"],
        json!({ "median": time, "sigma_milli": sigma, "max": time }),
    );
    let drawn = [&time, &quantiles, &exponential, &lognormal];
    let amount = json!({ "anyOf": drawn });
    let amount_or = |others: &[&Value]| {
        let forms = [&drawn, others].concat();
        json!({ "anyOf": forms })
    };
    let work =
        closed(&["us"], json!({ "us": amount, "cond_resched": amount, "might_sleep": amount }));
    let waking =
        waking_work(&[("us", &amount), ("cond_resched", &amount), ("might_sleep", &amount)], &name);
    let waking_nopreempt = waking_work(&[("us", &amount)], &name);
    let locked = closed(&["us", "mutex"], json!({ "us": amount, "mutex": name }));
    let spin = closed(&["ref"], json!({ "ref": name, "slice_extension": { "type": "boolean" } }));
    let share = json!({ "type": "integer", "minimum": 0, "maximum": 1_000 });
    let fault = closed(&["us"], json!({ "us": amount, "share_milli": share }));
    let shape = |shape: Shape| match shape {
        Shape::Time => time.clone(),
        Shape::Timer => timer.clone(),
        Shape::Name => name.clone(),
        Shape::MaybeName => json!({ "type": "string" }),
        Shape::Pair => pair.clone(),
        Shape::Amount => amount.clone(),
        Shape::Kernel => amount_or(&[&work, &locked, &waking]),
        Shape::NoPreempt => amount_or(&[&waking_nopreempt]),
        Shape::SpinLock => json!({ "anyOf": [name, spin] }),
        Shape::Fault => amount_or(&[&fault]),
    };
    EVENTS
        .iter()
        .map(|(name, of)| (format!("^{name}[0-9_]*$"), shape(*of)))
        .collect::<Map<String, Value>>()
        .into()
}

/// Kernel work of these keys that wakes from inside: one of four events, when, and how often.
fn waking_work(keys: &[(&str, &Value)], name: &Value) -> Value {
    let at = json!({ "type": "integer", "minimum": 0, "maximum": 1_000_000_000 });
    let every = json!({ "type": "integer", "minimum": 1, "maximum": 1_000_000_000 });
    let forms = WAKES.map(|event| {
        let mut properties: Map<String, Value> =
            keys.iter().map(|(key, value)| ((*key).to_owned(), (*value).clone())).collect();
        properties.insert(event.to_owned(), name.clone());
        properties.insert("at".to_owned(), at.clone());
        properties.insert("every".to_owned(), every.clone());
        json!({ "type": "object", "additionalProperties": false, "required": ["us", event],
            "properties": properties })
    });
    json!({ "anyOf": forms })
}

fn loops() -> Value {
    json!({ "type": "integer", "minimum": -1, "maximum": u32::MAX, "not": { "const": 0 },
        "description": "Rounds; -1 is endless." })
}

fn cpus() -> Value {
    json!({ "anyOf": [{ "type": "array", "items": { "type": "integer", "minimum": 0 } },
        { "type": "string" }], "description": "CPUs: [0, 1] or \"0-3,8\"." })
}

/// Keys that tasks and phases have in common.
fn scheduling() -> Map<String, Value> {
    let entries = [
        ("policy", json!({ "enum": policy_names().collect::<Vec<_>>() })),
        (
            "priority",
            json!({ "type": "integer", "minimum": -20, "maximum": 99, "description": "1 to 99; for \
                SCHED_OTHER the nice value; for SCHED_IDLE none." }),
        ),
        ("cpus", cpus()),
        (
            "taskgroup",
            json!({ "type": "string", "description": "Control group: \"/\" or \"/\" and a key of \
                cgroups." }),
        ),
        ("loop", loops()),
    ];
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn rt_app_phase() -> Value {
    let properties = scheduling();
    debug_assert!(
        PHASE_KEYS.iter().all(|key| properties.contains_key(*key)),
        "every key of a phase is described"
    );
    json!({ "type": "object", "additionalProperties": false, "properties": properties,
        "patternProperties": event_patterns() })
}

fn rt_app_task() -> Value {
    let mut properties = scheduling();
    let entries = [
        (
            "instance",
            json!({ "type": "integer", "minimum": 0, "description": "How many tasks like this; 0 \
                for one that is only forked." }),
        ),
        (
            "slice",
            json!({ "type": "integer", "minimum": 100, "maximum": 100_000, "description": "EEVDF \
                slice, in microseconds." }),
        ),
        (
            "delay",
            json!({ "type": "integer", "minimum": 0, "maximum": TIME_MAX_US,
                "description": "Start, in microseconds." }),
        ),
        (
            "phases",
            json!({ "type": "object", "minProperties": 1,
                "additionalProperties": { "$ref": "#/$defs/rtAppPhase" } }),
        ),
    ];
    properties.extend(entries.into_iter().map(|(key, value)| (key.to_owned(), value)));
    debug_assert!(
        TASK_KEYS.iter().all(|key| properties.contains_key(*key)),
        "every key of a task is described"
    );
    json!({ "type": "object", "additionalProperties": false, "properties": properties,
        "patternProperties": event_patterns() })
}
