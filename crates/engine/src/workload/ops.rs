//! The op language played: which op comes next, and what it asks of the CPU.

use super::Action;
use crate::kernel::kernel_work::KernelWork;
use crate::kernel::syscall::Call;
use crate::setup::{NEVER, Op, Phase, Rounds};
use crate::sim::Sim;

/// Where a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Has run at all.
    pub started: bool,
    /// When its timers count from.
    start_ns: u64,
    phase: u32,
    op: u32,
    /// Rounds of the present phase left; `None` before its first and in an endless one.
    left: Option<u32>,
    /// Rounds of the whole list done.
    loops: u32,
}

impl State {
    /// At the first op; timers count from `start_ns`.
    pub fn new(start_ns: u64) -> Self {
        Self { started: false, start_ns, phase: 0, op: 0, left: None, loops: 0 }
    }
}

impl Sim {
    /// The next action of the program of the task that runs on `cpu`, and the phase rounds it completes.
    pub(super) fn next_action(&mut self, cpu: u32, state: &mut State, loops: Option<u32>, phases: &[Phase]) -> (Action, u64) {
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
            if let Some(op) = phase.ops.get(state.op as usize) {
                state.op += 1;
                if let Some(action) = self.begin_op(cpu, state, op) {
                    return (action, 0);
                }
                continue;
            }
            state.op = 0;
            self.end_round(cpu, state, phase.rounds);
            // The jump back costs 1 ns of user time, so that no program can stop the clock.
            return (Action::Run(1), 1);
        }
    }

    /// A round of the phase is over: is there another?
    fn end_round(&mut self, cpu: u32, state: &mut State, rounds: Rounds) {
        let left = match (state.left, rounds) {
            (_, Rounds::Endless) => return,
            (Some(left), _) => left,
            (None, Rounds::Times(times)) => times,
            (None, Rounds::Drawn(amount)) => u32::try_from(self.draw_amount(cpu, amount)).unwrap_or(u32::MAX),
        };
        state.left = Some(left.saturating_sub(1));
        if left <= 1 {
            state.left = None;
            state.phase += 1;
        }
    }

    /// What `op` asks of the CPU; `None` if it is over at once.
    fn begin_op(&mut self, cpu: u32, state: &mut State, op: &Op) -> Option<Action> {
        match op {
            Op::Run { ns } => Some(Action::Run(self.draw_amount(cpu, *ns))),
            Op::Sleep { ns } => Some(Action::Call(Call::SleepFor(self.draw_amount(cpu, *ns)))),
            Op::Timer { timer, period_ns, absolute } => self.timer_op(state, *timer, *period_ns, *absolute),
            Op::Kernel { section, ns, cond_resched, might_sleep } => {
                let ns = self.draw_amount(cpu, *ns);
                if let Some(task) = self.rqs[cpu as usize].curr {
                    self.task_mut(task).spacing = [*cond_resched, *might_sleep];
                }
                Some(Action::Call(Call::Work(KernelWork::new(*section, ns))))
            }
            other => {
                self.law(false, || format!("{other:?} is not played yet"));
                Some(Action::Call(Call::Exit))
            }
        }
    }

    fn timer_op(&mut self, state: &State, timer: u32, period_ns: u64, absolute: bool) -> Option<Action> {
        let now = self.now;
        let next = self.app_timers.get_mut(timer as usize)?;
        let due = next.unwrap_or(state.start_ns).saturating_add(period_ns);
        // Late: a relative timer starts again from now, an absolute one keeps its grid.
        *next = Some(if due <= now && !absolute { now } else { due });
        (due > now).then_some(Action::Call(Call::SleepUntil(due)))
    }
}
