//! The cost of merging late rows into order of time, compared with rows that come in order: the
//! measurement behind docs/develop/decisions/0028.
//!
//! `cargo run --release --package schedscope-engine --example late_rows`

#![expect(clippy::disallowed_types, reason = "it measures, and simulates nothing")]

use std::hint::black_box;
use std::time::Instant;

/// A row of the trace, as large as those of the log.
#[derive(Clone, Copy)]
struct Row {
    time: u64,
    _rest: [u64; 2],
}

const ROWS: usize = 8_000_000;
const ROUNDS: usize = 7;
/// Rows between two catch-ups on skipped ticks: 40 CPUs of cyclictest write this many in 1 ms.
const BLOCK: usize = 11_500;
/// One row in this many is a tick's: 2.2 %.
const LATE_OF: usize = 45;

fn main() {
    let rows: Vec<Row> = (0..ROWS as u64).map(|time| Row { time, _rest: [time; 2] }).collect();
    let in_order = ns_a_row(&rows, append);
    let merged = ns_a_row(&rows, merge_late);
    println!("appended in order        {in_order:.1} ns a row");
    println!("late rows merged in      {merged:.1} ns a row");
    println!("the difference           {:.1} ns a row", merged - in_order);
}

/// The least of a few rounds into memory that the process has.
fn ns_a_row(rows: &[Row], write: fn(&[Row], &mut Vec<Row>)) -> f64 {
    let mut log = Vec::with_capacity(rows.len());
    let rounds = (0..ROUNDS).map(|_| {
        log.clear();
        let begin = Instant::now();
        write(black_box(rows), &mut log);
        let ns = begin.elapsed().as_nanos() as f64;
        assert!(log.iter().zip(rows).all(|(one, other)| one.time == other.time));
        ns / rows.len() as f64
    });
    rounds.fold(f64::INFINITY, f64::min)
}

fn append(rows: &[Row], log: &mut Vec<Row>) {
    for row in rows {
        log.push(black_box(*row));
    }
}

/// Late rows wait in a list of their own; at each look they are merged in from behind, so that a
/// row moves once.
fn merge_late(rows: &[Row], log: &mut Vec<Row>) {
    let mut late = Vec::new();
    for block in rows.chunks(BLOCK) {
        for (nth, row) in block.iter().enumerate() {
            let list = if nth % LATE_OF == 0 { &mut late } else { &mut *log };
            list.push(black_box(*row));
        }
        let (mut from, mut to) = (log.len(), log.len() + late.len());
        log.resize(to, Row { time: 0, _rest: [0; 2] });
        while let Some(row) = late.last() {
            to -= 1;
            if from > 0 && log[from - 1].time > row.time {
                from -= 1;
                log[to] = log[from];
            } else {
                log[to] = *row;
                late.pop();
            }
        }
    }
}
