//! The two sides of a comparison: which changes each is made of.

use schedscope_scenario::{Variant, one_spelling};

use crate::changes::Changes;
use crate::failure::Failure;
use crate::numbers::counted;
use crate::side::Side;
use crate::target::{Set, Target, Whose};
use crate::variant::{named, placed};

/// What was said of the sides; nothing means the scenario's first two variants.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    /// The variants that they start from: one for both, or one for each.
    pub variants: &'a [String],
    /// Changes of side A only.
    pub a: &'a Set,
    /// Changes of side B only.
    pub b: &'a Set,
}

/// One side.
#[derive(Debug)]
pub struct Arm {
    /// `A (pull)`; the letter alone where no variant says what it is.
    pub name: String,
    /// Changes to the scenario's file.
    pub set: Set,
    /// The run, prepared.
    pub side: Side,
}

impl Sides<'_> {
    /// Both sides of `target`, with `changes` laid over each.
    ///
    /// # Errors
    /// Nothing says how they differ, or one of them is invalid.
    pub fn arms(&self, target: &Target, changes: &Changes) -> Result<[Arm; 2], Failure> {
        let variants = &target.document()?.presentation.variants;
        let stated = !self.a.is_empty() || !self.b.is_empty();
        let chosen = self.chosen(target)?;
        let arm = |side: usize, own: &Set| {
            let of_file = if stated { None } else { variants.get(side).map(|each| (side, each)) };
            let variant = chosen
                .get(side)
                .or(chosen.first())
                .map_or(of_file, |(index, variant)| Some((*index, variant)));
            arm(target, changes, (side, own), variant)
        };
        let arms = [arm(0, self.a)?, arm(1, self.b)?];
        if !stated && chosen.is_empty() && variants.len() < 2 && target.link.is_none() {
            return Err(Failure::usage(format!(
                "{} has {}: say what differs with --a PATH=VALUE and --b PATH=VALUE",
                target.name,
                counted(variants.len() as u64, "variant")
            )));
        }
        Ok(arms)
    }

    /// The variants that were named, with their places.
    fn chosen(&self, target: &Target) -> Result<Vec<(usize, Variant)>, Failure> {
        if self.variants.len() > 2 {
            return Err(Failure::usage("--variant is given at most twice: for A, then for B"));
        }
        self.variants.iter().map(|name| named(target, name)).collect()
    }
}

/// The side of that number: its variant, the link's changes, those of both sides, its own.
fn arm(
    target: &Target,
    changes: &Changes,
    (side, own): (usize, &Set),
    variant: Option<(usize, &Variant)>,
) -> Result<Arm, Failure> {
    let (index, variant) = variant.unzip();
    let mut set: Set = variant.map(|variant| variant.set.clone()).unwrap_or_default();
    let stated_last: Set = target
        .link_set(Whose::Side(side), &set)
        .into_iter()
        .chain(changes.set.iter().cloned())
        .chain(own.iter().cloned())
        .collect();
    // A side that says otherwise than its variant no longer goes by the variant's name.
    let as_named = variant.filter(|variant| {
        variant.set.iter().all(|(path, _)| {
            let path = one_spelling(path);
            stated_last.iter().all(|(stated, _)| one_spelling(stated) != path)
        })
    });
    let of_variant = index.filter(|_| stated_last.is_empty());
    set.extend(stated_last);
    let letter = ["A", "B"][side];
    let name = as_named
        .map_or_else(|| letter.to_owned(), |variant| format!("{letter} ({})", variant.name));
    let live = target.live(Whose::Side(side), &changes.live);
    let side = Side::new(target, &set)
        .map_err(|failure| placed(failure, target, of_variant))
        .and_then(|side| side.writing(live))
        .map_err(|failure| if own.is_empty() { failure } else { of_side(failure, letter) })?;
    Ok(Arm { name, set, side: side.limited_by(changes.limits) })
}

/// A fault of a side with flags of its own is named by it: the other side may be sound.
fn of_side(failure: Failure, side: &str) -> Failure {
    match failure {
        Failure::Scenario(name, error) => Failure::Scenario(format!("{name}, side {side}"), error),
        other => other,
    }
}
