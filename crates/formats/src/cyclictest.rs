//! cyclictest's summary line per thread, or its histogram, and its message when `-b` stopped it
//! (rt-tests, src/cyclictest/cyclictest.c: `print_stat`, `print_hist`, `print_tids`).
//!
//! Microseconds are cut off to whole ones, as the program does.

pub mod json;
pub mod samples;

use std::fmt::Write;

/// The samples of one measuring thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Printed in place of the pid.
    pub id: usize,
    /// SCHED_FIFO priority.
    pub priority: i32,
    /// Time between two samples, us.
    pub interval_us: u64,
    /// The one CPU that it may run on, if it is pinned.
    pub cpu: Option<u32>,
    /// Every latency in order, ns.
    pub latencies_ns: Vec<u64>,
}

/// Which of the program's print options are on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Microseconds of the histogram, `-h`; 0 for none.
    pub histogram: usize,
    /// A column for all threads together, `-H`.
    pub histofall: bool,
    /// The limit of `-b`; 0 for none.
    pub break_us: u64,
    /// The [`Thread::id`] of the thread that passed it first, and its latency in us.
    pub broken: Option<(usize, u64)>,
}

/// The program's `Min:` before the first sample.
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

/// What `set_latency_target` says first, unless an option turns it off.
const LATENCY_TARGET: &str = "# /dev/cpu_dma_latency set to 0us\n";

/// The `T:` lines, or the histogram in their place, then the lines that the options add.
pub fn text(threads: &[Thread], options: Options) -> String {
    let mut text = LATENCY_TARGET.to_owned();
    if options.histogram > 0 {
        let all = options.histofall && threads.len() > 1;
        text.push_str(&histogram(threads, options.histogram, all));
    } else {
        text.push_str(&lines(threads));
    }
    if options.break_us > 0 {
        let ids: String = threads.iter().map(|thread| format!(" {:05}", thread.id)).collect();
        let _ = writeln!(text, "# Thread Ids:{ids}");
    }
    if let Some((id, us)) = options.broken {
        let _ = writeln!(text, "# Break thread: {id}\n# Break value: {us}");
    }
    text
}

fn lines(threads: &[Thread]) -> String {
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
    text
}

/// `-h`: a row per microsecond; `all` adds the column of `-H`, which the rows of minima and
/// averages do not have.
fn histogram(threads: &[Thread], buckets: usize, all: bool) -> String {
    let mut counts: Vec<Vec<u64>> = threads.iter().map(|thread| count(thread, buckets)).collect();
    if all {
        counts.push(
            (0..=buckets).map(|bucket| counts.iter().map(|counts| counts[bucket]).sum()).collect(),
        );
    }
    let mut text = "# Histogram\n".to_owned();
    for bucket in 0..buckets {
        let cells: Vec<String> =
            counts.iter().map(|counts| format!("{:06}", counts[bucket])).collect();
        let _ = writeln!(text, "{bucket:06} {}", cells.join("\t"));
    }
    let line = |title: &str, width: usize, values: Vec<u64>| {
        let cells: String = values.iter().map(|value| format!(" {value:0width$}")).collect();
        format!("# {title}:{cells}\n")
    };
    text.push_str(&line(
        "Total",
        9,
        counts.iter().map(|counts| counts[..buckets].iter().sum()).collect(),
    ));
    text.push_str(&line("Min Latencies", 5, threads.iter().map(Thread::min).collect()));
    text.push_str(&line("Avg Latencies", 5, threads.iter().map(Thread::average).collect()));
    let most = threads.iter().map(Thread::max).max().filter(|_| all);
    text.push_str(&line("Max Latencies", 5, threads.iter().map(Thread::max).chain(most).collect()));
    text.push_str(&line(
        "Histogram Overflows",
        5,
        counts.iter().map(|counts| counts[buckets]).collect(),
    ));
    text.push_str("# Histogram Overflow at cycle number:\n");
    for (index, thread) in threads.iter().enumerate() {
        let cycles: Vec<usize> = thread
            .us()
            .enumerate()
            .filter(|(_, us)| *us >= buckets as u64)
            .map(|(cycle, _)| cycle)
            .collect();
        let (shown, others) = cycles.split_at(buckets.min(cycles.len()));
        let shown: String = shown.iter().map(|cycle| format!(" {cycle:05}")).collect();
        let others = if others.is_empty() {
            String::new()
        } else {
            format!(" # {:05} others", others.len())
        };
        let _ = writeln!(text, "# Thread {index}:{shown}{others}");
    }
    text.push('\n');
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
        let latencies_ns = latencies_ns.to_vec();
        Thread { id, priority: 95, interval_us: 100, cpu: None, latencies_ns }
    }

    #[test]
    fn a_thread_has_one_line_in_whole_microseconds() {
        let text = text(&[thread(0, &[2_999, 12_000, 3_400]), thread(1, &[])], Options::default());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "# /dev/cpu_dma_latency set to 0us");
        assert_eq!(
            lines[1],
            "T: 0 (    0) P:95 I:100 C:      3 Min:      2 Act:    3 Avg:    5 Max:      12"
        );
        assert_eq!(
            lines[2],
            "T: 1 (    1) P:95 I:100 C:      0 Min:1000000 Act:    0 Avg:    0 Max:       0"
        );
    }

    #[test]
    fn the_histogram_counts_every_sample_once_and_takes_the_place_of_the_lines() {
        let histogram = Options { histogram: 3, ..Options::default() };
        let text = text(&[thread(0, &[0, 1_500, 1_999, 7_000]), thread(1, &[2_000])], histogram);
        let tail: Vec<&str> = text.lines().skip(1).collect();
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
                "# Histogram Overflow at cycle number:",
                "# Thread 0: 00003",
                "# Thread 1:",
                "",
            ]
        );
    }

    #[test]
    fn a_column_for_all_threads_stands_where_the_program_has_one() {
        let options = Options { histogram: 2, histofall: true, ..Options::default() };
        let text =
            text(&[thread(0, &[0, 9_000, 9_000, 9_000]), thread(1, &[1_000, 5_000])], options);
        for line in [
            "000000 000001\t000000\t000001\n",
            "# Total: 000000001 000000001 000000002\n",
            "# Min Latencies: 00000 00001\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
        assert!(
            text.contains(
                "# Max Latencies: 00009 00005 00009\n# Histogram Overflows: 00003 00001 00004\n"
            ),
            "{text}"
        );
        assert!(
            text.ends_with("# Thread 0: 00001 00002 # 00001 others\n# Thread 1: 00001\n\n"),
            "{text}"
        );
        let alone = super::text(&[thread(0, &[0])], options);
        assert!(alone.contains("000000 000001\n"), "one thread has no such column: {alone}");
    }

    #[test]
    fn a_broken_run_names_the_thread_and_its_latency() {
        let options = Options { break_us: 8, broken: Some((0, 9)), ..Options::default() };
        assert!(
            text(&[thread(0, &[9_100]), thread(1, &[])], options)
                .ends_with("# Thread Ids: 00000 00001\n# Break thread: 0\n# Break value: 9\n")
        );
        let quiet = Options { broken: None, ..options };
        assert!(text(&[thread(0, &[])], quiet).ends_with("# Thread Ids: 00000\n"));
    }
}
