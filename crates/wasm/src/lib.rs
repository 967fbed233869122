//! The browser boundary: one simulated run behind a few functions.
//!
//! A run arrives as the bytes that the reader made of a scenario (crates/reader, or the build for a
//! shipped one). Columns leave as typed arrays, each copied out of wasm memory once; all other
//! results leave as JSON text. This crate knows wasm-bindgen and nothing of workers, pages or
//! drawing.

mod columns;

use columns::{TraceColumns, WakeColumns};
use schedscope_engine::named::Named;
use schedscope_engine::run::{Checkpoints, Limit, Options, Progress, Run};
use schedscope_engine::setup::Setup;
use wasm_bindgen::prelude::wasm_bindgen;

/// Instants in a run stay below 2^53 ns, so an f64 holds them exactly (a run lasts at most 24 h).
const MAX_EXACT_NS: f64 = 9_007_199_254_740_992.0;
/// The greatest count that is exact as an f64.
const MAX_EXACT: u64 = 1 << 53;
/// Most bytes that one run of the page may hold. The page keeps the rows and makes indexes of about
/// equal size from them.
const PAGE_BYTES: u64 = 512 << 20;

/// A panic becomes a JavaScript `Error` that carries its text and place: without this the page
/// would only learn "unreachable". The instance must not be used afterwards; the worker is
/// replaced.
#[wasm_bindgen(start)]
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// Panics on purpose, so that a browser test can see a worker die.
#[wasm_bindgen(js_name = crashForTest)]
pub fn crash_for_test() {
    panic!("crashed on request of a test");
}

/// One run, with snapshots of its way where its rows are kept.
#[wasm_bindgen]
pub struct Engine {
    run: Run,
    checkpoints: Option<Checkpoints>,
    /// Changes written so far.
    changes: u32,
}

#[wasm_bindgen]
impl Engine {
    /// `setup` is the bytes of a `Setup` of the same build. The run stops after `max_records`, or
    /// when it holds 512 MiB; with `trace` off it keeps no rows and no wake-ups, only the report.
    ///
    /// # Errors
    /// Why the bytes are no setup this engine can run.
    #[wasm_bindgen(constructor)]
    pub fn new(setup: &[u8], max_records: f64, trace: bool) -> Result<Engine, String> {
        let window = if trace { Options::EVERYTHING } else { None };
        let options = Options {
            window,
            max_records: whole(max_records),
            max_bytes: PAGE_BYTES,
            rows_stay: true,
            ..Options::default()
        };
        let run = Run::of(Setup::from_bytes(setup)?, options)?;
        let checkpoints = trace.then(|| Checkpoints::new(run.setup().machine.topology.cpus()));
        Ok(Engine { run, checkpoints, changes: 0 })
    }

    /// Simulates until `until_ns`, until `max_rows` more rows exist, or for `max_steps` steps: a
    /// limit of rows alone would hold the caller for minutes on a machine that does much and writes
    /// little. Returns `running`, `finished`, `limit: ` and its name, or `fault: ` and the law that
    /// the simulator broke.
    pub fn advance(&mut self, until_ns: f64, max_rows: u32, max_steps: u32) -> String {
        match self.run.advance_within(whole(until_ns), u64::from(max_rows), u64::from(max_steps)) {
            Progress::Running => {
                if let Some(checkpoints) = &mut self.checkpoints {
                    checkpoints.look(&mut self.run, self.changes);
                }
                "running".to_owned()
            }
            Progress::Finished => "finished".to_owned(),
            Progress::Limit => format!("limit: {}", self.run.limit().map_or("", Limit::name)),
            Progress::Fault(message) => format!("fault: {message}"),
        }
    }

    /// Whether every event up to and at `until_ns` has happened; a write then comes after all of
    /// them, no matter where `advance` paused.
    #[wasm_bindgen(js_name = hasReached)]
    pub fn has_reached(&self, until_ns: f64) -> bool {
        self.run.has_reached(whole(until_ns))
    }

    /// Writes to the running kernel, from the present instant on: see `Run::change`. False: the run
    /// has no such thing, or no such value of it.
    pub fn change(&mut self, path: &str, value: &str) -> bool {
        if let Some(checkpoints) = &mut self.checkpoints {
            checkpoints.keep(&mut self.run, self.changes);
        }
        self.changes += 1;
        self.run.change(path, value)
    }

    /// Takes the run back to the last of its snapshots at or before `ns` that has at most `changes`
    /// writes, and returns the snapshot's instant. A caller that has the rows up to and including
    /// that instant has everything that the run wrote before. Without such a snapshot the run stays
    /// where it is, and the result is nothing. `stoppers`: tasks will be written to from there on.
    pub fn resume(&mut self, ns: f64, changes: u32, stoppers: bool) -> Option<f64> {
        self.changes = self.checkpoints.as_mut()?.resume(&mut self.run, whole(ns), changes)?;
        if stoppers {
            self.run.add_stoppers();
        }
        Some(exact(self.run.now()))
    }

    /// Changes written so far.
    pub fn changes(&self) -> u32 {
        self.changes
    }

    /// Simulated time so far, ns.
    pub fn now(&self) -> f64 {
        exact(self.run.now())
    }

    /// How far the run is from its end or its nearest limit, in hundredths of a per cent.
    #[wasm_bindgen(js_name = shareDone)]
    pub fn share_done(&self) -> u32 {
        self.run.share_done()
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

    /// The engine's part of the `schedscope.run/1` object as JSON text; the reader's `head` is the
    /// rest. The tasks' activations are left out: the page shows none, and in a herd of 64 threads
    /// they are most of two megabytes that a choice's new numbers would wait for.
    ///
    /// # Panics
    /// If a number passes 2^53, which JavaScript could not hold; the record limit ends a run long
    /// before.
    pub fn report(&self) -> String {
        let mut report = self.run.report();
        for task in report.metrics.tasks.values_mut() {
            task.activations = Vec::new();
        }
        let text = serde_json::to_string(&report).expect("keys are texts and numbers are integers");
        assert!(holds_exactly(&text), "a figure of the report passes 2^53");
        text
    }
}

/// Whether JavaScript can hold every number of a JSON text whose numbers are whole.
fn holds_exactly(json: &str) -> bool {
    let (mut quoted, mut escaped, mut number) = (false, false, 0u64);
    json.bytes().all(|byte| {
        let digit = !quoted && byte.is_ascii_digit();
        number = if digit {
            number.saturating_mul(10).saturating_add(u64::from(byte - b'0'))
        } else {
            0
        };
        quoted ^= byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        number < MAX_EXACT
    })
}

/// A count or instant from JavaScript: a value beyond the exact range means "no limit".
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(value: f64) -> u64 {
    if value >= MAX_EXACT_NS { u64::MAX } else { value as u64 }
}

#[allow(clippy::cast_precision_loss)]
fn exact(value: u64) -> f64 {
    value as f64
}
