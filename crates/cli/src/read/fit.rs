//! The program of a group with counters: the fit runs before `read` speaks.

use schedscope_fit::{Fitting, Got, Wish, sentences};
use schedscope_formats::words::{Bursts, Limit, Reading};
use schedscope_runs::execute::{Limits, Watch};
use schedscope_runs::{Failure, Side, Target, Whose, figures};
use serde_json::{Value, json};

use crate::execute::execute;

/// A fit that is over, and the scenario that it comes to.
pub struct Fit {
    /// The fit; none where the group was not throttled, which needs no program that is.
    pub fitting: Option<Fitting>,
    /// How many runs it took.
    pub runs: u32,
    /// The scenario.
    pub scenario: Value,
    /// What is assumed beside it.
    pub assumed: Vec<String>,
}

/// Fits a program to the counters of the text; none where it has none that can be.
///
/// # Errors
/// A run breaks, or Ctrl-C ends it.
pub fn fit(reading: &Reading, wish: Wish) -> Result<Option<Fit>, Failure> {
    let Some((chosen, group)) = reading.chosen.as_ref().zip(reading.group_path()) else {
        return Ok(None);
    };
    let Some(happened) = chosen.happened else { return Ok(None) };
    let wish = Wish { cpus: reading.group_cpus(), ..wish };
    let Some(mut fitting) = Fitting::new(chosen, wish) else {
        let cpus = wish.cpus.unwrap_or(8);
        let bursts = sentences::not_throttled(&chosen.limit, happened.used_us(), cpus);
        return Ok(made(reading, None, 0, &bursts));
    };
    let mut runs = 0;
    while let Some(asked) = fitting.next_run() {
        fitting.hear(got(reading, &group, &asked.bursts, asked.limit)?);
        runs += 1;
    }
    let Some(best) = fitting.best().map(|best| best.bursts) else { return Ok(None) };
    Ok(made(reading, Some(fitting), runs, &best))
}

fn made(reading: &Reading, fitting: Option<Fitting>, runs: u32, bursts: &Bursts) -> Option<Fit> {
    let (scenario, assumed) = reading.with_bursts(bursts, None)?;
    Some(Fit { fitting, runs, scenario, assumed })
}

/// What a run of the program under the limit counts.
fn got(reading: &Reading, group: &str, bursts: &Bursts, limit: Limit) -> Result<Got, Failure> {
    let fault = |what: &str| Failure::Fault { what: what.to_owned(), replay: "read".to_owned() };
    let (scenario, _) =
        reading.with_bursts(bursts, Some(limit)).ok_or_else(|| fault("a fit without a group"))?;
    let target = Target::of_text("pasted", scenario.to_string());
    let side = Side::new(&target, &target.link_set(Whose::Both, &[]))?;
    let watch = Watch { window: None, wakes: false, limits: Limits::default(), waits: false };
    let outcome = execute(&side, watch, &mut |_, _| Ok(()))?;
    outcome.end()?;
    Got::of(&figures::figures(&outcome.report.metrics), group)
        .ok_or_else(|| fault("a run without the group's figures"))
}

/// A fit as JSON.
pub fn as_json(fit: &Fit) -> Value {
    let Some(fitting) = &fit.fitting else { return Value::Null };
    let best = fitting.best().map(|best| {
        json!({
            "threads": best.bursts.threads,
            "work_us": best.bursts.work_us,
            "every_us": best.bursts.every_us,
            "steady_us": best.bursts.steady_us,
            "off": best.off,
            "got": {
                "nr_periods": best.got.periods,
                "nr_throttled": best.got.throttled,
                "throttled_us": best.got.throttled_us,
                "usage_us": best.got.usage_us,
            },
        })
    });
    let range = fitting.range().map(|range| json!({ "low_us": range.low, "high_us": range.high }));
    json!({
        "program": best,
        "programs": fitting.members(),
        "runs": fit.runs,
        "is_overload": fitting.is_overload(),
        "limit": range,
    })
}
