//! Measures every figure that a README or docs/model/known-gaps.md quotes:
//! `scenarios/*/claims.json` against the engine.
//!
//! Eight runs of each by default, with all of them under `CLAIMS=long` (`npm run test:long`).
//! `CLAIMS_OF=slug` judges one scenario. `cargo xtask claims` prints all figures, and `cargo xtask
//! claims --write` measures the model's again.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::path::Path;

use schedscope_claims::{Effort, Scenario, judge, measure, shipped};

fn scenarios() -> Vec<Scenario> {
    let all = shipped(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")).unwrap();
    let only = std::env::var("CLAIMS_OF").ok();
    all.into_iter()
        .filter(|scenario| only.as_ref().is_none_or(|slug| *slug == scenario.slug))
        .collect()
}

#[test]
fn the_engine_gives_what_every_claim_states_and_no_known_gap_has_closed() {
    let effort = if std::env::var("CLAIMS").is_ok_and(|value| value == "long") {
        Effort::Whole
    } else {
        Effort::Quick
    };
    let scenarios = scenarios();
    let measured = measure(&scenarios, effort).unwrap();
    assert!(measured.len() > 8, "{} claims", measured.len());
    let wrong: Vec<String> =
        measured.iter().filter_map(|measured| judge(&scenarios, measured, effort).err()).collect();
    assert!(
        wrong.is_empty(),
        "{} of {} claims:\n{}",
        wrong.len(),
        measured.len(),
        wrong.join("\n")
    );
}
