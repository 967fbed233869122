//! A task definition of ECS: a task's `cpu` is a limit of all its containers together, 1024 units a
//! vCPU; a container's `cpu` are shares.

use serde_json::{Map, Value};

use crate::words::amounts::quoted;
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::group::Group;
use crate::words::limit::{Limit, PERIOD_US, weight_of_shares};
use crate::words::paste::Piece;
use crate::words::quantity;
use crate::words::tree;

pub(super) const FORM: Form = Form {
    name: "ecs",
    title: "a task definition of ECS",
    example: "{\"family\": \"web\", \"cpu\": \"512\", \"containerDefinitions\": [{\"name\": \
              \"web\", \"cpu\": 256}]}",
    read,
};

/// Units of a vCPU.
const UNITS: f64 = 1_024.0;

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let mut found = Vec::new();
    tree::walk(piece.document()?.value(), &mut |object, _| {
        let is_task = tree::of(object, "containerDefinitions").is_some_and(Value::is_array);
        if is_task {
            found.push(object);
        }
        !is_task
    });
    let notes: Vec<Note> = found.into_iter().map(|task| of_task(task, case)).collect();
    notes.into_iter().reduce(|first, _| first)
}

fn of_task(task: &Map<String, Value>, case: &mut Case) -> Note {
    let text = |key: &str| tree::of(task, key).and_then(tree::scalar);
    let name = text("family").or_else(|| text("name"));
    let is_fargate = ["requiresCompatibilities", "compatibilities", "launchType"]
        .iter()
        .filter_map(|key| tree::of(task, key))
        .any(|value| value.to_string().to_ascii_uppercase().contains("FARGATE"));
    let system = tree::of(task, "runtimePlatform")
        .and_then(|platform| tree::text(platform, &["operatingSystemFamily"]));
    if system.is_some_and(|system| system.to_ascii_uppercase().contains("WINDOWS")) {
        case.doubt("The task runs on Windows: no Linux scheduler limits it.");
        return Note::left_out("a task on Windows");
    }
    let mut group = Group { name, kind: "task", ..Group::default() };
    let who = group.who();
    match text("cpu") {
        Some(cpu) => match units(&cpu) {
            Some(units) => {
                let quota_us = (units / UNITS * PERIOD_US as f64).round() as u64;
                let limit = Limit::of_quota(quota_us);
                group.quota_us = Some(Some(limit.quota_us));
                case.assume("The agent's period is its default, 100 ms.");
                if !is_fargate {
                    group.remark(format!(
                        "The cpu of the {who} is a hard limit of all its containers together, \
                         unless the agent has ECS_ENABLE_TASK_CPU_MEM_LIMIT=false."
                    ));
                }
            }
            None if cpu.contains(['$', '{']) => {
                case.ask(format!("The cpu of the {who}: {} is a template's.", quoted(&cpu)));
            }
            None => {
                group.wrong = Some(format!(
                    "cpu of the {who} is {}; expected units such as 512, or 0.5 vCPU.",
                    quoted(&cpu)
                ));
            }
        },
        None if is_fargate => {
            case.ask(format!("The cpu of the {who}: Fargate takes no task without one."));
        }
        None => {
            group.quota_us = Some(None);
            group.remark(format!(
                "The {who} has no cpu of its own: on EC2 its containers have shares only, and none \
                 is ever throttled."
            ));
        }
    }
    containers(task, group, case);
    Note::used(format!("CPU time of the {who}"))
}

/// The task's group, and those of its containers inside of it.
fn containers(task: &Map<String, Value>, group: Group, case: &mut Case) {
    let has_limit = group.quota_us.is_some_and(|quota| quota.is_some());
    let outer = case.groups.put(group);
    let containers = tree::of(task, "containerDefinitions").and_then(Value::as_array);
    for container in containers.into_iter().flatten().take(100) {
        let Some(units) = tree::text(container, &["cpu"]).as_deref().and_then(quantity::count)
        else {
            continue;
        };
        let name = tree::text(container, &["name"]);
        let mut inner = Group { name, kind: "container", ..Group::default() };
        inner.weight = Some(weight_of_shares(units));
        // Docker's default of a container without shares is not what ECS gives it.
        inner.quota_us = Some(None);
        inner.inside = has_limit.then_some(outer);
        inner.remark(format!(
            "cpu {units} of the {} are shares, no limit: they count only where containers compete.",
            inner.who()
        ));
        case.groups.put(inner);
    }
}

/// `512`, `0.5 vCPU`, `.5 vcpu`: units.
fn units(text: &str) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    let units = match lower.strip_suffix("vcpu") {
        Some(cpus) => quantity::decimal(cpus.trim())? * UNITS,
        None => quantity::count(&lower)? as f64,
    };
    (units > 0.0 && units < 1e9).then_some(units)
}
