//! The machine: topology, partitions, costs, what an idle CPU does.

use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::Topology;
use schedscope_engine::named::Named;
use schedscope_engine::setup::{IdleKind, Machine};

use super::resolver::{Origin, Resolver};
use super::{costs, partitions};
use crate::error::Fault;
use crate::generators::cyclictest::pm_qos_ns;
use crate::reading::tree::find;
use crate::reading::values::missing;
use crate::text::readable as shorten;
use crate::units::{time_text, time_words};

pub(crate) fn machine(resolver: &mut Resolver<'_>) -> Result<Machine, Fault> {
    let root = resolver.root;
    let node = find(root, "machine")
        .ok_or_else(|| missing(root, "", "machine", "an object with at least \"cpus\""))?;
    if resolver.stated("machine.cpus")?.is_none() {
        return Err(missing(node, "machine", "cpus", "a whole number from 1 to 1024"));
    }
    let cpus = resolver.amount("machine.cpus")?;
    let costs_name = costs::preset(resolver)?;
    let count = u32::try_from(cpus.value).expect("the table's maximum fits");
    let threads = resolver.amount("machine.threads_per_core")?.value as u32;
    let smt_speed = resolver.amount("machine.smt_speed")?.value as u32;
    if threads == 1 {
        resolver.inert("machine.smt_speed", "machine.threads_per_core is 1");
    }
    let topology = topology(resolver, count, package_size(costs_name, count))?
        .with_threads(threads, smt_speed);
    let domains = partitions::resolve(resolver, count)?;
    let mut costs = costs::resolve(resolver, costs_name)?;
    costs.tick_skew_ns = tick_skew(resolver, costs.tick_skew_ns)?;
    // cpuidle polls for a limit of 0, and if its shallowest sleep state takes longer to leave than
    // the limit.
    let polls = pm_qos_ns(resolver)?
        .is_some_and(|limit| limit == 0 || limit < u64::from(costs.idle_exit_mwait_ns));
    let stated_idle = resolver.word("machine.idle")?.value;
    let idle = IdleKind::parse(&stated_idle).unwrap_or_else(|| auto_idle(costs_name, polls));
    if stated_idle == "auto" {
        let why = match idle {
            IdleKind::Halt => "auto: a virtual machine's idle CPU halts",
            IdleKind::Poll => {
                "auto: cyclictest holds the PM-QoS latency request below what leaving C1 takes"
            }
            IdleKind::Mwait => "auto: no PM-QoS latency request forbids C1",
        };
        resolver.resolved_to("machine.idle", idle.name(), Some(why));
    }
    let polls_from_boot = IdleKind::parse(&stated_idle).is_some_and(IdleKind::polls);
    Ok(Machine { topology, costs_name, costs, idle, polls_from_boot, domains })
}

/// The skew of ticks has two names; stated under both it has to be the same. `by_costs` is what the
/// costs come to.
fn tick_skew(resolver: &mut Resolver<'_>, by_costs: u32) -> Result<u32, Fault> {
    const STEP: &str = "machine.tick_skew_step";
    const COST: &str = "machine.costs.tick_skew_ns";
    let step = resolver.time(STEP)?;
    let stated =
        resolver.knobs.iter().any(|knob| knob.path == COST && knob.origin == Origin::Stated);
    let Some(ns) = step.value.map(|ns| u32::try_from(ns).expect("the table's maximum fits")) else {
        let source = if stated { COST } else { "the cost preset's" };
        resolver.resolved_to(STEP, time_text(u64::from(by_costs)), Some(source));
        return Ok(by_costs);
    };
    if stated && ns != by_costs {
        let message = format!(
            "{STEP} says {}, {COST} says {} of the same skew",
            time_words(u64::from(ns)),
            time_words(u64::from(by_costs))
        );
        return Err(Fault::new(step.at, STEP, message)
            .expected("one of the two")
            .decided_with([COST]));
    }
    if let Some(cost) = resolver.knobs.iter_mut().find(|knob| knob.path == COST) {
        (cost.value, cost.origin, cost.source) = (ns.into(), Origin::Stated, Some(STEP));
    }
    Ok(ns)
}

/// This guest has no cpuidle driver (docs/model/wake-ups.md#polling-idle): a PM-QoS request finds
/// no state to forbid, and it halts.
fn auto_idle(costs: CostsName, polls: bool) -> IdleKind {
    match (costs, polls) {
        (CostsName::Vm2 | CostsName::Vm4Cal2023, _) => IdleKind::Halt,
        (_, true) => IdleKind::Poll,
        (_, false) => IdleKind::Mwait,
    }
}

/// CPUs per package under `auto`. The sizes of real machines are assumed; the others are one
/// package of any size.
fn package_size(costs: CostsName, cpus: u32) -> u32 {
    match costs {
        CostsName::Ticket2012 => 10,
        CostsName::Qspin2s => 32,
        CostsName::Vm2 | CostsName::Zero | CostsName::FourWay2007 | CostsName::Vm4Cal2023 => cpus,
    }
}

fn topology(resolver: &mut Resolver<'_>, cpus: u32, auto_size: u32) -> Result<Topology, Fault> {
    const PATH: &str = "machine.topology";
    let stated = resolver.word(PATH)?;
    if stated.value == "auto" {
        let topology = Topology::new(cpus, auto_size);
        return Ok(topology);
    }
    let expected = "\"auto\" or packages x CPUs per package, such as \"4x10\"";
    let sizes = stated
        .value
        .split_once(['x', '×'])
        .and_then(|(packages, size)| Some((plain(packages)?, plain(size)?)));
    let Some((packages, size)) = sizes else {
        return Err(Fault::new(
            stated.at,
            PATH,
            format!("\"{}\" is not a topology", shorten(&stated.value)),
        )
        .expected(expected));
    };
    if packages.checked_mul(size) != Some(cpus) {
        let message =
            format!("{packages} x {size} is {}, but machine.cpus is {cpus}", packages * size);
        return Err(Fault::new(stated.at, PATH, message)
            .expected(expected)
            .suggest(Some("\"auto\"".to_owned()))
            .decided_with(["machine.cpus"]));
    }
    Ok(Topology::new(cpus, size))
}

fn plain(text: &str) -> Option<u32> {
    let digits =
        !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse::<u32>().ok().filter(|number| digits && *number > 0)
}
