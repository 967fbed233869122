//! The time between two readings, by the text's dates and pauses, and what cannot have happened in
//! it.

use crate::words::amounts;
use crate::words::case::{Case, Instant};
use crate::words::counters::Happened;
use crate::words::limit::Limit;

/// Dates are whole seconds, and a reading comes a little after its date, s.
const EDGE_S: f64 = 2.0;
const DAY_S: f64 = 86_400.0;

/// Says how long it was between the readings of a group, where the text has it, and whether its
/// counters can be of that time.
pub(super) fn holds(case: &mut Case, from: usize, limit: &Limit, cpus: Option<u32>) -> bool {
    let counters = &case.groups.all[from].counters;
    let (readings, happened) = (counters.len(), Happened::of(counters));
    let (Some(elapsed), Ok(happened)) = (elapsed(case, readings), happened) else { return true };
    let (Elapsed::Dates(s) | Elapsed::Pause(s)) = elapsed;
    let span = amounts::time(s * 1e6);
    let Elapsed::Dates(_) = elapsed else {
        case.say(format!("At least {span} passed between the readings: the text sleeps so long."));
        return true;
    };
    if s <= 0.0 {
        case.doubt("The date of the second reading is not later than that of the first.");
        return false;
    }
    let periods = happened.periods;
    let most = (s + EDGE_S) * 1e6 / limit.period_us as f64;
    case.say(format!("{span} passed between the readings, by their dates."));
    if periods > most * 1.02 {
        case.doubt(format!(
            "nr_periods grew by {periods}, but {span} have only {} periods of {}: the period was \
             another one, or these are not two readings of one group.",
            (s * 1e6 / limit.period_us as f64).round(),
            amounts::time(limit.period_us as f64)
        ));
        return false;
    }
    let usage = happened.usage_us.zip(cpus);
    let most = |cpus: u32| (s + EDGE_S) * 1e6 * f64::from(cpus);
    if let Some((usage, cpus)) = usage.filter(|(usage, cpus)| *usage > most(*cpus)) {
        case.doubt(format!(
            "{} of CPU time in {span} is more than {} can give.",
            amounts::time(usage),
            amounts::cpus(f64::from(cpus))
        ));
        return false;
    }
    let idle = (s - EDGE_S) * 1e6 / limit.period_us as f64 - periods;
    if idle > 0.1 * periods {
        case.say(
            "Fewer periods were counted than passed: the counters stop while nothing of the group \
             runs.",
        );
    }
    true
}

#[derive(Clone, Copy)]
enum Elapsed {
    /// Between two dates, s.
    Dates(f64),
    /// What is slept, s: at least so long.
    Pause(f64),
}

/// The time between the first and the last of so many readings. Dates come before the readings, or
/// after each.
fn elapsed(case: &Case, readings: usize) -> Option<Elapsed> {
    let most = case.groups.all.iter().map(|group| group.counters.len()).max()?;
    if readings < 2 || readings != most {
        return None;
    }
    let date = |at: usize| {
        let mut all = case.clock.iter().rev().filter(|clock| clock.readings == at);
        all.find_map(|clock| match clock.says {
            Instant::Date(s) => Some(s),
            Instant::Pause(_) => None,
        })
    };
    let between = |first: usize, last: usize| Some(date(last)? - date(first)?);
    if let Some(s) = between(0, readings - 1).or_else(|| between(1, readings)) {
        let is_of_day = case.clock.iter().all(|clock| match clock.says {
            Instant::Date(s) | Instant::Pause(s) => s < DAY_S,
        });
        // A time without a day: midnight came between them.
        return Some(Elapsed::Dates(if is_of_day && s < 0.0 { s + DAY_S } else { s }));
    }
    let pauses: Vec<f64> = case
        .clock
        .iter()
        .filter(|clock| clock.readings < readings)
        .filter_map(|clock| match clock.says {
            Instant::Pause(s) => Some(s),
            Instant::Date(_) => None,
        })
        .collect();
    match pauses[..] {
        [pause] if readings == 2 => Some(Elapsed::Pause(pause)),
        _ => None,
    }
}
