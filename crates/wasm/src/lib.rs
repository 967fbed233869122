//! The browser boundary: one simulated run behind a few functions.
//!
//! Columns leave as typed arrays, each copied out of wasm memory once; everything small leaves as JSON text. It knows
//! wasm-bindgen and nothing of workers, pages or drawing.

mod columns;

use columns::{TraceColumns, WakeColumns};
use schedscope_engine::kernel::config::{Preempt, RtPushIpi, TtwuQueue, resolve_push_ipi};
use schedscope_engine::named::Named;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_scenario::{Prepared, RunMeta, prepare, report_of};
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

/// Instants in a run stay below 2^53 ns, so an f64 holds them exactly (contracts: at most 24 h).
const MAX_EXACT_NS: f64 = 9_007_199_254_740_992.0;

/// A panic becomes a JavaScript `Error` that carries its text and place: without this the page would only learn
/// "unreachable". The instance must not be used afterwards; the worker is replaced.
#[wasm_bindgen(start)]
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// Panics on purpose, so that a browser test can see a worker die.
#[wasm_bindgen(js_name = crashForTest)]
pub fn crash_for_test() {
    panic!("crashed on request of a test");
}

/// One run of one scenario.
#[wasm_bindgen]
pub struct Engine {
    meta: RunMeta,
    run: Run,
}

#[wasm_bindgen]
impl Engine {
    /// `text` is the scenario file, `set_json` the knob changes as `[["path", value], …]`, applied in order.
    /// The run stops after `max_records`; with `trace` off it keeps no rows and no wake-ups, only the report.
    ///
    /// # Errors
    /// The JSON text of a `ScenarioError`.
    #[wasm_bindgen(constructor)]
    pub fn new(slug: &str, text: &str, set_json: &str, max_records: f64, trace: bool) -> Result<Engine, String> {
        let set: Vec<(String, Value)> =
            serde_json::from_str(set_json).map_err(|error| refusal(&format!("the knob changes are unreadable: {error}")))?;
        let Prepared { setup, meta } = prepare(slug, text, &set)
            .map_err(|error| serde_json::to_string(&error).unwrap_or_else(|broken| refusal(&broken.to_string())))?;
        let window = if trace { Options::EVERYTHING } else { None };
        let options = Options { window, max_records: whole(max_records), ..Options::default() };
        let run = Run::of(setup, options).map_err(|message| refusal(&message))?;
        Ok(Engine { meta, run })
    }

    /// The `RunMeta` as JSON text.
    ///
    /// # Errors
    /// Never in practice: the type always serialises.
    pub fn meta(&self) -> Result<String, String> {
        serde_json::to_string(&self.meta).map_err(|error| error.to_string())
    }

    /// Simulates until `until_ns` or until `max_rows` more rows exist.
    /// Returns `running`, `finished`, `limit`, or `fault: ` and what law the simulator broke.
    pub fn advance(&mut self, until_ns: f64, max_rows: u32) -> String {
        match self.run.advance(whole(until_ns), u64::from(max_rows)) {
            Progress::Running => "running".to_owned(),
            Progress::Finished => "finished".to_owned(),
            Progress::Limit => "limit".to_owned(),
            Progress::Fault(message) => format!("fault: {message}"),
        }
    }

    /// Writes a live switch of the running kernel, from the present instant on (contracts 3.1). False: this kernel has no
    /// such switch, or no such value of it.
    pub fn change(&mut self, path: &str, value: &str) -> bool {
        let setup = self.run.setup();
        let (kernel, cpus) = (&setup.kernel, setup.machine.topology.cpus());
        let (rt_balance, preempt, runtime_ns, period_ns) = (kernel.rt_balance, kernel.preempt, kernel.rt_runtime_ns, kernel.rt_period_ns);
        // A sysctl holds whole us; -1 is no number of them.
        let us = || value.parse::<u64>().ok().map(|us| us.saturating_mul(1_000));
        match path {
            "kernel.rt_push_ipi" => RtPushIpi::parse(value).is_some_and(|bit| {
                let on = resolve_push_ipi(rt_balance, bit, cpus, preempt);
                self.run.set_rt_push_ipi(on)
            }),
            "kernel.ttwu_queue" => TtwuQueue::parse(value).is_some_and(|rule| self.run.set_ttwu_queue(rule)),
            "kernel.preempt" => Preempt::parse(value).is_some_and(|model| self.run.set_preempt(model)),
            "kernel.sched_rt_runtime_us" => {
                let runtime_ns = us();
                (runtime_ns.is_some() || value == "-1") && self.run.set_rt_bandwidth(runtime_ns, period_ns)
            }
            "kernel.sched_rt_period_us" => us().is_some_and(|period_ns| self.run.set_rt_bandwidth(runtime_ns, period_ns)),
            _ => false,
        }
    }

    /// Simulated time so far, ns.
    pub fn now(&self) -> f64 {
        exact(self.run.now())
    }

    /// Rows so far.
    pub fn records(&self) -> f64 {
        exact(self.run.records())
    }

    /// The trace rows since the last take.
    #[wasm_bindgen(js_name = takeTrace)]
    pub fn take_trace(&mut self) -> TraceColumns {
        TraceColumns::new(self.run.take_trace())
    }

    /// The wake-ups finished since the last take.
    #[wasm_bindgen(js_name = takeWakes)]
    pub fn take_wakes(&mut self) -> WakeColumns {
        WakeColumns::new(self.run.take_wakes())
    }

    /// The `schedscope.run/1` object as JSON text.
    pub fn report(&self) -> String {
        report_of(&self.meta, &self.run.report()).to_string()
    }
}

/// A `ScenarioError` of the whole file, for what fails before the scenario can be judged.
fn refusal(message: &str) -> String {
    serde_json::json!({ "message": message, "path": "" }).to_string()
}

/// A count or instant from JavaScript: what is beyond the exact range means "no limit".
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(value: f64) -> u64 {
    if value >= MAX_EXACT_NS { u64::MAX } else { value as u64 }
}

#[allow(clippy::cast_precision_loss)]
fn exact(value: u64) -> f64 {
    value as f64
}
