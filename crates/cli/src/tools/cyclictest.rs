//! cyclictest's summary line per thread, and its histogram (rt-tests, `print_stat` and `-h`).
//!
//! Whole microseconds, cut off, as the program computes them.

use std::fmt::Write;

/// What one measuring thread saw.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its number in the run; stands where the program prints its pid.
    pub id: usize,
    /// SCHED_FIFO priority.
    pub priority: i32,
    /// Interval, us.
    pub interval_us: u64,
    /// Every latency in order, ns.
    pub latencies_ns: Vec<u64>,
}

/// What the program's `Min:` shows before the first sample.
const MIN_AT_START_US: u64 = 1_000_000;

impl Thread {
    fn us(&self) -> impl Iterator<Item = u64> + '_ {
        self.latencies_ns.iter().map(|ns| ns / 1_000)
    }
    fn min(&self) -> u64 {
        self.us().min().unwrap_or(MIN_AT_START_US)
    }
    fn max(&self) -> u64 {
        self.us().max().unwrap_or(0)
    }
    fn average(&self) -> u64 {
        self.us().sum::<u64>() / (self.latencies_ns.len() as u64).max(1)
    }
}

/// The `T:` lines, and the histogram of `buckets` microseconds if there are any.
pub fn text(threads: &[Thread], buckets: usize) -> String {
    let mut text = String::new();
    for (index, thread) in threads.iter().enumerate() {
        let last = thread.us().last().unwrap_or(0);
        let _ = writeln!(
            text,
            "T:{index:2} ({:5}) P:{:2} I:{} C:{:7} Min:{:7} Act:{last:5} Avg:{:5} Max:{:8}",
            thread.id,
            thread.priority,
            thread.interval_us,
            thread.latencies_ns.len(),
            thread.min(),
            thread.average(),
            thread.max()
        );
    }
    if buckets > 0 {
        text.push_str(&histogram(threads, buckets));
    }
    text
}

fn histogram(threads: &[Thread], buckets: usize) -> String {
    let counts: Vec<Vec<u64>> = threads.iter().map(|thread| count(thread, buckets)).collect();
    let mut text = "# Histogram\n".to_owned();
    for bucket in 0..buckets {
        let cells: Vec<String> = counts.iter().map(|counts| format!("{:06}", counts[bucket])).collect();
        let _ = writeln!(text, "{bucket:06} {}", cells.join("\t"));
    }
    let line = |title: &str, width: usize, values: Vec<u64>| {
        let cells: String = values.iter().map(|value| format!(" {value:0width$}")).collect();
        format!("# {title}:{cells}\n")
    };
    text.push_str(&line("Total", 9, counts.iter().map(|counts| counts[..buckets].iter().sum()).collect()));
    text.push_str(&line("Min Latencies", 5, threads.iter().map(Thread::min).collect()));
    text.push_str(&line("Avg Latencies", 5, threads.iter().map(Thread::average).collect()));
    text.push_str(&line("Max Latencies", 5, threads.iter().map(Thread::max).collect()));
    text.push_str(&line("Histogram Overflows", 5, counts.iter().map(|counts| counts[buckets]).collect()));
    text
}

/// Samples per microsecond; the last element counts those past the end.
fn count(thread: &Thread, buckets: usize) -> Vec<u64> {
    let mut counts = vec![0; buckets + 1];
    thread.us().for_each(|us| counts[usize::try_from(us).unwrap_or(buckets).min(buckets)] += 1);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread(id: usize, latencies_ns: &[u64]) -> Thread {
        Thread { id, priority: 95, interval_us: 100, latencies_ns: latencies_ns.to_vec() }
    }

    #[test]
    fn a_thread_has_one_line_in_whole_microseconds() {
        let text = text(&[thread(0, &[2_999, 12_000, 3_400]), thread(1, &[])], 0);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "T: 0 (    0) P:95 I:100 C:      3 Min:      2 Act:    3 Avg:    5 Max:      12");
        assert_eq!(lines[1], "T: 1 (    1) P:95 I:100 C:      0 Min:1000000 Act:    0 Avg:    0 Max:       0");
    }

    #[test]
    fn the_histogram_counts_every_sample_once() {
        let text = text(&[thread(0, &[0, 1_500, 1_999, 7_000]), thread(1, &[2_000])], 3);
        let tail: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            tail,
            [
                "# Histogram",
                "000000 000001\t000000",
                "000001 000002\t000000",
                "000002 000000\t000001",
                "# Total: 000000003 000000001",
                "# Min Latencies: 00000 00002",
                "# Avg Latencies: 00002 00002",
                "# Max Latencies: 00007 00002",
                "# Histogram Overflows: 00001 00000",
            ]
        );
    }
}
