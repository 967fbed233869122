//! Checks that the tasks exist which the kernel's own generators wake: ksoftirqd of a softirq load,
//! the tasks of `rt_noise`.

use super::{NoiseTrigger, Program, Setup, SoftirqLoad};
use crate::machine::topology::CpuMask;

impl Setup {
    pub(super) fn check_softirq(&self, load: SoftirqLoad) -> Result<(), String> {
        let (first, count) = (load.first_task as usize, load.cpus.count() as usize);
        let threads = self.tasks.get(first..first.saturating_add(count)).unwrap_or_default();
        let pinned = load.cpus.iter().zip(threads).all(|(cpu, task)| {
            task.program == Program::Ksoftirqd && task.cpus == CpuMask::one(cpu)
        });
        let sound = !threads.is_empty()
            && pinned
            && load.period_ns > 0
            && load.cpus.last() < Some(self.machine.topology.cpu_ids().end());
        if sound {
            Ok(())
        } else {
            Err("the softirq generator needs a period and one ksoftirqd on each of its CPUs"
                .to_owned())
        }
    }

    pub(super) fn check_noise(&self, noise: NoiseTrigger) -> Result<(), String> {
        let (first, count) = (noise.first_task as usize, noise.tasks as usize);
        let tasks = self.tasks.get(first..first.saturating_add(count)).unwrap_or_default();
        let sound = !tasks.is_empty()
            && tasks.iter().all(|task| matches!(task.program, Program::RtNoise { .. }));
        if sound {
            Ok(())
        } else {
            Err("the noise generator wakes tasks that wait for it, at least one".to_owned())
        }
    }
}
