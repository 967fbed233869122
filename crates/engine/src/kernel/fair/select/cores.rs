//! Idle cores: where cores have several hardware threads, a wake-up looks for a core of which no
//! thread is busy before it takes a thread beside a busy one (docs/model/fair-class.md#idle-cores).

use crate::ids::{CpuId, IdRange, TaskId};
use crate::sim::Sim;

impl Sim {
    /// Whether no thread of the core of `cpu` is busy, `cpu` included (is_core_idle()).
    pub(crate) fn core_is_idle(&self, cpu: CpuId) -> bool {
        self.setup.machine.topology.core_of(cpu).all(|thread| self.idle_cpu(thread))
    }

    /// update_idle_core(): `cpu` is about to idle. If it is the last of its core, its cache has an
    /// idle core from now on, until a search for one fails.
    pub(crate) fn update_idle_core(&mut self, cpu: CpuId) {
        let topology = self.setup.machine.topology;
        if !topology.has_smt() {
            return;
        }
        if topology.core_of(cpu).all(|thread| thread == cpu || self.idle_cpu(thread)) {
            self.rd_mut(cpu).idle_cores.set(topology.llc_of(cpu).first());
        }
    }

    /// The CPUs of the cache of `target` from it on, wrapping round.
    pub(super) fn llc_from(&self, target: CpuId) -> impl Iterator<Item = CpuId> + use<> {
        let llc = self.setup.machine.topology.llc_of(target);
        let below = IdRange::between(llc.first(), target);
        IdRange::between(target, llc.end()).chain(below)
    }

    /// The end of select_idle_sibling(): neither the target nor the previous CPU idles.
    ///
    /// Since 4.9 a cache remembers whether it may have an idle core, and any idle thread will do
    /// where it has none; since 5.13 first one beside the previous CPU. Before 4.9 only whole idle
    /// cores and the target's own were looked at.
    pub(super) fn search_cores(
        &mut self,
        task: TaskId,
        prev: CpuId,
        target: CpuId,
    ) -> Option<CpuId> {
        let topology = self.setup.machine.topology;
        let first = topology.llc_of(target).first();
        let remembers = self.kernel().searches_idle_threads();
        let hoped = !remembers || self.rd(target).idle_cores.has(first);
        if hoped {
            let mut cpus = self.llc_from(target).filter(|cpu| self.may_wake_on(task, *cpu, target));
            if let Some(core) = cpus.find(|cpu| self.core_is_idle(*cpu)) {
                return Some(core);
            }
            self.rd_mut(target).idle_cores.clear(first);
        }
        let beside = if !remembers {
            Some(target)
        } else if !hoped && self.kernel().tries_own_core_first() {
            Some(prev).filter(|prev| topology.llc_of(target).contains(*prev))
        } else {
            None
        };
        let thread = beside.and_then(|busy| {
            let mut threads = topology.core_of(busy).filter(|thread| *thread != busy);
            threads.find(|thread| self.takes_wake_up(task, *thread, target))
        });
        thread.or_else(|| if remembers { self.search_cpus(task, target) } else { None })
    }

    /// Where a new task finds a whole idle core: near `home`, else anywhere.
    pub(super) fn find_idle_core(&self, task: TaskId, home: CpuId) -> Option<CpuId> {
        let topology = self.setup.machine.topology;
        if !topology.has_smt() {
            return None;
        }
        let allowed = &self.task(task).cpus;
        let mut cpus =
            topology.core_of(home).chain(topology.llc_of(home)).chain(topology.cpu_ids());
        cpus.find(|cpu| allowed.has(*cpu) && self.core_is_idle(*cpu))
    }
}
