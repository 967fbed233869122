//! How processes are scheduled: `ps` with columns of scheduling, what `chrt -p` and `taskset -p`
//! answer, /proc/PID/autogroup, /proc/PID/sched and /proc/PID/status.

use serde_json::Map;

use super::super::command::{changed, mask, task_name};
use crate::words::amounts::{decimal, listed, quoted};
use crate::words::case::{Case, Note, Program};
use crate::words::cpus::CpuList;
use crate::words::getopt::whole;
use crate::words::table::{Kind, Table};

/// Tasks of a list that are taken over, at most.
const TASKS_MAX: usize = 32;
/// Names by which kernel threads begin.
const OF_KERNEL: &[&str] = &[
    "migration/",
    "ksoftirqd/",
    "watchdog",
    "irq/",
    "rcu",
    "kworker",
    "kthread",
    "idle_inject/",
    "cpuhp/",
    "posixcputmr",
    "ktimers/",
    "ktimersoftd/",
    "stop/",
    "[",
    "irq_work/",
    "backlog_napi",
    "kswapd",
    "khungtaskd",
    "psimon",
];

pub(super) fn read(text: &str, case: &mut Case) -> Option<Note> {
    list(text, case)
        .or_else(|| answer(text, case))
        .or_else(|| autogroup(text, case))
        .or_else(|| status(text, case))
        .or_else(|| sched(text, case))
}

/// The heading of `ps`, then a row for each task.
fn list(text: &str, case: &mut Case) -> Option<Note> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_name = |word: &&str| matches!(*word, "COMMAND" | "CMD" | "COMM");
    let is_head = words.last().is_some_and(is_name)
        && words.iter().any(|word| matches!(*word, "CLS" | "POL" | "SCH" | "RTPRIO"));
    if is_head {
        let head = words.iter().map(|word| (*word).to_owned()).collect();
        case.tables.push(Table::new(Kind::Processes, head));
        return Some(Note::left_out("names the columns of ps"));
    }
    let table = case.tables.last_mut().filter(|table| table.kind == Kind::Processes)?;
    let head = table.head.clone();
    if words.len() < head.len() {
        return None;
    }
    let cell = |names: &[&str]| {
        let at = head.iter().position(|name| names.contains(&name.as_str()))?;
        words.get(at).copied()
    };
    let command = words[head.len() - 1];
    let class = cell(&["CLS", "POL"]).or_else(|| {
        Some(match cell(&["SCH"])? {
            "1" => "FF",
            "2" => "RR",
            _ => "TS",
        })
    });
    let priority = cell(&["RTPRIO"]).and_then(whole);
    let class = class.or_else(|| priority.map(|_| "FF")).unwrap_or("TS");
    let policy = match class {
        "FF" => "SCHED_FIFO",
        "RR" => "SCHED_RR",
        "DLN" => {
            return Some(Note::left_out(format!("{command}: SCHED_DEADLINE is not simulated")));
        }
        _ => return Some(Note::left_out(format!("{command} is not real-time: left out"))),
    };
    if OF_KERNEL.iter().any(|begin| command.starts_with(begin)) {
        return Some(Note::left_out(format!("{command} is a thread of the kernel")));
    }
    let Some(priority) = priority.filter(|priority| (1..=99).contains(priority)) else {
        return Some(Note::left_out(format!("{command}: its RTPRIO is missing")));
    };
    if table.rows.len() >= TASKS_MAX {
        return Some(Note::left_out(format!("{TASKS_MAX} tasks of the list are taken over")));
    }
    table.row(&[command]);
    let (name, mut task) = (case.free_name(&task_name(command)), Map::new());
    task.insert("policy".to_owned(), policy.into());
    task.insert("priority".to_owned(), priority.into());
    case.programs.push(Program::Other { name: name.clone(), task });
    Some(Note::used(format!("{name} runs as {policy} {priority}")))
}

/// `pid 4711's current scheduling policy: SCHED_FIFO`, `… affinity list: 0-3`.
fn answer(text: &str, case: &mut Case) -> Option<Note> {
    let (pid, rest) = text.strip_prefix("pid ")?.split_once("'s ")?;
    whole(pid)?;
    let rest = rest.strip_prefix("current ").or_else(|| rest.strip_prefix("new "))?;
    let (what, value) = rest.split_once(':')?;
    let (name, value) = (format!("process-{pid}"), value.trim());
    let wrong = || Some(Note::left_out(format!("{} is no {what} here", quoted(value))));
    match what {
        "affinity list" | "affinity mask" => {
            let cpus = if what.ends_with("list") { CpuList::read(value) } else { mask(value) };
            let Some(cpus) = cpus else { return wrong() };
            Some(Note::used(changed(&name, None, Some(cpus), case).1))
        }
        "scheduling policy" => {
            let policy = match value.split('|').next()? {
                "SCHED_FIFO" => ("SCHED_FIFO", 1),
                "SCHED_RR" => ("SCHED_RR", 1),
                "SCHED_OTHER" | "SCHED_BATCH" => ("SCHED_OTHER", 0),
                "SCHED_IDLE" => ("SCHED_IDLE", 0),
                _ => return wrong(),
            };
            changed(&name, Some(policy), None, case);
            Some(Note::used(format!("{name} runs as {}", policy.0)))
        }
        "scheduling priority" => {
            let Some(priority) = whole(value).filter(|priority| *priority <= 99) else {
                return wrong();
            };
            if priority == 0 {
                return Some(Note::left_out("priority 0: the policy is not real-time"));
            }
            let policy = policy_of(&name, case)?;
            let priority = i64::try_from(priority).ok()?;
            Some(Note::used(changed(&name, Some((policy, priority)), None, case).1))
        }
        _ => Some(Note::left_out(format!("{what}: not simulated"))),
    }
}

/// The real-time policy that a task has by the lines above.
fn policy_of(name: &str, case: &Case) -> Option<&'static str> {
    case.programs.iter().find_map(|program| match program {
        Program::Other { name: known, task } if known == name => {
            match task.get("policy")?.as_str()? {
                "SCHED_FIFO" => Some("SCHED_FIFO"),
                "SCHED_RR" => Some("SCHED_RR"),
                _ => None,
            }
        }
        _ => None,
    })
}

/// `/autogroup-312 nice 0`.
fn autogroup(text: &str, case: &mut Case) -> Option<Note> {
    let (number, nice) = text.strip_prefix("/autogroup-")?.split_once(" nice ")?;
    whole(number)?;
    let nice: i64 = nice.trim().parse().ok().filter(|nice| (-20..=19).contains(nice))?;
    case.says.push(format!(
        "The session is autogroup {number} with nice {nice}: all of its tasks together weigh what \
         one task of nice {nice} does, and their own nice values count only among themselves."
    ));
    Some(Note::left_out("a group of a session: in a scenario a cgroup of that weight"))
}

/// Lines of /proc/PID/status.
fn status(text: &str, case: &mut Case) -> Option<Note> {
    let (name, value) = text.split_once(':')?;
    let value = value.trim();
    let cpus = match name {
        "Cpus_allowed_list" => CpuList::read(value),
        "Cpus_allowed" => mask(&value.replace(',', "")),
        "voluntary_ctxt_switches" | "nonvoluntary_ctxt_switches" => {
            let count = whole(value)?;
            let how = if name.starts_with('n') { "against its will" } else { "by itself" };
            return Some(Note::left_out(format!(
                "a count: it gave up the CPU {how} {count} times"
            )));
        }
        _ => return None,
    };
    let cpus = cpus?;
    // The mask and the list say the same, one below the other.
    Some(Note::used(changed("process", None, Some(cpus), case).1))
}

/// /proc/PID/sched: a heading, then `nr_switches : 812`.
fn sched(text: &str, case: &mut Case) -> Option<Note> {
    if let Some((head, threads)) = text.split_once(", #threads: ") {
        whole(threads.trim_end_matches(')'))?;
        let name = head.rsplit_once('(').map_or(head, |(name, _)| name).trim();
        case.tables.push(Table::new(Kind::ProcessSched, vec![name.to_owned()]));
        return Some(Note::left_out(format!("/proc/PID/sched of {}", quoted(name))));
    }
    let (key, value) = text.split_once(':')?;
    let (key, value) = (key.trim(), value.trim());
    let is_known = key.starts_with("se.")
        || key.starts_with("nr_")
        || key.starts_with("dl.")
        || key.starts_with("avg_")
        || key.starts_with("mm->numa")
        || key.starts_with("numa_")
        || matches!(key, "policy" | "prio" | "clock-delta" | "nr_migrations" | "sum_exec_runtime");
    let table = case.tables.last_mut().filter(|table| table.kind == Kind::ProcessSched)?;
    if !is_known || decimal(value.trim_start_matches('-')).is_none() {
        return None;
    }
    table.row(&[key, value]);
    let what = match key {
        "nr_switches" => "how often it left the CPU",
        "nr_voluntary_switches" => "how often it went to sleep",
        "nr_involuntary_switches" => "how often it had to leave the CPU while it could run",
        "se.nr_migrations" | "nr_migrations" => "how often it moved to another CPU",
        "se.slice" => "how long a request of it is, ns",
        "se.sum_exec_runtime" | "sum_exec_runtime" => "time on a CPU, ms",
        "policy" => "0 other, 1 FIFO, 2 RR, 3 batch, 5 idle, 6 deadline",
        "prio" => "below 100 real-time (99 less the priority), else 120 and nice",
        _ => "a figure of the scheduler at the instant of reading",
    };
    Some(Note::left_out(format!("{key}: {what}")))
}

pub(super) fn said(table: &Table, case: &mut Case) {
    if table.kind != Kind::ProcessSched {
        return;
    }
    let value = |key: &str| table.rows.iter().rfind(|row| row[0] == key).map(|row| row[1].clone());
    let name = table.head.first().map_or_else(String::new, |name| quoted(name));
    let mut parts = Vec::new();
    for (key, words) in [
        ("nr_switches", "left the CPU {} times"),
        ("nr_involuntary_switches", "{} of them while it could still run"),
        ("se.nr_migrations", "moved {} times"),
    ] {
        parts.extend(value(key).map(|count| words.replace("{}", &count)));
    }
    if !parts.is_empty() {
        case.says.push(format!(
            "{name} {}. How long it waited before each turn is not in these lines.",
            listed(&parts)
        ));
    }
    if let Some(ns) = value("se.slice").and_then(|text| whole(&text)) {
        case.says.push(format!(
            "A request of {name} is {}: that of the machine, unless the program set its own.",
            crate::words::amounts::time(ns as f64 / 1e3)
        ));
    }
}
