//! Root domains: the CPUs that balance RT tasks among themselves, and which of them are overloaded
//! (docs/model/rt-balancing.md#overload, docs/model/rt-balancing.md#overload-scope).
//!
//! ```text
//!   machine.partitions "0-3;4-7"    scope root_domain: two masks, two push chains
//!                                   scope global: one of each
//! ```

use super::cpupri::{Cpupri, NO_RT_PRIO};
use super::rto::RtoState;
use crate::ids::{CpuId, GroupId, Id, IdVec, RdId, TaskId};
use crate::kernel::config::{Code2007, OverloadDef};
use crate::kernel::fair::sched_domains::LEVELS;
use crate::machine::spinlock::LockId;
use crate::machine::topology::CpuMask;
use crate::setup::Setup;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// The state that the CPUs of a root domain share: they balance RT tasks among themselves.
#[derive(Clone, Debug)]
pub struct RootDomain {
    /// The CPUs of the domain.
    pub span: CpuMask,
    /// Overloaded CPUs.
    rto_mask: CpuMask,
    /// How many there are; with the slips of 2007 it drifts and may become negative.
    rto_count: i64,
    /// CPUs by the priority of their running tasks.
    pub cpupri: Cpupri,
    /// Some run queue may have more than one task; a pass over the whole domain that finds none
    /// clears it.
    pub overload: bool,
    /// First CPUs of the groups within which affinity kept fair tasks from spreading
    /// (sgc->imbalance), by the level of the domain that has these groups.
    pub imbalanced: [CpuMask; LEVELS],
    /// First CPUs of the caches that may have an idle core (has_idle_cores).
    pub idle_cores: CpuMask,
    /// The push chain of 4.15; of `ipi_4_1` only the count of IPIs.
    pub rto: RtoState,
}

/// A change on the RT side of a run queue; the first 2007 code counted operations, not edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Enqueue,
    Dequeue,
    Other,
}

/// The spans of the root domains of `setup`: its partitions, or the whole machine where the scope
/// knows none.
pub fn spans(setup: &Setup) -> Vec<CpuMask> {
    let machine = &setup.machine;
    if machine.domains.is_empty() || !setup.kernel.rto_scope().follows_partitions() {
        return vec![CpuMask::first(machine.topology.cpus())];
    }
    machine.domains.clone()
}

/// Names of all locks by id: run queues, one rto_lock per root domain, the push locks of `ipi_4_1`,
/// then cfs_b->lock of each group but the root.
pub fn lock_names(setup: &Setup) -> Vec<String> {
    let cpus = setup.machine.topology.cpus();
    let domains = spans(setup).len();
    let rto = (0..domains).map(|domain| {
        if domains == 1 { "rto_lock".to_owned() } else { format!("rto_lock {domain}") }
    });
    let push = (0..push_locks(setup)).map(|cpu| format!("push_lock {cpu}"));
    let groups = setup.groups.iter().skip(1).map(|group| format!("cfs_b {}", group.path));
    (0..cpus).map(|cpu| format!("rq {cpu}")).chain(rto).chain(push).chain(groups).collect()
}

fn push_locks(setup: &Setup) -> u32 {
    if setup.kernel.rt_balance().has_push_locks() { setup.machine.topology.cpus() } else { 0 }
}

/// The root domains at time 0, and the domain of each CPU.
pub(crate) fn boot(setup: &Setup) -> (IdVec<RdId, RootDomain>, IdVec<CpuId, RdId>) {
    let cpus = setup.machine.topology.cpus();
    let spans = spans(setup);
    let of = setup
        .machine
        .topology
        .cpu_ids()
        .map(|cpu| RdId::at(spans.iter().position(|span| span.has(cpu)).unwrap_or(0)))
        .collect();
    let domain = |span: CpuMask| RootDomain {
        span,
        rto_mask: CpuMask::EMPTY,
        rto_count: 0,
        cpupri: Cpupri::new(cpus, &span, setup.kernel.cpupri()),
        overload: false,
        imbalanced: [CpuMask::EMPTY; LEVELS],
        idle_cores: CpuMask::EMPTY,
        rto: RtoState::default(),
    };
    (spans.into_iter().map(domain).collect(), of)
}

impl RootDomain {
    /// Overloaded CPUs.
    #[inline]
    pub fn rto_mask(&self) -> &CpuMask {
        &self.rto_mask
    }

    /// How many there are by rto_count, which drifts with the slips of 2007.
    #[inline]
    pub fn rto_count(&self) -> i64 {
        self.rto_count
    }

    /// rt_set_overload(): the mask bit is set before the count is raised
    /// (docs/model/rt-balancing.md#overload-mask).
    fn set_overload(&mut self, cpu: CpuId) {
        self.rto_mask.set(cpu);
        self.rto_count += 1;
    }

    /// rt_clear_overload(): the count is lowered before the bit is cleared.
    fn clear_overload(&mut self, cpu: CpuId) {
        self.rto_count -= 1;
        self.rto_mask.clear(cpu);
    }

    /// Mask and count, for tests that damage them.
    #[cfg(test)]
    pub(crate) fn damaged_rto(&mut self) -> (&mut CpuMask, &mut i64) {
        (&mut self.rto_mask, &mut self.rto_count)
    }
}

impl Sim {
    #[inline]
    pub fn domain_of(&self, cpu: CpuId) -> RdId {
        self.rd_of[cpu]
    }
    #[inline]
    pub fn rd(&self, cpu: CpuId) -> &RootDomain {
        &self.rds[self.domain_of(cpu)]
    }
    #[inline]
    pub(crate) fn rd_mut(&mut self, cpu: CpuId) -> &mut RootDomain {
        let domain = self.domain_of(cpu);
        &mut self.rds[domain]
    }

    /// The run queue that `lock` guards, if it is such a lock.
    #[inline]
    pub(crate) fn rq_of_lock(&self, lock: LockId) -> Option<CpuId> {
        (lock.raw() < self.setup.machine.topology.cpus()).then(|| CpuId::new(lock.raw()))
    }
    /// Whether `lock` is a run queue's.
    #[inline]
    pub(crate) fn is_rq_lock(&self, lock: LockId) -> bool {
        self.rq_of_lock(lock).is_some()
    }
    /// The rto_lock of `cpu`'s root domain.
    pub(crate) fn rto_lock(&self, cpu: CpuId) -> LockId {
        LockId::new(self.setup.machine.topology.cpus() + self.rd_of[cpu].raw())
    }
    /// The push_lock of run queue `cpu` (`ipi_4_1`).
    pub(crate) fn push_lock(&self, cpu: CpuId) -> LockId {
        LockId::new(self.setup.machine.topology.cpus() + self.rds.len() as u32 + cpu.raw())
    }

    /// The lock of a group's bandwidth; the root has none.
    pub(crate) fn group_lock(&self, group: GroupId) -> LockId {
        LockId::new((self.locks.len() - self.setup.groups.len()) as u32 + group.raw())
    }
    /// The group whose bandwidth `lock` guards, if it is such a lock.
    pub(crate) fn group_of_lock(&self, lock: LockId) -> Option<GroupId> {
        let first = self.group_lock(GroupId::ROOT).raw();
        (lock.raw() > first).then(|| GroupId::new(lock.raw() - first))
    }

    /// Whether `cpu` is overloaded by the definition in force; without RT balancing it never is.
    #[inline]
    pub(crate) fn overload_due(&self, cpu: CpuId) -> bool {
        let rt = &self.rqs[cpu].rt;
        !rt.active.is_empty()
            && self.kernel().rt_balance().is_active()
            && match self.kernel().overload_def() {
                OverloadDef::CountGt1 => rt.active.len() > 1,
                OverloadDef::Migratory => rt.migratory >= 1 && rt.active.len() > 1,
                OverloadDef::PushableNonempty => !rt.pushable.is_empty(),
            }
    }

    /// Brings the two priorities, cpupri and the overload bit up to date.
    #[inline]
    pub(crate) fn rt_changed(&mut self, cpu: CpuId, op: Op) {
        let first_prio =
            |list: &[TaskId]| list.first().map_or(NO_RT_PRIO, |task| self.task(*task).prio);
        let rt = &self.rqs[cpu].rt;
        let (curr, next) = (first_prio(&rt.active), first_prio(&rt.pushable));
        let overloaded = self.overload_due(cpu);
        let rt = &mut self.rqs[cpu].rt;
        let before = std::mem::replace(&mut rt.highest_curr, curr);
        rt.highest_next = next;
        if before != curr {
            let old = self.rd_mut(cpu).cpupri.set(cpu, curr);
            self.note_cpupri(cpu, old);
        }
        let before = std::mem::replace(&mut self.rqs[cpu].rt.overloaded, overloaded);
        if before != overloaded || self.counts_again(op, overloaded) {
            self.set_overload(cpu, overloaded);
        }
    }

    /// inc_dl_deadline(), dec_dl_deadline(): a fair server joins or leaves `cpu`'s deadline queue.
    /// While it is there no RT task fits, until the best RT priority changes (inc_rt_prio_smp() and
    /// dec_rt_prio_smp() do not look).
    pub(crate) fn fair_server_queued(&mut self, cpu: CpuId, queued: bool) {
        let prio = self.rqs[cpu].rt.highest_curr;
        let cpupri = &mut self.rd_mut(cpu).cpupri;
        let old = if queued { cpupri.set_higher(cpu) } else { cpupri.set(cpu, prio) };
        self.note_cpupri(cpu, old);
    }

    fn note_cpupri(&mut self, cpu: CpuId, old: Option<u8>) {
        if let Some(old) = old.filter(|_| self.kernel().cpupri().has_map()) {
            let level = self.rd(cpu).cpupri.level_of(cpu);
            self.emit(Kind::CpupriSet, cpu, u32::from(level), u32::from(old));
        }
    }

    /// Rostedt 2007's first code raised rto_count at every enqueue beyond one task and lowered it
    /// at every dequeue below two (commit 4642dafdf93d), the routed one at every change (commit
    /// 318e0893ce3f).
    fn counts_again(&self, op: Op, overloaded: bool) -> bool {
        self.kernel().has_bugs_2007()
            && match self.kernel().rt_balance().code_2007() {
                Some(Code2007::First) => op == if overloaded { Op::Enqueue } else { Op::Dequeue },
                Some(Code2007::Routed) => op != Op::Other,
                None => false,
            }
    }

    /// `cpu` becomes overloaded or stops being it, or is counted once more.
    pub(crate) fn set_overload(&mut self, cpu: CpuId, overloaded: bool) {
        let domain = self.rd_mut(cpu);
        let kind = if overloaded {
            domain.set_overload(cpu);
            Kind::RtoSet
        } else {
            domain.clear_overload(cpu);
            Kind::RtoClear
        };
        let (count, domain) = (self.rd(cpu).rto_count as u32, self.domain_of(cpu).raw());
        self.emit(kind, cpu, count, domain);
    }

    /// The task that the 2007 rule finds in `list`: the head of the best list, else its second
    /// entry only, else any entry of a weaker list (docs/model/rt-balancing.md#first-active-code).
    pub(crate) fn next_highest_2007(
        &self,
        rq: CpuId,
        fits: impl Fn(TaskId) -> bool,
    ) -> Option<TaskId> {
        let active = &self.rqs[rq].rt.active;
        let best = self.task(*active.first()?).prio;
        let weaker = active.partition_point(|task| self.task(*task).prio <= best);
        let considered = active[..weaker].iter().take(2).chain(&active[weaker..]);
        considered.copied().find(|task| self.rqs[rq].curr != Some(*task) && fits(*task))
    }
}
