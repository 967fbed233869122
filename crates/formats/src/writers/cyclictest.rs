//! cyclictest's own output, as text: a line for each thread.

use std::io::{Result, Write};

use schedscope_engine::trace::columns::Columns;

use crate::cyclictest::{samples::Samples, text};
use crate::format::{Content, Format};
use crate::run::{End, RunWriter};

pub(super) const FORMAT: Format = Format {
    name: "cyclictest",
    title: "cyclictest",
    extension: "txt",
    media_type: "text/plain",
    contents: &[Content::printout(|run| Box::new(Lines(Samples::new(&run))))
        .opens_in("scripts that read what cyclictest -q prints")],
    carries: "What cyclictest -q prints: a line for each thread with priority, interval, cycles, \
        and the least, last, mean and greatest latency in whole us; where -b stopped it, the \
        thread ids, the thread and its latency. A thread's id is 1000 plus the number of its \
        task.",
    loses: "Everything but cyclictest. Fractions of a us are cut off, as the program does. A \
        latency from 4.29 s on is that number.",
};

struct Lines(Samples);

impl RunWriter for Lines {
    fn begin(&mut self, _out: &mut dyn Write) -> Result<()> {
        self.0.check()
    }

    fn rows(&mut self, rows: &Columns, _out: &mut dyn Write) -> Result<()> {
        self.0.rows(rows);
        Ok(())
    }

    fn end(&mut self, _end: &End, out: &mut dyn Write) -> Result<()> {
        out.write_all(text(self.0.threads(), self.0.options()).as_bytes())
    }
}
