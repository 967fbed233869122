//! Switches of the kernel, the machine and its devices that a real machine has too: a row each.

mod preempt;
mod rt_limit;

use serde_json::Value;

use super::features::feature;
use super::line::Line;
use super::run::Run;
use super::shell::word;
use super::values::{ns, numbers_in, text};

/// How a knob is set on a real machine.
enum Row {
    /// A bit of sched_features, which all releases have that the knob has an effect in.
    Feature(&'static str),
    /// A bit that came with this release.
    Since(&'static str, &'static str),
    /// Lines of its own, by the knob's value.
    Lines(fn(&Value, &Run) -> Vec<Line>),
}

use Row::{Feature, Lines, Since};

const ROWS: &[(&str, Row)] = &[
    ("machine.cpus", Lines(cpus)),
    ("machine.partitions", Lines(isolated)),
    ("machine.idle", Lines(idle)),
    ("kernel.hz", Lines(|value, _| vec![Line::build(format!("CONFIG_HZ_{}=y", text(value)))])),
    ("kernel.tick_skew", Lines(|value, _| only_if_on(value, Line::boot("skew_tick=1")))),
    ("kernel.preempt", Lines(preempt::lines)),
    ("kernel.rt_push_ipi", Feature("RT_PUSH_IPI")),
    ("kernel.ttwu_queue", Since("3.0", "TTWU_QUEUE")),
    ("kernel.delay_dequeue", Feature("DELAY_DEQUEUE")),
    ("kernel.hrtick", Feature("HRTICK")),
    ("kernel.run_to_parity", Feature("RUN_TO_PARITY")),
    ("kernel.place_lag", Feature("PLACE_LAG")),
    ("kernel.preempt_short", Feature("PREEMPT_SHORT")),
    ("kernel.next_buddy", Feature("NEXT_BUDDY")),
    ("kernel.ni_random", Feature("NI_RANDOM")),
    ("kernel.llc_balancing", Lines(llc_balancing)),
    ("kernel.cgroup_mode", Lines(cgroup_mode)),
    ("kernel.base_slice", Lines(base_slice)),
    ("kernel.rt_throttle", Lines(rt_limit::throttle)),
    ("kernel.sched_rt_runtime_us", Lines(rt_limit::sysctls)),
    ("kernel.sched_rt_period_us", Lines(rt_limit::sysctls)),
    ("kernel.sched_rr_timeslice_ms", Lines(|value, _| sysctl("sched_rr_timeslice_ms", value))),
    (
        "kernel.cfs_bandwidth_slice_us",
        Lines(|value, _| sysctl("sched_cfs_bandwidth_slice_us", value)),
    ),
    ("kernel.nohz_full", Lines(nohz_full)),
    (
        "kernel.rseq_slice_extension",
        Lines(|value, _| only_if_on(value, Line::build("CONFIG_RSEQ_SLICE_EXTENSION=y"))),
    ),
    (
        "kernel.rseq_slice_extension_length",
        Lines(|value, _| {
            let length = ns(Some(value));
            vec![Line::root(format!(
                "echo {length} | sudo tee /sys/kernel/debug/rseq/slice_ext_nsec"
            ))]
        }),
    ),
    ("workload.device_irq.cpus", Lines(irq_affinity)),
    ("workload.rcu.nocbs", Lines(offloaded)),
];

/// nr_cpus=.
const NR_CPUS: &str = "2.6.34";
/// smp_affinity_list (recalled).
const AFFINITY_LIST: &str = "3.0";
/// irqaffinity= (recalled).
const IRQAFFINITY: &str = "4.7";
/// Offloaded RCU callbacks (recalled).
const OFFLOADING: &str = "3.8";
/// CONFIG_NO_HZ_FULL (recalled).
const NO_HZ_FULL: &str = "3.10";
/// /sys/kernel/debug/sched/cgroup_mode.
const CGROUP_MODE: &str = "7.3";
/// /sys/kernel/debug/sched/llc_balancing.
const LLC_BALANCING: &str = "7.2";

/// A line for each switch that the scenario states and that has an effect.
pub(super) fn lines(run: &Run) -> Vec<Line> {
    run.turned().flat_map(|knob| of_knob(&knob.path, &knob.value, run)).collect()
}

/// Whether a machine has a switch for the knob at this path; of what its own release lacks, a
/// later one may have the code.
pub(super) fn has_line(path: &str, run: &Run) -> bool {
    match ROWS.iter().find(|(known, _)| *known == path) {
        Some((_, Since(first, _))) => !run.is_before(first),
        row => row.is_some(),
    }
}

fn of_knob(path: &str, value: &Value, run: &Run) -> Vec<Line> {
    match ROWS.iter().find(|(known, _)| *known == path) {
        Some((_, Lines(lines))) => lines(value, run),
        // The kernel decides by its number of CPUs.
        Some((_, Feature(_) | Since(..))) if value == "auto" || value == "auto_gt16" => Vec::new(),
        Some((_, Since(first, _))) if run.is_before(first) => Vec::new(),
        Some((_, Feature(name) | Since(_, name))) => {
            let is_off = match value.as_str() {
                Some("rt_only") => run.get("kernel.preempt").is_none_or(|model| model != "rt"),
                _ => *value == Value::Bool(false) || value == "off",
            };
            vec![feature(name, !is_off, run)]
        }
        None => Vec::new(),
    }
}

fn only_if_on(value: &Value, line: Line) -> Vec<Line> {
    if *value == Value::Bool(true) { vec![line] } else { Vec::new() }
}

fn sysctl(name: &str, value: &Value) -> Vec<Line> {
    vec![Line::root(format!("sudo sysctl kernel.{name}={}", text(value)))]
}

/// Behind maxcpus= the other CPUs are still possible ones, which the kernel counts and user space
/// may start.
fn cpus(value: &Value, run: &Run) -> Vec<Line> {
    let name = if run.is_before(NR_CPUS) { "maxcpus" } else { "nr_cpus" };
    vec![Line::boot(format!("{name}={}", text(value)))]
}

/// Partitions of one CPU each are what isolcpus= makes, as long as it leaves a CPU.
fn isolated(value: &Value, run: &Run) -> Vec<Line> {
    let value = text(value);
    let alone: Vec<Vec<u32>> = value.split(';').map(numbers_in).collect();
    let is_each = alone.iter().all(|cpus| cpus.len() == 1) && alone.len() < run.cpus as usize;
    if !is_each {
        return Vec::new();
    }
    let mut cpus = alone.concat();
    cpus.sort_unstable();
    vec![Line::boot(word(&format!("isolcpus={}", crate::words::cpus::written(&cpus))))]
}

fn idle(value: &Value, _: &Run) -> Vec<Line> {
    match value.as_str() {
        Some(kind @ ("poll" | "halt")) => vec![Line::boot(format!("idle={kind}"))],
        _ => Vec::new(),
    }
}

fn llc_balancing(value: &Value, run: &Run) -> Vec<Line> {
    if run.is_before(LLC_BALANCING) {
        return Vec::new();
    }
    let flag = u8::from(*value == Value::Bool(true));
    let file = "/sys/kernel/debug/sched/llc_balancing/enabled";
    vec![Line::root(format!("echo {flag} | sudo tee {file}"))]
}

fn cgroup_mode(value: &Value, run: &Run) -> Vec<Line> {
    if run.is_before(CGROUP_MODE) {
        return Vec::new();
    }
    let mode = text(value);
    vec![Line::root(format!("echo {mode} | sudo tee /sys/kernel/debug/sched/cgroup_mode"))]
}

/// The file holds the slice as it is scaled by 1 + log2(CPUs), 8 counted at most.
fn base_slice(value: &Value, run: &Run) -> Vec<Line> {
    let cpus = run.get("machine.cpus").and_then(Value::as_u64).unwrap_or(1);
    let scaled = ns(Some(value)) * (1 + u64::from(cpus.clamp(1, 8).ilog2()));
    vec![Line::root(format!("echo {scaled} | sudo tee /sys/kernel/debug/sched/base_slice_ns"))]
}

fn nohz_full(value: &Value, run: &Run) -> Vec<Line> {
    if value == "none" || run.is_before(NO_HZ_FULL) {
        return Vec::new();
    }
    let list = word(&format!("nohz_full={}", text(value)));
    vec![Line::build("CONFIG_NO_HZ_FULL=y"), Line::boot(list)]
}

/// Where interrupts go: by themselves to any CPU.
fn irq_affinity(value: &Value, run: &Run) -> Vec<Line> {
    let list = text(value);
    let machine = run.get("machine.cpus").and_then(Value::as_u64);
    let is_every = list == "all" || machine == Some(numbers_in(&list).len() as u64);
    if is_every || run.is_before(AFFINITY_LIST) {
        return Vec::new();
    }
    let boot =
        (!run.is_before(IRQAFFINITY)).then(|| Line::boot(word(&format!("irqaffinity={list}"))));
    let file = "/proc/irq/N/smp_affinity_list";
    let each = Line::root(format!("echo {} | sudo tee {file}", word(&list)));
    boot.into_iter().chain([each]).collect()
}

fn offloaded(value: &Value, run: &Run) -> Vec<Line> {
    if value == "none" || run.is_before(OFFLOADING) {
        return Vec::new();
    }
    let list = word(&format!("rcu_nocbs={}", text(value)));
    vec![Line::build("CONFIG_RCU_NOCB_CPU=y"), Line::boot(list)]
}
