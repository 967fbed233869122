//! Numbers as files and options state them: CPUs, thousandths of a CPU, times, counts. None where a
//! text is no such number.

/// A number of at most nine digits, with at most nine behind the point: `1.5`, `.5`, `2`.
pub fn decimal(text: &str) -> Option<f64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.len() <= 9 && text.bytes().all(|sign| sign.is_ascii_digit());
    let has_digit = !whole.is_empty() || !part.is_empty();
    (has_digit && is_digits(whole) && is_digits(part)).then(|| text.parse().ok()).flatten()
}

/// A quantity of Kubernetes in thousandths of a CPU, rounded up as Kubernetes does: `250m`, `0.5`,
/// `100000u`, `5e-1`.
pub fn millis(text: &str) -> Option<u64> {
    let text = text.trim();
    let number = text.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
    let (number, scale) = match &text[number.len()..] {
        "n" => (decimal(number)?, 1e-6),
        "u" => (decimal(number)?, 1e-3),
        "m" => (decimal(number)?, 1.0),
        "" => exponent(number)?,
        "k" => (decimal(number)?, 1e6),
        _ => return None,
    };
    // The binary product of 0.29 and 1000 lies just above 290.
    let millis = ((number * scale * 1e6).round() / 1e6).ceil();
    (millis < 1e12).then_some(millis as u64)
}

/// `5e-1`: the number and what it is to be multiplied with to have thousandths.
fn exponent(text: &str) -> Option<(f64, f64)> {
    let Some((number, exponent)) = text.split_once(['e', 'E']) else {
        return Some((decimal(text)?, 1e3));
    };
    let power: i32 = exponent.parse().ok().filter(|power| (-9..=9).contains(power))?;
    let scale: f64 = format!("1e{power}").parse().ok()?;
    Some((decimal(number)?, 1e3 * scale))
}

/// A whole number of at most fifteen digits.
pub fn count(text: &str) -> Option<u64> {
    let is_count = (1..=15).contains(&text.len()) && text.bytes().all(|sign| sign.is_ascii_digit());
    is_count.then(|| text.parse().ok()).flatten()
}

/// The digits of a whole number that may have marks between thousands: `43,630,000`, `43.630.000`.
/// One point alone is no such mark.
pub fn grouped(text: &str) -> Option<String> {
    let is_digits = |text: &str| text.bytes().all(|sign| sign.is_ascii_digit());
    let mark = text.chars().find(|sign| !sign.is_ascii_digit());
    let Some(mark) = mark else { return (!text.is_empty()).then(|| text.to_owned()) };
    let mut parts = text.split(mark);
    let first = parts.next()?;
    let rest: Vec<&str> = parts.collect();
    let is_mark =
        matches!(mark, ',' | '_' | '\'' | '\u{202f}' | '\u{2009}') || mark == '.' && rest.len() > 1;
    let is_grouped = (1..=3).contains(&first.len())
        && is_digits(first)
        && rest.iter().all(|part| part.len() == 3 && is_digits(part));
    // In India two digits precede the last three: `1,60,000`.
    let is_indian = mark == ','
        && (1..=2).contains(&first.len())
        && rest.len() > 1
        && rest.iter().rev().enumerate().all(|(nth, part)| {
            let length = if nth == 0 { 3 } else { 2 };
            part.len() == length && is_digits(part)
        });
    (is_mark && is_grouped || is_indian && is_digits(first))
        .then(|| format!("{first}{}", rest.concat()))
}

/// A time with its unit, in us; `bare`: what a number without one is in.
pub fn time_us(text: &str, bare: &str) -> Option<f64> {
    let end = text.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(text.len());
    let unit = if end == text.len() { bare } else { &text[end..] };
    let scale = match unit {
        "us" | "usec" | "µs" | "μs" => 1.0,
        "ms" | "msec" => 1e3,
        "s" | "sec" | "second" | "seconds" => 1e6,
        "m" | "min" => 60e6,
        "h" | "hr" => 3_600e6,
        "d" => 86_400e6,
        _ => return None,
    };
    Some(decimal(&text[..end])? * scale)
}
