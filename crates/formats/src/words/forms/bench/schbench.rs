//! schbench: message threads that wake workers, as its help names its options.

use serde_json::json;

use super::super::command::Wrapped;
use super::said::{Said, left_out, placed};
use crate::words::case::Case;
use crate::words::getopt::{Given, Opt, Takes};

use Takes::{Nothing, Value};

const OPTIONS: &[Opt] = &[
    Opt("m", "message-threads", Value),
    Opt("t", "threads", Value),
    Opt("r", "runtime", Value),
    Opt("F", "cache_footprint", Value),
    Opt("n", "operations", Value),
    Opt("L", "no-locking", Nothing),
    Opt("s", "sleep_usec|sleeptime", Value),
    Opt("c", "cputime", Value),
    Opt("p", "pipe", Value),
    Opt("R", "rps", Value),
    Opt("A", "auto-rps", Value),
    Opt("w", "warmuptime", Value),
    Opt("i", "intervaltime", Value),
    Opt("z", "zerotime", Value),
    Opt("C", "calibrate", Nothing),
    Opt("j", "json", Value),
    Opt("J", "jobname", Value),
    Opt("M", "message-cpus", Value),
    Opt("W", "worker-cpus", Value),
    Opt("a", "auto", Nothing),
];
/// What changes the load, and has nothing like it here.
const WITHOUT: &[&str] =
    &["cputime", "pipe", "rps", "auto-rps", "calibrate", "message-cpus", "worker-cpus", "auto"];
/// Most tasks that a run here takes, a few below the limit.
const TASKS_MAX: u64 = 16_000;
const RUN_US: u64 = 1_000_000;

pub(super) fn read(words: &[String], all: &Wrapped<'_>, case: &mut Case) -> Said {
    let given = Given::read(words, OPTIONS);
    let messages = given.number("message-threads", 1, 256)?.unwrap_or(1);
    let workers = given.number("threads", 1, 1_024)?;
    let tasks = messages * (workers.unwrap_or(1) + 1);
    if tasks > TASKS_MAX {
        return Err(format!("{tasks} tasks are more than a run here can hold"));
    }
    let footprint = given.number("cache_footprint", 1, 65_536)?;
    let operations = given.number("operations", 1, 1_000)?;
    let seconds = given.number("runtime", 1, 1_000_000)?;
    let sleep = given.number("sleep_usec", 0, 1_000_000)?;
    let mut value = json!({ "message_threads": messages });
    if let Some(us) = sleep {
        value["sleep"] = json!(format!("{us}us"));
    }
    for (key, number) in
        [("workers", workers), ("cache_footprint", footprint), ("operations", operations)]
    {
        if let Some(number) = number {
            value[key] = json!(number);
        }
    }
    if given.has("no-locking") {
        value["locking"] = json!(false);
    }
    case.start("schbench", value, RUN_US)?;
    let each = workers.map_or("as many workers as CPUs for each".to_owned(), |workers| {
        format!("{workers} workers each")
    });
    let words = format!("schbench runs {messages} message threads with {each}");
    case.says.push(format!("{words}."));
    let mut said = vec![words];
    said.extend(
        seconds.filter(|seconds| *seconds > 1).map(|s| format!("1 s of its {s} s is simulated")),
    );
    let names = given.those(|key| WITHOUT.contains(&key));
    said.extend(left_out(&given, &names));
    said.extend(placed(all, false));
    Ok(said)
}
