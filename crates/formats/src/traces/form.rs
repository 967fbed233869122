//! What every form of recordings has.

use std::fmt;

use crate::recording::Builder;

/// So much of a file says which form it has.
pub(super) const HEAD: usize = 64 * 1024;

/// A form of recordings that is read.
#[derive(Clone, Copy, Debug)]
pub struct TraceForm {
    /// `ftrace`.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// How one is made.
    pub made_by: &'static str,
    /// What is read of it.
    pub carries: &'static str,
    /// What is in it that is not read, or that it does not have.
    pub loses: &'static str,
    /// Whether a file that begins so is one.
    pub(super) is: fn(&[u8]) -> bool,
    pub(super) read: fn(&[u8], &mut Builder, &mut dyn Watch) -> Result<(), Refused>,
}

/// Follows a reader's work.
pub trait Watch {
    /// So many bytes of the file are done; false ends the reading.
    fn goes_on(&mut self, bytes: usize) -> bool;
}

impl<F: FnMut(usize) -> bool> Watch for F {
    fn goes_on(&mut self, bytes: usize) -> bool {
        self(bytes)
    }
}

/// Why there is no recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The file is none that is read; a sentence, with the way to make one that is.
    Form(String),
    /// It is one, and has no event of the scheduler: what it has.
    NoEvents(String),
    /// The caller ended the reading.
    Ended,
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(why) | Self::NoEvents(why) => out.write_str(why),
            Self::Ended => out.write_str("the reading was ended"),
        }
    }
}
