//! The calls of the fair class: charging, and notes of work that needs the group's lock
//! (docs/model/bandwidth.md#charging).
//!
//! These calls change only the queue. They note work that needs the group's lock in the run queue,
//! and [`super::work`] does it before the frame that holds the run-queue lock takes its next step.
//! The group's lock therefore nests inside the run-queue lock as in the kernel, waiting included.

use super::Work;
use crate::ids::{CpuId, GroupId, TaskId};
use crate::kernel::config::{Expiry, SiloReturn};
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

impl Sim {
    fn bw_note(&mut self, cpu: CpuId, group: GroupId, work: Work) {
        let pending = &mut self.rqs[cpu].bw_pending;
        if !pending.contains(&(group, work)) {
            pending.push((group, work));
        }
    }

    /// account_cfs_rq_runtime(): the group has run for `delta` ns on `cpu`; an empty silo asks for
    /// a slice.
    pub(crate) fn account_cfs_rq_runtime(&mut self, cpu: CpuId, group: GroupId, delta: u64) {
        if !self.bw_limits(cpu, group) {
            let b = self.bw_mut(group);
            b.books.granted += delta;
            b.books.usage += delta;
            return;
        }
        let now = self.now;
        self.bw_mut(group).book_usage(now, delta);
        self.silo_add(cpu, group, -(delta as i64));
        let lost = self.bw_expire(cpu, group);
        if delta > 0 || lost {
            self.show_silo(cpu, group);
        }
        self.bw_ask(cpu, group);
    }

    /// An empty silo asks for a slice.
    pub(super) fn bw_ask(&mut self, cpu: CpuId, group: GroupId) {
        if self.bw_wants(cpu, group, Work::Assign) {
            self.bw_note(cpu, group, Work::Assign);
        }
    }

    /// Whether `group` is under a quota on `cpu`.
    pub(crate) fn bw_limits(&self, cpu: CpuId, group: GroupId) -> bool {
        self.cfs_rq(cpu, group).bandwidth.enabled
    }

    /// expire_cfs_rq_runtime(), to 5.3: a check finds run time that has outlived its period, and
    /// voids it (docs/model/bandwidth.md#expiry). Returns whether there was any: the silo is to be
    /// shown then.
    fn bw_expire(&mut self, cpu: CpuId, group: GroupId) -> bool {
        let (era, tick, now) =
            (self.kernel().bandwidth.expiry(), self.kernel().tick_ns(), self.now);
        let (expires, seq) = (self.bw(group).expires, self.bw(group).seq);
        let own = &mut self.cfs_rq_mut(cpu, group).bandwidth;
        if !era.has_deadline() || now < own.lexpires || own.silo() < 0 {
            return false;
        }
        let drifts = match era {
            Expiry::TimeCmp => own.lexpires >= expires,
            Expiry::BrokenTick => own.lexpires != expires,
            Expiry::Seq | Expiry::Never => own.lseq == seq,
        };
        if drifts {
            own.lexpires += tick;
            return false;
        }
        let lost = own.silo() as u64;
        if lost > 0 {
            self.silo_add(cpu, group, -(lost as i64));
            self.bw_mut(group).books.expired += lost;
            self.emit(Kind::BwExpireSilo, cpu, group.raw(), super::pool::level(lost));
        }
        lost > 0
    }

    /// check_enqueue_throttle(): the queue of `group` on `cpu` has got its first entity while
    /// nothing of it runs there.
    pub(crate) fn check_enqueue_throttle(&mut self, cpu: CpuId, group: GroupId) {
        let (now, per_task) = (self.now, self.kernel().bandwidth.per_task());
        let cfs = self.cfs_rq_mut(cpu, group);
        if cfs.bandwidth.throttle_count() > 0 && !per_task {
            cfs.bandwidth.kept_since.get_or_insert(now);
        }
        if !cfs.bandwidth.enabled {
            return;
        }
        if cfs.bandwidth.throttled() {
            if cfs.bandwidth.dequeued() {
                cfs.bandwidth.throttled_since.get_or_insert(now);
            }
            return;
        }
        if cfs.curr.is_some() {
            return;
        }
        if self.bw_expire(cpu, group) {
            self.show_silo(cpu, group);
        }
        if self.cfs_rq(cpu, group).bandwidth.silo() <= 0 {
            self.bw_note(cpu, group, Work::Enqueue);
        }
    }

    /// check_cfs_rq_runtime(): at put_prev, and on the way down to a pick. It fires even if the
    /// queue has just become empty. Gone with 7.2, where charges throttle.
    pub(crate) fn check_cfs_rq_runtime(&mut self, cpu: CpuId, group: GroupId) {
        if self.kernel().bandwidth.throttles_at_charge() {
            return;
        }
        if self.returns(cpu, group) || self.bw_wants(cpu, group, Work::Throttle) {
            self.bw_note(cpu, group, Work::Throttle);
        }
    }

    /// set_next_task_fair() of a task that was taken off its queue and put back while it runs:
    /// charges its queue with nothing, so that one left empty in between asks for a slice, or for
    /// its task to leave.
    pub(crate) fn account_put_back(&mut self, cpu: CpuId, task: TaskId) {
        if self.kernel().bandwidth.throttles_at_charge() {
            return;
        }
        let mut group = self.task_group(task);
        while group > GroupId::ROOT {
            let own = &mut self.cfs_rq_mut(cpu, group).bandwidth;
            own.runs_on = own.throttled();
            if self.returns(cpu, group) || self.bw_wants(cpu, group, Work::Assign) {
                self.bw_note(cpu, group, Work::Assign);
            }
            group = self.parent(group);
        }
    }

    /// The queue's run time is about to be returned; how much stays is decided when the noted work
    /// is done.
    fn returns(&self, cpu: CpuId, group: GroupId) -> bool {
        self.rqs[cpu].bw_pending.contains(&(group, Work::Return))
    }

    /// return_cfs_rq_runtime(): the last entity of `group` has left its queue on `cpu`.
    pub(crate) fn return_cfs_rq_runtime(&mut self, cpu: CpuId, group: GroupId) {
        // The slice it has just asked for counts: it is returned with the rest.
        let asked = self.rqs[cpu].bw_pending.contains(&(group, Work::Assign));
        if asked || self.bw_wants(cpu, group, Work::Return) {
            self.bw_note(cpu, group, Work::Return);
        }
    }

    /// Whether the queue, as it is, calls for `work`, which needs the group's lock.
    pub(super) fn bw_wants(&self, cpu: CpuId, group: GroupId, work: Work) -> bool {
        let cfs = self.cfs_rq(cpu, group);
        let (own, era) = (&cfs.bandwidth, self.kernel().bandwidth);
        own.enabled
            && match work {
                // Throttling the child at its own enqueue has ended the climb: this queue was never
                // reached.
                Work::Enqueue if cfs.nr_queued() == 0 => false,
                Work::Assign => own.silo() <= 0 && (era.throttled_draws() || !own.throttled()),
                Work::Enqueue | Work::Throttle => own.silo() <= 0 && !own.throttled(),
                Work::Return => match era.silo_return() {
                    SiloReturn::SegallList => {
                        own.silo() > 0 && !(own.on_slack && own.silo() <= 1_000_000)
                    }
                    SiloReturn::V4 => own.silo() > 0,
                    SiloReturn::Keep1ms | SiloReturn::Keep0 => own.silo() > era.min_keep_ns(),
                },
            }
    }

    /// The pick walks down from the root: every queue that runs is charged and looked at
    /// (pick_next_task_fair()). Whether it has to wait for the group's lock.
    pub(crate) fn check_pick(&mut self, cpu: CpuId) -> bool {
        let mut group = GroupId::ROOT;
        while let Some(crate::kernel::fair::EntityId::Group(below)) = self.cfs_rq(cpu, group).curr {
            self.check_cfs_rq_runtime(cpu, below);
            group = below;
        }
        !self.rqs[cpu].bw_pending.is_empty()
    }
}
