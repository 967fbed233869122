//! cpu.stat of each group, cgroup v2.

use std::io::{Result, Write};

use schedscope_engine::trace::columns::Columns;

use crate::cgroup::cpu_stat::{CpuStat, lines, split};
use crate::cgroup::{below_root, files, path};
use crate::format::{Content, Format};
use crate::run::{End, Run, RunWriter, refused};

pub(super) const FORMAT: Format = Format {
    name: "cpu.stat",
    title: "cpu.stat",
    extension: "txt",
    media_type: "text/plain",
    contents: &[Content::printout(|run| Box::new(CpuStatV2(run)))
        .opens_in("scripts that read cpu.stat, file by file")],
    carries: "cpu.stat of each control group as cgroup v2 has it when the run ends, from 6.6 on \
        with cpu.stat.local; several files under their names, as tail prints them. nr_bursts and \
        burst_usec from 5.16 on. user_usec and system_usec divide the usage as the run times of \
        the group's tasks divide.",
    loses: "The root's cpu.stat, core_sched.force_idle_usec and nice_usec. Kernels before 4.15 \
        have no such file and are refused, as is a scenario without groups. Run time since the \
        last tick or switch before the end is not in it.",
};

struct CpuStatV2(Run);

impl RunWriter for CpuStatV2 {
    fn begin(&mut self, _out: &mut dyn Write) -> Result<()> {
        if !self.0.setup.kernel.has_unified_cpu_controller() {
            return Err(refused(
                "kernels before 4.15 have no CPU controller in cgroup v2: use cpu.stat-v1",
            ));
        }
        below_root(&self.0).map(|_| ())
    }

    fn rows(&mut self, _rows: &Columns, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    fn end(&mut self, end: &End, out: &mut dyn Write) -> Result<()> {
        const MOUNT: &str = "/sys/fs/cgroup";
        let kernel = &self.0.setup.kernel;
        let mut all = Vec::new();
        for (number, group) in (1..).zip(below_root(&self.0)?) {
            let stat = CpuStat::of(&end.figures, &group.path);
            let mut fields = stat.v2(kernel.counts_bursts());
            fields.splice(1..1, split(&self.0, &end.figures, number, stat.usage_ns));
            all.push((path(MOUNT, &group.path, "cpu.stat"), lines(&fields)));
            if kernel.has_local_cpu_stat() {
                all.push((path(MOUNT, &group.path, "cpu.stat.local"), lines(&stat.local())));
            }
        }
        files(&all, out)
    }
}
