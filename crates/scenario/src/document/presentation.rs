//! The parts of a scenario file that say how it is shown: title, source, variants, offered knobs,
//! headline, labels, references.
//!
//! None of them changes a run.

use super::labels;
use super::parts::{Presentation, Reference, Source, Variant};
use crate::cgroups::path::one_spelling;
use crate::error::Fault;
use crate::knobs::all::lookup;
use crate::knobs::setting::typed;
use crate::metrics::names::MetricNames;
use crate::metrics::{is_metric, nearest_metric};
use crate::reading::json::{Node, Value, at_path, join};
use crate::reading::values::{integer, known_object, list, missing, object, text};
use crate::text::readable as shorten;
use crate::{steps, version};

/// Keys of a scenario file. `duration` may also be `duration_ns` or `duration_us`.
pub(crate) const TOP_KEYS: &[&str] = &[
    "$schema",
    "schema",
    "title",
    "source",
    "seed",
    "duration",
    "duration_ns",
    "duration_us",
    "machine",
    "kernel",
    "cgroups",
    "workload",
    "variants",
    "knobs",
    "headline",
    "labels",
    "references",
    "steps",
];

pub(crate) use super::labels::LABEL_MAX;

/// Sources of a scenario at most.
pub(crate) const SOURCES_MAX: usize = 8;

/// Reads and checks the presentation parts and the keys at the top.
pub(crate) fn read(root: &Node) -> Result<Presentation, Fault> {
    known_object(root, "", TOP_KEYS)?;
    if let Some(schema) = root.member("$schema") {
        text(&schema.value, "$schema")?;
    }
    let schema = root.member("schema").ok_or_else(|| {
        missing(root, "", "schema", "\"schema\": 1, the form of scenario files this program reads")
    })?;
    integer(&schema.value, "schema", 1, 1)
        .map_err(|fault| fault.expected("1, the only form of scenario files so far"))?;
    let title = root
        .member("title")
        .ok_or_else(|| missing(root, "", "title", "the question the scenario answers"))?;
    steps::check::check(root)?;
    Ok(Presentation {
        title: text(&title.value, "title")?.to_owned(),
        source: sources(root)?,
        variants: optional(root, "variants", 16, variant)?,
        knobs: optional(root, "knobs", 64, offered_knob)?,
        headline: optional(root, "headline", 8, metric)?,
        labels: labels::read(root)?,
        references: optional(root, "references", 64, reference)?,
    })
    .and_then(|presentation| unique_variants(root, presentation))
    .map(|mut presentation| {
        version::complete(root, &mut presentation.variants);
        presentation
    })
}

fn optional<T>(
    root: &Node,
    key: &str,
    most: usize,
    read: impl Fn(&Node, &str) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let Some(member) = root.member(key) else { return Ok(Vec::new()) };
    let elements = list(&member.value, key, most)?.iter().enumerate();
    elements.map(|(index, element)| read(element, &format!("{key}[{index}]"))).collect()
}

/// Where the scenario comes from. A text is the form before sources had addresses: the title of one
/// source. An object alone is a list of one.
fn sources(root: &Node) -> Result<Vec<Source>, Fault> {
    const KEY: &str = "source";
    let Some(member) = root.member(KEY) else { return Ok(Vec::new()) };
    let node = &member.value;
    let mut sources = Vec::new();
    match &node.value {
        Value::Text(title) if title.is_empty() => {}
        Value::Text(_) => sources.push(Source { title: text(node, KEY)?.into(), ..<_>::default() }),
        Value::Object(_) => sources.push(source(node, KEY)?),
        _ => {
            for (index, element) in list(node, KEY, SOURCES_MAX)?.iter().enumerate() {
                sources.push(source(element, &format!("{KEY}[{index}]"))?);
            }
        }
    }
    Ok(sources)
}

fn source(node: &Node, path: &str) -> Result<Source, Fault> {
    let mut source = Source::default();
    for member in known_object(node, path, &["id", "title", "url"])? {
        let said = text(&member.value, &join(path, &member.key))?;
        match member.key.as_str() {
            "id" => source.id = said.into(),
            "title" => source.title = said.into(),
            _ if said.starts_with("https://") && !said.contains(' ') => source.url = said.into(),
            _ => {
                let fault = Fault::new(member.at, join(path, "url"), "it cannot be opened");
                return Err(fault.expected("https://…"));
            }
        }
    }
    if source.title.is_empty() {
        return Err(missing(node, path, "title", "what the source is called"));
    }
    Ok(source)
}

fn variant(node: &Node, path: &str) -> Result<Variant, Fault> {
    known_object(node, path, &["name", "called", "set"])?;
    let name =
        node.member("name").ok_or_else(|| missing(node, path, "name", "the variant's name"))?;
    let set = node.member("set").ok_or_else(|| {
        missing(node, path, "set", "an object of knob paths and values, perhaps empty")
    })?;
    let set_path = join(path, "set");
    let mut changes: Vec<(String, serde_json::Value)> = Vec::new();
    for member in object(&set.value, &set_path)? {
        let knob = lookup(&member.key, member.at)?;
        let is_same = |key: &str| one_spelling(key) == one_spelling(&member.key);
        if let Some((twin, _)) = changes.iter().find(|(key, _)| is_same(key)) {
            let message = format!("it is set twice, as {} too", shorten(twin));
            return Err(Fault::new(member.at, &member.key, message).expected("every knob once"));
        }
        typed(knob, &member.value).map_err(|fault| fault.of_group(&member.key))?;
        changes.push((member.key.clone(), member.value.to_json()));
    }
    let called = match node.member("called") {
        Some(member) => text(&member.value, &join(path, "called"))?.to_owned(),
        None => String::new(),
    };
    Ok(Variant { name: text(&name.value, &join(path, "name"))?.to_owned(), called, set: changes })
}

fn unique_variants(root: &Node, presentation: Presentation) -> Result<Presentation, Fault> {
    let mut seen = std::collections::BTreeSet::new();
    for (index, variant) in presentation.variants.iter().enumerate() {
        if !seen.insert(variant.name.as_str()) {
            let at = root.member("variants").and_then(|member| member.at);
            return Err(Fault::new(
                at,
                format!("variants[{index}].name"),
                format!("two variants are called \"{}\"", shorten(&variant.name)),
            )
            .expected("a name that no other variant has"));
        }
    }
    Ok(presentation)
}

fn offered_knob(node: &Node, path: &str) -> Result<String, Fault> {
    let name = text(node, path)?;
    lookup(name, node.at)?;
    Ok(name.to_owned())
}

fn metric(node: &Node, path: &str) -> Result<String, Fault> {
    let name = text(node, path)?;
    if is_metric(name) {
        return Ok(name.to_owned());
    }
    let near = nearest_metric(name);
    Err(Fault::new(node.at, path, format!("there is no metric \"{}\"", shorten(name)))
        .expected("a path inside `metrics` of a report, such as rq_lock.max_waiters")
        .suggest(near))
}

/// Refuses figures of tasks, kinds and groups that the scenario does not have, in its headline and
/// among its references, and labels of what it does not have.
pub(crate) fn check_names(
    root: &Node,
    presentation: &Presentation,
    names: &MetricNames,
) -> Result<(), Fault> {
    labels::check_names(root, names)?;
    let headline = presentation
        .headline
        .iter()
        .enumerate()
        .map(|(index, metric)| (format!("headline[{index}]"), metric));
    let references = presentation.references.iter().enumerate();
    let references = references
        .map(|(index, reference)| (format!("references[{index}].metric"), &reference.metric));
    match headline.chain(references).find(|(_, metric)| !names.can_hold(metric)) {
        None => Ok(()),
        Some((path, metric)) => {
            let at = at_path(root, &path).and_then(|node| node.at);
            Err(Fault::new(
                at,
                path,
                format!("the scenario has nothing that \"{}\" measures", shorten(metric)),
            )
            .expected("the name of one of its tasks, kinds or groups")
            .suggest(names.nearest(metric)))
        }
    }
}

fn reference(node: &Node, path: &str) -> Result<Reference, Fault> {
    const KEYS: &[&str] = &["metric", "label", "low", "high", "source"];
    const MAX: i64 = (1 << 53) - 1;
    known_object(node, path, KEYS)?;
    let get = |key: &str| {
        node.member(key)
            .map(|member| &member.value)
            .ok_or_else(|| missing(node, path, key, "metric, label, low, high and source"))
    };
    let low = integer(get("low")?, &join(path, "low"), 0, MAX)?;
    Ok(Reference {
        metric: metric(get("metric")?, &join(path, "metric"))?,
        label: text(get("label")?, &join(path, "label"))?.to_owned(),
        low,
        high: integer(get("high")?, &join(path, "high"), low, MAX)?,
        source: text(get("source")?, &join(path, "source"))?.to_owned(),
    })
}
