//! Tokens of sched_features, `RT_PUSH_IPI NO_TTWU_QUEUE`: the file, or a command that writes one.
//! `NO_` before a name is off.

use serde_json::{Value, json};

use crate::words::case::{Case, Fate, Note};
use crate::words::form::Form;
use crate::words::{marks::unwrapped, paste::Piece};

pub(super) const FORM: Form = Form {
    name: "sched_features",
    title: "sched_features",
    example: "echo NO_RUN_TO_PARITY > /sys/kernel/debug/sched/features",
    read,
};

/// What a feature is here.
enum Switch {
    /// A flag.
    Flag(&'static str),
    /// A knob with a value for on and one for off; an empty text for the release's own.
    Values(&'static str, &'static str, &'static str),
}

use Switch::{Flag, Values};

/// Features that a knob has: kernel/sched/features.h by release.
const SWITCHES: &[(&str, Switch)] = &[
    ("DELAY_DEQUEUE", Flag("kernel.delay_dequeue")),
    ("HRTICK", Flag("kernel.hrtick")),
    ("NEXT_BUDDY", Flag("kernel.next_buddy")),
    ("NI_RANDOM", Flag("kernel.ni_random")),
    ("PLACE_LAG", Flag("kernel.place_lag")),
    ("PREEMPT_SHORT", Flag("kernel.preempt_short")),
    ("RT_PUSH_IPI", Values("kernel.rt_push_ipi", "on", "off")),
    ("RT_RUNTIME_SHARE", Values("kernel.rt_throttle", "950_1000_share", "950_1000_noshare")),
    ("RUN_TO_PARITY", Flag("kernel.run_to_parity")),
    ("TTWU_QUEUE", Values("kernel.ttwu_queue", "", "off")),
];

/// Other features of some release.
const OTHERS: &[&str] = &[
    "AFFINE_WAKEUPS",
    "ALT_PERIOD",
    "ARCH_CAPACITY",
    "ARCH_POWER",
    "ASYM_EFF_LOAD",
    "ASYM_GRAN",
    "ATTACH_AGE_LOAD",
    "BASE_SLICE",
    "CACHE_HOT_BUDDY",
    "DELAY_ZERO",
    "DOUBLE_TICK",
    "FAIR_SLEEPERS",
    "FORCE_SD_OVERLAP",
    "GENTLE_FAIR_SLEEPERS",
    "HRTICK_DL",
    "LAST_BUDDY",
    "LATENCY_WARN",
    "LB_BIAS",
    "LB_MIN",
    "LB_SHARES_UPDATE",
    "NI_RATE",
    "NONTASK_CAPACITY",
    "NONTASK_POWER",
    "NORMALIZED_SLEEPER",
    "NUMA",
    "OWNER_SPIN",
    "PICK_BUDDY",
    "PLACE_DEADLINE_INITIAL",
    "PLACE_REL_DEADLINE",
    "SIS_AVG_CPU",
    "SIS_CURRENT",
    "SIS_PROP",
    "SIS_UTIL",
    "START_DEBIT",
    "TTWU_QUEUE_DELAYED",
    "TTWU_QUEUE_ON_CPU",
    "UTIL_EST",
    "UTIL_EST_FASTUP",
    "WAKEUP_OVERLAP",
    "WAKEUP_PREEMPT",
    "WAKEUP_PREEMPTION",
    "WARN_DOUBLE_CLOCK",
    "WA_BIAS",
    "WA_IDLE",
    "WA_WEIGHT",
];

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some((value, file)) = piece.written() {
        let is_file = file.ends_with("sched/features") || file.ends_with("sched_features");
        return is_file.then(|| tokens(value.split_whitespace(), case));
    }
    if let Some(pipeline) = piece.pipeline() {
        let words = unwrapped(&pipeline[0].words);
        let prints = words.first().is_some_and(|name| name == "cat")
            && words.iter().any(|word| word.ends_with("features"));
        return prints.then(|| Note::left_out("prints what the next line says"));
    }
    let text = piece.text()?;
    let is_token = |word: &str| {
        word.starts_with(|sign: char| sign.is_ascii_uppercase())
            && word.chars().all(|sign| sign.is_ascii_uppercase() || sign == '_')
    };
    let is_known = |word: &str| {
        let (name, _) = token(word);
        OTHERS.contains(&name) || SWITCHES.iter().any(|(known, _)| *known == name)
    };
    // `sched_features: …`, `kernel.sched_features = …`
    let behind = text.split_once("sched_features").map(|(_, rest)| rest);
    let all: Vec<&str> =
        behind.unwrap_or(text).trim_start_matches([':', '=', ' ']).split_whitespace().collect();
    (all.iter().all(|word| is_token(word)) && all.iter().any(|word| is_known(word)))
        .then(|| tokens(all.into_iter(), case))
}

/// The feature and whether it is on. NONTASK_CAPACITY begins with NON, not with NO_.
fn token(word: &str) -> (&str, bool) {
    word.strip_prefix("NO_").map_or((word, true), |name| (name, false))
}

fn tokens<'t>(words: impl Iterator<Item = &'t str>, case: &mut Case) -> Note {
    let (mut used, mut without, mut strange) = (Vec::new(), Vec::new(), Vec::new());
    let mut as_booted = Vec::new();
    for word in words {
        let (name, on) = token(word);
        match SWITCHES.iter().find(|(known, _)| *known == name) {
            Some((_, switch)) if set(switch, word, on, case) => used.push(word),
            Some(_) => as_booted.push(word),
            None if OTHERS.contains(&name) => without.push(word),
            None => strange.push(word),
        }
    }
    let fate = if used.is_empty() { Fate::LeftOut } else { Fate::Used };
    let part = |items: Vec<&str>, words: &str| {
        (!items.is_empty()).then(|| format!("{words}{}", items.join(", ")))
    };
    let parts = [
        part(used, ""),
        part(as_booted, "as a kernel boots: "),
        part(without, "no switch here: "),
        part(strange, "no kernel that is known here has: "),
    ];
    Note::new(fate, parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
}

/// False where the feature is on by the release's own rule, which PREEMPT_RT alone changes.
fn set(switch: &Switch, word: &str, on: bool, case: &mut Case) -> bool {
    match switch {
        Flag(path) => case.set(path, json!(on), Some(json!(!on)), word),
        Values(path, yes, _) if on && yes.is_empty() => {
            case.set(path, json!(""), None, word);
            return false;
        }
        Values(path, yes, no) => {
            let value = |on: bool| Value::from(if on { *yes } else { *no });
            let against = (!yes.is_empty()).then(|| value(!on));
            case.set(path, value(on), against, word);
        }
    }
    true
}
