//! rt-app phases: run, sleep, timer, loops (the modelled subset of rt-app's grammar).

use super::Action;
use crate::kernel::syscall::Call;
use crate::setup::{Event, Phase};

/// Timers one task may have.
pub const TIMERS_MAX: usize = 8;

/// Where the program is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Has run at all.
    pub started: bool,
    phase: usize,
    event: usize,
    /// Rounds of the present phase done.
    rounds: u32,
    /// Rounds of the whole list done.
    loops: u32,
    /// Next expiry of each timer; all start with the task.
    timers: [u64; TIMERS_MAX],
}

impl State {
    /// At the first event; timers count from `start_ns`.
    pub fn new(start_ns: u64) -> Self {
        Self { started: false, phase: 0, event: 0, rounds: 0, loops: 0, timers: [start_ns; TIMERS_MAX] }
    }

    /// The next action and the phase rounds it completes.
    pub fn next(&mut self, now: u64, loops: Option<u32>, phases: &[Phase]) -> (Action, u64) {
        self.started = true;
        loop {
            let Some(phase) = phases.get(self.phase) else {
                self.loops = self.loops.saturating_add(1);
                if phases.is_empty() || loops.is_some_and(|loops| self.loops >= loops) {
                    return (Action::Call(Call::Exit), 0);
                }
                self.phase = 0;
                continue;
            };
            if let Some(event) = phase.events.get(self.event) {
                self.event += 1;
                if let Some(action) = self.act(now, event) {
                    return (action, 0);
                }
                continue;
            }
            self.event = 0;
            self.rounds = self.rounds.saturating_add(1);
            if phase.loops.is_some_and(|loops| self.rounds >= loops) {
                self.rounds = 0;
                self.phase += 1;
            }
            // The jump back costs 1 ns of user time, so that no program can stop the clock.
            return (Action::Run(1), 1);
        }
    }

    fn act(&mut self, now: u64, event: &Event) -> Option<Action> {
        match *event {
            Event::Run { ns } => Some(Action::Run(ns)),
            Event::Sleep { ns } => Some(Action::Call(Call::SleepFor(ns))),
            Event::Timer { id, period_ns, absolute } => {
                let timer = &mut self.timers[id as usize % TIMERS_MAX];
                *timer = timer.saturating_add(period_ns);
                if *timer > now {
                    return Some(Action::Call(Call::SleepUntil(*timer)));
                }
                // Late: a relative timer starts again from now, an absolute one keeps its grid.
                if !absolute {
                    *timer = now;
                }
                None
            }
        }
    }
}
