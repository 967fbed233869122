//! hackbench's three lines (rt-tests).

/// The program's options and its measured time.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// `-g`.
    pub groups: u64,
    /// `-f`.
    pub fds: u64,
    /// `-l`.
    pub loops: u64,
    /// `-s`.
    pub datasize: u64,
    /// From the start to the last exit, ns; `None` if the run ended before.
    pub elapsed_ns: Option<u64>,
}

/// The whole output.
pub fn text(run: &Run) -> String {
    let Run { groups, fds, loops, datasize, .. } = *run;
    let head = format!(
        "Running in process mode with {groups} groups using {} file descriptors each (== {} \
            tasks)\nEach sender will pass {loops} messages of {datasize} bytes\n",
        2 * fds,
        2 * fds * groups
    );
    let time = run.elapsed_ns.map_or_else(
        || super::UNFINISHED.to_owned(),
        |ns| format!("Time: {}.{:03}\n", ns / 1_000_000_000, ns / 1_000_000 % 1_000),
    );
    head + &time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_has_three_places_cut_off() {
        let run =
            Run { groups: 10, fds: 20, loops: 100, datasize: 100, elapsed_ns: Some(1_057_999_999) };
        let expected = "Running in process mode with 10 groups using 40 file descriptors each (== \
            400 tasks)\nEach sender will pass 100 messages of 100 bytes\nTime: 1.057\n";
        assert_eq!(text(&run), expected);
        assert!(text(&Run { elapsed_ns: None, ..run }).ends_with(super::super::UNFINISHED));
    }
}
