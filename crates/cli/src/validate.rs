//! `schedscope validate`: checks a scenario file and each of its variants.

use clap::Args;
use schedscope_runs::numbers::counted;
use schedscope_runs::{Failure, Side, Whose};

use crate::remarks;
use crate::results;
use crate::target::find;

/// Arguments of `validate`.
#[derive(Args)]
pub struct Arguments {
    /// A scenario file, a shipped scenario, or a link
    file: String,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = find(&arguments.file)?;
    let base = Side::new(&target, &target.link_set(Whose::Both, &[]))?
        .writing(target.live(Whose::Both, &[]))?;
    remarks::note(&base.prepared.meta.notes);
    let document = target.document()?;
    let variants = &document.presentation.variants;
    for (index, variant) in variants.iter().enumerate() {
        Side::new(&target, &variant.set).map_err(|failure| match failure {
            Failure::Scenario(name, error) => {
                let name = format!("{name}, variant \"{}\"", variant.name);
                Failure::Scenario(name, Box::new(document.placed_in_variant(index, *error)))
            }
            other => other,
        })?;
    }
    for side in (0..2).filter(|_| target.link.is_some()) {
        Side::new(&target, &target.set_of_side(side, variants.get(side)))?
            .writing(target.live(Whose::Side(side), &[]))?;
    }
    // Stoppers are the kernel's.
    let tasks =
        base.prepared.meta.tasks.iter().filter(|task| task.kind != "migration").count() as u64;
    results::print(&format!(
        "{}: valid; {}, {}, {}\n",
        arguments.file,
        counted(u64::from(base.prepared.meta.cpus), "CPU"),
        counted(tasks, "task"),
        counted(variants.len() as u64, "variant")
    ))
}
