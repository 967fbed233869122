//! What cyclictest prints, a line for each thread: `T: 0 ( 1012) P:95 I:100 C: 20000 Min: 3 Act: 5
//! Avg: 6 Max: 141` (print_stat() of rt-tests). The lines name threads, priorities and intervals,
//! from which the command comes back; they do not say what made a wake-up late.

use serde_json::json;

use crate::words::case::{Case, Measured, Note, Program};
use crate::words::form::Form;
use crate::words::paste::Piece;

/// A maximum above it, us, is more likely ns, as -N prints them.
const US_MAX: i64 = 10_000_000;

pub(super) const FORM: Form = Form {
    name: "cyclictest lines",
    title: "what cyclictest printed",
    example: "T: 0 ( 1012) P:95 I:100 C:  20000 Min:      3 Act:    5 Avg:    6 Max:     141",
    read,
};

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let text = piece.text()?;
    if let Some(rest) = text.strip_prefix("policy:") {
        let policy = rest.split(':').next()?.trim().to_owned();
        return rest.contains("loadavg:").then(|| {
            case.measured_policy = Some(policy.clone());
            Note::used(format!("the threads are SCHED_{}", policy.to_uppercase()))
        });
    }
    let measured = thread(text)?;
    // A terminal holds the lines of every refresh: the last of a thread counts.
    case.measured.retain(|earlier| earlier.index != measured.index);
    case.measured.push(measured);
    let Measured { index, priority, interval_us, max_us, .. } = measured;
    Some(Note::used(format!(
        "thread {index}: priority {priority}, every {interval_us} us, at most {max_us} us late"
    )))
}

fn thread(text: &str) -> Option<Measured> {
    if !text.starts_with("T:") {
        return None;
    }
    let number = |name: &str| -> Option<i64> {
        let rest = text.split_once(name)?.1.trim_start();
        let end =
            rest.find(|sign: char| !sign.is_ascii_digit() && sign != '-').unwrap_or(rest.len());
        rest[..end].parse().ok()
    };
    Some(Measured {
        index: u32::try_from(number("T:")?).ok().filter(|index| *index < 1_000_000)?,
        priority: u32::try_from(number(" P:")?).ok().filter(|priority| *priority <= 99)?,
        interval_us: u64::try_from(number(" I:")?)
            .ok()
            .filter(|us| (50..=1_000_000).contains(us))?,
        rounds: u64::try_from(number(" C:")?).ok()?,
        min_us: number(" Min:"),
        avg_us: number(" Avg:"),
        max_us: number(" Max:")?,
        has_interval: true,
    })
}

/// The program that printed the lines, where the text does not start it; and what they say.
pub(in crate::words) fn program_of(case: &mut Case) {
    let is_started = |program: &Program| matches!(program, Program::Tool { key: "cyclictest", .. });
    let Some(first) = case.measured.iter().min_by_key(|thread| thread.index).copied() else {
        return;
    };
    let worst = case.measured.iter().max_by_key(|thread| thread.max_us).copied().unwrap_or(first);
    said(&worst, case);
    if case.programs.iter().any(is_started) {
        return;
    }
    let second = case.measured.iter().find(|thread| thread.index == first.index + 1);
    let distance = second.map_or(0, |next| next.interval_us.saturating_sub(first.interval_us));
    let mut value = json!({
        "threads": case.measured.len(),
        "interval": format!("{}us", first.interval_us),
        "distance": format!("{distance}us"),
        "priority": first.priority,
        "pinned": false,
        "body": format!("{}us", (first.interval_us / 4).min(7)),
    });
    if let Some(policy @ ("fifo" | "rr" | "idle")) = case.measured_policy.as_deref() {
        value["policy"] = json!(policy);
    }
    let run_us = (5_000 * first.interval_us).clamp(200_000, 10_000_000);
    case.programs.push(Program::Tool { key: "cyclictest", value, run_us });
}

/// What the lines say; `worst` is the thread with the latest wake-up.
fn said(worst: &Measured, case: &mut Case) {
    let rounds = case.measured.iter().map(|thread| thread.rounds).max().unwrap_or(0);
    if rounds == 0 {
        case.doubts.push("No thread of cyclictest has run a round: C: is 0 in every line.".into());
        return;
    }
    let Measured { index, max_us, avg_us, interval_us, .. } = *worst;
    case.says.push(format!(
        "In {rounds} rounds the latest wake-up was {max_us} us late (thread {index}); what made it \
         late is not said."
    ));
    if let Some(average) = avg_us.filter(|average| *average > 0 && max_us >= 2 * average) {
        case.says.push(format!(
            "That is {} times the average of that thread, {average} us: one wake-up met something \
             that the others did not. cyclictest -b, with a bound below it, stops a trace there.",
            max_us / average
        ));
    }
    if u64::try_from(max_us).is_ok_and(|max_us| max_us > interval_us && worst.has_interval) {
        case.says.push(format!(
            "It is longer than the interval of {interval_us} us: the rounds in between were \
             skipped, and no sample counts them."
        ));
    }
    if max_us > US_MAX {
        case.doubts.push(
            "Figures as large as these are ns, which -N prints; here they are read as us.".into(),
        );
    }
}
