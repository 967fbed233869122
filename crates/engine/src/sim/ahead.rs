//! Work in one piece: one event instead of several, where a CPU takes several steps with interrupts
//! off and no other part of the machine can observe where one step ends.
//!
//! ```text
//!   in pieces     lock ──take──┬── read the clock ──work──┬── enqueue
//!   in one        lock ──take and work────────────────────┴── the clock as it was, enqueue
//! ```
//! Three things can observe a boundary, and take the work apart first: hardware noise that stops
//! the CPU in the middle, a waiter that slows the holder of a ticket lock, and a change to timers
//! that a handler has not taken yet. [`crate::run::Options::in_pieces`] turns pieces off, and the
//! swarm compares both ways row by row.

use crate::ids::CpuId;
use crate::kernel::frame::{Entry, Frame};
use crate::machine::spinlock::LockId;
use crate::sim::{Sim, Slot};

/// Steps of a frame that a piece of work saves: the end of one, and the next round.
const STEPS_SAVED: u64 = 2;

impl Sim {
    /// Whether lock and work are one piece and one event. The executing frame is about to take a
    /// lock on `cpu` and do nothing except `ns` of work under it, so the boundary is not observable
    /// unless waiters slow the holder: a ticket lock's waiters slow each piece separately, with its
    /// own rounding.
    #[inline]
    pub(crate) fn works_with_lock(&mut self, cpu: CpuId, ns: u64) -> bool {
        let one = !self.kernel().spinlock().slows_holder() && !self.in_pieces;
        if one {
            self.cpu(cpu).owe(ns);
        }
        one
    }

    /// [`Self::works_with_lock`] for code that reads the clock of the queue that `lock` protects
    /// before the work, and sets it back after the work: a step that [`Self::take_apart`] knows.
    ///
    /// A lock without cost is taken in the event that asks for it, and the clock is read there: a
    /// later event of that instant must not find that reading undone.
    #[inline]
    pub(crate) fn works_with_rq(&mut self, cpu: CpuId, lock: LockId, ns: u64) -> bool {
        let one = !self.in_pieces
            && self.cpus[cpu].hw.held().is_empty()
            && self.setup.machine.costs.lock_local_ns > 0
            && (!self.kernel().spinlock().slows_holder() || self.locks[lock].is_free());
        if one {
            self.cpu(cpu).owe(ns);
        }
        one
    }

    /// Whether the work of `cpu` under the locks that it holds may be one piece with its next work.
    #[inline]
    pub(crate) fn works_on(&self, cpu: CpuId) -> bool {
        !self.in_pieces
            && (!self.kernel().spinlock().slows_holder() || self.waiters_on(cpu) == 0)
            && self.noted_on_held(cpu).is_none()
    }

    /// Counts the steps of `pieces` that had no event of their own.
    #[inline]
    pub(crate) fn count_pieces(&mut self, pieces: u64) {
        self.steps += pieces * STEPS_SAVED;
    }

    /// Splits the piece of work of `cpu` at its present step, because a step's end is about to
    /// become observable.
    #[inline]
    #[expect(clippy::wildcard_enum_match_arm, reason = "four of forty frames work in one piece")]
    pub(crate) fn take_apart(&mut self, cpu: CpuId) {
        let Some(until) = self.cpus[cpu].hw.busy_until() else { return };
        let Some(top) = self.cpus[cpu].stack.last() else { return };
        match top.frame {
            Frame::Schedule(mut own) => {
                own.take_apart(self, cpu, until);
                self.cpu(cpu).top().frame = Frame::Schedule(own);
            }
            Frame::Ttwu(mut own) => {
                own.take_apart(self, cpu, until);
                self.cpu(cpu).top().frame = Frame::Ttwu(own);
            }
            Frame::Tick(mut own) => {
                own.take_apart(self, cpu, until);
                self.cpu(cpu).top().frame = Frame::Tick(own);
            }
            Frame::Irq(mut own) => {
                let called = own.take_apart(self, cpu, until);
                self.cpu(cpu).top().frame = Frame::Irq(own);
                if let Some(called) = called {
                    // The rest of the work is done for the frame above.
                    self.cpu(cpu).top().remaining = 0;
                    self.cpu(cpu).stack.push(Entry::new(called));
                }
            }
            _ => {}
        }
    }

    /// Whether the event with which a piece of `cpu`'s work ends at `time` would have come by now;
    /// if it would not, it comes.
    pub(crate) fn piece_is_over(&mut self, cpu: CpuId, time: u64) -> bool {
        let over = (time, Slot::Progress(cpu).number()) < (self.now, self.slot);
        if over {
            self.count_pieces(1);
        } else {
            self.end_work_at(cpu, time);
        }
        over
    }
}
