//! schbench's percentiles of wake-ups, requests and requests per second, and its scheduling delays
//! (schbench, end of a run).
//!
//! The program sorts its samples into buckets that widen with their size; here percentiles are
//! exact. It also computes the 20th percentile, but prints it only for requests per second. The
//! number of samples after each other percentile counts those since the percentile before.

use std::fmt::Write;

use schedscope_scenario::statistics::rank;

/// One set of samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Samples {
    pub count: u64,
    /// At 50, 90, 99 and 99.9 %, ns.
    pub percentiles_ns: [u64; 4],
    pub min_ns: u64,
    pub max_ns: u64,
}

/// The measured figures.
#[derive(Clone, Debug)]
pub struct Run {
    /// Machine time, ns.
    pub runtime_ns: u64,
    /// From the message thread's time stamp to the worker's first look.
    pub wakeup: Samples,
    /// From there to the end of its work.
    pub request: Samples,
    /// Requests of all workers.
    pub requests: u64,
    /// Requests per second as its main thread sees them: a 0 at the start, then once a second and
    /// at the end.
    pub rps: Vec<u64>,
    /// Time runnable per stint on a CPU, ns: the mean of the message threads, and of the workers.
    pub sched_delay_ns: [u64; 2],
}

/// A percentile in thousandths, and the value at it.
type Row = (u64, u64);

/// The whole output.
pub fn text(run: &Run) -> String {
    let seconds = run.runtime_ns / 1_000_000_000;
    let rps = u128::from(run.requests) * 100_000_000_000 / u128::from(run.runtime_ns.max(1));
    let mut text = latencies("Wakeup", seconds, &run.wakeup);
    text.push_str(&latencies("Request", seconds, &run.request));
    text.push_str(&per_second(seconds, &run.rps));
    let _ = writeln!(text, "average rps: {}.{:02}", rps / 100, rps % 100);
    let [message, worker] = run.sched_delay_ns.map(|ns| ns / 1_000);
    let _ = writeln!(text, "sched delay: message {message} (usec) worker {worker} (usec)");
    text
}

fn latencies(label: &str, seconds: u64, samples: &Samples) -> String {
    let [p50, p90, p99, p999] = samples.percentiles_ns.map(|ns| ns / 1_000);
    let mut text = format!(
        "{label} Latencies percentiles (usec) runtime {seconds} (s) ({} total samples)\n",
        samples.count
    );
    text.push_str(&rows(
        samples.count,
        200,
        &[(500, p50), (900, p90), (990, p99), (999, p999)],
        990,
    ));
    let _ = writeln!(text, "\t  min={}, max={}", samples.min_ns / 1_000, samples.max_ns / 1_000);
    text
}

fn per_second(seconds: u64, samples: &[u64]) -> String {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    let count = sorted.len() as u64;
    let value = |per_mille: u64| {
        (
            per_mille,
            sorted.get(rank(count, per_mille).saturating_sub(1) as usize).copied().unwrap_or(0),
        )
    };
    let mut text =
        format!("RPS percentiles (requests) runtime {seconds} (s) ({count} total samples)\n");
    text.push_str(&rows(count, 0, &[value(200), value(500), value(900)], 500));
    // A least of 0 counts as none yet, so the sample at the start never stays.
    let least = samples.iter().filter(|rps| **rps > 0).min().unwrap_or(&0);
    let _ = writeln!(text, "\t  min={least}, max={}", sorted.last().unwrap_or(&0));
    text
}

/// A line per percentile with the samples since the one before; `before` is the one before the
/// first.
fn rows(count: u64, before: u64, rows: &[Row], star: u64) -> String {
    let mut text = String::new();
    let mut below = rank(count, before);
    for (per_mille, value) in rows {
        let up_to = rank(count, *per_mille);
        let mark = if *per_mille == star { "* " } else { "  " };
        let _ = writeln!(
            text,
            "\t{mark}{}.{}th: {value:<10} ({} samples)",
            per_mille / 10,
            per_mille % 10,
            up_to - below
        );
        below = up_to;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> Run {
        let wakeup = Samples {
            count: 2_000,
            percentiles_ns: [6_100, 8_999, 11_000, 15_000],
            min_ns: 2_000,
            max_ns: 90_500,
        };
        let (rps, sched_delay_ns) = (vec![0, 940, 950, 946, 948], [2_999, 3_000]);
        Run {
            runtime_ns: 30_000_000_000,
            wakeup,
            request: Samples::default(),
            requests: 28_455,
            rps,
            sched_delay_ns,
        }
    }

    #[test]
    fn percentiles_stand_in_whole_microseconds_with_the_samples_since_the_one_before_the_hidden_20th_included()
     {
        let lines = text(&run());
        let head = "Wakeup Latencies percentiles (usec) runtime 30 (s) (2000 total samples)\n\t  \
            50.0th: 6          (600 samples)\n";
        assert!(lines.starts_with(head), "{lines}");
        assert!(lines.contains(
            "\t  90.0th: 8          (800 samples)\n\t* 99.0th: 11         (180 samples)\n\t  \
                    99.9th: 15         (18 samples)\n"
        ));
        assert!(lines.contains(
            "\t  min=2, max=90\nRequest Latencies percentiles (usec) runtime 30 \
            (s) (0 total samples)\n"
        ));
    }

    #[test]
    fn requests_per_second_and_the_delays_of_the_scheduler_come_last() {
        let tail = "RPS percentiles (requests) runtime 30 (s) (5 total samples)\n\t  20.0th: \
            0          (1 samples)\n\
                    \t* 50.0th: 946        (2 samples)\n\t  90.0th: 950        (2 samples)\n\t  \
                    min=940, max=950\n\
                    average rps: 948.50\nsched delay: message 2 (usec) worker 3 (usec)\n";
        assert!(text(&run()).ends_with(tail), "{}", text(&run()));
    }
}
