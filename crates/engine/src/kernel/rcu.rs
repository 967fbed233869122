//! RCU callbacks of the CPUs that run their own callbacks (docs/model/time.md#rcu-callbacks).
//!
//! ```text
//!   call_rcu() ──── grace period ────┤   ├─ tick: RCU_SOFTIRQ ─► the callbacks that are ready
//! ```
//! A new callback causes no event: the next tick counts those that came since the tick before.

use std::collections::VecDeque;

use crate::ids::CpuId;
use crate::rng::Purpose;
use crate::sim::Sim;
use crate::trace::catalogue::Kind;
use crate::trace::codes::Softirq;

/// The callbacks of one CPU.
#[derive(Clone, Debug, Default)]
pub struct Callbacks {
    /// When the grace period of each is over, in order.
    ready_at: VecDeque<u64>,
    /// When the next one comes.
    next: u64,
    /// Draws so far.
    drawn: u64,
}

impl Callbacks {
    /// Bytes of it and of its list.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of::<Self>() + self.ready_at.len() * size_of::<u64>()) as u64
    }

    /// How many have their grace period behind them at `now`.
    fn ready(&self, now: u64) -> u32 {
        self.ready_at.partition_point(|at| *at <= now) as u32
    }
}

impl Sim {
    pub(crate) fn start_rcu(&mut self) {
        let Some(load) = self.setup.rcu else { return };
        self.rcu = vec![Callbacks::default(); self.cpus.len()].into();
        load.cpus.iter().for_each(|cpu| self.draw_callback(cpu));
    }

    /// rcu_needs_cpu(): an idle CPU that has callbacks keeps its tick.
    pub(crate) fn rcu_needs_cpu(&self, cpu: CpuId) -> bool {
        self.setup.rcu.is_some() && !self.rcu[cpu].ready_at.is_empty()
    }

    /// rcu_sched_clock_irq(), in the tick: takes in the callbacks that have come, and raises the
    /// softirq if some are ready.
    pub(crate) fn rcu_clock_irq(&mut self, cpu: CpuId) {
        let Some(load) = self.setup.rcu.filter(|load| load.cpus.has(cpu)) else { return };
        let (now, tick) = (self.now, self.kernel().tick_ns());
        // Only running code calls call_rcu(), so an idle CPU gets no new callback, with or without
        // a tick.
        let idle = self.rqs[cpu].curr.is_none();
        if idle || self.rcu[cpu].next.saturating_add(tick) < now {
            self.rcu[cpu].next = self.rcu[cpu].next.max(now);
        }
        while !idle && self.rcu[cpu].next <= now {
            let callbacks = &mut self.rcu[cpu];
            callbacks.ready_at.push_back(callbacks.next.saturating_add(load.grace_ns));
            self.draw_callback(cpu);
        }
        let ready = self.rcu[cpu].ready(now);
        if ready > 0 && !std::mem::replace(&mut self.cpu(cpu).rcu_due, true) {
            self.emit(Kind::SoftirqRaise, cpu, Softirq::Rcu as u32, ready);
        }
    }

    /// rcu_do_batch(): takes all callbacks that are ready, and how many they are.
    pub(crate) fn take_callbacks(&mut self, cpu: CpuId) -> u32 {
        let now = self.now;
        let ready = self.rcu[cpu].ready(now);
        self.rcu[cpu].ready_at.drain(..ready as usize);
        self.count_on(cpu, |counts| {
            counts.rcu_softirqs += 1;
            counts.rcu_callbacks += u64::from(ready);
        });
        ready
    }

    fn draw_callback(&mut self, cpu: CpuId) {
        let Some(load) = self.setup.rcu else { return };
        let callbacks = &mut self.rcu[cpu];
        let gap = load.gap.draw(&self.setup, Purpose::RcuGap, u64::from(cpu), callbacks.drawn);
        callbacks.drawn += 1;
        callbacks.next = callbacks.next.saturating_add(gap.max(1));
    }
}
