//! `--variant`: a variant of the scenario by its name, for the commands that make one run.

use clap::Args;
use schedscope_runs::{Failure, Set, Side, Target};

use crate::changes::Changes;
use crate::remarks;

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

    /// Whether a variant was named.
    pub fn is_named(&self) -> bool {
        self.variant.is_some()
    }

    /// The changes to the scenario's file, in order: the variant, the link's changes for both
    /// sides, then the flags. Without a name no variant applies.
    pub fn sets(&self, target: &Target, changes: &Changes) -> Result<Set, Failure> {
        Ok(target.sets(self.variant.as_deref(), changes.sets()?)?.0)
    }

    /// A run of the target, with the link's writes to both sides.
    pub fn side(&self, target: &Target, changes: &Changes) -> Result<Side, Failure> {
        remarks::note(target.note_of_one_run());
        Side::alone(target, self.variant.as_deref(), &changes.read()?)
    }
}
