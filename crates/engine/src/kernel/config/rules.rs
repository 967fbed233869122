//! Rules: behaviour of a kernel that depends on its version, as yes or no. Policies ask the kernel
//! by the row's name.
//! A kernel takes a bit of a word for each rule when it is resolved ([`Release::of`]). The names
//! and sources are for people and tests, and stay out of the browser's engine. A scenario may
//! state another answer to a rule that has a label (`kernel.rules.<name>`), which then sets the
//! bit. Most rules without a label say which values a version offers, for other rows to ask.

mod rows;

pub use rows::RULES;

use super::row::{Reader, Row};
use super::switches::TtwuQueue;
use super::version::Version;
use super::{Kernel, table};

/// Which version a kernel is, and all that goes by it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Release {
    version: Version,
    /// The version's own rule of TTWU_QUEUE, which its bit turns on where a run starts without.
    pub(super) ttwu_queue: TtwuQueue,
    answers: u128,
}

impl Release {
    pub fn of(version: Version) -> Self {
        let answer = |(bit, rule): (usize, &Row<bool>)| u128::from(rule.value(version)) << bit;
        Self {
            version,
            ttwu_queue: table::TTWU_QUEUE.value(version),
            answers: RULES.iter().enumerate().map(answer).sum(),
        }
    }

    pub fn version(self) -> Version {
        self.version
    }

    #[inline]
    const fn has(self, rule: usize) -> bool {
        self.answers >> rule & 1 != 0
    }
}

impl Kernel {
    /// Sets every rule that a scenario may state to the answer of `reader`.
    pub fn read_rules<R: Reader>(&mut self, reader: &mut R) -> Result<(), R::Fault> {
        for (bit, rule) in RULES.iter().enumerate().filter(|(_, rule)| rule.words.is_some()) {
            let answer = reader.flag(rule, None)?;
            let others = self.release.answers & !(1 << bit);
            self.release.answers = others | u128::from(answer) << bit;
        }
        Ok(())
    }

    /// Each rule that a scenario may state, and this kernel's answer.
    pub fn answers(&self) -> impl Iterator<Item = (&'static Row<bool>, bool)> {
        let release = self.release;
        let answered = RULES.iter().enumerate().map(move |(bit, rule)| (rule, release.has(bit)));
        answered.filter(|(rule, _)| rule.words.is_some())
    }
}

// A bit for each rule.
const _: () = assert!(RULES.len() <= u128::BITS as usize);

#[cfg(test)]
mod tests;
