//! What does on a real machine what a run does, in the browser: a run goes in; lines and files come
//! out.
//!
//! The page fetches this module after the picture. It knows wasm-bindgen and nothing of how a run
//! is simulated.

use schedscope_formats::real;
use schedscope_formats::words::Node;
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

/// A panic becomes a JavaScript `Error` that carries its text and place. The instance must not be
/// used afterwards.
#[wasm_bindgen(start)]
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// What does on a real machine what the run `a` of the scenario's `file` does, or what both sides
/// do: the JSON text of `schedscope.real/1`. `a` and `b` are the JSON of runs' meta, whose
/// `kernel` is the kernel for people.
///
/// # Errors
/// A run's meta lacks something, or the file is no JSON: which.
#[wasm_bindgen]
pub fn real(a: &str, b: Option<String>, file: &str) -> Result<String, String> {
    let run = |text: &str| real::Run::of_json(&meta(text)?);
    let a = run(a)?;
    let b = b.as_deref().map(run).transpose()?;
    let file = Node::read(file).map_err(|error| format!("the scenario: {error}"))?;
    Ok(real::of(&a, b.as_ref(), &file).json(&a.slug).to_string())
}

fn meta(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("a run's meta: {error}"))
}
