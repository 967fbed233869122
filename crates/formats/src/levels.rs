//! Levels of pools and silos, as far as a row can hold them, and the counters that end where one
//! cannot.

use std::collections::BTreeMap;

use crate::names::Comm;
use crate::run::Run;

/// The level of a pool in ns, column `b` of `sim_bw_pool`; none from 4.29 s on.
pub(crate) fn pool(column: u32) -> Option<i64> {
    (column < u32::MAX - 1).then_some(column.into())
}

/// The level of a silo in ns, column `b` of `sim_bw_silo`; none beyond 2.14 s.
pub(crate) fn silo(column: u32) -> Option<i64> {
    let level = column.cast_signed();
    (i32::MIN + 1..i32::MAX - 1).contains(&level).then_some(level.into())
}

/// Counters that have left what a row can hold: they end there, because their next level in range
/// would make a reader take the last one for all between.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ended(BTreeMap<(&'static str, u32), u64>);

impl Ended {
    /// The level to write of a group's pool or silo; none once the counter has ended.
    pub fn level(
        &mut self,
        what: (&'static str, u32),
        time: u64,
        level: Option<i64>,
    ) -> Option<i64> {
        if level.is_none() {
            self.0.entry(what).or_insert(time);
        }
        level.filter(|_| !self.0.contains_key(&what))
    }

    /// A sentence on each counter that ends before the window does.
    pub fn lost(&self, run: &Run) -> Vec<String> {
        let shown = self.0.iter().filter(|(_, time)| **time < run.window.1);
        let sentence = |((what, group), time): (&(&str, u32), &u64)| {
            let path = run.setup.groups.get(*group as usize).map_or("?", |spec| &spec.path);
            let (ms, us) = (time / 1_000_000, time / 1_000 % 1_000);
            format!("the {what} of {} from {ms}.{us:03} ms on: a row cannot hold it", Comm(path))
        };
        shown.map(sentence).collect()
    }
}
