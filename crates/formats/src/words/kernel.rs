//! What the kernel of a text can have, by its release.

use schedscope_engine::kernel::config::bandwidth::Bandwidth;
use schedscope_engine::kernel::config::switches::Preempt;
use schedscope_engine::kernel::config::{Version, offers};
use schedscope_engine::named::Named;
use serde_json::json;

use super::case::Case;

/// The kernel of a text that names none, and those that are taken where it cannot have what the
/// text says.
const RELEASES: [&str; 3] = ["6.12", "6.18", "7.2"];
/// That of a text that sets the limit of real-time tasks, which later kernels do not have.
const RELEASE_WITH_RT_LIMIT: &str = "6.6";
const RELEASE: &str = "kernel.version";
const PREEMPT: &str = "kernel.preempt";

/// First kernel in which what a CPU holds of the quota does not expire.
pub const NO_EXPIRY: &str = "5.4";

/// The kernel's release as the text spells it, where it does.
pub fn stated(case: &Case) -> Option<&str> {
    case.settings.get(RELEASE).map(|set| set.name.as_str())
}

fn version(release: &str) -> Option<Version> {
    Version::read(release).map(|spelling| spelling.version)
}

/// Whether the kernel expires what a CPU holds of a quota; none where the text names no kernel.
pub fn expires(case: &Case) -> Option<bool> {
    Some(version(stated(case)?)? < version(NO_EXPIRY)?)
}

/// Whether a kernel has cpu.max.burst; `release`: none where the text names none.
pub fn has_burst(release: Option<&str>) -> bool {
    release.and_then(version).is_none_or(|version| Bandwidth::of_version(version).has_burst())
}

/// The release that a line names: `Kernel: Linux 6.8.0-45-generic` of hostnamectl, `Kernel Version:
/// 6.5.0` of docker and kubectl, `kernelVersion: 5.10.0`, `kernel 4.14`.
pub(super) fn named(text: &str) -> Option<&str> {
    let (key, value) = match text.split_once([':', '=']) {
        Some(pair) => pair,
        None => text.split_once(' ')?,
    };
    let key: String =
        key.chars().filter(|sign| sign.is_alphanumeric()).collect::<String>().to_lowercase();
    if !matches!(key.as_str(), "kernel" | "kernelversion" | "kernelrelease" | "linuxkernel") {
        return None;
    }
    let value = value.trim().trim_end_matches(',').trim_matches(['"', '\'', '`']);
    let value = value.strip_prefix("Linux").map_or(value, str::trim_start);
    let release = value.split_whitespace().next()?;
    let is_one = release.starts_with(|sign: char| sign.is_ascii_digit()) && release.contains('.');
    (is_one && version(release).is_some()).then_some(release)
}

/// The kernel that is assumed where the text names none, and why it is not the usual one.
pub fn assumed(case: &Case) -> (&'static str, &'static str) {
    if case.settings.keys().any(|path| path.starts_with("kernel.sched_rt_")) {
        return (RELEASE_WITH_RT_LIMIT, ": from 6.12 on a server limits real-time tasks");
    }
    let model = case.settings.get(PREEMPT).and_then(|set| preempt(set.value.as_str()?));
    let has_it = |release: &&str| {
        let version = version(release);
        model.zip(version).is_none_or(|(model, version)| offers(version, model).is_ok())
    };
    let release = RELEASES.into_iter().find(|release| has_it(release)).unwrap_or(RELEASES[0]);
    (release, if release == RELEASES[0] { "" } else { ": earlier ones lack what the text sets" })
}

fn preempt(name: &str) -> Option<Preempt> {
    Preempt::parse(name)
}

/// Takes back what the kernel of the text cannot have, and says so; a model that a variant is to
/// have is another one where that kernel lacks it.
pub fn settle(case: &mut Case) {
    let release = stated(case).map(str::to_owned);
    burst(case, release.as_deref());
    let release = release.unwrap_or_else(|| assumed(case).0.to_owned());
    let Some(version) = version(&release) else { return };
    let Some(set) = case.settings.get_mut(PREEMPT) else { return };
    let Some(model) = set.value.as_str().and_then(preempt) else { return };
    if let Err(why) = offers(version, model) {
        let what = set.name.clone();
        case.settings.remove(PREEMPT);
        case.doubts.push(format!("{what} cannot be on kernel {release}: {why}."));
        return;
    }
    let against = set.against.as_ref().and_then(|against| preempt(against.as_str()?));
    if against.is_some_and(|against| offers(version, against).is_err()) {
        let others = [Preempt::Lazy, Preempt::Full, Preempt::Voluntary];
        let other =
            others.into_iter().find(|other| *other != model && offers(version, *other).is_ok());
        set.against = other.map(|other| json!(other.name()));
    }
}

/// A kernel without cpu.max.burst keeps nothing.
fn burst(case: &mut Case, release: Option<&str>) {
    let Some(release) = release.filter(|release| !has_burst(Some(release))) else { return };
    let groups = case.groups.all.iter_mut().filter(|group| group.burst_us.is_some_and(|us| us > 0));
    for group in groups {
        group.burst_us = None;
        case.doubts.push(format!(
            "A cpu.max.burst of the {} cannot be on kernel {release}: it came with 5.14.",
            group.who()
        ));
    }
}
