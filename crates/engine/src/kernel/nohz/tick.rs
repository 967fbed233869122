//! When an idle CPU stops its tick, and which CPU advances jiffies (docs/model/time.md#tick-stop,
//! docs/model/time.md#jiffies).

use crate::ids::CpuId;
use crate::kernel::config::IdleStop;
use crate::sim::Sim;

impl Sim {
    /// Whether idle `cpu`, which does not poll, may stop its tick now. hrtimers do not count: a CPU
    /// whose next wake-up is 100 us away stops it all the same unless the cpuidle governor asks to
    /// keep it.
    pub(crate) fn tick_may_stop(&self, cpu: CpuId) -> bool {
        let kernel = self.kernel();
        let allowed = match kernel.idle_stop() {
            IdleStop::Always => true,
            IdleStop::AfterOneIdleTick => self.rqs[cpu].nohz.idle_ticked,
            IdleStop::GovernorRetain => self.predicted_idle_ns(cpu) >= kernel.tick_ns(),
        };
        // With nohz_full the CPU on duty keeps its tick, because it advances the time.
        allowed
            && !self.rcu_needs_cpu(cpu)
            && (kernel.nohz_full.is_empty() || self.nohz.duty != Some(cpu))
    }

    /// The idle time that the governor expects: never longer than to the next timer or than the
    /// average.
    fn predicted_idle_ns(&self, cpu: CpuId) -> u64 {
        let timers = &self.cpus[cpu].timers;
        let next =
            timers.next_besides_tick().map_or(u64::MAX, |expiry| expiry.saturating_sub(self.now));
        let average = self.rqs[cpu].balance.avg_idle;
        // The average is capped at a millisecond: at the cap it says nothing.
        if average >= crate::kernel::fair::sched_domains::AVG_IDLE_MAX_NS {
            next
        } else {
            next.min(average)
        }
    }

    /// tick_sched_do_timer(): the tick of `cpu`.
    pub(crate) fn tick_do_timer(&mut self, cpu: CpuId) {
        if self.nohz.duty.is_none() && !self.kernel().nohz_full.has(cpu) {
            self.nohz.duty = Some(cpu);
        }
        if self.nohz.duty == Some(cpu) {
            self.update_jiffies();
        }
        self.rqs[cpu].nohz.idle_ticked = true;
    }

    /// The tick of `cpu` has stopped: the next CPU that ticks may take the duty.
    pub(crate) fn drop_tick_duty(&mut self, cpu: CpuId) {
        if self.nohz.duty == Some(cpu) {
            self.nohz.duty = None;
        }
    }

    /// tick_do_update_jiffies64(): whole periods of the unskewed grid.
    pub(crate) fn update_jiffies(&mut self) {
        if self.now < self.nohz.next_jiffy_ns {
            return;
        }
        let (period, phase) = (self.kernel().tick_ns(), self.kernel().tick_grid_ns());
        let jiffies = (self.now + period - phase) / period;
        self.nohz.jiffies = jiffies;
        self.nohz.next_jiffy_ns = jiffies * period + phase;
    }
}
