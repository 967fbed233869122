//! Single lines that tools print: a time, a rate, a remark.

use super::super::command::changed;
use crate::words::amounts::{decimal, quoted};
use crate::words::case::{Case, Fate, Note};

/// Lines by their beginning that say nothing of the scheduler, and what they are.
const PASSED: &[(&str, &str)] = &[
    ("hwlatdetect:", "the test that ran"),
    ("detector:", "a parameter of hwlatdetect"),
    ("parameters:", "parameters of hwlatdetect"),
    ("Sample window:", "a parameter of hwlatdetect"),
    ("Sample width:", "a parameter of hwlatdetect"),
    ("Non-sampling period:", "a parameter of hwlatdetect"),
    ("Output File:", "a parameter of hwlatdetect"),
    ("Latency threshold:", "a parameter of hwlatdetect"),
    ("Starting test", "a remark of hwlatdetect"),
    ("test finished", "a remark of hwlatdetect"),
    ("Samples recorded:", "how many samples hwlatdetect kept"),
    ("Samples exceeding threshold:", "how many pauses hwlatdetect found"),
    ("defaulting realtime priority to", "cyclictest chose the priority: its lines show it"),
    ("plugin '", "what trace-cmd records"),
    ("cyclictest V ", "the version of cyclictest"),
    ("Playback device is", "a remark of ALSA's latency"),
    ("Capture device is", "a remark of ALSA's latency"),
    ("sysbench ", "the version of sysbench"),
];

pub(super) fn read(text: &str, case: &mut Case) -> Option<Note> {
    bench(text, case)
        .or_else(|| firmware(text, case))
        .or_else(|| stress(text, case))
        .or_else(|| alsa(text, case))
        .or_else(|| {
            let (_, what) = PASSED.iter().find(|(begin, _)| text.starts_with(begin))?;
            Some(Note::new(Fate::Passed, *what))
        })
}

fn bench(text: &str, case: &mut Case) -> Option<Note> {
    let number = |text: &str| decimal(text.split_whitespace().next()?);
    if let Some(seconds) = text.strip_prefix("Time:").and_then(number) {
        case.says.push(format!(
            "hackbench took {seconds} s from its start to its last exit; what the time went into \
             it does not say."
        ));
        return Some(Note::left_out(format!("a measurement: {seconds} s")));
    }
    if text.starts_with("Total time:") && text.ends_with("[sec]") {
        let seconds = number(text.strip_prefix("Total time:")?)?;
        case.says.push(format!("perf bench took {seconds} s for all of its messages."));
        return Some(Note::left_out(format!("a measurement: {seconds} s")));
    }
    if text.ends_with("usecs/op") {
        let us = number(text)?;
        case.says.push(format!(
            "A message to and fro took {us} us: two wake-ups and two switches, and the pipe."
        ));
        return Some(Note::left_out(format!("a measurement: {us} us a round trip")));
    }
    if text.ends_with("ops/sec") {
        number(&text.replace(',', ""))?;
        return Some(Note::left_out("a measurement: the rate of the line above"));
    }
    let rate = text.strip_prefix("events per second:").and_then(number)?;
    case.says.push(format!("sysbench did {rate} events a second, all threads together."));
    Some(Note::left_out(format!("a measurement: {rate} events a second")))
}

/// hwlatdetect's end, and its samples: `ts: 1489679087.4, inner:18, outer:10`.
fn firmware(text: &str, case: &mut Case) -> Option<Note> {
    if let Some(rest) = text.strip_prefix("Max Latency:") {
        let rest = rest.trim();
        let says = match decimal(rest.trim_end_matches("us").trim()) {
            Some(us) => format!(
                "For {us} us the firmware or the hardware kept a CPU from running anything (an \
                 SMI, most often)."
            ),
            None if rest.eq_ignore_ascii_case("below threshold") => {
                "hwlatdetect found no pause by firmware above its threshold.".to_owned()
            }
            None => return None,
        };
        case.says.push(format!("{says} No switch of the scheduler changes it."));
        return Some(Note::left_out(format!("a measurement: {}", rest.to_lowercase())));
    }
    if let Some(rest) = text.strip_prefix("SMIs during run:") {
        return Some(Note::left_out(format!("a measurement: {} SMIs", rest.trim())));
    }
    let is_sample = text.starts_with("ts:") && text.contains("inner:") && text.contains("outer:");
    is_sample.then(|| Note::left_out("a measurement: a pause in and between two looks, us"))
}

/// `stress-ng: info: [123] dispatching hogs: 4 cpu`.
fn stress(text: &str, case: &mut Case) -> Option<Note> {
    let rest = text.strip_prefix("stress-ng: ").or_else(|| text.strip_prefix("stress: "))?;
    let said = rest.rsplit(']').next().unwrap_or(rest).trim();
    let is_worst = said.contains("cyclic:") && said.contains("max");
    if is_worst {
        let words = said.split("cyclic:").nth(1).unwrap_or(said).trim();
        case.says.push(format!("stress-ng --cyclic: {}.", quoted(words)));
    }
    Some(Note::left_out(format!("what stress-ng printed: {}", quoted(said))))
}

/// ALSA's latency test says how it is scheduled; which device it plays on is not simulated.
fn alsa(text: &str, case: &mut Case) -> Option<Note> {
    let rest = text.strip_prefix("Scheduler set to Round Robin with priority ")?;
    let end = rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len());
    let priority: i64 = rest[..end].parse().ok().filter(|priority| (1..=99).contains(priority))?;
    let (_, words) = changed("latency", Some(("SCHED_RR", priority)), None, case);
    Some(Note::used(format!("{words}; the sound card is not simulated")))
}
