//! The `schedscope.run/1` object: what a finished run says, in the form scripts rely on.

mod behaviour;

use schedscope_engine::run::Report;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::knobs::run::SEED_MAX;
use crate::meta::RunMeta;
use crate::prepared::Prepared;
use crate::resolve::costs::is_cost;
use crate::resolve::resolver::{Origin, ResolvedKnob};

/// The version of everything that decides a result.
pub const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");
/// What this engine does, in eight hexadecimal digits: the check value of the schedules that the
/// shipped scenarios had when they were last recorded. Two engines of one version whose results
/// differ there have different ones.
pub const ENGINE_BEHAVIOUR: &str = behaviour::BEHAVIOUR;

/// What is known of the report before the run: which run it is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportHead<'m> {
    /// Always `schedscope.run/1`.
    #[cfg_attr(feature = "schema", schemars(extend("const" = "schedscope.run/1")))]
    pub schema: &'static str,
    /// The scenario's name.
    pub scenario: &'m str,
    /// Key of every random draw.
    pub seed: u64,
    /// Version of the engine.
    pub engine: &'static str,
    /// Fingerprint of the engine's behaviour: another one gives other results to some shipped
    /// scenario.
    pub engine_behaviour: &'static str,
    /// Every knob of the scenario as resolved, by path; `kernel`, the version and what is not of
    /// it, in words; `costs`, every cost by name; `bandwidth`, the switches of bandwidth control.
    pub config: Map<String, Value>,
}

/// `schedscope.run/1`: what a finished run says. ns unless named otherwise.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunReport<'r> {
    /// Which run it is.
    #[serde(flatten)]
    pub head: ReportHead<'r>,
    /// What it did.
    #[serde(flatten)]
    pub run: &'r Report,
}

/// The report of `prepared` as the `schedscope.run/1` object: integers only.
///
/// # Panics
/// If a number passes 2^53, which JavaScript could not hold; the record limit ends a run long
/// before.
pub fn report_json(prepared: &Prepared, report: &Report) -> Value {
    report_of(&prepared.meta, report)
}

/// [`report_json`] for a caller that has kept only the run's description.
///
/// # Panics
/// If a number passes 2^53, as [`report_json`] does.
pub fn report_of(meta: &RunMeta, report: &Report) -> Value {
    let whole = RunReport { head: report_head(meta), run: report };
    let value = serde_json::to_value(whole).expect("keys are texts and numbers are integers");
    assert!(holds_exactly(&value), "a figure of the report passes 2^53");
    value
}

pub(crate) fn report_head(meta: &RunMeta) -> ReportHead<'_> {
    ReportHead {
        schema: "schedscope.run/1",
        scenario: &meta.slug,
        seed: meta.seed,
        engine: ENGINE_VERSION,
        engine_behaviour: ENGINE_BEHAVIOUR,
        config: config(meta),
    }
}

/// Every knob of the scenario as resolved, by path; the kernel in words; every cost by name; and
/// the switches `kernel.bandwidth` comes to.
fn config(meta: &RunMeta) -> Map<String, Value> {
    // One by one: collecting would bring in a sort for each of the two.
    let (mut config, mut costs) = (Map::new(), Map::new());
    // Every cost is listed by name under `costs`; one that was stated alone is also listed by path.
    let listed = |knob: &&ResolvedKnob| !is_cost(&knob.path) || knob.origin == Origin::Stated;
    for knob in meta.knobs.iter().filter(listed) {
        config.insert(knob.path.clone().into_owned(), knob.value.clone());
    }
    for cost in &meta.costs {
        costs.insert(cost.name.to_owned(), cost.value.into());
    }
    config.insert("kernel".to_owned(), meta.kernel.as_str().into());
    config.insert("costs".to_owned(), costs.into());
    config.insert(
        "bandwidth".to_owned(),
        serde_json::to_value(meta.bandwidth).expect("switches are names and flags"),
    );
    config
}

fn holds_exactly(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            number.as_i64().is_some_and(|number| number.unsigned_abs() <= SEED_MAX)
        }
        Value::Array(elements) => elements.iter().all(holds_exactly),
        Value::Object(members) => members.values().all(holds_exactly),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_javascript_cannot_hold_is_no_figure_and_a_debt_is_one() {
        assert!(holds_exactly(&json!({ "silo_ns": -5, "runs": [1, "x", null, true] })));
        assert!(holds_exactly(&json!(-(SEED_MAX as i64))) && !holds_exactly(&json!(SEED_MAX + 1)));
        assert!(!holds_exactly(&json!(u64::MAX)) && !holds_exactly(&json!(1.5)));
    }
}
