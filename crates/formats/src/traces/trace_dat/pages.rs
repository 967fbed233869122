//! Pages of a ring buffer: kernel/trace/ring_buffer.c, and kbuffer-parse.c of libtraceevent.
//!
//! ```text
//! page     time of the first event (8), bytes of events and flags (a long), events, zeros
//! event    type and ns since the event before it (4), then 4 * type bytes; or of type
//!          0   its length (4), which counts itself
//!          29  nothing: an event that was given up, or with a time of 0 the rest of the page
//!          30  the rest of a longer span (4)
//!          31  the rest of an absolute time (4), whose upper 5 bits are those of the time so far
//! ```

use super::super::binary::{Sink, Stop};
use super::bytes::number;
use super::clock::Clock;
use super::format::{Bytes, Formats, Record, field_of};
use crate::recording::Stamp;

/// Flags above the bytes of events: events were lost before this page, and how many of them
/// follows its events.
const MISSED: u64 = 1 << 31;
const MISSED_STORED: u64 = 1 << 30;
const COMMIT: u64 = (1 << 27) - 1;
/// Bits of a time in an event's first word.
const DELTA_BITS: u32 = 27;
/// Bits of an absolute time that its event does not hold.
const UPPER: u64 = 0xf8 << 56;
const PADDING: u32 = 29;
const TIME_EXTEND: u32 = 30;
const TIME_STAMP: u32 = 31;
/// Bits of common_flags, include/linux/trace_events.h.
const NEED_RESCHED: u8 = 0x04;
/// Before 6.13 it is TRACE_FLAG_IRQS_NOSUPPORT.
const NEED_RESCHED_LAZY: u8 = 0x02;

/// How a page begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) page: usize,
    /// Bytes of a long of the kernel.
    long: usize,
    /// Where the events begin.
    data: usize,
    is_big: bool,
}

impl Layout {
    /// From events/header_page, which says how long a long of the kernel is; a file of a 64-bit
    /// kernel may say 4 for its programs.
    pub(super) fn new(page: usize, long: u8, header: &str, is_big: bool) -> Self {
        let field = |name: &str| {
            let line = header.lines().find(|line| {
                line.split_once(';').is_some_and(|(declared, _)| declared.ends_with(name))
            })?;
            field_of(line.trim().strip_prefix("field:")?)
        };
        let long = field(" commit").map_or(usize::from(long), |field| field.size());
        let long = if long == 4 { 4 } else { 8 };
        let data = field(" data").map_or(8 + long, |field| field.at());
        Self { page, long, data, is_big }
    }

    /// This layout with pages of another size.
    pub(super) fn of_pages(self, page: usize) -> Self {
        Self { page, ..self }
    }
}

/// Reads pages of one CPU.
pub(super) struct Pages<'r> {
    pub(super) layout: Layout,
    pub(super) formats: &'r Formats,
    pub(super) clock: &'r Clock,
    /// Whether the kernel has a lazy flag.
    pub(super) has_lazy: bool,
    pub(super) cpu: u32,
    /// Which buffer they are of.
    pub(super) buffer: usize,
}

/// By the events' numbers: the first buffer that has the event.
pub(super) type Owners = std::collections::BTreeMap<usize, usize>;

impl Pages<'_> {
    /// Reads pages, the first of which is at a byte of the file.
    pub(super) fn read(
        &self,
        pages: &[u8],
        byte: usize,
        owners: &mut Owners,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        for (nth, page) in pages.chunks(self.layout.page.max(1)).enumerate() {
            let byte = byte.saturating_add(nth.saturating_mul(self.layout.page));
            sink.step(byte)?;
            self.page(page, byte, owners, sink)?;
        }
        Ok(())
    }

    fn page(
        &self,
        page: &[u8],
        byte: usize,
        owners: &mut Owners,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        let Layout { long, data, is_big, .. } = self.layout;
        let (Some(time), Some(commit)) = (page.get(..8), page.get(8..8 + long)) else {
            return Err(Stop::at(byte, "a page is cut off"));
        };
        let (mut ns, commit) = (number(time, is_big), number(commit, is_big));
        let size = usize::try_from(commit & COMMIT).unwrap_or(usize::MAX);
        let rest = page.get(data..).unwrap_or_default();
        self.missed(commit, rest.get(size..).unwrap_or_default(), sink);
        let is_cut = rest.len() < size;
        let mut words = rest.get(..size).unwrap_or(rest);
        while !words.is_empty() {
            let Some(next) = self.next(words, &mut ns) else {
                if !is_cut {
                    let what = "an event is longer than its page".to_owned();
                    sink.builder.unread("page", format!("byte {byte}"), what);
                }
                break;
            };
            if let Some(record) = next.record {
                sink.step(byte)?;
                self.record(record, ns, byte, owners, sink);
            }
            words = next.rest;
        }
        if is_cut { Err(Stop::at(byte, "a page is cut off")) } else { Ok(()) }
    }

    /// What the kernel lost before this page.
    fn missed(&self, commit: u64, behind: &[u8], sink: &mut Sink<'_>) {
        if commit & MISSED == 0 {
            return;
        }
        let stored = behind.get(..self.layout.long).filter(|_| commit & MISSED_STORED != 0);
        sink.builder.lost(self.cpu, stored.map(|bytes| number(bytes, self.layout.is_big)));
    }

    fn next<'f>(&self, words: &'f [u8], ns: &mut u64) -> Option<Next<'f>> {
        let word = self.word(words.get(..4)?);
        let rest = words.get(4..)?;
        let (kind, delta) = if self.layout.is_big {
            (word >> DELTA_BITS, word & ((1 << DELTA_BITS) - 1))
        } else {
            (word & 31, word >> 5)
        };
        let extended = |rest: &[u8]| {
            Some((u64::from(self.word(rest.get(..4)?)) << DELTA_BITS) + u64::from(delta))
        };
        let (record, rest) = match kind {
            TIME_STAMP => {
                *ns = *ns & UPPER | extended(rest)? & !UPPER;
                (None, rest.get(4..)?)
            }
            TIME_EXTEND => {
                *ns = ns.wrapping_add(extended(rest)?);
                (None, rest.get(4..)?)
            }
            PADDING if delta == 0 => (None, &[][..]),
            _ => {
                *ns = ns.wrapping_add(u64::from(delta));
                let (length, rest) = match kind {
                    0 => (self.word(rest.get(..4)?).checked_sub(4)?, rest.get(4..)?),
                    PADDING => (self.word(rest.get(..4)?), rest),
                    _ => (kind * 4, rest),
                };
                let length = usize::try_from(length).ok()?.checked_next_multiple_of(4)?;
                let record = rest.get(..length)?;
                (Some(record).filter(|_| kind != PADDING), rest.get(length..)?)
            }
        };
        Some(Next { record, rest })
    }

    /// The low 32 bits of 4 bytes.
    fn word(&self, bytes: &[u8]) -> u32 {
        number(bytes, self.layout.is_big) as u32
    }

    fn record(
        &self,
        record: &[u8],
        ns: u64,
        byte: usize,
        owners: &mut Owners,
        sink: &mut Sink<'_>,
    ) {
        let bytes = Bytes { bytes: record, is_big: self.layout.is_big };
        let Some((id, flags, format)) = self.formats.of(bytes) else {
            let what = "an event without a number".to_owned();
            return sink.builder.unread("event", format!("byte {byte}"), what);
        };
        let Some(format) = format else {
            let what = format!("event {id}, whose format the file lacks");
            return sink.builder.unread("event", format!("byte {byte}"), what);
        };
        let stamp = Stamp {
            ns: self.clock.ns(ns),
            cpu: self.cpu,
            need_resched: flags & NEED_RESCHED != 0,
            is_lazy: self.has_lazy && flags & NEED_RESCHED_LAZY != 0,
        };
        // Two buffers may both have recorded an event: it counts once.
        let is_own =
            format.sort.is_none() || *owners.entry(id).or_insert(self.buffer) == self.buffer;
        let sort = format.sort.filter(|_| is_own);
        sink.event(stamp, (&format.name, sort), &Record { bytes, format }, byte);
    }
}

/// What a page has next, and what is behind it.
struct Next<'f> {
    record: Option<&'f [u8]>,
    rest: &'f [u8],
}
