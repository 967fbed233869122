//! Recordings of real machines: files of scheduling events, each form in one file with one row
//! here. What a file holds comes as a [`Recording`]; nothing of it is skipped without a count.

mod binary;
mod ftrace_text;
mod payload;
mod perf_text;
mod perfetto;
mod text;
mod trace_dat;
mod unpack;

use std::fmt;

use crate::recording::{Builder, Recording};

/// A form of recordings that is read.
#[derive(Clone, Copy, Debug)]
pub struct TraceForm {
    /// `ftrace`.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// How one is made.
    pub made_by: &'static str,
    /// What is read of it.
    pub carries: &'static str,
    /// What is in it that is not read, or that it does not have.
    pub loses: &'static str,
    /// Whether a file that begins so is one.
    is: fn(&[u8]) -> bool,
    read: fn(&[u8], &mut Builder, &mut dyn Watch) -> Result<(), Refused>,
}

/// Every form, in the order in which a file is held against them.
pub const TRACES: &[TraceForm] =
    &[trace_dat::FORM, perfetto::FORM, perf_text::FORM, ftrace_text::FORM];

/// Follows a reader's work.
pub trait Watch {
    /// So many bytes of the file are done; false ends the reading.
    fn goes_on(&mut self, bytes: usize) -> bool;
}

impl<F: FnMut(usize) -> bool> Watch for F {
    fn goes_on(&mut self, bytes: usize) -> bool {
        self(bytes)
    }
}

/// Why there is no recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The file is none that is read; a sentence, with the way to make one that is.
    Form(String),
    /// It is one, and has no event of the scheduler: what it has.
    NoEvents(String),
    /// The caller ended the reading.
    Ended,
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(why) | Self::NoEvents(why) => out.write_str(why),
            Self::Ended => out.write_str("the reading was ended"),
        }
    }
}

/// So much of a file says which form it has.
const HEAD: usize = 64 * 1024;

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

/// What the file is, by the first bytes of formats that people have and nothing here reads.
fn no_form(bytes: &[u8]) -> String {
    let known: [(&[u8], &str); 6] = [
        (b"PERFILE2", "perf.data: `perf script > FILE` writes it as text"),
        (b"\x1f\x8b", "a gzip file: `gunzip` it first"),
        (b"\x28\xb5\x2f\xfd", "a zstd file: `unzstd` it first"),
        (b"\xfd7zXZ", "an xz file: `unxz` it first"),
        (b"PK\x03\x04", "a zip file: `unzip` it first"),
        (b"\xc1\x1f\xfc\xc1", "a CTF stream: `babeltrace2` converts it to text"),
    ];
    let is = known.iter().find(|(begin, _)| bytes.starts_with(begin)).map(|(_, words)| *words);
    let forms: Vec<&str> = TRACES.iter().map(|form| form.title).collect();
    let expected = format!("expected: {}", forms.join(", "));
    match is {
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
