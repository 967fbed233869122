//! A run that charges the waits of preempted tasks: its rows and figures are those of the other
//! run, each wait adds up, and start and cause are those that the run without charges reports.

use schedscope_engine::account::unfinished::{OpenWait, Waiting};
use schedscope_engine::run::{Options, Run};

use super::interrupted::same_end;
use super::judge::Written;
use super::live::{Play, STEPS_BOUND, ready};
use super::random::{Case, Dice};

/// Looks at the waits of one run.
const LOOKS: u64 = 24;

/// Whether `case`, charged, ends as `whole` did, and its waits, looked at on the way in the middle
/// of any instant, add up.
pub fn charged_alike(case: &Case, whole: &Written) -> Result<(), String> {
    let dice = &mut Dice::new(case.setup.seed.rotate_left(43));
    let options = |charge_preempted, check_every| Options {
        window: Options::EVERYTHING,
        max_records: STEPS_BOUND,
        check_every,
        charge_preempted,
        ..Options::default()
    };
    let setup = ready(&case.setup, &case.writes);
    let (mut run, mut plain) =
        (Run::new(&setup, options(true, 1))?, Run::new(&setup, options(false, 1 << 20))?);
    let (mut play, mut beside) = (Play::new(&case.writes), Play::new(&case.writes));
    let mut looks: Vec<u64> = (0..LOOKS).map(|_| dice.below(whole.report.records + 1)).collect();
    looks.sort_unstable();
    for records in looks {
        play.advance(&mut run, records);
        beside.advance(&mut plain, records);
        let (charged, plain) = (run.open_waits(), plain.open_waits());
        if charged.len() != plain.len() {
            return Err(format!("charged, {charged:?} wait, else {plain:?}"));
        }
        for (wait, uncharged) in charged.iter().zip(&plain) {
            adds_up(wait, run.now())?;
            // A later event of this instant may change the cause.
            same_wait(wait, uncharged, run.has_reached(run.now()))
                .map_err(|what| format!("at {}: {what}", run.now()))?;
        }
    }
    same_end(run, play, whole, 0)
}

/// Whether both are since the same instant and, where it is `settled`, for the same cause.
fn same_wait(charged: &OpenWait, plain: &OpenWait, settled: bool) -> Result<(), String> {
    let cause = if settled { plain.cause } else { charged.cause };
    let expected = OpenWait { cause, segments: charged.segments.clone(), ..plain.clone() };
    if *charged == expected {
        return Ok(());
    }
    Err(format!("charged, a wait is {charged:?}, else {plain:?}"))
}

fn adds_up(wait: &OpenWait, now: u64) -> Result<(), String> {
    let sum: u64 = wait.segments.iter().map(|(_, ns)| ns).sum();
    if sum != now - wait.due {
        return Err(format!("at {now}: {wait:?} sums to {sum} ns"));
    }
    if wait.waiting == Waiting::Preempted && wait.nth.is_some() {
        return Err(format!("at {now}: {wait:?} is a sample"));
    }
    Ok(())
}
