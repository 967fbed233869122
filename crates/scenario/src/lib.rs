//! The only parser of scenario files and scenario links.
//!
//! A text and a list of changes go in; a [`Setup`] for the engine and a [`RunMeta`] for people come
//! out, or one [`ScenarioError`] with its place. No input makes it panic, hang or grow without
//! bound.

mod bandwidth;
mod canonical;
mod cgroups;
mod costs;
mod cyclictest;
mod document;
mod error;
mod generators;
mod handover;
mod json;
pub mod knobs;
pub mod link;
mod meta;
mod metrics;
mod not_yet;
mod partitions;
mod read;
mod report;
mod resolve;
mod rt_app;
mod rt_noise;
mod rt_throttle;
mod schema;
mod settings;
mod shipped;
mod steps;
pub mod text;
pub mod units;
mod version;

use schedscope_engine::setup::Setup;
use serde_json::Value;

pub use costs::costs_of_file;
pub use document::{Document, Reference, Variant};
pub use error::{ScenarioError, nearest};
pub use handover::{FirstRun, FirstRuns, Handover, first_runs};
pub use json::{NESTING_MAX, TEXT_MAX, json_value};
pub use knobs::{Knob, knobs};
pub use meta::{
    CostInfo, GroupInfo, LiveKnob, ObjectInfo, RunMeta, SeriesInfo, TaskInfo, live_flags,
    replay_command,
};
pub use metrics::{MetricNames, fingerprint, is_metric, metric_at, nearest_metric};
pub use report::{ENGINE_BEHAVIOUR, ENGINE_VERSION, ReportHead, RunReport, report_json, report_of};
pub use resolve::{Origin, ResolvedKnob, Unavailable};
pub use schema::json_schema;
pub use settings::expectation;
pub use shipped::{ScenarioEntry, entry, shipped};
pub use steps::Moment;
pub use text::readable;
pub use version::{OwnSwitch, stated_switches};

use cyclictest::{Cyclictest, TickGrid};
use error::Fault;
use generators::Workload;
use json::Node;
use knobs::GENERATORS;
use not_yet::NOT_YET_KNOBS;
use resolve::{Origin as From, Resolver};
use rt_app::Global;
use rt_noise::RtNoise;

/// A scenario ready to run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// For the engine.
    pub setup: Setup,
    /// For people.
    pub meta: RunMeta,
    /// What is written to the running kernel on the way, in order of time; whoever runs it makes
    /// the writes.
    pub live: Vec<LiveWrite>,
}

/// One write to a running kernel, as `Run::change` takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveWrite {
    /// When, machine time in ns: after all that happens at that instant.
    pub at_ns: u64,
    /// `kernel.rt_push_ipi`, `cgroups.web.cpu_max`, `tasks."web.0".cpus`.
    pub path: String,
    /// The value as text.
    pub value: String,
}

impl Prepared {
    /// Bytes that are equal exactly for scenarios that run the same: stable order, one unit,
    /// nothing about presentation.
    pub fn canonical(&self) -> Vec<u8> {
        canonical::bytes(self)
    }
}

/// Reads the scenario `text` called `slug` with `set` laid over it, in order.
///
/// A string in `set` stands for what the knob's type reads from it (`"96"` for a number); a number
/// where a text is needed is refused. Errors about values of `set` have a path but no line.
pub fn prepare(slug: &str, text: &str, set: &[(String, Value)]) -> Result<Prepared, ScenarioError> {
    read_and_build(slug, text, set).map_err(|fault| fault.locate(text))
}

/// Reads how the scenario `text` is shown, without resolving the run.
pub fn document(text: &str) -> Result<Document, ScenarioError> {
    json::parse(text).and_then(|root| document::read(&root)).map_err(|fault| fault.locate(text))
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
    let document = document::read(&root)?;
    // The text is judged as it is written first: a change laid over a mistake must not hide it.
    check_keys(&root)?;
    let mut resolver = Resolver::new(&root);
    let as_written = build(&mut resolver).map_err(|fault| located(fault, &root))?;
    let names = MetricNames::of(&as_written.0);
    document::check_names(&root, &document, &names)?;
    steps::check_names(&root, &as_written.0, &names)?;
    if set.is_empty() {
        return Ok(described(slug, set, as_written, resolver));
    }
    let remarks = settings::apply(&mut root, set)?;
    let mut resolver = Resolver { notes: remarks, ..Resolver::new(&root) };
    let built = build(&mut resolver).map_err(|fault| located(fault, &root))?;
    Ok(described(slug, set, built, resolver))
}

fn described(
    slug: &str,
    set: &[(String, Value)],
    (setup, cyclictest): (Setup, Option<Cyclictest>),
    resolver: Resolver<'_>,
) -> Prepared {
    let slack = cyclictest.as_ref().map(Cyclictest::slack_ns);
    let meta = meta::describe(slug, set, &setup, resolver, slack);
    Prepared { setup, meta, live: Vec::new() }
}

/// What several knobs decide together has the place of the first of them that is stated, or of what
/// the one that is told of would stand in; a value that was laid over the file has none.
fn located(fault: Fault, root: &Node) -> Fault {
    fault.at_stated(|path| settings::stated_node(root, path).map(|node| node.at)).or_at(|path| {
        let ends = path
            .match_indices(['.', '['])
            .map(|(at, _)| at)
            .chain([path.len()])
            .collect::<Vec<_>>();
        let known = ends.into_iter().rev().find_map(|end| json::at_path(root, &path[..end]));
        known.map_or(root.at, |node| node.at)
    })
}

/// Keys of the objects whose members are knobs, and of the workload.
fn check_keys(root: &Node) -> Result<(), Fault> {
    let generators = GENERATORS.iter().map(|generator| json::join("workload", generator));
    for parent in ["machine", "kernel"].map(str::to_owned).into_iter().chain(generators) {
        let parent = parent.as_str();
        let Some(node) = settings::find(root, parent) else { continue };
        for member in read::object(node, parent)? {
            let path = json::join(parent, &member.key);
            let known = knobs()
                .iter()
                .filter(|knob| knob.parent() == parent)
                .flat_map(settings::spellings)
                .any(|(key, _)| key == member.key);
            if !known && NOT_YET_KNOBS.iter().any(|(known, _)| *known == path) {
                settings::lookup(&path, member.at)?;
            }
            if !known {
                let keys: Vec<&str> =
                    knobs().iter().filter(|knob| knob.parent() == parent).map(Knob::key).collect();
                return Err(read::unknown_key(member, parent, &keys));
            }
        }
    }
    check_workload(root)
}

fn check_workload(root: &Node) -> Result<(), Fault> {
    let workload = root.member("workload").ok_or_else(|| {
        read::missing(root, "", "workload", "an object with \"tasks\" or generators")
    })?;
    let known: Vec<&str> =
        GENERATORS.iter().copied().chain(["tasks", "resources", "global"]).collect();
    for member in read::object(&workload.value, "workload")? {
        if !known.contains(&member.key.as_str()) {
            return Err(read::unknown_key(member, "workload", &known));
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
    let machine = resolve::machine(resolver)?;
    let cpus = machine.topology.cpus();
    let kernel = resolve::kernel(resolver, cpus)?;

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
    let own = if cyclictest.is_some() {
        generators::group(resolver, &groups, generators::CYCLICTEST_GROUP)?
    } else {
        0
    };
    let noises = if noise.is_some() {
        generators::group(resolver, &groups, generators::RT_NOISE_GROUP)?
    } else {
        0
    };
    tasks
        .iter_mut()
        .for_each(|task| task.group = if task.kind == "rt_noise" { noises } else { own });
    let mut generated = Workload { tasks, groups, seed, duration_ns, ..Workload::default() };
    generators::add(root, resolver, &machine, &mut generated)?;
    if let Some(node) = workload("tasks") {
        let global = Global { pi_enabled: resolver.flag(rt_app::PI_ENABLED)?, ..global };
        let taken: Vec<&str> = GENERATORS.iter().copied().chain(generators::kinds()).collect();
        rt_app::add(node, workload("resources"), global, cpus, &taken, &mut generated)?;
    }
    let Workload { mut tasks, objects, timers, softirq, groups, .. } = generated;
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
        groups,
    }
    .with_stoppers();
    check_whole(root, setup).map(|setup| (setup, cyclictest))
}

/// What concerns the run as a whole. The engine's own check stands last: what it refuses must not
/// get that far.
fn check_whole(root: &Node, setup: Setup) -> Result<Setup, Fault> {
    let at = root.member("workload").and_then(|workload| workload.at);
    if setup.tasks.is_empty() {
        return Err(Fault::new(at, "workload", "nothing runs: the workload has no task")
            .expected("\"tasks\" or a generator"));
    }
    setup.check().map_err(|why| Fault::new(at, "workload", why))?;
    Ok(setup)
}

/// The top-level duration; else rt-app's.
fn duration(resolver: &mut Resolver<'_>, global_ns: Option<u64>) -> Result<u64, Fault> {
    let stated = settings::read(resolver.root, "duration")?.is_some();
    match global_ns {
        None if !stated => Err(read::missing(
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
                origin: From::Stated,
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
