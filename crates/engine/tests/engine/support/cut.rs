//! A case narrowed to fewer CPUs, fewer tasks and less time, without changing the remaining parts.

use schedscope_engine::machine::topology::{CpuMask, Topology};
use schedscope_engine::setup::{NoiseTrigger, Program};

use super::hw_noise;
use super::interrupts;
use super::programs::narrowed;
use super::random::Case;
use super::softirqs;

/// A smaller version of a case: fewer CPUs, fewer tasks, less time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    pub cpus: u32,
    /// Indices of the tasks kept.
    pub tasks: Vec<usize>,
    pub duration_ns: u64,
}

impl Cut {
    /// All of it.
    pub fn whole(case: &Case) -> Self {
        Self {
            cpus: case.setup.machine.topology.cpus(),
            tasks: (0..case.setup.tasks.len()).collect(),
            duration_ns: case.setup.duration_ns,
        }
    }

    /// The case with only this left; tasks that have no CPU left are dropped too.
    pub fn of(&self, case: &Case) -> Case {
        let mut cut = case.clone();
        let setup = &mut cut.setup;
        let whole = &case.setup.machine.topology;
        setup.machine.topology = Topology::new(self.cpus, whole.package_size())
            .with_threads(whole.threads(), whole.smt_speed());
        setup.duration_ns = self.duration_ns;
        let left = CpuMask::first(self.cpus);
        setup.machine.domains = case
            .setup
            .machine
            .domains
            .iter()
            .map(|domain| domain.and(&left))
            .filter(|domain| !domain.is_empty())
            .collect();
        setup.tasks.clear();
        let stays = |index: &&usize| {
            !case.setup.tasks[**index].cpus.and(&CpuMask::first(self.cpus)).is_empty()
        };
        let index_of = |task: u32| {
            self.tasks
                .iter()
                .filter(stays)
                .position(|index| *index == task as usize)
                .map(|at| at as u32)
        };
        let mut kept_noise = Vec::new();
        for index in &self.tasks {
            let mut task = case.setup.tasks[*index].clone();
            task.cpus = task.cpus.and(&CpuMask::first(self.cpus));
            if task.cpus.is_empty() {
                continue;
            }
            if matches!(task.program, Program::RtNoise { .. }) {
                kept_noise.push(setup.tasks.len() as u32);
            }
            narrowed(&mut task, self.cpus, index_of);
            setup.tasks.push(task);
        }
        setup.noise = case.setup.noise.and_then(|noise| {
            let first_task = *kept_noise.first()?;
            Some(NoiseTrigger { first_task, tasks: kept_noise.len() as u32, ..noise })
        });
        setup.hw_noise = hw_noise::left(case.setup.hw_noise, &left);
        interrupts::narrow(setup, &left);
        setup.softirq = softirqs::left(case.setup.softirq, setup);
        cut.writes = case.writes.iter().filter_map(|write| write.left(index_of, &left)).collect();
        cut
    }
}
