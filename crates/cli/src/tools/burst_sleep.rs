//! The burst-sleep probe's line per burn (kubernetes issue 67577). The Go program puts the date
//! before it.

use std::fmt::Write as _;

#[derive(Clone, Copy, Debug)]
pub struct Burn {
    /// When the burn began, ns.
    pub start_ns: u64,
    /// When the burn was over, ns.
    pub end_ns: u64,
    /// CPU time it used, ns.
    pub cpu_ns: u64,
}

/// A line for each.
pub fn text(burns: &[Burn]) -> String {
    let mut text = String::new();
    let mut cpu_ns = 0;
    for (index, burn) in burns.iter().enumerate() {
        cpu_ns += burn.cpu_ns;
        let ms = |ns: u64| ns / 1_000_000;
        let (took, real) = (ms(burn.end_ns - burn.start_ns), ms(burn.end_ns - burns[0].start_ns));
        let _ = writeln!(
            text,
            "[{index}] burn took {took}ms, real time so far: {real}ms, cpu time so far: {}ms",
            ms(cpu_ns)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_one_burn_and_the_sums_so_far() {
        let burn = |start, end, cpu_ns| Burn { start_ns: start, end_ns: end, cpu_ns };
        let text = text(&[
            burn(1_000_000, 6_000_000, 4_900_000),
            burn(106_000_000, 205_900_000, 4_200_000),
        ]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "[0] burn took 5ms, real time so far: 5ms, cpu time so far: 4ms");
        assert_eq!(lines[1], "[1] burn took 99ms, real time so far: 204ms, cpu time so far: 9ms");
    }
}
