//! Version 7: sections anywhere in the file, found from lists of options, each of which says where
//! the next list is. Sections and pages may be compressed.

use std::borrow::Cow;

use super::super::binary::{Sink, Stop};
use super::super::unpack::{Method, Room};
use super::buffer::{Buffer, Data, Stretch};
use super::bytes::Bytes;
use super::parts::{BUFFER, DONE, Parts, cmdlines};
use crate::recording::CPUS_MAX;

const HEADER_INFO: u64 = 16;
const FTRACE_EVENTS: u64 = 17;
const EVENT_FORMATS: u64 = 18;
const CMDLINES: u64 = 21;
const BUFFER_TEXT: u64 = 22;
/// A section's flag.
const COMPRESSED: u64 = 1;
/// Most lists of options.
const LISTS_MAX: usize = 1_000;

/// A file whose sections are read.
pub(super) struct Sections<'f> {
    file: &'f [u8],
    is_big: bool,
    method: Result<Option<Method>, String>,
    room: Room,
}

/// What lists of options say of sections.
#[derive(Default)]
struct Found {
    /// Number and place.
    sections: Vec<(u64, u64)>,
    buffers: Vec<(u64, Buffer)>,
}

impl<'f> Sections<'f> {
    /// The sections of a file whose first bytes up to the page's size are read.
    pub(super) fn new(file: &'f [u8], bytes: &mut Bytes<'f>) -> Result<(Self, u64), Stop> {
        let (name, _version) = (bytes.text()?, bytes.text()?);
        let method = match name {
            "none" | "" => Ok(None),
            "zlib" => Ok(Some(Method::Zlib)),
            "zstd" => Ok(Some(Method::Zstd)),
            other => Err(format!("it is compressed by {other}, which is not read")),
        };
        let sections = Self { file, is_big: bytes.is_big, method, room: Room::of(file.len()) };
        Ok((sections, bytes.number(8)?))
    }

    pub(super) fn is_big(&self) -> bool {
        self.is_big
    }

    /// Reads what comes before the pages; the buffers.
    pub(super) fn parts(
        &mut self,
        first: u64,
        parts: &mut Parts,
        sink: &mut Sink<'_>,
    ) -> Result<Vec<Buffer>, Stop> {
        let mut found = Found::default();
        // What was found counts, though a list behind it is cut off.
        let end = self.lists(first, &mut found, parts, sink);
        found.sections.sort_unstable();
        for (number, offset) in found.sections {
            let section = self.section(offset)?;
            let mut bytes = Bytes::new(&section, 0, self.is_big);
            match number {
                HEADER_INFO => parts.header_info(&mut bytes)?,
                FTRACE_EVENTS => parts.ftrace_events(&mut bytes, sink)?,
                EVENT_FORMATS => parts.event_formats(&mut bytes, sink)?,
                _ => cmdlines(&mut bytes, &mut sink.names)?,
            }
        }
        let mut buffers = Vec::new();
        for (offset, buffer) in found.buffers {
            buffers.push(self.buffer(offset, buffer)?);
        }
        if buffers.is_empty() { end.map(|()| buffers) } else { Ok(buffers) }
    }

    fn lists(
        &mut self,
        first: u64,
        found: &mut Found,
        parts: &mut Parts,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        let mut next = first;
        for _ in 0..LISTS_MAX {
            if next == 0 {
                return Ok(());
            }
            let list = self.section(next)?;
            next = self.list(&list, found, parts, sink)?;
        }
        Err(Stop::at(0, "there are too many lists of options"))
    }

    /// One list; where the next one is.
    fn list(
        &self,
        list: &[u8],
        found: &mut Found,
        parts: &mut Parts,
        sink: &mut Sink<'_>,
    ) -> Result<u64, Stop> {
        let mut bytes = Bytes::new(list, 0, self.is_big);
        loop {
            sink.step(0)?;
            let option = bytes.number(2)?;
            let data = bytes.sized(4)?;
            let mut of = Bytes::new(data, 0, self.is_big);
            match option {
                DONE => return of.number(8),
                HEADER_INFO | FTRACE_EVENTS | EVENT_FORMATS | CMDLINES => {
                    found.sections.push((option, of.number(8)?));
                }
                BUFFER | BUFFER_TEXT => {
                    found.buffers.push(buffer(&mut of, option == BUFFER)?);
                }
                _ => parts.option(option, bytes, data, sink),
            }
        }
    }

    /// A section's bytes.
    fn section(&mut self, offset: u64) -> Result<Cow<'f, [u8]>, Stop> {
        let (mut bytes, flags, size) = self.header(offset)?;
        if flags & COMPRESSED == 0 {
            // The size of the last list of options may be 0.
            let rest = self.file.get(bytes.at()..).unwrap_or_default();
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            let size = if size == 0 { rest.len() } else { size.min(rest.len()) };
            return Ok(rest.get(..size).unwrap_or_default().into());
        }
        self.chunk(&mut bytes).map(Cow::Owned)
    }

    fn header(&self, offset: u64) -> Result<(Bytes<'f>, u64, u64), Stop> {
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        let mut bytes = Bytes::new(self.file, at, self.is_big);
        let (_number, flags, _name) = (bytes.number(2)?, bytes.number(2)?, bytes.number(4)?);
        let size = bytes.number(8)?;
        Ok((bytes, flags, size))
    }

    /// Compressed and uncompressed size, and compressed bytes.
    pub(super) fn chunk(&mut self, bytes: &mut Bytes<'_>) -> Result<Vec<u8>, Stop> {
        let at = bytes.at();
        let (size, _unpacked) = (bytes.number(4)?, bytes.number(4)?);
        let part = bytes.take(usize::try_from(size).unwrap_or(usize::MAX))?;
        let damaged = |why: &str| Stop::at(at, why);
        match &self.method {
            Ok(Some(method)) => self.room.unpacked(part, *method).map_err(|why| damaged(&why)),
            Ok(None) => Err(damaged("it is compressed, and the file says by nothing")),
            Err(why) => Err(damaged(why)),
        }
    }

    /// The buffer with what its section says.
    fn buffer(&mut self, offset: u64, mut buffer: Buffer) -> Result<Buffer, Stop> {
        let (bytes, flags, _) = self.header(offset)?;
        let is_packed = flags & COMPRESSED != 0;
        buffer.data = match buffer.data {
            Data::Pages(stretches) if is_packed => Data::Packed(stretches),
            Data::Text(_) if is_packed => Data::PackedText(bytes.at()),
            Data::Text(_) => Data::Text(bytes.at()),
            data => data,
        };
        Ok(buffer)
    }
}

/// The option of a buffer: where its section is, and its table of CPUs.
fn buffer(bytes: &mut Bytes<'_>, has_pages: bool) -> Result<(u64, Buffer), Stop> {
    let offset = bytes.number(8)?;
    let (_name, clock) = (bytes.text()?, bytes.text()?.to_owned());
    if !has_pages {
        return Ok((offset, Buffer { clock, page: None, data: Data::Text(0) }));
    }
    let page = usize::try_from(bytes.number(4)?).ok();
    let cpus = bytes.number(4)?.min(u64::from(CPUS_MAX));
    let stretch = |_| {
        let (cpu, offset, size) = (bytes.number(4)?, bytes.number(8)?, bytes.number(8)?);
        Ok(Stretch { cpu: cpu as u32, offset, size })
    };
    let stretches = (0..cpus).map(stretch).collect::<Result<_, Stop>>()?;
    Ok((offset, Buffer { clock, page, data: Data::Pages(stretches) }))
}
