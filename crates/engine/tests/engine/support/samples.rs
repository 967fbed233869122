//! Compares the tools' own samples in the rows with the report's figures of them.

use std::collections::BTreeMap;

use schedscope_engine::account::metrics::{SAMPLE_NS_MAX, SUM_MAX};
use schedscope_engine::setup::Setup;
use schedscope_engine::trace::catalogue::{Kind, SAMPLE_HIGH, SAMPLE_SERIES, SAMPLE_TASK};

use super::judge::{Row, Written};
use super::locks::check;

/// The task of a `sim_tool_sample` row, the name of its series as reports have it, and how long it
/// took, ns.
pub fn sample(setup: &Setup, row: &Row) -> Option<(u32, String, u64)> {
    let task = SAMPLE_TASK.of(row.a);
    let kind = &setup.tasks.get(task as usize)?.kind;
    let series = setup
        .series()
        .into_iter()
        .find(|series| series.kind == *kind && series.number == SAMPLE_SERIES.of(row.a))?;
    Some((
        task,
        format!("{kind}.{}", series.name),
        u64::from(SAMPLE_HIGH.of(row.a)) << 32 | u64::from(row.b),
    ))
}

/// Each sample of the report has a row: as many in each series, as short, as long and as long
/// together. The task runs on the row's CPU, and no sample began before the run.
pub fn judge(setup: &Setup, written: &Written) -> Result<(), String> {
    let mut running: BTreeMap<u32, u32> = BTreeMap::new();
    let mut told: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for row in &written.rows {
        if row.kind == Kind::SchedSwitch {
            running.insert(row.cpu, row.b);
        }
        if row.kind != Kind::ToolSample {
            continue;
        }
        let (task, series, ns) =
            sample(setup, row).ok_or_else(|| format!("no such task or series: {row:?}"))?;
        check(
            running.get(&row.cpu) == Some(&task),
            "a task that does not run there takes a sample",
        )?;
        check(ns <= row.time, "a sample began before the run")?;
        told.entry(series).or_default().push(ns);
    }
    let report = &written.report.metrics.tool_samples;
    check(
        told.keys().eq(report.keys()),
        "a series of the report has no row, or the other way round",
    )?;
    for (series, ns) in told {
        let of = &report[&series];
        let sum = ns.iter().fold(0, |sum: u64, ns| sum.saturating_add(*ns));
        let (least, most) =
            (ns.iter().min().copied().unwrap_or(0), ns.iter().max().copied().unwrap_or(0));
        check(ns.len() as u64 == of.count, "a sample has no row of its own")?;
        check(
            (least, most) == (of.min_ns.min(SAMPLE_NS_MAX), of.max_ns.min(SAMPLE_NS_MAX)),
            "least or most is another",
        )?;
        check(most == SAMPLE_NS_MAX || sum.min(SUM_MAX) == of.sum_ns, "all together are another")?;
    }
    Ok(())
}
