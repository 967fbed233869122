//! The shipped scenarios with their claims.

use std::path::Path;

use serde_json::Value;

use crate::table::{Claim, Table};

/// A shipped scenario and its claims.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The folder's name.
    pub slug: String,
    /// The scenario file.
    pub text: String,
    /// The claims of the scenario.
    pub table: Table,
}

impl Scenario {
    /// The changes that a variant of that name makes.
    pub(crate) fn variant(&self, name: Option<&str>) -> Result<Vec<(String, Value)>, String> {
        let Some(name) = name else { return Ok(Vec::new()) };
        let document: Value =
            serde_json::from_str(&self.text).map_err(|error| format!("{}: {error}", self.slug))?;
        let variants = document["variants"].as_array().map_or(&[][..], Vec::as_slice);
        let found = variants
            .iter()
            .find(|variant| variant["name"] == name)
            .and_then(|variant| variant["set"].as_object());
        let set = found.ok_or_else(|| format!("{}: there is no variant \"{name}\"", self.slug))?;
        Ok(set.iter().map(|(path, value)| (path.clone(), value.clone())).collect())
    }

    pub fn claim(&self, name: &str) -> Option<&Claim> {
        self.table.claims.iter().find(|claim| claim.name == name)
    }
}

/// Every scenario below `folder` that has claims, by name.
///
/// Errors name the file that cannot be read or is invalid.
pub fn shipped(folder: &Path) -> Result<Vec<Scenario>, String> {
    let at = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let listing = std::fs::read_dir(folder).map_err(|error| at(folder, &error))?;
    let mut paths: Vec<_> = listing
        .filter_map(|entry| entry.ok().map(|entry| entry.path().join("claims.json")))
        .collect();
    paths.sort();
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| at(path, &error));
    let scenario = |path: &Path| {
        let parent = path.parent().unwrap_or(folder);
        let table = Table::read(&read(path)?).map_err(|error| at(path, &error))?;
        let slug = parent.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        Ok(Scenario { slug: slug.to_owned(), text: read(&parent.join("scenario.json"))?, table })
    };
    paths.iter().filter(|path| path.is_file()).map(|path| scenario(path)).collect()
}
