//! A scenario's text, read once: a tree that has the place of every value, and how the scenario is
//! shown. Changes are laid over a copy of the tree, or over the tree itself for an only run.

mod labels;
pub(crate) mod parts;
pub(crate) mod presentation;
mod question;

use std::sync::OnceLock;

use serde_json::Value;

use crate::error::{Fault, ScenarioError, line_and_column};
use crate::reading::json::{self, Node};
use crate::version::stated_in_file;
use parts::Presentation;

/// A scenario's text, read: it is JSON, and the parts that only show the scenario are sound.
///
/// Whether it can run is judged when a run is asked for ([`prepare`](Self::prepare)).
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    /// Every value of the text with the byte it starts at.
    pub(crate) root: Node,
    /// How the scenario is shown.
    pub presentation: Presentation,
    /// Whether the scenario can run as the text states it; empty until a change asks for it.
    pub(crate) sound: OnceLock<Result<(), Fault>>,
}

impl Document {
    /// Reads `text` without resolving a run.
    ///
    /// # Errors
    /// The text is no JSON, has an unknown key at the top, or a part that shows the scenario is
    /// wrong; with line and column.
    pub fn read(text: &str) -> Result<Self, ScenarioError> {
        let read = || {
            let root = json::parse(text)?;
            let presentation = presentation::read(&root)?;
            Ok(Self { text: text.to_owned(), root, presentation, sound: OnceLock::new() })
        };
        read().map_err(|fault: Fault| fault.locate(text))
    }

    /// `fault` with line and column in the text.
    pub(crate) fn locate(&self, fault: Fault) -> ScenarioError {
        fault.locate(&self.text)
    }

    /// `error`, which a run with the variant `index` gives, with the place of the variant's own
    /// value if the error has no place.
    pub fn placed_in_variant(&self, index: usize, mut error: ScenarioError) -> ScenarioError {
        let set = json::at_path(&self.root, &format!("variants[{index}].set"));
        let at = set.and_then(|set| set.member(&error.path)).and_then(|member| member.value.at);
        if let (None, Some(at)) = (error.line, at) {
            let (line, column) = line_and_column(&self.text, at);
            (error.line, error.column) = (Some(line), Some(column));
        }
        error
    }

    /// The values that the text states for the switches that follow the kernel's version.
    pub fn stated_switches(&self) -> Vec<(String, Value)> {
        stated_in_file(&self.root)
            .map(|(knob, stated)| (knob.path.to_owned(), stated.setting.to_json()))
            .collect()
    }
}
