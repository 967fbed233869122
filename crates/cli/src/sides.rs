//! `--variant`, `--a` and `--b`: the two sides of a comparison.

use schedscope_runs::sides::{Arm, Sides};
use schedscope_runs::target::parse_sets;
use schedscope_runs::{Failure, Target};

use crate::changes::Changes;
use crate::remarks;

/// Both sides, from the flags of each and those of both.
pub fn arms(
    target: &Target,
    variants: &[String],
    [a, b]: [&[String]; 2],
    changes: &Changes,
) -> Result<[Arm; 2], Failure> {
    Sides { variants, a: &parse_sets(a)?, b: &parse_sets(b)? }.arms(target, &changes.read()?)
}

/// Remarks on each side, to stderr.
pub fn say_notes<'a>(arms: impl IntoIterator<Item = &'a Arm>) {
    for arm in arms {
        for note in &arm.side.prepared.meta.notes {
            remarks::say(&format!("note: {}: {note}", arm.name));
        }
    }
}
