//! Reads scenarios in the browser: turns a text and changes into the input of the engine and of the
//! page.
//!
//! This is a module of its own, because the first picture of a shipped scenario needs none of it
//! (decision 0017). It knows wasm-bindgen and nothing of runs.

use schedscope_scenario::{LiveWrite, Prepared, ScenarioError, prepare as prepare_run};
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

/// A panic becomes a JavaScript `Error` that carries its text and place. The instance must not be
/// used afterwards.
#[wasm_bindgen(start)]
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// The `Handover` of the scenario file `text` as JSON text. `set_json` is the knob changes as
/// `[["path", value], …]`, applied in order. `writes_tasks`: the run's tasks will be written to
/// while it runs, which needs stoppers.
///
/// # Errors
/// The JSON text of a `ScenarioError`.
#[wasm_bindgen]
pub fn prepare(
    slug: &str,
    text: &str,
    set_json: &str,
    writes_tasks: bool,
) -> Result<String, String> {
    let prepared = read(slug, text, set_json, writes_tasks)?;
    serde_json::to_string(&prepared.handover()).map_err(|error| refusal(&error.to_string()))
}

/// Why the running kernel refused the write of `value` to `path` at `at_ns`: the JSON text of a
/// `ScenarioError`. The other arguments are those of `prepare`.
#[wasm_bindgen]
pub fn refused(
    slug: &str,
    text: &str,
    set_json: &str,
    writes_tasks: bool,
    at_ns: f64,
    path: String,
    value: String,
) -> String {
    let write = LiveWrite { at_ns: at_ns as u64, path, value, origin: "" };
    match read(slug, text, set_json, writes_tasks) {
        Ok(prepared) => error_text(&prepared.check_live(&write).err().unwrap_or(write.refused())),
        Err(error) => error,
    }
}

fn read(slug: &str, text: &str, set_json: &str, writes_tasks: bool) -> Result<Prepared, String> {
    let set: Vec<(String, Value)> = serde_json::from_str(set_json)
        .map_err(|error| refusal(&format!("the knob changes are unreadable: {error}")))?;
    let prepared = prepare_run(slug, text, &set).map_err(|error| error_text(&error))?;
    Ok(if writes_tasks { prepared.with_all_stoppers() } else { prepared })
}

fn error_text(error: &ScenarioError) -> String {
    serde_json::to_string(error).unwrap_or_else(|broken| refusal(&broken.to_string()))
}

/// A `ScenarioError` of the whole file, for failures before the scenario can be checked.
fn refusal(message: &str) -> String {
    serde_json::json!({ "message": message, "path": "" }).to_string()
}
