//! The runs that an inquiry about a pasted text needs.

use schedscope_fit::Inquiry;

use crate::execute::{Limits, Outcome, Watch};
use crate::failure::Failure;
use crate::figures;
use crate::side::Side;
use crate::target::{Target, Whose};

/// Makes the runs that are needed next, until none is. `run`: simulates one.
///
/// # Errors
/// A run breaks, or is ended.
pub fn make_runs(
    inquiry: &mut Inquiry,
    run: &mut dyn FnMut(&Side, Watch) -> Result<Outcome, Failure>,
) -> Result<(), Failure> {
    while let Some(scenario) = inquiry.next_run() {
        let target = Target::of_text("pasted", scenario.to_string());
        let side = Side::new(&target, &target.link_set(Whose::Both, &[]))?;
        let watch = Watch { window: None, wakes: false, limits: Limits::default(), waits: false };
        let outcome = run(&side, watch)?;
        outcome.end()?;
        if !inquiry.hear(&figures::figures(&outcome.report.metrics)) {
            let what = "a run without the group's figures".to_owned();
            return Err(Failure::Fault { what, replay: "read".to_owned() });
        }
    }
    Ok(())
}

/// Whether the scenario of a text runs, as it is and in each variant: a reader that makes another
/// one is at fault. Remarks on it.
///
/// # Errors
/// What the reader of scenarios refuses.
pub fn check(text: &str) -> Result<Vec<String>, Failure> {
    let target = Target::of_text("pasted", text.to_owned());
    let base = Side::new(&target, &target.link_set(Whose::Both, &[]))?;
    for variant in &target.document()?.presentation.variants {
        Side::new(&target, &variant.set)?;
    }
    Ok(base.prepared.meta.notes.clone())
}
