//! Which changes between two releases made a figure differ: both releases are run, then the first
//! one with each change put in and the second one with each change left out, and pairs of changes
//! where single ones do not explain the difference. All kinds of runs take the same seeds, so every
//! difference is one of two runs with the same draws. Where the figure does not differ while the
//! schedules do, changes may cancel, and are tried too.
//!
//! It makes no run: [`Bisection::next_batch`] names the runs that are needed next, and the caller
//! gives back what each came to. The command, the Python package and the page share it.

mod bisection;
mod effect;
mod measured;
mod object;
mod plan;
mod ranking;
mod refusal;
mod set;

pub use bisection::{Batch, Bisection, Sets};
pub use effect::{Effect, Series};
pub use measured::Run;
pub use object::{object, whole};
pub use plan::{Change, Plan, SEEDS_MAX, SEEDS_MIN, Seeds, Source, Trial};
pub use ranking::{Ranked, Ranking, Tried};
pub use refusal::Refusal;
pub use set::Set;
