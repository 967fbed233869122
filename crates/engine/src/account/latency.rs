//! Why was this wake-up late? Every nanosecond from the due time to the first user instruction has one cause.
//!
//! ```text
//!   due ──Due──► sched_waking ──Waking──► (Listed) ──► enqueued ──Queued──► switch ──Switching──► first user instruction
//! ```
//! A wake-up depends on one CPU at a time: the one whose timer is due, the waker's, then its run queue's. Whenever
//! that CPU changes what it does, the stretch behind is charged to the cause that held during it and the cause of
//! the stretch ahead is read off the machine. Nothing is estimated, so the parts sum to the whole exactly.
//!
//! A clock_nanosleep that finds its time past has the same way from the due time to user code, without a sleep: the way into the kernel, with
//! whatever comes between, is watched from the call on.
//!
//! A task that sleeps again before it gets there was woken in vain: a reader whose message another one took. That wake-up is over with the
//! new sleep and is no sample, so no sample holds a sleep.

use super::stretches::Stretches;
use crate::machine::ipi::LOCAL_TIMER;
use crate::sim::Sim;
use crate::trace::catalogue::{CAUSES, CpuState, Kind};
use crate::workload::ProgramState;

/// Index into [`CAUSES`].
pub type Cause = u8;

const IRQ_DELAY: Cause = 0;
const IDLE_EXIT: Cause = 1;
const IRQ: Cause = 2;
const SOFTIRQ: Cause = 3;
const NONPREEMPTIBLE: Cause = 4;
const LAZY_WAIT: Cause = 5;
const RQ_LOCK_SPIN: Cause = 6;
const IPI: Cause = 7;
const HIGHER_PRIO: Cause = 8;
const SAME_CLASS: Cause = 9;
const THROTTLED: Cause = 10;
const RT_THROTTLED: Cause = 11;
const SWITCH: Cause = 12;
const RETURN_TO_USER: Cause = 13;

/// How far a wake-up has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Its timer has expired; the handler has not run its callback.
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
    /// How far it is.
    pub phase: Phase,
    /// CPU it depends on.
    pub cpu: u32,
    /// Up to when its time is charged; the due time, if that lies ahead.
    pub charged_to: u64,
    /// Cause of the stretch since then.
    pub cause: Cause,
    /// Charged stretches.
    pub stretches: Stretches,
    /// The first start of a program is not a sample.
    pub measured: bool,
    /// A sched_waking has not led to running yet.
    pub woken: bool,
    /// An allowed CPU is idle or runs something weaker, since then.
    pub avoidable_since: Option<u64>,
    /// Sum of such stretches.
    pub avoidable_ns: u64,
}

impl Wake {
    fn charge(&mut self, now: u64) {
        let ns = now.saturating_sub(self.charged_to);
        self.charged_to = self.charged_to.max(now);
        self.stretches.add(self.cause, ns);
    }

    /// Whether the task should run by now: one that is on its way into a sleep has all the time until then.
    pub fn is_due(&self, now: u64) -> bool {
        self.due <= now
    }
}

impl Sim {
    /// A task's timer has expired on `cpu`; it was due at `due`, a slack before.
    pub(crate) fn wake_due(&mut self, task: u32, cpu: u32, due: u64) {
        let measured = self.measured(task);
        self.open(task, cpu, due, Phase::Due, measured);
    }

    /// try_to_wake_up begins on `cpu`; without a timer the clock starts here.
    pub(crate) fn wake_waking(&mut self, task: u32, cpu: u32) {
        // Whoever is woken out of a system call that it slept in before has not got anywhere in between.
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

    /// `task` goes to sleep: had it been woken, it was in vain; had its way in been watched, it was in time.
    pub(crate) fn end_in_vain(&mut self, task: u32) {
        if let Some(wake) = self.tasks[task as usize].wake.take_if(|wake| wake.phase == Phase::Switching) {
            self.cpu(wake.cpu).watchers.retain(|other| *other != task);
        }
    }

    /// cyclictest's `task`, which runs on `cpu`, calls clock_nanosleep until `due`. If that passes before it sleeps, it takes its sample all
    /// the same; so what keeps it on the way in is watched, and counts from `due` on.
    pub(crate) fn watch_way_in(&mut self, cpu: u32, task: u32, due: u64) {
        let measured = self.measured(task);
        self.open(task, cpu, due, Phase::Switching, measured);
    }

    /// The call found its time past and returns at once, without a sleep.
    pub(crate) fn missed_sleep(&mut self, task: u32) {
        if matches!(self.task(task).program, ProgramState::Cyclictest(_)) {
            self.end_activation(task);
        }
    }

    /// Whether the wake-up of `task` that begins now is a sample.
    fn measured(&self, task: u32) -> bool {
        let state = self.task(task);
        self.setup.tasks[task as usize].measured && state.program.measured() && !state.sync.unsampled
    }

    fn open(&mut self, task: u32, cpu: u32, due: u64, phase: Phase, measured: bool) {
        self.task_mut(task).wake = Some(Wake {
            due,
            phase,
            cpu,
            charged_to: due,
            cause: IRQ_DELAY,
            stretches: Stretches::default(),
            measured,
            woken: false,
            avoidable_since: None,
            avoidable_ns: 0,
        });
        self.cpu(cpu).watchers.push(task);
        self.recharge(task);
    }

    /// The wake-up has come to `phase`, where it depends on `cpu`.
    pub(crate) fn wake_phase(&mut self, task: u32, phase: Phase, cpu: u32) {
        let Some(wake) = &mut self.tasks[task as usize].wake else { return };
        wake.charge(self.now);
        let before = std::mem::replace(&mut wake.cpu, cpu);
        wake.phase = phase;
        let runs = phase == Phase::Switching && std::mem::take(&mut wake.woken);
        self.tasks[task as usize].stats.wakeups += u64::from(runs);
        if before != cpu {
            self.cpu(before).watchers.retain(|other| *other != task);
            self.cpu(cpu).watchers.push(task);
        }
        self.recharge(task);
        match phase {
            Phase::Queued if self.task(task).movable => self.roam(task),
            Phase::Switching => self.end_roaming(task),
            _ => {}
        }
    }

    /// A waiting task has been moved to another run queue.
    pub(crate) fn wake_moved(&mut self, task: u32, cpu: u32) {
        self.wake_phase(task, Phase::Queued, cpu);
    }

    /// What `cpu` does has changed: recharge every wake-up that depends on it.
    pub(crate) fn refresh(&mut self, cpu: u32) {
        for index in 0..self.cpus[cpu as usize].watchers.len() {
            self.recharge(self.cpus[cpu as usize].watchers[index]);
        }
    }

    fn recharge(&mut self, task: u32) {
        let Some(wake) = &self.task(task).wake else { return };
        let cause = self.cause(task, wake);
        let now = self.now;
        if let Some(wake) = &mut self.tasks[task as usize].wake
            && wake.cause != cause
        {
            wake.charge(now);
            wake.cause = cause;
        }
    }

    /// What `task` waits for, read off the CPU it depends on.
    fn cause(&self, task: u32, wake: &Wake) -> Cause {
        let cpu = &self.cpus[wake.cpu as usize];
        match cpu.state() {
            CpuState::Spin => return RQ_LOCK_SPIN,
            CpuState::IdleExit => return IDLE_EXIT,
            CpuState::Softirq => return SOFTIRQ,
            _ => {}
        }
        match wake.phase {
            Phase::Due if cpu.hardirq == Some(LOCAL_TIMER) => IRQ,
            Phase::Due => IRQ_DELAY,
            Phase::Waking if cpu.blocked => SWITCH,
            Phase::Waking if cpu.hardirq.is_some() => IRQ,
            // A task wakes it: the waker's part of putting it on a CPU.
            Phase::Waking => SWITCH,
            Phase::Listed if cpu.hardirq.is_some() => IRQ,
            Phase::Listed if cpu.lines.any_pending() => IRQ_DELAY,
            // No IPI was needed: the idle loop saw the flag and drains the list on its way out.
            Phase::Listed if self.leaves_idle(wake.cpu) => IDLE_EXIT,
            Phase::Listed => IPI,
            Phase::Queued => self.cause_queued(task, wake.cpu),
            Phase::Switching if cpu.hardirq.is_some() => IRQ,
            Phase::Switching if cpu.in_schedule => SWITCH,
            Phase::Switching => RETURN_TO_USER,
        }
    }

    /// Why `task`, which is on the run queue of `cpu`, does not run now.
    pub(super) fn cause_queued(&self, task: u32, cpu: u32) -> Cause {
        let state = &self.cpus[cpu as usize];
        if state.hardirq.is_some() {
            return IRQ;
        }
        if state.in_schedule {
            return SWITCH;
        }
        if self.is_throttled(task) {
            return THROTTLED;
        }
        let rq = &self.rqs[cpu as usize];
        let served = rq.server.serves() && rq.curr.is_some_and(|curr| !self.task(curr).is_rt());
        if rq.curr.is_some_and(|curr| self.task(curr).stop) {
            return HIGHER_PRIO;
        }
        if self.task(task).is_rt() && (rq.rt_time.throttled || served) {
            return RT_THROTTLED;
        }
        let Some(curr) = self.rqs[cpu as usize].curr else { return if self.leaves_idle(cpu) { IDLE_EXIT } else { IPI } };
        let (curr, waiting) = (self.task(curr), self.task(task));
        if !waiting.is_rt() && !curr.is_rt() || curr.prio == waiting.prio {
            return if state.need_resched_lazy.is_some() && state.need_resched.is_none() { LAZY_WAIT } else { SAME_CLASS };
        }
        if curr.prio < waiting.prio {
            return HIGHER_PRIO;
        }
        // Something weaker runs on: its flag waits for a point that honours it, or an IPI is under way.
        if state.need_resched.is_none() && state.need_resched_lazy.is_some() {
            return LAZY_WAIT;
        }
        let preemptible = state.preempt_count == 0 && self.kernel().preempt.preempts_kernel();
        if state.state() == CpuState::User || preemptible { IPI } else { NONPREEMPTIBLE }
    }

    /// Whether the idle loop of `cpu` is at work, not asleep: it activates what its wake-list holds.
    fn leaves_idle(&self, cpu: u32) -> bool {
        let state = &self.cpus[cpu as usize];
        self.rqs[cpu as usize].curr.is_none() && !state.in_schedule && state.state() == CpuState::Kernel
    }

    /// `cpu` is about to execute user code, or the rest of a piece of kernel work that its task slept in: if that was woken, the wake-up
    /// ends here.
    pub(crate) fn first_user_instruction(&mut self, cpu: u32) {
        let Some(task) = self.rqs[cpu as usize].curr else { return };
        if self.task(task).wake.is_none() {
            return;
        }
        let Some(mut wake) = self.task_mut(task).wake.take() else { return };
        wake.charge(self.now);
        self.cpu(wake.cpu).watchers.retain(|other| *other != task);
        let latency = self.now - wake.due;
        let sync = &mut self.tasks[task as usize].sync;
        sync.unsampled = false;
        let stamp = sync.due_stamp.take();
        if !wake.measured {
            return;
        }
        let due = stamp.map_or(wake.due, |stamp| self.objects[stamp as usize].count);
        let stats = &mut self.tasks[task as usize].stats;
        stats.active = true;
        stats.due_ns = due;
        stats.start_ns = self.now;
        stats.loops_before = stats.loops;
        let nth = stats.samples;
        stats.samples += 1;
        self.emit(Kind::WakeDone, cpu, task, u32::try_from(latency).unwrap_or(u32::MAX));
        let sum = wake.stretches.sum();
        self.law(sum == latency, || format!("the waterfall of task {task} sums to {sum}, not {latency} ns"));
        self.log.wake(task, nth, cpu, wake.due, latency, wake.stretches.entries());
        self.book_latency(task, latency, &wake);
        self.break_trace(task, latency);
    }

    // ---- a second reading: could it have run elsewhere? --------------------------------------------------------

    fn roam(&mut self, task: u32) {
        if !self.roaming.contains(&task) {
            self.roaming.push(task);
        }
        self.watch_one(task, self.weakest_two());
    }

    fn end_roaming(&mut self, task: u32) {
        self.roaming.retain(|other| *other != task);
        let now = self.now;
        if let Some(wake) = &mut self.tasks[task as usize].wake {
            wake.avoidable_ns += wake.avoidable_since.take().map_or(0, |since| now.saturating_sub(since));
        }
    }

    /// Some CPU has changed tasks: look again whether the waiting could have been avoided.
    pub(crate) fn watch_roaming(&mut self) {
        if self.roaming.is_empty() {
            return;
        }
        let weakest = self.weakest_two();
        for index in 0..self.roaming.len() {
            self.watch_one(self.roaming[index], weakest);
        }
    }

    /// Priority of what `cpu` runs; an idle CPU runs something weaker than every task.
    fn running_prio(&self, cpu: u32) -> u8 {
        self.rqs[cpu as usize].curr.map_or(u8::MAX, |curr| self.task(curr).prio)
    }

    /// The two CPUs that run the weakest work and its priority, weakest first; a CPU that does not exist runs prio 0.
    fn weakest_two(&self) -> [(u8, u32); 2] {
        let mut two = [(0, u32::MAX); 2];
        for cpu in 0..self.setup.machine.topology.cpus() {
            let prio = self.running_prio(cpu);
            if prio > two[0].0 {
                two = [(prio, cpu), two[0]];
            } else if prio > two[1].0 {
                two[1] = (prio, cpu);
            }
        }
        two
    }

    /// Whether a CPU other than its own that `task` may use is idle or runs something weaker. Thousands may wait on a thousand
    /// CPUs, and this is asked at every switch: `weakest` answers nearly always, without a walk over the task's CPUs.
    fn could_run_elsewhere(&self, task: u32, weakest: [(u8, u32); 2]) -> bool {
        let (prio, own) = (self.task(task).prio, self.task(task).cpu);
        let allowed = &self.task(task).cpus;
        let serves = |(running, cpu): (u8, u32)| running > prio && cpu != own && allowed.has(cpu);
        let walk = || allowed.iter().any(|cpu| serves((self.running_prio(cpu), cpu)));
        let more_may = weakest[1].0 > prio;
        let could = weakest.into_iter().any(serves) || (more_may && walk());
        debug_assert_eq!(could, walk(), "task {task}: the short answer is the walk's");
        could
    }

    fn watch_one(&mut self, task: u32, weakest: [(u8, u32); 2]) {
        let elsewhere = self.could_run_elsewhere(task, weakest);
        let now = self.now;
        if let Some(wake) = &mut self.tasks[task as usize].wake {
            match (wake.avoidable_since, elsewhere) {
                (None, true) => wake.avoidable_since = Some(now.max(wake.due)),
                (Some(since), false) => {
                    wake.avoidable_ns += now.saturating_sub(since);
                    wake.avoidable_since = None;
                }
                _ => {}
            }
        }
    }
}

const _: () = assert!(CAUSES.len() == 14);
