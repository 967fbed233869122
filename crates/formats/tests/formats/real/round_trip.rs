//! What is written is read: the lines of drawn scenarios come back as scenarios that state the
//! same. A value that comes back as another one is a fault, or has a row and its reason here.

mod programs;

use std::collections::BTreeMap;

use schedscope_formats::words::{Fate, read};
use schedscope_scenario::Knob as Row;
use schedscope_scenario::knobs::KnobType;
use serde_json::json;

use super::*;

/// Numbers that are the same in every run of this test.
struct Draw(u64);

impl Draw {
    fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % count
    }

    fn one<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }

    /// Small numbers come as often as large ones.
    fn between(&mut self, least: u64, most: u64) -> u64 {
        let most = if self.below(2) == 0 { most } else { most.min(least + 16) };
        least + u64::try_from(self.below(usize::try_from(most - least + 1).unwrap())).unwrap()
    }

    fn cpus(&mut self, of: u64) -> String {
        let (one, other) = (self.between(0, of - 1), self.between(0, of - 1));
        match self.below(3) {
            0 => one.to_string(),
            1 => format!("{}-{}", one.min(other), one.max(other)),
            _ => format!("{},{}", one.min(other), one.max(other)),
        }
    }

    /// A value that the knob takes. Tools count in whole us.
    fn value(&mut self, row: &Row, cpus: u64) -> Value {
        if !row.choices.is_empty() && (row.kind == KnobType::Enum || self.below(3) == 0) {
            return self.one(&row.choices).value.clone();
        }
        let (least, most) = (row.min.unwrap_or(0), row.max.unwrap_or(1_000));
        match row.kind {
            KnobType::Boolean => json!(self.below(2) == 0),
            KnobType::Integer => json!(self.between(least, most)),
            KnobType::Time => {
                let us = self.between(least.div_ceil(1_000), most / 1_000);
                json!(format!("{us}us"))
            }
            KnobType::Text | KnobType::Enum => json!(self.cpus(cpus)),
        }
    }
}

const KERNELS: [&str; 16] = [
    "2.6.24", "2.6.39", "3.10.108", "4.1", "4.14.336", "4.19", "5.4.290", "5.10", "5.15.167",
    "6.1", "6.6", "6.12.57", "6.17", "6.18", "7.0", "7.3",
];

fn row(path: &str) -> &'static Row {
    schedscope_scenario::knobs().iter().find(|row| row.path == path).unwrap()
}

/// The scenario of this machine, kernel and rest.
fn scenario(kernel: &str, cpus: u64, rest: &Value) -> Value {
    let mut all = json!({
        "schema": 1, "title": "drawn", "source": "a test", "seed": 1, "duration": "1s",
        "machine": { "cpus": cpus, "costs": "modern_2s_qspin" },
        "kernel": { "version": kernel, "hz": 1_000 },
        "workload": { "tasks": { "own": { "loop": -1, "run": 1_000, "sleep": 100 } } },
    });
    for (key, value) in rest.as_object().unwrap() {
        all[key] = value.clone();
    }
    all
}

fn prepare(scenario: &Value, set: &[(String, Value)]) -> Option<Prepared> {
    schedscope_scenario::prepare("drawn", &scenario.to_string(), set).ok()
}

/// The text that one types for a run: its kernel, as `uname -a` prints it, and its lines.
fn typed(run: &Run) -> String {
    let kernel = run.knobs.iter().find(|knob| knob.path == "kernel.version").unwrap();
    let (share, _) = of_run(run, &Node::Object(Vec::new()), "");
    let lines: Vec<String> = share.lines.into_iter().map(|line| line.text).collect();
    format!("Linux host {} #1 SMP x86_64\n{}\n", kernel.value.as_str().unwrap(), lines.join("\n"))
}

/// The run of the scenario that is read from a text. No line is strange to the readers.
fn back(text: &str) -> RunMeta {
    let reading = read(text).unwrap();
    for line in &reading.lines {
        for note in &line.notes {
            assert_ne!(note.fate, Fate::NotUnderstood, "{}: {}\n{text}", line.text, note.words);
        }
    }
    let scenario = reading.scenario.unwrap_or_else(|| panic!("no scenario of\n{text}"));
    let prepared = schedscope_scenario::prepare("read", &scenario.to_string(), &[]);
    prepared.unwrap_or_else(|error| panic!("{error}\n{text}\n{scenario:#}")).meta
}

fn value_in<'m>(meta: &'m RunMeta, path: &str) -> Option<&'m Value> {
    meta.knobs.iter().find(|knob| knob.path == path).map(|knob| &knob.value)
}

/// The tasks of a program: name, policy, priority and CPUs.
fn tasks<'m>(program: &str, meta: &'m RunMeta) -> Vec<(&'m str, &'m str, i32, &'m str)> {
    let begin = program.trim_end_matches("_test");
    let own = meta.tasks.iter().filter(|task| task.kind.starts_with(begin));
    own.map(|task| (task.name.as_str(), task.policy, task.priority, task.cpus.as_str())).collect()
}

/// Whether there is a line for the value that a run states at `path`.
fn has_line(run: &Run, path: &str) -> bool {
    let mut without = run.clone();
    without.knobs.iter_mut().filter(|knob| knob.path == path).for_each(|knob| {
        knob.is_stated = false;
    });
    typed(&without) != typed(run)
}

/// Whether `came` is what was written for `value`.
fn is_same(path: &str, value: &Value, came: Option<&Value>, run: &Run) -> bool {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let (value, came) = (text(value), came.map(text).unwrap_or_default());
    value == came
        || match (path, value.as_str()) {
            // A kernel with PREEMPT_DYNAMIC boots into a model by the same words, whether it could
            // change it later or not.
            ("kernel.preempt", model) => model.strip_prefix("dynamic-") == Some(&came),
            // The bit is on by the release's own rule.
            ("kernel.ttwu_queue", _) => value != "off" && came != "off",
            // By how a kernel with PREEMPT_RT, or without it, has the bit.
            ("kernel.rt_push_ipi", "rt_only") => {
                let is_rt = run
                    .knobs
                    .iter()
                    .any(|knob| knob.path == "kernel.preempt" && knob.value == "rt");
                came == if is_rt { "on" } else { "off" }
            }
            // Before 6.12 the limit is off by its sysctl.
            ("kernel.rt_throttle", "off") => came.starts_with("950_1000"),
            _ => false,
        }
}

/// What switches of the kernel, the machine and its devices a text is drawn from.
const SWITCHES: &[&str] = &[
    "machine.idle",
    "kernel.hz",
    "kernel.tick_skew",
    "kernel.preempt",
    "kernel.rt_push_ipi",
    "kernel.ttwu_queue",
    "kernel.delay_dequeue",
    "kernel.hrtick",
    "kernel.run_to_parity",
    "kernel.place_lag",
    "kernel.preempt_short",
    "kernel.next_buddy",
    "kernel.ni_random",
    "kernel.llc_balancing",
    "kernel.cgroup_mode",
    "kernel.base_slice",
    "kernel.rt_throttle",
    "kernel.sched_rt_runtime_us",
    "kernel.sched_rt_period_us",
    "kernel.sched_rr_timeslice_ms",
    "kernel.cfs_bandwidth_slice_us",
    "kernel.nohz_full",
    "kernel.rseq_slice_extension",
    "kernel.rseq_slice_extension_length",
    "workload.device_irq.cpus",
    "workload.rcu.nocbs",
];

#[test]
fn each_switch_that_has_a_line_comes_back_with_its_value() {
    let mut draw = Draw(7);
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..4_000 {
        let (kernel, cpus) = (*draw.one(&KERNELS), draw.between(2, 40));
        let few = [1, 2, 6][draw.below(3)];
        let mut set: Vec<(String, Value)> = Vec::new();
        for _ in 0..few {
            let path = *draw.one(SWITCHES);
            if set.iter().all(|(known, _)| known != path) {
                set.push((path.to_owned(), draw.value(row(path), cpus)));
                if path == "kernel.rseq_slice_extension_length" {
                    set.push(("kernel.rseq_slice_extension".to_owned(), json!(true)));
                }
            }
        }
        let mut workload =
            json!({ "tasks": { "own": { "loop": -1, "run": 1_000, "sleep": 100 } } });
        for (path, _) in &set {
            if let Some((part, _)) =
                path.strip_prefix("workload.").and_then(|it| it.split_once('.'))
            {
                workload[part] = json!({});
            }
        }
        let file = scenario(kernel, cpus, &json!({ "workload": workload }));
        let Some(prepared) = prepare(&file, &set) else { continue };
        let run = run_of(&prepared.meta);
        let text = typed(&run);
        let mut came = None;
        for (path, _) in set.iter().filter(|(path, _)| has_line(&run, path)) {
            let came = came.get_or_insert_with(|| back(&text));
            let value = &run.knobs.iter().find(|knob| knob.path == *path).unwrap().value;
            let is = value_in(came, path);
            assert!(
                is_same(path, value, is, &run),
                "{path} is {value}, and comes back as {is:?}\n{text}"
            );
            let known = SWITCHES.iter().find(|known| *known == path).unwrap();
            *met.entry(known).or_default() += 1;
        }
    }
    let missing: Vec<_> =
        SWITCHES.iter().filter(|path| met.get(*path).is_none_or(|n| *n < 5)).collect();
    assert!(missing.is_empty(), "too few of {missing:?} in {met:?}");
}

#[test]
fn partitions_of_one_cpu_each_come_back_from_isolcpus() {
    let mut draw = Draw(9);
    for _ in 0..200 {
        let cpus = draw.between(2, 32);
        let first = draw.between(1, cpus - 1);
        let last = draw.between(first, cpus - 1);
        let apart: Vec<String> = (first..=last).map(|cpu| cpu.to_string()).collect();
        let apart = json!(apart.join(";"));
        let set = [("machine.partitions".to_owned(), apart.clone())];
        let prepared = prepare(&scenario("6.12", cpus, &json!({})), &set).unwrap();
        let text = typed(&run_of(&prepared.meta));
        assert_eq!(value_in(&back(&text), "machine.partitions"), Some(&apart), "{text}");
    }
}

#[test]
fn a_limit_its_burst_and_its_weight_come_back_from_the_files_of_both_versions() {
    let mut draw = Draw(11);
    let (mut limits, mut old) = (0, 0);
    for _ in 0..2_000 {
        let kernel = *draw.one(&KERNELS);
        let (quota, period) = (draw.between(1_000, 900_000), draw.between(1_000, 1_000_000));
        let mut group = json!({ "cpu_max": format!("{quota} {period}") });
        if draw.below(2) == 0 {
            group["cpu_max_burst"] = json!(draw.between(1, quota));
        }
        if draw.below(2) == 0 {
            group["cpu_weight"] = json!(draw.between(1, 10_000));
        }
        let inside = draw.below(2) == 0;
        let path = if inside { "shop/web" } else { "shop" };
        let groups =
            if inside { json!({ "shop": {}, path: group }) } else { json!({ path: group }) };
        let file = scenario(kernel, 8, &json!({ "cgroups": groups }));
        let Some(prepared) = prepare(&file, &[]) else { continue };
        let run = run_of(&prepared.meta);
        let text = typed(&run);
        let reading = read(&text).unwrap();
        let read_group =
            reading.scenario.as_ref().and_then(|made| made.get("cgroups")?.get("group"));
        let came =
            read_group.unwrap_or_else(|| panic!("no limit in\n{text}\n{:?}", reading.doubts));
        back(&text);
        for key in ["cpu_max", "cpu_max_burst", "cpu_weight"] {
            let is_written = has_line(&run, &format!("cgroups.{path}.{key}"));
            let value = if is_written { group.get(key) } else { None };
            assert_eq!(came.get(key), value, "{key} of\n{text}");
        }
        limits += 1;
        old += u32::from(text.contains("cpu.cfs_quota_us"));
    }
    assert!(limits > 500 && old > 50, "{limits}, {old}");
}

#[test]
fn no_line_of_a_variant_that_ships_is_strange_to_the_readers() {
    for entry in shipped() {
        let file = Node::read(&entry.text).unwrap();
        for nth in 0..entry.variants.len() {
            let run = run_of(&variant(&entry, nth).meta);
            let (share, _) = of_run(&run, &file, "");
            for line in &share.lines {
                for note in read(&line.text).unwrap().lines.iter().flat_map(|line| &line.notes) {
                    assert_ne!(note.fate, Fate::NotUnderstood, "{}: {}", line.text, note.words);
                }
            }
        }
    }
}
