//! Limits of LXD, Incus and Proxmox: `limits.cpu.allowance` as a time is a quota, as percent a
//! weight; `limits.cpu` is a number of CPUs or a list; `cpulimit`, `cores` and `cpuunits` of
//! Proxmox.

use serde_json::{Map, Value};

use crate::words::amounts::{self, quoted};
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::group::Group;
use crate::words::limit::PERIOD_US;
use crate::words::quantity;
use crate::words::tree;
use crate::words::{marks::unwrapped, paste::Piece};

pub(super) const FORM: Form = Form {
    name: "lxd",
    title: "limits of LXD, Incus and Proxmox",
    example: "lxc config set web limits.cpu.allowance 50ms/200ms",
    read,
};

/// Keys that say that the block is of LXD.
const OF_LXD: &[&str] =
    &["config", "devices", "profiles", "limits.cpu.allowance", "limits.cpu.priority"];
/// Keys of Proxmox.
const OF_PROXMOX: &[&str] = &["cpulimit", "cpuunits"];

/// What a container is set to.
type Settings = Vec<(String, String)>;

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some(pipeline) = piece.pipeline() {
        return command(unwrapped(&pipeline[0].words), case);
    }
    if let Some(document) = piece.document() {
        let root = document.value().as_object()?;
        return of_proxmox(root, case).or_else(|| of_lxd(root, case));
    }
    let text = piece.text()?;
    let (key, value) = text.split_once([':', '='])?;
    let key = key.trim().trim_matches(['"', '\'']);
    let value = value.trim().trim_end_matches(',').trim_matches(['"', '\'']);
    let is_list = key == "limits.cpu" && !value.contains('m') && value.contains(['-', ',']);
    (key.starts_with("limits.cpu.") || is_list)
        .then(|| stated(None, &vec![(key.to_owned(), value.to_owned())], case))
}

/// `lxc config set NAME KEY VALUE`, `lxc launch IMAGE NAME -c KEY=VALUE`, `pct set 101 --cpulimit
/// 0.5`.
fn command(words: &[String], case: &mut Case) -> Option<Note> {
    let (program, rest) = words.split_first()?;
    let word = |at: usize| rest.get(at).map(String::as_str);
    match program.rsplit('/').next()? {
        "lxc" | "incus" => {
            let settings = match (word(0)?, word(1)) {
                ("config", Some("set")) => match (word(3)?.split_once('='), word(4)) {
                    (None, Some(value)) => vec![(word(3)?.to_owned(), value.to_owned())],
                    _ => pairs(&rest[3..]),
                },
                ("config", Some("show")) => {
                    return Some(Note::left_out("prints what the next lines say"));
                }
                ("launch" | "init" | "create", _) => pairs(rest),
                _ => return None,
            };
            let name = if word(0) == Some("config") {
                word(2)
            } else {
                rest.iter().filter(|word| !word.starts_with('-')).nth(2).map(String::as_str)
            };
            let name = name.filter(|name| !name.contains('='));
            let settings: Settings =
                settings.into_iter().filter(|(key, _)| key.starts_with("limits.cpu")).collect();
            if settings.is_empty() {
                return Some(Note::left_out("sets no CPU time"));
            }
            Some(stated(name, &settings, case))
        }
        "pct" | "qm" => {
            if !matches!(word(0)?, "set" | "create") {
                return Some(Note::left_out("prints what the next lines say"));
            }
            let mut root = Map::new();
            for pair in rest.windows(2) {
                let key = pair[0].trim_start_matches('-');
                if pair[0].starts_with('-') && !key.is_empty() {
                    root.insert(key.to_owned(), Value::from(pair[1].as_str()));
                }
            }
            root.insert("hostname".to_owned(), Value::from(word(1)?));
            of_proxmox(&root, case).or_else(|| Some(Note::left_out("sets no CPU time")))
        }
        _ => None,
    }
}

fn pairs(words: &[String]) -> Settings {
    let pairs = words.iter().filter_map(|word| word.split_once('='));
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// A block of LXD; none where nothing in it is LXD's alone.
fn of_lxd(root: &Map<String, Value>, case: &mut Case) -> Option<Note> {
    let config = root.get("config").and_then(Value::as_object).unwrap_or(root);
    let settings: Settings = config
        .iter()
        .filter(|(key, _)| key.starts_with("limits.cpu"))
        .filter_map(|(key, value)| Some((key.clone(), tree::scalar(value)?)))
        .collect();
    let is_pinned = |(key, value): &(String, String)| {
        key == "limits.cpu" && value.contains(['-', ',']) && !value.contains('m')
    };
    let is_ours =
        OF_LXD.iter().any(|key| root.contains_key(*key)) || settings.iter().any(is_pinned);
    if settings.is_empty() || !is_ours {
        return None;
    }
    let name = root.get("name").and_then(tree::scalar);
    Some(stated(name.as_deref(), &settings, case))
}

/// The group of an instance.
fn stated(name: Option<&str>, settings: &Settings, case: &mut Case) -> Note {
    let name = name.map(str::to_owned);
    let mut group = Group { name, kind: "container", ..Group::default() };
    let who = group.who();
    let value = |key: &str| {
        let mut all = settings.iter().rev();
        all.find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    };
    match value("limits.cpu.allowance") {
        None => group.quota_us = Some(None),
        Some(text) if text.ends_with('%') => {
            group.quota_us = Some(None);
            group.remark(format!(
                "limits.cpu.allowance {} of the {who} is a weight, no limit: it counts only where \
                 CPUs are short. A time, such as 50ms/100ms, is a limit.",
                quoted(text)
            ));
        }
        Some(text) => match times(text) {
            Some((quota_us, period_us)) => {
                group.quota_us = Some(Some(quota_us));
                group.period_us = Some(period_us);
            }
            None => {
                group.wrong = Some(format!(
                    "limits.cpu.allowance of the {who} is {}; expected a time in a time such as \
                     50ms/200ms, or percent.",
                    quoted(text)
                ));
            }
        },
    }
    match value("limits.cpu") {
        None => {}
        Some(list) if list.contains(['-', ',']) => group.on_cpus(list),
        Some(count) => {
            group.remark(format!(
                "limits.cpu {} of the {who} is a number of CPUs that it may run on, no quota.",
                quoted(count)
            ));
            group.on_so_many(count);
        }
    }
    if let Some(priority) = value("limits.cpu.priority") {
        group.remark(format!("limits.cpu.priority {} is left out.", quoted(priority)));
    }
    case.groups.put(group);
    let keys: Vec<String> = settings.iter().map(|(key, _)| key.clone()).collect();
    Note::used(format!("{} of the {who}", amounts::listed(&keys)))
}

/// `50ms/200ms` in us.
fn times(text: &str) -> Option<(u64, u64)> {
    let (quota, period) = text.split_once('/')?;
    let us = |text: &str| quantity::time_us(text.trim(), "ms").filter(|us| *us < 1e12);
    Some((us(quota)?.round() as u64, us(period)?.round() as u64))
}

/// Lines of a container or a machine of Proxmox.
fn of_proxmox(root: &Map<String, Value>, case: &mut Case) -> Option<Note> {
    if !OF_PROXMOX.iter().any(|key| root.contains_key(*key)) {
        return None;
    }
    let text = |key: &str| root.get(key).and_then(tree::scalar);
    let name = text("hostname").or_else(|| text("name"));
    let kind = if root.contains_key("sockets") { "machine" } else { "container" };
    let mut group = Group { name, kind, ..Group::default() };
    let who = group.who();
    match text("cpulimit").as_deref() {
        None | Some("0") => group.quota_us = Some(None),
        Some(limit) => match quantity::decimal(limit).filter(|cpus| *cpus > 0.0) {
            Some(cpus) => {
                group.quota_us = Some(Some((cpus * PERIOD_US as f64).round() as u64));
                group.period_us = Some(PERIOD_US);
            }
            None => {
                group.wrong = Some(format!(
                    "cpulimit of the {who} is {}; expected a number of CPUs such as 0.5.",
                    quoted(limit)
                ));
            }
        },
    }
    if let Some(units) = text("cpuunits") {
        match quantity::count(&units).filter(|units| (1..=10_000).contains(units)) {
            Some(units) => group.weight = Some(units),
            None => group.remark(format!("cpuunits {} is left out.", quoted(&units))),
        }
    }
    if let Some(cores) = text("cores") {
        group.remark(format!("The {who} has {cores} cores: so many CPUs it may run on."));
        group.on_so_many(&cores);
    }
    case.groups.put(group);
    Some(Note::used(format!("CPU time of the {who}")))
}
