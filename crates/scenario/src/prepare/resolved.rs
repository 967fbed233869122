//! From a tree to a setup: every knob resolved, every task made, the whole judged by the engine.

use std::collections::BTreeMap;

use schedscope_engine::kernel::config::Kernel;
use schedscope_engine::setup::{GroupSpec, NoiseTrigger, Setup, TaskSpec};
use serde_json::Value;

use crate::error::Fault;
use crate::generators::all::{self as generators, GENERATORS};
use crate::generators::cyclictest::{Cyclictest, TickGrid};
use crate::generators::parts::group;
use crate::generators::rt_noise::RtNoise;
use crate::generators::workload::Workload;
use crate::knobs::all::{stated_node, table};
use crate::prepared::Prepared;
use crate::reading::json::{self, Node};
use crate::reading::values;
use crate::resolve::resolver::{Origin, ResolvedKnob, Resolver};
use crate::resolve::{self, partitions};
use crate::rt_app::words::Global;
use crate::rt_app::{self, resources::PI_ENABLED};
use crate::{cgroups, meta, units};

/// What a tree resolves to.
pub(super) struct Resolved<'n> {
    /// For the engine.
    pub(super) setup: Setup,
    /// cyclictest's slack, ns, if the scenario runs cyclictest.
    slack_ns: Option<u64>,
    /// Every knob with its value and origin, and remarks.
    resolver: Resolver<'n>,
}

impl<'n> Resolved<'n> {
    /// Resolves `root`; `remarks` on how the tree came about come first among its notes.
    pub(super) fn new(root: &'n Node, remarks: Vec<String>) -> Result<Self, Fault> {
        let mut resolver = Resolver::new(root, table());
        resolver.notes = remarks;
        let (setup, slack_ns) = setup(&mut resolver).map_err(|fault| placed(fault, root))?;
        Ok(Self { setup, slack_ns, resolver })
    }

    /// The run for the engine and for people: scenario `slug` under the changes `set`, with its
    /// `labels`.
    pub(super) fn described(
        self,
        slug: &str,
        set: &[(String, Value)],
        labels: &BTreeMap<String, String>,
    ) -> Prepared {
        let Self { setup, slack_ns, resolver } = self;
        let meta = meta::describe(slug, set, &setup, resolver, slack_ns, labels);
        Prepared { setup, meta, live: Vec::new() }
    }
}

/// Gives a fault without a place the place of the first stated knob among those that decide
/// together. If none is stated, it gets the place of the innermost object that would hold the
/// knob. A value laid over the text has no place.
fn placed(fault: Fault, root: &Node) -> Fault {
    fault.at_stated(|path| stated_node(root, path).map(|node| node.at)).or_at(|path| {
        let ends = path
            .match_indices(['.', '['])
            .map(|(at, _)| at)
            .chain([path.len()])
            .collect::<Vec<_>>();
        let known = ends.into_iter().rev().find_map(|end| json::at_path(root, &path[..end]));
        known.map_or(root.at, |node| node.at)
    })
}

/// A gap of the model that such a run shows (docs/model/known-gaps.md).
const RT_RUNS_INTERRUPTS: &str = "kernel.preempt is rt, but interrupts of the device and their \
    softirqs run as under full: the threads of PREEMPT_RT (irq/N at FIFO 50) are not modelled";

/// The setup, and cyclictest's slack in ns.
fn setup(resolver: &mut Resolver<'_>) -> Result<(Setup, Option<u64>), Fault> {
    let root = resolver.root;
    let global = of_workload(root, "global").map(rt_app::global).transpose()?.unwrap_or_default();
    let seed = resolver.amount("seed")?.value;
    let duration_ns = duration(resolver, global.duration_ns)?;
    let machine = resolve::machine::machine(resolver)?;
    let cpus = machine.topology.cpus();
    let kernel = resolve::kernel::kernel(resolver, cpus)?;
    let LatencyTest { mut tasks, cyclictest, noise } = latency_test(resolver, &kernel, seed, cpus)?;
    let groups = cgroups::resolve(resolver, &kernel, seed)?;
    set_groups(resolver, &groups, &mut tasks, (cyclictest.is_some(), noise.is_some()))?;
    let mut workload = Workload {
        tasks,
        groups,
        seed,
        duration_ns,
        nohz_full: Some(kernel.nohz_full),
        ..Workload::default()
    };
    generators::add(root, resolver, &machine, &mut workload)?;
    if let Some(node) = of_workload(root, "tasks") {
        let global = Global { pi_enabled: resolver.flag(PI_ENABLED)?, ..global };
        let taken: Vec<&str> = GENERATORS.iter().copied().chain(generators::kinds()).collect();
        let resources = of_workload(root, "resources");
        rt_app::add(node, resources, global, cpus, &taken, &mut workload)?;
    }
    if let Some(load) = &mut workload.device_irq {
        load.wakes = crate::generators::interrupts::device_wakes(resolver, &workload.objects)?;
    }
    let Workload {
        mut tasks,
        objects,
        timers,
        quantiles,
        softirq,
        hw_noise,
        device_irq,
        rcu,
        groups,
        ..
    } = workload;
    partitions::settle(&mut tasks, &machine.domains, cpus)?;
    if kernel.preempt.is_rt() && device_irq.is_some() {
        resolver.notes.push(RT_RUNS_INTERRUPTS.to_owned());
    }
    let setup = Setup {
        seed,
        duration_ns,
        machine,
        kernel,
        tasks,
        objects,
        timers,
        quantiles,
        noise,
        softirq,
        hw_noise,
        device_irq,
        rcu,
        groups,
    }
    .with_stoppers();
    check_whole(root, &setup)?;
    Ok((setup, cyclictest.as_ref().map(Cyclictest::slack_ns)))
}

/// The value of `key` in the workload.
fn of_workload<'n>(root: &'n Node, key: &str) -> Option<&'n Node> {
    let member = root.member("workload")?.value.member(key)?;
    Some(&member.value)
}

/// cyclictest with the tasks that disturb it, either of which a scenario may lack.
struct LatencyTest {
    tasks: Vec<TaskSpec>,
    cyclictest: Option<Cyclictest>,
    noise: Option<NoiseTrigger>,
}

fn latency_test(
    resolver: &mut Resolver<'_>,
    kernel: &Kernel,
    seed: u64,
    cpus: u32,
) -> Result<LatencyTest, Fault> {
    let has = |key: &str| of_workload(resolver.root, key).is_some();
    let (has_cyclictest, has_noise) = (has("cyclictest"), has("rt_noise"));
    let mut test = LatencyTest { tasks: Vec::new(), cyclictest: None, noise: None };
    if has_cyclictest {
        let cyclictest = Cyclictest::resolve(resolver, cpus)?;
        let grid = TickGrid { phase_ns: kernel.tick_grid_ns(), period_ns: kernel.tick_ns() };
        test.tasks.extend(cyclictest.tasks(seed, cpus, grid));
        test.cyclictest = Some(cyclictest);
    }
    if has_noise {
        let noise = RtNoise::resolve(resolver, test.cyclictest.as_ref(), cpus)?;
        let first = u32::try_from(test.tasks.len()).expect("at most 1024 threads");
        test.tasks.extend(noise.tasks(cpus));
        test.noise = Some(noise.trigger(first));
    }
    Ok(test)
}

/// Puts the tasks of cyclictest and of rt_noise into their control groups; the pair says which of
/// the two the scenario has.
fn set_groups(
    resolver: &mut Resolver<'_>,
    groups: &[GroupSpec],
    tasks: &mut [TaskSpec],
    (cyclictest, noise): (bool, bool),
) -> Result<(), Fault> {
    let own = if cyclictest { group(resolver, groups, generators::CYCLICTEST_GROUP)? } else { 0 };
    let noises = if noise { group(resolver, groups, generators::RT_NOISE_GROUP)? } else { 0 };
    tasks
        .iter_mut()
        .for_each(|task| task.group = if task.kind == "rt_noise" { noises } else { own });
    Ok(())
}

/// Judges the run as a whole. The engine's own check comes last: a setup that it refuses must not
/// reach a run.
fn check_whole(root: &Node, setup: &Setup) -> Result<(), Fault> {
    let at = root.member("workload").and_then(|workload| workload.at);
    if setup.tasks.is_empty() {
        return Err(Fault::new(at, "workload", "the workload has no task: nothing would run")
            .expected("\"tasks\" or a generator"));
    }
    setup.check().map_err(|why| Fault::new(at, "workload", why))
}

/// The duration at the top of the file; else rt-app's.
fn duration(resolver: &mut Resolver<'_>, global_ns: Option<u64>) -> Result<u64, Fault> {
    let stated = resolver.stated("duration")?.is_some();
    match global_ns {
        None if !stated => Err(values::missing(
            resolver.root,
            "",
            "duration",
            "machine time to simulate, such as \"100ms\"",
        )),
        Some(ns) if !stated => {
            let value = units::time_text(ns).into();
            resolver.knobs.push(ResolvedKnob {
                path: "duration".into(),
                value,
                origin: Origin::Stated,
                source: Some("workload.global.duration"),
                inert: None,
            });
            Ok(ns)
        }
        _ => {
            let ns = resolver.amount("duration")?.value;
            if global_ns.is_some_and(|global| global != ns) {
                resolver.notes.push(
                    "duration is taken from the top of the file, not from workload.global"
                        .to_owned(),
                );
            }
            Ok(ns)
        }
    }
}
