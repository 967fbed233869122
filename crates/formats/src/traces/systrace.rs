//! Pages that systrace writes: ftrace text inside of HTML, in old ones as a JavaScript string whose
//! lines end with `\n\`.

use super::form::{Refused, TraceForm, Watch};
use super::{ftrace_text, text};
use crate::recording::Builder;

pub(super) const FORM: TraceForm = TraceForm {
    name: "systrace",
    title: "a page of systrace (HTML)",
    extensions: &["html"],
    made_by: "systrace.py sched freq idle irq, atrace --html",
    carries: "the same as ftrace text",
    loses: "Only the kernel's part of the page is read, not what applications traced.",
    is,
    read,
};

/// How the kernel's part begins.
const BEGIN: &[u8] = b"# tracer:";

fn is(head: &[u8]) -> bool {
    let begins = String::from_utf8_lossy(&head[..head.len().min(1_024)]).to_ascii_lowercase();
    begins.trim_start().starts_with("<!doctype html") || begins.trim_start().starts_with("<html")
}

fn read(bytes: &[u8], builder: &mut Builder, watch: &mut dyn Watch) -> Result<(), Refused> {
    let Some(from) = find(bytes, BEGIN) else {
        let why = "this page has no part that begins with \"# tracer:\", which systrace writes";
        return Err(Refused::Form(why.to_owned()));
    };
    let data = &bytes[from..];
    let data = &data[..find(data, b"</script>").unwrap_or(data.len())];
    let before = bytes[..from].iter().filter(|byte| **byte == b'\n').count() as u64;
    text::read(data, before, builder, watch, passes)
}

/// The end of a string of JavaScript is no line of the kernel's.
fn passes(line: &str, builder: &mut Builder) -> bool {
    line == "\";" || ftrace_text::passes(line, builder)
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}
