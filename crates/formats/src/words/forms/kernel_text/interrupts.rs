//! /proc/interrupts and /proc/schedstat: what each CPU counted since boot.

use crate::words::amounts::{listed, percent, time};
use crate::words::case::{Case, Fate, Note};
use crate::words::cpus::{CPUS_MAX, written};
use crate::words::getopt::whole;
use crate::words::table::{Kind, Table};

/// A CPU ticks hardly where it had so many times fewer ticks than the one with most.
const HARDLY: u64 = 20;

pub(super) fn read(text: &str, case: &mut Case) -> Option<Note> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() >= 2 && words.iter().all(|word| cpu_of(word).is_some()) {
        let head: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let cpus: Vec<u32> = words.iter().filter_map(|word| cpu_of(word)).collect();
        let is_whole = cpus.iter().zip(0..).all(|(cpu, at)| *cpu == at);
        case.tables.push(Table::new(Kind::Interrupts, head));
        if is_whole && cpus.len() <= CPUS_MAX as usize {
            case.cpus = u32::try_from(cpus.len()).ok();
            return Some(Note::used(format!("a machine of {} CPUs", cpus.len())));
        }
        return Some(Note::left_out("names CPUs of the machine"));
    }
    schedstat(&words, case).or_else(|| row(&words, case))
}

/// `CPU12`.
fn cpu_of(word: &str) -> Option<u32> {
    whole(word.strip_prefix("CPU")?).and_then(|cpu| u32::try_from(cpu).ok())
}

/// `LOC:     812345     799123   Local timer interrupts`.
fn row(words: &[&str], case: &mut Case) -> Option<Note> {
    let name = words.first()?.strip_suffix(':')?;
    let table = case.tables.last_mut().filter(|table| table.kind == Kind::Interrupts)?;
    let is_name = whole(name).is_some() || name.bytes().all(|sign| sign.is_ascii_uppercase());
    let counts: Vec<u64> = words[1..].iter().map_while(|word| whole(word)).collect();
    if !is_name || counts.is_empty() {
        return None;
    }
    let most = counts.iter().zip(&table.head).max_by_key(|(count, _)| **count);
    let (count, cpu) = most.map(|(count, cpu)| (*count, cpu.clone()))?;
    let what = match name {
        "LOC" => "interrupts of the CPU's own timer: ticks, and timers that tasks wait for",
        "RES" => "interrupts by which another CPU asks for a switch: wake-ups and balancing",
        "CAL" => {
            "functions that another CPU asked to run: wake-lists of IPIs too, on newer kernels"
        }
        "TLB" => "flushes of the TLB for another CPU: memory is not simulated",
        "NMI" | "PMI" => "interrupts of counters and of the watchdog: not simulated",
        _ => return Some(Note::left_out("interrupts of a device or of another kind")),
    };
    if counts.len() == table.head.len() && matches!(name, "LOC" | "RES" | "CAL") {
        let cells: Vec<String> = counts.iter().map(u64::to_string).collect();
        let row: Vec<&str> =
            std::iter::once(name).chain(cells.iter().map(String::as_str)).collect();
        table.row(&row);
    }
    Some(Note::left_out(format!("{what}; most on {cpu}: {count}")))
}

/// `version 15`, `timestamp …`, `cpu0 0 0 0 …`, `domain0 …` of /proc/schedstat.
fn schedstat(words: &[&str], case: &mut Case) -> Option<Note> {
    if let ["version", number] = words {
        let version = whole(number).filter(|version| (10..=99).contains(version))?;
        case.tables.push(Table::new(Kind::Schedstat, vec![version.to_string()]));
        return Some(Note::left_out(format!(
            "/proc/schedstat in its layout of version {version}: sums since boot"
        )));
    }
    let table = case.tables.last_mut().filter(|table| table.kind == Kind::Schedstat)?;
    let first = *words.first()?;
    if first == "timestamp" {
        return Some(Note::new(Fate::Passed, "when it was read, in jiffies"));
    }
    if first.starts_with("domain") {
        return Some(Note::left_out("what load balancing did in a domain: not read"));
    }
    let cpu = first.strip_prefix("cpu").filter(|cpu| whole(cpu).is_some())?;
    let cells: Vec<u64> = words[1..].iter().map(|word| whole(word)).collect::<Option<_>>()?;
    // The last three: time on the CPU, time of waiting for it (ns), and how often tasks ran.
    let [.., ran, waited, slices] = cells[..] else { return None };
    let cells = [cpu.to_owned(), ran.to_string(), waited.to_string(), slices.to_string()];
    table.row(&cells.each_ref().map(String::as_str));
    let wait = time(waited as f64 / 1e3);
    Some(Note::left_out(format!("CPU {cpu}: tasks waited {wait} in all, in {slices} turns")))
}

pub(super) fn said(table: &Table, case: &mut Case) {
    match table.kind {
        Kind::Interrupts => ticks(table, case),
        Kind::Schedstat => waits(table, case),
        _ => {}
    }
}

fn waits(table: &Table, case: &mut Case) {
    let sum = |at: usize| -> f64 {
        table.rows.iter().filter_map(|row| whole(&row[at])).map(|cell| cell as f64).sum()
    };
    let (waited, turns) = (sum(2), sum(3));
    if turns > 0.0 {
        case.says.push(format!(
            "Since boot a task waited {} for its CPU before each turn, on average over the CPUs of \
             the text ({}). A mean hides the long waits; two readings show a stretch of time.",
            time(waited / 1e3 / turns),
            table.rows.len()
        ));
    }
}

/// Which CPUs still tick.
fn ticks(table: &Table, case: &mut Case) {
    let counts = |row: &Vec<String>| -> Vec<u64> {
        row[1..].iter().map(|cell| whole(cell).unwrap_or(0)).collect()
    };
    let rows: Vec<Vec<u64>> = table.rows.iter().filter(|row| row[0] == "LOC").map(counts).collect();
    let Some(last) = rows.last() else { return };
    let cpus: Vec<u32> = table.head.iter().filter_map(|word| cpu_of(word)).collect();
    let most = last.iter().copied().max().unwrap_or(0);
    let is_hardly = |count: u64| count.saturating_mul(HARDLY) < most;
    let of = |is: &dyn Fn(u64) -> bool| -> Vec<u32> {
        let pairs = cpus.iter().zip(last).filter(|(_, count)| is(**count));
        pairs.map(|(cpu, _)| *cpu).collect()
    };
    let (hardly, ticking) = (of(&is_hardly), of(&|count| !is_hardly(count)));
    if hardly.is_empty() {
        let least = last.iter().copied().min().unwrap_or(0);
        case.says.push(format!(
            "All CPUs tick: the local timer interrupted each {least} to {most} times since boot."
        ));
    } else {
        let at_most = cpus.iter().zip(last).filter(|(_, count)| is_hardly(**count));
        let at_most = at_most.map(|(_, count)| *count).max().unwrap_or(0);
        case.says.push(format!(
            "CPUs {} tick; CPUs {} hardly do: at most {at_most} timer interrupts since boot, {} of \
             the {most} of the others.",
            written(&ticking),
            written(&hardly),
            percent(at_most as f64, most as f64)
        ));
        case.says.push(
            "The counts do not say whether such a CPU has no tick (nohz_full) or was idle: \
             nohz_full or a second reading while a task runs there says it."
                .to_owned(),
        );
    }
    let others = ["RES", "CAL"].iter().filter_map(|name| {
        let row = table.rows.iter().rfind(|row| row[0] == *name)?;
        let counts = counts(row);
        let sum: u64 = counts
            .iter()
            .zip(&cpus)
            .filter(|(_, cpu)| hardly.contains(cpu))
            .fold(0, |sum, (count, _)| sum.saturating_add(*count));
        (!hardly.is_empty()).then(|| format!("{sum} {name}"))
    });
    let others: Vec<String> = others.collect();
    if !others.is_empty() {
        case.says.push(format!(
            "From other CPUs, CPUs {} got {} interrupts.",
            written(&hardly),
            listed(&others)
        ));
    }
}
