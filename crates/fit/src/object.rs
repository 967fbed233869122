//! What an inquiry has found, as the JSON of command, page and Python (`schedscope.read/1` and
//! `schedscope.answer/1`, docs/use/command-line.md).

use schedscope_formats::words::{ReadLine, Reading};
use serde_json::{Value, json};

use crate::answers::Row;
use crate::fitting::Fitting;
use crate::inquiry::{Inquiry, Made, Questions};
use crate::questions::{self, Tried, What};
use crate::sentences::{self, Beside};

/// The text, line by line, and its fit.
pub fn read(inquiry: &Inquiry) -> Value {
    let reading = inquiry.reading();
    let Made { scenario, text, assumed } = inquiry.made();
    json!({
        "schema": "schedscope.read/1",
        "lines": lines(reading),
        "says": reading.says,
        "doubts": reading.doubts,
        "asks": reading.asks,
        "assumed": assumed,
        "fit": inquiry.fitting().map(|fitting| fit(fitting, reading.group_kind(), inquiry.runs())),
        "scenario": scenario,
        "scenario_text": text,
        "group": reading.group_path(),
        "is_throttled": inquiry.is_throttled(),
    })
}

fn lines(reading: &Reading) -> Vec<Value> {
    let line = |line: &ReadLine| {
        let notes = line.notes.iter();
        let notes: Vec<Value> =
            notes.map(|note| json!({ "fate": note.fate.name(), "words": note.words })).collect();
        json!({ "line": line.number, "text": line.text, "notes": notes })
    };
    reading.lines.iter().map(line).collect()
}

fn fit(fitting: &Fitting, kind: &str, runs: u32) -> Value {
    let best = fitting.best().map(|best| {
        json!({
            "threads": best.bursts.threads,
            "work_us": best.bursts.work_us,
            "every_us": best.bursts.every_us,
            "steady_us": best.bursts.steady_us,
            "off": best.off,
            "got": {
                "nr_periods": best.got.periods,
                "nr_throttled": best.got.throttled,
                "throttled_us": best.got.throttled_us,
                "usage_us": best.got.usage_us,
            },
        })
    });
    let says = fitting.best().map_or_else(Vec::new, |best| sentences::fit(fitting, best));
    let beside = fitting.best().map_or_else(Vec::new, |best| sentences::beside(fitting, best));
    let beside = beside.into_iter().map(
        |Beside { figure, asked, got }| json!({ "figure": figure, "asked": asked, "got": got }),
    );
    let range = fitting.range().map(|range| json!({ "low_us": range.low, "high_us": range.high }));
    json!({
        "program": best,
        "programs": fitting.members(),
        "runs": runs,
        "is_overload": fitting.is_overload(),
        "says": says,
        "beside": beside.collect::<Vec<_>>(),
        "limit": range,
        "limits": sentences::limits(fitting, kind),
    })
}

/// The settings that keep the bound, and the answers; none before the questions were asked.
pub fn answer(inquiry: &Inquiry) -> Option<Value> {
    let (Questions { answers, tried, .. }, fitting) = (inquiry.questions()?, inquiry.fitting()?);
    let rows = answers.rows.iter().enumerate();
    let rows = rows.map(|(at, each)| row(each, What::Row(at), inquiry));
    let said = questions::said(fitting, answers, tried, inquiry.reading());
    let said = said.iter().map(|each| {
        let set = each.of.map(|what| set(inquiry, what));
        json!({ "question": each.question, "answer": each.answer, "set": set })
    });
    Some(json!({
        "schema": "schedscope.answer/1",
        "programs": answers.programs.len(),
        "now": row(&answers.now, What::Now, inquiry),
        "rows": rows.collect::<Vec<_>>(),
        "answers": said.collect::<Vec<_>>(),
    }))
}

fn row(row: &Row, what: What, inquiry: &Inquiry) -> Value {
    let run = trial(inquiry, what);
    let words = questions::columns(row);
    json!({
        "quota_us": row.setting.limit.quota_us,
        "period_us": row.setting.limit.period_us,
        "burst_us": row.setting.limit.burst_us,
        "threads": row.setting.threads,
        "keeps": row.keeps,
        "longest_us": { "run": run.map(|(_, got)| got.longest_us), "least": row.longest_us.0,
            "most": row.longest_us.1 },
        "words": words,
        "set": set(inquiry, what),
    })
}

fn trial(inquiry: &Inquiry, what: What) -> Option<&Tried> {
    inquiry.questions()?.tried.iter().find(|(trial, _)| trial.what == what)
}

/// The trial's program and limit, by path: on the scenario, they are its run.
fn set(inquiry: &Inquiry, what: What) -> Value {
    let Some((trial, _)) = trial(inquiry, what) else { return Value::Null };
    let path = inquiry.reading().group_path().unwrap_or_default();
    let group = format!("cgroups.{path}");
    let burst = |of: &str| format!("workload.gc_burst.{of}");
    let mut set = serde_json::Map::from_iter([
        (format!("{group}.cpu_max"), Value::from(trial.limit.cpu_max())),
        (burst("threads"), trial.bursts.threads.into()),
        (burst("work"), format!("{}us", trial.bursts.work_us).into()),
    ]);
    if let Some((outer, limit)) = path.rsplit_once('/').map(|(at, _)| at).zip(trial.outer) {
        set.insert(format!("cgroups.{outer}.cpu_max"), limit.cpu_max().into());
    }
    // Kernels before 5.14 have no burst that could be set.
    let is_known = inquiry.reading().chosen.as_ref().is_some_and(|now| now.limit.burst_us > 0);
    if is_known || trial.limit.burst_us > 0 {
        set.insert(format!("{group}.cpu_max_burst"), trial.limit.burst_us.into());
    }
    Value::Object(set)
}
