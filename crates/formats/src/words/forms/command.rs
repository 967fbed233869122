//! A program of one's own behind `chrt`, `taskset`, `nice` or `numactl`: how it is scheduled is
//! known, what it does is not.

use serde_json::{Map, Value, json};

use crate::words::case::{Case, Note, Program};
use crate::words::cpus::CpuList;
use crate::words::form::Form;
use crate::words::{marks::unwrapped, paste::Piece};

/// Names that tasks of the scenario's own programs have, and those programs.
const TAKEN: &[&str] = &[
    "backend",
    "burst_sleep",
    "busy",
    "cc",
    "cyclictest",
    "database",
    "device_irq",
    "fast",
    "fibtest",
    "gc_burst",
    "gc_cycle",
    "gc_main",
    "gc_worker",
    "hackbench",
    "hackbench_main",
    "hackbench_receiver",
    "hackbench_sender",
    "house",
    "kernbench",
    "ksoftirqd",
    "kworker",
    "make",
    "pipe",
    "pool_client",
    "pool_worker",
    "rcu",
    "rcuop",
    "rt_loop",
    "rt_migrate_main",
    "rt_migrate_test",
    "rt_noise",
    "schbench",
    "schbench_message",
    "schbench_worker",
    "slow",
    "smi",
    "softirq",
    "steal",
    "tasks",
    "thread_pool",
    "web",
    "web_client",
    "web_front",
    "web_worker",
];

pub(super) const FORM: Form = Form {
    name: "command",
    title: "chrt, taskset, nice",
    example: "taskset -c 3,7 chrt -f 99 ./servo 1000",
    read,
};

/// How a command is scheduled, by the words before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wrapped<'t> {
    /// `SCHED_FIFO`, and its priority or nice value.
    pub(super) policy: Option<(&'static str, i64)>,
    pub(super) cpus: Option<CpuList>,
    /// Program and arguments.
    pub(super) words: &'t [String],
    /// What was not understood.
    pub(super) wrong: Option<String>,
    /// Words before the program that nothing here has, and why.
    pub(super) left: Vec<String>,
}

/// Reads the words before a program.
pub(super) fn wrapped(words: &[String]) -> Wrapped<'_> {
    let mut all = Wrapped { words: unwrapped(words), ..Wrapped::default() };
    loop {
        let Some((name, rest)) = all.words.split_first() else { return all };
        let taken = match name.rsplit('/').next().unwrap_or(name) {
            "chrt" => chrt(rest, &mut all),
            "taskset" => taskset(rest, &mut all),
            "nice" => nice(rest, &mut all),
            "numactl" => numactl(rest, &mut all),
            "nohup" | "time" | "setsid" | "env" | "doas" => Some(options(rest, "").0),
            other => match around(other, rest, &mut all) {
                Some(taken) => Some(taken),
                None => return all,
            },
        };
        let Some(taken) = taken else {
            let none = || format!("{name}: its options name no policy and no CPUs there are");
            all.wrong = Some(all.wrong.take().unwrap_or_else(none));
            return all;
        };
        all.words = unwrapped(&rest[taken.min(rest.len())..]);
    }
}

/// How many of the words are options; a letter of `valued` alone takes the next word too.
fn options(words: &[String], valued: &str) -> (usize, bool) {
    let mut taken = 0;
    while let Some(word) = words.get(taken).filter(|word| word.starts_with('-')) {
        taken += 1;
        if word == "--" {
            return (taken, true);
        }
        let letter = word.strip_prefix('-').filter(|letters| letters.len() == 1);
        taken += usize::from(letter.is_some_and(|letter| valued.contains(letter)));
    }
    (taken.min(words.len()), false)
}

/// Words that a program takes which starts another one and records or groups it; none where it is
/// no such program.
fn around(name: &str, words: &[String], all: &mut Wrapped<'_>) -> Option<usize> {
    match name {
        "cgexec" => {
            let (taken, _) = options(words, "g");
            let groups = words[..taken].join(" ");
            all.left.push(format!("cgexec {groups}: what the group may use is not said"));
            Some(taken)
        }
        "timeout" => Some(options(words, "ks").0 + 1),
        "stdbuf" => Some(options(words, "ioe").0),
        "ionice" => Some(options(words, "cnpPu").0),
        "strace" => Some(options(words, "abeEIoOpPsSuUX").0),
        "trace-cmd" if matches!(words.first().map(String::as_str), Some("record" | "start")) => {
            Some(1 + options(&words[1..], "defglmnopOsTvRNPbBCM").0)
        }
        "perf" => {
            let depth = match words.first().map(String::as_str) {
                Some("stat" | "record" | "trace") => 1,
                Some("sched" | "lock") if words.get(1).is_some_and(|word| word == "record") => 2,
                _ => return None,
            };
            let rest = &words[depth..];
            Some(depth + options(rest, "erCptoxIDMGFcmTuj").0)
        }
        _ => None,
    }
}

/// Words that `chrt` takes; none where they are not read.
fn chrt(words: &[String], all: &mut Wrapped<'_>) -> Option<usize> {
    const VALUED: &[&str] =
        &["-T", "-P", "-D", "--sched-runtime", "--sched-period", "--sched-deadline"];
    let mut options = 0;
    while let Some(word) = words.get(options).filter(|word| word.starts_with('-')) {
        options += 1 + usize::from(VALUED.contains(&word.as_str()));
    }
    let stated = words.get(..options)?;
    if speaks_of_a_process(stated) {
        return None;
    }
    let has = |flags: &[&str]| stated.iter().any(|word| flags.contains(&word.as_str()));
    let policy = match () {
        () if has(&["-d", "--deadline"]) || has(VALUED) => {
            all.wrong = Some("SCHED_DEADLINE is not simulated".to_owned());
            return None;
        }
        () if has(&["-f", "--fifo"]) => "SCHED_FIFO",
        () if has(&["-o", "--other"]) => "SCHED_OTHER",
        () if has(&["-b", "--batch"]) => {
            all.left.push("SCHED_BATCH is taken for SCHED_OTHER".to_owned());
            "SCHED_OTHER"
        }
        () if has(&["-i", "--idle"]) => "SCHED_IDLE",
        () => "SCHED_RR",
    };
    let priority: i64 = words.get(options)?.parse().ok()?;
    let most = if matches!(policy, "SCHED_FIFO" | "SCHED_RR") { 1..=99 } else { 0..=0 };
    if !most.contains(&priority) {
        return None;
    }
    all.policy = Some((policy, priority));
    Some(options + 1)
}

/// `-p`: of a process that runs, by its number.
fn speaks_of_a_process(options: &[String]) -> bool {
    options.iter().any(|word| word == "--pid" || !word.starts_with("--") && word.contains('p'))
}

fn taskset(words: &[String], all: &mut Wrapped<'_>) -> Option<usize> {
    let options = words.iter().take_while(|word| word.starts_with('-')).count();
    if speaks_of_a_process(&words[..options]) {
        return None;
    }
    let is_list = words[..options].iter().any(|word| word == "--cpu-list" || word.contains('c'));
    let text = words.get(options)?;
    let list = if is_list { CpuList::read(text) } else { mask(text) };
    all.cpus = Some(list?);
    Some(options + 1)
}

/// CPUs of a mask in hexadecimal digits.
pub(super) fn mask(text: &str) -> Option<CpuList> {
    let bits = u128::from_str_radix(text.trim_start_matches("0x"), 16).ok()?;
    let cpus: Vec<u32> = (0..128).filter(|cpu| bits >> cpu & 1 == 1).collect();
    CpuList::read(&crate::words::cpus::written(&cpus))
}

fn nice(words: &[String], all: &mut Wrapped<'_>) -> Option<usize> {
    let first = words.first()?;
    let (text, taken) = match first.as_str() {
        "-n" | "--adjustment" => (words.get(1)?.as_str(), 2),
        _ if first.starts_with("-n") => (&first[2..], 1),
        _ if first.starts_with("--adjustment=") => (&first["--adjustment=".len()..], 1),
        _ if first.starts_with('-') => (&first[1..], 1),
        _ => ("10", 0),
    };
    all.policy = Some(("SCHED_OTHER", text.parse().ok().filter(|nice| (-20..=19).contains(nice))?));
    let is_end = words.get(taken).is_some_and(|word| word == "--");
    Some(taken + usize::from(is_end))
}

fn numactl(words: &[String], all: &mut Wrapped<'_>) -> Option<usize> {
    let mut taken = 0;
    while let Some(word) = words.get(taken).filter(|word| word.starts_with('-')) {
        taken += 1;
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, value),
            None if word.starts_with("--") || word.len() == 2 => (word.as_str(), ""),
            None => word.split_at(2),
        };
        let is_valued = matches!(
            name,
            "-C" | "--physcpubind"
                | "-N"
                | "--cpunodebind"
                | "-m"
                | "--membind"
                | "-i"
                | "--interleave"
                | "-p"
                | "--preferred"
        );
        let is_next = is_valued && value.is_empty();
        taken += usize::from(is_next);
        let value = if is_next { words.get(taken - 1)?.as_str() } else { value };
        match name {
            "-C" | "--physcpubind" => all.cpus = Some(CpuList::read(value)?),
            "-N" | "--cpunodebind" => {
                all.left.push(format!("{name} {value}: which CPUs a node has is not said"));
            }
            _ => {}
        }
    }
    Some(taken)
}

/// The name of a task for a program by its path.
pub(super) fn task_name(program: &str) -> String {
    let name = program.rsplit('/').next().unwrap_or(program);
    let name: String = name
        .chars()
        .map(|sign| if sign.is_ascii_alphanumeric() || sign == '_' { sign } else { '-' })
        .take(24)
        .collect();
    match name.trim_matches('-') {
        "" => "program".to_owned(),
        name if TAKEN.contains(&name) => format!("own-{name}"),
        name => name.to_owned(),
    }
}

/// How a process is scheduled that runs already: `chrt -f -p 50 4711`, `taskset -cp 0-3 4711`; and
/// the note. None where the command is of another kind.
fn of_process(words: &[String], case: &mut Case) -> Option<Note> {
    let (name, rest) = unwrapped(words).split_first()?;
    let count = rest.iter().take_while(|word| word.starts_with('-')).count();
    let (flags, values) = rest.split_at(count);
    if !speaks_of_a_process(flags) {
        return None;
    }
    let (stated, pid) = match values {
        [stated, pid] => (stated, pid),
        [_] => return Some(Note::left_out(format!("{name} -p prints what the next lines say"))),
        _ => return None,
    };
    let mut all = Wrapped::default();
    let flags: Vec<String> =
        flags.iter().map(|word| word.replace('p', "")).filter(|word| word.len() > 1).collect();
    let words: Vec<String> = flags.into_iter().chain([stated.clone()]).collect();
    match name.rsplit('/').next()? {
        "chrt" => chrt(&words, &mut all)?,
        "taskset" => taskset(&words, &mut all)?,
        _ => return None,
    };
    let (_, words) = changed(&format!("process-{pid}"), all.policy, all.cpus, case);
    Some(Note::used(words))
}

/// Sets the policy and the CPUs of a task that the text speaks of by its name, and makes it where
/// there is none; its name, and what is said.
pub(super) fn changed(
    name: &str,
    policy: Option<(&'static str, i64)>,
    cpus: Option<CpuList>,
    case: &mut Case,
) -> (String, String) {
    let name = task_name(name);
    let is_it =
        |program: &Program| matches!(program, Program::Other { name: known, .. } if *known == name);
    if !case.programs.iter().any(is_it) {
        case.says.push(format!("What {name} does is not said."));
        case.programs.push(Program::Other { name: name.clone(), task: Map::new() });
    }
    let mut said = Vec::new();
    if let Some(cpus) = &cpus {
        case.list("programs", cpus.clone());
    }
    let of = case.programs.iter_mut().find(|program| is_it(program));
    if let Some(Program::Other { task, .. }) = of {
        if let Some((policy, priority)) = policy {
            put_policy(task, policy, priority);
            said.push(format!("{policy} {priority}"));
        }
        if let Some(cpus) = cpus {
            let on = cpus.on(cpus.least_cpus());
            said.push(format!("CPUs {}", crate::words::cpus::written(&on)));
            task.insert("cpus".to_owned(), Value::from(on));
        }
    }
    let words = format!("{name} runs as {}", said.join(" on "));
    (name, words)
}

fn put_policy(task: &mut Map<String, Value>, policy: &str, priority: i64) {
    task.insert("policy".to_owned(), json!(policy));
    if policy == "SCHED_IDLE" {
        task.remove("priority");
    } else {
        task.insert("priority".to_owned(), json!(priority));
    }
}

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let words = &piece.pipeline()?[0].words;
    if let Some(note) = of_process(words, case) {
        return Some(note);
    }
    let all = wrapped(words);
    if let Some(wrong) = all.wrong {
        return Some(Note::left_out(wrong));
    }
    if all.policy.is_none() && all.cpus.is_none() {
        return None;
    }
    let name = case.free_name(&task_name(all.words.first()?));
    let mut task = Map::new();
    let mut said = Vec::new();
    if let Some((policy, priority)) = all.policy {
        put_policy(&mut task, policy, priority);
        said.push(format!("{policy} {priority}"));
    }
    if let Some(cpus) = all.cpus {
        let on = cpus.on(cpus.least_cpus());
        said.push(format!("CPUs {}", crate::words::cpus::written(&on)));
        task.insert("cpus".to_owned(), Value::from(on.clone()));
        case.list("programs", cpus);
    }
    let said = format!("{name} runs as {}", said.join(" on "));
    case.says.push(format!("{said}; what it does is not said."));
    case.programs.push(Program::Other { name, task });
    let said: Vec<String> = std::iter::once(said).chain(all.left).collect();
    Some(Note::used(said.join("; ")))
}
