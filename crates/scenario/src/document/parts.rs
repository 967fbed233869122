//! The parts of a scenario file that say how it is shown, as they are once read.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::metrics::labelled;

/// A named set of knob changes.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Variant {
    /// Name of the variant, unique in the file.
    pub name: String,
    /// What people call such a machine: `before 4.1`; empty where the name says it.
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "String::is_empty"))]
    pub called: String,
    /// Path and value, in the order of the file.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")
    )]
    pub set: Vec<(String, serde_json::Value)>,
}

impl Variant {
    /// Whether it sets the knob at `path`.
    pub(crate) fn states(&self, path: &str) -> bool {
        self.set.iter().any(|(stated, _)| stated == path)
    }
}

impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Set<'v>(&'v [(String, serde_json::Value)]);
        impl Serialize for Set<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|(path, value)| (path, value)))
            }
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        if !self.called.is_empty() {
            map.serialize_entry("called", &self.called)?;
        }
        map.serialize_entry("set", &Set(&self.set))?;
        map.end()
    }
}

/// Where a scenario comes from: a discussion, a commit, an issue, a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// The short name under which docs/model/sources.md has it, or a commit: `Rostedt 2015`. May be
    /// empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// What it is called, and what of it is meant.
    pub title: String,
    /// Where it can be opened, `https://`, or empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub url: String,
}

/// A figure the source reports, drawn beside the model's and always labelled as the source's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reference {
    /// The metric it belongs to: `rq_lock.max_waiters`.
    pub metric: String,
    /// What the source says, in a few words.
    pub label: String,
    /// Lower end, in the metric's unit.
    pub low: i64,
    /// Upper end, in the metric's unit.
    pub high: i64,
    /// Who says so.
    pub source: String,
}

/// How a scenario is shown.
#[derive(Clone, Debug, Default)]
pub struct Presentation {
    /// The question it answers.
    pub title: String,
    /// Where it comes from.
    pub source: Vec<Source>,
    /// Named sets of changes; the first two are A and B.
    pub variants: Vec<Variant>,
    /// Knob paths in the order of importance.
    pub knobs: Vec<String>,
    /// Metric paths.
    pub headline: Vec<String>,
    /// What people call a kind of task or what it measures, by `kind` and `kind.name`.
    pub labels: BTreeMap<String, String>,
    /// The source's own figures.
    pub references: Vec<Reference>,
}

impl Presentation {
    /// A kind of task with what people call it: `gc_main (collector)`; the name alone where it has
    /// no label.
    pub fn kind_in_words(&self, kind: &str) -> String {
        with_label(kind, self.labels.get(kind))
    }

    /// A metric's path with what people call the tasks or the samples it is of.
    pub fn metric_in_words(&self, path: &str) -> String {
        with_label(path, labelled(path).and_then(|name| self.labels.get(name)))
    }
}

fn with_label(name: &str, label: Option<&String>) -> String {
    label.map_or_else(|| name.to_owned(), |label| format!("{name} ({label})"))
}
