//! What a Python caller asks of a run besides its scenario, as the command's flags mean it.

use std::path::Path;

use pyo3::prelude::*;
use schedscope_cli::changes::parse_size;
use schedscope_runs::execute::Limits;
use schedscope_runs::numbers::counted;
use schedscope_runs::target::{costs_of, parse_sets};
use schedscope_runs::{Changes, Failure, Set, Target, live};
use schedscope_scenario::{costs_of_file, json_value};

/// A scenario and what is asked of its runs.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Asked {
    /// A name, a file or a link; the name of `text` if there is one.
    scenario: String,
    /// The scenario itself.
    text: Option<String>,
    /// The variant to start from.
    variant: Option<String>,
    /// Which side of a comparison it is, 0 or 1; none for a run alone.
    pub side: Option<usize>,
    /// Whether a side without a variant starts from the scenario's own variant of that side.
    of_file: bool,
    /// A file of costs.
    costs_file: Option<String>,
    /// Costs as the JSON text of such a file.
    costs: Option<String>,
    /// Changes in order: path, value, and whether the value is JSON; else it is text for its knob.
    set: Vec<(String, String, bool)>,
    /// Writes to the running kernel, `TIME=PATH=VALUE`.
    live: Vec<String>,
    /// Most records.
    max_records: Option<u64>,
    /// Most memory, as the command's flag takes it.
    max_memory: Option<String>,
}

impl Asked {
    /// The scenario.
    ///
    /// # Errors
    /// There is none of that name, or it cannot be read.
    pub fn target(&self) -> Result<Target, Failure> {
        match &self.text {
            Some(text) => Ok(Target::of_text(&self.scenario, text.clone())),
            None => Target::find(&self.scenario),
        }
    }

    /// The variant that its run starts from.
    ///
    /// # Errors
    /// A side is to start from the scenario's own variant, and there is none.
    pub fn variant(&self, target: &Target) -> Result<Option<String>, Failure> {
        let Some(side) = self.side.filter(|_| self.of_file && self.variant.is_none()) else {
            return Ok(self.variant.clone());
        };
        let variants = &target.document()?.presentation.variants;
        if variants.len() < 2 && target.link.is_none() {
            return Err(Failure::usage(format!(
                "{} has {}: say what differs with a={{PATH: VALUE}} and b={{PATH: VALUE}}",
                target.name,
                counted(variants.len() as u64, "variant")
            )));
        }
        Ok(variants.get(side).map(|variant| variant.name.clone()))
    }

    /// Everything that is asked.
    ///
    /// # Errors
    /// A change, a write or a limit that cannot be meant.
    pub fn changes(&self) -> Result<Changes, Failure> {
        let usage = |flag: &str| {
            let flag = flag.to_owned();
            move |what: String| Failure::usage(format!("{flag}: {what}"))
        };
        let mut set = Set::new();
        if let Some(file) = &self.costs_file {
            set.push(costs_of(Path::new(file))?);
        }
        if let Some(text) = &self.costs {
            let costs = costs_of_file(text).map_err(|error| usage("costs")(error.to_string()))?;
            set.push(("machine.costs".to_owned(), costs));
        }
        for (path, value, is_json) in &self.set {
            if *is_json {
                let value =
                    json_value(path, value).map_err(|error| Failure::usage(error.to_string()))?;
                set.push((path.clone(), value));
            } else {
                set.extend(parse_sets(&[format!("{path}={value}")])?);
            }
        }
        let live = self.live.iter().map(|write| live::parse(write).map_err(usage("live")));
        let bytes = self.max_memory.as_deref().map(parse_size).transpose();
        let limits =
            Limits { records: self.max_records, bytes: bytes.map_err(usage("max_memory"))? };
        Ok(Changes { set, live: live.collect::<Result<_, _>>()?, limits })
    }
}
