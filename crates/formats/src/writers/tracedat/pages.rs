//! Pages of a ring buffer, as the kernel's include/linux/ring_buffer.h and
//! kernel/trace/ring_buffer.c lay them out for a little-endian CPU of 64 bits.
//!
//! ```text
//! page     time of the first event (8), bytes of events (8), events, zeros
//! event    type_len (5 bits) and ns since the event before it (27 bits), then 4 * type_len bytes
//! extend   type_len 30, low 27 bits of a longer span, then the rest of it (4 bytes)
//! ```

use std::io::{Result, Write};

/// Bytes of a page.
pub const PAGE: usize = 4096;
/// Bytes before a page's first event.
const HEAD: usize = 16;
const TIME_EXTEND: u32 = 30;
/// Bits of `time_delta`.
const DELTA_BITS: u32 = 27;

/// Fills pages with the events of one CPU.
pub struct Pages<'o> {
    out: &'o mut dyn Write,
    page: Vec<u8>,
    last: u64,
    written: u64,
}

impl<'o> Pages<'o> {
    pub fn new(out: &'o mut dyn Write) -> Self {
        Self { out, page: Vec::with_capacity(PAGE), last: 0, written: 0 }
    }

    /// Takes the next event: its time and its fields, whose length is a multiple of 4 from 4 to
    /// 112 bytes.
    pub fn add(&mut self, time: u64, record: &[u8]) -> Result<()> {
        let extend = if self.since(time) >> DELTA_BITS == 0 { 0 } else { 8 };
        if self.page.is_empty() || self.page.len() + extend + 4 + record.len() > PAGE {
            self.finish()?;
            self.page.extend(time.to_le_bytes());
            self.page.extend([0; 8]);
            self.last = time;
        }
        let mut delta = self.since(time);
        let rest = delta >> DELTA_BITS;
        if rest > 0 {
            self.word(TIME_EXTEND, delta);
            self.page.extend(low(rest).to_le_bytes());
            delta = 0;
        }
        self.word(low(record.len() as u64 / 4), delta);
        self.page.extend(record);
        self.last = time;
        Ok(())
    }

    /// Writes the last page; how many pages there are.
    pub fn end(mut self) -> Result<u64> {
        self.finish()?;
        Ok(self.written)
    }

    fn since(&self, time: u64) -> u64 {
        time.saturating_sub(self.last)
    }

    fn word(&mut self, type_len: u32, delta: u64) {
        let delta = low(delta) & ((1 << DELTA_BITS) - 1);
        self.page.extend((type_len | delta << 5).to_le_bytes());
    }

    fn finish(&mut self) -> Result<()> {
        if self.page.is_empty() {
            return Ok(());
        }
        let commit = (self.page.len() - HEAD) as u64;
        self.page[8..HEAD].copy_from_slice(&commit.to_le_bytes());
        self.page.resize(PAGE, 0);
        self.out.write_all(&self.page)?;
        self.page.clear();
        self.written += 1;
        Ok(())
    }
}

/// The low 32 bits.
fn low(value: u64) -> u32 {
    (value & u64::from(u32::MAX)) as u32
}
