//! From what a scenario states to what a run uses: every knob gets a value and an origin.
//!
//! Machine and kernel are resolved here; what tasks do is resolved beside each generator.

mod kernel;

use std::borrow::Cow;

use schedscope_engine::kernel::config::Preset;
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::Topology;
use schedscope_engine::named::Named;
use schedscope_engine::setup::{IdleKind, Machine};
use serde::Serialize;
use serde_json::Value;

use crate::cyclictest::pm_qos_ns;
use crate::error::Fault;
use crate::json::Node;
use crate::knobs::knob;
use crate::read::missing;
use crate::settings::{self, Setting, Stated, find};
use crate::units::time_text;

pub(crate) use kernel::kernel;

/// Where a resolved value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Origin {
    /// The file, a variant, a flag or a link says so.
    Stated,
    /// The version's sources say so.
    Known,
    /// Taken over from the version before.
    Carried,
    /// Nobody says anything.
    Default,
}

/// One knob as a run resolved it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResolvedKnob {
    /// Dotted path.
    pub path: Cow<'static, str>,
    /// The value the run uses, as a scenario file writes it.
    pub value: Value,
    /// Where it comes from.
    pub origin: Origin,
    /// Source of a `known` value, or the rule behind a default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'static str>,
    /// Why the knob has no effect here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inert: Option<String>,
}

/// A choice that is not to be had with what else the scenario says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unavailable {
    /// Dotted path of the knob.
    pub path: &'static str,
    /// The value that is refused.
    pub value: &'static str,
    /// Why.
    pub why: &'static str,
}

/// A resolved value and the place of its statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<T> {
    /// The value.
    pub(crate) value: T,
    /// Its byte offset, if the file states it.
    pub(crate) at: Option<usize>,
    /// Whether anybody states it.
    pub(crate) stated: bool,
}

/// Resolves knobs one by one and remembers each.
pub(crate) struct Resolver<'n> {
    /// The scenario with all changes laid over it.
    pub(crate) root: &'n Node,
    /// Everything resolved so far, in order.
    pub(crate) knobs: Vec<ResolvedKnob>,
    /// Remarks for the reader.
    pub(crate) notes: Vec<String>,
    /// Choices that would be refused.
    pub(crate) unavailable: Vec<Unavailable>,
}

impl<'n> Resolver<'n> {
    /// Nothing resolved yet.
    pub(crate) fn new(root: &'n Node) -> Self {
        Self { root, knobs: Vec::new(), notes: Vec::new(), unavailable: Vec::new() }
    }

    pub(crate) fn record(
        &mut self,
        path: &'static str,
        value: Value,
        origin: Origin,
        source: Option<&'static str>,
    ) {
        self.knobs.push(ResolvedKnob { path: path.into(), value, origin, source, inert: None });
    }

    /// Remembers a value whose path is made up as it is read.
    pub(crate) fn record_as(&mut self, path: String, value: Value, origin: Origin) {
        self.knobs.push(ResolvedKnob {
            path: path.into(),
            value,
            origin,
            source: None,
            inert: None,
        });
    }

    /// Stated or default, typed; remembered as it is.
    fn setting(&mut self, path: &'static str) -> Result<Found<Setting>, Fault> {
        let knob = knob(path).expect("only paths of the table are resolved");
        let found = match settings::read(self.root, path)? {
            Some(Stated { setting, at }) => Found { value: setting, at, stated: true },
            None => Found {
                value: settings::typed(knob, &Node::from_json(&knob.default))?,
                at: None,
                stated: false,
            },
        };
        let origin = if found.stated { Origin::Stated } else { Origin::Default };
        self.record(knob.path, found.value.to_json(), origin, None);
        Ok(found)
    }

    /// A whole number; `None` for a special word.
    pub(crate) fn integer(&mut self, path: &'static str) -> Result<Found<Option<u64>>, Fault> {
        let Found { value, at, stated } = self.setting(path)?;
        let value = if let Setting::Integer(number) = value { Some(number) } else { None };
        Ok(Found { value, at, stated })
    }

    /// A time in ns; `None` for a special word.
    pub(crate) fn time(&mut self, path: &'static str) -> Result<Found<Option<u64>>, Fault> {
        let Found { value, at, stated } = self.setting(path)?;
        let value = if let Setting::Time(ns) = value { Some(ns) } else { None };
        Ok(Found { value, at, stated })
    }

    /// A number or time that has no special word.
    pub(crate) fn amount(&mut self, path: &'static str) -> Result<Found<u64>, Fault> {
        let Found { value, at, stated } = self.setting(path)?;
        let value = match value {
            Setting::Integer(number) | Setting::Time(number) => number,
            Setting::Word(_) | Setting::Flag(_) | Setting::Object(_) => 0,
        };
        Ok(Found { value, at, stated })
    }

    /// `true` or `false`.
    pub(crate) fn flag(&mut self, path: &'static str) -> Result<bool, Fault> {
        Ok(self.setting(path)?.value == Setting::Flag(true))
    }

    /// A word or text.
    pub(crate) fn word(&mut self, path: &'static str) -> Result<Found<String>, Fault> {
        let Found { value, at, stated } = self.setting(path)?;
        let value = if let Setting::Word(word) = value { word } else { String::new() };
        Ok(Found { value, at, stated })
    }

    /// A named switch if stated; not remembered.
    fn stated_named<T: Named>(&self, path: &'static str) -> Result<Option<T>, Fault> {
        Ok(self.stated_word(path)?.and_then(|word| T::parse(&word)))
    }

    fn stated_word(&self, path: &'static str) -> Result<Option<String>, Fault> {
        let stated = settings::read(self.root, path)?;
        Ok(stated.and_then(|stated| {
            if let Setting::Word(word) = stated.setting { Some(word) } else { None }
        }))
    }

    /// Remembers what the version has, or what was stated in its place.
    fn record_preset(
        &mut self,
        path: &'static str,
        value: Value,
        stated: bool,
        source: Option<&'static str>,
    ) {
        let (origin, source) = if stated { (Origin::Stated, None) } else { origin_of(source) };
        self.record(path, value, origin, source);
    }

    /// A named switch: stated, else the version preset's.
    pub(crate) fn preset<T: Named>(
        &mut self,
        path: &'static str,
        preset: Preset<T>,
    ) -> Result<T, Fault> {
        let stated = self.stated_named(path)?;
        let value = stated.unwrap_or(preset.value);
        self.record_preset(path, value.name().into(), stated.is_some(), preset.source);
        Ok(value)
    }

    /// `true` or `false`: stated, else the version preset's.
    fn preset_flag(&mut self, path: &'static str, preset: Preset<bool>) -> Result<bool, Fault> {
        let stated =
            settings::read(self.root, path)?.map(|stated| stated.setting == Setting::Flag(true));
        let value = stated.unwrap_or(preset.value);
        self.record_preset(path, value.into(), stated.is_some(), preset.source);
        Ok(value)
    }

    /// A time in ns: stated, else the version preset's.
    fn preset_time(&mut self, path: &'static str, preset: Preset<u32>) -> Result<u32, Fault> {
        let stated = settings::read(self.root, path)?.map(|stated| stated.setting);
        let (value, (origin, source)) = match stated {
            Some(Setting::Time(ns)) => {
                (u32::try_from(ns).expect("the table's maximum fits"), (Origin::Stated, None))
            }
            _ => (preset.value, origin_of(preset.source)),
        };
        self.record(path, Setting::Time(u64::from(value)).to_json(), origin, source);
        Ok(value)
    }

    /// Another rule than stated or the version's has decided what is remembered of `path`.
    fn overrule(&mut self, path: &str, value: Value, origin: Origin, source: Option<&'static str>) {
        if let Some(resolved) = self.knobs.iter_mut().find(|resolved| resolved.path == path) {
            (resolved.value, resolved.origin, resolved.source) = (value, origin, source);
        }
    }

    /// Says why the knob at `path` has no effect here.
    pub(crate) fn inert(&mut self, path: &str, why: &str) {
        if let Some(resolved) = self.knobs.iter_mut().find(|resolved| resolved.path == path) {
            resolved.inert = Some(why.to_owned());
        }
    }

    /// Replaces the remembered value of `path` by what it resolved to.
    fn resolved_to(&mut self, path: &str, value: impl Into<Value>, source: Option<&'static str>) {
        if let Some(resolved) = self.knobs.iter_mut().find(|resolved| resolved.path == path) {
            resolved.value = value.into();
            resolved.source = source;
        }
    }
}

fn origin_of(source: Option<&'static str>) -> (Origin, Option<&'static str>) {
    if source.is_some() { (Origin::Known, source) } else { (Origin::Carried, None) }
}

/// The machine.
pub(crate) fn machine(resolver: &mut Resolver<'_>) -> Result<Machine, Fault> {
    let root = resolver.root;
    let node = find(root, "machine")
        .ok_or_else(|| missing(root, "", "machine", "an object with at least \"cpus\""))?;
    if settings::read(root, "machine.cpus")?.is_none() {
        return Err(missing(node, "machine", "cpus", "a whole number from 1 to 1024"));
    }
    let cpus = resolver.amount("machine.cpus")?;
    let costs_name = crate::costs::preset(resolver)?;
    let count = u32::try_from(cpus.value).expect("the table's maximum fits");
    let threads = resolver.amount("machine.threads_per_core")?.value as u32;
    let smt_speed = resolver.amount("machine.smt_speed")?.value as u32;
    if threads == 1 {
        resolver.inert("machine.smt_speed", "machine.threads_per_core is 1");
    }
    let topology = topology(resolver, count, package_size(costs_name, count))?
        .with_threads(threads, smt_speed);
    let domains = crate::partitions::resolve(resolver, count)?;
    let mut costs = crate::costs::resolve(resolver, costs_name)?;
    costs.tick_skew_ns = tick_skew(resolver, costs.tick_skew_ns)?;
    // cpuidle polls for a limit of 0, and if its shallowest sleep state takes longer to leave than
    // the limit.
    let polls = pm_qos_ns(root)?
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
    Ok(Machine { topology, costs_name, costs, idle, domains })
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
            "{STEP} {} and {COST} {by_costs} say two things of one skew",
            time_text(u64::from(ns))
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

/// This guest has no cpuidle driver (spec D.4): a PM-QoS request finds no state to forbid, and it
/// halts.
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
        .split_once('x')
        .and_then(|(packages, size)| Some((plain(packages)?, plain(size)?)));
    let Some((packages, size)) = sizes else {
        return Err(Fault::new(
            stated.at,
            PATH,
            format!("\"{}\" is no topology", settings::shorten(&stated.value)),
        )
        .expected(expected));
    };
    if packages.checked_mul(size) != Some(cpus) {
        let message =
            format!("{packages} packages of {size} CPUs are not the {cpus} CPUs of machine.cpus");
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
