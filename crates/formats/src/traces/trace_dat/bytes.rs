//! Takes numbers and texts from the front of bytes, in the file's byte order.

use super::super::binary::{Stop, text_of};

/// Bytes of a file, and where the next one is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'f> {
    all: &'f [u8],
    at: usize,
    pub(super) is_big: bool,
}

impl<'f> Bytes<'f> {
    pub(super) fn new(all: &'f [u8], at: usize, is_big: bool) -> Self {
        Self { all, at, is_big }
    }

    /// Where the next one is.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'f [u8], Stop> {
        let rest = self.all.get(self.at..).unwrap_or_default();
        let Some(taken) = rest.get(..length) else {
            return Err(Stop::at(self.at, "the file ends before what it announces"));
        };
        self.at += length;
        Ok(taken)
    }

    /// A number of so many bytes, at most 8.
    pub(super) fn number(&mut self, length: usize) -> Result<u64, Stop> {
        Ok(number(self.take(length)?, self.is_big))
    }

    /// A length of so many bytes, and what is so long.
    pub(super) fn sized(&mut self, length: usize) -> Result<&'f [u8], Stop> {
        let size = self.number(length)?;
        self.take(usize::try_from(size).unwrap_or(usize::MAX))
    }

    /// A text that a 0 ends.
    pub(super) fn text(&mut self) -> Result<&'f str, Stop> {
        let rest = self.all.get(self.at..).unwrap_or_default();
        let Some(end) = rest.iter().position(|byte| *byte == 0) else {
            return Err(Stop::at(self.at, "a name has no end"));
        };
        let text = text_of(self.take(end)?);
        self.take(1)?;
        Ok(text)
    }
}

/// A number in this byte order; the lowest 8 bytes of it.
pub(super) fn number(bytes: &[u8], is_big: bool) -> u64 {
    let join = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    if is_big { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) }
}
