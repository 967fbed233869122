//! Scenarios found by name, file or link, changed, checked and run, one or many: what the command
//! and the Python package share.
//!
//! It reads files and starts threads. It prints nothing and knows no terminal: remarks, progress
//! and the question whether to go on are given to the caller.

mod asked;
pub mod bisect;
pub mod changes;
pub mod compare;
pub mod execute;
pub mod explain;
pub mod failure;
pub mod figures;
pub mod inputs;
pub mod live;
pub mod numbers;
pub mod pasted;
pub mod side;
pub mod sides;
pub mod sweep;
pub mod target;
pub mod variant;
pub mod waits;

pub use changes::Changes;
pub use failure::Failure;
pub use side::Side;
pub use target::{Set, Target, Whose};
