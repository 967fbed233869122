//! Why was this wake-up late? Every nanosecond from the due time to the first user instruction has
//! one cause.
//!
//! ```text
//!   due ──Due──► sched_waking ──Waking──► (Listed) ──► enqueued ──Queued──► switch ──Switching──► first user instruction
//! ```
//! A wake-up depends on one CPU at a time: first the CPU whose timer is due, then the waker's, then
//! the CPU of its run queue. At every change of that CPU's activity, the stretch before the change
//! is charged to the cause that held, and the cause of the next stretch is read from the machine.
//! Nothing is estimated, so the parts sum to the whole exactly.
//!
//! A clock_nanosleep whose time has already passed takes the way from the due time to user code
//! without a sleep: the wake-up covers the way into the kernel from the call on, with everything
//! that comes between.
//!
//! A task that sleeps again before user code was woken in vain, for example a reader whose message
//! another reader took. The new sleep ends that wake-up without a sample, so no sample contains a
//! sleep.

use super::crowd::Place;
use super::stretches::Stretches;
use crate::ids::{CpuId, ObjectId, TaskId};
use crate::kernel::class::Class;
use crate::machine::hw_noise::NoiseSource;
use crate::machine::ipi::LOCAL_TIMER;
use crate::sim::Sim;
use crate::trace::catalogue::{CAUSES, CpuState, Kind, cause};
use crate::workload::ProgramState;

/// Index into [`CAUSES`].
pub type Cause = u8;

const IRQ_DELAY: Cause = cause("irq_delay");
const IDLE_EXIT: Cause = cause("idle_exit");
const IRQ: Cause = cause("irq");
const SOFTIRQ: Cause = cause("softirq");
const NONPREEMPTIBLE: Cause = cause("nonpreemptible");
const LAZY_WAIT: Cause = cause("lazy_wait");
const RQ_LOCK_SPIN: Cause = cause("rq_lock_spin");
const IPI: Cause = cause("ipi");
const HIGHER_PRIO: Cause = cause("higher_prio");
const SAME_CLASS: Cause = cause("same_class");
const THROTTLED: Cause = cause("throttled");
const RT_THROTTLED: Cause = cause("rt_throttled");
const SWITCH: Cause = cause("switch");
const RETURN_TO_USER: Cause = cause("return_to_user");
const SMI: Cause = cause("smi");
const STEAL: Cause = cause("steal");

/// How far a wake-up has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The task's timer has expired; the handler has not run its callback.
    Due,
    /// try_to_wake_up runs.
    Waking,
    /// On a wake-list.
    Listed,
    /// On a run queue.
    Queued,
    /// Chosen: the switch, then the way back to user code.
    Switching,
}

/// A wake-up under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wake {
    /// When the task should have run.
    pub due: u64,
    pub phase: Phase,
    /// CPU it depends on.
    pub cpu: CpuId,
    /// The wait's place, if it is in a line of its CPU's crowd; `stretches` then lacks the line's
    /// causes since the wait joined it.
    pub(crate) place: Option<Place>,
    /// The time up to which the wait is charged; the due time, if that lies ahead.
    pub charged_to: u64,
    /// Cause of the stretch since `charged_to`.
    pub cause: Cause,
    pub stretches: Stretches,
    /// The first start of a program is not a sample.
    pub measured: bool,
    /// No wake-up: it ran, could go on, and waits for the CPU that another task was given.
    pub set_aside: bool,
    /// A sched_waking has not led to running yet.
    pub woken: bool,
    /// An allowed CPU is idle or runs something weaker, since then.
    pub avoidable_since: Option<u64>,
    /// Sum of such stretches.
    pub avoidable_ns: u64,
}

impl Wake {
    #[inline]
    pub(super) fn charge(&mut self, now: u64) {
        let ns = now.saturating_sub(self.charged_to);
        self.charged_to = self.charged_to.max(now);
        self.stretches.add(self.cause, ns);
    }

    /// From `now` on the wait's cause is `cause`.
    #[inline]
    pub(super) fn charge_for(&mut self, cause: Cause, now: u64) {
        if self.cause != cause {
            self.charge(now);
            self.cause = cause;
        }
    }

    /// Whether the task should run by now: one that is on its way into a sleep has all the time
    /// until then.
    pub fn is_due(&self, now: u64) -> bool {
        self.due <= now
    }
}

impl Sim {
    /// A task's timer has expired on `cpu`; it was due at `due`, a slack before.
    pub(crate) fn wake_due(&mut self, task: TaskId, cpu: CpuId, due: u64) {
        let measured = self.measured(task);
        self.open(task, cpu, due, Phase::Due, measured);
    }

    /// try_to_wake_up begins on `cpu`; without a timer the clock starts here.
    pub(crate) fn wake_waking(&mut self, task: TaskId, cpu: CpuId) {
        // A wake-up out of a system call's sleep ends the earlier wake-up: the task has made no
        // progress since.
        self.end_in_vain(task);
        if self.task(task).wake.is_none() {
            let now = self.now;
            let measured = self.measured(task);
            self.open(task, cpu, now, Phase::Waking, measured);
        } else {
            self.wake_phase(task, Phase::Waking, cpu);
        }
        if let Some(wake) = &mut self.task_mut(task).wake {
            wake.woken = true;
        }
    }

    /// `task` goes to sleep: had it been woken, it was in vain; had its way in been watched, it was
    /// in time.
    #[inline]
    pub(crate) fn end_in_vain(&mut self, task: TaskId) {
        if self.task(task).wake.as_ref().is_some_and(|wake| wake.phase == Phase::Switching) {
            self.drop_wait(task);
        }
    }

    /// The wait of `task` is over and is no sample.
    fn drop_wait(&mut self, task: TaskId) {
        self.leave_crowd(task);
        let Some(wake) = self.tasks[task].wake.take() else { return };
        self.cpu(wake.cpu).unwatch(task);
        self.spare_stretches.push(wake.stretches.emptied());
    }

    /// cyclictest's `task`, which runs on `cpu`, calls clock_nanosleep until `due`. If that time
    /// passes before the task sleeps, the task takes its sample all the same. So delays on the way
    /// into the kernel are watched, and count from `due` on.
    pub(crate) fn watch_way_in(&mut self, cpu: CpuId, task: TaskId, due: u64) {
        let measured = self.measured(task);
        self.open(task, cpu, due, Phase::Switching, measured);
    }

    /// The call found its time past and returns at once, without a sleep.
    pub(crate) fn missed_sleep(&mut self, task: TaskId) {
        if matches!(self.task(task).program, ProgramState::Cyclictest(_)) {
            self.end_activation(task);
        }
    }

    /// Whether the wake-up of `task` that begins now is a sample.
    #[inline]
    fn measured(&self, task: TaskId) -> bool {
        let state = self.task(task);
        self.task_spec(task).measured && state.program.measured() && !state.sync.unsampled
    }

    fn open(&mut self, task: TaskId, cpu: CpuId, due: u64, phase: Phase, measured: bool) {
        let stretches = self.spare_stretches.pop().unwrap_or_default();
        self.task_mut(task).wake = Some(Wake {
            due,
            phase,
            cpu,
            place: None,
            charged_to: due,
            cause: IRQ_DELAY,
            stretches,
            measured,
            set_aside: false,
            woken: false,
            avoidable_since: None,
            avoidable_ns: 0,
        });
        self.cpu(cpu).watchers.push(task);
        self.recharge(task);
    }

    /// `task`, which could go on, has lost `cpu` to another task. Before its first user instruction
    /// its wake-up again waits for the running task; later this is a wait of its own.
    pub(crate) fn set_aside(&mut self, task: TaskId, cpu: CpuId) {
        if self.task(task).wake.is_some() {
            return self.wake_phase(task, Phase::Queued, cpu);
        }
        if !self.charge_preempted {
            return;
        }
        self.open(task, cpu, self.now, Phase::Queued, false);
        if let Some(wake) = &mut self.tasks[task].wake {
            wake.set_aside = true;
        }
    }

    /// The wake-up has come to `phase`, where it depends on `cpu`.
    pub(crate) fn wake_phase(&mut self, task: TaskId, phase: Phase, cpu: CpuId) {
        self.leave_crowd(task);
        let Some(wake) = &mut self.tasks[task].wake else { return };
        if wake.set_aside && phase == Phase::Switching {
            return self.drop_wait(task);
        }
        wake.charge(self.now);
        let before = std::mem::replace(&mut wake.cpu, cpu);
        wake.phase = phase;
        let set_aside = wake.set_aside;
        let runs = phase == Phase::Switching && std::mem::take(&mut wake.woken);
        if runs {
            self.tasks[task].stats.count_wakeup();
        }
        if before != cpu {
            self.cpu(before).unwatch(task);
            self.cpu(cpu).watchers.push(task);
        }
        self.recharge(task);
        match phase {
            Phase::Queued if self.task(task).movable && !set_aside => self.roam(task),
            Phase::Switching => self.end_roaming(task),
            Phase::Due | Phase::Waking | Phase::Listed | Phase::Queued => {}
        }
    }

    /// A waiting task has been moved to another run queue.
    pub(crate) fn wake_moved(&mut self, task: TaskId, cpu: CpuId) {
        self.wake_phase(task, Phase::Queued, cpu);
    }

    /// The activity of `cpu` has changed: recharges every wake-up that depends on it.
    pub(crate) fn refresh(&mut self, cpu: CpuId) {
        let state = &self.cpus[cpu];
        if !state.watchers.is_empty() || !state.crowd.is_empty() {
            self.refresh_in(cpu, state.state());
        }
    }

    /// [`Self::refresh`] where it is known that `cpu` is busy with `state`.
    #[inline]
    pub(crate) fn refresh_in(&mut self, cpu: CpuId, state: CpuState) {
        let many = !self.cpus[cpu].crowd.is_empty();
        if self.cpus[cpu].watchers.is_empty() && !many {
            return;
        }
        let successor = self.successor(cpu);
        if many {
            self.recharge_crowd(cpu, state, successor);
        }
        for index in 0..self.cpus[cpu].watchers.len() {
            self.recharge_beside(self.cpus[cpu].watchers[index], state, successor);
        }
    }

    #[inline]
    fn recharge(&mut self, task: TaskId) {
        let Some(wake) = &self.task(task).wake else { return };
        let successor = if wake.phase == Phase::Queued { self.successor(wake.cpu) } else { None };
        let on = wake.cpu;
        self.recharge_beside(task, self.cpus[on].state(), successor);
        self.join_crowd(on, task, successor);
    }

    /// `state` and `successor` are those of the CPU which the wake-up depends on.
    #[inline]
    pub(super) fn recharge_beside(
        &mut self,
        task: TaskId,
        state: CpuState,
        successor: Option<TaskId>,
    ) {
        let Some(wake) = &self.task(task).wake else { return };
        let cause = self.cause(task, (wake.phase, wake.cpu), state, successor);
        let now = self.now;
        if let Some(wake) = &mut self.tasks[task].wake {
            wake.charge_for(cause, now);
        }
    }

    /// The cause of the wait of `task` in `phase`, where the wait depends on `cpu`.
    pub(crate) fn cause_now(&self, task: TaskId, phase: Phase, cpu: CpuId) -> Cause {
        let successor = if phase == Phase::Queued { self.successor(cpu) } else { None };
        self.cause(task, (phase, cpu), self.cpus[cpu].state(), successor)
    }

    /// The cause of the wait of `task`, read off the CPU that the wait depends on.
    #[inline]
    pub(super) fn cause(
        &self,
        task: TaskId,
        (phase, on): (Phase, CpuId),
        state: CpuState,
        successor: Option<TaskId>,
    ) -> Cause {
        let cpu = &self.cpus[on];
        match state {
            CpuState::Stopped => {
                return match self.hw_noise[on].source(self.now) {
                    NoiseSource::Smi => SMI,
                    NoiseSource::Steal => STEAL,
                };
            }
            CpuState::Spin => return RQ_LOCK_SPIN,
            CpuState::IdleExit => return IDLE_EXIT,
            // A softirq lets interrupts in, except while it holds a lock.
            CpuState::Softirq
                if cpu.hw.holds_off_irq() && matches!(phase, Phase::Due | Phase::Listed) =>
            {
                return IRQ_DELAY;
            }
            CpuState::Softirq => return SOFTIRQ,
            CpuState::Idle
            | CpuState::User
            | CpuState::Kernel
            | CpuState::Hardirq
            | CpuState::UserSpin => {}
        }
        match phase {
            Phase::Due if cpu.hw.hardirq() == Some(LOCAL_TIMER) => IRQ,
            Phase::Due => IRQ_DELAY,
            Phase::Waking if cpu.blocked => SWITCH,
            Phase::Waking if cpu.hw.hardirq().is_some() => IRQ,
            // A task wakes it: the waker's part of putting it on a CPU.
            Phase::Waking => SWITCH,
            Phase::Listed if cpu.hw.hardirq().is_some() => IRQ,
            Phase::Listed if cpu.hw.lines.any_pending() => IRQ_DELAY,
            // No IPI was needed: the idle loop saw the flag and drains the list on its way out.
            Phase::Listed if self.leaves_idle(on) => IDLE_EXIT,
            Phase::Listed => IPI,
            Phase::Queued => self.cause_queued(task, on, successor),
            Phase::Switching if cpu.hw.hardirq().is_some() => IRQ,
            Phase::Switching if cpu.in_schedule => SWITCH,
            Phase::Switching => RETURN_TO_USER,
        }
    }

    /// The task that would run on `cpu` if it called schedule() now, as need_resched requests. Only
    /// the pick shows for which of several waiting tasks the flag is: a later wake-up may have
    /// overtaken the one that set the flag, and a used-up slice has no wake-up at all. The running
    /// task's time is charged only now and then, so the task can only be further behind than the
    /// state read here. During schedule() or an interrupt all tasks wait for that instead.
    #[inline]
    fn successor(&self, cpu: CpuId) -> Option<TaskId> {
        let state = &self.cpus[cpu];
        let asked =
            state.need_resched.is_some() && state.hw.hardirq().is_none() && !state.in_schedule;
        if asked { self.picked_instead(cpu) } else { None }
    }

    fn picked_instead(&self, cpu: CpuId) -> Option<TaskId> {
        self.rqs[cpu].curr.and_then(|_| self.would_pick(cpu))
    }

    /// Why `task`, which is on the run queue of `cpu`, does not run now; `successor` is that of
    /// `cpu`.
    fn cause_queued(&self, task: TaskId, cpu: CpuId, successor: Option<TaskId>) -> Cause {
        let state = &self.cpus[cpu];
        if state.hw.hardirq().is_some() {
            return IRQ;
        }
        if state.in_schedule {
            return SWITCH;
        }
        if self.is_throttled_on(cpu, task) {
            return THROTTLED;
        }
        let rq = &self.rqs[cpu];
        let served =
            rq.server.serves() && rq.curr.is_some_and(|curr| self.task(curr).row().has_server);
        if rq.curr.is_some_and(|curr| self.task(curr).class().is_above(Class::Rt)) {
            return HIGHER_PRIO;
        }
        if self.task(task).row().under_rt_bandwidth && (rq.rt_time.is_throttled() || served) {
            return RT_THROTTLED;
        }
        let Some(curr) = rq.curr else {
            return if self.leaves_idle(cpu) { IDLE_EXIT } else { IPI };
        };
        let (curr, waiting) = (self.task(curr), self.task(task));
        // The task has been picked already; the previous task has just not left the CPU.
        if successor == Some(task) {
            return self.cause_flagged(cpu);
        }
        let by_vruntime = waiting.row().has_vruntime && curr.row().has_vruntime;
        let equal = by_vruntime || curr.prio == waiting.prio;
        let lazily = state.need_resched_lazy.is_some() && state.need_resched.is_none();
        match () {
            () if equal => {
                if lazily {
                    LAZY_WAIT
                } else {
                    SAME_CLASS
                }
            }
            () if curr.prio < waiting.prio => HIGHER_PRIO,
            // Something weaker runs on: its flag waits for a point that honours it, or an IPI is
            // under way.
            () if lazily => LAZY_WAIT,
            () => self.cause_flagged(cpu),
        }
    }

    /// Why the running task of `cpu` goes on although it must give way at once.
    fn cause_flagged(&self, cpu: CpuId) -> Cause {
        let state = &self.cpus[cpu];
        let preemptible = state.preempt_count() == 0 && self.kernel().preempt().preempts_kernel();
        if state.state() == CpuState::User {
            IPI
        } else if !preemptible {
            NONPREEMPTIBLE
        } else if state.hw.holds_off_irq() {
            IRQ_DELAY
        } else if state.folded {
            // The CPU knows already, and comes to a preemption point at the end of its present
            // section: no IPI is under way for this.
            NONPREEMPTIBLE
        } else {
            IPI
        }
    }

    /// Whether the idle loop of `cpu` is at work, not asleep: it activates the tasks on its
    /// wake-list.
    fn leaves_idle(&self, cpu: CpuId) -> bool {
        let state = &self.cpus[cpu];
        self.rqs[cpu].curr.is_none() && !state.in_schedule && state.state() == CpuState::Kernel
    }

    /// `cpu` is about to execute user code, or the rest of a piece of kernel work that its task
    /// slept in: if that was woken, the wake-up ends here.
    #[inline]
    pub(crate) fn first_user_instruction(&mut self, cpu: CpuId) {
        let Some(task) = self.rqs[cpu].curr else { return };
        if self.task(task).wake.is_none() {
            return;
        }
        let Some(mut wake) = self.task_mut(task).wake.take() else { return };
        wake.charge(self.now);
        self.cpu(wake.cpu).unwatch(task);
        let latency = self.now - wake.due;
        let sync = &mut self.tasks[task].sync;
        sync.unsampled = false;
        let stamp = sync.due_stamp.take();
        if wake.measured {
            self.book_wake(cpu, task, latency, &wake, stamp);
        }
        self.spare_stretches.push(wake.stretches.emptied());
    }

    /// The wake-up of `task` is over on `cpu` after `latency` ns, and is a sample; `stamp` is the
    /// object that holds the instant it was due.
    fn book_wake(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        latency: u64,
        wake: &Wake,
        stamp: Option<ObjectId>,
    ) {
        let due = stamp.map_or(wake.due, |stamp| self.objects[stamp].count);
        let nth = self.tasks[task].stats.begin_activation(due, self.now);
        self.emit(Kind::WakeDone, cpu, task.raw(), u32::try_from(latency).unwrap_or(u32::MAX));
        let sum = wake.stretches.sum();
        self.law(sum == latency, || {
            format!("the waterfall of task {task} sums to {sum}, not {latency} ns")
        });
        self.log.wake(task.raw(), nth, cpu.raw(), wake.due, latency, wake.stretches.entries());
        self.book_latency(task, latency, wake);
        self.break_trace(task, latency);
    }
}

/// Each has its constant above.
const _: () = assert!(CAUSES.len() == 16);
