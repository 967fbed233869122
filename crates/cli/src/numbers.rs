//! Numbers and tables as a person reads them; sums of percentages that end in 100.00 %.

/// ns as microseconds with three places: exact.
pub fn us(ns: u64) -> String {
    format!("{}.{:03}", grouped(ns / 1_000), ns % 1_000)
}

/// Digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap_or_default()).collect();
    groups.join(" ")
}

/// Hundredths of a percent for each part, by largest remainder: they add to exactly 10 000 unless the whole is 0.
pub fn shares(parts: &[u64]) -> Vec<u64> {
    let whole: u128 = parts.iter().map(|part| u128::from(*part)).sum();
    if whole == 0 {
        return vec![0; parts.len()];
    }
    let scaled = |part: &u64| u128::from(*part) * 10_000;
    let mut shares: Vec<u64> = parts.iter().map(|part| u64::try_from(scaled(part) / whole).unwrap_or(0)).collect();
    let missing = 10_000 - shares.iter().sum::<u64>();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(scaled(&parts[*index]) % whole));
    for index in order.into_iter().take(usize::try_from(missing).unwrap_or(0)) {
        shares[index] += 1;
    }
    shares
}

/// Hundredths as "65.52".
pub fn percent(hundredths: u64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// A table: the first column to the left, the others to the right, two spaces between.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_always_add_to_the_whole() {
        for parts in [vec![1, 1, 1], vec![27_490, 9_590, 3_790], vec![0, 5], vec![u64::MAX, u64::MAX, 1], vec![1; 7]] {
            assert_eq!(shares(&parts).iter().sum::<u64>(), 10_000, "{parts:?}");
        }
        assert_eq!(shares(&[1, 1, 1]), [3_334, 3_333, 3_333]);
        assert_eq!(shares(&[0, 0]), [0, 0]);
    }

    #[test]
    fn numbers_read_exactly() {
        assert_eq!((us(1_234_567_890).as_str(), us(5).as_str()), ("1 234 567.890", "0.005"));
        assert_eq!((grouped(0).as_str(), grouped(1_000).as_str(), grouped(999).as_str()), ("0", "1 000", "999"));
    }
}
