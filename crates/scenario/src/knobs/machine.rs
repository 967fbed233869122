//! Knobs of the machine, its costs apart.

use schedscope_engine::named::Named;
use schedscope_engine::setup::{CPUS_MAX, IdleKind};

use super::knob::{Knob, KnobType};
use crate::resolve::costs;

pub(super) fn machine_knobs() -> Vec<Knob> {
    vec![
        Knob::new(
            "machine.cpus",
            "CPUs",
            KnobType::Integer,
            40,
            "Number of CPUs.",
            "Rostedt 2015: a 40-core box",
        )
        .range(1, u64::from(CPUS_MAX)),
        Knob::new(
            "machine.topology",
            "topology",
            KnobType::Text,
            "auto",
            "Packages x CPUs per package (\"4x10\"); auto fills packages of the cost preset's \
                size.",
            "packages of 10 (2012) and 32 (modern) are assumed",
        ),
        Knob::cpu_list(
            "machine.partitions",
            "partitions",
            "auto",
            "Exclusive cpuset partitions as CPU lists (\"0-3;4-7\"), each a root domain; the \
                remaining CPUs form one more; auto: one for all.",
            "cpuset.cpus.partition; commit 637f50851b57",
        ),
        costs::preset_knob(),
        Knob::new(
            "machine.idle",
            "idle loop",
            KnobType::Enum,
            "auto",
            "What a CPU does when it has nothing to run.",
            "cyclictest holds the PM-QoS latency request at 0 (--latency), which makes idle CPUs \
                poll",
        )
        .words([(
            "auto",
            "halt with a virtual machine's costs; poll if cyclictest's --latency forbids C1 (0 \
                does); else mwait",
        )])
        .words(IdleKind::ALL.iter().map(|kind| (kind.name(), kind.doc()))),
    ]
}

pub(super) fn smt_knobs() -> Vec<Knob> {
    vec![
        Knob::new(
            "machine.threads_per_core",
            "threads per core",
            KnobType::Integer,
            1,
            "Hardware threads of a core, numbered one after the other. Fair wake-ups and load \
                balancing prefer idle cores; RT tasks do not ask which CPUs share a core.",
            "Rostedt 2007's box may have been 2 x 2",
        )
        .range(1, 8),
        Knob::new(
            "machine.smt_speed",
            "SMT speed",
            KnobType::Integer,
            74,
            "Pace of user code while another thread of its core is busy, in percent of its pace \
                alone. Kernel code keeps its pace.",
            "Rostedt 2007: 167 789 rounds in 20 ms, and 227 167 alone on a core",
        )
        .range(10, 100),
    ]
}

/// Boards and guests whose CPUs do not tick at once, also without `kernel.tick_skew`.
pub(super) fn tick_skew_step() -> Knob {
    Knob::new(
        "machine.tick_skew_step",
        "tick skew step",
        KnobType::Time,
        "auto",
        "How much later the tick of each next CPU comes, on top of kernel.tick_skew, modulo the \
            tick period; the same as machine.costs.tick_skew_ns.",
        "calibrated: Fernandes 2023 gives neither the skew nor the hypervisor",
    )
    .range(0, 10_000_000)
    .words([("auto", "the cost preset's: 20us for vm4_2023_cal, else none")])
}
