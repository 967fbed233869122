//! Version 6: one part after another, then the pages of each CPU where a table says.

use super::super::binary::{Sink, Stop};
use super::buffer::{Buffer, Data, Stretch};
use super::bytes::Bytes;
use super::parts::{BUFFER, CPUCOUNT, DONE, Parts, cmdlines};
use crate::recording::CPUS_MAX;

/// Reads what comes before the pages; the buffers.
pub(super) fn parts(
    bytes: &mut Bytes<'_>,
    file: &[u8],
    parts: &mut Parts,
    sink: &mut Sink<'_>,
) -> Result<Vec<Buffer>, Stop> {
    parts.header_info(bytes)?;
    parts.ftrace_events(bytes, sink)?;
    parts.event_formats(bytes, sink)?;
    // kallsyms and printk_formats.
    bytes.sized(4)?;
    bytes.sized(4)?;
    cmdlines(bytes, &mut sink.names)?;
    let mut head = Head { cpus: bytes.number(4)?, others: Vec::new() };
    let top = head.buffer(bytes, parts, sink)?;
    let mut buffers = vec![top];
    for offset in std::mem::take(&mut head.others) {
        let mut bytes = Bytes::new(file, offset, bytes.is_big);
        buffers.push(head.buffer(&mut bytes, parts, sink)?);
    }
    Ok(buffers)
}

struct Head {
    cpus: u64,
    /// Where the tables of further buffers are.
    others: Vec<usize>,
}

impl Head {
    /// Options if there are any, and a buffer's table.
    fn buffer(
        &mut self,
        bytes: &mut Bytes<'_>,
        parts: &mut Parts,
        sink: &mut Sink<'_>,
    ) -> Result<Buffer, Stop> {
        let mut at = bytes.at();
        let mut kind = bytes.take(10)?;
        if kind.starts_with(b"options") {
            self.options(bytes, parts, sink)?;
            at = bytes.at();
            kind = bytes.take(10)?;
        }
        let clock = parts.clock.name.clone();
        if kind.starts_with(b"latency") {
            return Ok(Buffer { clock, page: None, data: Data::Text(bytes.at()) });
        }
        if !kind.starts_with(b"flyrecord") {
            return Err(Stop::at(at, "flyrecord is expected here"));
        }
        let cpus = self.cpus.min(u64::from(CPUS_MAX));
        let stretch = |cpu: u64| {
            let (offset, size) = (bytes.number(8)?, bytes.number(8)?);
            Ok(Stretch { cpu: cpu as u32, offset, size })
        };
        let data = Data::Pages((0..cpus).map(stretch).collect::<Result<_, Stop>>()?);
        Ok(Buffer { clock, page: None, data })
    }

    fn options(
        &mut self,
        bytes: &mut Bytes<'_>,
        parts: &mut Parts,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        loop {
            sink.step(bytes.at())?;
            let option = bytes.number(2)?;
            if option == DONE {
                return Ok(());
            }
            let data = bytes.sized(4)?;
            let number = |length| Bytes::new(data, 0, bytes.is_big).number(length);
            match option {
                CPUCOUNT => self.cpus = number(4).unwrap_or(self.cpus),
                BUFFER => {
                    let offset = number(8).ok().and_then(|offset| usize::try_from(offset).ok());
                    self.others.extend(offset);
                }
                _ => parts.option(option, *bytes, data, sink),
            }
        }
    }
}
