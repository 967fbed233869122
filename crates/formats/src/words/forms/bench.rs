//! Benchmarks and load generators as command lines: hackbench of rt-tests, `perf bench sched`,
//! schbench, stress-ng, stress and sysbench. Options as their help and manuals have them.

mod hackbench;
mod schbench;
mod stress;
mod sysbench;

use super::command::{Wrapped, wrapped};
use crate::words::amounts::listed;
use crate::words::case::{Case, Note};
use crate::words::cpus::written;
use crate::words::form::Form;
use crate::words::getopt::Given;
use crate::words::paste::Piece;

pub(super) use hackbench::from_lines as hackbench_of_lines;

pub(super) const FORM: Form = Form {
    name: "bench",
    title: "hackbench, perf bench, schbench, stress-ng, sysbench",
    example: "hackbench -g 10 -l 1000 --pipe",
    read,
};

/// Programs of stress-ng and stress that have no workload here, and why.
const WITHOUT: &[(&str, &str)] = &[
    ("iperf3", "the network is not simulated"),
    ("netperf", "the network is not simulated"),
    ("fio", "disks are not simulated"),
    (
        "latency",
        "ALSA's test: the sound card is not simulated, and its lines say how it is scheduled",
    ),
    ("dd", "disks are not simulated"),
    (
        "pi_stress",
        "priority inheritance under load has a scenario of its own, priority-inheritance",
    ),
    ("ptsematest", "latencies through semaphores are not read from its options"),
    ("signaltest", "signals are not simulated"),
    ("rteval", "its load is not said: paste the cyclictest command that it starts"),
    ("hwlatdetect", "it looks for pauses by firmware, which no switch of the scheduler changes"),
];

/// What a command comes to.
type Said = Result<Vec<String>, String>;

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let all = wrapped(&piece.pipeline()?[0].words);
    let (program, words) = all.words.split_first()?;
    let said = match program.rsplit('/').next()? {
        "hackbench" => hackbench::hackbench(words, &all, case),
        "perf" if words.first().is_some_and(|word| word == "bench") => {
            hackbench::perf(&words[1..], &all, case)
        }
        "schbench" => schbench::read(words, &all, case),
        "stress-ng" => stress::stress_ng(words, &all, case),
        "stress" => stress::stress(words, &all, case),
        "sysbench" => sysbench::read(words, &all, case),
        name => {
            let (_, why) = WITHOUT.iter().find(|(known, _)| *known == name)?;
            Err(format!("{name}: {why}"))
        }
    };
    Some(match said {
        Ok(mut said) => {
            said.extend(all.left.iter().cloned());
            Note::used(said.join("; "))
        }
        Err(wrong) => Note::left_out(wrong),
    })
}

/// Options that a scenario has nothing for, by their names.
fn left_out(given: &Given, names: &[String]) -> Option<String> {
    let all: Vec<String> = names.iter().chain(&given.strange).cloned().collect();
    (!all.is_empty()).then(|| format!("not simulated: {}", listed(&all)))
}

/// Affinity and policy before a program whose tasks have their own here.
fn placed(all: &Wrapped<'_>, has_affinity: bool) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(cpus) = all.cpus.as_ref().filter(|_| !has_affinity) {
        parts.push(format!("CPUs {}", written(&cpus.on(cpus.least_cpus()))));
    }
    if let Some((policy, priority)) = all.policy {
        parts.push(format!("{policy} {priority}"));
    }
    (!parts.is_empty()).then(|| {
        format!("left out: {}, its tasks are SCHED_OTHER on all CPUs here", parts.join(" and "))
    })
}
