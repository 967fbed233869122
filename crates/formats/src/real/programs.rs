//! The command lines of the programs that a scenario models: a file and a row each. What only the
//! model has (bodies, phases, costs) has no flag.

mod busy;
mod cyclictest;
mod fibtest;
mod hackbench;
mod kernbench;
mod pipe;
mod rt_migrate_test;
mod schbench;

use super::groups::procs_of;
use super::line::Line;
use super::run::{Own, Run};

/// A generator that models a program, and its line.
type Row = (&'static str, fn(&Own<'_>) -> Line);

/// The programs; `stand_ins` and `no_tool` have the other generators.
const ROWS: &[Row] = &[
    ("cyclictest", cyclictest::line),
    ("rt_migrate_test", rt_migrate_test::line),
    ("hackbench", hackbench::line),
    ("schbench", schbench::line),
    ("pipe", pipe::line),
    ("kernbench", kernbench::line),
    ("fibtest", fibtest::line),
    ("busy", busy::line),
];

/// The programs of a scenario, each inside its group.
pub(super) fn lines(run: &Run) -> Vec<Line> {
    let line = |(name, line): &Row| {
        let own = run.own(name);
        // Every program has the knob of its group, and a scenario without the program has none of
        // its knobs.
        own.get("group")?;
        let (line, group) = (line(&own), own.group());
        Some(if group.is_empty() { line } else { line.inside(&procs_of(run, &group)) })
    };
    ROWS.iter().filter_map(line).collect()
}
