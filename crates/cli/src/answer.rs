//! `schedscope answer`: what a throttled group needs, from a pasted text with its limit and its
//! counters: a table of settings that keep a bound, and the questions that people ask.

use clap::Args;
use schedscope_fit::answers::{Answers, Row};
use schedscope_fit::questions::{self, Answer, Tried, What};
use schedscope_fit::{Inquiry, Questions, object};
use schedscope_formats::words::amounts::time;
use schedscope_runs::Failure;

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
    let mut inquiry = arguments.pasted.fitted()?;
    if arguments.json {
        asked(&mut inquiry)?;
        let object = object::answer(&inquiry).unwrap_or_default();
        return results::print_json(&results::as_json(&object)?);
    }
    print(&mut inquiry)?;
    remarks::say("schedscope read has the fit and writes the scenario (--scenario OUT.json)");
    Ok(())
}

/// Makes the runs that answer the questions about a text that was read, and prints the answers.
pub fn print(inquiry: &mut Inquiry) -> Result<(), Failure> {
    asked(inquiry)?;
    results::print(&page(inquiry).unwrap_or_default())
}

fn asked(inquiry: &mut Inquiry) -> Result<(), Failure> {
    inquiry.ask().map_err(Failure::usage)?;
    pasted::make_runs(inquiry)
}

/// None before the questions were asked.
fn page(inquiry: &Inquiry) -> Option<String> {
    let (fitting, Questions { answers, tried, .. }) = (inquiry.fitting()?, inquiry.questions()?);
    let said = questions::said(fitting, answers, tried, inquiry.reading());
    let bound = match fitting.wish().bound_us {
        Some(bound) => format!("a burst within {}", time(bound)),
        None => "no burst delayed by throttling (--within TIME asks for less)".to_owned(),
    };
    let mut text = format!("what keeps {bound}, the cheapest first\n");
    text += &table(answers, tried);
    for Answer { question, answer, .. } in said {
        text += &format!("\n{question}\n  {answer}\n");
    }
    Some(text)
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
