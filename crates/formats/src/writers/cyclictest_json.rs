//! cyclictest's results as rt-tests' `--json=FILE` has them.

use std::io::{Result, Write};

use schedscope_engine::trace::columns::Columns;

use crate::cyclictest::{json, samples::Samples};
use crate::format::{Content, Format};
use crate::run::{End, Run, RunWriter};

pub(super) const FORMAT: Format = Format {
    name: "cyclictest-json",
    title: "cyclictest JSON",
    extension: "json",
    media_type: "application/json",
    contents: &[Content::printout(|run| Box::new(Json::new(&run)))
        .opens_in("scripts that read what cyclictest --json writes")],
    carries: "What cyclictest --json=FILE writes: for each thread the histogram in us, cycles, \
        min, max, avg and CPU, -1 for a thread that is not pinned; of the machine the kernel's \
        version and whether it is PREEMPT_RT.",
    loses: "Everything but cyclictest. cmdline, rt_test_version, start_time, end_time, \
        return_code, node and the rest of sysinfo are left out: a simulation has none. A latency \
        from 4.29 s on is that number; those from 1 s on are not in the histogram.",
};

struct Json {
    samples: Samples,
    release: String,
    is_rt: bool,
}

impl Json {
    fn new(run: &Run) -> Self {
        let kernel = &run.setup.kernel;
        let (release, is_rt) = (kernel.version().to_string(), kernel.preempt.is_rt());
        Self { samples: Samples::new(run), release, is_rt }
    }
}

impl RunWriter for Json {
    fn begin(&mut self, _out: &mut dyn Write) -> Result<()> {
        self.samples.check()
    }

    fn rows(&mut self, rows: &Columns, _out: &mut dyn Write) -> Result<()> {
        self.samples.rows(rows);
        Ok(())
    }

    fn end(&mut self, _end: &End, out: &mut dyn Write) -> Result<()> {
        let Self { samples, release, is_rt } = self;
        let text = json::text(samples.threads(), samples.buckets(), release, *is_rt);
        out.write_all(text.as_bytes())
    }
}
