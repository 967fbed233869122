//! Sizes and switches of a running kernel: `sysctl -w NAME=VALUE`, lines of sysctl.conf, and writes
//! to files of /proc/sys/kernel and /sys/kernel/debug/sched.

use serde_json::{Value, json};

use super::uname;
use crate::words::amounts::written_ns;
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::{marks::unwrapped, paste::Piece};

pub(super) const FORM: Form = Form {
    name: "sysctl",
    title: "sysctl, debugfs",
    example: "sysctl -w kernel.sched_rt_runtime_us=-1",
    read,
};

/// The kernel keeps such sizes in an int.
const INT_MAX: u64 = 2_147_483_647;

/// A setting that has a knob.
struct Known {
    name: &'static str,
    path: &'static str,
    as_value: fn(&str) -> Option<Value>,
    /// The value that a kernel boots with, to compare with; none where releases differ.
    boots_with: Option<fn() -> Value>,
}

const KNOWN: &[Known] = &[
    Known {
        name: "sched_rt_runtime_us",
        path: "kernel.sched_rt_runtime_us",
        as_value: |text| match text {
            "-1" => Some(json!("-1")),
            _ => whole(text, 0, INT_MAX),
        },
        boots_with: Some(|| json!(950_000)),
    },
    Known {
        name: "sched_rt_period_us",
        path: "kernel.sched_rt_period_us",
        as_value: |text| whole(text, 1, INT_MAX),
        boots_with: Some(|| json!(1_000_000)),
    },
    Known {
        name: "sched_rr_timeslice_ms",
        path: "kernel.sched_rr_timeslice_ms",
        as_value: |text| whole(text, 1, 1_000_000),
        boots_with: Some(|| json!(100)),
    },
    Known {
        name: "sched_cfs_bandwidth_slice_us",
        path: "kernel.cfs_bandwidth_slice_us",
        as_value: |text| whole(text, 1, 1_000_000),
        boots_with: Some(|| json!(5_000)),
    },
    Known {
        name: "base_slice_ns",
        path: "kernel.base_slice",
        // That of the machine, ns: `scenario.rs` divides by the factor for its CPUs, 4 at most.
        as_value: |text| whole(text, 100_000, 4_000_000_000),
        boots_with: None,
    },
    Known {
        name: "slice_ext_nsec",
        path: "kernel.rseq_slice_extension_length",
        as_value: |text| {
            let ns = whole(text, 1, 1_000_000_000)?.as_u64()?;
            Some(json!(written_ns(ns)))
        },
        boots_with: None,
    },
    Known {
        name: "preempt",
        path: "kernel.preempt",
        as_value: |text| ["none", "voluntary", "full", "lazy"].contains(&text).then(|| json!(text)),
        boots_with: None,
    },
    Known {
        name: "cgroup_mode",
        path: "kernel.cgroup_mode",
        as_value: |text| {
            ["up", "smp", "concur", "max", "tasks"].contains(&text).then(|| json!(text))
        },
        boots_with: None,
    },
    Known {
        name: "llc_balancing/enabled",
        path: "kernel.llc_balancing",
        as_value: |text| match text {
            "0" | "N" => Some(json!(false)),
            "1" | "Y" => Some(json!(true)),
            _ => None,
        },
        boots_with: None,
    },
];

/// Settings without a knob, and why.
const WITHOUT: &[(&str, &str)] = &[
    (
        "sched_migration_cost_ns",
        "how long a task counts as cache-hot is a rule of the model, 0.5 ms",
    ),
    ("migration_cost_ns", "how long a task counts as cache-hot is a rule of the model, 0.5 ms"),
    ("sched_autogroup_enabled", "groups of a session are written as cgroups in a scenario"),
    ("sched_latency_ns", "CFS has the latency of its release here"),
    ("sched_min_granularity_ns", "CFS has the granularity of its release here"),
    ("sched_wakeup_granularity_ns", "CFS has the granularity of its release here"),
    ("nr_migrate", "a balancing pass moves what its release moves"),
    ("numa_balancing", "memory is not simulated"),
    ("sched_schedstats", "statistics are always kept here"),
    ("sched_energy_aware", "all CPUs have equal capacity here"),
    ("sched_child_runs_first", "tasks of a scenario are not forked from each other"),
    ("sched_util_clamp_min", "frequencies are not simulated"),
    ("sched_util_clamp_max", "frequencies are not simulated"),
    ("runtime", "the fair server has the sizes of its release"),
    ("period", "the fair server has the sizes of its release"),
];

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some((value, file)) = piece.written() {
        let name = file
            .strip_prefix("/proc/sys/kernel/")
            .or_else(|| file.strip_prefix("/sys/kernel/debug/sched/"))
            .or_else(|| file.strip_prefix("/sys/kernel/debug/rseq/"))?;
        return setting(name, &value, case);
    }
    if let Some(pipeline) = piece.pipeline() {
        let words = unwrapped(&pipeline[0].words);
        let is_sysctl = words.first().is_some_and(|name| name.ends_with("sysctl"));
        let pairs = words.iter().skip(1).filter_map(|word| word.split_once('='));
        let notes: Vec<Note> =
            pairs.filter_map(|(name, value)| setting(kernel_name(name)?, value, case)).collect();
        return if is_sysctl { joined(notes) } else { None };
    }
    let (name, value) = piece.text()?.split_once('=')?;
    setting(kernel_name(name.trim())?, value.trim(), case)
}

fn kernel_name(name: &str) -> Option<&str> {
    name.strip_prefix("kernel.").or_else(|| name.strip_prefix("kernel/"))
}

fn joined(notes: Vec<Note>) -> Option<Note> {
    let fate = notes.iter().map(|note| note.fate).min()?;
    let words = notes.into_iter().map(|note| note.words).collect::<Vec<_>>().join("; ");
    Some(Note::new(fate, words))
}

/// What a size of debugfs is, where another text names it.
pub(super) fn of_debugfs(name: &str, value: &str, case: &mut Case) -> Option<Note> {
    setting(name, value, case)
}

fn setting(name: &str, value: &str, case: &mut Case) -> Option<Note> {
    let last = name.rsplit('/').next().unwrap_or(name);
    if let Some(known) = KNOWN.iter().find(|known| [name, last].contains(&known.name)) {
        let Some(of_knob) = (known.as_value)(value) else {
            return Some(Note::left_out(format!("{name}: {value} is no value that is known here")));
        };
        let against = known.boots_with.map(|value| value()).or_else(|| match known.path {
            "kernel.preempt" => Some(json!(uname::against(value))),
            "kernel.llc_balancing" => of_knob.as_bool().map(|on| json!(!on)),
            _ => None,
        });
        let against = against.filter(|against| *against != of_knob);
        case.set(known.path, of_knob, against, name);
        return Some(Note::used(format!("{name} is {value}")));
    }
    if name.starts_with("fair_server/") && last == "runtime" && value == "0" {
        case.set("kernel.rt_throttle", json!("off"), Some(json!("dl_server_6_12")), name);
        return Some(Note::used("no fair server: RT tasks may starve fair ones".to_owned()));
    }
    let (_, why) = WITHOUT.iter().find(|(known, _)| [name, last].contains(known))?;
    Some(Note::left_out(format!("{name}: {why}")))
}

fn whole(text: &str, least: u64, most: u64) -> Option<Value> {
    let digits = !text.is_empty() && text.len() <= 12;
    let is_number = digits && text.bytes().all(|sign| sign.is_ascii_digit());
    let number = is_number.then(|| text.parse::<u64>().ok())??;
    (least..=most).contains(&number).then(|| Value::from(number))
}
