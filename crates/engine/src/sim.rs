//! The simulation: time, the event loop, and how a CPU executes its frames.
//!
//! One event is dispatched at a time; it resumes one CPU, which runs until time must pass on it. Whatever it does
//! to another CPU goes through the queue, so there is no re-entrance and every instant is ordered.

use std::sync::Arc;

use crate::account::metrics::Ledger;
use crate::kernel::config::Preempt;
use crate::kernel::core::Rq;
use crate::kernel::cpupri::Cpupri;
use crate::kernel::frame::{Entry, Flow, Frame};
use crate::kernel::idle::Idle;
use crate::kernel::irq::{From, Irq, clip};
use crate::kernel::rt::RootDomain;
use crate::kernel::rto::RtoState;
use crate::kernel::schedule::Schedule;
use crate::kernel::task::Task;
use crate::machine::cpu::Cpu;
use crate::machine::hrtimer::TimerKind;
use crate::machine::ipi::{CALL_FUNCTION_SINGLE, LOCAL_TIMER, RESCHEDULE};
use crate::machine::spinlock::{LockId, Spinlock, Taken, slowed_ns};
use crate::machine::topology::CpuMask;
use crate::queue::EventQueue;
use crate::rng::{Purpose, below};
use crate::setup::{Program, Setup};
use crate::trace::catalogue::{CATALOGUE, Kind, NONE};
use crate::trace::columns::Log;
use crate::trace::digest::Digest;
use crate::workload::NoiseState;

/// Vectors that travel as IPIs, in slot order.
const IPI_VECTORS: [usize; 2] = [RESCHEDULE, CALL_FUNCTION_SINGLE];

/// What a slot of the event queue stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Timer(u32),
    Noise,
    Ipi(u32, usize),
    Lock(u32),
    Progress(u32),
}

/// The whole state of a run; a clone is a snapshot.
#[derive(Clone, Debug)]
pub struct Sim {
    /// Machine time, ns.
    pub now: u64,
    /// What is being simulated.
    pub setup: Arc<Setup>,
    pub(crate) queue: EventQueue,
    pub(crate) cpus: Vec<Cpu>,
    pub(crate) rqs: Vec<Rq>,
    pub(crate) locks: Vec<Spinlock>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) rd: RootDomain,
    pub(crate) noise: NoiseState,
    pub(crate) ledger: Ledger,
    pub(crate) digest: Digest,
    /// Rows written or that would have been.
    pub(crate) records: u64,
    /// Frame steps taken.
    pub(crate) steps: u64,
    /// Waiting tasks that other CPUs could run: see `watch_roaming`.
    pub(crate) roaming: Vec<u32>,
    /// The first law the simulator itself broke.
    pub(crate) fault: Option<String>,
    /// What is written down; nothing in the simulation reads it.
    pub(crate) log: Log,
}

impl Sim {
    /// The machine of `setup` at time 0, every task asleep on its first CPU.
    pub fn new(setup: Arc<Setup>, log: Log) -> Self {
        let cpus = setup.machine.topology.cpus();
        let count = cpus as usize;
        let tick_phase = |cpu: u32| {
            let skew =
                if setup.kernel.tick_skew { below(setup.seed, Purpose::TickSkew, u64::from(cpu), 0, setup.kernel.tick_ns()) } else { 0 };
            (setup.kernel.tick_phase_ns + skew) % setup.kernel.tick_ns()
        };
        let mut sim = Self {
            now: 0,
            queue: EventQueue::new(1 + (3 + IPI_VECTORS.len()) * count),
            cpus: (0..cpus).map(|cpu| Cpu::new(Frame::Idle(Idle::Loop), tick_phase(cpu))).collect(),
            rqs: vec![Rq::default(); count],
            locks: vec![Spinlock::default(); count + 1],
            tasks: Vec::new(),
            rd: RootDomain {
                rto_mask: CpuMask::EMPTY,
                rto_count: 0,
                cpupri: Cpupri::new(cpus, setup.kernel.cpupri),
                rto: RtoState::default(),
            },
            noise: NoiseState::new(&setup),
            ledger: Ledger::new(&setup),
            digest: Digest::new(),
            records: 0,
            steps: 0,
            roaming: Vec::new(),
            fault: None,
            log,
            setup,
        };
        for (cpu, lock) in sim.locks.iter_mut().enumerate() {
            lock.place_line(cpu.min(count - 1) as u32);
        }
        sim.start_tasks();
        sim.start_noise();
        (0..cpus).for_each(|cpu| sim.run_cpu(cpu));
        sim
    }

    fn start_tasks(&mut self) {
        let setup = Arc::clone(&self.setup);
        for (id, spec) in setup.tasks.iter().enumerate() {
            let allowed: Vec<u32> = spec.cpus.iter().collect();
            let cpu = allowed[id % allowed.len()];
            self.tasks.push(Task::asleep(spec, cpu));
            let first = match spec.program {
                Program::Cyclictest { first_due_ns, .. } => Some(first_due_ns),
                Program::RtApp { .. } => Some(spec.start_ns),
                Program::RtNoise { .. } => None,
            };
            if let Some(first) = first {
                self.arm_sleep(cpu, id as u32, first);
            }
        }
    }

    /// Runs the next event if it lies at or before `until`; whether there was one.
    pub fn step(&mut self, until: u64) -> bool {
        let Some((time, slot)) = self.queue.peek().filter(|(time, _)| *time <= until) else { return false };
        self.law(time >= self.now, || format!("time runs back to {time}"));
        self.now = time;
        self.queue.clear(slot);
        match self.slot(slot) {
            Slot::Timer(cpu) => self.timer_fires(cpu),
            Slot::Noise => self.noise_fires(),
            Slot::Ipi(cpu, vector) => self.ipi_arrives(cpu, vector),
            Slot::Lock(cpu) => self.lock_granted(cpu),
            Slot::Progress(cpu) => {
                let state = self.cpu(cpu);
                state.busy_until = None;
                state.top().remaining = 0;
                self.run_cpu(cpu);
            }
        }
        true
    }

    /// Class-major numbering: timers, the noise device, IPI arrivals by vector, lock grants, progress.
    fn slot(&self, slot: usize) -> Slot {
        let count = self.cpus.len();
        if slot < count {
            return Slot::Timer(slot as u32);
        }
        let Some(rest) = slot.checked_sub(count + 1) else { return Slot::Noise };
        let (class, cpu) = (rest / count, (rest % count) as u32);
        match IPI_VECTORS.get(class) {
            Some(vector) => Slot::Ipi(cpu, *vector),
            None if class == IPI_VECTORS.len() => Slot::Lock(cpu),
            None => Slot::Progress(cpu),
        }
    }

    fn slot_of(&self, slot: Slot) -> usize {
        let count = self.cpus.len();
        let class = |class: usize, cpu: u32| count + 1 + class * count + cpu as usize;
        match slot {
            Slot::Timer(cpu) => cpu as usize,
            Slot::Noise => count,
            Slot::Ipi(cpu, vector) => class(vector - RESCHEDULE, cpu),
            Slot::Lock(cpu) => class(IPI_VECTORS.len(), cpu),
            Slot::Progress(cpu) => class(IPI_VECTORS.len() + 1, cpu),
        }
    }

    /// CPU `cpu`.
    pub(crate) fn cpu(&mut self, cpu: u32) -> &mut Cpu {
        &mut self.cpus[cpu as usize]
    }

    /// Stops the run with a message if the simulator broke a law.
    pub(crate) fn law(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds && self.fault.is_none() {
            self.fault = Some(format!("at {} ns: {}", self.now, what()));
        }
    }

    /// Writes a trace row; it counts, and enters the digest, whether or not anybody keeps it.
    pub(crate) fn emit(&mut self, kind: Kind, cpu: u32, a: u32, b: u32) {
        self.records += 1;
        if CATALOGUE[kind as usize].digested {
            self.digest.row(self.now, kind, cpu, a, b);
        }
        self.log.row(self.now, kind, cpu, a, b);
    }

    // ---- execution -------------------------------------------------------------------------------------------

    /// Lets `cpu` execute until time must pass on it.
    pub(crate) fn run_cpu(&mut self, cpu: u32) {
        while self.fault.is_none() {
            self.steps += 1;
            if self.cpu(cpu).irq_off == 0 && self.interrupted(cpu) {
                continue;
            }
            let state = self.cpu(cpu);
            let owed = std::mem::take(&mut state.owed);
            state.top().remaining += owed;
            if state.top().frame == Frame::User {
                self.first_user_instruction(cpu);
            }
            if self.cpu(cpu).top().remaining > 0 {
                self.spend(cpu);
                break;
            }
            if !self.step_frame(cpu) {
                break;
            }
        }
        self.show(cpu);
    }

    /// With interrupts on: takes a pending one, or calls schedule() where need_resched is honoured.
    fn interrupted(&mut self, cpu: u32) -> bool {
        if self.cpu(cpu).lines.any_pending() {
            self.enter_irq(cpu);
            return true;
        }
        let full = self.kernel().preempt == Preempt::Full;
        let state = self.cpu(cpu);
        let honoured = match state.top().frame {
            Frame::User => true,
            Frame::Syscall(_) => full,
            _ => false,
        };
        let wanted = honoured && state.need_resched.is_some();
        if wanted {
            state.stack.push(Entry::new(Frame::Schedule(Schedule::new())));
        }
        wanted
    }

    fn enter_irq(&mut self, cpu: u32) {
        let state = self.cpu(cpu);
        let asleep = std::mem::take(&mut state.blocked);
        let frame = state.top().frame;
        let irq = if asleep && matches!(frame, Frame::Idle(_)) {
            Irq::wake_up()
        } else if let Some((vector, since)) = state.lines.take() {
            Irq::new(vector, since, if frame == Frame::User { From::User } else { From::Kernel })
        } else {
            return;
        };
        state.stack.push(Entry::new(Frame::Irq(irq)));
        self.irq_disable(cpu);
    }

    /// One step of the executing frame; false when the CPU has to wait.
    fn step_frame(&mut self, cpu: u32) -> bool {
        let mut frame = self.cpu(cpu).top().frame;
        let flow = match &mut frame {
            Frame::Idle(idle) => idle.step(self, cpu),
            Frame::User => self.step_program(cpu),
            Frame::Syscall(syscall) => syscall.step(self, cpu),
            Frame::Irq(irq) => irq.step(self, cpu),
            Frame::Hrtimers(hrtimers) => hrtimers.step(self, cpu),
            Frame::Tick(tick) => tick.step(self, cpu),
            Frame::Drain(drain) => drain.step(self, cpu),
            Frame::Schedule(schedule) => schedule.step(self, cpu),
            Frame::Ttwu(ttwu) => ttwu.step(self, cpu),
            Frame::Pull(pull) => pull.step(self, cpu),
            Frame::Push(push) => push.step(self, cpu),
            Frame::DoubleLock(double) => double.step(self, cpu),
            Frame::RtoTell(tell) => tell.step(self, cpu),
            Frame::RtoWork(work) => work.step(self, cpu),
        };
        // schedule() swaps what lies below it, so the frame is written back to the top, wherever that is now.
        self.cpu(cpu).top().frame = frame;
        match flow {
            Flow::Spend(ns) => self.cpu(cpu).top().remaining = ns,
            Flow::Lock(lock) => return self.take_lock(cpu, lock),
            Flow::Call(frame) => self.cpu(cpu).stack.push(Entry::new(frame)),
            Flow::Again => {}
            Flow::Block => {
                self.cpu(cpu).blocked = true;
                return false;
            }
            Flow::Done => {
                self.cpu(cpu).stack.pop();
            }
        }
        true
    }

    /// Starts the executing frame's work; a ticket lock's holder is slowed by those who wait for it.
    fn spend(&mut self, cpu: u32) {
        let work = self.cpu(cpu).top().remaining;
        let ns = slowed_ns(work, self.waiters_on(cpu), &self.setup.machine.costs, self.kernel().spinlock);
        let until = self.now.saturating_add(ns);
        let state = self.cpu(cpu);
        state.busy_until = Some(until);
        // Work in the idle loop is the rest of the way out of the idle state, after an interrupt in the midst of it.
        state.idle_exiting |= matches!(state.top().frame, Frame::Idle(_));
        let slot = self.slot_of(Slot::Progress(cpu));
        self.queue.set(slot, until);
    }

    fn waiters_on(&self, cpu: u32) -> u64 {
        self.cpus[cpu as usize].held.iter().map(|lock| u64::from(self.locks[*lock as usize].depth())).sum()
    }

    /// Resumes a blocked CPU after `ns`.
    pub(crate) fn resume_after(&mut self, cpu: u32, ns: u64) {
        let until = self.now + ns;
        let state = self.cpu(cpu);
        state.blocked = false;
        state.top().remaining = ns;
        state.busy_until = Some(until);
        let slot = self.slot_of(Slot::Progress(cpu));
        self.queue.set(slot, self.now + ns);
        self.show(cpu);
    }

    // ---- interrupts ------------------------------------------------------------------------------------------

    /// local_irq_disable, nested.
    pub(crate) fn irq_disable(&mut self, cpu: u32) {
        let now = self.now;
        let state = self.cpu(cpu);
        if state.irq_off == 0 {
            state.irq_off_since = now;
        }
        state.irq_off += 1;
    }

    /// local_irq_enable, nested; pending vectors are taken when the CPU next looks.
    pub(crate) fn irq_enable(&mut self, cpu: u32) {
        let now = self.now;
        let state = self.cpu(cpu);
        state.irq_off -= 1;
        if state.irq_off == 0 {
            let off = now - state.irq_off_since;
            self.ledger.irq_off_max_ns = self.ledger.irq_off_max_ns.max(off);
        }
    }

    /// Sets a pending bit; false if it was set.
    pub(crate) fn raise(&mut self, cpu: u32, vector: usize) -> bool {
        let now = self.now;
        self.cpu(cpu).lines.raise(vector, now)
    }

    /// A vector has become pending: the CPU leaves what it does if interrupts are on.
    pub(crate) fn interrupt(&mut self, cpu: u32) {
        let now = self.now;
        let state = self.cpu(cpu);
        if state.irq_off > 0 || !state.lines.any_pending() {
            self.refresh(cpu);
            return;
        }
        if let Some(until) = state.busy_until.take() {
            state.top().remaining = until - now;
            let slot = self.slot_of(Slot::Progress(cpu));
            self.queue.clear(slot);
        }
        self.run_cpu(cpu);
    }

    fn timer_fires(&mut self, cpu: u32) {
        self.fire_timers(cpu);
        self.arm_device(cpu);
        // While its handler runs the device is not programmed; the handler's end looks again.
        if self.cpu(cpu).hardirq != Some(LOCAL_TIMER) {
            self.raise(cpu, LOCAL_TIMER);
        }
        self.interrupt(cpu);
    }

    /// Marks expired timers as fired; a sleeping task's wake-up begins at its due time.
    pub(crate) fn fire_timers(&mut self, cpu: u32) {
        let now = self.now;
        while let Some(timer) = self.cpu(cpu).timers.fire(now) {
            if let TimerKind::Task { task, slack_ns } = timer.kind {
                self.wake_due(task, cpu, timer.expiry - u64::from(slack_ns));
            }
        }
    }

    /// Programs the one-shot device for the next timer that has not fired.
    pub(crate) fn arm_device(&mut self, cpu: u32) {
        let slot = self.slot_of(Slot::Timer(cpu));
        match self.cpu(cpu).timers.next_expiry() {
            Some(expiry) => self.queue.set(slot, expiry.max(self.now)),
            None => self.queue.clear(slot),
        }
    }

    /// Sets the slot of a vector to the earliest IPI under way.
    pub(crate) fn arm_ipi(&mut self, cpu: u32, vector: usize, arrival: u64) {
        let slot = self.slot_of(Slot::Ipi(cpu, vector));
        self.queue.set(slot, arrival);
    }

    /// Sets when the noise device acts next.
    pub(crate) fn arm_noise(&mut self, time: u64) {
        let slot = self.slot_of(Slot::Noise);
        self.queue.set(slot, time);
    }

    fn ipi_arrives(&mut self, cpu: u32, vector: usize) {
        let (ipi, coalesced, next) = self.cpu(cpu).lines.arrive(vector);
        if let Some(next) = next {
            self.arm_ipi(cpu, vector, next);
        }
        let counts = &mut self.ledger.ipi[vector];
        if coalesced {
            counts.coalesced += 1;
        } else {
            counts.delivered += 1;
        }
        let packed = ipi.sender | (vector as u32) << 16 | u32::from(coalesced) << 24;
        self.emit(Kind::IpiArrive, cpu, packed, clip(self.now - ipi.sent));
        self.interrupt(cpu);
    }

    // ---- locks -----------------------------------------------------------------------------------------------

    fn take_lock(&mut self, cpu: u32, lock: LockId) -> bool {
        let ordered = self.cpus[cpu as usize].held.iter().all(|held| *held < lock);
        self.law(ordered, || format!("cpu {cpu} waits for lock {lock} while it holds a later one"));
        self.law(self.cpus[cpu as usize].irq_off > 0, || format!("cpu {cpu} takes lock {lock} with interrupts on"));
        let setup = Arc::clone(&self.setup);
        match self.locks[lock as usize].acquire(cpu, &setup.machine.costs, &setup.machine.topology) {
            Taken::Free(ns) => {
                self.own_lock(cpu, lock, 0);
                self.cpu(cpu).owed += ns;
                true
            }
            Taken::Queued(depth) => {
                self.cpu(cpu).spinning = Some((lock, self.now));
                self.emit(Kind::LockWait, cpu, lock, depth);
                if lock < self.rto_lock() {
                    self.ledger.contended += 1;
                    self.ledger.max_waiters = self.ledger.max_waiters.max(depth);
                }
                self.slow_holder(lock, depth);
                false
            }
        }
    }

    /// Takes a lock only if it is free.
    pub(crate) fn try_lock(&mut self, cpu: u32, lock: LockId) -> bool {
        let setup = Arc::clone(&self.setup);
        let Some(ns) = self.locks[lock as usize].try_acquire(cpu, &setup.machine.costs, &setup.machine.topology) else { return false };
        self.own_lock(cpu, lock, 0);
        self.cpu(cpu).owed += ns;
        true
    }

    fn own_lock(&mut self, cpu: u32, lock: LockId, waited: u64) {
        self.cpu(cpu).held.push(lock);
        if lock < self.rto_lock() {
            self.ledger.acquisitions += 1;
        }
        self.emit(Kind::LockAcq, cpu, lock, clip(waited));
    }

    /// One more waiter hammers the line of a lock whose holder is at work: the rest of its work stretches.
    fn slow_holder(&mut self, lock: LockId, depth: u32) {
        let Some(owner) = self.locks[lock as usize].owner() else { return };
        let Some(until) = self.cpu(owner).busy_until else { return };
        let (costs, kind) = (&self.setup.machine.costs, self.setup.kernel.spinlock);
        let others = self.waiters_on(owner) - 1;
        let scale = 10_000;
        let (before, after) = (slowed_ns(scale, others, costs, kind), slowed_ns(scale, others + 1, costs, kind));
        debug_assert!(depth > 0, "the new waiter is counted");
        let until = self.now + (until - self.now) * after / before;
        self.cpu(owner).busy_until = Some(until);
        let slot = self.slot_of(Slot::Progress(owner));
        self.queue.set(slot, until);
    }

    /// Whether `cpu` owns `lock`.
    pub(crate) fn holds(&self, cpu: u32, lock: LockId) -> bool {
        self.cpus[cpu as usize].held.contains(&lock)
    }

    /// Releases `lock`; the next in line notices after the hand-off.
    pub(crate) fn unlock(&mut self, cpu: u32, lock: LockId) {
        let owned = self.holds(cpu, lock) && self.locks[lock as usize].owner() == Some(cpu);
        self.law(owned, || format!("cpu {cpu} releases lock {lock}, which it does not own"));
        if !owned {
            return;
        }
        self.cpu(cpu).held.retain(|held| *held != lock);
        let setup = Arc::clone(&self.setup);
        let next = self.locks[lock as usize].release(&setup.machine.costs, &setup.machine.topology, setup.kernel.spinlock);
        let left = self.locks[lock as usize].depth();
        self.emit(Kind::LockRel, cpu, lock, left);
        if let Some((next, ns)) = next {
            let slot = self.slot_of(Slot::Lock(next));
            self.queue.set(slot, self.now + ns);
        }
    }

    fn lock_granted(&mut self, cpu: u32) {
        let Some((lock, since)) = self.cpu(cpu).spinning.take() else {
            self.law(false, || format!("cpu {cpu} is handed a lock it does not wait for"));
            return;
        };
        self.locks[lock as usize].handed_over();
        let waited = self.now - since;
        if lock < self.rto_lock() {
            self.ledger.wait_ns += waited;
        }
        self.own_lock(cpu, lock, waited);
        self.run_cpu(cpu);
    }

    // ---- what a CPU shows ------------------------------------------------------------------------------------

    /// Books the time since the last change and writes a row if the CPU now does something else.
    pub(crate) fn show(&mut self, cpu: u32) {
        let now = self.now;
        let curr = self.rqs[cpu as usize].curr.unwrap_or(NONE);
        let state = self.cpu(cpu);
        let shown = (state.state(), state.irq_off > 0, curr);
        if shown != state.shown {
            let before = state.shown.0 as usize;
            state.time[before] += now - state.shown_since;
            state.shown_since = now;
            state.shown = shown;
            self.emit(Kind::CpuState, cpu, shown.0 as u32 | u32::from(shown.1) << 8, curr);
        }
        self.refresh(cpu);
    }
}
