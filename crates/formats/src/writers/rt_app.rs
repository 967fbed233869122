//! rt-app JSON: the tasks of a run as a workload that rt-app plays on a real machine.
//!
//! Grammar: doc/tutorial.txt and src/rt-app_parse_config.c of github.com/scheduler-tools/rt-app.
//! A key that rt-app does not look for is ignored there, so the file itself says in `_lost` what is
//! different from the run.

mod events;
mod losses;
mod names;
mod phases;
mod tasks;

use std::io::{Result, Write};

use schedscope_engine::setup::Object;
use schedscope_engine::trace::columns::Columns;

use crate::format::{Content, Format};
use crate::json_text::quoted;
use crate::run::{Run, RunWriter};
use losses::Losses;
use tasks::Tasks;

pub(super) const FORMAT: Format = Format {
    name: "rt-app",
    title: "rt-app JSON",
    extension: "json",
    media_type: "application/json",
    contents: &[
        Content::workload(|run| Box::new(RtApp { run, lost: Vec::new() })).opens_in("rt-app")
    ],
    carries: "The tasks with their policies, priorities, CPUs, control groups, delays, instances, \
    loops and \
        phases, and their events: run, runtime, sleep, timer, lock, unlock, wait, signal, broad, \
        sync, barrier, sem_wait, sem_post, yield and fork. A suspend or resume is written as the \
        lock, wait or broad, and unlock that rt-app makes of it. A cyclictest thread is a timer \
        with a run. It is not simulated: the file has what the run starts from. rt-app \
        calibrates its busy loop on CPU 0 of the machine that plays it.",
    loses: "The machine, the kernel, the seed, writes to the running kernel, interrupts, noise, \
        weights and quotas of control groups, the groups of real-time tasks, and what tools \
        measure themselves. Times are whole microseconds, the \
        duration whole seconds. A time that is drawn is its median; kernel work and page faults \
        are run; a spin lock is a mutex; tasks that wait in a way that rt-app has not are left \
        out. What this run loses, and which rt-app it needs, is in the file under _lost, and the \
        command says it.",
};

/// One run as rt-app JSON. All of it is written at the start: rows change nothing.
struct RtApp {
    run: Run,
    lost: Vec<String>,
}

impl RunWriter for RtApp {
    fn begin(&mut self, out: &mut dyn Write) -> Result<()> {
        let mut losses = Losses::default();
        let setup = &self.run.setup;
        losses.of_setup(setup);
        let tasks = Tasks::of(setup, &mut losses);
        self.lost = losses.sentences();
        let lost: Vec<String> =
            self.lost.iter().map(|sentence| format!("\n    {}", quoted(sentence))).collect();
        let lost =
            if lost.is_empty() { "[]".to_owned() } else { format!("[{}\n  ]", lost.join(",")) };
        writeln!(
            out,
            "{{\n  \"_from\": {},\n  \"_lost\": {lost},\n  \"global\": {{\n    \
                \"duration\": {},\n    \"calibration\": \"CPU0\",\n    \
                \"default_policy\": \"SCHED_OTHER\",\n    \
                \"pi_enabled\": {}\n  }},\n  \"tasks\": {{{}\n  }}\n}}",
            quoted(&self.run.title.replay),
            setup.duration_ns.div_ceil(1_000_000_000),
            setup.objects.iter().any(|spec| spec.object == Object::Mutex { pi: true }),
            tasks.text()
        )
    }

    fn rows(&mut self, _rows: &Columns, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    fn lost(&self) -> Vec<String> {
        self.lost.clone()
    }
}
