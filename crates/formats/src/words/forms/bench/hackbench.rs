//! hackbench of rt-tests, `perf bench sched messaging`, which is the same program, and `perf bench
//! sched pipe`.

use serde_json::{Map, Value, json};

use super::super::command::Wrapped;
use super::said::{Said, left_out, placed};
use crate::words::case::Case;
use crate::words::getopt::{Given, Opt, Takes, whole};

use Takes::{Nothing, Value as Takes1};

/// The options that hackbench's help prints.
const HACKBENCH: &[Opt] = &[
    Opt("g", "groups", Takes1),
    Opt("f", "fds", Takes1),
    Opt("l", "loops", Takes1),
    Opt("s", "datasize", Takes1),
    Opt("p", "pipe", Nothing),
    Opt("F", "fifo", Nothing),
    Opt("T", "threads", Nothing),
    Opt("P", "process|processes", Nothing),
    Opt("i", "inet", Nothing),
    Opt("h", "help", Nothing),
];
/// tools/perf/Documentation/perf-bench.txt.
const MESSAGING: &[Opt] = &[
    Opt("g", "groups|group", Takes1),
    Opt("l", "loops|nr_loops|loop", Takes1),
    Opt("p", "pipe", Nothing),
    Opt("t", "threads|thread", Nothing),
];
const PIPE: &[Opt] = &[
    Opt("l", "loops|loop", Takes1),
    Opt("T", "threads|threaded", Nothing),
    Opt("G", "cgroups", Takes1),
    Opt("n", "nonblocking", Nothing),
];
/// Options of perf before the name of the suite.
const PERF: &[Opt] = &[Opt("r", "repeat", Takes1), Opt("f", "format", Takes1)];

/// What a run holds; each sender and receiver has a step for every one of the other side.
const TASKS_MAX: u64 = 16_384;
const STEPS_MAX: u64 = 190_000;
const LOOPS_MAX: u64 = 1_000_000;
/// Both tools, hackbench by default: senders, and as many receivers, of a group.
const FDS: u64 = 20;
const RUN_US: u64 = 500_000;
const PIPE_RUN_US: u64 = 200_000;

/// What hackbench is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Messages {
    pub(in super::super) groups: u64,
    pub(in super::super) fds: u64,
    pub(in super::super) loops: u64,
    pub(in super::super) datasize: u64,
    pub(in super::super) pipe: bool,
    pub(in super::super) fifo: bool,
}

impl Messages {
    pub(super) fn words(&self, tool: &str) -> String {
        let Self { groups, fds, loops, .. } = self;
        let tasks = 2 * groups * fds;
        let through = if self.pipe { "pipes" } else { "socket pairs" };
        format!(
            "{tool} runs {tasks} tasks, {groups} times {fds} senders and as many receivers: each \
             sender writes {loops} messages to each receiver of its group, through {through}"
        )
    }

    fn too_large(&self) -> Option<String> {
        let Self { groups, fds, .. } = self;
        (2 * groups * fds >= TASKS_MAX || 2 * groups * fds * fds > STEPS_MAX).then(|| {
            format!(
                "the line asks for {} tasks in {groups} groups, more than a run here can hold: \
                 take fewer groups or smaller ones",
                2 * groups * fds
            )
        })
    }

    /// Starts it; what is said of it.
    pub(super) fn start(mut self, tool: &str, case: &mut Case) -> Said {
        if let Some(wrong) = self.too_large() {
            return Err(wrong);
        }
        let words = self.words(tool);
        let mut said = vec![words.clone()];
        if self.loops > LOOPS_MAX {
            said.push(format!(
                "a run here takes up to {LOOPS_MAX} messages to each, and ends before they are sent"
            ));
            self.loops = LOOPS_MAX;
        }
        let mut value = Map::new();
        for (key, number) in [
            ("groups", self.groups),
            ("fds", self.fds),
            ("loops", self.loops),
            ("datasize", self.datasize),
        ] {
            value.insert(key.to_owned(), json!(number));
        }
        for (key, flag) in [("pipe", self.pipe), ("fifo", self.fifo)] {
            if flag {
                value.insert(key.to_owned(), json!(true));
            }
        }
        case.start("hackbench", Value::Object(value), RUN_US)?;
        case.says.push(format!("{words}."));
        Ok(said)
    }
}

pub(super) fn hackbench(words: &[String], all: &Wrapped<'_>, case: &mut Case) -> Said {
    // Before it had options: `hackbench -pipe 10 process 1000`.
    let is_old_pipe = words.first().is_some_and(|word| word == "-pipe");
    let given = Given::read(&words[usize::from(is_old_pipe)..], HACKBENCH);
    let mut old = given.words.iter().map(String::as_str);
    let old_groups = old.next().filter(|_| !given.has("groups"));
    if let Some(word) = old_groups.filter(|word| whole(word).is_none()) {
        return Err(format!("hackbench {word}: expected options, or a number of groups"));
    }
    let old_loops = old.filter(|word| !matches!(*word, "process" | "thread")).find_map(whole);
    let groups = match given.number("groups", 1, 400)? {
        Some(groups) => groups,
        None => match old_groups.and_then(whole) {
            Some(groups @ 1..=400) => groups,
            Some(groups) => return Err(format!("{groups} groups; expected 1 to 400")),
            None => 10,
        },
    };
    let loops = given.number("loops", 1, 1_000_000_000_000)?.or(old_loops).unwrap_or(100).max(1);
    let messages = Messages {
        groups,
        fds: given.number("fds", 1, 200)?.unwrap_or(FDS),
        loops,
        datasize: given.number("datasize", 1, 65_536)?.unwrap_or(100),
        pipe: given.has("pipe") || is_old_pipe,
        fifo: given.has("fifo"),
    };
    let mut said = messages.start("hackbench", case)?;
    said.extend(beside(&given, all));
    Ok(said)
}

/// What is not simulated of a line.
fn beside(given: &Given, all: &Wrapped<'_>) -> Vec<String> {
    let names = given.those(|key| matches!(key, "inet" | "help" | "cgroups" | "nonblocking"));
    let threads = given.has("threads").then(|| {
        format!(
            "{} makes threads of one process: no figure here differs, because switching an address \
             space costs nothing in this model",
            given.written("threads")
        )
    });
    [threads, left_out(given, &names), placed(all, false)].into_iter().flatten().collect()
}

pub(super) fn perf(words: &[String], all: &Wrapped<'_>, case: &mut Case) -> Said {
    let Some(at) = words.iter().position(|word| word == "sched") else {
        return Err("of perf bench only sched messaging and sched pipe are simulated".to_owned());
    };
    let common = Given::read(&words[..at], PERF);
    let repeat = common.number("repeat", 1, 1_000_000)?.filter(|times| *times > 1);
    let mut said = match words.get(at + 1).map(String::as_str) {
        Some("messaging") => messaging(&words[at + 2..], all, case)?,
        Some("pipe") => pipe(&words[at + 2..], all, case)?,
        _ => {
            return Err(
                "of perf bench only sched messaging and sched pipe are simulated".to_owned()
            );
        }
    };
    said.extend(repeat.map(|times| format!("once here, not {times} times")));
    Ok(said)
}

fn messaging(words: &[String], all: &Wrapped<'_>, case: &mut Case) -> Said {
    let given = Given::read(words, MESSAGING);
    let messages = Messages {
        groups: given.number("groups", 1, 400)?.unwrap_or(10),
        fds: FDS,
        loops: given.number("loops", 1, 1_000_000_000_000)?.unwrap_or(100),
        datasize: 100,
        pipe: given.has("pipe"),
        fifo: false,
    };
    let mut said = messages.start("perf bench sched messaging", case)?;
    said.extend(beside(&given, all));
    Ok(said)
}

fn pipe(words: &[String], all: &Wrapped<'_>, case: &mut Case) -> Said {
    let given = Given::read(words, PIPE);
    let loops = given.number("loops", 1, 100_000_000)?.unwrap_or(1_000_000);
    let on = all.cpus.as_ref().map(|cpus| cpus.on(cpus.least_cpus()));
    // A CPU alone is CPU 0 here, and two are CPU 0 and CPU 1, one for each task.
    let place = match on.as_deref() {
        Some([_]) => Some(("one", ", both on one CPU")),
        Some([_, _]) => Some(("two", ", one on each of two CPUs")),
        _ => None,
    };
    let mut value = json!({ "loops": loops });
    if let Some((cpus, _)) = place {
        value["cpus"] = json!(cpus);
    }
    if given.has("threads") {
        value["threaded"] = json!(true);
    }
    case.start("pipe", value, PIPE_RUN_US)?;
    let where_to = place.map_or("", |(_, words)| words);
    let words = format!("two tasks wake each other through a pipe, {loops} times{where_to}");
    case.says.push(format!("perf bench sched pipe: {words}."));
    let mut said = vec![words];
    said.extend(beside(&given, all));
    if place.is_some() {
        said.retain(|words| !words.starts_with("left out: CPUs"));
    }
    Ok(said)
}

/// The program from what it printed: `Running in process mode with 10 groups using 40 file
/// descriptors each (== 400 tasks)`, then `Each sender will pass 100 messages of 100 bytes`.
pub(in super::super) fn from_lines(text: &str) -> Option<(u64, u64)> {
    let numbers: Vec<u64> = text
        .split(|sign: char| !sign.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .map(whole)
        .collect::<Option<_>>()?;
    match numbers[..] {
        [one, two, ..] => Some((one, two)),
        _ => None,
    }
}
