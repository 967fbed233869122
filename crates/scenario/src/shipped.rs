//! The scenarios that come with schedscope: one folder each; its story, README.md, is no part of a
//! run.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::document::Document;
use crate::document::parts::{Reference, Source, Variant};
use crate::error::ScenarioError;

/// One shipped scenario.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScenarioEntry {
    /// The folder's name.
    pub slug: String,
    /// The question it answers.
    pub title: String,
    /// Where it comes from.
    pub source: Vec<Source>,
    /// The whole scenario file.
    pub text: String,
    /// Named sets of changes; the first two are A and B.
    pub variants: Vec<Variant>,
    /// Knob paths in the order of importance; the first is the primary one.
    pub knobs: Vec<String>,
    /// Metric paths.
    pub headline: Vec<String>,
    /// What people call a kind of task (`gc_main`) or what it measures (`gc_main.cycle`).
    pub labels: BTreeMap<String, String>,
    /// What the source reports; never our own result.
    pub references: Vec<Reference>,
}

/// The scenario `slug` with its file.
pub fn entry(slug: &str, text: &str) -> Result<ScenarioEntry, ScenarioError> {
    let presentation = Document::read(text)?.presentation;
    Ok(ScenarioEntry {
        slug: slug.to_owned(),
        title: presentation.title,
        source: presentation.source,
        text: text.to_owned(),
        variants: presentation.variants,
        knobs: presentation.knobs,
        headline: presentation.headline,
        labels: presentation.labels,
        references: presentation.references,
    })
}

/// Every scenario under `folder`, by name; a folder without `scenario.json` is no scenario.
///
/// Errors name the file that cannot be read or is invalid.
pub fn shipped(folder: &Path) -> Result<Vec<ScenarioEntry>, String> {
    let listing =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<_> = listing
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.join("scenario.json").is_file())
        .collect();
    paths.sort();
    let read = |path: &Path| {
        let slug = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let file = path.join("scenario.json");
        let text = std::fs::read_to_string(&file)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        entry(slug, &text).map_err(|error| format!("{}: {error}", file.display()))
    };
    paths.iter().map(|path| read(path)).collect()
}
