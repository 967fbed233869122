//! What a run is, known before its first event, for people and the page.

use std::collections::BTreeMap;

use schedscope_engine::kernel::config::table::{DELAY_DEQUEUE, LLC_BALANCING, NI_RANDOM};
use schedscope_engine::kernel::config::{Bandwidth, CgroupMode, TtwuQueue, offered};
use schedscope_engine::kernel::rt::root_domain::lock_names;
use schedscope_engine::machine::costs::{COST_FIELDS, CostsName, Provenance};
use schedscope_engine::named::Named;
use schedscope_engine::setup::{GroupSpec, Object, ObjectSpec, Quota, Series, Setup};
use serde::Serialize;
use serde_json::Value;

use crate::cgroups::path::path_of;
use crate::resolve::kernel::has_cgroup_mode;
use crate::resolve::resolver::{Origin, ResolvedKnob, Resolver, Unavailable};
use crate::units::{cpu_list_text, time_text};
use crate::version::{OwnSwitch, kernel_text, kernel_words, own_switches};

/// One write to a running kernel, as `Run::change` takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveWrite {
    /// When, machine time in ns: after all that happens at that instant.
    pub at_ns: u64,
    /// `kernel.rt_push_ipi`, `cgroups.web.cpu_max`, `tasks."web.0".cpus`.
    pub path: String,
    /// The value as text.
    pub value: String,
    /// Who asks for it, in words: `--live`, `the link`.
    pub origin: &'static str,
}

/// One task as people know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskInfo {
    /// Instance name: `cyclictest.12`.
    pub name: String,
    /// Kind: the key of `latency` in reports.
    pub kind: String,
    /// Scheduling policy.
    #[cfg_attr(
        feature = "schema",
        schemars(extend("enum" = crate::rt_app::words::policy_names().collect::<Vec<_>>()))
    )]
    pub policy: &'static str,
    /// rt_priority for RT, nice for fair.
    pub priority: i32,
    /// CPU list: "0-39".
    pub cpus: String,
    /// Index into `groups`; 0, the root, where the run has no groups.
    pub group: u32,
}

/// One control group as people know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupInfo {
    /// The key under `cgroups`; empty for the root.
    pub path: String,
    /// Index of its parent; the root is its own.
    pub parent: u32,
    /// Run time per period at the start, ns; absent without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota_ns: Option<u64>,
    /// The period, ns; 0 for a group that can have no quota.
    pub period_ns: u64,
    /// What unused quota may accumulate to beyond one quota, ns.
    pub burst_ns: u64,
    /// When the pool is refilled first, ns; absent without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase_ns: Option<u64>,
    /// φ (docs/model/bandwidth.md#bandwidth-phases): from each refill to CPU 0's next tick, ns;
    /// absent without a limit and where it differs from refill to refill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick_gap_ns: Option<u64>,
}

/// What tasks of one kind measure themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeriesInfo {
    /// Kind of the tasks; with the name the key of `tool_samples` in reports: "web_front.request".
    pub kind: String,
    /// What they measure.
    pub name: String,
    /// What people call it, if the scenario's `labels` say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// What tasks wait at: a mutex, a condition, a barrier, a semaphore, a queue, a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ObjectInfo {
    /// The object in the columns.
    pub id: u32,
    /// Name of the object in the scenario.
    pub name: String,
    /// What it is, in a word.
    pub sort: &'static str,
}

/// One cost with its provenance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CostInfo {
    /// Field name, unit last.
    pub name: &'static str,
    /// Value in that unit.
    pub value: u32,
    /// Meaning and range.
    pub doc: &'static str,
    /// How well it is known.
    pub provenance: Provenance,
}

/// A knob that is a switch of the running kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LiveKnob {
    /// Dotted path.
    pub path: String,
    /// The choices that can be written; all of the knob's if there are none.
    pub values: Vec<&'static str>,
}

/// What a run is, known before its first event.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunMeta {
    /// The scenario's name.
    pub slug: String,
    /// Key of every random draw.
    pub seed: u64,
    /// Machine time to simulate, ns.
    pub duration_ns: u64,
    /// Number of CPUs.
    pub cpus: u32,
    /// CPUs per package.
    pub package_size: u32,
    /// Hardware threads per core; absent where a core is one CPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads_per_core: Option<u32>,
    /// Index = task id in the columns.
    pub tasks: Vec<TaskInfo>,
    /// Index = group in the columns, the root first; none where there is no group but the root.
    pub groups: Vec<GroupInfo>,
    /// What the tools measure themselves; a record's series counts those of its task's kind, in
    /// this order, from 0.
    pub series: Vec<SeriesInfo>,
    /// What tasks wait at.
    pub objects: Vec<ObjectInfo>,
    /// Names by lock id: "rq 0" …, then "rto_lock" (one per root domain), then the push locks of
    /// `ipi_4_1`.
    pub locks: Vec<String>,
    /// The kernel as reports name it: its version, and what is not of that version: "6.12 with
    /// bandwidth 4.19".
    pub kernel: String,
    /// Switches that are stated and are not what the version has.
    pub own_switches: Vec<OwnSwitch>,
    /// Every knob of this scenario as resolved.
    pub knobs: Vec<ResolvedKnob>,
    /// Every cost with its provenance.
    pub costs: Vec<CostInfo>,
    /// What `kernel.bandwidth` comes to, switch by switch.
    #[serde(skip)]
    pub bandwidth: Bandwidth,
    /// Choices that would be refused with what else the scenario says, with the reason.
    pub unavailable: Vec<Unavailable>,
    /// Switches of the running kernel and files of its groups, which can be written from any
    /// instant on; what can be written to tasks is not listed.
    pub live: Vec<LiveKnob>,
    /// Remarks on the scenario.
    pub notes: Vec<String>,
    /// cyclictest's slack in ns: interval less the longest body (extra included), the wait a herd
    /// must pass to show in its latency. Absent without cyclictest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub herd_slack_ns: Option<u64>,
    /// Shell command that replays this run natively.
    pub replay: String,
}

impl RunMeta {
    /// The knob at `path` as resolved.
    pub(crate) fn resolved(&self, path: &str) -> Option<&ResolvedKnob> {
        self.knobs.iter().find(|knob| knob.path == path)
    }

    /// Why the knob at `path` has no effect here, if it has none.
    pub(crate) fn inert(&self, path: &str) -> Option<&str> {
        self.resolved(path)?.inert.as_deref()
    }

    /// [`kernel`](Self::kernel) for people, "6.12 with CFS bandwidth 4.19", without the switches at
    /// `apart`, which the caller names elsewhere.
    pub fn kernel_words(&self, apart: &[&str]) -> String {
        let own: Vec<&OwnSwitch> =
            self.own_switches.iter().filter(|own| !apart.contains(&own.path)).collect();
        let version = self
            .knobs
            .iter()
            .find(|knob| knob.path == "kernel.version")
            .and_then(|knob| knob.value.as_str());
        kernel_words(version.unwrap_or_default(), &own)
    }

    /// The cost preset and every cost that was stated alone: "vm2_meas, schedule_ns 1200".
    pub fn costs_in_words(&self) -> String {
        let preset = self
            .knobs
            .iter()
            .find(|knob| knob.path == crate::resolve::costs::PATH)
            .and_then(|knob| knob.value.as_str());
        let stated = self.costs.iter().filter(|cost| cost.provenance == Provenance::Stated);
        std::iter::once(preset.unwrap_or_default().to_owned())
            .chain(stated.map(|cost| format!("{} {}", cost.name, cost.value)))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

pub(crate) fn describe(
    slug: &str,
    set: &[(String, Value)],
    setup: &Setup,
    resolver: Resolver<'_>,
    slack: Option<u64>,
    labels: &BTreeMap<String, String>,
) -> RunMeta {
    let topology = setup.machine.topology;
    let own_switches =
        own_switches(resolver.root, set, topology.cpus(), &resolver.knobs, &setup.kernel);
    RunMeta {
        slug: slug.to_owned(),
        seed: setup.seed,
        duration_ns: setup.duration_ns,
        cpus: topology.cpus(),
        package_size: topology.package_size(),
        threads_per_core: topology.has_smt().then(|| topology.threads()),
        tasks: tasks(setup),
        groups: groups(setup),
        series: series(setup, labels),
        objects: objects(setup),
        locks: lock_names(setup),
        kernel: kernel_text(&setup.kernel.version().to_string(), &own_switches),
        own_switches,
        costs: costs(setup, &resolver.knobs),
        knobs: resolver.knobs,
        bandwidth: setup.kernel.bandwidth,
        unavailable: resolver.unavailable,
        live: live(setup),
        notes: resolver.notes,
        herd_slack_ns: slack,
        replay: replay_command(slug, set),
    }
}

fn series(setup: &Setup, labels: &BTreeMap<String, String>) -> Vec<SeriesInfo> {
    let info = |Series { kind, name, .. }| {
        let label = labels.get(&format!("{kind}.{name}")).cloned();
        SeriesInfo { kind, name, label }
    };
    setup.series().into_iter().map(info).collect()
}

/// What this kernel lets be written while it runs (docs/model/accounting.md#live-writes).
fn live(setup: &Setup) -> Vec<LiveKnob> {
    let kernel = &setup.kernel;
    let mut live = Vec::new();
    let mut add = |path: &str, values| live.push(LiveKnob { path: path.to_owned(), values });
    if kernel.rt_balance.has_push_ipi_bit() {
        add("kernel.rt_push_ipi", Vec::new());
    }
    if kernel.preempt.is_dynamic() {
        add(
            "kernel.preempt",
            offered(kernel.version()).filter(|model| model.is_dynamic()).map(Named::name).collect(),
        );
    }
    let rule = kernel.ttwu_rule();
    if rule.has_wakelist() {
        add("kernel.ttwu_queue", vec![TtwuQueue::Off.name(), rule.name()]);
    }
    let (version, eevdf) = (kernel.version(), kernel.fair.is_eevdf());
    let features = [
        ("kernel.run_to_parity", eevdf),
        ("kernel.place_lag", eevdf),
        ("kernel.hrtick", eevdf),
        ("kernel.delay_dequeue", eevdf && DELAY_DEQUEUE.value(version)),
        ("kernel.preempt_short", eevdf && kernel.has_preempt_short()),
        ("kernel.next_buddy", eevdf || kernel.has_buddies()),
        ("kernel.ni_random", kernel.load_balance && NI_RANDOM.value(version)),
        ("kernel.llc_balancing", kernel.load_balance && LLC_BALANCING.value(version)),
    ];
    for (path, _) in features.iter().filter(|(_, has_bit)| *has_bit) {
        add(path, Vec::new());
    }
    if has_cgroup_mode(version) {
        add("kernel.cgroup_mode", CgroupMode::ALL.iter().map(|mode| mode.name()).collect());
    }
    if kernel.rt_throttle.has_limit() {
        crate::resolve::rt_throttle::SYSCTLS.iter().for_each(|path| add(path, Vec::new()));
    }
    if setup.groups.iter().any(|group| group.bandwidth.is_some()) {
        add(crate::resolve::bandwidth::SLICE, Vec::new());
    }
    // A group that states no cpu.max has no books; the kernel would let one be written, a run does
    // not begin to keep them.
    for group in setup.groups.iter().filter(|group| group.bandwidth.is_some()) {
        add(&path_of(&group.path, "cpu_max"), Vec::new());
        if kernel.bandwidth.has_burst() {
            add(&path_of(&group.path, "cpu_max_burst"), Vec::new());
        }
    }
    for group in setup.groups.iter().skip(1) {
        add(&path_of(&group.path, "cpu_weight"), Vec::new());
    }
    live
}

pub(crate) fn tasks(setup: &Setup) -> Vec<TaskInfo> {
    let task = |task: &schedscope_engine::setup::TaskSpec| TaskInfo {
        name: task.name.clone(),
        kind: task.kind.clone(),
        policy: task.policy.name(),
        priority: task.policy.number(),
        cpus: cpu_list_text(&task.cpus),
        group: task.group,
    };
    setup.tasks.iter().map(task).collect()
}

/// What tasks wait at: every object but stamps.
fn objects(setup: &Setup) -> Vec<ObjectInfo> {
    let waited = |object: &Object| *object != Object::Stamp;
    let info = |(id, spec): (u32, &ObjectSpec)| ObjectInfo {
        id,
        name: spec.name.clone(),
        sort: spec.object.sort(),
    };
    (0..).zip(&setup.objects).filter(|(_, spec)| waited(&spec.object)).map(info).collect()
}

fn limit(group: &GroupSpec) -> Option<Quota> {
    group.bandwidth.filter(|quota| quota.quota_ns.is_some())
}

fn tick_gap_ns(setup: &Setup, quota: &Quota) -> Option<u64> {
    let tick = setup.kernel.tick_ns();
    let past = (quota.phase_ns + tick - setup.kernel.tick_phase_ns % tick) % tick;
    quota.period_ns.is_multiple_of(tick).then_some((tick - past) % tick)
}

fn groups(setup: &Setup) -> Vec<GroupInfo> {
    let group = |group: &GroupSpec| GroupInfo {
        path: group.path.clone(),
        parent: group.parent,
        quota_ns: group.bandwidth.and_then(|quota| quota.quota_ns),
        period_ns: group.bandwidth.map_or(0, |quota| quota.period_ns),
        burst_ns: group.bandwidth.map_or(0, |quota| quota.burst_ns),
        phase_ns: limit(group).map(|quota| quota.phase_ns),
        tick_gap_ns: limit(group).and_then(|quota| tick_gap_ns(setup, &quota)),
    };
    let named = setup.groups.len() > 1;
    setup.groups.iter().filter(|_| named).map(group).collect()
}

fn costs(setup: &Setup, knobs: &[ResolvedKnob]) -> Vec<CostInfo> {
    let stated =
        |path: &str| knobs.iter().any(|knob| knob.path == path && knob.origin == Origin::Stated);
    let column = CostsName::ALL
        .iter()
        .position(|name| *name == setup.machine.costs_name)
        .expect("every preset is in the list");
    let values = setup.machine.costs.values();
    let info = |(field, (name, value)): (
        &schedscope_engine::machine::costs::CostField,
        (&'static str, u32),
    )| CostInfo {
        name,
        value,
        doc: field.doc,
        provenance: if stated(field.path) { Provenance::Stated } else { field.provenance[column] },
    };
    COST_FIELDS.iter().zip(values).map(info).collect()
}

/// `schedscope run <target> --set path=value …`, quoted for a shell.
pub fn replay_command(target: &str, set: &[(String, Value)]) -> String {
    format!("schedscope run {}{}", shell_word(target), set_flags("--set", set))
}

/// `schedscope compare <target> --set path=value … --a path=value … --b path=value …`, quoted for a
/// shell: `set` holds for both sides, `a` and `b` for one.
pub fn compare_command(
    target: &str,
    set: &[(String, Value)],
    a: &[(String, Value)],
    b: &[(String, Value)],
) -> String {
    let flags = [("--set", set), ("--a", a), ("--b", b)];
    let flags: String = flags.iter().map(|(flag, set)| set_flags(flag, set)).collect();
    format!("schedscope compare {}{flags}", shell_word(target))
}

/// ` <flag> path=value` for each, quoted for a shell.
pub fn set_flags(flag: &str, set: &[(String, Value)]) -> String {
    let word = |(path, value): &(String, Value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!(" {flag} {}", shell_word(&format!("{path}={value}")))
    };
    set.iter().map(word).collect()
}

/// ` --live time=path=value` for each, quoted for a shell.
pub fn live_flags(live: &[LiveWrite]) -> String {
    let flag = |write: &LiveWrite| {
        let word =
            shell_word(&format!("{}={}={}", time_text(write.at_ns), write.path, write.value));
        format!(" --live {word}")
    };
    live.iter().map(flag).collect()
}

fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::replay_command;

    #[test]
    fn the_replay_command_survives_a_shell() {
        let set =
            [("seed".to_owned(), 9.into()), ("workload.cyclictest.body".to_owned(), "it's".into())];
        assert_eq!(
            replay_command("rt-pull-herd", &set),
            "schedscope run rt-pull-herd --set seed=9 --set 'workload.cyclictest.body=it'\\''s'"
        );
    }
}
