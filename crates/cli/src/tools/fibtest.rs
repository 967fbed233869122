//! fibtest's line, its threads' lines with -v, and the lines that its wrapper script adds from the
//! control group (indeedeng/fibtest).

use std::fmt::Write as _;

/// The figures that the program and its script print.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Additions of each thread, in order.
    pub iterations: Vec<u64>,
    /// `-v`.
    pub verbose: bool,
    /// nr_throttled and CPU time in ms of its control group, which runfibtest prints; `None` in the
    /// root group.
    pub group: Option<(u64, u64)>,
}

/// The whole output.
pub fn text(run: &Run) -> String {
    let mut text = String::new();
    for iterations in run.iterations.iter().filter(|_| run.verbose) {
        let _ = writeln!(text, "fib[{iterations}] = {} ", fibonacci(*iterations));
    }
    let _ = writeln!(
        text,
        "Iterations Completed(M): {} ",
        run.iterations.iter().sum::<u64>() / 1_000_000
    );
    if let Some((throttled, usage_ms)) = run.group {
        let _ = writeln!(text, "Throttled for: {throttled} \nCPU Usage (msecs) = {usage_ms}");
    }
    text
}

/// The result of `n` additions from 0 and 1 in 64 bits that wrap: fast doubling.
fn fibonacci(n: u64) -> u64 {
    let (mut a, mut b) = (0_u64, 1_u64);
    for bit in (0..u64::BITS).rev() {
        let doubled = (
            a.wrapping_mul(b.wrapping_mul(2).wrapping_sub(a)),
            a.wrapping_mul(a).wrapping_add(b.wrapping_mul(b)),
        );
        (a, b) = if n >> bit & 1 == 1 {
            (doubled.1, doubled.0.wrapping_add(doubled.1))
        } else {
            doubled
        };
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_counts_millions_and_the_script_adds_the_groups_figures() {
        let run = Run { iterations: vec![1_999_900, 200, 900], ..Run::default() };
        assert_eq!(text(&run), "Iterations Completed(M): 2 \n");
        let run = Run { group: Some((49, 271)), ..run };
        assert_eq!(
            text(&run),
            "Iterations Completed(M): 2 \nThrottled for: 49 \nCPU Usage (msecs) = 271\n"
        );
    }

    #[test]
    fn each_thread_says_its_last_number() {
        let run = Run { iterations: vec![10, 93, 94], verbose: true, ..Run::default() };
        // F(93) does not fit into 63 bits, F(94) not into 64.
        assert!(
            text(&run).starts_with(
                "fib[10] = 55 \nfib[93] = 12200160415121876738 \nfib[94] = 1293530146158671551 \n"
            ),
            "{}",
            text(&run)
        );
    }
}
