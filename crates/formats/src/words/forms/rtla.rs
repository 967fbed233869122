//! `rtla timerlat` and `rtla osnoise` of the kernel's tools/tracing/rtla. timerlat asks what
//! cyclictest asks; osnoise polls on CPUs and counts what takes them away. Options as in
//! Documentation/tools/rtla.

use serde_json::{Map, json};

use super::command::wrapped;
use super::cyclictest;
use crate::words::amounts::{listed, quoted};
use crate::words::case::{Case, Note, Program};
use crate::words::cpus::{CPUS_MAX, CpuList, written};
use crate::words::form::Form;
use crate::words::getopt::{Given, Opt, Takes, whole};
use crate::words::paste::Piece;

use Takes::{Maybe, Nothing, Value};

pub(super) const FORM: Form = Form {
    name: "rtla",
    title: "rtla timerlat, rtla osnoise",
    example: "rtla timerlat top -c 2-5 -P f:95 -p 100 -d 60s",
    read,
};

const OPTIONS: &[Opt] = &[
    Opt("c", "cpus", Value),
    Opt("P", "priority", Value),
    Opt("p", "period", Value),
    Opt("d", "duration", Value),
    Opt("r", "runtime", Value),
    Opt("a", "auto", Value),
    Opt("A", "aa-only", Value),
    Opt("b", "bucket-size", Value),
    Opt("C", "cgroup", Maybe),
    Opt("D", "debug", Nothing),
    Opt("e", "event", Value),
    Opt("E", "entries", Value),
    Opt("H", "house-keeping", Value),
    Opt("i", "irq", Value),
    Opt("k", "kernel-threads", Nothing),
    Opt("n", "nano", Nothing),
    Opt("q", "quiet", Nothing),
    Opt("s", "stack|stop", Value),
    Opt("S", "stop-total", Value),
    Opt("t", "trace", Maybe),
    Opt("T", "thread|threshold", Value),
    Opt("u", "user-threads", Nothing),
    Opt("U", "user-load", Nothing),
    Opt("", "dma-latency", Value),
    Opt("", "dump-tasks", Nothing),
    Opt("", "filter", Value),
    Opt("", "no-aa", Nothing),
    Opt("", "no-header", Nothing),
    Opt("", "no-summary", Nothing),
    Opt("", "no-index", Nothing),
    Opt("", "with-zeros", Nothing),
    Opt("", "trigger", Value),
    Opt("", "warm-up", Value),
    Opt("", "trace-buffer-size", Value),
];
const TAKEN: &[&str] = &["cpus", "priority", "period", "duration"];
/// Polling tasks are made for at most so many CPUs.
const POLLING_MAX: usize = 32;

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let all = wrapped(&piece.pipeline()?[0].words);
    let (program, words) = all.words.split_first()?;
    let program = program.rsplit('/').next()?;
    let (tool, words) = match program {
        "rtla" => words.split_first().map(|(tool, words)| (tool.as_str(), words))?,
        "timerlat" | "osnoise" | "hwnoise" => (program, words),
        _ => return None,
    };
    let given = Given::read(words, OPTIONS);
    let said = match tool {
        "timerlat" => timerlat(&given, case),
        "osnoise" | "hwnoise" => noise(tool, &given, case),
        _ => Err(format!("rtla {tool} is not known here; timerlat and osnoise are")),
    };
    Some(match said {
        Ok(mut said) => {
            let names = given.those(|key| !TAKEN.contains(&key));
            let left = [names, given.strange].concat();
            if !left.is_empty() {
                said.push(format!("no effect here: {}", listed(&left)));
            }
            Note::used(said.join("; "))
        }
        Err(wrong) => Note::left_out(wrong),
    })
}

/// timerlat's threads are SCHED_FIFO 95, and wake every 1000 us, unless the line says otherwise.
fn timerlat(given: &Given, case: &mut Case) -> Result<Vec<String>, String> {
    let stated = given.value("priority").unwrap_or("f:95");
    let (policy, priority) = match stated.split_once(':') {
        Some(("o" | "O", _)) => ("other", 0),
        Some((class @ ("f" | "F" | "r" | "R"), text)) => {
            let priority = whole(text).filter(|priority| (1..=99).contains(priority));
            let Some(priority) = priority else {
                return Err(format!("-P is {}; expected f:95, r:95 or o:0", quoted(stated)));
            };
            (if class.eq_ignore_ascii_case("f") { "fifo" } else { "rr" }, priority)
        }
        Some(("d" | "D", _)) => {
            return Err(format!("-P {stated}: SCHED_DEADLINE is not simulated"));
        }
        _ => return Err(format!("-P is {}; expected f:95, r:95 or o:0", quoted(stated))),
    };
    let period = given.number("period", 50, 1_000_000)?.unwrap_or(1_000);
    let mut line = vec!["-m".to_owned(), "-d0".to_owned(), format!("-i{period}")];
    if policy != "other" {
        line.extend([format!("-p{priority}"), format!("--policy={policy}")]);
    }
    match given.value("cpus") {
        None => line.push("-S".to_owned()),
        Some(text) => {
            let Some(cpus) = CpuList::read(text) else {
                return Err(format!("-c is {}; expected CPUs such as 0-3,8", quoted(text)));
            };
            line.push(format!("-t{}", cpus.on(CPUS_MAX).len()));
            line.push(format!("-a{text}"));
        }
    }
    if let Some(seconds) = given.seconds("duration")? {
        line.push(format!("-D{seconds}"));
    }
    let mut said = cyclictest::started(&line, None, case)?;
    said.insert(0, "timerlat is read as cyclictest".to_owned());
    case.says.push(
        "timerlat also measures how late its interrupt is. Here only the thread is: by how much it \
         wakes late."
            .to_owned(),
    );
    Ok(said)
}

fn noise(tool: &str, given: &Given, case: &mut Case) -> Result<Vec<String>, String> {
    let Some(text) = given.value("cpus") else {
        return Err(format!(
            "{tool} without -c watches every CPU: add the CPUs that should be quiet, such as -c \
             2-7; a task polls on each of them here"
        ));
    };
    let Some(cpus) = CpuList::read(text) else {
        return Err(format!("-c is {}; expected CPUs such as 2-7", quoted(text)));
    };
    let on = cpus.on(cpus.least_cpus());
    for cpu in on.iter().take(POLLING_MAX) {
        let name = case.free_name(&format!("{tool}-{cpu}"));
        let mut task = Map::new();
        for (key, value) in [
            ("cpus", json!([cpu])),
            ("delay", json!(500)),
            ("loop", json!(-1)),
            ("run", json!(100_000)),
        ] {
            task.insert(key.to_owned(), value);
        }
        let figure = (cpu == &on[0]).then(|| format!("tasks.{name}.*.user_ns"));
        case.programs.push(Program::Task { name, task, on_each: false, figure, run_us: 1_000_000 });
    }
    case.list("programs", cpus);
    case.says.push(format!(
        "{tool} counts what takes the CPU away; here the time that a task on the CPU gets says it."
    ));
    let words = format!("{tool}: a task polls on each of CPUs {}", written(&on));
    let cut = (on.len() > POLLING_MAX).then(|| format!("the first {POLLING_MAX} of them here"));
    Ok([Some(words), cut].into_iter().flatten().collect())
}
