//! The result of perf bench sched pipe, in its default format.

/// The measured figures.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Round trips.
    pub loops: u64,
    /// `-T`.
    pub threaded: bool,
    /// All of them together, ns; `None` if the run ended before.
    pub elapsed_ns: Option<u64>,
}

/// The whole output.
pub fn text(run: &Run) -> String {
    let Some(elapsed_ns) = run.elapsed_ns else { return super::UNFINISHED.to_owned() };
    let (loops, us) = (u128::from(run.loops.max(1)), u128::from(elapsed_ns / 1_000));
    let millionths = (us * 1_000_000 + loops / 2) / loops;
    format!(
        "# Running 'sched/pipe' benchmark:\n# Executed {} pipe operations between two {}\n\n \
            {:>14}: {}.{:03} [sec]\n\n {:>14} usecs/op\n {:>14} ops/sec\n",
        run.loops,
        if run.threaded { "threads" } else { "processes" },
        "Total time",
        us / 1_000_000,
        us / 1_000 % 1_000,
        format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000),
        loops * 1_000_000 / us.max(1)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_in_perfs_columns() {
        let lines =
            text(&Run { loops: 1_000_000, threaded: false, elapsed_ns: Some(2_150_000_900) });
        let expected = "# Running 'sched/pipe' benchmark:\n# Executed 1000000 pipe operations \
            between two processes\n\n     Total time: 2.150 [sec]\n\n       2.150000 \
            usecs/op\n         465116 ops/sec\n";
        assert_eq!(lines, expected);
        assert!(
            text(&Run { loops: 3, threaded: true, elapsed_ns: Some(10_000) })
                .contains("3.333333 usecs/op")
        );
        assert_eq!(
            text(&Run { loops: 3, threaded: true, elapsed_ns: None }),
            super::super::UNFINISHED
        );
    }
}
