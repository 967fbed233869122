//! Counters of the pools of groups.

use std::collections::BTreeMap;
use std::io::{Result, Write};

use super::json::Json;
use super::row::Row;
use crate::levels::{Ended, pool};
use crate::run::Run;

/// The pool of each group.
#[derive(Default)]
pub(super) struct Pools {
    /// The levels that hold when the window begins.
    before: BTreeMap<u32, i64>,
    has_begun: bool,
    ended: Ended,
}

impl Pools {
    /// Says that the next rows are at `time`: writes what holds when the window begins.
    pub fn at(&mut self, time: u64, run: &Run, json: &mut Json, out: &mut dyn Write) -> Result<()> {
        if self.has_begun || !run.shows(time) {
            return Ok(());
        }
        self.has_begun = true;
        let before = std::mem::take(&mut self.before);
        let levels = before.into_iter();
        levels
            .into_iter()
            .try_for_each(|(group, ns)| json.pool(run, (run.window.0, group, ns), out))
    }

    /// A row of a pool.
    pub fn row(&mut self, row: Row, run: &Run, json: &mut Json, out: &mut dyn Write) -> Result<()> {
        let Some(ns) = self.ended.level(("pool", row.a), row.time, pool(row.b)) else {
            self.before.remove(&row.a);
            return Ok(());
        };
        if run.shows(row.time) {
            return json.pool(run, (row.time, row.a, ns), out);
        }
        self.before.insert(row.a, ns);
        Ok(())
    }

    /// Which counters are not in the file to its end.
    pub fn lost(&self, run: &Run) -> Vec<String> {
        self.ended.lost(run)
    }
}
