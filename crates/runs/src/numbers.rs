//! Numbers and tables for people; percentages whose sum ends in 100.00 %.

use schedscope_scenario::statistics::{self, Mean, digits};

/// ns as microseconds with three places: exact.
pub fn us(ns: u64) -> String {
    format!("{}.{:03}", grouped(ns / 1_000), ns % 1_000)
}

/// ns in the unit that suits their size, three places, cut off: `1.234 s`, `12.500 ms`, `0 ns`.
/// Whole figures are in `--json`.
pub fn time(ns: u64) -> String {
    match ns {
        0..1_000 => format!("{ns} ns"),
        1_000..1_000_000 => format!("{}.{:03} us", ns / 1_000, ns % 1_000),
        1_000_000..1_000_000_000 => format!("{}.{:03} ms", ns / 1_000_000, ns / 1_000 % 1_000),
        _ => format!("{}.{:03} s", grouped(ns / 1_000_000_000), ns / 1_000_000 % 1_000),
    }
}

/// ns rounded to three figures, as the page shows a time: `18.3 s`, `49.3 ms`, `5 us`.
pub fn three_figures(ns: u64) -> String {
    const UNITS: [(u64, &str); 4] =
        [(1, "ns"), (1_000, "us"), (1_000_000, "ms"), (1_000_000_000, "s")];
    let at = UNITS.iter().rposition(|(unit, _)| ns >= *unit).unwrap_or(0);
    let digits = match ns / UNITS[at].0 {
        _ if at == 0 => 0,
        100.. => 0,
        10.. => 1,
        _ => 2,
    };
    let scale = 10_u64.pow(digits);
    let parts = |unit: u64| rounded(i128::from(ns) * i128::from(scale), i128::from(unit));
    // A thousand of a unit is one of the next.
    let carries = at + 1 < UNITS.len() && parts(UNITS[at].0) >= i128::from(1_000 * scale);
    let (unit, name) = UNITS[at + usize::from(carries)];
    let parts = u64::try_from(parts(unit)).unwrap_or(u64::MAX);
    let number = match digits as usize {
        0 => grouped(parts),
        width => {
            let text = format!("{}.{:0width$}", grouped(parts / scale), parts % scale);
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    format!("{number} {name}")
}

/// A figure by its path: times in their unit, shares in per cent, counts in groups of three; a debt
/// has its sign.
pub fn figure(path: &str, value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let size = value.unsigned_abs();
    let text = if path.ends_with("_ns") || path.contains("causes_ns") {
        time(size)
    } else if path.ends_with("_bp") {
        format!("{} %", percent(size))
    } else {
        grouped(size)
    };
    format!("{sign}{text}")
}

/// A mean of figures by their path, with its standard error and as many digits as that leaves:
/// `236 ± 18`, `1.23 ± 0.04 ms`. Without an error it is rounded to a whole figure.
pub fn mean(path: &str, mean: &Mean) -> String {
    let Some(error) = mean.error.filter(|error| *error > 0.0) else {
        return figure(path, mean.value.round() as i64);
    };
    let (size, unit) = if path.ends_with("_bp") {
        (100.0, " %")
    } else if path.ends_with("_ns") || path.contains("causes_ns") {
        unit_of(mean.value.abs() as u64)
    } else {
        (1.0, "")
    };
    let digits = digits(error / size).unwrap_or(0);
    let [value, error] = [mean.value, error].map(|value| statistics::figure(value / size, digits));
    format!("{value} ± {error}{unit}")
}

/// The unit that suits a time, ns, and its size.
fn unit_of(ns: u64) -> (f64, &'static str) {
    match ns {
        0..1_000 => (1.0, " ns"),
        1_000..1_000_000 => (1e3, " us"),
        1_000_000..1_000_000_000 => (1e6, " ms"),
        _ => (1e9, " s"),
    }
}

/// `1 CPU`, `2 CPUs`.
pub fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Order of names as people number them: `cc.2` before `cc.10`.
pub fn natural(a: &str, b: &str) -> std::cmp::Ordering {
    parts(a).cmp(&parts(b)).then_with(|| a.cmp(b))
}

/// Runs of digits as numbers (by length, then digits), all else as text.
fn parts(text: &str) -> Vec<(bool, usize, &str)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        let number = part.trim_start_matches('0');
        parts.push(if digits { (false, number.len(), number) } else { (true, 0, part) });
        rest = after;
    }
    parts
}

/// Digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(" ")
}

/// Hundredths of a percent for each part, by largest remainder: they add to exactly 10 000 unless
/// the whole is 0.
pub fn shares(parts: &[u64]) -> Vec<u64> {
    let whole: u128 = parts.iter().map(|part| u128::from(*part)).sum();
    if whole == 0 {
        return vec![0; parts.len()];
    }
    let scaled = |part: &u64| u128::from(*part) * 10_000;
    let mut shares: Vec<u64> =
        parts.iter().map(|part| u64::try_from(scaled(part) / whole).unwrap_or(0)).collect();
    let missing = 10_000 - shares.iter().sum::<u64>();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(scaled(&parts[*index]) % whole));
    for index in order.into_iter().take(usize::try_from(missing).unwrap_or(0)) {
        shares[index] += 1;
    }
    shares
}

/// `part / whole` to the nearest integer, halves away from zero; `whole` is above 0.
pub fn rounded(part: i128, whole: i128) -> i128 {
    part.signum() * ((2 * part.abs() + whole) / (2 * whole))
}

/// Hundredths as "65.52".
pub fn percent(hundredths: u64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// A table: the first column to the left, the others to the right, two spaces between.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let pad = " ".repeat(widths[column] - cell.chars().count());
            if column == 0 { format!("{cell}{pad}") } else { format!("{pad}{cell}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// `<before>3 <what>: --all`, if anything was left out.
pub fn more(before: &str, left: usize, what: &str) -> String {
    if left == 0 { String::new() } else { format!("{before}{left} {what}: --all\n\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_always_add_to_the_whole() {
        for parts in [
            vec![1, 1, 1],
            vec![27_490, 9_590, 3_790],
            vec![0, 5],
            vec![u64::MAX, u64::MAX, 1],
            vec![1; 7],
        ] {
            assert_eq!(shares(&parts).iter().sum::<u64>(), 10_000, "{parts:?}");
        }
        assert_eq!(shares(&[1, 1, 1]), [3_334, 3_333, 3_333]);
        assert_eq!(shares(&[0, 0]), [0, 0]);
    }

    #[test]
    fn three_figures_of_a_time_are_rounded_in_the_unit_of_their_size() {
        let said =
            [0, 999, 4_992, 5_000, 49_330_000, 999_700, 99_960, 18_290_000_000].map(three_figures);
        assert_eq!(
            said,
            ["0 ns", "999 ns", "4.99 us", "5 us", "49.3 ms", "1 ms", "100 us", "18.3 s"]
        );
    }

    #[test]
    fn times_are_told_in_the_unit_of_their_size_and_never_rounded_up() {
        let told: Vec<String> =
            [0, 999, 1_000, 999_999, 1_000_000, 999_999_999, 1_000_000_000, 3_999_997_270_000]
                .iter()
                .map(|ns| time(*ns))
                .collect();
        assert_eq!(
            told,
            [
                "0 ns",
                "999 ns",
                "1.000 us",
                "999.999 us",
                "1.000 ms",
                "999.999 ms",
                "1.000 s",
                "3 999.997 s"
            ]
        );
    }

    #[test]
    fn halves_go_away_from_zero() {
        let told: Vec<i128> =
            [-5, -4, -3, -2, -1, 0, 1, 2, 3].iter().map(|part| rounded(*part, 2)).collect();
        assert_eq!(told, [-3, -2, -2, -1, -1, 0, 1, 1, 2]);
        assert_eq!([rounded(4, 9), rounded(5, 9), rounded(-5, 9)], [0, 1, -1]);
    }

    #[test]
    fn a_mean_ends_where_its_error_does_in_the_unit_of_its_size() {
        let of = |path: &str, value: f64, error: Option<f64>| mean(path, &Mean { value, error });
        assert_eq!(of("sched.ticks", 236.4, Some(18.2)), "236 ± 18");
        assert_eq!(of("latency.a.max_ns", 1_234_000.0, Some(41_000.0)), "1.23 ± 0.04 ms");
        assert_eq!(of("groups.a.silo_ns", -1_500.0, Some(300.0)), "-1.5 ± 0.3 us");
        assert_eq!(of("pressure.some.share_bp", 6_552.0, Some(20.0)), "65.52 ± 0.20 %");
        assert_eq!([None, Some(0.0)].map(|error| of("sched.ticks", 3.0, error)), ["3", "3"]);
    }

    #[test]
    fn a_debt_has_its_sign() {
        assert_eq!(
            (figure("x.silo_ns", -1_500), figure("x.count", 1_500)),
            ("-1.500 us".to_owned(), "1 500".to_owned())
        );
    }

    #[test]
    fn numbered_names_stand_in_the_order_of_their_numbers() {
        let mut names = vec!["cc.10", "cc.2", "a", "cc", "cc.2b", "cc.02", "9", "10"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["9", "10", "a", "cc", "cc.02", "cc.2", "cc.2b", "cc.10"]);
    }

    #[test]
    fn numbers_read_exactly() {
        assert_eq!((us(1_234_567_890).as_str(), us(5).as_str()), ("1 234 567.890", "0.005"));
        assert_eq!(
            (grouped(0).as_str(), grouped(1_000).as_str(), grouped(999).as_str()),
            ("0", "1 000", "999")
        );
    }
}
