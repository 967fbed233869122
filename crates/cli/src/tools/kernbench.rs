//! kernbench's table (its log; `time -f "%e %U %S %P %c %w"`): one run, so there is no deviation to print.
//!
//! As with time(1), "Context Switches" are those a task did not ask for, "Sleeps" those it did.

/// What one run of make took.
#[derive(Clone, Debug)]
pub struct Run {
    /// kernbench's name of the load.
    pub load: String,
    /// `-j`.
    pub jobs: u64,
    /// From start to end, ns; `None` if the run ended before.
    pub elapsed_ns: Option<u64>,
    /// CPU time of make and its compilers in user mode, ns.
    pub user_ns: u64,
    /// The rest of their CPU time, ns.
    pub system_ns: u64,
    /// Switches away from them while they could go on.
    pub involuntary: u64,
    /// Switches away from them because they slept.
    pub voluntary: u64,
}

/// The whole table.
pub fn text(run: &Run) -> String {
    let Some(elapsed_ns) = run.elapsed_ns else { return super::UNFINISHED.to_owned() };
    let seconds = |ns: u64| format!("{}.{:03}", ns / 1_000_000_000, ns / 1_000_000 % 1_000);
    let percent = (u128::from(run.user_ns + run.system_ns) * 100) / u128::from(elapsed_ns.max(1));
    format!(
        "{} load -j {} Run\nElapsed Time {}\nUser Time {}\nSystem Time {}\nPercent CPU {percent}\nContext Switches {}\nSleeps {}\n",
        run.load,
        run.jobs,
        seconds(elapsed_ns),
        seconds(run.user_ns),
        seconds(run.system_ns),
        run.involuntary,
        run.voluntary
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_kernbenchs_six_rows() {
        let run = Run {
            load: "Half".to_owned(),
            jobs: 4,
            elapsed_ns: Some(2_000_000_000),
            user_ns: 6_500_000_000,
            system_ns: 500_000_000,
            involuntary: 12,
            voluntary: 34,
        };
        let expected =
            "Half load -j 4 Run\nElapsed Time 2.000\nUser Time 6.500\nSystem Time 0.500\nPercent CPU 350\nContext Switches 12\nSleeps 34\n";
        assert_eq!(text(&run), expected);
        assert_eq!(text(&Run { elapsed_ns: None, ..run }), super::super::UNFINISHED);
    }
}
