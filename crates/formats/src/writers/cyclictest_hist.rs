//! cyclictest's own output with its histogram, option -h.

use std::io::{Result, Write};

use schedscope_engine::trace::columns::Columns;

use crate::cyclictest::{Options, samples::Samples, text};
use crate::format::{Content, Format};
use crate::run::{End, RunWriter};

pub(super) const FORMAT: Format = Format {
    name: "cyclictest-hist",
    title: "cyclictest histogram",
    extension: "txt",
    media_type: "text/plain",
    contents: &[Content::printout(|run| Box::new(Histogram(Samples::new(&run))))
        .opens_in("scripts that read what cyclictest -q -h prints")],
    carries: "What cyclictest -q -h prints: a row for each us with a column for each thread, \
        totals, least, mean and greatest latencies, and which cycles lie beyond; with it the \
        program prints no lines of threads. The histogram is as \
        long as the greatest latency asks for, at most 1 s, the program's own limit.",
    loses: "Everything but cyclictest. Fractions of a us are cut off, as the program does. A \
        latency from 4.29 s on is that number.",
};

struct Histogram(Samples);

impl RunWriter for Histogram {
    fn begin(&mut self, _out: &mut dyn Write) -> Result<()> {
        self.0.check()
    }

    fn rows(&mut self, rows: &Columns, _out: &mut dyn Write) -> Result<()> {
        self.0.rows(rows);
        Ok(())
    }

    fn end(&mut self, _end: &End, out: &mut dyn Write) -> Result<()> {
        let options = Options { histogram: self.0.buckets(), ..self.0.options() };
        out.write_all(text(self.0.threads(), options).as_bytes())
    }
}
