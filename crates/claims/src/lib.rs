//! The figures of the shipped scenarios. `scenarios/<slug>/claims.json` is their only home: READMEs
//! and docs/model/known-gaps.md quote them, one test measures them. This crate decides no figure;
//! the engine does.

mod judge;
mod measure;
mod metric;
mod over;
mod scenario;
mod summary;
mod table;
mod text;

pub use judge::{judge, line};
pub use measure::{Effort, Measured, measure};
pub use over::{Axis, Over};
pub use scenario::{Scenario, shipped};
pub use summary::Summary;
pub use table::{As, Claim, Gap, Plain, Statistic, Table, Unit, Versus};
pub use text::{bare_figures, fill, known_gaps, stated, without_marks};
