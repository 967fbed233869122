//! Executes a CPU frame by frame until time must pass, and sets the state that its lane then shows.

use crate::ids::{CpuId, TaskId};
use crate::kernel::core::preempt::{Bit, Point};
use crate::kernel::core::schedule::Schedule;
use crate::kernel::fair::bandwidth::limbo::ThrottleWork;
use crate::kernel::fair::bandwidth::work::BwWork;
use crate::kernel::frame::{Entry, Flow, Frame};
use crate::kernel::irq::From;
use crate::kernel::irq::Irq;
use crate::machine::spinlock::slowed_ns;
use crate::machine::topology::FULL_SPEED;
use crate::sim::{Sim, Slot};
use crate::trace::catalogue::{CPU_STATE_OF, CpuState, IRQ_OFF, Kind, NO_PREEMPT, NONE};

/// Most steps of a CPU in one go without time passing: the longest walks take a few for each of the
/// machine's tasks and queues. If costs are free, an endless loop of steps would otherwise never
/// return to the check of the limits.
const STEPS_AT_ONCE: u64 = 4_000_000;

/// Most steps of a frame between two looks at the step count.
const STEPS_IN_PLACE: u32 = 64;

/// Each kind of frame that is often there is stepped by a function of its own; the others share
/// one, which is less code.
macro_rules! step_by_kind {
    ($sim:ident, $cpu:ident, $frame:expr, $($often:ident)+; $($rare:ident)+) => {
        match $frame {
            Frame::User => $sim.step_program($cpu),
            $(Frame::$often(own) => {
                $sim.step_of($cpu, own, Frame::$often, |own, sim, cpu| own.step(sim, cpu))
            })+
            frame @ ($(Frame::$rare(_))|+) => {
                $sim.step_of($cpu, frame, |frame| frame, |frame, sim, cpu| match frame {
                    $(Frame::$rare(own) => own.step(sim, cpu),)+
                    _ => Flow::Done,
                })
            }
        }
    };
}

impl Sim {
    /// Lets `cpu` execute until time must pass on it. Code that a wake-up runs only a few times is
    /// kept out of this loop, to save registers.
    pub(crate) fn run_cpu(&mut self, cpu: CpuId) {
        let most = self.steps + STEPS_AT_ONCE;
        debug_assert!(!self.cpus[cpu].hw.is_stopped(), "a stopped CPU executes nothing");
        while self.fault.is_none() {
            self.steps += 1;
            self.law(self.steps <= most, || {
                format!("cpu {cpu} takes {STEPS_AT_ONCE} steps and no time passes")
            });
            if !self.cpus[cpu].hw.irqs_off() && self.interrupted(cpu) {
                continue;
            }
            let state = &mut self.cpus[cpu];
            let owed = state.take_owed();
            let top = state.top();
            top.remaining += owed;
            let mut work = top.remaining;
            if matches!(top.frame, Frame::User) {
                self.first_user_instruction(cpu);
                self.look_at_the_clock(cpu);
                work = self.cpu(cpu).top().remaining;
            }
            if work > 0 {
                self.spend(cpu, work);
                break;
            }
            let flow = step_by_kind!(self, cpu, self.cpus[cpu].top().frame,
                Idle Syscall Object Softirq Irq Hrtimers Tick Drain Schedule Ttwu Pull Push
                DoubleLock RtoTell RtoWork NewIdle NohzRun;
                KernelWork Fork Setsched PiWalk Ksoftirqd Stopper RtPeriod FairTimer HrTick
                AskedPush Tell41 Work41 Balance LoadBalance Attach BwWork BwPeriod BwSlack
                Distribute Unthrottle BwCsd BwWrite LiveChange ThrottleWork RebalanceDomains
                RemoteTick
            );
            if !self.goes_on(cpu, flow) {
                break;
            }
        }
        self.show(cpu);
    }

    /// With interrupts on: takes a pending one, or calls schedule() where need_resched is honoured.
    #[inline]
    fn interrupted(&mut self, cpu: CpuId) -> bool {
        if self.cpu(cpu).hw.lines.any_pending() {
            self.enter_irq(cpu);
            return true;
        }
        let Some(point) = self.preemption_point(cpu) else { return false };
        let taken = self.preempts_at(cpu, point);
        let next = match taken {
            true => Frame::Schedule(Schedule::at(point)),
            false if point == Point::ReturnToUser && self.takes_throttle_work(cpu) => {
                Frame::ThrottleWork(ThrottleWork::Start)
            }
            false => return false,
        };
        self.cpu(cpu).stack.push(Entry::new(next));
        true
    }

    /// The preemption point `cpu` is at, with interrupts on: each is passed once.
    #[inline]
    fn preemption_point(&mut self, cpu: CpuId) -> Option<Point> {
        let honoured = self.kernel().preempt().honours(Point::PreemptEnable, Bit::Now);
        let state = self.cpu(cpu);
        let (now, folded) = (honoured && state.need_resched.is_some(), state.folded);
        let irq_exit = std::mem::take(&mut state.irq_exit);
        // The idle task runs with preemption disabled, in every frame (init_idle_preempt_count()).
        if matches!(state.stack.first(), Some(Entry { frame: Frame::Idle(_), .. })) {
            return None;
        }
        let Entry { frame, remaining } = state.stack.last()?;
        if matches!(frame, Frame::User) {
            return std::mem::take(&mut state.returning).then_some(Point::ReturnToUser);
        }
        let preemptible = state.preempt_count() == 0
            && matches!(
                frame,
                Frame::Syscall(_)
                    | Frame::KernelWork(_)
                    | Frame::Object(_)
                    | Frame::Setsched(_)
                    | Frame::Ksoftirqd(_)
                    | Frame::Stopper(_)
                    | Frame::Softirq(_)
            );
        if !preemptible {
            None
        } else if irq_exit {
            Some(Point::IrqExit)
        } else {
            // Work in progress passes no point; between steps a preempt_enable may have been.
            // Kernel work has none of its own there, and says nothing where nothing is done: but a
            // flag that no interrupt's exit acted on has waited for it, since its point was taken
            // away by a mode that was written. A change of scheduling leaves the look to its call.
            let has_own = !matches!(frame, Frame::KernelWork(_) | Frame::Setsched(_));
            let acts = has_own || now && folded;
            (*remaining == 0 && acts).then_some(Point::PreemptEnable)
        }
    }

    #[inline(never)]
    fn enter_irq(&mut self, cpu: CpuId) {
        self.draw_costs(cpu);
        let state = self.cpu(cpu);
        let asleep = std::mem::take(&mut state.blocked);
        let (idle, user) =
            (matches!(state.top().frame, Frame::Idle(_)), matches!(state.top().frame, Frame::User));
        let irq = if asleep && idle {
            Irq::wake_up()
        } else if let Some((vector, since)) = state.hw.lines.take() {
            Irq::new(vector, since, if user { From::User } else { From::Kernel })
        } else {
            return;
        };
        state.user_irq |= user;
        state.stack.push(Entry::new(Frame::Irq(irq)));
        self.irq_disable(cpu);
    }

    /// Carries out the request of the executing frame's step; false when the CPU has to wait.
    #[inline]
    fn goes_on(&mut self, cpu: CpuId, flow: Flow) -> bool {
        let noted = self.noted_for_group(cpu);
        match flow {
            // Takes the lock once the noted work is done.
            Flow::Lock(lock) if noted.is_some() => {
                let work = noted.map(|rq| Frame::BwWork(BwWork::new(rq, Some(lock))));
                self.cpu(cpu).stack.extend(work.map(Entry::new));
                return true;
            }
            Flow::Spend(ns) if noted.is_none() && self.spends_at_once(cpu, ns) => return false,
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
        if let Some(rq) = noted {
            self.cpu(cpu).stack.push(Entry::new(Frame::BwWork(BwWork::new(rq, None))));
        }
        true
    }

    /// The executing frame asks for `ns` of work. With interrupts off nothing comes before that, so
    /// it starts here, without another round of [`Self::run_cpu`]; whether it did.
    #[inline]
    fn spends_at_once(&mut self, cpu: CpuId, ns: u64) -> bool {
        if ns == 0 || self.in_pieces || self.fault.is_some() || !self.cpus[cpu].hw.irqs_off() {
            return false;
        }
        // The round that is left out counts.
        self.steps += 1;
        let state = self.cpu(cpu);
        let work = ns + state.take_owed();
        state.top().remaining = work;
        self.spend(cpu, work);
        true
    }

    /// Steps `frame`, the executing one. The frame is copied at its own size. It goes on at once
    /// while its steps ask for that, or for work that takes no time, and nothing else comes
    /// between. schedule() swaps the frames below, so the frame is written back to the top,
    /// wherever that is then.
    #[inline(never)]
    fn step_of<F: Copy>(
        &mut self,
        cpu: CpuId,
        mut frame: F,
        wrap: impl Fn(F) -> Frame,
        step: impl Fn(&mut F, &mut Self, CpuId) -> Flow,
    ) -> Flow {
        let mut steps = 1;
        let flow = loop {
            let flow = step(&mut frame, self, cpu);
            let at_once = matches!(flow, Flow::Again | Flow::Spend(0));
            if !at_once || steps == STEPS_IN_PLACE || !self.undisturbed(cpu) {
                break flow;
            }
            steps += 1;
        };
        self.steps += u64::from(steps - 1);
        self.cpu(cpu).top().frame = wrap(frame);
        flow
    }

    /// Whether the executing frame's next step follows at once.
    #[inline(never)]
    fn undisturbed(&self, cpu: CpuId) -> bool {
        let state = &self.cpus[cpu];
        state.hw.irqs_off()
            && state.owed() == 0
            && !self.in_pieces
            && self.fault.is_none()
            && self.noted_on_held(cpu).is_none()
    }

    /// A run queue that `cpu` holds the lock of and where something is noted that needs a group's
    /// lock.
    #[inline]
    fn noted_for_group(&self, cpu: CpuId) -> Option<CpuId> {
        let noted = self.noted_on_held(cpu)?;
        let works =
            matches!(self.cpus[cpu].stack.last(), Some(Entry { frame: Frame::BwWork(_), .. }));
        (!works).then_some(noted)
    }

    /// [`Self::noted_for_group`] for any executing frame.
    #[inline]
    pub(crate) fn noted_on_held(&self, cpu: CpuId) -> Option<CpuId> {
        // Only groups below the root have quota.
        if self.groups.len() == 1 || self.cpus[cpu].hw.held().is_empty() {
            return None;
        }
        self.noted_in_groups(cpu)
    }

    #[inline(never)]
    fn noted_in_groups(&self, cpu: CpuId) -> Option<CpuId> {
        let held = self.cpus[cpu].hw.held().iter();
        let mut rqs = held.filter_map(|lock| self.rq_of_lock(*lock));
        rqs.find(|rq| !self.rqs[*rq].bw_pending.is_empty())
    }

    /// Starts the executing frame's `work`, in ns; waiting CPUs slow a ticket lock's holder.
    #[inline]
    pub(super) fn spend(&mut self, cpu: CpuId, work: u64) {
        let (work, pace) = self.paced_ns(cpu, work);
        let ns = match self.waiters_on(cpu) {
            0 => work,
            waiters => {
                slowed_ns(work, waiters, &self.setup.machine.costs, self.kernel().spinlock())
            }
        };
        let state = &mut self.cpus[cpu];
        let until = state.hw.resumes_at(self.now).saturating_add(ns);
        state.hw.work(until, pace);
        // Work in the idle loop is the rest of the way out of the idle state, after an interrupt in
        // the midst of it.
        if matches!(state.top().frame, Frame::Idle(_)) {
            state.hw.set_idle_exiting(true);
        }
        let slot = Slot::Progress(cpu).number();
        self.queue.set(slot, until);
    }

    /// The executing frame's work ends at `until`, not when it would have.
    pub(crate) fn end_work_at(&mut self, cpu: CpuId, until: u64) {
        self.cpu(cpu).hw.end_work_at(until);
        let slot = Slot::Progress(cpu).number();
        self.queue.set(slot, until);
    }

    #[inline]
    pub(super) fn waiters_on(&self, cpu: CpuId) -> u64 {
        let held = self.cpus[cpu].hw.held().iter();
        held.map(|lock| u64::from(self.locks[*lock].depth())).sum()
    }

    /// Resumes a blocked CPU after `ns`, which begin when it executes again.
    pub(crate) fn resume_after(&mut self, cpu: CpuId, ns: u64) {
        let state = &mut self.cpus[cpu];
        let until = state.hw.resumes_at(self.now) + ns;
        state.blocked = false;
        state.top().remaining = ns;
        state.hw.work(until, FULL_SPEED);
        let slot = Slot::Progress(cpu).number();
        self.queue.set(slot, until);
        self.show(cpu);
    }

    /// Books the time since the last change and writes a row if the CPU now does something else.
    #[inline]
    pub(super) fn show(&mut self, cpu: CpuId) {
        let now = self.now;
        let curr = self.rqs[cpu].curr;
        let spins = self.user_locks.spinners > 0 && self.spins_in_user(curr);
        let state = self.cpu(cpu);
        let does = state.state();
        let shown = (
            if spins && does == CpuState::User { CpuState::UserSpin } else { does },
            u8::from(state.hw.irqs_off()) | u8::from(state.preempt_count() > 0) << 1,
            curr,
        );
        if let Some(((was, _, ran), ns)) = state.shows(now, shown) {
            if let (CpuState::User | CpuState::UserSpin, Some(ran)) = (was, ran) {
                self.task_mut(ran).stats.book_user(ns);
            }
            let held = u32::from(shown.1);
            let row = CPU_STATE_OF.put(shown.0 as u32)
                | IRQ_OFF.put(held & 1)
                | NO_PREEMPT.put(held >> 1);
            self.emit_undigested(Kind::CpuState, cpu, row, curr.map_or(NONE, TaskId::raw));
            if (was == CpuState::Idle) != (shown.0 == CpuState::Idle) {
                self.pace_changes(cpu);
            }
        }
        self.refresh_in(cpu, does);
    }
}
