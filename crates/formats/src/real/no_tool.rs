//! What of a workload no tool does on a real machine, each in one sentence with what comes closest.

use serde_json::Value;

use super::kernel;
use super::rt_app::task_files;
use super::run::Run;
use super::stand_ins;
use crate::words::Node;

/// Generators that no tool plays; the others have a line (`programs`) or a file for rt-app
/// (`stand_ins`).
const ROWS: &[(&str, &str)] = &[
    (
        "burst_sleep",
        "No package has burst_sleep: the Go program in kubernetes issue 67577 does the same.",
    ),
    (
        "database",
        "No tool does what database does: PostgreSQL under pgbench, with as many clients as \
         backends, comes closest.",
    ),
    (
        "softirq",
        "No tool leaves tasklets behind at a set rate, which takes kernel code: a flood of packets \
         to one CPU comes closest.",
    ),
    ("smi", "No tool raises SMIs: hwlatdetect finds those that the firmware raises."),
    (
        "steal",
        "No tool in a guest takes time from its CPUs: stress-ng on the host, on the guest’s CPUs, \
         comes closest.",
    ),
    (
        "device_irq",
        "No tool makes a device interrupt at a set rate: ping -f to a network card whose \
         interrupts go to these CPUs comes closest.",
    ),
    ("rcu", "No tool queues RCU callbacks at a set rate: stress-ng --dentry comes closest."),
];

/// select_task_rq_fair() looks for an idle CPU inside a domain, and a CPU that is not balanced has
/// none (read in 6.12). detach_tasks() takes at most nr_migrate tasks (4.15, 5.15, 6.12, 7.1), but
/// on 6.5 and 6.6 goes on until it has met one that may go; active balancing asks for no such
/// count.
const UNBALANCED: &str = "No switch is known that turns load balancing off alone: with \
    cpuset.sched_load_balance 0 (cgroup v1) or in an isolated partition (v2) a woken task also \
    stays on the CPU where it ran; with nr_migrate 0 (debugfs) balancing still moves running \
    tasks, and on 6.5 and 6.6 one waiting task at a time.";

const PARTITIONS: &str = "No line makes partitions of several CPUs: each is a group with \
    cpuset.cpus.partition root, which its programs have to join.";

/// A sentence for each part of a run that has neither a command line nor a file for rt-app.
pub(super) fn without_tool(run: &Run, file: &Node) -> Vec<String> {
    let is_unbalanced = run.get("kernel.load_balance") == Some(&Value::Bool(false));
    let unbalanced = is_unbalanced.then(|| UNBALANCED.to_owned());
    let is_apart = run.get("machine.partitions").is_some_and(|value| value != "auto");
    let has_line = || kernel::lines(run).iter().any(|line| line.text.contains("isolcpus="));
    let partitions = (is_apart && !has_line()).then(|| PARTITIONS.to_owned());
    let made = ROWS.iter().filter(|(name, _)| run.has(name)).map(|(_, words)| (*words).to_owned());
    let mut all: Vec<String> = unbalanced.into_iter().chain(partitions).chain(made).collect();
    all.extend(stand_ins::of(run, "").missing);
    all.extend(task_files(run, file, "").missing);
    all
}
