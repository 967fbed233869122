//! The actions of tasks: programs as plain data, and the generators that need to watch the machine.

pub mod cyclictest;
pub mod ops;
pub mod rt_noise;

use crate::ids::{CpuId, Id};
use crate::kernel::frame::{Flow, Frame};
use crate::kernel::syscall::{Call, Syscall};
use crate::rng::Purpose;
use crate::setup::{Amount, Program};
use crate::sim::Sim;
pub use rt_noise::NoiseState;

/// Where a task's program is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramState {
    /// A measuring thread.
    Cyclictest(cyclictest::State),
    /// The op language.
    Ops(ops::State),
    /// A kernel thread keeps its place in its frame.
    KernelThread,
    /// A noise task; `ran` since it was woken.
    RtNoise { ran: bool },
}

/// The next action of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// User work, ns; at least 1, so that no program can loop without time passing.
    Run(u64),
    Call(Call),
}

impl ProgramState {
    /// At the start of `program`, which begins at `start_ns`.
    pub fn new(program: &Program, start_ns: u64) -> Self {
        match program {
            Program::Cyclictest { first_due_ns, .. } => {
                Self::Cyclictest(cyclictest::State::new(*first_due_ns))
            }
            Program::Ops { .. } => Self::Ops(ops::State::new(start_ns)),
            Program::RtNoise { .. } => Self::RtNoise { ran: false },
            Program::Ksoftirqd | Program::Migration => Self::KernelThread,
        }
    }

    /// Whether the program has begun.
    pub fn started(&self) -> bool {
        !matches!(self, Self::Ops(ops::State { started: false, .. }))
    }

    /// Whether the next wake-up may be a sample: the first start of a program is not.
    pub fn measured(&self) -> bool {
        match self {
            Self::Cyclictest(_) | Self::RtNoise { .. } => true,
            Self::Ops(state) => state.started,
            Self::KernelThread => false,
        }
    }
}

impl Sim {
    /// A duration for the task that runs on `cpu`; each asks for a draw of its own, whether or not
    /// it needs one.
    pub(crate) fn draw_amount(&mut self, cpu: CpuId, amount: Amount) -> u64 {
        let Some(task) = self.rqs[cpu].curr else { return 0 };
        let n = self.task(task).draws;
        self.task_mut(task).draws += 1;
        amount.draw(&self.setup, Purpose::Amount, u64::from(task), n)
    }

    /// The running task's program chooses the next action.
    #[inline(never)]
    pub(crate) fn step_program(&mut self, cpu: CpuId) -> Flow {
        let Some(task) = self.rqs[cpu].curr else {
            self.law(false, || format!("cpu {cpu} runs user code without a task"));
            return Flow::Block;
        };
        let setup = std::sync::Arc::clone(&self.setup);
        let program = &setup.tasks[task.place()].program;
        let mut state = self.task(task).program.clone();
        let (action, rounds) = match (&mut state, program) {
            (
                ProgramState::Cyclictest(state),
                Program::Cyclictest { interval_ns, body_ns, extra_ns, until, .. },
            ) => {
                let extra = state.extra(setup.seed, task, *extra_ns);
                self.in_body(cpu, state.in_body());
                if state.in_body() && self.cyclictest_thread_ends(task, *until) {
                    (Action::Call(Call::Exit), 1)
                } else {
                    state.next(self.now, *interval_ns, body_ns.saturating_add(extra))
                }
            }
            (ProgramState::Ops(state), Program::Ops { loops, phases }) => {
                self.next_action(cpu, task, state, *loops, phases)
            }
            (ProgramState::RtNoise { ran }, Program::RtNoise { run_ns }) => {
                let done = std::mem::replace(ran, !*ran);
                if done { (Action::Call(Call::WaitDevice), 1) } else { (Action::Run(*run_ns), 0) }
            }
            _ => (Action::Call(Call::Exit), 0),
        };
        self.task_mut(task).program = state;
        self.task_mut(task).stats.count_loops(rounds);
        if let (Action::Call(Call::SleepUntil(due)), Program::Cyclictest { .. }) = (action, program)
        {
            self.watch_way_in(cpu, task, due);
        }
        match action {
            Action::Run(ns) => Flow::Spend(ns.max(1)),
            Action::Call(call) => Flow::Call(Frame::Syscall(Syscall::new(call))),
        }
    }
}
