//! A program under a limit: the part of a scenario that a group with a limit comes to.

use serde_json::{Map, Value, json};

use super::amounts;
use super::limit::{CPUS_MAX, LEAST_US, Limit};
use super::settle::Chosen;

/// What a burst of the assumed program needs, in quotas: a little more than one period gives.
const NEED: f64 = 1.2;
/// Periods from one burst to the next. The odd part lets bursts come at every place of a period,
/// whatever the seed.
const PERIODS_A_BURST: f64 = 4.03;
/// Bursts of a run, if they fit into five minutes: they come at every place of a period.
const BURSTS: u64 = 100;
/// Fewer of a program with many threads, whose run takes long: so many wake-ups, and at least so
/// many bursts.
const WAKE_UPS: u64 = 2_000;
const BURSTS_LEAST: u64 = 30;
const RUN_MAX_US: u64 = 300_000_000;
/// The steady work comes so often, us.
const STEADY_EVERY_US: f64 = 10_000.0;
/// The figure that a limit is chosen by: how long the longest burst takes.
pub const ANSWER: &str = "tool_samples.gc_main.cycle.max_ns";

/// A program that works in bursts, beside steady work; times in us.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bursts {
    /// Threads of a burst.
    pub threads: u32,
    /// CPU time of each thread in a burst.
    pub work_us: u64,
    /// From one burst to the next.
    pub every_us: u64,
    /// CPU time that other tasks of the group use evenly, in every period.
    pub steady_us: u64,
}

impl Bursts {
    /// What is assumed under a limit of which nothing else is known: on as many threads as CPUs, a
    /// little more than one period's quota.
    pub fn assumed(limit: &Limit, cpus: u32) -> Self {
        // A limit that the machine cannot use up: what the machine has.
        let most = f64::from(cpus) * limit.period_us as f64;
        let need = most.min(limit.quota_us as f64) * NEED / f64::from(cpus);
        Self {
            threads: cpus,
            work_us: (need.ceil() as u64).max(1),
            every_us: (PERIODS_A_BURST * limit.period_us as f64).round() as u64,
            steady_us: 0,
        }
    }

    /// `bursts of 4 threads with 60 ms of work each, every 330 ms`.
    pub fn words(&self) -> String {
        let threads =
            if self.threads == 1 { "1 thread".into() } else { format!("{} threads", self.threads) };
        let beside = match self.steady_us {
            0 => String::new(),
            us => format!(", and {} of steady work in every period", amounts::time(us as f64)),
        };
        format!(
            "bursts of {threads} with {} of work each, every {}{beside}",
            amounts::time(self.work_us as f64),
            amounts::time(self.every_us as f64)
        )
    }
}

/// What a limited group adds to a scenario.
pub(super) struct Parts {
    pub cgroups: Value,
    pub workload: Map<String, Value>,
    pub variants: Vec<Value>,
    pub knobs: Vec<String>,
    pub labels: Value,
    pub steps: Value,
    pub headline: Vec<String>,
    pub run_us: u64,
}

/// `key`: the group's path in the scenario; `weight`: its cpu.weight.
pub(super) fn parts(chosen: &Chosen, key: &str, weight: Option<u64>, bursts: &Bursts) -> Parts {
    let limit = &chosen.limit;
    let mut group = json!({ "cpu_max": limit.cpu_max() });
    if limit.burst_us > 0 {
        group["cpu_max_burst"] = json!(limit.burst_us);
    }
    if let Some(weight) = weight {
        group["cpu_weight"] = json!(weight);
    }
    let mut cgroups = Map::new();
    if let Some((parent, outer)) =
        key.rsplit_once('/').zip(chosen.outer).map(|((at, _), l)| (at, l))
    {
        cgroups.insert(parent.to_owned(), json!({ "cpu_max": outer.cpu_max() }));
    }
    cgroups.insert(key.to_owned(), group);
    let path = format!("cgroups.{key}.cpu_max");
    let mut knobs = vec![path.clone()];
    if chosen.has_burst {
        knobs.push(format!("{path}_burst"));
    }
    let load = ["threads", "work", "period"].map(|of| format!("workload.gc_burst.{of}"));
    knobs.extend(load);
    knobs.push("kernel.cfs_bandwidth_slice_us".to_owned());
    let mut labels = json!({
        "gc_main": "first thread", "gc_worker": "other threads", "gc_main.cycle": "burst of work",
    });
    if bursts.steady_us > 0 {
        labels["other"] = json!("steady work");
    }
    let figures = ["nr_throttled", "nr_periods", "throttled_ns", "usage_ns"];
    let mut headline = vec![ANSWER.to_owned()];
    headline.extend(figures.map(|figure| format!("groups.{key}.{figure}")));
    Parts {
        cgroups: Value::Object(cgroups),
        workload: workload(key, limit, bursts),
        variants: variants(&path, limit, chosen.has_burst),
        knobs,
        labels,
        steps: steps(key, limit.period_us),
        headline,
        run_us: run_us(bursts),
    }
}

fn run_us(bursts: &Bursts) -> u64 {
    let count = (WAKE_UPS / u64::from(bursts.threads)).clamp(BURSTS_LEAST, BURSTS);
    RUN_MAX_US.min(count * bursts.every_us)
}

fn workload(key: &str, limit: &Limit, bursts: &Bursts) -> Map<String, Value> {
    let mut workload = Map::new();
    let us = |us: u64| format!("{us}us");
    let burst = json!({
        "threads": bursts.threads,
        "work": us(bursts.work_us),
        "period": us(bursts.every_us),
        "group": key,
    });
    workload.insert("gc_burst".to_owned(), burst);
    if bursts.steady_us > 0 {
        let cpus = bursts.steady_us as f64 / limit.period_us as f64;
        let instances = (cpus / 0.5).ceil().clamp(1.0, f64::from(CPUS_MAX));
        let run = (cpus / instances * STEADY_EVERY_US).round().max(1.0);
        let other = json!({
            "instance": instances as u64, "loop": -1, "run": run as u64,
            "timer": { "ref": "unique", "period": STEADY_EVERY_US as u64, "mode": "absolute" },
            "taskgroup": format!("/{key}"),
        });
        workload.insert("tasks".to_owned(), json!({ "other": other }));
    }
    workload
}

/// The limit as it is, none, and a burst that covers what the assumed program needs.
fn variants(path: &str, limit: &Limit, has_burst: bool) -> Vec<Value> {
    let mut none = json!({ path: "max" });
    if limit.burst_us > 0 {
        none[format!("{path}_burst")] = json!(0);
    }
    let mut all = vec![
        json!({ "name": "this limit", "set": {} }),
        json!({ "name": "no limit", "set": none }),
    ];
    if limit.burst_us == 0 && has_burst {
        let need = (limit.quota_us as f64 * (NEED - 1.0) / 500.0).ceil() as u64 * 500;
        let burst = need.max(LEAST_US).min(limit.quota_us);
        let name = format!("a burst of {}", amounts::time(burst as f64));
        all.push(json!({ "name": name, "set": { format!("{path}_burst"): burst } }));
    }
    all
}

/// What a viewer sees first: the share, a throttle, and the refill that ends it.
fn steps(key: &str, period_us: u64) -> Value {
    let around = |moment: &str, before: f64, after: f64| {
        let us = |part: f64| format!("{}us", (period_us as f64 * part).round());
        json!({ "moment": moment, "before": us(before), "after": us(after), "side": "a" })
    };
    json!([
        {
            "caption": format!("A is throttled in {{groups.{key}.nr_throttled a}} of \
                {{groups.{key}.nr_periods a}} periods. B has no limit."),
            "view": around("throttle", 0.3, 1.0),
        },
        {
            "caption": "A: the quota is used up, and the threads stop before their work is done.",
            "view": around("throttle", 0.05, 0.1),
            "side": "a",
        },
        {
            "caption": "A: the next refill lets the threads run again.",
            "view": around("unthrottle", 0.05, 0.1),
            "side": "a",
        },
    ])
}
