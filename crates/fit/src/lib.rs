//! Which programs under a limit can have counted what a group counted, and which limit each needs.

pub mod answers;
mod family;
mod fitting;
mod inquiry;
pub mod limits;
pub mod model;
pub mod object;
pub mod questions;
pub mod sentences;

pub use family::{Family, Member, family};
pub use fitting::{Asked, Fitting, Got, Range, Tried, Wish};
pub use inquiry::{Inquiry, Made, Questions};
