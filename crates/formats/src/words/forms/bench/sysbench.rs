//! sysbench: `sysbench cpu --threads=4 run`, and `--test=cpu --num-threads=4` of version 0.4.

use serde_json::{Map, json};

use super::super::command::Wrapped;
use super::said::{Said, left_out};
use super::stress::{computing, scheduled};
use crate::words::case::Case;
use crate::words::getopt::{Given, Opt, Takes};

use Takes::Value;

const OPTIONS: &[Opt] = &[
    Opt("", "threads|num-threads", Value),
    Opt("", "test", Value),
    Opt("", "time|max-time", Value),
    Opt("", "events|max-requests", Value),
    Opt("", "cpu-max-prime", Value),
    Opt("", "report-interval", Value),
    Opt("", "rate|tx-rate", Value),
    Opt("", "thread-init-timeout", Value),
];

pub(super) fn read(words: &[String], all: &Wrapped<'_>, case: &mut Case) -> Said {
    let given = Given::read(words, OPTIONS);
    let test = given.words.iter().find(|word| *word != "run").map(String::as_str);
    let test = given.value("test").or(test).unwrap_or_default();
    if test != "cpu" {
        return Err(format!(
            "of sysbench only the test cpu is simulated, not {}",
            if test.is_empty() { "one without a name" } else { test }
        ));
    }
    if !given.words.iter().any(|word| word == "run") {
        return Err("sysbench without “run” starts nothing".to_owned());
    }
    let threads = given.number("threads", 1, 1_024)?.unwrap_or(1);
    let mut task = Map::new();
    task.insert("instance".to_owned(), json!(threads));
    let how = scheduled(&mut task, all, case)?;
    computing("sysbench", task, false, case);
    let words = format!("{threads} threads of sysbench compute without a pause{how}");
    case.says.push(format!("{words}."));
    let names = given.those(|key| matches!(key, "rate" | "events"));
    Ok([Some(words), left_out(&given, &names)].into_iter().flatten().collect())
}
