//! stress-ng and stress: workers that compute, pass data through pipes, or sleep by the clock.

use serde_json::{Map, Value, json};

use super::super::command::Wrapped;
use super::hackbench::Messages;
use super::said::{Said, left_out};
use crate::words::amounts::{listed, time};
use crate::words::case::{Case, Program};
use crate::words::cpus::{CpuList, written};
use crate::words::getopt::{Given, Opt, Takes, whole};

use Takes::{Maybe, Nothing, Value as Takes1};

/// Stressors that only compute, as `--cpu` does.
const COMPUTING: &[&str] = &["cpu", "matrix", "qsort", "fp", "prime", "vecmath"];
/// The options that are read, and those beside them whose values are words of their own.
const OPTIONS: &[Opt] = &[
    Opt("c", "cpu", Takes1),
    Opt("l", "cpu-load", Takes1),
    Opt("", "cpu-method", Takes1),
    Opt("", "cpu-ops", Takes1),
    Opt("", "matrix", Takes1),
    Opt("Q", "qsort", Takes1),
    Opt("", "fp", Takes1),
    Opt("", "prime", Takes1),
    Opt("", "vecmath", Takes1),
    Opt("p", "pipe", Takes1),
    Opt("", "pipe-ops", Takes1),
    Opt("", "pipe-data-size", Takes1),
    Opt("s", "switch", Takes1),
    Opt("", "switch-ops", Takes1),
    Opt("", "switch-method", Takes1),
    Opt("y", "yield", Takes1),
    Opt("", "cyclic", Takes1),
    Opt("", "cyclic-policy", Takes1),
    Opt("", "cyclic-prio", Takes1),
    Opt("", "cyclic-sleep", Takes1),
    Opt("", "cyclic-dist", Takes1),
    Opt("", "cyclic-method", Takes1),
    Opt("", "cyclic-ops", Takes1),
    Opt("", "cyclic-samples", Takes1),
    Opt("t", "timeout", Takes1),
    Opt("", "sched", Takes1),
    Opt("", "sched-prio", Takes1),
    Opt("", "taskset", Takes1),
    Opt("M", "metrics", Nothing),
    Opt("", "metrics-brief", Nothing),
    Opt("q", "quiet", Nothing),
    Opt("v", "verbose", Nothing),
    Opt("", "perf", Nothing),
    Opt("", "times", Nothing),
    Opt("", "tz", Nothing),
    Opt("", "minimize", Nothing),
    Opt("", "verify", Nothing),
    Opt("", "aggressive", Nothing),
    Opt("", "log-file", Takes1),
    Opt("Y", "yaml", Takes1),
    Opt("m", "vm", Takes1),
    Opt("", "vm-bytes", Takes1),
    Opt("", "vm-method", Takes1),
    Opt("", "vm-keep", Nothing),
    Opt("i", "io", Takes1),
    Opt("d", "hdd", Takes1),
    Opt("", "hdd-bytes", Takes1),
    Opt("f", "fork", Takes1),
    Opt("T", "timer", Takes1),
    Opt("", "timer-freq", Takes1),
    Opt("S", "sock", Takes1),
    Opt("C", "cache", Takes1),
    Opt("B", "bigheap", Takes1),
    Opt("D", "dentry", Takes1),
    Opt("u", "urandom", Takes1),
    Opt("a", "all", Takes1),
    Opt("r", "random", Takes1),
    Opt("x", "exclude", Takes1),
    Opt("", "sequential", Takes1),
    Opt("", "class", Takes1),
    Opt("", "futex", Takes1),
    Opt("", "mutex", Takes1),
    Opt("", "sem", Takes1),
    Opt("", "memcpy", Takes1),
    Opt("", "stream", Takes1),
    Opt("", "mmap", Takes1),
    Opt("", "nanosleep", Takes1),
    Opt("", "eventfd", Takes1),
    Opt("", "poll", Takes1),
    Opt("", "epoll", Takes1),
    Opt("", "hrtimers", Takes1),
    Opt("", "schedpolicy", Takes1),
    Opt("", "interrupts", Nothing),
    Opt("b", "backoff", Takes1),
    Opt("k", "keep-name", Nothing),
    Opt("n", "dry-run", Nothing),
    Opt("", "ionice-class", Takes1),
    Opt("", "ionice-level", Takes1),
    Opt("", "cpu-load-slice", Maybe),
];
/// stress of 2010: -m, -i and -d are memory and disks.
const STRESS: &[Opt] = &[
    Opt("c", "cpu", Takes1),
    Opt("i", "io", Takes1),
    Opt("m", "vm", Takes1),
    Opt("d", "hdd", Takes1),
    Opt("t", "timeout", Takes1),
    Opt("b", "backoff", Takes1),
    Opt("n", "dry-run", Nothing),
    Opt("v", "verbose", Nothing),
    Opt("q", "quiet", Nothing),
    Opt("", "vm-bytes", Takes1),
    Opt("", "vm-stride", Takes1),
    Opt("", "vm-hang", Takes1),
    Opt("", "vm-keep", Nothing),
    Opt("", "hdd-bytes", Takes1),
];
/// Options that change what is printed, how long it runs, or belong to a stressor that is read.
const SILENT: &[&str] = &[
    "cpu-method",
    "cyclic-dist",
    "cyclic-method",
    "cyclic-samples",
    "dry-run",
    "keep-name",
    "log-file",
    "metrics",
    "metrics-brief",
    "minimize",
    "perf",
    "quiet",
    "sched",
    "sched-prio",
    "switch-method",
    "taskset",
    "timeout",
    "times",
    "tz",
    "verbose",
    "verify",
    "yaml",
    "interrupts",
    "cpu-load",
    "pipe-data-size",
    "cyclic-policy",
    "cyclic-prio",
    "cyclic-sleep",
];
const READ: &[&str] = &["pipe", "switch", "yield", "cyclic"];
const WORKERS_MAX: u64 = 1_024;
const RUN_US: u64 = 1_000_000;
/// A period of a worker that computes for a part of the time, us.
const LOAD_PERIOD_US: u64 = 100_000;

pub(super) fn stress(words: &[String], all: &Wrapped<'_>, case: &mut Case) -> Said {
    load("stress", &Given::read(words, STRESS), all, case)
}

pub(super) fn stress_ng(words: &[String], all: &Wrapped<'_>, case: &mut Case) -> Said {
    load("stress-ng", &Given::read(words, OPTIONS), all, case)
}

fn load(tool: &str, given: &Given, all: &Wrapped<'_>, case: &mut Case) -> Said {
    if given.has("dry-run") {
        return Err(format!("{tool} with {} runs nothing", given.written("dry-run")));
    }
    let is_stressor = |key: &str| COMPUTING.contains(&key) || READ.contains(&key);
    let others = given.those(|key| !is_stressor(key) && !SILENT.contains(&key));
    if given.those(is_stressor).is_empty() {
        return Err(if others.is_empty() && given.strange.is_empty() {
            format!("{tool} without a stressor, such as --cpu 4, runs nothing")
        } else {
            let names: Vec<String> = [&others[..], &given.strange[..]].concat();
            format!("of {tool} nothing here does what {} does", listed(&names))
        });
    }
    let mut said = Vec::new();
    let mut wrong = Vec::new();
    let mut add = |part: Said| match part {
        Ok(words) => said.extend(words),
        Err(why) => wrong.push(why),
    };
    for key in COMPUTING.iter().filter(|key| given.has(key)) {
        add(compute(tool, key, given, all, case));
    }
    for key in READ.iter().filter(|key| given.has(key)) {
        add(match *key {
            "cyclic" => cyclic(given, all, case),
            "yield" => yielding(given, all, case),
            _ => pipes(key, given, case),
        });
    }
    if said.is_empty() {
        return Err(wrong.join("; "));
    }
    said.extend(wrong.into_iter().map(|why| format!("left out: {why}")));
    said.extend(left_out(given, &others));
    Ok(said)
}

/// Workers of a stressor; none: one for each CPU.
fn workers(given: &Given, key: &str) -> Result<Option<u64>, String> {
    if given.value(key).is_some_and(|text| text.starts_with('-') && whole(&text[1..]).is_some()) {
        return Ok(None);
    }
    Ok(given.number(key, 0, WORKERS_MAX)?.filter(|workers| *workers > 0))
}

fn many(workers: Option<u64>) -> String {
    match workers {
        None => "one worker for each CPU".to_owned(),
        Some(1) => "1 worker".to_owned(),
        Some(workers) => format!("{workers} workers"),
    }
}

fn compute(tool: &str, key: &str, given: &Given, all: &Wrapped<'_>, case: &mut Case) -> Said {
    let workers = workers(given, key)?;
    let share = given.number("cpu-load", 0, 100)?.filter(|_| key == "cpu").unwrap_or(100);
    if share == 0 {
        return Err(format!("{} 0 is a worker that sleeps", given.written("cpu-load")));
    }
    let mut task = Map::new();
    task.insert("instance".to_owned(), json!(workers.unwrap_or(1)));
    let how = match chosen(given)? {
        Some((policy, priority)) => {
            task.insert("policy".to_owned(), json!(policy));
            if policy != "SCHED_IDLE" {
                task.insert("priority".to_owned(), json!(priority));
            }
            let bound = Wrapped { policy: None, ..all.clone() };
            format!(", as {policy} {priority}{}", placed(&mut task, given, &bound, case)?)
        }
        None => placed(&mut task, given, all, case)?,
    };
    if share < 100 {
        task.insert("run".to_owned(), json!(LOAD_PERIOD_US * share / 100));
        let timer = json!({ "ref": "unique", "period": LOAD_PERIOD_US, "mode": "absolute" });
        task.insert("timer".to_owned(), timer);
    }
    computing(key, task, workers.is_none(), case);
    let work = match share {
        100 => "without a pause".to_owned(),
        share => format!("{share} % of the time, in every 100 ms at once"),
    };
    let like = if key == "cpu" { String::new() } else { format!(" ({key}: as --cpu)") };
    let words = format!("{tool}: {} computing {work}{like}{how}", many(workers));
    case.says.push(format!("{words}."));
    Ok(vec![words])
}

/// A program whose tasks compute; `task` may say how much.
pub(super) fn computing(name: &str, task: Map<String, Value>, on_each: bool, case: &mut Case) {
    let name = case.free_name(&format!("stress-{name}").replace("stress-sysbench", "sysbench-cpu"));
    let mut task = task;
    task.insert("loop".to_owned(), json!(-1));
    task.entry("run").or_insert(json!(10_000));
    let figure = Some(format!("tasks.{name}.*.user_ns"));
    case.programs.push(Program::Task { name, task, on_each, figure, run_us: RUN_US });
}

/// Policy and CPUs that stress-ng gives its workers.
fn chosen(given: &Given) -> Result<Option<(&'static str, u64)>, String> {
    let Some(sched) = given.value("sched") else { return Ok(None) };
    let priority = given.number("sched-prio", 0, 99)?.unwrap_or(0);
    match sched {
        "fifo" => Ok(Some(("SCHED_FIFO", priority.max(1)))),
        "rr" => Ok(Some(("SCHED_RR", priority.max(1)))),
        "idle" => Ok(Some(("SCHED_IDLE", 0))),
        "other" | "batch" => Ok(None),
        _ => Err(format!("--sched is {sched:?}; expected other, batch, idle, fifo or rr")),
    }
}

fn placed(
    task: &mut Map<String, Value>,
    given: &Given,
    all: &Wrapped<'_>,
    case: &mut Case,
) -> Result<String, String> {
    let Some(text) = given.value("taskset") else { return scheduled(task, all, case) };
    let Some(cpus) = CpuList::read(text) else {
        return Err(format!("--taskset is {text:?}; expected CPUs such as 0-3,8"));
    };
    scheduled(task, &Wrapped { cpus: Some(cpus), ..all.clone() }, case)
}

/// Writes the policy and CPUs before a command into its task; what that is in words.
pub(super) fn scheduled(
    task: &mut Map<String, Value>,
    all: &Wrapped<'_>,
    case: &mut Case,
) -> Result<String, String> {
    let mut words = String::new();
    if let Some((policy, priority)) = all.policy {
        task.insert("policy".to_owned(), json!(policy));
        if policy != "SCHED_IDLE" {
            task.insert("priority".to_owned(), json!(priority));
        }
        words = format!(", as {policy} {priority}");
    }
    if let Some(cpus) = &all.cpus {
        let on = cpus.on(cpus.least_cpus());
        words = format!("{words}, on CPUs {}", written(&on));
        task.insert("cpus".to_owned(), Value::from(on));
        case.list("programs", cpus.clone());
    }
    Ok(words)
}

/// Pairs that pass data through a pipe: hackbench with groups of one sender and one receiver.
fn pipes(key: &str, given: &Given, case: &mut Case) -> Said {
    let workers = workers(given, key)?.unwrap_or(8);
    if workers > 400 {
        return Err(format!("{workers} pairs; a run here takes 400"));
    }
    let bytes = match key {
        "switch" => 4_096,
        _ => given.number("pipe-data-size", 4, 4_096)?.unwrap_or(512),
    };
    if given.value("switch-method").is_some_and(|method| method != "pipe") && key == "switch" {
        return Err(format!(
            "--switch-method {} has nothing like it here",
            given.value("switch-method").unwrap_or_default()
        ));
    }
    let pairs = Messages {
        groups: workers,
        fds: 1,
        loops: 1_000_000,
        datasize: bytes,
        pipe: true,
        fifo: false,
    };
    let said =
        pairs.start(&format!("stress-ng --{key}, as hackbench with a million loops,"), case)?;
    Ok(said.into_iter().chain([format!("{bytes} bytes at a time")]).collect())
}

fn yielding(given: &Given, all: &Wrapped<'_>, case: &mut Case) -> Said {
    let workers = workers(given, "yield")?;
    let mut task = Map::new();
    task.insert("instance".to_owned(), json!(workers.unwrap_or(1)));
    let how = placed(&mut task, given, all, case)?;
    task.insert("loop".to_owned(), json!(-1));
    task.insert("run".to_owned(), json!(1));
    task.insert("yield".to_owned(), json!(""));
    let name = case.free_name("stress-yield");
    let figure = Some("sched.context_switches".to_owned());
    let on_each = workers.is_none();
    case.programs.push(Program::Task { name, task, on_each, figure, run_us: 200_000 });
    let words = format!("stress-ng: {} calling sched_yield after every 1 us{how}", many(workers));
    case.says.push(format!("{words}; how long it works between two calls is assumed."));
    Ok(vec![words])
}

/// A worker that sleeps by the clock and looks how late it is.
fn cyclic(given: &Given, all: &Wrapped<'_>, case: &mut Case) -> Said {
    let workers = workers(given, "cyclic")?;
    let sleep_ns = given.number("cyclic-sleep", 1, 1_000_000_000)?.unwrap_or(100_000);
    let priority = given.number("cyclic-prio", 1, 100)?;
    let policy = match given.value("cyclic-policy") {
        Some("fifo") | None => "SCHED_FIFO",
        Some("rr") => "SCHED_RR",
        Some("deadline") => {
            return Err("--cyclic-policy deadline: SCHED_DEADLINE is not simulated".to_owned());
        }
        Some(text) => {
            return Err(format!("--cyclic-policy is {text:?}; expected fifo or rr"));
        }
    };
    let mut said = Vec::new();
    if given.value("cyclic-policy").is_none() {
        said.push("its policy is not stated: SCHED_FIFO is assumed".to_owned());
    }
    if priority.is_none_or(|priority| priority > 99) {
        said.push("its priority is that of the highest, 99".to_owned());
    }
    let priority = priority.unwrap_or(99).min(99);
    let sleep_us = sleep_ns.div_ceil(1_000);
    if sleep_us * 1_000 != sleep_ns {
        said.push(format!("its sleep is rounded up to {sleep_us} us"));
    }
    let mut task = Map::new();
    let bound = Wrapped { policy: None, ..all.clone() };
    let how = placed(&mut task, given, &bound, case)?;
    for (key, value) in [
        ("instance", json!(workers.unwrap_or(1))),
        ("policy", json!(policy)),
        ("priority", json!(priority)),
        ("loop", json!(-1)),
        ("run", json!(1)),
        ("sleep", json!(sleep_us)),
    ] {
        task.insert(key.to_owned(), value);
    }
    let name = case.free_name("stress-cyclic");
    let run_us = (5_000 * sleep_us).clamp(200_000, 5_000_000);
    let figure = Some(format!("latency.{name}.max_ns"));
    let on_each = workers.is_none();
    case.programs.push(Program::Task { name, task, on_each, figure, run_us });
    let words = format!(
        "stress-ng: {} of {policy} {priority} sleeping {} and looking how late it wakes{how}",
        many(workers),
        time(sleep_us as f64)
    );
    case.says.push(format!("{words}."));
    said.insert(0, words);
    Ok(said)
}
