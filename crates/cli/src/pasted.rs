//! A pasted text, and the program of its group with counters: the fit runs before a command speaks.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use clap::Args;
use schedscope_fit::{Fitting, Got, Wish, sentences};
use schedscope_formats::words::{self, Bursts, Limit, Reading};
use schedscope_runs::execute::{Limits, Watch};
use schedscope_runs::{Failure, Side, Target, Whose, figures, inputs};
use serde_json::{Value, json};

use crate::execute::execute;

/// The text, and what narrows its fit.
#[derive(Args)]
pub struct Pasted {
    /// A file with the text; - for standard input
    file: PathBuf,
    /// Look for the limit under which every burst ends within this time (50ms); without it, for the
    /// one that delays none
    #[arg(long, value_name = "TIME", value_parser = time)]
    within: Option<u64>,
    /// How long one burst takes without a limit, measured (60ms)
    #[arg(long, value_name = "TIME", value_parser = time)]
    burst: Option<u64>,
}

/// Bytes beyond those that are read, so that a text that is too long is seen to be.
const MORE: u64 = 1 << 20;

impl Pasted {
    /// Reads the text.
    ///
    /// # Errors
    /// It cannot be read, is too long, or is empty.
    pub fn read(&self) -> Result<(Reading, Wish), Failure> {
        let text = self.text()?;
        let reading = words::read(&text).map_err(|error| Failure::usage(error.to_string()))?;
        if reading.lines.iter().all(|line| line.notes.is_empty()) {
            return Err(Failure::usage("the text is empty\n  expected: what a person would paste"));
        }
        let us = |ns: u64| ns as f64 / 1e3;
        let (bound_us, burst_us) = (self.within.map(us), self.burst.map(us));
        Ok((reading, Wish { bound_us, burst_us, cpus: None }))
    }

    fn text(&self) -> Result<String, Failure> {
        let name = self.file.display();
        let most = words::BYTES_MAX as u64 + MORE;
        let mut bytes = Vec::new();
        let read = if self.file.as_os_str() == "-" {
            std::io::stdin().lock().take(most).read_to_end(&mut bytes)
        } else {
            File::open(&self.file).and_then(|file| {
                inputs::opened("the text", &file);
                file.take(most).read_to_end(&mut bytes)
            })
        };
        read.map_err(|error| Failure::usage(format!("cannot read {name}: {error}")))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// A time with its unit, ns.
fn time(text: &str) -> Result<u64, String> {
    let ns = schedscope_scenario::units::parse_time(text).filter(|ns| *ns > 0);
    ns.ok_or_else(|| format!("{text} is no time; expected one such as 50ms"))
}

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
    let Some(chosen) = reading.chosen.as_ref() else { return Ok(None) };
    let Some(happened) = chosen.happened else { return Ok(None) };
    let wish = Wish { cpus: reading.group_cpus(), ..wish };
    let Some(mut fitting) = Fitting::new(chosen, wish) else {
        let cpus = wish.cpus.unwrap_or(8);
        let bursts = sentences::not_throttled(&chosen.limit, happened.used_us(), cpus);
        return Ok(made(reading, None, 0, &bursts));
    };
    let mut runs = 0;
    while let Some(asked) = fitting.next_run() {
        fitting.hear(got(reading, &asked.bursts, asked.limit, None)?);
        runs += 1;
    }
    let Some(best) = fitting.best().map(|best| best.bursts) else { return Ok(None) };
    Ok(made(reading, Some(fitting), runs, &best))
}

fn made(reading: &Reading, fitting: Option<Fitting>, runs: u32, bursts: &Bursts) -> Option<Fit> {
    let (scenario, assumed) = reading.with_bursts(bursts, None)?;
    Some(Fit { fitting, runs, scenario, assumed })
}

/// What a run of the program under the limit counts; `release`: under another kernel than the
/// text's.
///
/// # Errors
/// The run breaks, or Ctrl-C ends it.
pub fn got(
    reading: &Reading,
    bursts: &Bursts,
    limit: Limit,
    release: Option<&str>,
) -> Result<Got, Failure> {
    let fault = |what: &str| Failure::Fault { what: what.to_owned(), replay: "read".to_owned() };
    let group = reading.group_path().ok_or_else(|| fault("a fit without a group"))?;
    let (mut scenario, _) =
        reading.with_bursts(bursts, Some(limit)).ok_or_else(|| fault("a fit without a group"))?;
    if let Some(release) = release {
        scenario["kernel"]["version"] = json!(release);
    }
    let target = Target::of_text("pasted", scenario.to_string());
    let side = Side::new(&target, &target.link_set(Whose::Both, &[]))?;
    let watch = Watch { window: None, wakes: false, limits: Limits::default(), waits: false };
    let outcome = execute(&side, watch, &mut |_, _| Ok(()))?;
    outcome.end()?;
    Got::of(&figures::figures(&outcome.report.metrics), &group)
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
