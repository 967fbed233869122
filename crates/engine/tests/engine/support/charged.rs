//! A run in which what preempted tasks wait for is charged: nothing of it is another, and each wait
//! adds up.

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
    let options = Options {
        window: Options::EVERYTHING,
        max_records: STEPS_BOUND,
        check_every: 1,
        charge_preempted: true,
        ..Options::default()
    };
    let mut run = Run::new(&ready(&case.setup, &case.writes), options)?;
    let mut play = Play::new(&case.writes);
    let mut looks: Vec<u64> = (0..LOOKS).map(|_| dice.below(whole.report.records + 1)).collect();
    looks.sort_unstable();
    for records in looks {
        play.advance(&mut run, records);
        run.open_waits().iter().try_for_each(|wait| adds_up(wait, run.now()))?;
    }
    same_end(run, play, whole, 0)
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
