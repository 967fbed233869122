//! From a text to a tree with places, and from a tree to values. Nothing here knows a knob.

pub(crate) mod json;
pub(crate) mod tree;
pub(crate) mod values;
