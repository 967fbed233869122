//! `schedscope answer`: what a throttled group needs, from a pasted text with its limit and its
//! counters: a table of settings that keep a bound, and the questions that people ask.

use clap::Args;
use schedscope_fit::Fitting;
use schedscope_fit::answers::{Answers, Row, answers};
use schedscope_fit::questions::{self, Answer, Tried, What};
use schedscope_formats::words::Reading;
use schedscope_formats::words::amounts::time;
use schedscope_runs::Failure;
use serde_json::{Value, json};

use crate::pasted::{self, Pasted};
use crate::remarks;
use crate::results;

/// Arguments of `answer`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pasted: Pasted,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (reading, wish) = arguments.pasted.read()?;
    let fit = pasted::fit(&reading, wish)?;
    let fitting = fit.as_ref().and_then(|fit| fit.fitting.as_ref());
    let Some(fitting) = fitting else { return Err(nothing_to_fit(&reading)) };
    let Some(answers) = answers(fitting) else { return Err(no_program(fitting)) };
    let release = reading.release();
    let mut tried: Vec<Tried> = Vec::new();
    for trial in questions::trials(fitting, &answers, release) {
        let got = pasted::got(&reading, &trial.bursts, trial.limit, trial.release)?;
        tried.push((trial, got));
    }
    let said = questions::said(fitting, &answers, &tried, reading.group_kind());
    if arguments.json {
        return results::print_json(&results::as_json(&as_json(&answers, &tried, &said))?);
    }
    results::print(&page(fitting, &answers, &tried, &said))?;
    remarks::say("schedscope read has the fit and writes the scenario (--scenario OUT.json)");
    Ok(())
}

/// Why a text has no answer: a sentence with what is missing.
fn nothing_to_fit(reading: &Reading) -> Failure {
    let why = reading.doubts.iter().chain(&reading.asks).next();
    let counted = reading.chosen.as_ref().and_then(|chosen| chosen.happened);
    match (why, counted) {
        (Some(why), _) => Failure::usage(format!("no answer: {why}")),
        (None, Some(_)) => Failure::usage("no answer is needed: the group was not throttled"),
        (None, None) => Failure::usage(
            "no answer: the text has no counters\n  expected: a limit (cpu.max, or the \
             container's resources), and cpu.stat, best twice, a minute apart",
        ),
    }
}

fn no_program(fitting: &Fitting) -> Failure {
    if fitting.is_overload() {
        let why = schedscope_fit::sentences::limits(fitting, "");
        return Failure::usage(format!("no search can succeed: {}", why.join(" ")));
    }
    Failure::usage(
        "no answer: no program was found that counts the same; schedscope read shows by how much \
         the closest one misses, and which text would help",
    )
}

fn page(fitting: &Fitting, answers: &Answers, tried: &[Tried], said: &[Answer]) -> String {
    let bound = match fitting.wish().bound_us {
        Some(bound) => format!("a burst within {}", time(bound)),
        None => "no burst delayed by throttling (--within TIME asks for less)".to_owned(),
    };
    let mut text = format!("what keeps {bound}, the cheapest first\n");
    text += &table(answers, tried);
    for Answer { question, answer } in said {
        text += &format!("\n{question}\n  {answer}\n");
    }
    text
}

const HEAD: [&str; 7] = ["", "limit", "period", "burst", "threads", "longest burst", "keeps it"];

fn table(answers: &Answers, tried: &[Tried]) -> String {
    let now = line("now", &answers.now, answers, tried, What::Now);
    let rows = answers.rows.iter().enumerate();
    let rows = rows.map(|(at, row)| line("", row, answers, tried, What::Row(at)));
    let head = HEAD.map(str::to_owned);
    let all: Vec<[String; 7]> = [head, now].into_iter().chain(rows).collect();
    let width = |at: usize| all.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
    let lines = all.iter().map(|row| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        format!("  {}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    });
    lines.collect()
}

fn line(who: &str, row: &Row, answers: &Answers, tried: &[Tried], what: What) -> [String; 7] {
    let [limit, period, burst, threads] = questions::columns(row);
    let run = tried.iter().find(|(trial, _)| trial.what == what);
    let longest = run.map_or_else(
        || format!("to {}", time(row.longest_us.1)),
        |(_, got)| format!("{} (to {})", time(got.longest_us), time(row.longest_us.1)),
    );
    let keeps = format!("{} of {} programs", row.keeps, answers.programs.len());
    [who.to_owned(), limit, period, burst, threads, longest, keeps]
}

fn as_json(answers: &Answers, tried: &[Tried], said: &[Answer]) -> Value {
    let row = |row: &Row, what: What| {
        let run = tried.iter().find(|(trial, _)| trial.what == what);
        json!({
            "quota_us": row.setting.limit.quota_us,
            "period_us": row.setting.limit.period_us,
            "burst_us": row.setting.limit.burst_us,
            "threads": row.setting.threads,
            "keeps": row.keeps,
            "longest_us": { "run": run.map(|(_, got)| got.longest_us), "least": row.longest_us.0,
                "most": row.longest_us.1 },
        })
    };
    let rows = answers.rows.iter().enumerate().map(|(at, each)| row(each, What::Row(at)));
    let said = said.iter().map(|each| json!({ "question": each.question, "answer": each.answer }));
    json!({
        "schema": "schedscope.answer/1",
        "programs": answers.programs.len(),
        "now": row(&answers.now, What::Now),
        "rows": rows.collect::<Vec<_>>(),
        "answers": said.collect::<Vec<_>>(),
    })
}
