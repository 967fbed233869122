//! Pressure stall information of the CPU: /proc/pressure/cpu, and cpu.pressure of each group.

use std::io::{Result, Write};

use schedscope_engine::account::pressure::{Averages, Pressure};
use schedscope_engine::kernel::config::Kernel;
use schedscope_engine::trace::columns::Columns;

use crate::cgroup::{files, path};
use crate::events::{Act, Event, Events, State, Wake};
use crate::format::{Content, Format};
use crate::run::{End, Run, RunWriter, refused};

pub(super) const FORMAT: Format = Format {
    name: "psi",
    title: "CPU pressure (PSI)",
    extension: "txt",
    media_type: "text/plain",
    contents: &[Content::printout(|run| Box::new(Psi::new(run)))
        .opens_in("scripts that read /proc/pressure/cpu, file by file")],
    carries: "/proc/pressure/cpu and cpu.pressure of each control group when the run ends: avg10, \
        avg60 and avg300 in the kernel's fixed point, total in us; each CPU weighs as much as it \
        had tasks. Tasks without quota count as runnable. The line full from 5.13 on; for the \
        whole machine it is 0 from 5.19 on. Before 5.7 a stall needs two runnable tasks of a group \
        on a CPU.",
    loses: "Memory, I/O and interrupt pressure: the model has no memory, and no task waits for \
        I/O. The averages begin with 0 at the run's start and end a period each 2 s and a tick, \
        also while nothing runs, where the kernel pauses. The kernel's own worker, which ends the \
        periods, does not run. Kernels before 4.20 have no PSI and are refused.",
};

struct Psi {
    run: Run,
    events: Events,
}

impl Psi {
    fn new(run: Run) -> Self {
        // A printout is of the whole run.
        let run = Run { window: (0, u64::MAX), ..run };
        let events = Events::new(&run);
        Self { run, events }
    }
}

impl RunWriter for Psi {
    fn begin(&mut self, _out: &mut dyn Write) -> Result<()> {
        if !self.run.setup.kernel.has_cpu_pressure() {
            return Err(refused("kernels before 4.20 have no pressure stall information"));
        }
        Ok(())
    }

    fn rows(&mut self, rows: &Columns, _out: &mut dyn Write) -> Result<()> {
        self.events.rows(rows, &self.run);
        Ok(())
    }

    fn end(&mut self, end: &End, out: &mut dyn Write) -> Result<()> {
        self.events.end(end, &self.run);
        let mut pressure = Pressure::new(&self.run.setup);
        self.events.kept().iter().for_each(|event| take(&mut pressure, event));
        pressure.read(end.ns);
        let kernel = &self.run.setup.kernel;
        let groups = self.run.setup.groups.iter().enumerate();
        let all: Vec<(String, String)> = groups
            .zip(pressure.lines())
            .map(|((number, group), lines)| {
                let is_machine = number == 0;
                let path = if is_machine {
                    "/proc/pressure/cpu".to_owned()
                } else {
                    path("/sys/fs/cgroup", &group.path, "cpu.pressure")
                };
                (path, text(lines, kernel, is_machine))
            })
            .collect();
        files(&all, out)
    }
}

/// Counts an event of the run.
fn take(pressure: &mut Pressure, event: &Event) {
    let (time, cpu) = (event.time, u32::from(event.cpu));
    match event.act {
        Act::SchedSwitch { prev, state, next } => {
            pressure.switch(time, cpu, (prev.task, state == State::Sleeping), next.task);
        }
        Act::Wake { step: Wake::Wakeup | Wake::WakeupNew, task, target_cpu } => {
            pressure.come(time, task.task, target_cpu, true);
        }
        Act::MigrateTask { task, dest_cpu, .. } => {
            pressure.come(time, task.task, dest_cpu, false);
        }
        _ => {}
    }
}

/// The lines of one file.
fn text([some, full]: &[Averages; 2], kernel: &Kernel, is_machine: bool) -> String {
    let some = format!("some {some}\n");
    if !kernel.has_full_cpu_pressure() {
        return some;
    }
    let zero = is_machine && kernel.machine_has_no_full_pressure();
    let full = if zero { Averages::default() } else { *full };
    format!("{some}full {full}\n")
}
