//! Preemption models: which flag a request sets, and which points honour which flag
//! (docs/model/preemption.md#which-flag-is-set; Arora 2023).
//!
//! ```text
//!   request ──► need_resched ("now") ────────────► return to user, interrupt exit, preempt_enable, cond_resched
//!          └──► need_resched_lazy ──tick──► now     return to user only
//! ```
//! A flag belongs to the task that runs on the CPU, and the pick of schedule() clears it. The
//! reschedule IPI folds a "now" flag from another CPU into preempt_count; kernel code looks at the
//! fold, return to user and the end of schedule() at the flag itself.

use crate::ids::{CpuId, TaskId};
use crate::kernel::config::Preempt;
use crate::kernel::frame::Frame;
use crate::sim::Sim;
use crate::trace::catalogue::{Kind, NONE, POINT, POINT_TAKEN};
pub use crate::trace::codes::Point;

/// Reasons to preempt the running task (docs/model/preemption.md#which-flag-is-set).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The idle task runs.
    Idle,
    /// A stronger class woke over a fair task.
    HigherClass,
    /// A stronger RT task woke over an RT task.
    RtOverRt,
    /// Wake-up preemption inside the fair class.
    FairWakeup,
    /// The fair slice is used up.
    FairTick,
    /// The fair slice is used up, as its timer says (HRTICK).
    HrTick,
    /// The SCHED_RR slice is used up.
    RrSlice,
    /// A task was pushed here, or a push found that it should run.
    Balance,
    /// The priority of a queued task changed.
    PrioChange,
    /// The RT class has used up its runtime.
    RtRuntime,
    /// The group has used up its quota.
    Quota,
}

/// One of the two flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bit {
    /// need_resched.
    Now,
    /// need_resched_lazy.
    Lazy,
}

/// How a model decides which flag to set.
#[derive(Clone, Copy)]
enum Asks {
    AlwaysNow,
    FairLazily,
    AllLazily,
    /// All but a stronger class.
    SameClassLazily,
}

/// When a lazy flag becomes "now".
#[derive(Clone, Copy)]
enum Upgrade {
    Never,
    /// At the next tick, before the class's own.
    NextTick,
    /// When the tick asks again while the flag is set.
    TickAsksAgain,
}

impl Preempt {
    fn asks(self) -> Asks {
        match self {
            Self::Lazy | Self::DynamicLazy => Asks::FairLazily,
            Self::Rfc2023None | Self::Auto2024None => Asks::AllLazily,
            Self::Rfc2023Voluntary | Self::Auto2024Voluntary => Asks::SameClassLazily,
            Self::None
            | Self::Voluntary
            | Self::Full
            | Self::Rt
            | Self::DynamicNone
            | Self::DynamicVoluntary
            | Self::DynamicFull
            | Self::Rfc2023Full
            | Self::Auto2024Full => Asks::AlwaysNow,
        }
    }

    /// Arora 2023's cover letter says "still marked at the next tick"; its second version's code
    /// upgrades inside the fair tick only (docs/develop/decisions/0007-preemption.md).
    fn upgrade(self) -> Upgrade {
        match self {
            Self::Lazy | Self::DynamicLazy | Self::Rfc2023None | Self::Rfc2023Voluntary => {
                Upgrade::NextTick
            }
            Self::Auto2024None | Self::Auto2024Voluntary => Upgrade::TickAsksAgain,
            Self::None
            | Self::Voluntary
            | Self::Full
            | Self::Rt
            | Self::DynamicNone
            | Self::DynamicVoluntary
            | Self::DynamicFull
            | Self::Rfc2023Full
            | Self::Auto2024Full => Upgrade::Never,
        }
    }

    /// Whether need_resched_lazy exists.
    pub fn has_lazy(self) -> bool {
        match self.upgrade() {
            Upgrade::NextTick | Upgrade::TickAsksAgain => true,
            Upgrade::Never => false,
        }
    }

    /// Whether every tick makes a waiting lazy flag "now".
    pub fn upgrades_at_next_tick(self) -> bool {
        match self.upgrade() {
            Upgrade::NextTick => true,
            Upgrade::TickAsksAgain | Upgrade::Never => false,
        }
    }

    /// Whether `bit` takes effect at `point`
    /// (docs/model/preemption.md#which-flag-is-honoured-where).
    pub fn honours(self, point: Point, bit: Bit) -> bool {
        match (point, bit) {
            (Point::ReturnToUser | Point::ScheduleLoop, Bit::Now) => true,
            // A flag set before a dynamic kernel left its lazy mode is still acted on.
            (Point::ReturnToUser, Bit::Lazy) => self.has_lazy() || self.is_dynamic(),
            (_, Bit::Lazy) => false,
            (Point::IrqExit | Point::PreemptEnable, Bit::Now) => self.preempts_kernel(),
            (Point::CondResched, Bit::Now) => !self.preempts_kernel(),
            (Point::MightSleep, Bit::Now) => self.honours_might_sleep(),
        }
    }

    /// The flag a request sets on a task that is not idle
    /// (docs/model/preemption.md#which-flag-is-set); `lazy_set` = a lazy flag waits already.
    fn bit(self, why: Why, lazy_set: bool) -> Bit {
        let lazily = match self.asks() {
            Asks::AlwaysNow => false,
            Asks::FairLazily => matches!(why, Why::FairWakeup | Why::FairTick),
            Asks::SameClassLazily => !matches!(why, Why::Idle | Why::HigherClass),
            Asks::AllLazily => !matches!(why, Why::Idle),
        };
        let again = match self.upgrade() {
            Upgrade::TickAsksAgain => lazy_set && matches!(why, Why::FairTick | Why::RtRuntime),
            Upgrade::NextTick | Upgrade::Never => false,
        };
        if lazily && !again { Bit::Lazy } else { Bit::Now }
    }
}

impl Sim {
    /// resched_curr: flag the task that runs on `target`; an IPI unless it is this CPU, it polls,
    /// or the flag is lazy.
    pub(crate) fn resched_curr(&mut self, cpu: CpuId, target: CpuId, why: Why) {
        let state = &self.cpus[target];
        if state.need_resched.is_some() {
            self.ledger.ipi[crate::machine::ipi::RESCHEDULE].elided_set += u64::from(target != cpu);
            return;
        }
        let lazy_set = state.need_resched_lazy.is_some();
        let idle = self.rqs[target].curr.is_none();
        let bit = if idle { Bit::Now } else { self.kernel().preempt().bit(why, lazy_set) };
        match bit {
            Bit::Lazy if lazy_set => {}
            Bit::Lazy => self.set_need_resched_lazy(cpu, target),
            Bit::Now => {
                self.set_need_resched(cpu, target);
                if target != cpu {
                    self.kick(cpu, target, crate::machine::ipi::RESCHEDULE, false);
                }
            }
        }
    }

    /// Sets need_resched on the running task of `target`. The task's own CPU folds the flag at
    /// once; for another CPU the reschedule IPI does so later.
    pub(crate) fn set_need_resched(&mut self, cpu: CpuId, target: CpuId) {
        let now = self.now;
        let state = self.cpu(target);
        if state.need_resched.is_some() {
            return;
        }
        let upgraded = state.need_resched_lazy.is_some();
        state.need_resched = Some(now);
        state.folded |= target == cpu;
        self.ledger.now_set += 1;
        self.ledger.lazy_upgraded += u64::from(upgraded);
        let flagged = self.rqs[target].curr.map_or(NONE, TaskId::raw);
        self.emit(
            if upgraded { Kind::NeedReschedUpgrade } else { Kind::NeedResched },
            target,
            flagged,
            cpu.raw(),
        );
        self.refresh(target);
    }

    fn set_need_resched_lazy(&mut self, cpu: CpuId, target: CpuId) {
        self.cpu(target).need_resched_lazy = Some(self.now);
        self.ledger.lazy_set += 1;
        let flagged = self.rqs[target].curr.map_or(NONE, TaskId::raw);
        self.emit(Kind::NeedReschedLazy, target, flagged, cpu.raw());
        self.refresh(target);
    }

    /// The tick, before the class's own: a lazy flag that still waits becomes "now"
    /// (docs/model/preemption.md#lazy-upgrade).
    pub(crate) fn upgrade_lazy(&mut self, cpu: CpuId) {
        if !self.kernel().preempt().upgrades_at_next_tick() {
            return;
        }
        let now = self.now;
        let state = self.cpu(cpu);
        state.lazy_tick = now;
        if state.need_resched_lazy.is_some() {
            self.set_need_resched(cpu, cpu);
        }
    }

    /// schedule() has picked: both flags end.
    pub(crate) fn clear_need_resched(&mut self, cpu: CpuId) {
        let state = self.cpu(cpu);
        let (now, lazy) = (state.need_resched.take(), state.need_resched_lazy.take());
        state.folded = false;
        if let Some(since) = lazy.or(now) {
            let flagged = self.rqs[cpu].curr.map_or(NONE, TaskId::raw);
            let ns = crate::kernel::irq::clip(self.now - since);
            self.emit(Kind::NeedReschedClear, cpu, flagged, ns);
        }
    }

    /// Whether schedule() on `cpu`, about to return, has a flag to look for: one is set, or an
    /// interrupt that waits may set it. Where the model preempts kernel code that interrupt's own
    /// exit acts, at the same instant; on the way back to user code and in the idle loop another
    /// look does.
    #[inline]
    pub(crate) fn looks_again(&self, cpu: CpuId) -> bool {
        let state = &self.cpus[cpu];
        let waits = || {
            state.hw.lines.any_pending()
                && !self.kernel().preempt().honours(Point::IrqExit, Bit::Now)
        };
        (state.need_resched.is_some() || waits())
            && !state.hw.irqs_off()
            && !matches!(
                state.stack.iter().rev().nth(1).map(|entry| &entry.frame),
                None | Some(Frame::User | Frame::Idle(_))
            )
    }

    /// Whether a flag is set that `point` acts on, here and now; the decision is written down if a
    /// flag is set at all.
    #[inline]
    pub(crate) fn preempts_at(&mut self, cpu: CpuId, point: Point) -> bool {
        let state = &self.cpus[cpu];
        let passes = state.need_resched.is_none()
            && state.need_resched_lazy.is_none()
            && !state.user_irq
            && !matches!(point, Point::CondResched | Point::MightSleep);
        !passes && self.acts_at(cpu, point)
    }

    #[inline(never)]
    fn acts_at(&mut self, cpu: CpuId, point: Point) -> bool {
        let from_user = point == Point::ReturnToUser && std::mem::take(&mut self.cpu(cpu).user_irq);
        if from_user && self.kernel().rseq_slice_extension() {
            self.looks_at_expiry(cpu);
        }
        let state = &self.cpus[cpu];
        let flagged = state.need_resched.is_some() || state.need_resched_lazy.is_some();
        if !flagged && !matches!(point, Point::CondResched | Point::MightSleep) {
            return false;
        }
        let model = self.kernel().preempt();
        let visible = state.folded || matches!(point, Point::ReturnToUser | Point::ScheduleLoop);
        let now = state.need_resched.is_some() && visible && model.honours(point, Bit::Now);
        let lazy = state.need_resched_lazy.is_some() && model.honours(point, Bit::Lazy);
        let extended = (now || lazy) && from_user && self.grants_slice_extension(cpu);
        let taken = (now || lazy) && !extended;
        let curr = self.rqs[cpu].curr.map_or(NONE, TaskId::raw);
        let row = POINT.put(point as u32) | POINT_TAKEN.put(u32::from(taken));
        self.emit(Kind::PreemptPoint, cpu, row, curr);
        if extended {
            self.extend_slice(cpu);
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::Named;

    #[test]
    fn idle_is_always_told_at_once_and_return_to_user_always_acts_on_now() {
        for model in Preempt::ALL {
            assert_eq!(model.bit(Why::Idle, false), Bit::Now);
            assert!(model.honours(Point::ReturnToUser, Bit::Now));
            assert_eq!(
                model.honours(Point::ReturnToUser, Bit::Lazy),
                model.has_lazy() || model.is_dynamic()
            );
        }
    }

    #[test]
    fn a_dynamic_mode_honours_need_resched_where_the_model_of_its_name_does() {
        use Preempt::{DynamicFull, DynamicLazy, DynamicNone, DynamicVoluntary};
        use Preempt::{Full, Lazy, None, Voluntary};
        let modes = [
            (None, DynamicNone),
            (Voluntary, DynamicVoluntary),
            (Full, DynamicFull),
            (Lazy, DynamicLazy),
        ];
        for (built, booted) in modes {
            for point in
                [Point::IrqExit, Point::PreemptEnable, Point::CondResched, Point::MightSleep]
            {
                let honours = |model: Preempt| model.honours(point, Bit::Now);
                assert_eq!(honours(built), honours(booted), "{built:?} {point:?}");
            }
        }
    }

    #[test]
    fn none_and_voluntary_of_the_thread_differ_only_in_which_flag_a_higher_class_sets() {
        let (none, voluntary) = (Preempt::Rfc2023None, Preempt::Rfc2023Voluntary);
        for why in [Why::RtOverRt, Why::FairWakeup, Why::FairTick, Why::RrSlice, Why::Balance] {
            assert_eq!(none.bit(why, false), voluntary.bit(why, false), "{why:?}");
        }
        assert_eq!(
            (none.bit(Why::HigherClass, false), voluntary.bit(Why::HigherClass, false)),
            (Bit::Lazy, Bit::Now)
        );
    }

    #[test]
    fn only_the_fair_class_asks_lazily_in_6_13() {
        for why in [Why::HigherClass, Why::RtOverRt, Why::RrSlice, Why::Balance, Why::RtRuntime] {
            assert_eq!(Preempt::Lazy.bit(why, false), Bit::Now, "{why:?}");
        }
        assert_eq!(Preempt::Lazy.bit(Why::FairWakeup, true), Bit::Lazy);
        assert_eq!(Preempt::Auto2024None.bit(Why::FairTick, true), Bit::Now);
    }
}
