//! Commands of kubectl that set CPU time, and those that print what other forms read.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::words::amounts::quoted;
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::{marks::unwrapped, paste::Piece};

use super::kubernetes::{Of, Stated, add};

pub(super) const FORM: Form = Form {
    name: "kubectl",
    title: "kubectl set resources, run, patch",
    example: "kubectl set resources deployment/web -c nginx --limits=cpu=500m --requests=cpu=250m",
    read,
};

/// Options whose value is the next word.
const VALUED: &[&str] = &[
    "-c",
    "-f",
    "-l",
    "-n",
    "-o",
    "-p",
    "--cluster",
    "--container",
    "--containers",
    "--context",
    "--env",
    "--field-selector",
    "--filename",
    "--image",
    "--kubeconfig",
    "--labels",
    "--limits",
    "--namespace",
    "--output",
    "--patch",
    "--port",
    "--requests",
    "--restart",
    "--selector",
    "--server",
    "--subresource",
    "--type",
    "--user",
];

/// A command's words, options apart.
struct Words<'w> {
    bare: Vec<&'w str>,
    values: Vec<(&'w str, &'w str)>,
}

impl<'w> Words<'w> {
    fn of(words: &'w [String]) -> Self {
        let mut all = Self { bare: Vec::new(), values: Vec::new() };
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            match word.split_once('=') {
                _ if word == "--" => break,
                Some((option, value)) if word.starts_with('-') => all.values.push((option, value)),
                _ if VALUED.contains(&word) => {
                    all.values.push((word, words.next().unwrap_or_default()));
                }
                _ if !word.starts_with('-') => all.bare.push(word),
                _ => {}
            }
        }
        all
    }

    fn value(&self, options: &[&str]) -> Option<&'w str> {
        let mut all = self.values.iter().rev();
        all.find(|(option, _)| options.contains(option)).map(|(_, value)| *value)
    }
}

/// `Defaulted container "shop" out of: shop, istio-proxy`: whose counters follow.
fn defaulted(text: &str, case: &mut Case) -> Option<Note> {
    let rest = text.strip_prefix("Defaulted container \"")?;
    let (container, _) = rest.split_once('"')?;
    let pod = case.groups.turned_to().map_or_else(String::new, |pod| format!("{pod}/"));
    case.groups.turn_to(Some(&format!("{pod}{container}")));
    case.groups.current().kind = "container";
    Some(Note::used(format!("what follows is of the container {}", quoted(container))))
}

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some(text) = piece.text() {
        return defaulted(text, case);
    }
    let words = unwrapped(&piece.pipeline()?[0].words);
    let (program, rest) = words.split_first()?;
    match program.rsplit('/').next()? {
        "kubectl" | "oc" => {}
        "helm" => return helm(rest, case),
        _ => return None,
    }
    if let Some(inner) = rest.iter().position(|word| word == "--") {
        let words = Words::of(&rest[..inner]);
        let pod = words.bare.get(1).map(|pod| pod.rsplit('/').next().unwrap_or(pod));
        let container = words.value(&["-c", "--container"]);
        let (name, kind) = match (pod, container) {
            (Some(pod), Some(container)) => (Some(format!("{pod}/{container}")), "container"),
            (pod, _) => (pod.map(str::to_owned), "Pod"),
        };
        return super::cfs::inside(name.as_deref(), kind, unwrapped(&rest[inner + 1..]), case);
    }
    let words = Words::of(rest);
    match words.bare.first().copied()? {
        "set" if words.bare.get(1) == Some(&"resources") => {
            Some(set(&words, &words.bare[2..], case))
        }
        "run" => {
            let name = words.bare.get(1).copied();
            Some(stated(&words, name, name.map(|name| format!("Pod/{name}")), case))
        }
        "patch" => Some(patch(&words, case)),
        "autoscale" => Some(Note::left_out("changes the number of Pods, and no limit")),
        "apply" | "create" if words.value(&["-f", "--filename"]).is_some() => {
            Some(Note::left_out("applies a file that is not here: add the file's text"))
        }
        "describe" | "get" | "top" | "edit" | "explain" => {
            Some(Note::left_out("prints what the next lines say"))
        }
        _ => None,
    }
}

fn set(words: &Words<'_>, object: &[&str], case: &mut Case) -> Note {
    let owner = match object {
        [object, ..] if object.contains('/') => Some((*object).to_owned()),
        [kind, name, ..] => Some(format!("{kind}/{name}")),
        _ => None,
    };
    let container = words.value(&["-c", "--containers"]).filter(|name| *name != "*");
    stated(words, container, owner, case)
}

/// `--limits=cpu=500m,memory=1Gi`.
fn stated(words: &Words<'_>, name: Option<&str>, owner: Option<String>, case: &mut Case) -> Note {
    let cpu = |option: &str| {
        let list = words.value(&[option])?;
        list.split(',').find_map(|part| part.trim().strip_prefix("cpu=")).map(str::to_owned)
    };
    let (limit, request) = (cpu("--limits"), cpu("--requests"));
    if limit.is_none() && request.is_none() {
        return Note::left_out("sets no CPU time");
    }
    let of = if name.is_none() { Of::Each } else { Of::Container };
    let name = name.map(str::to_owned);
    add(&[Stated { name, owner, limit, request, of, pod: None }], case)
}

/// The patch is a part of the object.
fn patch(words: &Words<'_>, case: &mut Case) -> Note {
    const UNREAD: &str = "a patch that cannot be read here";
    let Some(text) = words.value(&["-p", "--patch"]) else { return Note::left_out(UNREAD) };
    let Ok(value) = serde_json::from_str::<Value>(text) else { return Note::left_out(UNREAD) };
    if let Some(steps) = value.as_array() {
        return steps_of(steps, case);
    }
    super::kubernetes::document_of(&value, &BTreeMap::new(), case)
        .unwrap_or_else(|| Note::left_out("its patch sets no CPU time"))
}

/// A JSON patch: `[{"op": "replace", "path": "/…/resources/limits/cpu", "value": "1"}]`.
fn steps_of(steps: &[Value], case: &mut Case) -> Note {
    let value = |end: &str| {
        let mut steps = steps.iter().take(100);
        steps.find_map(|step| {
            let path = step.get("path")?.as_str()?;
            path.ends_with(end).then(|| crate::words::tree::text(step, &["value"]))?
        })
    };
    let (limit, request) = (value("/limits/cpu"), value("/requests/cpu"));
    if limit.is_none() && request.is_none() {
        return Note::left_out("its patch sets no CPU time");
    }
    add(&[Stated { limit, request, ..Stated::default() }], case)
}

/// `helm upgrade web ./chart --set web.resources.limits.cpu=500m`.
fn helm(words: &[String], case: &mut Case) -> Option<Note> {
    let pairs = words.iter().flat_map(|word| word.trim_start_matches("--set=").split(','));
    let mut all: Vec<Stated> = Vec::new();
    for (key, value) in pairs.filter_map(|pair| pair.split_once('=')) {
        let Some((name, what)) = ["limits.cpu", "requests.cpu"]
            .into_iter()
            .find_map(|what| Some((key.strip_suffix(what)?.trim_end_matches('.'), what)))
        else {
            continue;
        };
        let name = name.strip_suffix("resources").unwrap_or(name).trim_end_matches('.');
        let name = (!name.is_empty()).then(|| name.to_owned());
        let at = all.iter().position(|stated| stated.name == name).unwrap_or_else(|| {
            all.push(Stated { name: name.clone(), ..Stated::default() });
            all.len() - 1
        });
        let place = if what == "limits.cpu" { &mut all[at].limit } else { &mut all[at].request };
        *place = Some(value.to_owned());
    }
    if all.is_empty() {
        return Some(Note::left_out("its values are not here: add the text of the values file"));
    }
    Some(add(&all, case))
}
