//! Which kernel to boot for a run: its version, or the release whose code the run has in place of
//! its version's; a patch that no release has is named.

use serde_json::Value;

use super::kernel::has_line;
use super::run::Run;
use super::values::text;

/// A release with a switch's code: knob, value, release. Code of another switch, or of none of
/// these values, is in no release. Each was read there, or in the nearest release that could be
/// had: docs/model/sources.md, "Which release has which code".
const RELEASES: &[(&str, &str, &str)] = &[
    ("kernel.fair", "cfs", "6.5"),
    ("kernel.fair", "eevdf", "6.6"),
    ("kernel.nohz_ilb", "pre516", "5.15"),
    ("kernel.nohz_ilb", "needs_update", "5.16"),
    ("kernel.nohz_ilb", "early_out", "6.11"),
    ("kernel.rt_balance", "passive_2624", "2.6.24"),
    ("kernel.rt_balance", "active_2008_routed", "2.6.25"),
    ("kernel.rt_balance", "active_plist", "2.6.30"),
    ("kernel.rt_balance", "ipi_4_1", "4.1"),
    ("kernel.rt_balance", "ipi_4_16_skip1", "4.15"),
    ("kernel.rt_balance", "ipi_2026_noself", "7.0"),
    ("kernel.rt_throttle", "dl_server_6_12", "6.12"),
];

/// The switch whose values are releases.
const BANDWIDTH: &str = "kernel.bandwidth";
/// No switch for it alone is known: `no_tool` says what there is.
const SAID_ELSEWHERE: &str = "kernel.load_balance";

/// Models of preemption that were posted and never released, by how their names begin.
const SERIES: &[(&str, &str)] = &[
    ("rfc2023", "the preemption series of November 2023"),
    ("auto2024", "the preemption series of May 2024"),
];

/// `boot 4.19 (the run is 5.4 with CFS bandwidth 4.19)`.
fn words(run: &Run) -> String {
    let value = |path: &str| run.get(path).map(text).unwrap_or_default();
    let (version, preempt) = (value("kernel.version"), value("kernel.preempt"));
    let begin = preempt.split('-').next().unwrap_or_default();
    let kernel = &run.kernel;
    if let Some((_, series)) = SERIES.iter().find(|(name, _)| *name == begin) {
        return format!("no release has this: {kernel} with {series}");
    }
    let code = run.own_switches.iter().filter(|(path, _)| path != SAID_ELSEWHERE);
    let code = code.map(|(path, value)| (path, release_of(path, value)));
    let releases: Vec<Option<String>> = code
        .filter(|(path, release)| !has_line(path, run) || release.is_some())
        .map(|(_, release)| release)
        .collect();
    match releases.first() {
        None => match version.strip_suffix("-push-ipi") {
            Some(release) => format!("boot {release} with the patch of February 2015"),
            None => format!("boot {version}"),
        },
        Some(Some(release)) if releases.iter().all(|other| other.as_ref() == Some(release)) => {
            format!("boot {release} (the run is {kernel})")
        }
        Some(_) => format!("no release has this: {kernel}"),
    }
}

fn release_of(path: &str, value: &Value) -> Option<String> {
    let value = text(value);
    if path == BANDWIDTH {
        let is_number =
            |part: &str| !part.is_empty() && part.bytes().all(|sign| sign.is_ascii_digit());
        let parts: Vec<&str> = value.split('.').collect();
        let is_release = (2..=3).contains(&parts.len()) && parts.into_iter().all(is_number);
        return is_release.then_some(value);
    }
    let row = RELEASES.iter().find(|(known, of, _)| *known == path && *of == value);
    row.map(|(_, _, release)| (*release).to_owned())
}

/// One sentence for both sides, or one for each.
pub(super) fn sentences(a: &Run, b: Option<&Run>) -> String {
    let (one, other) = (words(a), words(b.unwrap_or(a)));
    if one == other {
        return format!("Kernel: {one}.");
    }
    format!("Kernel of A: {one}. Kernel of B: {other}.")
}
