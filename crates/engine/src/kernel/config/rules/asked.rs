//! Which rules the code of this thread has asked, in a build of the engine that notes it
//! (`crates/asked`). Two setups that differ only in rules which the run of one never asks have the
//! same run: [`super::Release::has`] alone reads an answer.
//!
//! The note is beside the state: no digest and no snapshot has it.

use std::cell::Cell;

use super::WORDS;

thread_local! {
    static ASKED: Cell<[u64; WORDS]> = const { Cell::new([0; WORDS]) };
}

/// The rules asked on this thread since the last call, a bit for each.
pub fn take() -> [u64; WORDS] {
    ASKED.take()
}

#[inline]
pub(super) fn note(rule: usize) {
    let mut asked = ASKED.get();
    asked[rule / 64] |= 1 << (rule % 64);
    ASKED.set(asked);
}
