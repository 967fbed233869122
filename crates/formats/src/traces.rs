//! Recordings of real machines: files of scheduling events, each form in one file with one row
//! here. What a file holds comes as a [`Recording`]; nothing of it is skipped without a count.

mod binary;
mod form;
mod ftrace_text;
mod payload;
mod perf_text;
mod perfetto;
mod systrace;
mod text;
mod trace_dat;
mod unpack;

use crate::recording::{Builder, Recording};
use form::HEAD;
pub use form::{Refused, TraceForm, Watch};

/// Every form, in the order in which a file is held against them.
pub const TRACES: &[TraceForm] =
    &[trace_dat::FORM, perfetto::FORM, systrace::FORM, perf_text::FORM, ftrace_text::FORM];

/// The form of a file that begins so.
pub fn form_of(bytes: &[u8]) -> Option<&'static TraceForm> {
    let head = &bytes[..bytes.len().min(HEAD)];
    TRACES.iter().find(|form| (form.is)(head))
}

/// Reads a recording of any form.
///
/// # Errors
/// The file is no recording, holds no scheduling event, or `watch` ended the reading.
pub fn read(bytes: &[u8], watch: &mut dyn Watch) -> Result<Recording, Refused> {
    let form = form_of(bytes).ok_or_else(|| Refused::Form(no_form(bytes)))?;
    let mut builder = Builder::default();
    (form.read)(bytes, &mut builder, watch)?;
    let recording = builder.finish();
    if recording.rows.is_empty() {
        return Err(Refused::NoEvents(no_events(form, &recording)));
    }
    Ok(recording)
}

/// Files that people have and that nothing here reads: how they begin, and what to do with them.
const OTHERS: [(&[u8], &str); 6] = [
    (b"PERFILE2", "perf.data: `perf script > FILE` writes it as text"),
    (b"\x1f\x8b", "a gzip file: `gunzip` it first"),
    (b"\x28\xb5\x2f\xfd", "a zstd file: `unzstd` it first"),
    (b"\xfd7zXZ", "an xz file: `unxz` it first"),
    (b"PK\x03\x04", "a zip file: `unzip` it first"),
    (b"\xc1\x1f\xfc\xc1", "a CTF stream: `babeltrace2` converts it to text"),
];

/// Whether a file that begins so is a recording, or becomes one when it is converted.
pub fn is_recorded(bytes: &[u8]) -> bool {
    form_of(bytes).is_some() || other(bytes).is_some()
}

fn other(bytes: &[u8]) -> Option<&'static str> {
    OTHERS.iter().find(|(begin, _)| bytes.starts_with(begin)).map(|(_, words)| *words)
}

fn no_form(bytes: &[u8]) -> String {
    let forms: Vec<&str> = TRACES.iter().map(|form| form.title).collect();
    let expected = format!("expected: {}", forms.join(", "));
    match other(bytes) {
        Some(words) => format!("this is {words}\n  {expected}"),
        None if bytes.is_empty() => format!("the file is empty\n  {expected}"),
        None => format!("this is no recording that can be read\n  {expected}"),
    }
}

fn no_events(form: &TraceForm, recording: &Recording) -> String {
    let others = &recording.coverage.others;
    let names: Vec<&str> = others.keys().take(8).map(String::as_str).collect();
    let has = match names.len() {
        0 => "no event".to_owned(),
        _ if others.len() > names.len() => format!("{} and others", names.join(", ")),
        _ => names.join(", "),
    };
    format!(
        "this is {}, and no event of the scheduler is in it: it has {has}\n  expected: \
         sched_switch, and sched_waking or sched_wakeup",
        form.title
    )
}
