//! `--variant`: a variant of the scenario by its name, for the commands that make one run.

use clap::Args;
use schedscope_scenario::{Variant, nearest};

use crate::changes::Changes;
use crate::failure::Failure;
use crate::side::Side;
use crate::target::{Set, Target, Whose};

/// Which variant a run starts from.
#[derive(Args)]
pub struct OfVariant {
    /// Start from this variant of the scenario, to which --set is added; a wrong name lists them
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    variant: Option<String>,
}

impl OfVariant {
    /// The variant of that name, for a command that reads the flag itself.
    pub fn named(variant: Option<String>) -> Self {
        Self { variant }
    }

    /// The changes to the scenario's file, in order: the variant, the link's changes for both
    /// sides, then the flags. Without a name no variant applies.
    pub fn sets(&self, target: &Target, changes: &Changes) -> Result<Set, Failure> {
        let mut set = self.variant(target)?.map(|(_, variant)| variant.set).unwrap_or_default();
        set.extend(target.link_set(Whose::Both, &set));
        set.extend(changes.sets()?);
        Ok(set)
    }

    /// A run of the target, with the link's writes to both sides.
    pub fn side(&self, target: &Target, changes: &Changes) -> Result<Side, Failure> {
        target.note_sides();
        let alone = if changes.count() == 0 { self.variant(target)? } else { None };
        let live = target.live(Whose::Both, &changes.live);
        let side = Side::new(target, &self.sets(target, changes)?)
            .map_err(|failure| placed(failure, target, alone.map(|(index, _)| index)))?;
        Ok(side.writing(live)?.limited_by(changes.limits()))
    }

    fn variant(&self, target: &Target) -> Result<Option<(usize, Variant)>, Failure> {
        self.variant.as_ref().map(|name| named(target, name)).transpose()
    }
}

/// The variant of that name and its place among the scenario's; a wrong name is refused with those
/// there are.
pub fn named(target: &Target, name: &str) -> Result<(usize, Variant), Failure> {
    let variants = &target.document()?.presentation.variants;
    let names = || variants.iter().map(|variant| variant.name.as_str());
    let Some(index) = names().position(|each| each == name) else {
        let list = names().map(|each| format!("\"{each}\"")).collect::<Vec<_>>().join(", ");
        let expected = match variants.len() {
            0 => "no --variant: the scenario has none".to_owned(),
            _ => list,
        };
        let near = nearest(name, names())
            .map_or_else(String::new, |near| format!("\n  did you mean: {near}"));
        return Err(Failure::usage(format!(
            "{} has no variant \"{name}\"\n  expected: {expected}{near}",
            target.name
        )));
    };
    Ok((index, variants[index].clone()))
}

/// Gives a fault of a variant the place of the variant's text in the file.
pub fn placed(failure: Failure, target: &Target, variant: Option<usize>) -> Failure {
    match (failure, variant, target.document()) {
        (Failure::Scenario(name, error), Some(index), Ok(document)) => {
            Failure::Scenario(name, Box::new(document.placed_in_variant(index, *error)))
        }
        (other, ..) => other,
    }
}
