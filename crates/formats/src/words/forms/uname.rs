//! `uname -a` and its parts: the release, and the preemption model in what the kernel says of its
//! build.

use schedscope_engine::kernel::config::{Spelling, Version};
use serde_json::json;

use crate::words::case::{Case, Note};
use crate::words::cpus::CPUS_MAX;
use crate::words::form::Form;
use crate::words::kernel;
use crate::words::{marks::unwrapped, paste::Piece};

pub(super) const FORM: Form = Form {
    name: "uname",
    title: "uname -a",
    example: "Linux host 6.12.57+deb13-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.12.57-1 x86_64",
    read,
};

const RELEASE: &str = "kernel.version";
const PREEMPT: &str = "kernel.preempt";

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some(pipeline) = piece.pipeline() {
        let words = unwrapped(&pipeline[0].words);
        return matches!(words.first().map(String::as_str), Some("uname" | "hostnamectl"))
            .then(|| Note::left_out("prints what the next lines say"));
    }
    let text = piece.text()?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let release = match words[..] {
        // `uname -a`; /proc/version begins with "Linux version".
        ["Linux", _, release, ..] if is_whole_release(release) => Some(release),
        // `uname -sr`, and the first line of mpstat, pidstat, iostat and sar.
        ["Linux", release, ..] if is_whole_release(release) => Some(release),
        ["Linux", _, release, ..] => Some(release),
        // `uname -r` alone: a number that has no other meaning has three parts or a name behind it.
        [release] if is_whole_release(release) => Some(release),
        _ => kernel::named(text),
    };
    let model = model_of(text);
    let mut said = Vec::new();
    if let Some(release) = release {
        said.push(release_said(release, case)?);
        said.extend(cpus(text, case));
    }
    if let Some((model, words)) = model {
        case.set(PREEMPT, json!(model), Some(json!(against(model))), words);
        said.push(format!("{words}: preemption is {model}"));
    } else if text.contains("PREEMPT_DYNAMIC") && !said.is_empty() {
        said.push("PREEMPT_DYNAMIC: boot chooses the model, and the line does not say it".into());
    }
    // What the kernel says of its build counts more than its name.
    if model.is_none() && !text.contains("SMP") {
        said.extend(release.and_then(|release| rt_by_name(release, case)));
    }
    (!said.is_empty()).then(|| Note::used(said.join("; ")))
}

/// `(8 CPU)` at the end of the first line of mpstat.
fn cpus(text: &str, case: &mut Case) -> Option<String> {
    let (_, rest) = text.trim_end().strip_suffix(" CPU)")?.rsplit_once('(')?;
    let cpus = rest.parse().ok().filter(|cpus| (1..=CPUS_MAX).contains(cpus))?;
    case.cpus = Some(cpus);
    Some(format!("a machine of {cpus} CPUs"))
}

/// Sets the model of a kernel that its name says is PREEMPT_RT: `6.1.0-18-rt-amd64`,
/// `5.14.0-427.el9.x86_64+rt`, `6.8.1-1015-realtime`, `4.18.0-305.rt7.72.el8`.
pub(super) fn rt_by_name(release: &str, case: &mut Case) -> Option<String> {
    let is_rt = |part: &str| {
        let rest = part.strip_prefix("rt");
        part.starts_with("realtime")
            || rest.is_some_and(|rest| rest.bytes().all(|sign| sign.is_ascii_digit()))
    };
    let part = release.split(['-', '+', '.', '_']).skip(1).find(|part| is_rt(part))?;
    case.set(PREEMPT, json!("rt"), Some(json!("full")), RT_BY_NAME);
    Some(format!("{part} in its name: preemption is rt"))
}

const RT_BY_NAME: &str = "a kernel named -rt";

/// Whether the text says that the kernel is PREEMPT_RT.
pub(super) fn is_rt(case: &Case) -> bool {
    case.settings.get(PREEMPT).is_some_and(|set| set.value == "rt")
}

fn is_whole_release(text: &str) -> bool {
    let dots = text.bytes().take_while(|sign| b"0123456789.".contains(sign)).filter(|s| *s == b'.');
    Version::read(text).is_some_and(|Spelling { rest, .. }| !rest.is_empty())
        || dots.count() == 2 && Version::read(text).is_some()
}

/// Sets the release; the sentence about it. None where `text` is no release at all.
pub(super) fn release_said(text: &str, case: &mut Case) -> Option<String> {
    if !text.starts_with(|sign: char| sign.is_ascii_digit()) {
        return None;
    }
    let Some(Spelling { version, .. }) = Version::read(text) else {
        return Some(format!("kernel {text} is not known here, and another one is assumed"));
    };
    let other = case.settings.get(RELEASE).filter(|set| set.name != text);
    if let Some(other) = other.map(|set| set.name.clone()) {
        case.doubt(format!(
            "The text names two kernels, {other} and {text}: the later one is taken. What lines of \
             two machines say is mixed here."
        ));
    }
    case.set(RELEASE, json!(text), None, text);
    Some(format!("kernel {version}"))
}

/// The preemption model that a kernel says it was built with, and the words that say it.
fn model_of(text: &str) -> Option<(&'static str, &'static str)> {
    const SAYINGS: &[(&str, &str)] = &[
        ("PREEMPT_RT", "rt"),
        ("PREEMPT RT", "rt"),
        ("PREEMPT_{RT", "rt"),
        ("PREEMPT_LAZY", "lazy"),
        ("PREEMPT(full)", "full"),
        ("PREEMPT(lazy)", "lazy"),
        ("PREEMPT(voluntary)", "voluntary"),
        ("PREEMPT(none)", "none"),
    ];
    let by_name = SAYINGS.iter().find(|(words, _)| text.contains(words)).copied();
    let plain = || text.contains("SMP PREEMPT ").then_some(("SMP PREEMPT", "full"));
    by_name.or_else(plain).map(|(words, model)| (model, words))
}

/// What a model is compared with.
pub(super) fn against(model: &str) -> &'static str {
    if model == "full" { "voluntary" } else { "full" }
}
