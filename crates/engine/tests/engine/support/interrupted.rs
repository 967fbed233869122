//! A run played once more in another way: taken back to a snapshot of its own or gone on as a fork
//! from the middle of any instant, or step by step. Its end is the same.

use schedscope_engine::run::{Options, Progress, Run};

use super::judge::{Row, Written, rows};
use super::live::{Play, STEPS_BOUND, ready};
use super::random::{Case, Dice};
use super::reach::Second;

/// Whether `other` ends as `whole` did: every figure, and every row after the first `before`.
pub(super) fn same_end(
    mut other: Run,
    mut play: Play<'_>,
    whole: &Written,
    before: usize,
) -> Result<(), String> {
    match play.finish(&mut other) {
        Progress::Finished => {}
        ended => return Err(format!("played again: {ended:?}")),
    }
    let rows = rows(&other.take_trace());
    let key = |row: &Row| (row.time, row.kind, row.cpu, row.a, row.b);
    let mut pairs = whole.rows[before..].iter().map(key).zip(rows.iter().map(key));
    if let Some((row, again)) = pairs.find(|(row, again)| row != again) {
        return Err(format!("played again, {row:?} is {again:?}"));
    }
    if whole.rows.len() - before != rows.len() {
        return Err("played again, the number of rows is another".to_owned());
    }
    let figures = |report| serde_json::to_string(report).expect("a report is plain data");
    let same = figures(&other.report()) == figures(&whole.report);
    if same { Ok(()) } else { Err("played again, the report is another".to_owned()) }
}

/// Plays `case` once more, `how`: step by step, or with a snapshot at a random event after which it
/// runs on for a while and is ended from the snapshot.
pub fn ends_alike(case: &Case, whole: &Written, how: Second) -> Result<(), String> {
    let dice = &mut Dice::new(case.setup.seed.rotate_left(41));
    let options = Options {
        window: Options::EVERYTHING,
        max_records: STEPS_BOUND,
        check_every: 64,
        in_pieces: how == Second::InPieces,
        ..Options::default()
    };
    let mut run = Run::new(&ready(&case.setup, &case.writes), options)?;
    let mut play = Play::new(&case.writes);
    if how == Second::InPieces {
        return same_end(run, play, whole, 0);
    }
    play.advance(&mut run, dice.below(whole.report.records + 1));
    let (snapshot, before) = (run.snapshot(), run.take_trace().time.len());
    let mut astray = play.clone();
    let further = run.records() + dice.below(5_000);
    astray.advance(&mut run, further);
    if how == Second::Forked {
        return same_end(run.fork(&snapshot), play, whole, before);
    }
    run.restore(&snapshot);
    same_end(run, play, whole, before)
}
