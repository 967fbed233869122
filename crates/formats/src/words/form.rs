//! A row of the registry of forms: what a form of text is called, and who reads it.

use super::case::{Case, Note};
use super::paste::Piece;

/// One form of text.
#[derive(Clone, Copy)]
pub struct Form {
    /// The key of the row: `sched_features`.
    pub name: &'static str,
    /// The name that a person reads.
    pub title: &'static str,
    /// A text that is read.
    pub example: &'static str,
    /// Reads a piece into the case; none where the piece is of another form.
    pub read: fn(&Piece, &mut Case) -> Option<Note>,
}
