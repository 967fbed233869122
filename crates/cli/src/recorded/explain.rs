//! `schedscope explain FILE` of a recording: the parts of its longest waits after a wake-up.

use schedscope_formats::recording::{Recording, Segment, Wait, worst};
use schedscope_runs::Failure;
use schedscope_runs::numbers::{percent, shares, us};

use super::file;
use crate::{remarks, results};

/// Prints the `most` worst wake-ups of a recording, of one task or kind of task if it is named.
///
/// # Errors
/// The file is no recording, or has no such task or no wake-up.
pub fn run(name: &str, most: usize, task: Option<&str>) -> Result<(), Failure> {
    let recording = file::read(name)?;
    let is_asked = |index: u32| task.is_none_or(|task| is_named(&recording, index, task));
    if let Some(task) = task
        && !(0..recording.tasks.len() as u32).any(&is_asked)
    {
        return Err(Failure::usage(format!(
            "the recording has no task \"{task}\"\n  expected: a name, a pid, or both: {}",
            examples(&recording)
        )));
    }
    let (waits, missed) = worst(&recording, most, &is_asked);
    let head = file::head(&recording, name);
    remarks::note(file::lacks(missed));
    if waits.is_empty() {
        return Err(Failure::usage(format!("{head}\nno wake-up in it has an end")));
    }
    let text: Vec<String> = waits.iter().map(|wait| waterfall(&recording, wait)).collect();
    results::print(&format!("{head}\n\n{}", text.join("\n")))
}

fn is_named(recording: &Recording, index: u32, name: &str) -> bool {
    let task = &recording.tasks[index as usize];
    task.comm == name || recording.name(index) == name || task.pid.to_string() == name
}

fn examples(recording: &Recording) -> String {
    let count = recording.tasks.len().min(3) as u32;
    (0..count).map(|index| recording.name(index)).collect::<Vec<_>>().join(", ")
}

fn waterfall(recording: &Recording, wait: &Wait) -> String {
    let begin = recording.rows.first().map_or(0, |row| row.ns);
    let mut text = format!(
        "## {} was {} us late: woken {} s into the recording by {}, ran on CPU {}\n",
        recording.who(wait.task),
        us(wait.ns()),
        seconds(wait.from_ns - begin),
        recording.waker_words(wait.waker),
        wait.cpu
    );
    let (segments, words) = segments(wait);
    text += words;
    let shares = shares(&segments.iter().map(|segment| segment.ns).collect::<Vec<_>>());
    for (Segment { part, cpu, ns }, share) in segments.iter().zip(&shares) {
        let words = format!("CPU {cpu}: {}", recording.part_words(*part));
        text += &line(&words, *ns, *share);
    }
    text += &format!("{}\n", "-".repeat(98));
    text += &line("sched_switch to it:", wait.ns(), shares.iter().sum());
    text
}

/// Segments of a wait that are printed at most one by one.
const SEGMENTS: usize = 16;

/// The parts of a wait as they are printed, and in which order: if they are many, one for each sort
/// and CPU.
fn segments(wait: &Wait) -> (Vec<Segment>, &'static str) {
    if wait.segments.len() <= SEGMENTS {
        return (wait.segments.clone(), "   (in order of time)\n");
    }
    let mut all: Vec<Segment> = Vec::new();
    for segment in &wait.segments {
        let alike = |other: &&mut Segment| (other.part, other.cpu) == (segment.part, segment.cpu);
        match all.iter_mut().find(alike) {
            Some(known) => known.ns += segment.ns,
            None => all.push(*segment),
        }
    }
    (all, "   (one line for each sort, in order of first appearance)\n")
}

/// With the six digits of trace files, so that the place is found again.
fn seconds(ns: u64) -> String {
    format!("{}.{:06}", ns / 1_000_000_000, ns % 1_000_000_000 / 1_000)
}

fn line(words: &str, ns: u64, share: u64) -> String {
    format!("  {words:<68}{:>14} us  ({:>6} %)\n", us(ns), percent(share))
}
