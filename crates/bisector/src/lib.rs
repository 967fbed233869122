//! Which change did it, in the browser: a question goes in; the runs to make, and the answer when
//! all were made, come out.
//!
//! The page fetches this module when a person first asks. It knows wasm-bindgen and nothing of how
//! a run is simulated.

use schedscope_bisect::{Batch, Bisection, Plan, Refusal, Run, Seeds, Set, Source, object};
use schedscope_scenario::versions::release;
use schedscope_scenario::{Document, LiveWrite, ScenarioError};
use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

/// A panic becomes a JavaScript `Error` that carries its text and place. The instance must not be
/// used afterwards.
#[wasm_bindgen(start)]
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// What is asked (src/engine/bisect-protocol.ts).
#[derive(Deserialize)]
struct Question {
    slug: String,
    /// What a command calls the scenario.
    name: String,
    text: String,
    /// Settings of every run, in order.
    set: Set,
    /// Writes to the running kernel of every run: ns, path, value.
    live: Vec<(u64, String, String)>,
    from: String,
    to: String,
    metric: String,
    seeds: usize,
    max_seeds: usize,
}

/// A bisection, as far as it has come.
#[wasm_bindgen]
pub struct Bisector {
    bisection: Bisection,
    /// The runs that were asked for last.
    runs: Vec<Run>,
}

#[wasm_bindgen]
impl Bisector {
    /// A bisection of which nothing is run yet.
    ///
    /// # Errors
    /// A sentence: what the question needs.
    #[wasm_bindgen(constructor)]
    pub fn new(question: &str) -> Result<Bisector, String> {
        let question: Question = serde_json::from_str(question)
            .map_err(|error| format!("the question is unreadable: {error}"))?;
        let plan = plan(question)?;
        Ok(Self { bisection: Bisection::new(plan), runs: Vec::new() })
    }

    /// The runs that are needed next, as JSON: `{"stage", "runs": [[["path", value], …], …]}`;
    /// `null` where the answer is found.
    ///
    /// # Errors
    /// A sentence: why there can be no answer.
    #[wasm_bindgen(js_name = nextRuns)]
    pub fn next_runs(&mut self) -> Result<String, String> {
        let Some(Batch { stage, runs }) = self.bisection.next_batch().map_err(in_words)? else {
            return Ok("null".to_owned());
        };
        let settings: Vec<Set> = runs.iter().map(|run| self.bisection.settings(*run)).collect();
        self.runs = runs;
        Ok(json!({ "stage": stage, "runs": settings }).to_string())
    }

    /// Takes what the run of that place among the last ones came to: its schedule's digest, and the
    /// `metrics` of its report as JSON. A run that a limit cut is not to be given.
    pub fn hear(&mut self, place: usize, digest: String, metrics: &str) {
        let Some(run) = self.runs.get(place) else { return };
        let figure = serde_json::from_str::<Value>(metrics)
            .ok()
            .and_then(|metrics| self.bisection.figure(&metrics));
        self.bisection.hear(*run, digest, figure);
    }

    /// The `schedscope.bisect/1` object of what is known by now; `is_complete` if no run is
    /// missing.
    pub fn answer(&self, is_complete: bool) -> String {
        object(&self.bisection, is_complete).to_string()
    }

    /// The value of a knob in the run of a release, 0 or 1, as JSON; `null` where it has none.
    pub fn value(&self, release: usize, path: &str) -> String {
        self.bisection.plan.value(release, path).map_or_else(|| "null".to_owned(), Value::to_string)
    }

    /// Remarks on both releases' runs.
    pub fn notes(&self) -> Vec<String> {
        self.bisection.plan.notes.clone()
    }
}

fn plan(question: Question) -> Result<Plan, String> {
    let Question { slug, name, text, set, live, from, to, metric, seeds, max_seeds } = question;
    let version = |text: &str| release(text).map_err(|why| format!("\"{text}\": {why}"));
    let releases = [version(&from)?, version(&to)?];
    let document = Document::read(&text).map_err(|error| of_scenario(&error))?;
    let write = |(at_ns, path, value)| LiveWrite { at_ns, path, value, origin: "the page" };
    let live = live.into_iter().map(write).collect();
    let source = Source { slug, name, document, common: set, live, limits: String::new() };
    let seeds = Seeds { first: seeds, most: max_seeds };
    Plan::new(source, releases, &metric, seeds).map_err(in_words)
}

fn in_words(refusal: Refusal) -> String {
    match refusal {
        Refusal::Usage(message) => message,
        Refusal::Scenario(error) | Refusal::Write(_, error) => of_scenario(&error),
    }
}

fn of_scenario(error: &ScenarioError) -> String {
    match error.path.as_str() {
        "" => error.message.clone(),
        path => format!("{path}: {}", error.message),
    }
}
