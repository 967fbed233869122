//! A job of Nomad, HCL or the JSON of `nomad job inspect`: a task's `cpu` is in MHz, of which the
//! share of a core depends on the core's.

use serde_json::{Map, Value};

use crate::words::amounts;
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::group::Group;
use crate::words::limit::{PERIOD_US, weight_of_shares};
use crate::words::open::Megahertz;
use crate::words::paste::Piece;
use crate::words::quantity;
use crate::words::tree;

pub(super) const FORM: Form = Form {
    name: "nomad",
    title: "a job of Nomad",
    example: "task \"web\" {\n  driver = \"docker\"\n  config {\n    cpu_hard_limit = true\n  }\n  \
              resources {\n    cpu = 1000\n  }\n}\ncpu.frequency = 2500",
    read,
};

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some(text) = piece.text() {
        return frequency(text, case);
    }
    let document = piece.document()?;
    let mut found = Vec::new();
    tree::walk(document.value(), &mut |object, path| {
        let resources = first(object, "resources");
        let is_task = resources.is_some_and(|of| {
            ["cpu", "CPU", "cores", "Cores"].iter().any(|key| of.contains_key(*key))
        });
        let is_ours = document.language == "HCL" || path.contains(&"Tasks");
        if is_task && is_ours {
            found.push(object);
        }
        !(is_task && is_ours)
    });
    if found.is_empty() {
        return bare(document.language, document.value(), case);
    }
    let said: Vec<String> = found.into_iter().map(|task| of_task(task, case)).collect();
    Some(Note::used(format!("CPU time of the {}", amounts::listed(&said))))
}

/// `resources { … }` alone.
fn bare(language: &str, value: &Value, case: &mut Case) -> Option<Note> {
    let root = value.as_object().filter(|_| language == "HCL")?;
    let is_block = root.contains_key("config") || root.contains_key("resources");
    is_block.then(|| {
        case.ask("The task's resources: its cpu in MHz, and cpu_hard_limit of its config.");
        Note::left_out("states no CPU time of a task")
    })
}

/// A block, which is a list in HCL and may be capitalized in JSON.
fn first<'v>(object: &'v Map<String, Value>, key: &str) -> Option<&'v Map<String, Value>> {
    match tree::of(object, key)? {
        Value::Array(blocks) => blocks.first()?.as_object(),
        value => value.as_object(),
    }
}

/// One task's group; what it is called.
fn of_task(task: &Map<String, Value>, case: &mut Case) -> String {
    let label = task.get("labels").and_then(|labels| labels.get(0)).and_then(tree::scalar);
    let name = label.or_else(|| tree::of(task, "name").and_then(tree::scalar));
    let mut group = Group { name, kind: "task", ..Group::default() };
    let who = group.who();
    let resources = first(task, "resources");
    let number = |keys: [&str; 2]| {
        let value = keys.iter().find_map(|key| resources?.get(*key))?;
        tree::scalar(value).as_deref().and_then(quantity::decimal).filter(|number| *number > 0.0)
    };
    let (mhz, cores) = (number(["cpu", "CPU"]), number(["cores", "Cores"]));
    let config = first(task, "config");
    let is_hard = config.and_then(|config| config.get("cpu_hard_limit")).is_some_and(|hard| {
        matches!(tree::scalar(hard).as_deref(), Some("true" | "1")) || hard == &Value::Bool(true)
    });
    let period = config.and_then(|config| config.get("cpu_cfs_period")).and_then(tree::scalar);
    let period_us = period.as_deref().and_then(quantity::count).unwrap_or(PERIOD_US);
    let mut pending = None;
    match (mhz, cores) {
        (_, Some(cores)) => {
            group.quota_us = Some(None);
            group.remark(format!(
                "The {who} has {cores} cores of its own: it may run on those only, and no quota \
                 throttles it."
            ));
        }
        (Some(mhz), None) if is_hard => pending = Some(mhz),
        (Some(mhz), None) => {
            group.quota_us = Some(None);
            group.weight = Some(weight_of_shares(mhz as u64));
            group.remark(format!(
                "cpu = {mhz} of the {who} are shares, no limit: without cpu_hard_limit the task \
                 may use CPUs that are idle."
            ));
            if config.is_none() {
                case.ask(format!("Whether the config of the {who} has cpu_hard_limit = true."));
            }
        }
        (None, None) => case.ask(format!("The MHz of the {who}: its cpu cannot be read.")),
    }
    let index = case.groups.put(group);
    if let Some(mhz) = pending {
        case.open.megahertz.push(Megahertz { group: index, mhz, period_us });
    }
    who
}

/// `cpu.frequency = 2600`, as `nomad node status -verbose` prints it.
fn frequency(text: &str, case: &mut Case) -> Option<Note> {
    let (key, value) = text.split_once('=')?;
    if key.trim() != "cpu.frequency" {
        return None;
    }
    let mhz = quantity::decimal(value.trim()).filter(|mhz| (1.0..100_000.0).contains(mhz))?;
    case.open.core = Some(mhz);
    Some(Note::used(format!("a core has {mhz} MHz")))
}

/// Quotas of what was stated in MHz.
pub(super) fn settled(case: &mut Case) {
    for of in std::mem::take(&mut case.open.megahertz) {
        let who = case.groups.all[of.group].who();
        let Some(core) = case.open.core else {
            case.ask(format!(
                "How many MHz a core has: the {who} has a hard limit of {} MHz. Add the line \
                 cpu.frequency of nomad node status -verbose.",
                of.mhz
            ));
            continue;
        };
        let group = &mut case.groups.all[of.group];
        group.quota_us = Some(Some((of.mhz / core * of.period_us as f64).round() as u64));
        group.period_us = Some(of.period_us);
        case.assume(format!(
            "{} MHz of the {who} are a share of cores of {core} MHz each.",
            of.mhz
        ));
    }
}
