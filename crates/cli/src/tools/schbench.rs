//! schbench's percentiles of wake-ups and requests (schbench, end of a run).
//!
//! The program sorts its samples into buckets that widen with their size; here percentiles are exact.

use std::fmt::Write;

/// One set of samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Samples {
    /// How many.
    pub count: u64,
    /// At 50, 90, 99 and 99.9 %, ns.
    pub percentiles_ns: [u64; 4],
    /// Least, ns.
    pub min_ns: u64,
    /// Greatest, ns.
    pub max_ns: u64,
}

/// What the program measured.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Machine time, ns.
    pub runtime_ns: u64,
    /// From the message thread's time stamp to the worker's first look.
    pub wakeup: Samples,
    /// From there to the end of its work.
    pub request: Samples,
    /// Requests of all workers.
    pub requests: u64,
}

/// The whole output.
pub fn text(run: &Run) -> String {
    let seconds = run.runtime_ns / 1_000_000_000;
    let rps = u128::from(run.requests) * 100_000_000_000 / u128::from(run.runtime_ns.max(1));
    let mut text = latencies("Wakeup", seconds, &run.wakeup);
    text.push_str(&latencies("Request", seconds, &run.request));
    let _ = writeln!(text, "average rps: {}.{:02}", rps / 100, rps % 100);
    text
}

fn latencies(label: &str, seconds: u64, samples: &Samples) -> String {
    const PER_MILLE: [u64; 4] = [500, 900, 990, 999];
    let mut text = format!("{label} Latencies percentiles (usec) runtime {seconds} (s) ({} total samples)\n", samples.count);
    let mut below = 0;
    for (per_mille, ns) in PER_MILLE.into_iter().zip(samples.percentiles_ns) {
        let up_to = (samples.count * per_mille).div_ceil(1_000);
        let star = if per_mille == 990 { "* " } else { "  " };
        let _ = writeln!(text, "\t{star}{}.{}th: {:<10} ({} samples)", per_mille / 10, per_mille % 10, ns / 1_000, up_to - below);
        below = up_to;
    }
    let _ = writeln!(text, "\t  min={}, max={}", samples.min_ns / 1_000, samples.max_ns / 1_000);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_stand_in_whole_microseconds_with_the_samples_between_them() {
        let wakeup = Samples { count: 2_000, percentiles_ns: [6_100, 8_999, 11_000, 15_000], min_ns: 2_000, max_ns: 90_500 };
        let run = Run { runtime_ns: 30_000_000_000, wakeup, request: Samples::default(), requests: 28_455 };
        let lines = text(&run);
        let head = "Wakeup Latencies percentiles (usec) runtime 30 (s) (2000 total samples)\n\t  50.0th: 6          (1000 samples)\n";
        assert!(lines.starts_with(head), "{lines}");
        assert!(
            lines.contains(
                "\t  90.0th: 8          (800 samples)\n\t* 99.0th: 11         (180 samples)\n\t  99.9th: 15         (18 samples)\n"
            )
        );
        assert!(lines.contains("\t  min=2, max=90\nRequest Latencies percentiles (usec) runtime 30 (s) (0 total samples)\n"));
        assert!(lines.ends_with("average rps: 948.50\n"));
    }
}
