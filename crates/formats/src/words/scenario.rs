//! The scenario that a case comes to, and what is assumed beside the text.

use schedscope_engine::kernel::config::Version;
use schedscope_engine::kernel::config::table::TTWU_QUEUE;
use schedscope_engine::named::Named;
use serde_json::{Map, Value, json};

use super::amounts;
use super::case::{Case, ISOLATED, Program};
use super::cpus::{CPUS_MAX, written};
use super::kernel;
use super::limit::cpus_for;
use super::load;
use super::quota::{self, Bursts, Parts};
use super::settle::{Chosen, cpus_of_group};

/// The knob is that of one CPU; a kernel multiplies it by 1 + log2 of its CPUs, of 8 at most.
const BASE_SLICE: &str = "kernel.base_slice";
const COSTS: &str = "modern_2s_qspin";
/// CPUs of a machine that the text says nothing of, and the fewest.
const CPUS: u32 = 8;
/// Polling tasks are made for at most so many CPUs that are set apart.
const POLLING_MAX: usize = 32;
/// A scenario takes 16 variants.
const VARIANTS_MAX: usize = 16;
/// It takes so many figures: a text may start any number of programs.
const HEADLINE_MAX: usize = 8;
/// How long a run is without a program that says it, us.
const RUN_US: u64 = 1_000_000;
const NOHZ_FULL: &str = "kernel.nohz_full";
const NOCBS: &str = "workload.rcu.nocbs";
/// What a list of CPUs is compared with, by its knob.
const AGAINST: &[(&str, &str)] =
    &[("kernel.nohz_full", "none"), ("workload.device_irq.cpus", "all"), (NOCBS, "none")];

/// The scenario and a sentence for each assumption; none where no line is used, or where the text
/// is about groups and none of them can be chosen. `bursts`: what runs in the chosen group; without
/// it, a program is assumed.
pub(super) fn of(
    case: &Case,
    chosen: Option<&Chosen>,
    bursts: Option<&Bursts>,
) -> Option<(Value, Vec<String>)> {
    let is_set = case.settings.values().any(|set| set.value != "");
    let is_empty = !is_set && is_without_program(case) && case.lists.is_empty();
    match chosen {
        Some(chosen) => Some(Making::of(case, Some((chosen, bursts))).made()),
        None if is_empty || !case.groups.all.is_empty() && is_without_program(case) => None,
        None => Some(Making::of(case, None).made()),
    }
}

fn is_without_program(case: &Case) -> bool {
    case.programs.is_empty() && case.file.is_none()
}

struct Making<'c> {
    case: &'c Case,
    /// The group that it is about, and what runs in it.
    group: Option<(&'c Chosen, Bursts)>,
    cpus: u32,
    assumed: Vec<String>,
    workload: Map<String, Value>,
    headline: Vec<Value>,
    run_us: u64,
}

impl<'c> Making<'c> {
    fn of(case: &'c Case, group: Option<(&'c Chosen, Option<&Bursts>)>) -> Self {
        let least = case.cpus_at_least.max(1);
        let mut assumed = Vec::new();
        let fewest = group.map_or(CPUS, |(chosen, bursts)| {
            cpus_for(chosen.limit.cpus(), bursts.map_or(0, |bursts| bursts.threads))
        });
        let of_group = group.and_then(|(chosen, _)| cpus_of_group(case, chosen.group));
        let cpus = of_group.or(case.cpus).map_or_else(
            || {
                let cpus = least.max(fewest).next_power_of_two().min(CPUS_MAX);
                assumed.push(format!("The machine has {cpus} CPUs, one after the other."));
                cpus
            },
            // The group's own CPUs are the whole machine, unless a list of a boot line has more.
            |cpus| if case.lists.is_empty() { cpus } else { cpus.max(least) },
        );
        let (workload, headline) = (Map::new(), Vec::new());
        let group = group.map(|(chosen, bursts)| {
            let bursts = bursts.copied().unwrap_or_else(|| {
                let bursts = Bursts::assumed(&chosen.limit, cpus);
                assumed.push(format!("What runs under the limit: {}.", bursts.words()));
                bursts
            });
            (chosen, bursts)
        });
        Self { case, group, cpus, assumed, workload, headline, run_us: 0 }
    }

    fn made(mut self) -> (Value, Vec<String>) {
        let lists = self.lists();
        let isolated = self.case.lists.get(ISOLATED).map(|list| list.on(self.cpus));
        let quota = self.group.map(|(chosen, bursts)| {
            let key = key_of(self.case, chosen);
            let weight = self.case.groups.all[chosen.group].weight;
            quota::parts(chosen, &key, weight, &bursts)
        });
        match &quota {
            Some(parts) => {
                self.workload.extend(parts.workload.clone());
                self.headline.extend(parts.headline.iter().map(|figure| json!(figure)));
                self.run_us = parts.run_us;
            }
            None => self.programs(isolated.as_deref().unwrap_or_default()),
        }
        self.devices(&lists);
        let mut machine = json!({ "cpus": self.cpus, "costs": COSTS });
        if let Some(isolated) = &isolated {
            // Each is a root domain of its own: nothing balances it, and it balances nothing.
            let each: Vec<String> = isolated.iter().map(u32::to_string).collect();
            machine["partitions"] = json!(each.join(";"));
        }
        let mut kernel = json!({ "version": self.release(), "hz": 1000 });
        self.assumed.push(self.costs());
        for (path, value) in self.values(&lists) {
            let (object, key) = match path.split_once('.') {
                Some(("machine", key)) => (&mut machine, key),
                Some(("kernel", key)) => (&mut kernel, key),
                _ => continue,
            };
            object[key] = value;
        }
        let knobs = self.knobs(&lists, quota.as_ref());
        let mut variants = self.variants(&lists);
        let title = match (&quota, self.group) {
            (Some(parts), Some((chosen, _))) => {
                // The limit's own variants first; what the text sets otherwise stays in all.
                variants.splice(..1, parts.variants.clone());
                variants.truncate(VARIANTS_MAX);
                let limit = &chosen.limit;
                format!(
                    "What does a limit of {} in every {} do?",
                    amounts::time(limit.quota_us as f64),
                    amounts::time(limit.period_us as f64)
                )
            }
            _ => title(self.case),
        };
        let mut scenario = json!({
            "schema": 1,
            "title": title,
            "source": [{ "title": "made from a pasted text; what it does not say is assumed" }],
            "seed": 1,
            "duration": format!("{}us", self.run_us),
            "machine": machine,
            "kernel": kernel,
            "workload": self.workload,
            "variants": variants,
            "knobs": knobs,
            "headline": first_of(self.headline),
        });
        if let Some(parts) = quota {
            scenario["cgroups"] = parts.cgroups;
            scenario["labels"] = parts.labels;
            scenario["steps"] = parts.steps;
        }
        (scenario, self.assumed)
    }

    /// What is assumed of ticks and costs.
    fn costs(&self) -> String {
        let tick = match self.case.settings.contains_key("kernel.hz") {
            true => "Kernel",
            false => "A tick is 1 ms (1000 Hz), and kernel",
        };
        format!(
            "{tick} code takes as long as on a server of two sockets: no microsecond of it is \
             measured on the machine of the text."
        )
    }

    /// Knobs that are lists of CPUs, on this machine.
    fn lists(&mut self) -> Vec<(&'static str, String)> {
        let without_threads =
            self.case.lists.contains_key(NOCBS) && !self.callbacks_have_cpus(None);
        let mut boot_cpu = Vec::new();
        let of_knobs = AGAINST.iter().filter_map(|(path, _)| {
            let mut cpus = self.case.lists.get(path)?.on(self.cpus);
            if *path == NOHZ_FULL && cpus.len() as u32 == self.cpus {
                cpus.retain(|cpus| *cpus != 0);
                boot_cpu.push("CPU 0 keeps its tick: a kernel takes it out of nohz_full=all.");
            }
            if cpus.is_empty() {
                return None;
            }
            (*path != NOCBS || !without_threads).then(|| (*path, written(&cpus)))
        });
        let lists = of_knobs.collect();
        self.assumed.extend(boot_cpu.into_iter().map(str::to_owned));
        if without_threads {
            self.assumed.push(
                "No callbacks of RCU: the lists leave the threads that run them no CPU, or CPUs of \
                 several domains."
                    .to_owned(),
            );
        }
        lists
    }

    /// Whether the threads that run callbacks have CPUs, all of one domain: those of neither
    /// rcu_nocbs nor nohz_full, whose CPUs have no callbacks either.
    /// `without`: the list that a variant does not have.
    fn callbacks_have_cpus(&self, without: Option<&str>) -> bool {
        let on = |path: &str| {
            let list = self.case.lists.get(path).filter(|_| without != Some(path));
            list.map(|list| list.on(self.cpus)).unwrap_or_default()
        };
        let (offloaded, isolated) = ([on(NOCBS), on(NOHZ_FULL)].concat(), on(ISOLATED));
        let left: Vec<u32> = (0..self.cpus).filter(|cpu| !offloaded.contains(cpu)).collect();
        offloaded.is_empty()
            || left.len() == 1
            || !left.is_empty() && !left.iter().any(|cpu| isolated.contains(cpu))
    }

    /// The kernel where the text names none.
    fn release(&mut self) -> &'static str {
        let (release, why) = kernel::assumed(self.case);
        if kernel::stated(self.case).is_none() {
            self.assumed.push(format!("The kernel is {release}{why}."));
        }
        release
    }

    fn values(&self, lists: &[(&'static str, String)]) -> Vec<(&'static str, Value)> {
        let lists = lists.iter().map(|(path, list)| (*path, json!(list)));
        let settings = self.case.settings.iter().filter_map(|(path, set)| {
            let value = match set.value.as_u64() {
                None if set.value == "" => self.by_the_release(path)?,
                Some(ns) if *path == BASE_SLICE => {
                    let factor = 1 + u64::from(self.cpus.min(8).ilog2());
                    json!(amounts::written_ns((ns / factor).clamp(100_000, 1_000_000_000)))
                }
                _ => set.value.clone(),
            };
            Some((*path, value))
        });
        settings.chain(lists).collect()
    }

    /// The value of a switch that is on in the release's own way; none where it is on by itself.
    fn by_the_release(&self, path: &str) -> Option<Value> {
        let settings = &self.case.settings;
        let is_rt = settings.get("kernel.preempt").is_some_and(|set| set.value == "rt");
        // PREEMPT_RT alone turns one of them off.
        if path != "kernel.ttwu_queue" || !is_rt {
            return None;
        }
        let release = settings.get("kernel.version").and_then(|set| set.value.as_str());
        let release = release.unwrap_or(kernel::assumed(self.case).0);
        let version = Version::read(release)?.version;
        Some(json!(TTWU_QUEUE.value(version).name()))
    }

    /// Devices and callbacks, where the text says which CPUs they are kept from.
    fn devices(&mut self, lists: &[(&'static str, String)]) {
        let mut add = |key: &str, of: &str, path: &str, assumed: &str| {
            let Some((_, list)) = lists.iter().find(|(known, _)| *known == path) else { return };
            self.workload.insert(key.to_owned(), json!({ of: list }));
            self.assumed.push(assumed.to_owned());
        };
        add(
            "device_irq",
            "cpus",
            "workload.device_irq.cpus",
            "A device interrupts about every millisecond.",
        );
        add(
            "rcu",
            "nocbs",
            NOCBS,
            "Each CPU that works frees something by RCU about every 500 us.",
        );
    }

    fn programs(&mut self, isolated: &[u32]) {
        let house: Vec<u32> = (0..self.cpus).filter(|cpu| !isolated.contains(cpu)).collect();
        let mut tasks = Map::new();
        for program in &self.case.programs {
            self.program(program, isolated, &mut tasks);
        }
        let loads = load::of(self.case);
        if is_without_program(self.case) && !isolated.is_empty() {
            self.polling(isolated, &mut tasks);
        } else if is_without_program(self.case) {
            self.assumed.push("cyclictest measures on every CPU, with priority 80.".to_owned());
            self.workload.insert(
                "cyclictest".to_owned(),
                json!({ "priority": 80, "interval": "1000us", "distance": "0us" }),
            );
            self.headline.push(json!("latency.cyclictest.max_ns"));
            self.headline.push(json!("latency.cyclictest.p99_ns"));
        }
        if !loads.is_load {
            self.house(&house, isolated.is_empty(), &mut tasks);
        }
        self.run_us = match self.run_us {
            0 => RUN_US,
            run_us if loads.is_heavy => run_us.min(RUN_US),
            run_us => run_us,
        };
        if loads.programs > 1 {
            self.assumed.push("The programs run at the same time, from the start.".to_owned());
        }
        if loads.is_load {
            let run = amounts::time(self.run_us as f64);
            self.assumed.push(format!("The run is {run} long; a program may end earlier."));
        }
        if let Some(file) = &self.case.file {
            self.run_us = self.run_us.max(file.run_us);
        }
        if !tasks.is_empty() {
            self.workload.insert("tasks".to_owned(), Value::Object(tasks));
        }
    }

    fn program(&mut self, program: &Program, isolated: &[u32], tasks: &mut Map<String, Value>) {
        match program {
            Program::Tool { key, value, run_us } => {
                self.workload.insert((*key).to_owned(), value.clone());
                self.run_us = self.run_us.max(*run_us);
                self.headline.extend(load::figures(key).into_iter().map(Value::from));
            }
            Program::Task { name, task, on_each, figure, run_us } => {
                let mut task = task.clone();
                if *on_each {
                    task.insert("instance".to_owned(), json!(self.cpus));
                }
                self.assumed.extend(in_one_domain(name, &mut task, isolated));
                self.run_us = self.run_us.max(*run_us);
                self.headline.extend(figure.iter().map(|figure| json!(figure)));
                tasks.insert(name.clone(), Value::Object(task));
            }
            Program::Other { name, task } => {
                let mut task = task.clone();
                self.assumed.extend(in_one_domain(name, &mut task, isolated));
                task.insert("loop".to_owned(), json!(-1));
                task.insert("run".to_owned(), json!(200));
                task.insert("timer".to_owned(), json!({ "ref": "unique", "period": 1_000 }));
                self.assumed.push(format!("{name} works 200 us in every millisecond."));
                self.headline.push(json!(format!("latency.{name}.max_ns")));
                tasks.insert(name.clone(), Value::Object(task));
            }
        }
    }

    /// A task that polls on each CPU that is set apart.
    fn polling(&mut self, isolated: &[u32], tasks: &mut Map<String, Value>) {
        self.assumed.push("A task polls on each CPU that is set apart.".to_owned());
        for cpu in isolated.iter().take(POLLING_MAX) {
            let task = json!({ "cpus": [cpu], "delay": 500, "loop": -1, "run": 100_000 });
            tasks.insert(format!("polling-{cpu}"), task);
        }
        self.headline.push(json!("sched.ticks"));
        self.headline.push(json!(format!("tasks.polling-{}.*.user_ns", isolated[0])));
    }

    /// What else runs: a build on every CPU, or tasks on those that are not set apart.
    fn house(&mut self, house: &[u32], is_whole: bool, tasks: &mut Map<String, Value>) {
        if is_whole {
            self.assumed.push("A build runs on all CPUs (kernbench).".to_owned());
            let build = json!({ "load": "optimal", "files": 4_096 });
            self.workload.insert("kernbench".to_owned(), build);
        } else if !house.is_empty() {
            self.assumed.push("Eight tasks at most serve on the other CPUs.".to_owned());
            let serve = json!({ "loop": -1, "run": 700,
                "timer": { "ref": "unique", "period": 1_000, "mode": "absolute" } });
            let task = json!({ "cpus": written(house), "instance": house.len().min(8), "delay": 300,
                "phases": { "serve": serve } });
            tasks.insert("house".to_owned(), task);
        }
    }

    /// Side A is the text; each further side has one thing of it otherwise.
    fn variants(&self, lists: &[(&'static str, String)]) -> Vec<Value> {
        let mut variants = vec![json!({ "name": "as pasted", "set": {} })];
        let mut add = |name: String, path: &str, value: &Value| {
            if variants.len() < VARIANTS_MAX {
                variants.push(json!({ "name": name, "set": { path: value } }));
            }
        };
        let has_callbacks = lists.iter().any(|(path, _)| *path == NOCBS);
        for (path, _) in lists {
            if has_callbacks && !self.callbacks_have_cpus(Some(path)) {
                continue;
            }
            let (_, against) =
                AGAINST.iter().find(|(known, _)| known == path).expect("of the list");
            add(format!("{} {against}", last(path)), path, &json!(against));
        }
        for (path, set) in &self.case.settings {
            if let Some(against) = &set.against {
                let shown = against.as_str().map_or_else(|| against.to_string(), str::to_owned);
                add(format!("{} {shown}", last(path)), path, against);
            }
        }
        variants
    }

    fn knobs(&self, lists: &[(&'static str, String)], quota: Option<&Parts>) -> Vec<String> {
        let of_group = quota.map(|parts| parts.knobs.clone()).unwrap_or_default();
        let own = lists.iter().map(|(path, _)| *path).chain(self.case.settings.keys().copied());
        let own = own.filter(|path| *path != "kernel.version").map(str::to_owned);
        let mut knobs: Vec<String> = of_group.into_iter().chain(own).collect();
        for path in ["kernel.version", "kernel.preempt", "machine.cpus", "kernel.hz"] {
            if !knobs.iter().any(|known| known == path) {
                knobs.push(path.to_owned());
            }
        }
        knobs
    }
}

/// Each figure once, as many as a scenario takes.
fn first_of(figures: Vec<Value>) -> Vec<Value> {
    let mut known: Vec<Value> = Vec::new();
    for figure in figures {
        if known.len() < HEADLINE_MAX && !known.contains(&figure) {
            known.push(figure);
        }
    }
    known
}

/// The group's path in the scenario: what it is, inside the one around it.
pub(super) fn key_of(case: &Case, chosen: &Chosen) -> String {
    let name = |at: usize| {
        let kind = case.groups.all[at].kind;
        if kind.is_empty() { "group" } else { kind }.to_ascii_lowercase()
    };
    let own = name(chosen.group);
    match case.groups.all[chosen.group].inside {
        Some(outer) if chosen.outer.is_some() => format!("{}/{own}", name(outer)),
        _ => own,
    }
}

/// A task that may run on several CPUs, some of them set apart, stays where it starts, since
/// nothing balances between them: on the first of them.
fn in_one_domain(name: &str, task: &mut Map<String, Value>, isolated: &[u32]) -> Option<String> {
    let cpus = task.get("cpus")?.as_array()?.clone();
    let is_apart = |cpu: &Value| cpu.as_u64().is_some_and(|cpu| isolated.contains(&(cpu as u32)));
    if cpus.len() < 2 || !cpus.iter().any(is_apart) {
        return None;
    }
    let first = cpus.first()?.clone();
    let said = format!("{name} runs on CPU {first}: nothing moves it between CPUs set apart.");
    task.insert("cpus".to_owned(), Value::Array(vec![first]));
    Some(said)
}

/// The question about the programs of a text.
fn title(case: &Case) -> String {
    const NAMED: usize = 2;
    let names: Vec<&str> = case.programs.iter().map(Program::name).collect();
    match names.len() {
        1..=NAMED => format!("What does this machine do with {}?", names.join(" and ")),
        _ => "What does this machine do with this load?".to_owned(),
    }
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
