//! Plays the op language: chooses the next op, and the action that it asks of the CPU.

mod blocking;
mod clock;
mod kernel;
mod spin;

use super::Action;
use crate::ids::{CpuId, ObjectId, TaskId, TimerId};
use crate::kernel::syscall::Call;
use crate::kernel::syscall::kernel_work::KernelWork;
use crate::kernel::syscall::objects::call::Deed;
use crate::kernel::syscall::setsched::Change;
use crate::setup::{Amount, NEVER, Op, Phase, Rounds};
use crate::sim::Sim;
use clock::Busy;
use spin::Patience;

/// Where a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub started: bool,
    /// When its timers count from.
    start_ns: u64,
    phase: u32,
    op: u32,
    /// Rounds of the present phase left; `None` before its first has ended, and in an endless one.
    left: Option<u32>,
    /// Rounds of the whole list done.
    loops: u32,
    /// How far the present op is.
    stage: Stage,
    /// The state of the op: a barrier's generation, a stamp's time, the CPU whose lock it spins
    /// for.
    seen: u64,
    busy: Option<Busy>,
}

/// How far an op is that takes several steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Not begun.
    Begin,
    /// Signalled; about to join the waiters (`Sync`).
    Signalled,
    /// Among the waiters of a condition, the mutex released.
    Joined,
    /// Let go by the condition: the mutex again.
    Relock,
    /// Has been in the kernel to wait, or spins.
    Waiting,
    /// Resumes those it took.
    Resuming,
}

/// The result of playing an op.
enum Played {
    /// The op is over at once.
    Over,
    /// The op is over after this action.
    Last(Action),
    /// After this it goes on at that stage.
    Then(Stage, Action),
}

impl State {
    /// At the first op; timers count from `start_ns`.
    pub fn new(start_ns: u64) -> Self {
        Self {
            started: false,
            start_ns,
            phase: 0,
            op: 0,
            left: None,
            loops: 0,
            stage: Stage::Begin,
            seen: 0,
            busy: None,
        }
    }
}

impl Sim {
    /// The next action of the program of `task`, which runs on `cpu`, and the phase rounds it
    /// completes.
    pub(super) fn next_action(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        state: &mut State,
        loops: Option<u32>,
        phases: &[Phase],
    ) -> (Action, u64) {
        if !state.started {
            state.started = true;
            if state.start_ns == NEVER {
                state.start_ns = self.now;
            }
        }
        loop {
            let Some(phase) = phases.get(state.phase as usize) else {
                state.loops = state.loops.saturating_add(1);
                if phases.is_empty() || loops.is_some_and(|loops| state.loops >= loops) {
                    return (Action::Call(Call::Exit), 0);
                }
                state.phase = 0;
                continue;
            };
            let Some(op) = phase.ops.get(state.op as usize) else {
                state.op = 0;
                self.end_round(cpu, state, phase.rounds);
                // The jump back costs 1 ns of user time, so that no program can stop the clock.
                return (Action::Run(1), 1);
            };
            self.steps += 1;
            let action = match self.play(cpu, task, state, op) {
                Played::Over => None,
                Played::Last(action) => Some(action),
                Played::Then(stage, action) => {
                    state.stage = stage;
                    return (action, 0);
                }
            };
            state.op += 1;
            state.stage = Stage::Begin;
            if let Some(action) = action {
                return (action, 0);
            }
        }
    }

    /// A round of the phase is over: is there another?
    fn end_round(&mut self, cpu: CpuId, state: &mut State, rounds: Rounds) {
        let left = match (state.left, rounds) {
            (_, Rounds::Endless) => return,
            (_, Rounds::Until(end)) if self.now < end => return,
            (_, Rounds::Until(_)) => 1,
            (Some(left), _) => left,
            (None, Rounds::Times(times)) => times,
            (None, Rounds::Drawn(amount)) => {
                u32::try_from(self.draw_amount(cpu, amount)).unwrap_or(u32::MAX)
            }
        };
        state.left = Some(left.saturating_sub(1));
        if left <= 1 {
            state.left = None;
            state.phase += 1;
        }
    }

    /// One step of an op.
    fn play(&mut self, cpu: CpuId, task: TaskId, state: &mut State, op: &Op) -> Played {
        let call = |call| Played::Last(Action::Call(call));
        match op {
            Op::Run { ns } => Played::Last(Action::Run(self.draw_amount(cpu, *ns))),
            Op::RunFor { ns, round_ns } => self.run_for(state, *ns, *round_ns),
            Op::Kernel { .. }
            | Op::KernelWakes { .. }
            | Op::KernelSleep { .. }
            | Op::KernelMutex { .. } => self.play_kernel(cpu, task, op),
            Op::Sleep { ns } => call(Call::SleepFor(self.draw_amount(cpu, *ns))),
            Op::Timer { timer, period_ns, absolute } => {
                self.timer_op(state, TimerId::new(*timer), *period_ns, *absolute)
            }
            Op::Yield => call(Call::Change(Change::Yield)),
            Op::Stamp { stamp } => {
                self.object(ObjectId::new(*stamp)).count = self.now;
                Played::Over
            }
            Op::CopyStamp { from, to } => {
                self.object(ObjectId::new(*to)).count = self.objects[ObjectId::new(*from)].count;
                Played::Over
            }
            Op::Sample { stamp } => self.sample(cpu, task, ObjectId::new(*stamp)),
            Op::SpinLock { .. }
            | Op::SpinOrSleep { .. }
            | Op::SpinUnlock { .. }
            | Op::SliceRequest
            | Op::SliceYield
            | Op::PageFault { .. } => self.play_critical(cpu, task, state, op),
            Op::Fork { task: child } => call(Call::Fork(TaskId::new(*child))),
            Op::SetPolicy { policy } if self.task(task).policy == *policy => Played::Over,
            Op::SetPolicy { policy } => call(Call::Change(Change::Policy(*policy))),
            Op::SetCpus { cpus }
                if self.task(task).sync.cpus_later.unwrap_or(self.task(task).cpus) == *cpus =>
            {
                Played::Over
            }
            Op::SetCpus { .. } => {
                call(Call::Change(Change::Cpus { phase: state.phase, op: state.op }))
            }
            Op::MigrateDisable => call(Call::Change(Change::Migration { disabled: true })),
            Op::MigrateEnable => call(Call::Change(Change::Migration { disabled: false })),
            Op::Put { queue } => call(Call::Object(Deed::Put(ObjectId::new(*queue)))),
            Op::Lock { .. }
            | Op::Unlock { .. }
            | Op::Wait { .. }
            | Op::Signal { .. }
            | Op::Broadcast { .. }
            | Op::Sync { .. }
            | Op::Barrier { .. }
            | Op::SemWait { .. }
            | Op::SemPost { .. }
            | Op::Get { .. }
            | Op::Enlist { .. }
            | Op::TakeAll { .. }
            | Op::ResumeAll { .. }
            | Op::Suspend
            | Op::Resume { .. } => self.play_blocking(cpu, task, state, op),
        }
    }

    /// One step of an op around a critical section of user space.
    #[expect(clippy::wildcard_enum_match_arm, reason = "play() says which ops come here")]
    fn play_critical(&mut self, cpu: CpuId, task: TaskId, state: &mut State, op: &Op) -> Played {
        let call = |call| Played::Last(Action::Call(call));
        match op {
            Op::SpinLock { lock } => self.spin_lock(cpu, task, state, ObjectId::new(*lock)),
            Op::SpinOrSleep { lock, spin_ns, sleep_ns, sleep_max_ns } => {
                let patience = Patience {
                    spin_ns: *spin_ns,
                    sleep_ns: *sleep_ns,
                    sleep_max_ns: *sleep_max_ns,
                };
                self.spin_or_sleep(cpu, task, state, ObjectId::new(*lock), patience)
            }
            Op::SpinUnlock { lock } => self.spin_unlock(cpu, task, ObjectId::new(*lock)),
            Op::SliceRequest => {
                self.request_slice_extension(task);
                Played::Over
            }
            Op::SliceYield if self.clears_slice_request(task) => Played::Over,
            Op::SliceYield => call(Call::SliceYield),
            Op::PageFault { ns, share_milli } => self.page_fault(cpu, task, *ns, *share_milli),
            _ => Played::Over,
        }
    }

    /// A page fault, or none: each draws both, whether or not it comes.
    fn page_fault(&mut self, cpu: CpuId, task: TaskId, ns: Amount, share_milli: u32) -> Played {
        let (comes, ns) = (self.draw_share(cpu, share_milli), self.draw_amount(cpu, ns));
        if !comes {
            return Played::Over;
        }
        let state = self.task_mut(task);
        (state.spacing, state.kernel_mutex) = ([None; 2], None);
        Played::Last(Action::Call(Call::Work(KernelWork::of_fault(ns))))
    }

    /// Draws whether an event happens now that has a share of `share_milli` in a thousand.
    fn draw_share(&mut self, cpu: CpuId, share_milli: u32) -> bool {
        self.draw_amount(cpu, Amount::Uniform { min: 0, max: 1_000 }) < u64::from(share_milli)
    }

    fn timer_op(
        &mut self,
        state: &State,
        timer: TimerId,
        period_ns: u64,
        absolute: bool,
    ) -> Played {
        let now = self.now;
        let Some(next) = self.app_timers.get_mut(timer) else { return Played::Over };
        let due = next.unwrap_or(state.start_ns).saturating_add(period_ns);
        // Late: a relative timer starts again from now, an absolute one keeps its grid.
        *next = Some(if due <= now && !absolute { now } else { due });
        if due > now { Played::Last(Action::Call(Call::SleepUntil(due))) } else { Played::Over }
    }

    /// The tool's own sample: the time since the stamp, or since the task that resumed this one
    /// stamped it.
    fn sample(&mut self, cpu: CpuId, task: TaskId, stamp: ObjectId) -> Played {
        let own = self.task(task).sync.own_stamp.filter(|(of, _)| *of == stamp);
        let since = own.map_or(self.objects[stamp].count, |(_, since)| since);
        self.book_tool_sample(cpu, task, stamp, self.now.saturating_sub(since));
        Played::Over
    }
}
