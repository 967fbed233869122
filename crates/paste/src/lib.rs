//! What a pasted text says, in the browser: a text goes in; what it says, the runs that a fit
//! needs, and the answers come out.
//!
//! The page fetches this module when a person first pastes. It knows wasm-bindgen and nothing of
//! how a run is simulated.

use schedscope_fit::{Inquiry, Wish, object};
use schedscope_formats::words::{self, FORMS};
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

/// A panic becomes a JavaScript `Error` that carries its text and place. The instance must not be
/// used afterwards.
#[wasm_bindgen(start)]
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// The forms of text that are read, as JSON: `[{"title", "example"}, …]`.
#[wasm_bindgen]
pub fn forms() -> String {
    let forms = FORMS.iter().map(|form| json!({ "title": form.title, "example": form.example }));
    Value::from_iter(forms).to_string()
}

/// A text that was pasted, and what is found out about it.
#[wasm_bindgen]
pub struct Pasted(Inquiry);

#[wasm_bindgen]
impl Pasted {
    /// Reads a text. `bound_us`: the longest that a burst may take; `burst_us`: what one takes
    /// without a limit, where that was measured.
    ///
    /// # Errors
    /// A sentence: the text is longer than is read.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, bound_us: Option<f64>, burst_us: Option<f64>) -> Result<Pasted, String> {
        let reading = words::read(text).map_err(|error| error.to_string())?;
        Ok(Self(Inquiry::new(reading, Wish { bound_us, burst_us, cpus: None })))
    }

    /// The `schedscope.read/1` object of what is known by now.
    pub fn read(&self) -> String {
        object::read(&self.0).to_string()
    }

    /// The text of the scenario whose run is needed next; undefined where none is.
    #[wasm_bindgen(js_name = nextRun)]
    pub fn next_run(&mut self) -> Option<String> {
        Some(self.0.next_run()?.to_string())
    }

    /// Takes the `metrics` of the report of the run that was needed last, as JSON; false where
    /// they do not have the group's figures. A run that a limit cut is not to be given.
    pub fn hear(&mut self, metrics: &str) -> bool {
        serde_json::from_str(metrics).is_ok_and(|metrics: Value| self.0.hear(&metrics))
    }

    /// Begins with the questions, when the fit needs no run any more.
    ///
    /// # Errors
    /// A sentence: why there can be no answer.
    pub fn ask(&mut self) -> Result<(), String> {
        self.0.ask()
    }

    /// The `schedscope.answer/1` object of what is known by now; undefined before the questions
    /// were asked.
    pub fn answer(&self) -> Option<String> {
        object::answer(&self.0).map(|answer| answer.to_string())
    }
}
