//! rt-migrate-test's three rows per iteration, its summary per task, and its pass check (rt-tests;
//! Rostedt 2007).
//!
//! The program reads gettimeofday(), so every figure is a difference of whole microseconds.

use std::fmt::Write;

use schedscope_engine::trace::columns::Activation;

/// The record of one thread in one iteration, us after the parent's time stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// First look at the clock.
    pub start_us: u64,
    /// Last look.
    pub len_us: u64,
    /// Rounds of the busy loop.
    pub loops: u64,
}

impl Record {
    /// The record that the thread of this activation would have made.
    pub fn of(activation: &Activation) -> Self {
        let us = |ns: u64| (ns / 1_000).saturating_sub(activation.due_ns / 1_000);
        Self {
            start_us: us(activation.start_ns),
            len_us: us(activation.end_ns),
            loops: activation.loops,
        }
    }
}

/// The program's options that shape its output.
#[derive(Clone, Debug)]
pub struct Options {
    /// The parent's number in the run, printed in place of its pid.
    pub parent: usize,
    /// The number in the run and the rt_priority of each thread.
    pub tasks: Vec<(usize, i32)>,
    /// `-m`, us.
    pub max_err_us: u64,
    /// `-c`.
    pub check: bool,
}

/// Whether iteration `records` fails `-c`: a stronger thread started too long after the one below
/// it, and neither its rounds nor its end say that it ran all the same.
pub fn fails(records: &[Record], max_err_us: u64) -> bool {
    records.windows(2).any(|pair| {
        let (weaker, stronger) = (pair[0], pair[1]);
        let late = stronger.start_us > weaker.start_us + max_err_us;
        late && (stronger.loops < weaker.loops
            || stronger.start_us > weaker.len_us
            || stronger.len_us > weaker.len_us + max_err_us)
    })
}

/// The whole output for `iterations`, each a record per thread, weakest first.
pub fn text(iterations: &[Vec<Record>], options: &Options) -> String {
    let failed = if options.check {
        iterations.iter().position(|records| fails(records, options.max_err_us))
    } else {
        None
    };
    // With -c the program stops after the first failure.
    let shown = &iterations[..failed.map_or(iterations.len(), |at| at + 1)];
    let cells = |values: &mut dyn Iterator<Item = u64>| {
        values.map(|value| format!("{value:6}  ")).collect::<String>()
    };
    let mut text = format!("Iter: {}\n", cells(&mut (0..options.tasks.len() as u64)));
    for (index, records) in shown.iter().enumerate() {
        let _ = writeln!(
            text,
            "{index:4}:   {}",
            cells(&mut records.iter().map(|record| record.start_us))
        );
        let _ =
            writeln!(text, " len:   {}", cells(&mut records.iter().map(|record| record.len_us)));
        let _ =
            writeln!(text, " loops: {}\n", cells(&mut records.iter().map(|record| record.loops)));
    }
    let _ = writeln!(text, "Parent pid: {}", options.parent);
    for (task, (pid, priority)) in options.tasks.iter().enumerate() {
        text.push_str(&summary(shown, task, *pid, *priority));
    }
    match (options.check, failed) {
        (false, _) => {}
        (true, None) => text.push_str(" Passed!\n"),
        (true, Some(_)) => text.push_str(" Failed!\n"),
    }
    text
}

fn summary(iterations: &[Vec<Record>], task: usize, pid: usize, priority: i32) -> String {
    let starts: Vec<u64> = iterations
        .iter()
        .filter_map(|records| records.get(task))
        .map(|record| record.start_us)
        .collect();
    let (max, min, total) = (starts.iter().max(), starts.iter().min(), starts.iter().sum::<u64>());
    format!(
        " Task {task} (prio {priority}) (pid {pid}):\n   Max: {} us\n   Min: {} us\n   Tot: \
            {total} us\n   Avg: {} us\n\n",
        max.unwrap_or(&0),
        min.unwrap_or(&0),
        total / (starts.len() as u64).max(1)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(rows: [&[u64]; 3]) -> Vec<Record> {
        (0..rows[0].len())
            .map(|task| Record {
                start_us: rows[0][task],
                len_us: rows[1][task],
                loops: rows[2][task],
            })
            .collect()
    }

    /// Rostedt 2007: a passive run's first iteration, then two of the active balancing.
    fn of_the_thread() -> [Vec<Record>; 3] {
        [
            records([
                &[36, 33, 20041, 39, 33],
                &[20036, 20033, 40041, 20039, 20033],
                &[167789, 167693, 227167, 167829, 167814],
            ]),
            records([
                &[20060, 61, 55, 56, 61],
                &[40060, 20061, 20055, 20056, 20061],
                &[227255, 146050, 168104, 145965, 168144],
            ]),
            records([
                &[40, 46, 31, 35, 42],
                &[20040, 20046, 20031, 20035, 20042],
                &[28, 167769, 167781, 167668, 167804],
            ]),
        ]
    }

    #[test]
    fn the_check_judges_the_threads_own_rows_as_the_thread_does() {
        let judged = of_the_thread().map(|records| fails(&records, 1_000));
        assert_eq!(judged, [true, false, false]);
    }

    #[test]
    fn rows_stand_as_the_program_prints_them_and_a_failure_stops_it() {
        let [passive, first, second] = of_the_thread();
        let options = Options {
            parent: 5,
            tasks: (0..5).zip(2..7).collect(),
            max_err_us: 1_000,
            check: true,
        };
        let passed = text(&[first.clone(), second], &options);
        let lines: Vec<&str> = passed.lines().map(str::trim_end).collect();
        assert_eq!(lines[0], "Iter:      0       1       2       3       4");
        assert_eq!(lines[1], "   0:    20060      61      55      56      61");
        assert_eq!(lines[2], " len:    40060   20061   20055   20056   20061");
        assert_eq!(lines[3], " loops: 227255  146050  168104  145965  168144");
        assert!(passed.contains(
            "Parent pid: 5\n Task 0 (prio 2) (pid 0):\n   Max: 20060 us\n   Min: 40 us\n   \
                    Tot: 20100 us\n   Avg: 10050 us\n"
        ));
        assert!(passed.ends_with(" Passed!\n"));
        let failed = text(&[passive, first], &options);
        assert!(failed.ends_with(" Failed!\n") && !failed.contains("20060"), "{failed}");
        assert!(!text(&[], &Options { check: false, ..options }).contains('!'));
    }

    #[test]
    fn figures_are_differences_of_whole_microseconds() {
        let activation =
            Activation { due_ns: 1_999, start_ns: 37_001, end_ns: 20_037_000, loops: 7 };
        assert_eq!(Record::of(&activation), Record { start_us: 36, len_us: 20_036, loops: 7 });
    }
}
