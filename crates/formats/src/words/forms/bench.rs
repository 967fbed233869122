//! Benchmarks and load generators as command lines: hackbench of rt-tests, `perf bench sched`,
//! schbench, stress-ng, stress, sysbench, rt-migrate-test, fibtest and make. Options as their help
//! and manuals have them.

mod fibtest;
mod hackbench;
mod make;
mod rt_migrate;
mod said;
mod schbench;
mod stress;
mod sysbench;

use super::command::wrapped;
use crate::words::case::{Case, Note};
use crate::words::form::Form;
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
    ("rt-app", "its file says what runs: add the file to the text"),
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
        "rt-migrate-test" => rt_migrate::read(words, &all, case),
        "fibtest" => fibtest::read(words, &all, case),
        "make" => make::read(words, &all, case),
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
