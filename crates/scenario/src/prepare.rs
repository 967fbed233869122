//! From a scenario's text and the changes laid over it to a run that can start, or to one fault
//! with its place.

use schedscope_engine::setup::{GroupSpec, Setup, TaskSpec};
use serde_json::Value;

use crate::changes;
use crate::document::{self as shown, parts::Document};
use crate::error::{self, Fault, ScenarioError};
use crate::generators::all::{self as generators, GENERATORS};
use crate::generators::cyclictest::{Cyclictest, TickGrid};
use crate::generators::parts::group;
use crate::generators::rt_noise::RtNoise;
use crate::generators::workload::Workload;
use crate::knobs::all::{knobs, lookup, stated_node, table};
use crate::knobs::knob::Knob;
use crate::knobs::not_yet::NOT_YET_KNOBS;
use crate::knobs::setting::spellings;
use crate::meta;
use crate::metrics::names::MetricNames;
use crate::prepared::Prepared;
use crate::reading::json::{self, Node};
use crate::reading::tree::find;
use crate::reading::values;
use crate::resolve::resolver::{Origin, ResolvedKnob, Resolver};
use crate::resolve::{self, partitions};
use crate::rt_app::words::Global;
use crate::rt_app::{self, resources::PI_ENABLED};
use crate::{cgroups, steps, units};

/// Reads the scenario `text` called `slug` with `set` laid over it, in order.
///
/// A string in `set` stands for what the knob's type reads from it (`"96"` for a number); a number
/// where a text is needed is refused. Errors about values of `set` have a path but no line.
pub fn prepare(slug: &str, text: &str, set: &[(String, Value)]) -> Result<Prepared, ScenarioError> {
    read_and_build(slug, text, set).map_err(|fault| fault.locate(text))
}

/// Reads how the scenario `text` is shown, without resolving the run.
pub fn document(text: &str) -> Result<Document, ScenarioError> {
    json::parse(text).and_then(|root| shown::read(&root)).map_err(|fault| fault.locate(text))
}

/// `error`, which laying the variant `index` over the scenario `text` gives, with the place of what
/// the variant says, if it has none of its own.
pub fn placed_in_variant(text: &str, index: usize, mut error: ScenarioError) -> ScenarioError {
    let root = json::parse(text).ok();
    let set = root.as_ref().and_then(|root| json::at_path(root, &format!("variants[{index}].set")));
    let at = set.and_then(|set| set.member(&error.path)).and_then(|member| member.value.at);
    if let (None, Some(at)) = (error.line, at) {
        let (line, column) = error::line_and_column(text, at);
        (error.line, error.column) = (Some(line), Some(column));
    }
    error
}

fn read_and_build(slug: &str, text: &str, set: &[(String, Value)]) -> Result<Prepared, Fault> {
    let mut root = json::parse(text)?;
    let document = shown::read(&root)?;
    // The text is judged as it is written first: a change laid over a mistake must not hide it.
    check_keys(&root)?;
    let mut resolver = Resolver::new(&root, table());
    let as_written = build(&mut resolver).map_err(|fault| located(fault, &root))?;
    let names = MetricNames::of(&as_written.0);
    shown::check_names(&root, &document, &names)?;
    steps::check::check_names(&root, &as_written.0, &names)?;
    if set.is_empty() {
        return Ok(described(slug, set, as_written, resolver, &document));
    }
    let remarks = changes::apply(&mut root, set)?;
    let mut resolver = Resolver::new(&root, table());
    resolver.notes = remarks;
    let built = build(&mut resolver).map_err(|fault| located(fault, &root))?;
    Ok(described(slug, set, built, resolver, &document))
}

fn described(
    slug: &str,
    set: &[(String, Value)],
    (setup, cyclictest): (Setup, Option<Cyclictest>),
    resolver: Resolver<'_>,
    document: &Document,
) -> Prepared {
    let slack = cyclictest.as_ref().map(Cyclictest::slack_ns);
    let meta = meta::describe(slug, set, &setup, resolver, slack, &document.labels);
    Prepared { setup, meta, live: Vec::new() }
}

/// What several knobs decide together has the place of the first of them that is stated, or of what
/// the one that is told of would stand in; a value that was laid over the file has none.
fn located(fault: Fault, root: &Node) -> Fault {
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

/// The objects whose members are knobs, or such objects.
const OBJECTS: [&str; 3] = ["machine", "kernel", "kernel.rules"];

/// Keys of those, of generators and of the workload.
fn check_keys(root: &Node) -> Result<(), Fault> {
    let generators = GENERATORS.iter().map(|generator| json::join("workload", generator));
    for parent in OBJECTS.map(str::to_owned).into_iter().chain(generators) {
        let parent = parent.as_str();
        let Some(node) = find(root, parent) else { continue };
        for member in values::object(node, parent)? {
            let path = json::join(parent, &member.key);
            let known = knobs()
                .iter()
                .filter(|knob| knob.parent() == parent)
                .flat_map(spellings)
                .any(|(key, _)| key == member.key)
                || OBJECTS.contains(&path.as_str());
            if !known && NOT_YET_KNOBS.iter().any(|(known, _)| *known == path) {
                lookup(&path, member.at)?;
            }
            if !known {
                return Err(unknown_here(parent, member));
            }
        }
    }
    check_workload(root)
}

/// No key of the object `parent`; perhaps one of an object in it.
fn unknown_here(parent: &str, member: &json::Member) -> Fault {
    let objects = OBJECTS.iter().filter_map(|path| path.rsplit_once('.'));
    let within = objects.filter(|(of, _)| *of == parent).map(|(_, object)| object);
    let belongs = |object: &&str| {
        let path = json::join(&json::join(parent, object), &member.key);
        knobs().iter().any(|knob| knob.path == path)
    };
    if let Some(object) = within.clone().find(belongs) {
        let message = format!("\"{}\" is a key of \"{object}\"", member.key);
        return Fault::new(member.at, json::join(parent, &member.key), message)
            .expected(format!("\"{object}\": {{ \"{}\": … }}", member.key));
    }
    let own = knobs().iter().filter(|knob| knob.parent() == parent).map(Knob::key);
    let keys: Vec<&str> = own.chain(within).collect();
    values::unknown_key(member, parent, &keys)
}

fn check_workload(root: &Node) -> Result<(), Fault> {
    let workload = root.member("workload").ok_or_else(|| {
        values::missing(root, "", "workload", "an object with \"tasks\" or generators")
    })?;
    let known: Vec<&str> =
        GENERATORS.iter().copied().chain(["tasks", "resources", "global"]).collect();
    for member in values::object(&workload.value, "workload")? {
        if !known.contains(&member.key.as_str()) {
            return Err(values::unknown_key(member, "workload", &known));
        }
    }
    Ok(())
}

fn build(resolver: &mut Resolver<'_>) -> Result<(Setup, Option<Cyclictest>), Fault> {
    let root = resolver.root;
    let workload = |key: &str| {
        root.member("workload")
            .and_then(|workload| workload.value.member(key))
            .map(|member| &member.value)
    };
    let global = workload("global").map(rt_app::global).transpose()?.unwrap_or_default();
    let seed = resolver.amount("seed")?.value;
    let duration_ns = duration(resolver, global.duration_ns)?;
    let machine = resolve::machine::machine(resolver)?;
    let cpus = machine.topology.cpus();
    let kernel = resolve::kernel::kernel(resolver, cpus)?;

    let mut tasks = Vec::new();
    let cyclictest =
        workload("cyclictest").map(|_| Cyclictest::resolve(resolver, cpus)).transpose()?;
    if let Some(cyclictest) = &cyclictest {
        let grid = TickGrid { phase_ns: kernel.tick_grid_ns(), period_ns: kernel.tick_ns() };
        tasks.extend(cyclictest.tasks(seed, cpus, grid));
    }
    let rt_noise = workload("rt_noise")
        .map(|_| RtNoise::resolve(resolver, cyclictest.as_ref(), cpus))
        .transpose()?;
    let noise = rt_noise.map(|rt_noise| {
        let first = u32::try_from(tasks.len()).expect("at most 1024 threads");
        tasks.extend(rt_noise.tasks(cpus));
        rt_noise.trigger(first)
    });
    let groups = cgroups::resolve(resolver, &kernel, seed)?;
    set_groups(resolver, &groups, &mut tasks, (cyclictest.is_some(), noise.is_some()))?;
    let mut generated = Workload {
        tasks,
        groups,
        seed,
        duration_ns,
        nohz_full: Some(kernel.nohz_full),
        ..Workload::default()
    };
    generators::add(root, resolver, &machine, &mut generated)?;
    if let Some(node) = workload("tasks") {
        let global = Global { pi_enabled: resolver.flag(PI_ENABLED)?, ..global };
        let taken: Vec<&str> = GENERATORS.iter().copied().chain(generators::kinds()).collect();
        rt_app::add(node, workload("resources"), global, cpus, &taken, &mut generated)?;
    }
    let Workload { mut tasks, objects, timers, softirq, hw_noise, device_irq, rcu, groups, .. } =
        generated;
    partitions::settle(&mut tasks, &machine.domains, cpus)?;
    let setup = Setup {
        seed,
        duration_ns,
        machine,
        kernel,
        tasks,
        objects,
        timers,
        noise,
        softirq,
        hw_noise,
        device_irq,
        rcu,
        groups,
    }
    .with_stoppers();
    check_whole(root, setup).map(|setup| (setup, cyclictest))
}

/// The control groups of cyclictest's and of rt_noise's tasks, the only ones so far; which of the
/// two the scenario has.
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

/// What concerns the run as a whole. The engine's own check stands last: what it refuses must not
/// get that far.
fn check_whole(root: &Node, setup: Setup) -> Result<Setup, Fault> {
    let at = root.member("workload").and_then(|workload| workload.at);
    if setup.tasks.is_empty() {
        return Err(Fault::new(at, "workload", "the workload has no task: nothing would run")
            .expected("\"tasks\" or a generator"));
    }
    setup.check().map_err(|why| Fault::new(at, "workload", why))?;
    Ok(setup)
}

/// The top-level duration; else rt-app's.
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
