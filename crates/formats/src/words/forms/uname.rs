//! `uname -a` and its parts: the release, and the preemption model in what the kernel says of its
//! build.

use schedscope_engine::kernel::config::{Spelling, Version};
use serde_json::json;

use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::paste::{Piece, unwrapped};

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
        ["Linux", _, release, ..] => Some(release),
        // `uname -r` alone: a number that has no other meaning has three parts or a name behind it.
        [release] if is_whole_release(release) => Some(release),
        _ => None,
    };
    let model = model_of(text);
    let mut said = Vec::new();
    if let Some(release) = release {
        said.push(release_said(release, case)?);
    }
    if let Some((model, words)) = model {
        case.set(PREEMPT, json!(model), Some(json!(against(model))), words);
        said.push(format!("{words}: preemption is {model}"));
    } else if text.contains("PREEMPT_DYNAMIC") && !said.is_empty() {
        said.push("PREEMPT_DYNAMIC: boot chooses the model, and the line does not say it".into());
    }
    (!said.is_empty()).then(|| Note::used(said.join("; ")))
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
    case.set(RELEASE, json!(text), None, text);
    Some(format!("kernel {version}"))
}

/// The preemption model that a kernel says it was built with, and the words that say it.
fn model_of(text: &str) -> Option<(&'static str, &'static str)> {
    const SAYINGS: &[(&str, &str)] = &[
        ("PREEMPT_RT", "rt"),
        ("PREEMPT RT", "rt"),
        ("PREEMPT_{RT", "rt"),
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
