//! Counts which values and mechanisms the runs of a swarm reached. A value of a switch counts only
//! if the run made the decision that the switch is for; a mechanism counts only if the trace, the
//! report or a counter of the engine shows it. A rule of a version (`kernel.rules`) counts if the
//! run switched tasks: the run drew the answer, but whether the answer decided anything is not
//! known (`rules.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use schedscope_engine::account::metrics::CpuInterrupts;
use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Fair, RtThrottle};
use schedscope_engine::run::Run;
use schedscope_engine::setup::{Policy, Setup, TaskSpec};
use schedscope_engine::trace::catalogue::{CATALOGUE, CAUSES, CpuState, Kind, NONE};
use schedscope_engine::trace::codes::StopWork;

use super::MS;
use super::judge::{Row, Written};
use super::random::Case;
use super::reach_values as values;

/// Records no case writes.
const OUT_OF_REACH: &[Kind] = &[Kind::Finding];

/// The number of runs that reached each value or mechanism.
static TABLE: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());

/// The run, report and trace of a finished case.
pub struct Did<'r> {
    pub setup: &'r Setup,
    pub written: &'r Written,
    /// Rows by kind.
    counts: Vec<u64>,
}

impl Did<'_> {
    pub fn wrote(&self, kinds: &[Kind]) -> bool {
        kinds.iter().any(|kind| self.counts[*kind as usize] > 0)
    }

    pub fn wrote_as(&self, kind: Kind, fits: impl Fn(&Row) -> bool) -> bool {
        self.wrote(&[kind]) && self.written.rows.iter().any(|row| row.kind == kind && fits(row))
    }

    pub fn policy(&self, task: u32) -> Option<Policy> {
        self.setup.tasks.get(task as usize).map(|spec| spec.policy)
    }

    /// Nanoseconds of all wake-ups that have this cause.
    pub fn charged(&self, cause: &str) -> u64 {
        self.written
            .report
            .metrics
            .latency
            .values()
            .map(|kind| kind.causes_ns.get(cause).copied().unwrap_or(0))
            .sum()
    }
}

/// How a case was played a second time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Second {
    Restored,
    Forked,
    /// See [`schedscope_engine::run::Options::in_pieces`].
    InPieces,
    /// Like [`Self::InPieces`], with coinciding instants and many more writes (`pressed.rs`).
    Pressed,
    /// See [`schedscope_engine::run::Options::charge_preempted`].
    Charged,
    /// See [`schedscope_engine::run::Options::rows`].
    Rowless,
}

/// Adds the values and mechanisms that a finished run reached, and how it was played a second time,
/// if it was.
pub fn note(case: &Case, run: &Run, written: &Written, second: Option<Second>) {
    let mut counts = vec![0; CATALOGUE.len()];
    written.rows.iter().for_each(|row| counts[row.kind as usize] += 1);
    let did = Did { setup: &case.setup, written, counts };
    let mut names = BTreeSet::new();
    names.extend(
        CATALOGUE
            .iter()
            .filter(|doc| did.wrote(&[doc.kind]))
            .map(|doc| format!("record {}", doc.name)),
    );
    names.extend(
        CAUSES
            .iter()
            .filter(|cause| did.charged(cause.0) > 0)
            .map(|cause| format!("cause {}", cause.0)),
    );
    names.extend(values::of_kernel(&did));
    names.extend(values::of_bandwidth(&did));
    names.extend(values::of_machine(&did));
    names.extend(values::of_programs(&did));
    let mechanisms = mechanisms(&did, run, !case.writes.is_empty(), second);
    let mut table = TABLE.lock().expect("nobody panics with the table in hand");
    for (name, reached) in
        mechanisms.into_iter().map(|(name, reached)| (format!("mechanism {name}"), reached))
    {
        *table.entry(name).or_default() += u64::from(reached);
    }
    names.into_iter().for_each(|name| *table.entry(name).or_default() += 1);
}

/// Mechanisms without a record and a switch of their own.
fn mechanisms(
    did: &Did,
    run: &Run,
    written_to: bool,
    second: Option<Second>,
) -> Vec<(&'static str, bool)> {
    let (setup, metrics) = (did.setup, &did.written.report.metrics);
    let (kernel, cpus) = (&setup.kernel, setup.machine.topology.cpus());
    // Stoppers come after all other tasks.
    let stoppers = setup.tasks.len() as u32..NONE;
    let balances = |active: bool| {
        let called = |row: &Row| row.b == StopWork::Balance as u32 && row.kind == Kind::StopWork;
        kernel.rt_balance.is_active() == active && did.wrote_as(Kind::StopWork, called)
    };
    let quota =
        |group: u32| setup.groups[group as usize].bandwidth.and_then(|quota| quota.quota_ns);
    let doubled = |row: &Row| quota(row.a).is_some_and(|quota| u64::from(row.b) >= 2 * quota);
    let nested = |row: &Row| setup.groups[row.a as usize].parent != 0;
    let server = kernel.rt_throttle == RtThrottle::DlServer;
    let resumed = |spec: &TaskSpec| spec.kind == "parked" && metrics.tasks[&spec.name].wakeups > 2;
    vec![
        ("more than 80 CPUs", cpus > 80 && did.wrote(&[Kind::SchedSwitch])),
        ("more than 512 CPUs", cpus > 512 && did.wrote(&[Kind::SchedSwitch])),
        ("more than 0.7 s", setup.duration_ns > 700 * MS && did.wrote(&[Kind::SchedSwitch])),
        ("the fair server makes an RT task wait", server && did.charged("rt_throttled") > 0),
        ("a bandwidth period is rescaled", did.wrote_as(Kind::BwRefill, doubled)),
        ("a queue of a nested group is throttled", did.wrote_as(Kind::BwThrottle, nested)),
        (
            "active balance of 2.6.24",
            balances(false) && did.wrote_as(Kind::SchedSwitch, |row| stoppers.contains(&row.b)),
        ),
        ("active balance of CFS", kernel.fair == Fair::Cfs && balances(true)),
        ("active balance of EEVDF", kernel.fair == Fair::Eevdf && balances(true)),
        ("the last buddy is picked", run.sim().last_buddies() > 0),
        ("rt-app's resume", setup.tasks.iter().any(resumed)),
        ("priority inheritance", did.wrote(&[Kind::PiSetprio])),
        (
            "two hardware threads of a core at once",
            setup.machine.topology.threads() > 1 && cores_shared(did),
        ),
        ("nice values share a CPU", shared_by(did, |task| nice(did.policy(task)))),
        ("weights of groups share a CPU", shared_by(did, |task| weight(setup, task))),
        ("a slice extension expires", ends_extension(did, 0)),
        ("rseq_slice_yield", ends_extension(did, 1)),
        ("a system call ends a slice extension", ends_extension(did, 2)),
        ("a slice extension is revoked", ends_extension(did, 3)),
        ("a device with an affinity interrupts", counted(did, |cpu| cpu.device_irqs)),
        ("the NET_RX softirq", counted(did, |cpu| cpu.net_rx_softirqs)),
        ("RCU callbacks", counted(did, |cpu| cpu.rcu_callbacks)),
        ("a running kernel's switch is written", written_to),
        ("a snapshot is restored", second == Some(Second::Restored)),
        ("a fork", second == Some(Second::Forked)),
        ("step by step", second == Some(Second::InPieces)),
        ("step by step where instants coincide", second == Some(Second::Pressed)),
        ("preempted tasks are charged", second == Some(Second::Charged)),
        ("no row is kept", second == Some(Second::Rowless)),
    ]
}

/// Whether `of` is above 0 for some CPU.
fn counted(did: &Did, of: impl Fn(&CpuInterrupts) -> u64) -> bool {
    did.written.report.metrics.cpus.values().any(|cpu| of(cpu) > 0)
}

fn ends_extension(did: &Did, how: u32) -> bool {
    did.wrote_as(Kind::SliceEnd, |row| row.b == how)
}

fn nice(policy: Option<Policy>) -> Option<i64> {
    match policy {
        Some(Policy::Fair { nice }) => Some(i64::from(nice)),
        _ => None,
    }
}

/// Shares of the group of a fair task below the root.
fn weight(setup: &Setup, task: u32) -> Option<i64> {
    let spec = setup
        .tasks
        .get(task as usize)
        .filter(|spec| spec.policy.class().row().under_cfs_bandwidth && spec.group > 0)?;
    Some(i64::from(setup.groups[spec.group as usize].weight))
}

/// Whether one CPU changes between two tasks for which `of` differs.
fn shared_by(did: &Did, of: impl Fn(u32) -> Option<i64>) -> bool {
    did.wrote_as(Kind::SchedSwitch, |row| {
        of(row.a).zip(of(row.b)).is_some_and(|(before, after)| before != after)
    })
}

/// Whether two hardware threads of one core ran user code at once.
fn cores_shared(did: &Did) -> bool {
    let topology = &did.setup.machine.topology;
    let mut user = vec![false; topology.cpus() as usize];
    did.written.rows.iter().filter(|row| row.kind == Kind::CpuState).any(|row| {
        let state = row.a & 255;
        user[row.cpu as usize] =
            state == CpuState::User as u32 || state == CpuState::UserSpin as u32;
        topology.core_of(CpuId::new(row.cpu)).filter(|cpu| user[cpu.raw() as usize]).count() > 1
    })
}

/// Every value that a run can reach, without mechanisms, which every run enters.
fn all() -> Vec<String> {
    let records = CATALOGUE
        .iter()
        .filter(|doc| !OUT_OF_REACH.contains(&doc.kind))
        .map(|doc| format!("record {}", doc.name));
    let causes = CAUSES.iter().map(|cause| format!("cause {}", cause.0));
    records.chain(causes).chain(values::all()).collect()
}

/// The number of runs that reached each value or mechanism, the rarest first.
pub fn table() -> Vec<(u64, String)> {
    let mut table = TABLE.lock().expect("nobody panics with the table in hand").clone();
    all().into_iter().for_each(|name| _ = table.entry(name).or_default());
    let mut lines: Vec<(u64, String)> =
        table.into_iter().map(|(name, runs)| (runs, name)).collect();
    lines.sort();
    lines
}
