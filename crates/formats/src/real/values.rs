//! Values of knobs as a scenario writes them.

use serde_json::Value;

/// A value as text: a word without quotes, anything else as JSON.
pub(super) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Nanoseconds of a time such as `3us` or `1.5ms`; none where it is no such time or no whole number
/// of ns.
pub(super) fn time_ns(text: &str) -> Option<u64> {
    let end = text.find(|sign: char| !(sign.is_ascii_digit() || sign == '.'))?;
    let size: u64 = match text[end..].trim_start() {
        "ns" => 1,
        "us" | "µs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        _ => return None,
    };
    let (whole, part) = text[..end].split_once('.').unwrap_or((&text[..end], ""));
    let part = part.trim_end_matches('0');
    let digits = 10_u64.checked_pow(u32::try_from(part.len()).ok()?)?;
    let of_part = if part.is_empty() { 0 } else { part.parse::<u64>().ok()?.checked_mul(size)? };
    if of_part % digits != 0 {
        return None;
    }
    whole.parse::<u64>().ok()?.checked_mul(size)?.checked_add(of_part / digits)
}

/// Whole us of a time, rounded; 0 for any other value.
pub(super) fn us(value: Option<&Value>) -> u64 {
    (ns(value).saturating_add(500)) / 1_000
}

/// The ns of a time; 0 for any other value.
pub(super) fn ns(value: Option<&Value>) -> u64 {
    value.and_then(Value::as_str).and_then(time_ns).unwrap_or(0)
}

/// Seconds of a program that counts in whole ones.
pub(super) fn whole_seconds(ns: u64) -> u64 {
    ns.div_ceil(1_000_000_000).max(1)
}

/// The keys of a path; a group's name may have dots, in double quotes.
pub(super) fn keys_of(path: &str) -> Vec<&str> {
    let of_group = path.strip_prefix("cgroups.").and_then(|rest| {
        let (name, key) = rest.rsplit_once('.')?;
        let bare = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
        Some(vec!["cgroups", bare.unwrap_or(name), key])
    });
    of_group.unwrap_or_else(|| path.split('.').collect())
}

/// `0-3,8` as numbers, in the text's order; what is no number or range is left out.
pub(super) fn numbers_in(text: &str) -> Vec<u32> {
    let range = |part: &str| {
        let (first, last) = part.trim().split_once('-').unwrap_or((part.trim(), part.trim()));
        Some(first.parse::<u32>().ok()?..=last.parse::<u32>().ok()?)
    };
    text.split(',').filter_map(range).flatten().collect()
}
