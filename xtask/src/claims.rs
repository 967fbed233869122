//! `cargo xtask claims`: measures every claim with today's engine. `--write` puts the model's own
//! figures into `claims.json` and into the texts that quote them, and leaves bounds and the
//! sources' figures alone; `--quick` makes only the few runs of `npm test`.

use std::path::Path;

use schedscope_claims::{Effort, Measured, Scenario, judge, line, measure, shipped};

use crate::files::Failure;
use crate::generate;

pub fn run(root: &Path, words: &[&str]) -> Result<(), Failure> {
    let (options, slugs): (Vec<&str>, Vec<&str>) =
        words.iter().partition(|word| word.starts_with("--"));
    let (quick, write) = match options.as_slice() {
        [] => (false, false),
        ["--quick"] => (true, false),
        ["--write"] => (false, true),
        _ => return Err("claims takes --quick or --write".to_owned()),
    };
    let mut scenarios = shipped(&root.join("scenarios"))?;
    if let Some(unknown) =
        slugs.iter().find(|slug| scenarios.iter().all(|scenario| scenario.slug != **slug))
    {
        return Err(format!("{unknown} has no claims"));
    }
    scenarios.retain(|scenario| slugs.is_empty() || slugs.contains(&scenario.slug.as_str()));
    let effort = if quick { Effort::Quick } else { Effort::Whole };
    for scenario in scenarios {
        one(root, scenario, effort, write)?;
    }
    if write { generate::write(root) } else { Ok(()) }
}

/// Finishes one scenario before the next, so that an interrupt loses only the current one.
fn one(root: &Path, scenario: Scenario, effort: Effort, write: bool) -> Result<(), Failure> {
    let scenarios = [scenario];
    let measured = measure(&scenarios, effort)?;
    let [scenario] = &scenarios;
    for measured in &measured {
        let verdict = if judge(&scenarios, measured, effort).is_ok() { "   " } else { "-> " };
        println!("{verdict}{}", line(scenario, &scenario.table.claims[measured.claim], measured));
    }
    if write { rewrite(root, scenario, &measured) } else { Ok(()) }
}

fn rewrite(root: &Path, scenario: &Scenario, measured: &[Measured]) -> Result<(), Failure> {
    let mut table = scenario.table.clone();
    for measured in measured {
        let claim = &mut table.claims[measured.claim];
        *claim = claim.measured_again(measured);
    }
    let path = format!("scenarios/{}/claims.json", scenario.slug);
    let text = serde_json::to_string(&table).map_err(|error| error.to_string())?;
    let text = generate::pretty(root, &path, text)?;
    std::fs::write(root.join(&path), text).map_err(|error| format!("cannot write {path}: {error}"))
}
