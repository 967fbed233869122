//! trace.dat, which `trace-cmd record` writes: versions 6 and 7 of its format.
//!
//! Format: Documentation/trace-cmd/trace-cmd.dat.v6.5.txt and trace-cmd.dat.v7.5.txt, and
//! lib/trace-cmd/trace-input.c of trace-cmd.

mod buffer;
mod bytes;
mod clock;
mod format;
mod pages;
mod parts;
mod v6;
mod v7;

use self::buffer::{Buffer, Data, Stretch};
use super::binary::{Sink, Stop, ended};
use super::form::{Refused, TraceForm, Watch};
use crate::recording::Builder;
use bytes::Bytes;
use pages::{Layout, Owners, Pages};
use parts::Parts;
use v7::Sections;

pub(super) const FORM: TraceForm = TraceForm {
    name: "trace.dat",
    title: "trace.dat (trace-cmd record)",
    extensions: &["dat"],
    made_by: "trace-cmd record -e sched -e irq -e irq_vectors",
    carries: "The same events as ftrace text has, to the nanosecond, of every buffer in the file; \
        need_resched by the flags of each event, need_resched_lazy from Linux 6.13 on; lost \
        events; the kernel's release; the clock. Versions 6 and 7, compressed by zlib or zstd, of \
        machines with 32 or 64 bits and of both byte orders.",
    loses: "Every other event is counted by its name. Of an event that two buffers have, that of \
        the first counts. Offsets between a guest's and its host's clock are not applied.",
    is,
    read,
};

const MAGIC: &[u8] = b"\x17\x08\x44tracing";
/// A page has at least this size, and at most.
const PAGES: std::ops::RangeInclusive<usize> = 1_024..=1 << 24;

fn is(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

fn read(file: &[u8], builder: &mut Builder, watch: &mut dyn Watch) -> Result<(), Refused> {
    let end = whole(file, &mut Sink::new(builder, watch));
    ended(end, builder, FORM.title)
}

fn whole(file: &[u8], sink: &mut Sink<'_>) -> Result<(), Stop> {
    let mut bytes = Bytes::new(file, MAGIC.len(), false);
    let version = bytes.text()?;
    bytes.is_big = bytes.number(1)? == 1;
    let long = bytes.number(1)? as u8;
    let page = usize::try_from(bytes.number(4)?).unwrap_or(0);
    let mut parts = Parts::default();
    let (buffers, mut sections) = match version {
        "6" => (v6::parts(&mut bytes, file, &mut parts, sink)?, None),
        "7" => {
            let (mut sections, first) = Sections::new(file, &mut bytes)?;
            (sections.parts(first, &mut parts, sink)?, Some(sections))
        }
        other => {
            let why = format!("this is trace.dat of version {other}\n  expected: version 6 or 7");
            return Err(Stop::Refused(Refused::Form(why)));
        }
    };
    let layout = Layout::new(page, long, &parts.header_page, bytes.is_big);
    Reader { file, layout, parts: &parts, owners: Owners::new() }.buffers(
        &buffers,
        &mut sections,
        sink,
    )
}

struct Reader<'f> {
    file: &'f [u8],
    layout: Layout,
    parts: &'f Parts,
    owners: Owners,
}

impl Reader<'_> {
    fn buffers(
        &mut self,
        buffers: &[Buffer],
        sections: &mut Option<Sections<'_>>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        let mut end = Ok(());
        let mut clock = None;
        for (nth, buffer) in buffers.iter().enumerate() {
            let mut own = self.parts.clock.clone();
            if !buffer.clock.is_empty() {
                own.named(&buffer.clock);
            }
            if clock.get_or_insert_with(|| own.clone()) != &own {
                let what = format!("a buffer of the clock {}", own.name);
                sink.builder.unread("buffer", format!("buffer {nth}"), what);
                continue;
            }
            if nth == 0 {
                clocked(&own, sink);
            }
            let page = buffer.page.unwrap_or(self.layout.page);
            if !PAGES.contains(&page) {
                return Err(Stop::at(0, &format!("a page of {page} bytes")));
            }
            let mut pages = Pages {
                layout: self.layout.of_pages(page),
                formats: &self.parts.formats,
                clock: &own,
                has_lazy: self.parts.has_lazy,
                cpu: 0,
                buffer: nth,
            };
            let data = self.data(&buffer.data, &mut pages, sections, sink);
            match data {
                Err(Stop::Refused(why)) => return Err(Stop::Refused(why)),
                data => end = end.and(data),
            }
        }
        end
    }

    fn data(
        &mut self,
        data: &Data,
        pages: &mut Pages<'_>,
        sections: &mut Option<Sections<'_>>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        let from = |at: usize| self.file.get(at..).unwrap_or_default();
        match (data, sections) {
            (Data::Text(at), _) => sink.text(from(*at)),
            (Data::PackedText(at), Some(sections)) => {
                let mut text = Vec::new();
                let end = chunks(self.file, *at, sections, &mut |_, chunk| {
                    text.extend_from_slice(chunk);
                    Ok(())
                });
                sink.text(&text).and(end)
            }
            (Data::Pages(stretches), _) => self.stretches(stretches, pages, sink),
            (Data::Packed(stretches), Some(sections)) => {
                let mut end = Ok(());
                for stretch in stretches.iter().filter(|stretch| stretch.size > 0) {
                    pages.cpu = stretch.cpu;
                    let at = usize::try_from(stretch.offset).unwrap_or(usize::MAX);
                    let data = chunks(self.file, at, sections, &mut |byte, chunk| {
                        pages.read(chunk, byte, &mut self.owners, sink)
                    });
                    end = further(end, data)?;
                }
                end
            }
            // Only a file with sections has compressed ones.
            (Data::Packed(_) | Data::PackedText(_), None) => Ok(()),
        }
    }

    fn stretches(
        &mut self,
        stretches: &[Stretch],
        pages: &mut Pages<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        let mut end = Ok(());
        for stretch in stretches.iter().filter(|stretch| stretch.size > 0) {
            pages.cpu = stretch.cpu;
            let at = usize::try_from(stretch.offset).unwrap_or(usize::MAX);
            let size = usize::try_from(stretch.size).unwrap_or(usize::MAX);
            let rest = self.file.get(at..).unwrap_or_default();
            let data = rest.get(..size).unwrap_or(rest);
            let mut read = pages.read(data, at, &mut self.owners, sink);
            if rest.len() < size {
                read = read.and(Err(Stop::at(self.file.len(), "the file ends inside the pages")));
            }
            end = further(end, read)?;
        }
        end
    }
}

/// One CPU's pages may be cut off, and the next one's whole.
fn further(end: Result<(), Stop>, data: Result<(), Stop>) -> Result<Result<(), Stop>, Stop> {
    match data {
        Err(Stop::Refused(why)) => Err(Stop::Refused(why)),
        data => Ok(end.and(data)),
    }
}

/// Takes a chunk and where it begins in the file.
type SeeChunk<'s> = dyn FnMut(usize, &[u8]) -> Result<(), Stop> + 's;

/// A count of chunks, and the chunks.
fn chunks(
    file: &[u8],
    at: usize,
    sections: &mut Sections<'_>,
    see: &mut SeeChunk<'_>,
) -> Result<(), Stop> {
    let mut bytes = Bytes::new(file, at, sections.is_big());
    for _ in 0..bytes.number(4)? {
        let byte = bytes.at();
        let chunk = sections.chunk(&mut bytes)?;
        see(byte, &chunk)?;
    }
    Ok(())
}

fn clocked(clock: &clock::Clock, sink: &mut Sink<'_>) {
    if !clock.name.is_empty() {
        sink.builder.clock(&clock.name);
    }
    if !clock.is_in_ns() {
        let what = format!("{} does not count ns: a time is its ticks", clock.name);
        sink.builder.unread("clock", "trace_clock".to_owned(), what);
    }
}
