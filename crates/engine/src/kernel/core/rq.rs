//! The code that schedule(), wake-ups and the tick share: run queues, class dispatch, need_resched,
//! IPIs.

use super::preempt::Why;
use super::stop::StopRq;
use super::task::{Task, TaskState};
use crate::ids::{CpuId, GroupId, Id, IdVec, TaskId};
use crate::kernel::class::Class;
use crate::kernel::config::{IpiPollingElide, Kernel};
use crate::kernel::fair::bandwidth::Work;
use crate::kernel::fair::sched_domains::BalanceRq;
use crate::kernel::fair::server::FairServer;
use crate::kernel::fair::{CfsRq, Enqueue, WakeFlags, Wakee};
use crate::kernel::nohz::NohzRq;
use crate::kernel::rt::RtRq;
use crate::kernel::rt::throttle::RtTime;
use crate::machine::ipi::{CALL_FUNCTION_SINGLE, InFlight};
use crate::machine::topology::Distance;
use crate::setup::TaskSpec;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;

/// One CPU's run queue.
#[derive(Clone, Debug, Default)]
pub struct Rq {
    /// The running task; `None` is the idle task.
    pub curr: Option<TaskId>,
    /// Queued tasks, the running one included; without the RT tasks while that class is throttled.
    nr_running: u32,
    /// The stopper's side.
    pub stop: StopRq,
    pub rt: RtRq,
    /// The RT side's bandwidth.
    pub rt_time: RtTime,
    /// The fair side: one queue per group, the root's first.
    pub cfs: IdVec<GroupId, CfsRq>,
    /// rq_clock(): the time as this queue knows it, ns. It is read when the queue's lock is taken,
    /// and not again while the lock is held: a task that joins pays for being chosen, and a waker
    /// is compared with the woken task before it pays for the wake-up. A move of a task reads the
    /// clock once more.
    pub clock: u64,
    /// When the running fair task was last charged.
    pub exec_start: u64,
    /// The tasks that the idle task has woken, in its interrupts.
    pub idle_wakee: Wakee,
    /// The fair side's reservation.
    pub server: FairServer,
    /// Load balancing's side.
    pub balance: BalanceRq,
    /// Idle balancing's side.
    pub nohz: NohzRq,
    /// set_next_task asked for a push after the switch.
    pub push_callback: bool,
    /// Work of this CPU's group queues that needs their group's lock, in order.
    pub bw_pending: Vec<(GroupId, Work)>,
    /// The holder of this queue's lock releases it, and turns interrupts on again, once that is
    /// done.
    pub bw_unlock: bool,
    /// A task that has joined this queue, and why: it is compared with the running one once that is
    /// done.
    pub(crate) bw_preempt: Option<(TaskId, Enqueue)>,
    /// Groups whose queue here is to be unthrottled, on the IPI under way (6.3 on).
    pub bw_csd: Vec<GroupId>,
}

impl Rq {
    /// An empty queue on a machine of `groups` groups, the root counted.
    pub fn new(groups: usize) -> Self {
        Self { cfs: vec![CfsRq::default(); groups].into(), ..Self::default() }
    }

    /// Queued tasks, the running one included; without the RT tasks while that class is throttled.
    #[inline]
    pub fn nr_running(&self) -> u32 {
        self.nr_running
    }

    /// The strongest RT task, unless that class is throttled.
    #[inline]
    fn first_rt(&self) -> Option<TaskId> {
        self.rt.active().first().copied().filter(|_| !self.rt_time.is_throttled())
    }

    /// add_nr_running(), sub_nr_running(): adds `by` to the tasks of a class, and looks whether a
    /// queued server needs the tick (sched_update_tick_dependency()).
    #[inline]
    pub(in crate::kernel) fn count_running(&mut self, by: i64) {
        let after = i64::from(self.nr_running) + by;
        debug_assert!(after >= 0, "who leaves has been counted");
        self.nr_running = after as u32;
        self.nohz.server_ticks = self.server.queued;
    }

    /// The count, for tests that damage it.
    #[cfg(test)]
    pub(crate) fn damaged_nr_running(&mut self) -> &mut u32 {
        &mut self.nr_running
    }
}

impl Sim {
    /// The kernel being simulated.
    #[inline]
    pub fn kernel(&self) -> &Kernel {
        &self.setup.kernel
    }
    pub(crate) fn task_spec(&self, task: TaskId) -> &TaskSpec {
        &self.setup.tasks[task.place()]
    }

    #[inline]
    pub fn task(&self, task: TaskId) -> &Task {
        &self.tasks[task]
    }
    #[inline]
    pub(crate) fn task_mut(&mut self, task: TaskId) -> &mut Task {
        &mut self.tasks[task]
    }

    #[inline]
    pub(crate) fn enqueue_task(&mut self, cpu: CpuId, task: TaskId, how: Enqueue) {
        self.law(!self.task(task).on_rq, || {
            format!("task {task} is enqueued on cpu {cpu} while it is queued")
        });
        self.account_ready(task);
        self.task_mut(task).on_rq = true;
        let class = self.task(task).class();
        let rq = &mut self.rqs[cpu];
        match class {
            Class::Stop => {
                rq.count_running(1);
                rq.stop.queued = Some(task);
            }
            Class::Rt => {
                rq.count_running(i64::from(!rq.rt_time.is_throttled()));
                self.enqueue_rt(cpu, task);
                self.start_rt_bandwidth(cpu);
            }
            Class::Fair => self.enqueue_fair(cpu, task, how),
        }
        self.note_overload(cpu);
        self.successor_may_change(cpu);
    }

    /// The waiting tasks of `cpu` have changed: with need_resched set, schedule() may now take
    /// another one.
    #[inline]
    pub(in crate::kernel) fn successor_may_change(&mut self, cpu: CpuId) {
        if self.cpus[cpu].need_resched.is_some() {
            self.refresh(cpu);
        }
    }

    /// add_nr_running(): with two tasks here a newly idle CPU has something to look for.
    #[inline]
    pub(crate) fn note_overload(&mut self, cpu: CpuId) {
        if self.rqs[cpu].nr_running > 1 {
            self.rd_mut(cpu).overload = true;
        }
    }

    pub(crate) fn dequeue_task(&mut self, cpu: CpuId, task: TaskId) {
        self.task_mut(task).on_rq = false;
        let class = self.task(task).class();
        let rq = &mut self.rqs[cpu];
        match class {
            Class::Stop => {
                rq.count_running(-1);
                rq.stop.queued = None;
            }
            Class::Rt => {
                rq.count_running(-i64::from(!rq.rt_time.is_throttled()));
                self.dequeue_rt(cpu, task);
            }
            Class::Fair => self.dequeue_fair(cpu, task),
        }
        self.successor_may_change(cpu);
    }

    /// Asks the classes, strongest first; the deadline server of the fair class before RT.
    #[inline]
    pub(crate) fn pick_next_task(&mut self, cpu: CpuId) -> Option<TaskId> {
        let stop = self.pick_task(cpu, Class::Stop);
        if stop.is_some() {
            return stop;
        }
        // The server has no say in which RT task is first.
        let rt = self.pick_task(cpu, Class::Rt);
        self.pick_through_server(cpu).or(rt).or_else(|| self.pick_task(cpu, Class::Fair))
    }

    /// pick_task() of `class`; [`Sim::pick_next_task`] asks each class.
    #[inline(always)]
    fn pick_task(&mut self, cpu: CpuId, class: Class) -> Option<TaskId> {
        match class {
            Class::Stop => self.rqs[cpu].stop.queued,
            Class::Rt => self.rqs[cpu].first_rt(),
            Class::Fair => self.pick_fair(cpu),
        }
    }

    /// The task that the pick would find by the time charged so far; asking changes nothing.
    pub(crate) fn would_pick(&self, cpu: CpuId) -> Option<TaskId> {
        let rq = &self.rqs[cpu];
        let served = || rq.server.is_queued().then(|| self.would_pick_fair(cpu)).flatten();
        self.would_pick_task(cpu, Class::Stop)
            .or_else(served)
            .or_else(|| self.would_pick_task(cpu, Class::Rt))
            .or_else(|| self.would_pick_task(cpu, Class::Fair))
    }

    /// Whom the pick of `class` would find; [`Sim::would_pick`] asks each class.
    #[inline(always)]
    fn would_pick_task(&self, cpu: CpuId, class: Class) -> Option<TaskId> {
        match class {
            Class::Stop => self.rqs[cpu].stop.queued,
            Class::Rt => self.rqs[cpu].first_rt(),
            Class::Fair => self.would_pick_fair(cpu),
        }
    }

    /// `first`: it was picked, and not just put back while it runs.
    #[inline]
    pub(crate) fn set_next_task(&mut self, cpu: CpuId, next: Option<TaskId>, first: bool) {
        let Some(next) = next else {
            self.update_idle_core(cpu);
            return;
        };
        match self.task(next).class() {
            Class::Stop => {}
            Class::Rt => self.set_next_rt(cpu, next, first),
            Class::Fair => self.set_next_fair(cpu, next, first),
        }
    }

    pub(crate) fn put_prev_task(&mut self, cpu: CpuId, prev: TaskId) {
        match self.task(prev).class() {
            Class::Stop => {}
            Class::Rt => self.put_prev_rt(cpu, prev),
            Class::Fair => self.put_prev_fair(cpu, prev),
        }
    }

    /// update_rq_clock() of `cpu`'s queue, whose lock is held.
    #[inline]
    pub(crate) fn update_rq_clock(&mut self, cpu: CpuId) {
        self.rqs[cpu].clock = self.now;
    }

    /// update_rq_clock() at the end of a piece of work of `ns`, before which the clock was to be
    /// read.
    #[inline]
    pub(crate) fn update_rq_clock_before(&mut self, cpu: CpuId, ns: u64) {
        self.rqs[cpu].clock = self.now - ns;
    }

    /// Charges the running task of `target` for the time since its last charge; `cpu` executes and
    /// holds that rq's lock.
    #[inline]
    pub(crate) fn update_curr(&mut self, cpu: CpuId, target: CpuId) {
        self.update_rq_clock(target);
        self.charge_curr(cpu, target);
    }

    /// Charges the running task of `target` up to the queue's clock.
    #[inline]
    pub(crate) fn charge_curr(&mut self, cpu: CpuId, target: CpuId) {
        let Some(curr) = self.rqs[target].curr else { return };
        match self.task(curr).class() {
            Class::Stop => {}
            Class::Rt => self.update_curr_rt(cpu, target),
            Class::Fair => {
                let ran = self.update_curr_fair(cpu, target, curr);
                self.fair_server_update(cpu, target, ran);
                self.successor_may_change(target);
            }
        }
    }

    /// update_curr() of enqueue_entity() and dequeue_entity(): charges the fair task that runs on
    /// `target` before a fair task joins or leaves the queue, because the place of a task that
    /// joins depends on the time that others have used.
    pub(crate) fn update_fair_curr(&mut self, cpu: CpuId, target: CpuId, task: TaskId) {
        if self.task(task).row().has_vruntime {
            self.charge_fair(cpu, target);
        }
    }

    /// Charges the task that runs on `target`, if it is a fair task.
    pub(crate) fn charge_fair(&mut self, cpu: CpuId, target: CpuId) {
        if self.rqs[target].curr.is_some_and(|curr| self.task(curr).row().has_vruntime) {
            self.charge_curr(cpu, target);
        }
    }

    /// migrate_task_rq(): `task`, on no run queue, leaves the CPU `from` for `to`.
    #[inline]
    pub(crate) fn migrate_task_rq(&mut self, task: TaskId, from: CpuId, to: CpuId) {
        match self.task(task).class() {
            Class::Stop | Class::Rt => {}
            Class::Fair => self.migrate_fair(task, from, to),
        }
    }

    /// yield_task(): an RT task goes to its list's tail, a fair one is passed over once; a stopper
    /// never yields.
    pub(crate) fn yield_task(&mut self, cpu: CpuId, task: TaskId) {
        match self.task(task).class() {
            Class::Stop => {}
            Class::Rt => self.requeue_rt(cpu, task, false),
            Class::Fair => {
                self.update_curr(cpu, cpu);
                self.yield_fair(cpu, task);
            }
        }
    }

    /// The tick of `target`, whose run queue `cpu` has locked: its own, or the remote one.
    pub(crate) fn task_tick(&mut self, cpu: CpuId, target: CpuId) {
        let Some(curr) = self.rqs[target].curr else { return self.charge_idle(cpu, target) };
        match self.task(curr).class() {
            Class::Stop => {}
            Class::Rt => self.task_tick_rt((cpu, target), curr),
            Class::Fair => self.task_tick_fair(cpu, target),
        }
    }

    /// wakeup_preempt: a stronger class always preempts, the same class by its own rule
    /// (docs/model/preemption.md#preemption-across-classes). `how`: why the task has joined the
    /// queue (WF_FORK of a new one).
    #[inline]
    pub(crate) fn check_preempt_curr(
        &mut self,
        cpu: CpuId,
        target: CpuId,
        task: TaskId,
        how: Enqueue,
    ) {
        let Some(curr) = self.rqs[target].curr else {
            self.resched_curr(cpu, target, Why::Idle);
            return;
        };
        let (woken, running) = (self.task(task).class(), self.task(curr).class());
        if woken != running {
            if woken.is_above(running) {
                self.resched_curr(cpu, target, Why::HigherClass);
            }
            return;
        }
        match woken {
            Class::Stop => {}
            Class::Rt => self.check_preempt_rt(cpu, target, task, curr),
            Class::Fair => {
                self.charge_curr(cpu, target);
                if self.rqs[target].bw_pending.is_empty() {
                    self.check_preempt_fair(cpu, target, (task, how), curr);
                } else {
                    // The pending charge may throttle a queue: the check waits until that is known.
                    self.rqs[target].bw_preempt = Some((task, how));
                }
            }
        }
    }

    pub(crate) fn select_task_rq(
        &mut self,
        task: TaskId,
        executing: CpuId,
        flags: WakeFlags,
    ) -> CpuId {
        let allowed = &self.task(task).cpus;
        if !self.task(task).movable {
            // Pinned, or where it was when it disabled migration.
            let stays = allowed.has(self.task(task).cpu);
            return if stays { self.task(task).cpu } else { allowed.lowest().unwrap_or_default() };
        }
        let found = match self.task(task).class() {
            Class::Stop => self.task(task).cpu,
            Class::Rt => self.select_task_rq_rt(task, executing),
            Class::Fair => self.select_task_rq_fair(task, executing, flags),
        };
        let allowed = &self.task(task).cpus;
        if allowed.has(found) {
            return found;
        }
        // select_fallback_rq: its affinity has changed, and the class had nothing better than where
        // it was.
        let near = self.setup.machine.topology.llc_of(found).find(|cpu| allowed.has(*cpu));
        near.or_else(|| allowed.lowest()).unwrap_or(found)
    }

    /// Makes `target` look: by its polled flag where the switch allows, by IPI otherwise; whether
    /// an IPI left.
    pub(crate) fn kick(
        &mut self,
        cpu: CpuId,
        target: CpuId,
        vector: usize,
        wakelist: bool,
    ) -> bool {
        let elide = match self.kernel().ipi_polling_elide() {
            IpiPollingElide::Off => false,
            IpiPollingElide::ReschedOnly => !wakelist,
            IpiPollingElide::ReschedAndCallfunc => true,
        };
        if !(elide && self.cpu(target).polling) {
            self.send_ipi(cpu, target, vector);
            return true;
        }
        self.set_need_resched(cpu, target);
        self.ledger.ipi[vector].elided_polling += 1;
        self.emit(Kind::IdleWithoutIpi, cpu, target.raw(), vector as u32);
        self.wake_poller(target, cpu);
        false
    }

    /// __smp_call_single_queue(): from 5.8 on only the first entry of the list sends an IPI;
    /// before, every kind of call has a list of its own, and the caller knows whether it is the
    /// first there. Whether an IPI left.
    pub(crate) fn call_single(&mut self, cpu: CpuId, target: CpuId) -> bool {
        if self.kernel().has_one_call_list()
            && std::mem::replace(&mut self.cpu(target).called, true)
        {
            self.ledger.ipi[CALL_FUNCTION_SINGLE].elided_list += 1;
            return false;
        }
        self.kick(cpu, target, CALL_FUNCTION_SINGLE, true)
    }

    /// flush_smp_call_function_queue() takes the list: a call that comes from now on sends an IPI
    /// of its own.
    pub(crate) fn take_calls(&mut self, cpu: CpuId) {
        let travels_here =
            self.kernel().has_one_call_list() && self.wakelist_vector() == CALL_FUNCTION_SINGLE;
        let state = self.cpu(cpu);
        state.called = false;
        if travels_here {
            state.draining.append(&mut state.wakelist);
        }
    }

    /// Writes the interrupt command register: the sender pays for the write, the IPI then travels.
    pub(crate) fn send_ipi(&mut self, cpu: CpuId, target: CpuId, vector: usize) {
        let machine = &self.setup.machine;
        let flight = match machine.topology.distance(cpu, target) {
            Distance::Same => machine.costs.ipi_self_ns,
            Distance::Llc => machine.costs.ipi_flight_llc_ns,
            Distance::Cross => machine.costs.ipi_flight_cross_ns,
        };
        let (send_ns, flight) = (self.cost(cpu, machine.costs.ipi_send_ns), self.cost(cpu, flight));
        // Several sends in one step leave one after the other.
        let sent = self.now + self.cpu(cpu).owed();
        let arrival = sent + send_ns + flight;
        self.cpu(cpu).owe(send_ns);
        self.ledger.ipi[vector].sent += 1;
        self.emit(Kind::IpiSend, cpu, target.raw(), vector as u32);
        let ipi = InFlight { arrival, sender: cpu, sent: self.now };
        let earliest = self.cpu(target).hw.lines.send(vector, ipi);
        self.arm_ipi(target, vector, earliest);
    }

    /// The task has left its CPU: a CPU that spins on on_cpu may go on.
    pub(crate) fn finish_task(&mut self, task: TaskId) {
        self.task_mut(task).on_cpu = false;
        let cpu = self.task(task).cpu;
        if let Some(waiter) = self.task_mut(task).on_cpu_waiter.take() {
            let distance = self.setup.machine.topology.distance(cpu, waiter);
            let ns = crate::machine::spinlock::line_ns(distance, &self.setup.machine.costs);
            self.resume_after(waiter, self.cost(waiter, ns));
        }
    }

    /// Whether `task` sleeps or has ended: nothing wakes it but a timer or a device.
    pub(crate) fn is_asleep(&self, task: TaskId) -> bool {
        self.task(task).state == TaskState::Sleeping && !self.task(task).on_rq
    }
}
