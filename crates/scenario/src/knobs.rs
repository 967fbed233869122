//! The table of knobs: every switch and number a scenario may set by a dotted path, with its type,
//! values, default, meaning and source.
//!
//! Files, `--set`, links, the page's controls, `list --knobs` and the JSON Schema all read this one
//! table. It knows nothing about any particular scenario.

mod bandwidth;
mod cyclictest;
mod kernel;
mod nohz;

use std::sync::LazyLock;

use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::named::Named;
use schedscope_engine::setup::{CPUS_MAX, DURATION_NS_MAX, IdleKind};
use serde::Serialize;
use serde_json::Value;

/// Largest seed: what a JavaScript number holds exactly.
pub const SEED_MAX: u64 = (1 << 53) - 1;
const SECOND_NS: u64 = 1_000_000_000;

/// How a knob's values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum KnobType {
    /// One of the choices.
    Enum,
    /// A whole number from `min` to `max`, or one of the choices if there are any.
    Integer,
    /// A text with a unit ("100us") from `min` to `max` ns, or one of the choices if there are any.
    Time,
    /// `true` or `false`.
    Boolean,
    /// Any text; its own reader judges it.
    Text,
}

/// When a change takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Applies {
    /// A running kernel can change it.
    Live,
    /// The run starts again from 0.
    Boot,
}

/// One value of an enum, or a word a number or time may be replaced by.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnobChoice {
    /// The value as it stands in a file.
    pub value: Value,
    /// What it means.
    pub doc: &'static str,
}

/// One switch or number a scenario may set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Knob {
    /// Dotted path: `kernel.rt_push_ipi`.
    pub path: &'static str,
    /// Short name for people, the kernel's own token where it has one.
    pub label: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// How values are written.
    #[serde(rename = "type")]
    pub kind: KnobType,
    /// Every value of an enum; the special words of an integer or a time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<KnobChoice>,
    /// Least value of an integer (as is) or a time (ns).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<u64>,
    /// Greatest value of an integer (as is) or a time (ns).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u64>,
    /// The value when nobody says anything. Switches that follow `kernel.version` show the newest
    /// version's.
    pub default: Value,
    /// Where the knob or its default comes from.
    pub source: &'static str,
    /// When a change takes effect.
    pub applies: Applies,
    /// Whether `kernel.version` decides it where nobody states it. Changing the version takes back
    /// what the file states for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub follows_version: bool,
}

impl Knob {
    pub(crate) fn new(
        path: &'static str,
        label: &'static str,
        kind: KnobType,
        default: impl Into<Value>,
        doc: &'static str,
        source: &'static str,
    ) -> Self {
        let (doc, source) = (prose(doc), prose(source));
        let default = default.into();
        Self {
            path,
            label,
            doc,
            kind,
            choices: Vec::new(),
            min: None,
            max: None,
            default,
            source,
            applies: Applies::Boot,
            follows_version: false,
        }
    }
    fn named<T: Named>(
        path: &'static str,
        label: &'static str,
        default: T,
        doc: &'static str,
        source: &'static str,
    ) -> Self {
        let choices = T::ALL.iter().map(|choice| (choice.name(), prose(choice.doc())));
        Self::new(path, label, KnobType::Enum, default.name(), doc, source).words(choices)
    }
    pub(crate) fn words<V: Into<Value>>(
        mut self,
        choices: impl IntoIterator<Item = (V, &'static str)>,
    ) -> Self {
        self.choices.extend(
            choices.into_iter().map(|(value, doc)| KnobChoice { value: value.into(), doc }),
        );
        self
    }
    pub(crate) fn range(mut self, min: u64, max: u64) -> Self {
        (self.min, self.max) = (Some(min), Some(max));
        self
    }
    pub(crate) fn live(mut self) -> Self {
        self.applies = Applies::Live;
        self
    }
    /// `kernel.version` decides it where nobody states it: the rows of the table of kernels, CFS
    /// bandwidth control, and `kernel.double_lock` by way of CONFIG_PREEMPTION. The preemption
    /// model is none of them: who builds a kernel chooses it among those the version offers.
    pub(crate) fn follows_version(mut self) -> Self {
        self.follows_version = true;
        self
    }
    /// The last part of the path: the key in its object.
    pub fn key(&self) -> &'static str {
        self.path.rsplit_once('.').map_or(self.path, |(_, key)| key)
    }
    /// The path of the object the key stands in; "" at the top.
    pub fn parent(&self) -> &'static str {
        self.path.rsplit_once('.').map_or("", |(parent, _)| parent)
    }
}

/// `text` for people, absent where the crate is built without it.
#[inline(always)]
pub(crate) const fn prose(text: &'static str) -> &'static str {
    if cfg!(feature = "prose") { text } else { "" }
}

/// Every knob this engine has.
pub fn knobs() -> &'static [Knob] {
    static KNOBS: LazyLock<Vec<Knob>> = LazyLock::new(|| {
        [
            run_knobs(),
            machine_knobs(),
            smt_knobs(),
            vec![tick_skew_step()],
            crate::costs::knobs(),
            kernel::kernel_knobs(),
            kernel::table_knobs(),
            cyclictest::program_knobs(),
            cyclictest::place_knobs(),
            cyclictest::timing_knobs(),
            cyclictest::limit_knobs(),
            noise_knobs(),
            crate::bandwidth::knobs(),
            crate::cgroups::knobs(),
            crate::generators::knobs(),
            crate::rt_app::knobs(),
        ]
        .concat()
    });
    &KNOBS
}

/// The knob at `path`; of a control group's key, its pattern.
pub fn knob(path: &str) -> Option<&'static Knob> {
    let pattern = crate::cgroups::pattern(path);
    let path = pattern.as_deref().unwrap_or(path);
    knobs().iter().find(|knob| knob.path == path)
}

fn run_knobs() -> Vec<Knob> {
    use KnobType::{Integer, Time};
    vec![
        Knob::new(
            "seed",
            "seed",
            Integer,
            1,
            "The key of every random draw: same seed, same arrivals on both sides.",
            "schedscope",
        )
        .range(0, SEED_MAX),
        Knob::new("duration", "duration", Time, "100ms", "Machine time to simulate.", "schedscope")
            .range(1, DURATION_NS_MAX),
    ]
}

fn smt_knobs() -> Vec<Knob> {
    vec![
        Knob::new(
            "machine.threads_per_core",
            "threads per core",
            KnobType::Integer,
            1,
            "Hardware threads of a core, numbered one after the other. The scheduler does not know \
                which CPUs share a core.",
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

/// Boards and guests whose CPUs do not tick at once, whatever the kernel was told.
fn tick_skew_step() -> Knob {
    Knob::new(
        "machine.tick_skew_step",
        "tick skew step",
        KnobType::Time,
        "auto",
        "How much later each next CPU's tick comes, on top of kernel.tick_skew, modulo the tick \
            period; the same as machine.costs.tick_skew_ns.",
        "Fernandes 2023 tells neither the skew nor the hypervisor; a calibration",
    )
    .range(0, 10_000_000)
    .words([("auto", "the cost preset's: 20us for vm4_2023_cal, else none")])
}

fn machine_knobs() -> Vec<Knob> {
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
        Knob::new(
            "machine.partitions",
            "partitions",
            KnobType::Text,
            "auto",
            "Exclusive cpuset partitions as CPU lists (\"0-3;4-7\"), each a root domain; CPUs left \
                out form the default one; auto is one for all.",
            "cpuset.cpus.partition; commit 637f50851b57",
        ),
        Knob::named(
            "machine.costs",
            "cost preset",
            CostsName::Ticket2012,
            "What takes how long: a named set of times with their provenance, or an object of a \
                preset and single costs.",
            "each cost is listed with its own provenance",
        ),
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
            "halt with a virtual machine's costs; poll if cyclictest's --latency \
            forbids C1, as its 0 does; else mwait",
        )])
        .words(IdleKind::ALL.iter().map(|kind| (kind.name(), kind.doc()))),
    ]
}

fn noise_knobs() -> Vec<Knob> {
    use KnobType::{Enum, Integer, Time};
    const WHY: &str = "assumed: Rostedt 2015 does not say which RT task overloaded the CPU";
    vec![
        Knob::new(
            "workload.rt_noise.tasks",
            "noise tasks",
            Integer,
            1,
            "Unpinned SCHED_FIFO tasks, woken in turn by a device interrupt.",
            WHY,
        )
        .range(1, 1024),
        Knob::new(
            "workload.rt_noise.priority",
            "noise priority",
            Integer,
            50,
            "SCHED_FIFO priority of the noise tasks.",
            WHY,
        )
        .range(1, 99),
        Knob::new(
            "workload.rt_noise.run",
            "noise run",
            Time,
            "30us",
            "User time of a noise task per wake-up.",
            WHY,
        )
        .range(1, SECOND_NS),
        Knob::new(
            "workload.rt_noise.when",
            "noise when",
            Enum,
            "all-cpus-in-cyclictest",
            "When a noise task is woken.",
            WHY,
        )
        .words([
            (
                "all-cpus-in-cyclictest",
                "at an instant at which every CPU runs its measuring thread",
            ),
            ("random", "at keyed random times around min_gap"),
        ]),
        Knob::new(
            "workload.rt_noise.min_gap",
            "noise gap",
            Time,
            "600us",
            "Least time between two noise wake-ups.",
            WHY,
        )
        .range(1_000, DURATION_NS_MAX),
    ]
}

/// Generators of the workload that this engine has.
pub const GENERATORS: &[&str] = &[
    "cyclictest",
    "rt_noise",
    "softirq",
    "rt_migrate_test",
    "hackbench",
    "schbench",
    "pipe",
    "kernbench",
    "fibtest",
    "burst_sleep",
    "web",
    "thread_pool",
    "gc_burst",
    "busy",
];

#[cfg(test)]
mod tests {
    use super::*;
    use schedscope_engine::kernel::config::{
        CpupriGen, IpiPollingElide, LowestPick, OverloadDef, RtBalance, RtPushIpi, SpinlockKind,
        TtwuQueue,
    };

    #[test]
    fn paths_are_unique_and_every_enum_holds_its_default() {
        let paths: std::collections::BTreeSet<&str> =
            knobs().iter().map(|knob| knob.path).collect();
        assert_eq!(paths.len(), knobs().len());
        for knob in knobs() {
            if knob.kind == KnobType::Enum {
                assert!(
                    knob.choices.iter().any(|choice| choice.value == knob.default),
                    "{}",
                    knob.path
                );
            }
            assert_eq!(knob.min.is_some(), knob.max.is_some(), "{}", knob.path);
            assert!(!knob.doc.is_empty() && !knob.source.is_empty(), "{}", knob.path);
        }
    }

    #[test]
    fn every_kernel_switch_of_the_engine_has_a_knob() {
        let switches = [
            RtBalance::ALL.len(),
            RtPushIpi::ALL.len(),
            SpinlockKind::ALL.len(),
            TtwuQueue::ALL.len(),
        ];
        let of = |path: &str| knob(path).unwrap().choices.len();
        assert_eq!(
            switches,
            [
                of("kernel.rt_balance"),
                of("kernel.rt_push_ipi"),
                of("kernel.spinlock"),
                of("kernel.ttwu_queue")
            ]
        );
        assert_eq!(
            of("kernel.overload_def") + of("kernel.lowest_pick") + of("kernel.cpupri"),
            OverloadDef::ALL.len() + LowestPick::ALL.len() + CpupriGen::ALL.len()
        );
        assert_eq!(of("kernel.ipi_polling_elide"), IpiPollingElide::ALL.len());
    }
}
