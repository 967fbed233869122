//! One CPU's hrtimers behind one one-shot device.

use crate::ids::{CpuId, GroupId, TaskId};

/// The purpose of a timer. The order is the order of equal expiries (docs/develop/decisions/0002).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimerKind {
    /// The scheduler tick (tick_sched_timer()).
    Tick,
    /// The one tick a second of a nohz_full CPU whose tick is stopped (3.10 to 4.16).
    TickOfSecond,
    /// The work once a second for the nohz_full CPU `target`, if its tick is stopped (4.17 on).
    RemoteTick { target: CpuId },
    /// The softirq generator's.
    Softirq,
    /// The RT bandwidth period, system-wide.
    RtPeriod,
    /// This CPU's fair server.
    FairServer,
    /// The end of the running fair task's request.
    HrTick,
    /// A new period of a group's bandwidth.
    BwPeriod { group: GroupId },
    /// Run time that a group's sleeping queues gave back is to be handed out.
    BwSlack { group: GroupId },
    /// A group's bandwidth is written.
    BwWrite { group: GroupId },
    /// A write to a task or a group of the running kernel, by its number.
    LiveChange { nth: u32 },
    /// A slice extension is over.
    SliceExtension,
    /// A sleeping task's timer, with the slack between the requested time and this expiry, in ns.
    Task { task: TaskId, slack_ns: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timer {
    /// When the timer expires.
    pub expiry: u64,
    /// The purpose of this timer.
    pub kind: TimerKind,
}

/// The timers of one CPU, sorted; `fired` counts those whose expiry has passed but whose callback
/// has not run.
#[derive(Clone, Debug, Default)]
pub struct Hrtimers {
    timers: Vec<Timer>,
    fired: usize,
}

impl Hrtimers {
    /// Bytes of the armed timers.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(self.timers.as_slice()) as u64
    }
    pub fn arm(&mut self, timer: Timer) {
        let (fired, armed) = self.timers.split_at(self.fired);
        debug_assert!(
            fired.last().is_none_or(|last| last.expiry <= timer.expiry),
            "a timer is armed for now or later"
        );
        let at = self.fired + armed.partition_point(|other| *other <= timer);
        self.timers.insert(at, timer);
    }
    /// Disarms the tick; whether it was armed.
    pub fn cancel_tick(&mut self) -> bool {
        self.cancel(TimerKind::Tick)
    }
    /// Disarms the first timer of `kind`; whether there was one.
    pub fn cancel(&mut self, kind: TimerKind) -> bool {
        let Some(at) = self.timers.iter().position(|timer| timer.kind == kind) else {
            return false;
        };
        self.timers.remove(at);
        if at < self.fired {
            self.fired -= 1;
        }
        true
    }
    /// Disarms the timer that `task` sleeps by, unless it has fired; whether it did.
    pub fn cancel_sleep(&mut self, task: TaskId) -> bool {
        let found = self.sleep_of(task);
        found.inspect(|at| _ = self.timers.remove(*at)).is_some()
    }
    /// Whether `task` sleeps by a timer here that has not fired.
    pub fn sleeps(&self, task: TaskId) -> bool {
        self.sleep_of(task).is_some()
    }
    fn sleep_of(&self, task: TaskId) -> Option<usize> {
        let of = |kind| matches!(kind, TimerKind::Task { task: other, .. } if other == task);
        self.timers.iter().position(|timer| of(timer.kind)).filter(|at| *at >= self.fired)
    }
    /// Tasks whose timers are here, fired or not.
    pub(crate) fn sleepers(&self) -> impl Iterator<Item = TaskId> {
        self.timers.iter().filter_map(|timer| {
            if let TimerKind::Task { task, .. } = timer.kind { Some(task) } else { None }
        })
    }
    pub fn tick_armed(&self) -> bool {
        self.is_armed(TimerKind::Tick)
    }
    /// When the tick expires or has expired, if it is armed.
    pub fn tick_expiry(&self) -> Option<u64> {
        self.expiry_of(TimerKind::Tick)
    }
    /// When the first timer of `kind` expires or has expired, if there is one.
    pub fn expiry_of(&self, kind: TimerKind) -> Option<u64> {
        self.timers.iter().find(|timer| timer.kind == kind).map(|timer| timer.expiry)
    }
    #[inline]
    pub fn is_armed(&self, kind: TimerKind) -> bool {
        self.timers.iter().any(|timer| timer.kind == kind)
    }
    /// The next expiry that has not fired; the device is programmed for it.
    #[inline]
    pub fn next_expiry(&self) -> Option<u64> {
        self.timers.get(self.fired).map(|timer| timer.expiry)
    }
    /// The next expiry of anything but the tick.
    pub fn next_besides_tick(&self) -> Option<u64> {
        self.timers.iter().find(|timer| timer.kind != TimerKind::Tick).map(|timer| timer.expiry)
    }
    /// Marks the next timer as fired if it has expired.
    #[inline]
    pub fn fire(&mut self, now: u64) -> Option<Timer> {
        let timer = *self.timers.get(self.fired)?;
        (timer.expiry <= now).then(|| {
            self.fired += 1;
            timer
        })
    }
    /// Removes the earliest fired timer: the handler is about to run its callback.
    #[inline]
    pub fn take_fired(&mut self) -> Option<Timer> {
        (self.fired > 0).then(|| {
            self.fired -= 1;
            self.timers.remove(0)
        })
    }
    #[inline]
    pub fn first_fired(&self) -> Option<Timer> {
        self.timers.first().filter(|_| self.fired > 0).copied()
    }
    /// Whether a fired timer waits for the handler.
    #[inline]
    pub fn any_fired(&self) -> bool {
        self.fired > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timer_armed_for_an_instant_that_has_begun_comes_after_those_that_have_fired() {
        let mut timers = Hrtimers::default();
        let timer = |kind| Timer { expiry: 10, kind };
        timers.arm(timer(TimerKind::Task { task: TaskId::new(1), slack_ns: 0 }));
        assert!(timers.fire(10).is_some());
        timers.arm(timer(TimerKind::LiveChange { nth: 0 }));
        timers.arm(timer(TimerKind::Task { task: TaskId::new(0), slack_ns: 0 }));
        while timers.fire(10).is_some() {}
        let ran: Vec<Timer> = std::iter::from_fn(|| timers.take_fired()).collect();
        let kinds = [
            TimerKind::Task { task: TaskId::new(1), slack_ns: 0 },
            TimerKind::LiveChange { nth: 0 },
            TimerKind::Task { task: TaskId::new(0), slack_ns: 0 },
        ];
        assert_eq!(ran, kinds.map(timer));
    }

    #[test]
    fn equal_expiries_run_the_tick_first_then_tasks_by_id() {
        let mut timers = Hrtimers::default();
        for kind in [
            TimerKind::Task { task: TaskId::new(2), slack_ns: 0 },
            TimerKind::Tick,
            TimerKind::Task { task: TaskId::new(1), slack_ns: 0 },
        ] {
            timers.arm(Timer { expiry: 10, kind });
        }
        assert_eq!(timers.fire(9), None);
        let fired: Vec<TimerKind> =
            std::iter::from_fn(|| timers.fire(10).map(|timer| timer.kind)).collect();
        assert_eq!(
            fired,
            [
                TimerKind::Tick,
                TimerKind::Task { task: TaskId::new(1), slack_ns: 0 },
                TimerKind::Task { task: TaskId::new(2), slack_ns: 0 }
            ]
        );
    }
}
