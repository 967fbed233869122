//! Judges slice extensions from the rows (docs/model/preemption.md#slice-extension).

use schedscope_engine::setup::Setup;
use schedscope_engine::trace::catalogue::{Kind, NONE};

use super::judge::{Row, Written};
use super::locks::check;

/// The running task of a CPU, and the latest end of its slice extension.
#[derive(Clone, Copy)]
struct Cpu {
    runs: u32,
    extended: Option<(u32, u64)>,
}

/// Only a task that runs has an extension, it has one at a time, and no switch comes before the end
/// of the extension. Its timer is never early.
pub fn judge(setup: &Setup, written: &Written) -> Result<(), String> {
    let idle = Cpu { runs: NONE, extended: None };
    let mut cpus = vec![idle; setup.machine.topology.cpus() as usize];
    for row in &written.rows {
        if let Some(cpu) = cpus.get_mut(row.cpu as usize) {
            cpu.row(setup, row).map_err(|what| format!("{what}: {row:?}"))?;
        }
    }
    Ok(())
}

impl Cpu {
    fn row(&mut self, setup: &Setup, row: &Row) -> Result<(), String> {
        match row.kind {
            Kind::SchedSwitch => {
                self.runs = row.b;
                check(self.extended.is_none(), "a switch amid a slice extension")
            }
            Kind::SliceGrant => {
                check(setup.kernel.rseq_slice_extension, "an extension that the kernel lacks")?;
                check(self.runs == row.a, "the slice of a task is extended that does not run")?;
                let other = self.extended.replace((row.a, row.time + u64::from(row.b)));
                check(other.is_none(), "a slice is extended twice at once")
            }
            Kind::SliceEnd => {
                let (task, until) = self.extended.take().ok_or("an extension ends that is none")?;
                check(task == row.a, "a task ends the extension of another")?;
                check(row.b != 0 || row.time >= until, "the timer of an extension is early")
            }
            _ => Ok(()),
        }
    }
}
