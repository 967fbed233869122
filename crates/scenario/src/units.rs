//! Times with units and lists of CPUs, as text.
//!
//! Times are exact: a text that is no whole number of nanoseconds is refused, never rounded.

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::CPUS_MAX;

pub(crate) const TIME_PATTERN: &str = "^[0-9]+(\\.[0-9]+)?(ns|us|ms|s)$";

/// Units of time texts with their length in ns, longest first.
const UNITS: [(&str, u64); 4] = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1)];

/// Nanoseconds of `"100us"`, `"1.5ms"`: digits, perhaps a fraction, a unit; no sign, no space.
pub fn parse_time(text: &str) -> Option<u64> {
    let digits_end = text.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
    let (number, unit) = text.split_at(digits_end);
    let unit_ns = UNITS.iter().find(|(name, _)| *name == unit)?.1;
    let (whole, fraction) =
        number.split_once('.').map_or((number, None), |(whole, fraction)| (whole, Some(fraction)));
    let all_digits = |part: &str| {
        !part.is_empty() && part.len() <= 18 && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !all_digits(whole) || !fraction.is_none_or(all_digits) {
        return None;
    }
    let mut ns = whole.parse::<u64>().ok()?.checked_mul(unit_ns)?;
    if let Some(fraction) = fraction {
        let scale = 10_u128.pow(u32::try_from(fraction.len()).ok()?);
        let part = u128::from(fraction.parse::<u64>().ok()?) * u128::from(unit_ns);
        if part % scale != 0 {
            return None;
        }
        ns = ns.checked_add(u64::try_from(part / scale).ok()?)?;
    }
    Some(ns)
}

/// The shortest exact text of `ns` as files and flags take it: `100us`, `1.5ms`.
pub fn time_text(ns: u64) -> String {
    let (number, unit) = number_and_unit(ns);
    format!("{number}{unit}")
}

/// The shortest exact text of `ns` in a sentence, as the page writes it: `100 µs`, `1.5 ms`.
pub(crate) fn time_words(ns: u64) -> String {
    let (number, unit) = number_and_unit(ns);
    format!("{number} {}", if unit == "us" { "µs" } else { unit })
}

fn number_and_unit(ns: u64) -> (String, &'static str) {
    let (unit, unit_ns) =
        UNITS.into_iter().find(|(_, unit_ns)| ns >= *unit_ns).unwrap_or(("us", 1_000));
    let (whole, rest) = (ns / unit_ns, ns % unit_ns);
    if rest == 0 {
        return (whole.to_string(), unit);
    }
    let width = unit_ns.ilog10() as usize;
    (format!("{whole}.{}", format!("{rest:0width$}").trim_end_matches('0')), unit)
}

/// CPUs of `"0-3,8"`: numbers and ranges, in any order; `None` if it is no such list or names a CPU
/// past the largest machine.
pub fn parse_cpu_list(text: &str) -> Option<CpuMask> {
    let mut mask = CpuMask::EMPTY;
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let cpu = |text: &str| {
            text.trim()
                .parse::<u32>()
                .ok()
                .filter(|cpu| *cpu < CPUS_MAX && !text.trim().starts_with('+'))
        };
        let (first, last) = (cpu(first)?, cpu(last)?);
        if first > last {
            return None;
        }
        (first..=last).for_each(|cpu| mask.set(CpuId::new(cpu)));
    }
    Some(mask)
}

/// `"0-3,8"`.
pub fn cpu_list_text(mask: &CpuMask) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut next = mask.lowest();
    while let Some(first) = next {
        let mut last = first;
        while last.next().raw() < CPUS_MAX && mask.has(last.next()) {
            last = last.next();
        }
        parts.push(if first == last { first.to_string() } else { format!("{first}-{last}") });
        next = mask.next(last.next());
    }
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_need_digits_and_a_unit() {
        assert_eq!(parse_time("100us"), Some(100_000));
        assert_eq!(parse_time("1.5ms"), Some(1_500_000));
        assert_eq!(parse_time("0us"), Some(0));
        assert_eq!(parse_time("2s"), Some(2_000_000_000));
        assert_eq!((time_text(1_500), time_words(1_500)), ("1.5us".into(), "1.5 µs".into()));
        assert_eq!((time_text(2_000_000), time_words(2_000_000)), ("2ms".into(), "2 ms".into()));
        for wrong in [
            "",
            "100",
            "-1us",
            "+1us",
            "1 us",
            "us",
            ".5us",
            "5.us",
            "1.2.3us",
            "1m",
            "0.5ns",
            "99999999999999999999s",
            "1e3us",
            "１us",
        ] {
            assert_eq!(parse_time(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn cpu_lists_are_the_kernels() {
        let mask = parse_cpu_list("0-3,8").unwrap();
        assert_eq!(mask.iter().map(CpuId::raw).collect::<Vec<_>>(), [0, 1, 2, 3, 8]);
        assert_eq!(cpu_list_text(&mask), "0-3,8");
        assert_eq!(cpu_list_text(&CpuMask::first(1024)), "0-1023");
        for wrong in ["", "3-1", "a", "1,", "1024", "-1", "+1", "1-2-3"] {
            assert!(parse_cpu_list(wrong).is_none(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn every_time_survives_its_text(ns in 0_u64..=86_400_000_000_000) {
            prop_assert_eq!(parse_time(&time_text(ns)), Some(ns));
        }
        #[test]
        fn no_text_panics(text in ".*") {
            let _ = (parse_time(&text), parse_cpu_list(&text));
        }
        #[test]
        fn every_mask_survives_its_text(
            cpus in proptest::collection::btree_set(0_u32..1024, 1..40),
        ) {
            let mask: CpuMask = cpus.into_iter().map(CpuId::new).collect();
            prop_assert!(parse_cpu_list(&cpu_list_text(&mask)) == Some(mask));
        }
    }
}
