//! The targets. A limit of records bounds each run, so that no input takes long.

use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::Setup;
use schedscope_engine::trace::catalogue::{Kind, NONE};
use schedscope_fit::{Fitting, Wish};
use schedscope_formats::{traces, words};
use schedscope_scenario::knobs::{Knob, KnobType};
use schedscope_scenario::{Document, knobs, link, prepare};
use serde_json::{Value, json};

use crate::seeds::BASES;

/// Records of one run.
const RECORDS_MAX: u64 = 2_000;
/// Queues of fair groups, one per CPU and group, beyond which a run is not started: booting alone
/// would be the whole test.
const QUEUES_MAX: usize = 20_000;
/// Longest text that is looked at; the reader itself takes a megabyte.
const TEXT_MAX: usize = 20_000;
/// Longest pasted text that is looked at: longer ones say nothing new, and their fits take time.
const PASTED_MAX: usize = 4_000;
/// Longest recording that is looked at.
const RECORDING_MAX: usize = 200_000;

/// Any text is one scenario that runs, or one message with a sensible place.
pub fn scenario(data: &[u8]) {
    text(&String::from_utf8_lossy(&data[..data.len().min(TEXT_MAX)]), &[]);
}

fn text(text: &str, set: &[(String, Value)]) {
    // A text whose title is wrong may still be a run, and the other way round.
    Document::read(text).ok();
    match prepare("fuzz", text, set) {
        Ok(prepared) => {
            assert!(!prepared.canonical().is_empty());
            let bytes = prepared.setup.to_bytes();
            let again = Setup::from_bytes(&bytes).expect("what the reader makes, the engine takes");
            assert_eq!(again.to_bytes(), bytes, "a setup survives its way to the engine");
            runs(&again);
        }
        Err(error) => {
            let lines = text.split('\n').count();
            assert!(!error.message.is_empty(), "an error says something");
            assert!(
                error.line.is_none_or(|line| (1..=lines).contains(&(line as usize))),
                "{error}"
            );
            assert!(
                error.column.is_none_or(|column| column >= 1 && column as usize <= text.len() + 1),
                "{error}"
            );
        }
    }
}

/// Any address opens, or is refused with a sentence; its content and settings are checked as a
/// scenario.
pub fn link(data: &[u8]) {
    let address = String::from_utf8_lossy(&data[..data.len().min(TEXT_MAX)]);
    match link::parse(&address) {
        Ok(link) => {
            let base = link.scenario.as_deref().unwrap_or(BASES[0]);
            for side in [&link.a, &link.b] {
                let set: Vec<(String, Value)> =
                    side.iter().map(|(path, value)| (path.clone(), json!(value))).collect();
                text(base, &set);
            }
        }
        Err(error) => assert!(!error.message.is_empty(), "an error says something"),
    }
}

/// Any text that is pasted is read line by line, each with what became of it; the scenario that it
/// comes to is one that can run, with every variant, and so is each program of its fit.
pub fn words(data: &[u8]) {
    let text = String::from_utf8_lossy(&data[..data.len().min(PASTED_MAX)]);
    let Ok(reading) = words::read(&text) else { return };
    for line in &reading.lines {
        let is_said = !line.notes.is_empty() || line.text.trim().is_empty();
        assert!(is_said, "nothing is said of line {}: {:?}", line.number, line.text);
    }
    if let Some(scenario) = &reading.scenario {
        prepares(scenario);
    }
    let fitting = reading.chosen.as_ref().and_then(|chosen| {
        // A large machine makes a large family, which takes long.
        let is_small = chosen.limit.cpus() <= 4.0;
        is_small.then(|| Fitting::new(chosen, Wish { cpus: Some(4), ..Wish::default() }))?
    });
    let asked = fitting.and_then(|mut fitting| fitting.next_run());
    if let Some((scenario, _)) =
        asked.and_then(|asked| reading.with_bursts(&asked.bursts, Some(asked.limit), None))
    {
        prepares(&scenario);
    }
}

fn prepares(scenario: &Value) {
    let text = scenario.to_string();
    let document = Document::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for variant in &document.presentation.variants {
        if let Err(error) = prepare("fuzz", &text, &variant.set) {
            panic!("{}: {error}\n{text}", variant.name);
        }
    }
}

/// Any bytes are a recording whose rows are in order of time and name its own tasks, or are refused
/// with a sentence.
pub fn traces(data: &[u8]) {
    match traces::read(&data[..data.len().min(RECORDING_MAX)], &mut |_| true) {
        Ok(recording) => {
            let tasks = recording.tasks.len();
            assert!(recording.rows.is_sorted_by_key(|row| row.ns), "rows are in order");
            assert!(recording.rows.iter().all(|row| u32::from(row.cpu) < recording.cpus));
            let switches = recording.rows.iter().filter(|row| row.kind == Kind::SchedSwitch);
            let is_known = |task: u32| task == NONE || (task as usize) < tasks;
            assert!(switches.clone().all(|row| is_known(row.a) && is_known(row.b)));
        }
        Err(why) => assert!(!why.to_string().is_empty(), "a refusal says something"),
    }
}

/// Any bytes behind this build's fingerprint and their checksum are a setup that runs, or are
/// refused.
pub fn setup(data: &[u8]) {
    if let Ok(setup) = Setup::from_bytes(&Setup::sealed(data)) {
        runs(&setup);
    }
}

/// The first byte chooses a scenario, each four further ones a knob and its value: every accepted
/// setting runs by every law, and ends alike from a snapshot.
pub fn engine(data: &[u8]) {
    let Some((base, changes)) = data.split_first() else { return };
    let set: Vec<(String, Value)> = changes.chunks_exact(4).take(12).map(change).collect();
    let Ok(prepared) = prepare("fuzz", BASES[usize::from(*base) % BASES.len()], &set) else {
        return;
    };
    runs(&prepared.setup);
}

fn change(bytes: &[u8]) -> (String, Value) {
    let knob = &knobs()[usize::from(u16::from_le_bytes([bytes[0], bytes[1]])) % knobs().len()];
    (knob.path.replace('*', "g"), value(knob, bytes[2], bytes[3]))
}

/// A value of `knob`: one of its words, one of its bounds, or something between.
fn value(knob: &Knob, how: u8, which: u8) -> Value {
    let (min, max) = (knob.min.unwrap_or(0), knob.max.unwrap_or(1_000));
    let number = match how % 8 {
        0 => min,
        1 => max,
        2 => min.saturating_add(1),
        3 => max.saturating_sub(1),
        4 => min.saturating_add(u64::from(which)),
        5 => min + (max - min) / 256 * u64::from(which),
        _ => min.saturating_add(1 << (which % 40)).min(max),
    };
    match knob.kind {
        _ if !knob.choices.is_empty() && (knob.kind == KnobType::Enum || how.is_multiple_of(3)) => {
            knob.choices[usize::from(which) % knob.choices.len()].value.clone()
        }
        KnobType::Boolean => json!(which.is_multiple_of(2)),
        KnobType::Time => json!(format!("{number}ns")),
        KnobType::Integer => json!(number),
        KnobType::Enum | KnobType::Text => {
            json!(["", "0", "0-1", "all", "1024", "auto", "g", "0-3,5"][usize::from(which) % 8])
        }
    }
}

/// A run of `setup` keeps every law as far as it goes, and goes the same way from a snapshot.
fn runs(setup: &Setup) {
    setup.check().expect("what was taken is sound");
    if setup.groups.len() * setup.machine.topology.cpus() as usize > QUEUES_MAX {
        return;
    }
    let options = Options { max_records: RECORDS_MAX, check_every: 16, ..Options::default() };
    let mut run = Run::new(setup, options).expect("what was taken runs");
    let progress = run.advance(u64::MAX, RECORDS_MAX / 2);
    if progress != Progress::Running {
        return ended(&progress);
    }
    let snapshot = run.snapshot();
    ended(&run.advance(u64::MAX, u64::MAX));
    let digest = run.report().digest;
    run.restore(&snapshot);
    ended(&run.advance(u64::MAX, u64::MAX));
    assert_eq!(run.report().digest, digest, "from a snapshot, the schedule is another");
}

fn ended(progress: &Progress) {
    assert!(matches!(progress, Progress::Finished | Progress::Limit), "{progress:?}");
}
