//! Times, CPUs and shares in sentences.

/// us in the unit that suits their size, with at most two places: `50 ms`, `1.25 s`.
pub fn time(us: f64) -> String {
    let (number, unit) = match us.abs() {
        size if size < 999.995 => (us, "us"),
        size if size < 999_995.0 => (us / 1e3, "ms"),
        _ => (us / 1e6, "s"),
    };
    format!("{} {unit}", decimals(number, 2))
}

/// ns as a scenario writes a time, in us where they are whole: `750us`.
pub fn written_ns(ns: u64) -> String {
    if ns.is_multiple_of(1_000) { format!("{}us", ns / 1_000) } else { format!("{ns}ns") }
}

/// `1.5 CPUs`, `1 CPU`.
pub fn cpus(number: f64) -> String {
    let text = decimals(number, 3);
    if text == "1" { "1 CPU".to_owned() } else { format!("{text} CPUs") }
}

/// `43.3 %`; 0 of 0 is 0.
pub fn percent(part: f64, whole: f64) -> String {
    format!("{:.1} %", if whole == 0.0 { 0.0 } else { part * 100.0 / whole })
}

/// A number as tools print it: digits, and at most one point; none below 0 or above 1e15.
pub fn decimal(text: &str) -> Option<f64> {
    let is_number = text.starts_with(|sign: char| sign.is_ascii_digit())
        && text.bytes().all(|sign| sign.is_ascii_digit() || sign == b'.');
    text.parse().ok().filter(|number: &f64| is_number && *number <= 1e15)
}

/// At most `places` places, without zeros at the end.
fn decimals(number: f64, places: usize) -> String {
    let text = format!("{number:.places$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A part of the pasted text inside a sentence, cut short.
pub fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MOST) {
        Some((cut, _)) => format!("“{}…”", &words[..cut]),
        None => format!("“{words}”"),
    }
}

/// `a, b and c`.
pub fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
