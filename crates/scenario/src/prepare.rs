//! The way from a scenario's text and the changes laid over it to a run that can start, or to one
//! fault with its place.

mod keys;
mod resolved;

use serde_json::Value;

use crate::changes;
use crate::document::parts::Presentation;
use crate::document::{Document, presentation};
use crate::error::{Fault, ScenarioError};
use crate::metrics::names::MetricNames;
use crate::prepared::Prepared;
use crate::reading::json::Node;
use crate::steps;
use resolved::Resolved;

/// Reads the scenario `text` called `slug` with `set` laid over it, in order: once, for one run.
///
/// The knob's type decides how a string in `set` is read (`"96"` as a number); a number where a
/// text is needed is refused. Errors about values of `set` have a path but no line.
pub fn prepare(slug: &str, text: &str, set: &[(String, Value)]) -> Result<Prepared, ScenarioError> {
    let mut document = Document::read(text)?;
    let mut run = || match document.unchanged(slug, set)? {
        Some(run) => Ok(run),
        // The changes go into the document's own tree: the page's module has no room for a copy.
        None => changed(&mut document.root, &document.presentation, slug, set),
    };
    run().map_err(|fault| document.locate(fault))
}

impl Document {
    /// A run of the scenario, which is called `slug`, with `set` laid over it as [`prepare`] does.
    /// The document stays as it is, and further runs can be made of it.
    pub fn prepare(&self, slug: &str, set: &[(String, Value)]) -> Result<Prepared, ScenarioError> {
        let run = || match self.unchanged(slug, set)? {
            Some(run) => Ok(run),
            None => changed(&mut self.root.clone(), &self.presentation, slug, set),
        };
        run().map_err(|fault| self.locate(fault))
    }

    /// The run as the text states it; None if `set` changes it.
    ///
    /// With changes the text is resolved too, so that they cannot hide a mistake in it, and the
    /// judgement is kept in `sound` for the runs that follow. Without changes the run itself is
    /// the judgement. It leaves `sound` empty, because a run with changes may never follow.
    fn unchanged(&self, slug: &str, set: &[(String, Value)]) -> Result<Option<Prepared>, Fault> {
        if set.is_empty() {
            let run = self.as_written()?.described(slug, set, &self.presentation.labels);
            return Ok(Some(run));
        }
        self.sound.get_or_init(|| self.as_written().map(drop)).clone()?;
        Ok(None)
    }

    fn as_written(&self) -> Result<Resolved<'_>, Fault> {
        keys::check(&self.root)?;
        let resolved = Resolved::new(&self.root, Vec::new())?;
        let names = MetricNames::of(&resolved.setup);
        presentation::check_names(&self.root, &self.presentation, &names)?;
        steps::check::check_names(&self.root, &resolved.setup, &names)?;
        Ok(resolved)
    }
}

/// A run of the sound tree `root`, over which `set` is laid.
fn changed(
    root: &mut Node,
    presentation: &Presentation,
    slug: &str,
    set: &[(String, Value)],
) -> Result<Prepared, Fault> {
    let remarks = changes::lay_over(root, set)?;
    Ok(Resolved::new(root, remarks)?.described(slug, set, &presentation.labels))
}
