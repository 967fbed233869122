//! The steps of a scenario: what is shown of its runs, one view after the other, and what is said
//! of each.
//!
//! They change no run. They are judged here; the page reads them out of the text it has anyway, and
//! finds their moments in the runs it shows.

pub(crate) mod check;
pub(crate) mod schema;
pub(crate) mod words;
