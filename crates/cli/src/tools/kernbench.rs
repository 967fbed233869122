//! kernbench's table (its log; `time -f "%e %U %S %P %c %w"`): for one run it prints the figure
//! with six places, the average of one run, and a deviation of 0.
//!
//! time(1) counts involuntary switches as "Context Switches" and voluntary ones as "Sleeps".

/// The times and counts of one run of make.
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
    let percent = (u128::from(run.user_ns + run.system_ns) * 100) / u128::from(elapsed_ns.max(1));
    // time(1) gives hundredths.
    let seconds = |ns: u64| format!("{}.{:02}0000 (0)", ns / 1_000_000_000, ns / 10_000_000 % 100);
    let rows = [
        ("Elapsed Time", seconds(elapsed_ns)),
        ("User Time", seconds(run.user_ns)),
        ("System Time", seconds(run.system_ns)),
        ("Percent CPU", format!("{percent}.000000 (0)")),
        ("Context Switches", format!("{}.000000 (0)", run.involuntary)),
        ("Sleeps", format!("{}.000000 (0)", run.voluntary)),
    ];
    // Without a limit make is given a bare -j.
    let jobs = if run.load == "Maximal" { String::new() } else { format!(" {}", run.jobs) };
    let head = format!("Average {} load -j{jobs} Run (std deviation):\n", run.load);
    rows.iter().fold(head, |text, (name, value)| text + &format!("{name} {value}\n"))
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
            system_ns: 519_999_999,
            involuntary: 12,
            voluntary: 34,
        };
        let expected = "Average Half load -j 4 Run (std deviation):\nElapsed Time 2.000000 \
            (0)\nUser Time 6.500000 (0)\n\
                        System Time 0.510000 (0)\nPercent CPU 350.000000 (0)\nContext Switches \
                        12.000000 (0)\nSleeps 34.000000 (0)\n";
        assert_eq!(text(&run), expected);
        assert!(
            text(&Run { load: "Maximal".to_owned(), ..run.clone() })
                .starts_with("Average Maximal load -j Run (std deviation):\n")
        );
        assert_eq!(text(&Run { elapsed_ns: None, ..run }), super::super::UNFINISHED);
    }
}
