//! Rules: behaviour of a kernel that depends on its version, as yes or no. Policies ask the kernel
//! by the row's name.
//! A kernel takes a bit of a word for each rule when it is resolved ([`Release::of`]). The names
//! and sources are for people and tests, and stay out of the browser's engine. A scenario may
//! state another answer to a rule that has a label (`kernel.rules.<name>`), which then sets the
//! bit. Most rules without a label say which values a version offers, for other rows to ask.

#[macro_use]
mod macros;
mod rows;

pub use rows::RULES;

use super::asked::RowSet;
use super::row::{Reader, Row};
use super::switches::TtwuQueue;
use super::version::Version;
use super::{Kernel, table};

/// Words of 64 rules each.
const WORDS: usize = RULES.len().div_ceil(64);

/// Which version a kernel is, and all that goes by it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Release {
    version: Version,
    /// The version's own rule of TTWU_QUEUE, which its bit turns on where a run starts without.
    pub(super) ttwu_queue: TtwuQueue,
    /// A bit for each rule.
    answers: [u64; WORDS],
}

impl Release {
    pub fn of(version: Version) -> Self {
        let ttwu_queue = table::TTWU_QUEUE.value(version);
        let mut release = Self { version, ttwu_queue, answers: [0; WORDS] };
        for (bit, rule) in RULES.iter().enumerate() {
            release.set(bit, rule.value(version));
        }
        release
    }

    fn set(&mut self, rule: usize, answer: bool) {
        let word = &mut self.answers[rule / 64];
        *word = *word & !(1 << (rule % 64)) | u64::from(answer) << (rule % 64);
    }

    pub fn version(self) -> Version {
        self.version
    }

    /// The answer of a rule to the code of the kernel; every question of it comes here.
    #[inline]
    fn has(self, rule: usize) -> bool {
        #[cfg(feature = "asked")]
        super::asked::note(rule);
        self.answer(rule)
    }

    const fn answer(self, rule: usize) -> bool {
        self.answers[rule / 64] >> (rule % 64) & 1 != 0
    }

    /// Takes the answer of `other` to each rule that is not in `asked`.
    pub(super) fn take_unasked(&mut self, other: Self, asked: RowSet) {
        for rule in (0..RULES.len()).filter(|rule| !asked.has(*rule)) {
            self.set(rule, other.answer(rule));
        }
    }
}

impl Kernel {
    /// Sets every rule that a scenario may state to the answer of `reader`.
    pub fn read_rules<R: Reader>(&mut self, reader: &mut R) -> Result<(), R::Fault> {
        for (bit, rule) in RULES.iter().enumerate().filter(|(_, rule)| rule.words.is_some()) {
            let answer = reader.flag(rule, None)?;
            self.release.set(bit, answer);
        }
        Ok(())
    }

    /// Each rule that a scenario may state, and this kernel's answer.
    pub fn answers(&self) -> impl Iterator<Item = (&'static Row<bool>, bool)> {
        let release = self.release;
        let answered = RULES.iter().enumerate().map(move |(bit, rule)| (rule, release.answer(bit)));
        answered.filter(|(rule, _)| rule.words.is_some())
    }
}

#[cfg(test)]
mod tests;
