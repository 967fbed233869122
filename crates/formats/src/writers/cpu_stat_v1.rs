//! cpu.stat and cpuacct.usage of each group, cgroup v1.

use std::io::{Result, Write};

use schedscope_engine::trace::columns::Columns;

use crate::cgroup::cpu_stat::{CpuStat, lines};
use crate::cgroup::{below_root, files, path};
use crate::format::{Content, Format};
use crate::run::{End, Run, RunWriter, refused};

pub(super) const FORMAT: Format = Format {
    name: "cpu.stat-v1",
    title: "cpu.stat of cgroup v1",
    extension: "txt",
    media_type: "text/plain",
    contents: &[Content::printout(|run| Box::new(CpuStatV1(run)))
        .opens_in("scripts that read cpu.stat, file by file")],
    carries: "cpu.stat and cpuacct.usage of each control group as cgroup v1 has them when the run \
        ends, in ns; several files under their names, as tail prints them. nr_bursts and \
        burst_time from 5.16 on.",
    loses: "The root's files. wait_sum, which the kernel prints only while schedstats are on. Run \
        time since the last tick or switch before the end is not in cpuacct.usage. Kernels before \
        3.2 have no quota and are refused, as is a scenario without groups.",
};

struct CpuStatV1(Run);

impl RunWriter for CpuStatV1 {
    fn begin(&mut self, _out: &mut dyn Write) -> Result<()> {
        if !self.0.setup.kernel.has_bandwidth_control() {
            return Err(refused("kernels before 3.2 have no quota and no cpu.stat"));
        }
        below_root(&self.0).map(|_| ())
    }

    fn rows(&mut self, _rows: &Columns, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    fn end(&mut self, end: &End, out: &mut dyn Write) -> Result<()> {
        let bursts = self.0.setup.kernel.counts_bursts();
        let mut all = Vec::new();
        for group in below_root(&self.0)? {
            let stat = CpuStat::of(&end.figures, &group.path);
            let file = path("/sys/fs/cgroup/cpu", &group.path, "cpu.stat");
            all.push((file, lines(&stat.v1(bursts))));
            let file = path("/sys/fs/cgroup/cpuacct", &group.path, "cpuacct.usage");
            all.push((file, format!("{}\n", stat.usage_ns)));
        }
        files(&all, out)
    }
}
