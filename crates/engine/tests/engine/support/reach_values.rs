//! The values of every switch, and of the properties of a machine and its programs; each counts
//! only if the run used it for a decision.

use schedscope_engine::kernel::config::{
    BwDistribution, DoubleLock, Expiry, Fair, IpiPollingElide, ListInsert, Preempt, Refill,
    RtThrottle, SiloReturn, SlackSubtract, SlackThreshold, TtwuQueue, Version,
};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::named::Named;
use schedscope_engine::setup::{
    Amount, IdleKind, NoiseWhen, Object, Op, Policy, Program, Rounds, Section, TaskSpec,
};
use schedscope_engine::trace::catalogue::{Kind, NONE};
use schedscope_engine::trace::codes::{IdlePeriod, Puller, SlackTimer, StopWork};

use super::reach::Did;
use super::rows;

/// `("kernel.fair", "cfs", did it decide something)`.
type Value = (&'static str, &'static str, bool);

fn on(value: bool) -> &'static str {
    if value { "on" } else { "off" }
}

fn reached(values: Vec<Value>) -> impl Iterator<Item = String> {
    values.into_iter().filter(|value| value.2).map(|(path, value, _)| format!("{path}={value}"))
}

/// Switches of the kernel except those of bandwidth control.
pub fn of_kernel(did: &Did) -> impl Iterator<Item = String> + use<> {
    let told = [of_balance(did), of_wakeups(did), of_fair_and_idle(did)].concat();
    // A row of the table of which nothing is said here counts in every run that came to a switch.
    let switched = did.wrote(&[Kind::SchedSwitch]);
    let untold = rows::of(&did.setup.kernel)
        .into_iter()
        .filter(|(path, _)| switched && told.iter().all(|(known, ..)| known != path))
        .map(|(path, value)| format!("{path}={value}"))
        .collect::<Vec<_>>();
    reached(told).chain(untold)
}

/// Locks, and the ways that RT tasks move.
fn of_balance(did: &Did) -> Vec<Value> {
    let kernel = &did.setup.kernel;
    let wrote = |kinds: &[Kind]| did.wrote(kinds);
    let overload = wrote(&[Kind::RtoSet]);
    let moved = wrote(&[Kind::PushOk, Kind::PullOk, Kind::RtoHop, Kind::PushFail]);
    let locked_two = wrote(&[Kind::PullTry, Kind::PushOk]) && wrote(&[Kind::LockWait]);
    let domains = did.setup.machine.domains.len();
    let bugs = overload && (kernel.has_bugs_2007() || !kernel.bugs_2007);
    let pushed = did.wrote_as(Kind::StopWork, |row| row.b == StopWork::Push as u32);
    let push = if kernel.push_running { pushed } else { wrote(&[Kind::MigrateDisable]) };
    vec![
        ("kernel.version", name_of(kernel.version()), wrote(&[Kind::SchedSwitch])),
        ("kernel.spinlock", kernel.spinlock.name(), wrote(&[Kind::LockWait])),
        ("kernel.double_lock", kernel.double_lock.name(), locked_two),
        ("kernel.rt_balance", kernel.rt_balance.name(), moved),
        ("kernel.rt_push_ipi", on(kernel.rt_push_ipi), overload && moved),
        ("kernel.overload_def", kernel.overload_def.name(), overload),
        ("kernel.rto_scope", kernel.rto_scope.name(), overload && domains > 1),
        ("kernel.bugs_2007", on(kernel.bugs_2007), bugs),
        ("kernel.lowest_pick", kernel.lowest_pick.name(), wrote(&[Kind::PushOk])),
        ("kernel.cpupri", kernel.cpupri.name(), wrote(&[Kind::PushOk])),
        ("kernel.push_running", on(kernel.push_running), push),
    ]
}

/// Wake-ups, IPIs, preemption, throttled RT and softirqs.
fn of_wakeups(did: &Did) -> Vec<Value> {
    let kernel = &did.setup.kernel;
    let wrote = |kinds: &[Kind]| did.wrote(kinds);
    let flag = if kernel.preempt.has_lazy() { Kind::NeedReschedLazy } else { Kind::NeedResched };
    let throttled = match kernel.rt_throttle {
        RtThrottle::Off => wrote(&[Kind::SchedSwitch]),
        RtThrottle::Share | RtThrottle::NoShare => wrote(&[Kind::RtThrottle]),
        RtThrottle::DlServer => did.charged("rt_throttled") > 0,
    };
    let elided = kernel.ipi_polling_elide == IpiPollingElide::Off && wrote(&[Kind::IpiSend])
        || wrote(&[Kind::IdleWithoutIpi]);
    let queued = match kernel.ttwu_queue {
        TtwuQueue::Off => did.written.report.metrics.wakeups.remote_direct > 0,
        _ => wrote(&[Kind::WakelistQueue]),
    };
    let asks = |spec: &TaskSpec| spec.program.ops().any(|op| *op == Op::SliceRequest);
    let asked = if kernel.rseq_slice_extension {
        wrote(&[Kind::SliceGrant])
    } else {
        did.setup.tasks.iter().any(asks) && wrote(&[Kind::NeedResched])
    };
    let softirqs = did.setup.softirq.is_some() && wrote(&[Kind::SoftirqEntry]);
    vec![
        ("kernel.ttwu_queue", kernel.ttwu_queue.name(), queued),
        ("kernel.ttwu_on_cpu", kernel.ttwu_on_cpu.name(), wrote(&[Kind::SchedWaking])),
        ("kernel.ipi_polling_elide", kernel.ipi_polling_elide.name(), elided),
        ("kernel.preempt", kernel.preempt.name(), wrote(&[flag])),
        ("kernel.rt_throttle", kernel.rt_throttle.name(), throttled),
        ("kernel.rseq_slice_extension", on(kernel.rseq_slice_extension), asked),
        ("kernel.ksoftirqd_defers", on(kernel.ksoftirqd_defers), softirqs),
    ]
}

/// The fair class and its balancing, ticks of idle CPUs.
fn of_fair_and_idle(did: &Did) -> Vec<Value> {
    let kernel = &did.setup.kernel;
    let wrote = |kinds: &[Kind]| did.wrote(kinds);
    let balanced = did.wrote_as(Kind::PullTry, |row| row.b == Puller::FairBalancing as u32);
    let by_vruntime = |policy: Policy| policy.class().row().has_vruntime;
    let is_fair = |task: u32| task != NONE && did.policy(task).is_some_and(by_vruntime);
    let fair = did.wrote_as(Kind::SchedSwitch, |row| is_fair(row.a) && is_fair(row.b));
    let eevdf = fair && kernel.fair == Fair::Eevdf;
    let balance = if kernel.load_balance { balanced } else { fair };
    let (stopped, guarded) = (wrote(&[Kind::TickStop]), wrote(&[Kind::HrtimerExpire]));
    vec![
        ("kernel.fair", kernel.fair.name(), fair),
        ("kernel.delay_dequeue", on(kernel.delay_dequeue), eevdf),
        ("kernel.hrtick", on(kernel.hrtick), eevdf),
        ("kernel.run_to_parity", on(kernel.run_to_parity), eevdf),
        ("kernel.place_lag", on(kernel.place_lag), eevdf),
        ("kernel.preempt_short", on(kernel.preempt_short), eevdf),
        ("kernel.next_buddy", on(kernel.next_buddy), eevdf),
        ("kernel.protection", kernel.protection.name(), eevdf),
        ("kernel.cgroup_mode", kernel.cgroup_mode.name(), fair),
        ("kernel.load_balance", on(kernel.load_balance), balance),
        ("kernel.llc_balancing", on(kernel.llc_balancing), balanced),
        ("kernel.ni_random", on(kernel.ni_random), balanced),
        ("kernel.hrtimer_hang_guard", on(kernel.hrtimer_hang_guard), guarded),
        ("kernel.nohz_ilb", kernel.nohz_ilb.name(), wrote(&[Kind::NohzKick])),
        ("kernel.idle_stop", kernel.idle_stop.name(), stopped),
        ("kernel.nohz_full", on(!kernel.nohz_full.is_empty()), stopped),
        ("kernel.tick_skew", on(kernel.tick_skew), wrote(&[Kind::Tick])),
    ]
}

/// Switches of bandwidth control, of runs whose groups were throttled.
pub fn of_bandwidth(did: &Did) -> impl Iterator<Item = String> + use<> {
    let era = &did.setup.kernel.bandwidth;
    let throttled = did.wrote(&[Kind::BwThrottle]);
    let (walked, back) = (did.wrote(&[Kind::BwDistBegin]), did.wrote(&[Kind::BwReturn]));
    let slack = did.wrote_as(Kind::BwSlack, |row| row.b == SlackTimer::Fired as u32);
    let expires = matches!(era.expiry, Expiry::TimeCmp | Expiry::Seq);
    reached(vec![
        (
            "bandwidth.expiry",
            era.expiry.name(),
            if expires { did.wrote(&[Kind::BwExpireSilo]) } else { throttled },
        ),
        ("bandwidth.silo_return", era.silo_return.name(), back || slack),
        ("bandwidth.distribution", era.distribution.name(), walked),
        (
            "bandwidth.slack_subtract",
            era.slack_subtract.name(),
            slack && era.distribution == BwDistribution::OldCopy,
        ),
        ("bandwidth.slack_threshold", era.slack_threshold.name(), slack),
        ("bandwidth.throttle_lasttry", on(era.throttle_lasttry), throttled),
        ("bandwidth.list", era.list.name(), walked),
        ("bandwidth.refill", era.refill.name(), did.wrote(&[Kind::BwRefill])),
        ("bandwidth.csd", on(era.csd), did.wrote(&[Kind::BwUnthrottle])),
        ("bandwidth.per_task", on(era.per_task), throttled),
        ("bandwidth.charge_throttles", on(era.throttles_at_charge()), throttled),
        ("bandwidth.sees_running", on(!era.misses_running()), throttled),
        (
            "bandwidth.restart_refills",
            on(era.restart_refills),
            did.wrote_as(Kind::BwIdle, |row| row.b == IdlePeriod::Second as u32),
        ),
        ("bandwidth.throttled_draws", on(era.throttled_draws), throttled),
        ("bandwidth.slack_pushes", on(era.slack_pushes), slack),
        ("bandwidth.one_walk", on(era.one_walk), walked),
        ("bandwidth.rescales", on(era.rescales), throttled),
        ("bandwidth.rescale_last", on(era.rescale_last), throttled),
        ("bandwidth.late_clock", on(era.late_clock), throttled),
    ])
}

/// The machine, and its interrupts.
pub fn of_machine(did: &Did) -> impl Iterator<Item = String> + use<> {
    let machine = &did.setup.machine;
    let switched = did.wrote(&[Kind::SchedSwitch]);
    let from_idle = did.wrote_as(Kind::SchedSwitch, |row| row.a == NONE);
    let threads = ["0", "1", "2", "3", "4"][machine.topology.threads().min(4) as usize];
    let noise = did.setup.noise.map_or("none", |noise| when(noise.when));
    reached(vec![
        ("machine.costs", machine.costs_name.name(), switched),
        ("machine.idle", machine.idle.name(), from_idle),
        ("machine.threads_per_core", threads, switched),
        ("machine.partitions", on(machine.domains.len() > 1), switched),
        ("workload.rt_noise.when", noise, noise == "none" || did.wrote(&[Kind::NoiseFire])),
        ("workload.softirq", on(did.setup.softirq.is_some()), switched),
    ])
}

fn when(when: NoiseWhen) -> &'static str {
    match when {
        NoiseWhen::AllCpusInCyclictest => "all_cpus_in_cyclictest",
        NoiseWhen::Random => "random",
    }
}

/// Policies, steps, amounts and objects of the tasks that ran, and went round if their program has
/// rounds.
pub fn of_programs(did: &Did) -> impl Iterator<Item = String> + use<> {
    let mut values: Vec<Value> = vec![("program", "migration", did.wrote(&[Kind::StopWork]))];
    for task in &did.setup.tasks {
        let ran = did
            .written
            .report
            .metrics
            .tasks
            .get(&task.name)
            .is_some_and(|metrics| metrics.run_ns > 0);
        values.push(("policy", task.policy.name(), ran));
        values.push(("program", program(&task.program), ran));
        let Program::Ops { phases, .. } = &task.program else { continue };
        for phase in phases {
            values.push(("rounds", rounds(phase.rounds), ran));
            for op in &phase.ops {
                values.push(("op", name(op), ran));
                values.extend(amount(op).map(|amount| ("amount", amount, ran)));
                values.extend(section(op).map(|section| ("section", section, ran)));
            }
        }
    }
    values.extend(did.setup.objects.iter().enumerate().map(|(index, spec)| {
        let used = |row: &super::judge::Row| row.b == index as u32;
        let silent = matches!(spec.object, Object::SpinLock { .. } | Object::Stamp);
        ("object", object(spec.object), silent || did.wrote_as(Kind::ObjectWait, used))
    }));
    reached(values)
}

const OPS: [&str; 38] = [
    "run",
    "run_for",
    "kernel",
    "kernel_sleep",
    "sleep",
    "timer",
    "yield",
    "lock",
    "unlock",
    "wait",
    "signal",
    "broadcast",
    "sync",
    "barrier",
    "sem_wait",
    "sem_post",
    "put",
    "get",
    "enlist",
    "take_all",
    "resume_all",
    "suspend",
    "resume",
    "stamp",
    "copy_stamp",
    "sample",
    "spin_lock",
    "spin_or_sleep",
    "spin_unlock",
    "slice_request",
    "slice_yield",
    "page_fault",
    "fork",
    "set_policy",
    "set_cpus",
    "migrate_disable",
    "kernel_mutex",
    "kernel_wakes",
];

/// migrate_enable goes with migrate_disable.
fn name(op: &Op) -> &'static str {
    match op {
        Op::Run { .. } => "run",
        Op::RunFor { .. } => "run_for",
        Op::Kernel { .. } => "kernel",
        Op::KernelSleep { .. } => "kernel_sleep",
        Op::Sleep { .. } => "sleep",
        Op::Timer { .. } => "timer",
        Op::Yield => "yield",
        Op::Lock { .. } => "lock",
        Op::Unlock { .. } => "unlock",
        Op::Wait { .. } => "wait",
        Op::Signal { .. } => "signal",
        Op::Broadcast { .. } => "broadcast",
        Op::Sync { .. } => "sync",
        Op::Barrier { .. } => "barrier",
        Op::SemWait { .. } => "sem_wait",
        Op::SemPost { .. } => "sem_post",
        Op::Put { .. } => "put",
        Op::Get { .. } => "get",
        Op::Enlist { .. } => "enlist",
        Op::TakeAll { .. } => "take_all",
        Op::ResumeAll { .. } => "resume_all",
        Op::Suspend => "suspend",
        Op::Resume { .. } => "resume",
        Op::Stamp { .. } => "stamp",
        Op::CopyStamp { .. } => "copy_stamp",
        Op::Sample { .. } => "sample",
        Op::SpinLock { .. } => "spin_lock",
        Op::SpinOrSleep { .. } => "spin_or_sleep",
        Op::SpinUnlock { .. } => "spin_unlock",
        Op::SliceRequest => "slice_request",
        Op::SliceYield => "slice_yield",
        Op::PageFault { .. } => "page_fault",
        Op::Fork { .. } => "fork",
        Op::SetPolicy { .. } => "set_policy",
        Op::SetCpus { .. } => "set_cpus",
        Op::MigrateDisable | Op::MigrateEnable => "migrate_disable",
        Op::KernelMutex { .. } => "kernel_mutex",
        Op::KernelWakes { .. } => "kernel_wakes",
    }
}

const AMOUNTS: [&str; 5] = ["fixed", "uniform", "log_normal", "exponential", "quantiles"];

fn amount(op: &Op) -> Option<&'static str> {
    let (Op::Run { ns } | Op::Sleep { ns } | Op::Kernel { ns, .. } | Op::KernelMutex { ns, .. }) =
        op
    else {
        return None;
    };
    Some(match ns {
        Amount::Fixed(_) => "fixed",
        Amount::Uniform { .. } => "uniform",
        Amount::LogNormal { .. } => "log_normal",
        Amount::Exponential { .. } => "exponential",
        Amount::Quantiles { .. } => "quantiles",
    })
}

const SECTIONS: [&str; 4] = ["might_sleep", "preemptible", "no_preempt", "irq_off"];

fn section(op: &Op) -> Option<&'static str> {
    let Op::Kernel { section, might_sleep, .. } = op else { return None };
    Some(match section {
        Section::Preemptible if might_sleep.is_some() => "might_sleep",
        Section::Preemptible => "preemptible",
        Section::NoPreempt => "no_preempt",
        Section::IrqOff => "irq_off",
    })
}

const ROUNDS: [&str; 3] = ["endless", "times", "drawn"];

/// A phase that ends at an instant is drawn by the swarm of scenarios only.
fn rounds(rounds: Rounds) -> &'static str {
    match rounds {
        Rounds::Endless => "endless",
        Rounds::Times(_) => "times",
        Rounds::Drawn(_) => "drawn",
        Rounds::Until(_) => "until",
    }
}

const PROGRAMS: [&str; 5] = ["ops", "cyclictest", "rt_noise", "ksoftirqd", "migration"];

fn program(program: &Program) -> &'static str {
    match program {
        Program::Ops { .. } => "ops",
        Program::Cyclictest { .. } => "cyclictest",
        Program::RtNoise { .. } => "rt_noise",
        Program::Ksoftirqd => "ksoftirqd",
        Program::Migration => "migration",
    }
}

const OBJECTS: [&str; 9] = [
    "mutex",
    "pi_mutex",
    "condition",
    "barrier",
    "semaphore",
    "queue",
    "list",
    "stamp",
    "spin_lock",
];

fn object(object: Object) -> &'static str {
    match object {
        Object::Mutex { pi: false } => "mutex",
        Object::Mutex { pi: true } => "pi_mutex",
        Object::Cond => "condition",
        Object::Barrier { .. } => "barrier",
        Object::Semaphore { .. } => "semaphore",
        Object::Queue { .. } => "queue",
        Object::List => "list",
        Object::Stamp => "stamp",
        Object::SpinLock { .. } => "spin_lock",
    }
}

/// A name that lasts as long as the test.
fn name_of(version: Version) -> &'static str {
    Box::leak(version.to_string().into_boxed_str())
}

fn named<T: Named>(path: &str) -> Vec<String> {
    T::ALL.iter().map(|value| format!("{path}={}", value.name())).collect()
}

/// Every value there is.
pub fn all() -> Vec<String> {
    let mut all = [
        Version::LADDER.iter().map(|version| format!("kernel.version={version}")).collect(),
        named::<DoubleLock>("kernel.double_lock"),
        named::<Preempt>("kernel.preempt"),
        named::<Expiry>("bandwidth.expiry"),
        named::<SiloReturn>("bandwidth.silo_return"),
        named::<BwDistribution>("bandwidth.distribution"),
        named::<SlackSubtract>("bandwidth.slack_subtract"),
        named::<SlackThreshold>("bandwidth.slack_threshold"),
        named::<ListInsert>("bandwidth.list"),
        named::<Refill>("bandwidth.refill"),
        named::<CostsName>("machine.costs"),
        named::<IdleKind>("machine.idle"),
    ]
    .concat();
    let mut list = |path: &str, values: &[&str]| {
        all.extend(values.iter().map(|value| format!("{path}={value}")))
    };
    for (path, value) in rows::values() {
        list(&path, &[&value]);
    }
    for path in BITS {
        list(path, &["on", "off"]);
    }
    list("machine.threads_per_core", &["1", "2", "3", "4"]);
    list(
        "workload.rt_noise.when",
        &["none", when(NoiseWhen::AllCpusInCyclictest), when(NoiseWhen::Random)],
    );
    list("policy", &["SCHED_OTHER", "SCHED_FIFO", "SCHED_RR", "SCHED_IDLE"]);
    list("program", &PROGRAMS);
    list("rounds", &ROUNDS);
    list("op", &OPS);
    list("amount", &AMOUNTS);
    list("section", &SECTIONS);
    list("object", &OBJECTS);
    all
}

/// Switches that are on or off and no rows of the table of kernels.
const BITS: [&str; 18] = [
    "kernel.rt_push_ipi",
    "kernel.bugs_2007",
    "kernel.nohz_full",
    "kernel.tick_skew",
    "bandwidth.throttle_lasttry",
    "bandwidth.csd",
    "bandwidth.per_task",
    "bandwidth.charge_throttles",
    "bandwidth.sees_running",
    "bandwidth.restart_refills",
    "bandwidth.throttled_draws",
    "bandwidth.slack_pushes",
    "bandwidth.one_walk",
    "bandwidth.rescales",
    "bandwidth.rescale_last",
    "bandwidth.late_clock",
    "machine.partitions",
    "workload.softirq",
];
