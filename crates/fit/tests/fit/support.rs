//! Programs under a limit, run by the simulator.

use schedscope_engine::run::{Options, Run};
use schedscope_fit::Got;
use schedscope_formats::words::{self, Bursts, Limit};
use schedscope_scenario::{prepare, report_json};
use serde_json::Value;

/// What the cpu.stat of a run would say.
pub fn cpu_stat(got: &Got) -> String {
    format!(
        "usage_usec {:.0}\nnr_periods {}\nnr_throttled {}\nthrottled_usec {:.0}\n",
        got.usage_us, got.periods, got.throttled, got.throttled_us
    )
}

/// Runs `bursts` under `limit`.
pub fn ran(bursts: &Bursts, limit: &Limit, seed: u64) -> Got {
    let reading = words::read(&format!("cpu.max {}", limit.cpu_max())).expect("short");
    let (mut scenario, _) = reading.with_bursts(bursts, None, None).expect("a group");
    scenario["seed"] = seed.into();
    metrics(&scenario)
}

/// Runs a scenario.
pub fn metrics(scenario: &Value) -> Got {
    let prepared = prepare("pasted", &scenario.to_string(), &[]).expect("a scenario that runs");
    let mut run = Run::new(&prepared.setup, Options::default()).expect("a sound machine");
    run.advance(u64::MAX, u64::MAX);
    let report = report_json(&prepared, &run.report());
    Got::of(&report["metrics"], "group").expect("the group's figures")
}

/// Numbers of a stream that a seed begins (xorshift).
pub struct Drawn(pub u64);

impl Drawn {
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        least + self.0 % (most - least + 1)
    }
}

/// A program of 1 to 12 threads with 5 to 120 ms of work each, and a limit of 0.3 to 4 CPUs that
/// it keeps on the mean.
pub fn program(drawn: &mut Drawn) -> (Bursts, Limit) {
    let threads = drawn.between(1, 12) as u32;
    let work_us = drawn.between(5, 120) * 1_000;
    let quota_us = drawn.between(3, 40) * 10_000;
    let need = work_us * u64::from(threads);
    let every_us = (need * 100_000 / quota_us).max(work_us) * drawn.between(105, 400) / 100;
    (Bursts { threads, work_us, every_us, steady_us: 0 }, Limit::of_quota(quota_us))
}
