//! Laws of RT throttling and of the fair server (docs/model/bandwidth.md#rt-limit-laws).

use super::invariants::ensure;
use crate::ids::{CpuId, GroupId};
use crate::kernel::fair::server::RUNTIME_NS;
use crate::kernel::hrtimer::TimerKind;
use crate::machine::ipi::LOCAL_TIMER;
use crate::sim::Sim;

impl Sim {
    /// Runtime is neither made nor lost by lending; a throttled queue has a timer that will bring
    /// it back, and its task is on its way out; the fair server keeps its books.
    pub(super) fn check_bandwidth(&self) -> Result<(), String> {
        let limit = self.rt_limit();
        let timers =
            self.cpus.iter().filter(|cpu| cpu.timers.is_armed(TimerKind::RtPeriod)).count();
        let handled = self.cpus.iter().any(|cpu| cpu.hw.hardirq() == Some(LOCAL_TIMER));
        let active = self.rt_bandwidth.period_active;
        ensure(timers == usize::from(active) || (timers == 0 && handled), || {
            format!("{timers} RT period timers, active is {active}")
        })?;
        let mut runtime = 0;
        for (cpu, rq) in self.rqs.iter_enumerated() {
            let account = rq.rt_time;
            runtime += u128::from(account.runtime());
            let forgotten = self.rt_bandwidth.unwatched;
            let left = self.rt_bandwidth.left_throttled
                || (forgotten && !self.kernel().overrun_starts_rt_period());
            ensure(!account.is_throttled() || active || left, || {
                format!("cpu {cpu} is throttled without a period timer")
            })?;
            ensure(!account.is_throttled() || account.time() > 0, || {
                format!("cpu {cpu} is throttled and owes nothing")
            })?;
            let alone = rq.rt.active().is_empty()
                || account.is_throttled()
                || limit.is_none()
                || active
                || forgotten;
            ensure(alone, || format!("cpu {cpu} has RT tasks and no RT period runs"))?;
            let runs_on = rq.curr.is_some_and(|curr| {
                self.task(curr).row().under_rt_bandwidth && self.task(curr).on_rq
            });
            let state = &self.cpus[cpu];
            let told = account.joined
                || state.need_resched.is_some()
                || state.need_resched_lazy.is_some()
                || state.in_schedule
                // A slice extension has cleared the flag; its timer sets it again.
                || self.has_slice_extension(cpu);
            ensure(!(account.is_throttled() && runs_on) || told, || {
                format!("cpu {cpu} runs on, throttled and unflagged")
            })?;
            self.check_server(cpu)?;
        }
        let whole = limit.map(|limit| u128::from(limit) * self.rqs.len() as u128);
        ensure(whole.is_none_or(|whole| runtime == whole), || {
            format!("the RT runtimes add up to {runtime}, not {whole:?}")
        })
    }

    fn check_server(&self, cpu: CpuId) -> Result<(), String> {
        let (rq, server) = (&self.rqs[cpu], self.rqs[cpu].server);
        let fair = rq.cfs[GroupId::ROOT].h_nr_running();
        ensure(fair == server.tasks, || {
            format!("cpu {cpu} has {fair} fair tasks, its server counts {}", server.tasks)
        })?;
        let exists = self.kernel().rt_throttle().has_fair_server();
        ensure(if fair > 0 { server.active == exists } else { exists || !server.active }, || {
            format!("cpu {cpu}: the fair server is active without reason, or not with one")
        })?;
        let timer = self.cpus[cpu].timers.is_armed(TimerKind::FairServer)
            || self.cpus[cpu].hw.hardirq() == Some(LOCAL_TIMER);
        ensure(!(server.active && server.throttled) || timer, || {
            format!("cpu {cpu}: the fair server waits for no timer")
        })?;
        ensure(server.queued == server.is_queued(), || {
            format!("cpu {cpu}: cpupri does not show the fair server")
        })?;
        ensure(!server.armed || server.throttled, || {
            format!("cpu {cpu}: the fair server serves while it is deferred")
        })?;
        ensure(server.runtime <= RUNTIME_NS as i64, || {
            format!("cpu {cpu}: the fair server has more than its reservation")
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::check::damage::{Damage, all_are_caught};
    use crate::ids::{CPU0, CPU1, TaskId};
    use std::sync::Arc;

    use crate::check::invariants::tests::busy;
    use crate::kernel::config::RtThrottle;
    use crate::kernel::hrtimer::{Timer, TimerKind};
    use crate::sim::Sim;

    /// Throttles CPU 0: its RT queue is off the run queue, and owes `owed` ns.
    fn throttle(sim: &mut Sim, owed: u64) {
        let (time, _, throttled) = sim.rqs[CPU0].rt_time.damaged();
        (*time, *throttled) = (owed, true);
    }

    /// Tasks 0 and 1 run, 2 waits; all are RT.
    #[test]
    fn a_damaged_account_is_caught() {
        let damages: &[(&str, Damage)] = &[
            ("0 RT period timers, active is true", |sim| {
                assert!(sim.cpus.iter_mut().any(|cpu| cpu.timers.cancel(TimerKind::RtPeriod)))
            }),
            ("2 RT period timers", |sim| {
                sim.cpus[CPU1].timers.arm(Timer { expiry: 1 << 40, kind: TimerKind::RtPeriod })
            }),
            ("has RT tasks and no RT period runs", |sim| {
                sim.rt_bandwidth.period_active = false;
                sim.cpus.iter_mut().for_each(|cpu| _ = cpu.timers.cancel(TimerKind::RtPeriod));
            }),
            ("is throttled without a period timer", |sim| {
                sim.rt_bandwidth.period_active = false;
                sim.cpus.iter_mut().for_each(|cpu| _ = cpu.timers.cancel(TimerKind::RtPeriod));
                throttle(sim, 1);
                *sim.rqs[CPU0].damaged_nr_running() = 0;
            }),
            ("runs on, throttled and unflagged", |sim| {
                throttle(sim, 1);
                *sim.rqs[CPU0].damaged_nr_running() = 0;
            }),
            ("is throttled and owes nothing", |sim| {
                throttle(sim, 0);
                *sim.rqs[CPU0].damaged_nr_running() = 0;
            }),
            ("counts 2 tasks and queues 0", |sim| throttle(sim, 0)),
            ("the RT runtimes add up to", |sim| *sim.rqs[CPU0].rt_time.damaged().1 += 1),
            ("its server counts 1", |sim| sim.rqs[CPU1].server.tasks = 1),
            ("active without reason", |sim| sim.rqs[CPU1].server.active = true),
            ("cpupri does not show the fair server", |sim| sim.rqs[CPU1].server.queued = true),
            ("serves while it is deferred", |sim| sim.rqs[CPU1].server.armed = true),
            ("more than its reservation", |sim| sim.rqs[CPU1].server.runtime = 50_000_001),
        ];
        all_are_caught(busy, Sim::check_laws, damages);
    }

    #[test]
    fn a_fair_server_without_its_timer_is_caught() {
        let mut sim = busy();
        Arc::make_mut(&mut sim.setup).kernel.rt_throttle = RtThrottle::DlServer;
        sim.rqs.iter_mut().for_each(|rq| *rq.rt_time.damaged().1 = u64::MAX);
        assert_eq!(sim.check_laws(), Ok(()));
        sim.dequeue_task(CPU0, TaskId::new(2));
        sim.tasks[TaskId::new(2)].prio = 120;
        sim.enqueue_task(CPU0, TaskId::new(2), crate::kernel::fair::Enqueue::Moved);
        assert!(sim.rqs[CPU0].server.throttled, "deferred to its last moment");
        let mut idle = sim.clone();
        sim.cpus[CPU0].timers.cancel(TimerKind::FairServer);
        assert!(sim.check_bandwidth().expect_err("no timer").contains("waits for no timer"));
        idle.rqs[CPU0].server.active = false;
        assert!(idle.check_bandwidth().expect_err("a fair task waits").contains("not with one"));
    }
}
