//! The answer of a bisection as `schedscope.bisect/1`: whole numbers only. Means are in thousandths
//! of the metric's unit.

use schedscope_scenario::{ENGINE_BEHAVIOUR, ENGINE_VERSION};
use serde_json::{Map, Value, json};

use crate::bisection::Bisection;
use crate::effect::{Effect, Series};
use crate::plan::Change;
use crate::ranking::{Ranked, Tried};

/// The object; `is_complete` if no run is missing.
pub fn object(bisection: &Bisection, is_complete: bool) -> Value {
    let plan = &bisection.plan;
    let [from, to] = plan.releases;
    let ranking = bisection.ranking();
    let ranked = ranking.iter().flat_map(|ranking| &ranking.ranked);
    let tried = bisection.tried();
    let changes: Vec<Value> = plan
        .changes
        .iter()
        .enumerate()
        .map(|(place, change)| change_object(bisection, (place, change), tried.get(place)))
        .collect();
    let refused: Map<String, Value> = bisection
        .refused()
        .into_iter()
        .map(|(change, why)| (plan.changes[change].name.clone(), why.into()))
        .collect();
    json!({
        "schema": "schedscope.bisect/1",
        "scenario": plan.source.slug,
        "engine": ENGINE_VERSION,
        "engine_behaviour": ENGINE_BEHAVIOUR,
        "complete": is_complete,
        "from": from,
        "to": to,
        "metric": plan.metric[0],
        "seeds": bisection.seeds().collect::<Vec<u64>>(),
        "runs": bisection.runs(),
        "differs": bisection.differs(),
        "cancels": ranking.as_ref().is_some_and(|ranking| ranking.cancels),
        "same_schedule": bisection.are_same(),
        "one_schedule": [bisection.is_one_schedule(0), bisection.is_one_schedule(1)],
        "figures": { "from": series(&bisection.figures(0)), "to": series(&bisection.figures(1)),
            "difference": series(&bisection.whole()) },
        "ranking": ranked.map(|ranked| ranked_object(bisection, ranked)).collect::<Vec<_>>(),
        "unexplained": ranking.as_ref().and_then(|ranking| ranking.unexplained.map(effect)),
        "together": bisection.together().map(effect),
        "pairs_tried": bisection.pairs(),
        "changes": changes,
        "figure_unchanged": names(bisection, &bisection.without_figure()),
        "unfinished": names(bisection, &bisection.unfinished()),
        "no_effect": names(bisection, &bisection.without_effect()),
        "refused": refused,
        "stated": plan.stated,
        "alike": plan.alike,
        "not_stated_by_themselves": plan.unstatable,
        "not_modelled": plan.lacking,
    })
}

fn names(bisection: &Bisection, changes: &[usize]) -> Vec<String> {
    changes.iter().map(|change| bisection.plan.changes[*change].name.clone()).collect()
}

/// A mean and its interval, in thousandths.
fn effect(Effect { mean, low, high, seeds }: Effect) -> Value {
    let [mean, low, high] = [mean, low, high].map(|value| whole(value * 1_000.0));
    json!({ "mean_thousandths": mean, "low_thousandths": low, "high_thousandths": high,
        "seeds": seeds })
}

/// A figure of each seed, and its mean.
fn series(of: &Series) -> Value {
    let values: Vec<Option<i64>> = of.values().iter().map(|value| value.map(whole)).collect();
    json!({ "of_seeds": values, "effect": of.effect().map(effect) })
}

/// A change or a pair in the order of its effect.
fn ranked_object(bisection: &Bisection, ranked: &Ranked) -> Value {
    let plan = &bisection.plan;
    let commands = |release: usize| {
        let sets = bisection.sets(&ranked.changes, release).ok().flatten()?;
        let set: Map<String, Value> = plan.statement(&sets.changed).into_iter().collect();
        let [a, b] = match release {
            0 => [&sets.release, &sets.changed],
            _ => [&sets.changed, &sets.release],
        };
        Some(json!({ "set": set, "compare": plan.compare(a, b) }))
    };
    json!({
        "changes": names(bisection, &ranked.changes),
        "clear": ranked.is_clear,
        "share_thousandths": ranked.share.map(|share| whole(share * 1_000.0)),
        "effect": effect(ranked.effect),
        "alone": ranked.alone.map(effect),
        "without": ranked.without.map(effect),
        "from_with_it": commands(0),
        "to_without_it": commands(1),
    })
}

/// A change that can be tried, with what was measured seed by seed.
fn change_object(
    bisection: &Bisection,
    (place, change): (usize, &Change),
    tried: Option<&Tried>,
) -> Value {
    let way = |release: usize, of: Option<&Series>| match bisection.sets(&[place], release) {
        Err(why) => json!({ "refused": why }),
        Ok(_) => of.map_or(Value::Null, series),
    };
    json!({
        "name": change.name,
        "values": change.values,
        "part": change.difference.as_ref().map(|difference| difference.part),
        "steps": change.difference.as_ref().map(|difference| &difference.steps),
        "alone": way(0, tried.and_then(|tried| tried.alone.as_ref())),
        "without": way(1, tried.and_then(|tried| tried.without.as_ref())),
    })
}

/// The nearest whole number.
pub fn whole(value: f64) -> i64 {
    // A figure of a report is a whole number below 2^63, and so is a mean of such figures.
    #[expect(clippy::cast_possible_truncation, reason = "`as` takes the nearest end of the range")]
    let whole = value.round() as i64;
    whole
}
