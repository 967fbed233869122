//! An rt-app file as it is on disk: comments, commas before closing brackets and the same key
//! several times, none of which strict JSON has. What rt-app knows and the engine does not play is
//! left out by name; whether the rest can run is for the reader of scenarios to say.

use serde_json::{Value, json};

use super::command::task_name;
use crate::words::amounts::{listed, quoted, time};
use crate::words::case::{Case, Note, TaskFile};
use crate::words::cpus::{CPUS_MAX, CpuList};
use crate::words::form::Form;
use crate::words::json::Node;
use crate::words::paste::Piece;

pub(super) const FORM: Form = Form {
    name: "rt-app",
    title: "an rt-app file",
    example: "{ \"tasks\": { \"servo\": { \"run\": 2000, \"timer\": { \"ref\": \"unique\", \
              \"period\": 10000 } } } }",
    read,
};

const EVENTS: &[&str] = &[
    "run", "runtime", "sleep", "timer", "lock", "unlock", "wait", "signal", "broad", "sync",
    "barrier", "suspend", "resume", "sem_wait", "sem_post", "yield", "fork",
];
/// Events whose value is the name of a task.
const OF_TASKS: &[&str] = &["fork", "suspend", "resume"];
const SCHEDULING: &[&str] = &["policy", "priority", "cpus", "loop"];
const TASK_KEYS: &[&str] = &["policy", "priority", "cpus", "loop", "instance", "delay"];
const RESOURCES: &[&str] = &["mutex", "wait", "timer", "barrier", "semaphore"];
const RUN_MAX_US: u64 = 10_000_000;
const RUN_US: u64 = 1_000_000;

#[derive(Default)]
struct Made {
    left: Vec<String>,
    notes: Vec<String>,
    groups: Vec<String>,
    cpus: u32,
}

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let text = match piece {
        Piece::Document(document) => {
            let value = document.values.first()?;
            let is_one = document.language == "JSON" && value.get("tasks")?.is_object();
            if !is_one || value.get("schema").is_some() {
                return None;
            }
            &document.text
        }
        Piece::Broken { why, text, .. } => {
            let is_one = text.contains("\"tasks\"") && !text.contains("\"schema\"");
            return is_one.then(|| {
                let why = Node::read(text).err().unwrap_or_else(|| why.clone());
                Note::left_out(format!("an rt-app file that is no valid JSON: {why}"))
            });
        }
        _ => return None,
    };
    Some(match made(text, case) {
        Ok(words) => Note::used(words),
        Err(wrong) => Note::left_out(format!("an rt-app file: {wrong}")),
    })
}

fn made(text: &str, case: &mut Case) -> Result<String, String> {
    let root = Node::read(text)?;
    if case.file.is_some() {
        return Err("the text has one already".to_owned());
    }
    if text.contains("\"SCHED_DEADLINE\"") {
        return Err("it has tasks of SCHED_DEADLINE, which the simulator does not have: remove \
                    them or give them another policy"
            .to_owned());
    }
    let mut made = Made::default();
    let tasks: Vec<(String, Node)> = root
        .member("tasks")
        .unwrap_or(&Node::Array(Vec::new()))
        .members()
        .iter()
        .filter_map(|(name, node)| Some((here(name, &mut made), task(name, node, &mut made)?)))
        .collect();
    if tasks.is_empty() {
        return Err(
            "no task has an event that the simulator knows, such as run, sleep or timer".to_owned()
        );
    }
    if made.cpus > CPUS_MAX {
        return Err(format!("it names a CPU above {}, the last one here", CPUS_MAX - 1));
    }
    let (global, stated) = global(root.member("global"), &mut made);
    let resources = resources(root.member("resources"), &mut made);
    let run_us = stated.unwrap_or(RUN_US).min(RUN_MAX_US);
    if stated != Some(run_us) {
        let says = stated.map_or("no end".to_owned(), |us| time(us as f64));
        made.notes.push(format!("The run is {} long; the file says {says}.", time(run_us as f64)));
    }
    made.notes.push("Each CPU has the speed that rt-app was calibrated on.".to_owned());
    let names: Vec<String> = tasks.iter().map(|(name, _)| quoted(name)).collect();
    let words = format!("an rt-app file with the tasks {}", listed(&names));
    case.says.push(format!("This is {words}."));
    case.assumed.append(&mut made.notes);
    case.cpus_at_least = case.cpus_at_least.max(made.cpus);
    made.left.sort();
    made.left.dedup();
    let left = match made.left.is_empty() {
        true => String::new(),
        false => format!("; left out, not known to the simulator: {}", listed(&made.left)),
    };
    let (tasks, groups) = (Node::Object(tasks), made.groups);
    case.file = Some(TaskFile { tasks, resources, global, groups, run_us });
    Ok(format!("{words}{left}"))
}

/// The name of a task here: programs of the simulator have tasks of some names.
fn here(name: &str, made: &mut Made) -> String {
    let own = own_name(name);
    if own != name {
        made.notes.push(format!(
            "{} is called {} here: a program of the simulator has tasks of that name.",
            quoted(name),
            quoted(&own)
        ));
    }
    own
}

fn own_name(name: &str) -> String {
    let is_taken = task_name(name) == format!("own-{name}");
    if is_taken { format!("own-{name}") } else { name.to_owned() }
}

fn task(name: &str, node: &Node, made: &mut Made) -> Option<Node> {
    let Node::Object(_) = node else { return None };
    let group = node.member("taskgroup").and_then(|group| group_of(name, group, made));
    let (mut own, events) = part(name, node, TASK_KEYS, made);
    if let Some(group) = group {
        own.push(("taskgroup".to_owned(), Node::Plain(json!(format!("/{group}")))));
    }
    let Some(phases) = node.member("phases") else {
        return (events > 0).then_some(Node::Object(own));
    };
    let mut kept = Vec::new();
    for (phase, inner) in phases.members() {
        let (members, events) = part(&format!("{name}.{phase}"), inner, SCHEDULING, made);
        if events > 0 {
            kept.push((phase.clone(), Node::Object(members)));
        }
    }
    if kept.is_empty() {
        return None;
    }
    own.push(("phases".to_owned(), Node::Object(kept)));
    Some(Node::Object(own))
}

fn stem(key: &str) -> &str {
    key.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == '_')
}

/// The keys that the engine has, in order; an event that comes again gets a number behind its name.
fn part(name: &str, node: &Node, known: &[&str], made: &mut Made) -> (Vec<(String, Node)>, usize) {
    let mut kept: Vec<(String, Node)> = Vec::new();
    let mut events = 0;
    let is_idle = node.member("policy").and_then(Node::as_str) == Some("SCHED_IDLE");
    for (key, inner) in node.members() {
        let is_event = EVENTS.contains(&stem(key));
        match key.as_str() {
            "phases" | "taskgroup" => continue,
            "dl-runtime" => {
                kept.push(("slice".to_owned(), inner.clone()));
                continue;
            }
            "priority" if is_idle => {
                made.notes.push(format!("{}: SCHED_IDLE has no priority.", quoted(name)));
                continue;
            }
            _ if !is_event && !known.contains(&key.as_str()) => {
                made.left.push(format!("{name}: {key}"));
                continue;
            }
            "cpus" => note_cpus(inner, made),
            _ => {}
        }
        let mut value = inner.clone();
        if key == "policy" && inner.as_str() == Some("SCHED_BATCH") {
            made.notes.push(format!("{}: SCHED_BATCH runs as SCHED_OTHER.", quoted(name)));
            value = Node::Plain(json!("SCHED_OTHER"));
        }
        if OF_TASKS.contains(&stem(key))
            && let Some(task) = inner.as_str()
        {
            value = Node::Plain(json!(own_name(task)));
        }
        events += usize::from(is_event);
        let key = if is_event { free_key(&kept, key) } else { key.clone() };
        kept.push((key, value));
    }
    (kept, events)
}

fn free_key(kept: &[(String, Node)], key: &str) -> String {
    let is_free = |wanted: &String| !kept.iter().any(|(known, _)| known == wanted);
    let numbered = (1..).map(|number: u32| format!("{}{number}", stem(key)));
    let mut all = std::iter::once(key.to_owned()).chain(numbered);
    all.find(is_free).expect("numbers do not end")
}

fn note_cpus(node: &Node, made: &mut Made) {
    let least = match node {
        Node::Plain(Value::String(text)) => CpuList::read(text).map(|list| list.least_cpus()),
        Node::Array(cpus) => cpus
            .iter()
            .filter_map(Node::as_i64)
            .map(|cpu| u32::try_from(cpu).unwrap_or(0).saturating_add(1))
            .max(),
        _ => None,
    };
    made.cpus = made.cpus.max(least.unwrap_or(0));
}

/// A group's path without its leading slash; none for the root.
fn group_of(name: &str, node: &Node, made: &mut Made) -> Option<String> {
    let path = node.as_str().unwrap_or("?").trim_matches('/');
    if path.is_empty() {
        return None;
    }
    let is_sign = |sign: char| ('!'..='~').contains(&sign) && !"\"/".contains(sign);
    let is_plain =
        |part: &str| !part.is_empty() && part != "." && part != ".." && part.chars().all(is_sign);
    if path.len() > 200 || !path.split('/').all(is_plain) {
        made.left.push(format!("{name}: taskgroup"));
        return None;
    }
    if !made.groups.iter().any(|known| known == path) {
        made.groups.push(path.to_owned());
    }
    Some(path.to_owned())
}

/// `global`, and the duration that it states, us.
fn global(node: Option<&Node>, made: &mut Made) -> (Node, Option<u64>) {
    let mut kept = Vec::new();
    let mut stated = None;
    for (key, inner) in node.map(Node::members).unwrap_or_default() {
        match key.as_str() {
            "duration" => {
                let seconds = inner.as_i64().and_then(|seconds| u64::try_from(seconds).ok());
                stated = seconds.filter(|seconds| (1..=1_000_000).contains(seconds));
            }
            "default_policy" if inner.as_str() == Some("SCHED_BATCH") => {
                made.notes.push("SCHED_BATCH runs as SCHED_OTHER.".to_owned());
                kept.push((key.clone(), Node::Plain(json!("SCHED_OTHER"))));
            }
            "default_policy" | "pi_enabled" => kept.push((key.clone(), inner.clone())),
            _ => made.left.push(format!("global: {key}")),
        }
    }
    (Node::Object(kept), stated.map(|seconds| seconds * 1_000_000))
}

fn resources(node: Option<&Node>, made: &mut Made) -> Node {
    let mut kept = Vec::new();
    for (name, inner) in node.map(Node::members).unwrap_or_default() {
        let kind = inner.member("type").and_then(Node::as_str);
        match kind.filter(|kind| RESOURCES.contains(kind)) {
            Some(kind) => {
                let kind = ("type".to_owned(), Node::Plain(json!(kind)));
                kept.push((name.clone(), Node::Object(vec![kind])));
            }
            None => made.left.push(format!("resources: {name}")),
        }
    }
    Node::Object(kept)
}
