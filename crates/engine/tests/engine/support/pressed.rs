//! Cases that bring out any difference between work in one piece and work in pieces: instants
//! coincide, and writes are frequent.

use schedscope_engine::machine::costs::Costs;
use schedscope_engine::run::{Options, Progress, Run};

use super::judge::{Row, rows};
use super::live::{self, Play, ready};
use super::random::{Case, Dice};

/// Records after which a run that gets nowhere, where most costs nothing, is given up.
const ENOUGH: u64 = 60_000;

/// `case` with costs of 0 or on a grid, and up to ten times as many writes.
pub fn pressed(case: &Case) -> Case {
    let dice = &mut Dice::new(case.setup.seed.rotate_left(42));
    let mut pressed = case.clone();
    press_costs(dice, &mut pressed.setup.machine.costs);
    // Where everything is free, a task that two stoppers hand to and fro would never get anywhere.
    pressed.setup.kernel.push_running &= !pressed.setup.kernel.rt_push_ipi;
    for _ in 0..dice.below(10) {
        pressed.writes.extend(live::writes(dice, &pressed.setup, true));
    }
    pressed.writes.sort_by_key(|write| write.at_ns);
    pressed
}

fn press_costs(dice: &mut Dice, costs: &mut Costs) {
    let (zeros, grid) = (dice.pick(&[0, 30, 70]), dice.pick(&[1, 250, 1_000]));
    for (name, ns) in costs.values() {
        // Percentages are no times.
        if name.ends_with("_ns") {
            let pressed = if dice.chance(zeros) { 0 } else { ns.next_multiple_of(grid) };
            *costs.field_mut(name).expect("it has just been named") = pressed;
        }
    }
}

/// Whether `case`, pressed, is equal in one piece and in pieces: rows and figures, or the fault
/// that stops it; of a run that is given up, the rows until then.
pub fn pieces_alike(case: &Case) -> Result<(), String> {
    let case = pressed(case);
    let (whole, pieces) = (end(&case, false)?, end(&case, true)?);
    let key = |row: &Row| (row.time, row.kind, row.cpu, row.a, row.b);
    let mut pairs = whole.rows.iter().map(key).zip(pieces.rows.iter().map(key));
    if let Some((one, other)) = pairs.find(|(one, other)| one != other) {
        return Err(format!("pressed, {one:?} in one piece is {other:?} in pieces"));
    }
    let longer_than_whole =
        |end: &End, other: &End| end.report.is_some() && other.rows.len() > end.rows.len();
    if longer_than_whole(&whole, &pieces) || longer_than_whole(&pieces, &whole) {
        return Err("pressed, one run goes on after the end of the other".to_owned());
    }
    if let (Some(whole), Some(pieces)) = (whole.report, pieces.report)
        && whole != pieces
    {
        return Err("pressed, the report in pieces is another".to_owned());
    }
    Ok(())
}

/// The rows and figures of a run.
struct End {
    rows: Vec<Row>,
    /// The figures of the run; `None` if the run was given up.
    report: Option<String>,
}

fn end(case: &Case, in_pieces: bool) -> Result<End, String> {
    let options = Options {
        window: Options::EVERYTHING,
        max_records: ENOUGH,
        check_every: 64,
        in_pieces,
        ..Options::default()
    };
    let mut run = Run::new(&ready(&case.setup, &case.writes), options)?;
    let finished = match Play::new(&case.writes).finish(&mut run) {
        Progress::Finished => true,
        Progress::Limit => false,
        broken => return Err(format!("pressed, {broken:?}")),
    };
    let report =
        finished.then(|| serde_json::to_string(&run.report()).expect("a report is plain data"));
    Ok(End { rows: rows(&run.take_trace()), report })
}
