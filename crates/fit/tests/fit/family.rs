//! Round trips: a program runs, its cpu.stat is pasted with its limit, and the range of limits is
//! held against what the program itself needs.

use schedscope_fit::{Fitting, Wish, limits};
use schedscope_formats::words::{self, Bursts, Limit};

use crate::support::{Drawn, cpu_stat, program, ran};

/// The smallest quota of the simulator, us, to a hundredth.
fn true_quota(bursts: &Bursts, limit: &Limit, bound_us: f64) -> u64 {
    let holds =
        |quota_us: u64| ran(bursts, &Limit { quota_us, ..*limit }, 1).longest_us <= bound_us;
    let (mut low, mut high) = (1_000, u64::from(bursts.threads) * 110_000);
    while high - low > high / 100 {
        let middle = low.midpoint(high);
        if holds(middle) { high = middle } else { low = middle }
    }
    high
}

/// The fit of what a run of the program counted; none where it is hardly throttled.
fn fitted(bursts: &Bursts, limit: &Limit, wish: Wish) -> Option<Fitting> {
    let was = ran(bursts, limit, 1);
    if was.throttled < 5.0 {
        return None;
    }
    let text = format!("cpu.max {}\n{}", limit.cpu_max(), cpu_stat(&was));
    let reading = words::read(&text).expect("short");
    assert!(reading.doubts.is_empty(), "{bursts:?} under {limit:?}: {:?}", reading.doubts);
    let mut fitting = Fitting::new(&reading.chosen.expect("a group"), wish)?;
    while let Some(asked) = fitting.next_run() {
        fitting.hear(ran(&asked.bursts, &asked.limit, 1));
    }
    Some(fitting)
}

/// Whether the range holds the program's own need.
fn holds(bursts: &Bursts, limit: &Limit, fitting: &Fitting) -> bool {
    let truth = true_quota(bursts, limit, limits::undelayed_us(bursts));
    let range = fitting.range().map(|range| (range.low, range.high));
    println!("{} under {}: {range:?}, true {truth}", bursts.words(), limit.cpu_max());
    range.is_some_and(|(low, high)| low <= truth && truth <= high)
}

#[test]
fn the_range_holds_the_true_limit_of_bursts_over_several_periods() {
    let bursts = Bursts { threads: 4, work_us: 60_000, every_us: 330_000, steady_us: 0 };
    let limit = Limit::of_quota(100_000);
    let fitting = fitted(&bursts, &limit, Wish::default()).unwrap();
    assert!(holds(&bursts, &limit, &fitting));
    // Half of what it needs, 124.5 ms, was once the answer.
    assert!(fitting.range().unwrap().high > 240_000);
    // The range narrows around the truth where one burst was measured.
    let wide = fitting.range().unwrap();
    let wish = Wish { burst_us: Some(60_000.0), ..Wish::default() };
    let narrow = fitted(&bursts, &limit, wish).unwrap();
    assert!(holds(&bursts, &limit, &narrow));
    let width = |low: u64, high: u64| high as f64 / low as f64;
    let narrowed = narrow.range().unwrap();
    assert!(width(narrowed.low, narrowed.high) < 0.7 * width(wide.low, wide.high));
}

#[test]
fn the_range_holds_the_true_limit_in_19_of_20_round_trips() {
    let is_long = std::env::var("CLAIMS").is_ok_and(|value| value == "long");
    let trips = if is_long { 200 } else { 8 };
    let mut drawn = Drawn(0x1234_5678_9abc_def1);
    let (mut asked, mut held, mut close) = (0, 0, 0);
    while asked < trips {
        let (bursts, limit) = program(&mut drawn);
        let Some(fitting) = fitted(&bursts, &limit, Wish::default()) else { continue };
        asked += 1;
        held += u32::from(holds(&bursts, &limit, &fitting));
        close += u32::from(fitting.best().is_some_and(|best| best.off <= 1.0));
    }
    println!("{held} of {asked} held, {close} close");
    assert!(held * 20 >= asked * 19, "{held} of {asked}");
    assert!(close * 20 >= asked * 19, "{close} of {asked} fits are close");
}
