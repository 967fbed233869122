//! The preemption model and the tick as the kernel's configuration builds them in, and the file
//! that shows the model of the running kernel.

use serde_json::json;

use super::super::uname;
use crate::words::case::{Case, Fate, Note};
use crate::words::getopt::whole;

const PREEMPT: &str = "kernel.preempt";
const HZ: &str = "kernel.hz";
const MODELS: &[&str] = &["none", "voluntary", "full", "lazy"];

/// Options whose name says the model, behind CONFIG_PREEMPT. From 5.16 on, a configuration has a
/// name in _BUILD beside the model's own, except where PREEMPT_DYNAMIC is set.
const BUILT: &[(&str, &str)] = &[
    ("_NONE", "none"),
    ("_VOLUNTARY", "voluntary"),
    ("", "full"),
    ("__LL", "full"),
    ("_LAZY", "lazy"),
    ("_NONE_BUILD", "none"),
    ("_VOLUNTARY_BUILD", "voluntary"),
    ("_RT", "rt"),
    ("_RT_FULL", "rt"),
];

/// What each model does.
fn says(model: &str) -> &'static str {
    match model {
        "none" => {
            "a running task keeps the CPU inside the kernel until it returns to user mode or calls \
             cond_resched()"
        }
        "voluntary" => "a running task also gives way inside the kernel where it might sleep",
        "full" => "a running task gives way as soon as preemption is enabled",
        "lazy" => {
            "a fair task gives way on its return to user mode or at the next tick, and at once to \
             a real-time task"
        }
        _ => "most locks of the kernel and its interrupt threads can be preempted too",
    }
}

/// Sets the model; what is said of it. None where there is no such model.
pub(super) fn model(model: &str, name: &str, case: &mut Case) -> Option<String> {
    let model = *MODELS.iter().find(|known| **known == model)?;
    Some(set(model, name, case))
}

fn set(model: &str, name: &str, case: &mut Case) -> String {
    case.set(PREEMPT, json!(model), Some(json!(uname::against(model))), name);
    let sentence = format!("With the model “{model}” {}.", says(model));
    if !case.says.contains(&sentence) {
        case.says.push(sentence);
    }
    if matches!(model, "none" | "voluntary") {
        let later = "From 7.0 on x86, arm64 and others offer only full and lazy.".to_owned();
        if !case.says.contains(&later) {
            case.says.push(later);
        }
    }
    format!("{name}: preemption is {model}")
}

pub(super) fn read(text: &str, case: &mut Case) -> Option<Note> {
    // grep over several files names them.
    let text = match text.split_once(":CONFIG_") {
        Some((path, _)) if !path.contains(' ') => &text[path.len() + 1..],
        _ => text,
    };
    if let Some(rest) = text.strip_prefix("CONFIG_") {
        let (name, value) = rest.split_once('=')?;
        return option(name, value.trim(), case);
    }
    bracketed(text, case)
}

fn option(name: &str, value: &str, case: &mut Case) -> Option<Note> {
    if name == "HZ" {
        let hz = whole(value)?;
        if ![100, 250, 300, 1000].contains(&hz) {
            return Some(Note::left_out(format!("{hz} Hz: a tick here has 100, 250, 300 or 1000")));
        }
        let against = if hz == 1000 { 250 } else { 1000 };
        case.set(HZ, json!(hz), Some(json!(against)), "CONFIG_HZ");
        return Some(Note::used(format!("{hz} ticks a second")));
    }
    let named = name.strip_prefix("HZ_").and_then(whole).filter(|_| value == "y");
    if let Some(hz) = named.filter(|_| !case.settings.contains_key(HZ)) {
        return option("HZ", &hz.to_string(), case);
    }
    if name == "RSEQ_SLICE_EXTENSION" && matches!(value, "y" | "n") {
        let on = value == "y";
        case.set("kernel.rseq_slice_extension", json!(on), Some(json!(!on)), "CONFIG_RSEQ_SLICE");
        return Some(Note::used(format!("slice extensions are {}", if on { "on" } else { "off" })));
    }
    if let Some(rest) = name.strip_prefix("PREEMPT") {
        return value.eq("y").then(|| preempt(name, rest, case));
    }
    let why = match name {
        "NO_HZ_FULL" => "CPUs without a tick also need nohz_full= at boot",
        "RCU_NOCB_CPU" => "CPUs without callbacks also need rcu_nocbs= at boot",
        "NO_HZ_IDLE" | "NO_HZ" | "NO_HZ_COMMON" => "idle CPUs stop their tick here",
        "RT_GROUP_SCHED" => "real-time groups are not read from a configuration",
        "HIGH_RES_TIMERS" => "timers are exact here, but for what the costs say",
        "SCHED_CORE" | "SCHED_MC" | "SCHED_SMT" | "SCHED_CLUSTER" => {
            "the machine of the scenario says what its CPUs share"
        }
        "FAIR_GROUP_SCHED" | "CFS_BANDWIDTH" | "CGROUP_SCHED" | "SCHED_AUTOGROUP" => {
            "groups and limits work here where a scenario has them"
        }
        _ if name.starts_with("HZ_") => "the line with CONFIG_HZ= says the number",
        _ => return None,
    };
    Some(Note::left_out(format!("CONFIG_{name}: {why}")))
}

fn preempt(name: &str, rest: &str, case: &mut Case) -> Note {
    let Some((_, model)) = BUILT.iter().find(|(known, _)| *known == rest) else {
        let why = match rest {
            "_DYNAMIC" => "preempt= at boot may choose another model than the one that is built in",
            "_BUILD" | "ION" | "_COUNT" | "_RCU" => {
                "is on with several models: the line of the model itself counts"
            }
            "_NOTIFIERS" => "has no effect on when tasks give way",
            _ => "no model of preemption",
        };
        return Note::left_out(format!("CONFIG_{name}: {why}"));
    };
    // From 6.13 on PREEMPT_RT is built beside full or lazy, in either order of the lines.
    let known = case.settings.get(PREEMPT);
    let is_rt = known.is_some_and(|set| set.name.starts_with("CONFIG_PREEMPT_RT"));
    if is_rt && *model != "rt" {
        return beside_rt(model, case);
    }
    let was =
        known.filter(|set| set.name.starts_with("CONFIG_PREEMPT")).map(|set| set.value.clone());
    let mut words = set(model, &format!("CONFIG_{name}"), case);
    if *model == "rt" && was.is_some_and(|was| was == json!("lazy")) {
        words.push_str("; ");
        words.push_str(&beside_rt("lazy", case).words);
    }
    Note::used(words)
}

fn beside_rt(model: &str, case: &mut Case) -> Note {
    if model == "lazy" {
        let says = "PREEMPT_RT is built with the lazy model beside it, which kernels allow from \
                    6.13 on. The simulated “rt” has no lazy model: a fair wake-up asks for the \
                    CPU at once.";
        if !case.says.iter().any(|said| said == says) {
            case.says.push(says.to_owned());
        }
    }
    Note::new(Fate::LeftOut, format!("the model {model} beside PREEMPT_RT"))
}

/// /sys/kernel/debug/sched/preempt: every model that it offers, one of them in brackets.
fn bracketed(text: &str, case: &mut Case) -> Option<Note> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| word.trim_start_matches('(').trim_end_matches(')').to_owned();
    let is_file = (2..=MODELS.len()).contains(&words.len())
        && words.iter().all(|word| MODELS.contains(&bare(word).as_str()));
    let chosen = words.iter().find(|word| word.starts_with('(') && word.ends_with(')'))?;
    if !is_file {
        return None;
    }
    model(&bare(chosen), "sched/preempt", case).map(Note::used)
}
