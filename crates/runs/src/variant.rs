//! A variant of a scenario by its name.

use schedscope_scenario::{Variant, nearest};

use crate::failure::Failure;
use crate::target::Target;

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
