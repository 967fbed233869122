//! No wake-up is lost on its way to another CPU (docs/model/wake-ups.md#no-lost-wake-up).

use super::invariants::ensure;
use crate::kernel::frame::Frame;
use crate::machine::ipi::{CALL_FUNCTION_SINGLE, RESCHEDULE};
use crate::sim::Sim;

impl Sim {
    /// A wake-list that holds something has its interrupt under way or an idle loop that will see
    /// the flag; a CPU asleep in its idle state with its flag set has an IPI under way (one that
    /// watches the flag is on its way out already).
    pub(super) fn check_wakeups(&self) -> Result<(), String> {
        let vector = self.wakelist_vector();
        for (id, cpu) in self.cpus.iter_enumerated() {
            let coming = |vector: usize| {
                cpu.hw.lines.in_flight(vector) > 0 || cpu.hw.lines.is_pending(vector)
            };
            let flagged_idle = self.rqs[id].curr.is_none() && cpu.need_resched.is_some();
            let told = coming(vector) || cpu.hw.hardirq() == Some(vector) || flagged_idle;
            ensure(cpu.wakelist.is_empty() || told, || {
                format!("cpu {id}: no interrupt is due for its wake-list")
            })?;
            let called = coming(CALL_FUNCTION_SINGLE)
                || cpu.hw.hardirq() == Some(CALL_FUNCTION_SINGLE)
                || flagged_idle;
            ensure(!cpu.called || called, || {
                format!("cpu {id}: no interrupt is due for its call list")
            })?;
            let lets_go = cpu.stack.iter().any(|entry| matches!(entry.frame, Frame::BwCsd(_)));
            let called = coming(CALL_FUNCTION_SINGLE)
                || cpu.hw.hardirq() == Some(CALL_FUNCTION_SINGLE)
                || flagged_idle
                || lets_go;
            ensure(self.rqs[id].bw_csd.is_empty() || called, || {
                format!("cpu {id}: nobody will let its throttled queues go")
            })?;
            let asleep = cpu.blocked
                && matches!(cpu.stack.last().map(|top| top.frame), Some(Frame::Idle(_)));
            let called = coming(RESCHEDULE) || coming(CALL_FUNCTION_SINGLE);
            let sleeps_on = asleep && cpu.need_resched.is_some() && !called;
            ensure(!sleeps_on, || format!("cpu {id} sleeps through its need_resched"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::check::invariants::tests::busy;
    use crate::ids::{CPU1, GroupId, TaskId};
    use crate::kernel::core::idle::Idle;
    use crate::kernel::frame::{Entry, Frame};

    #[test]
    fn a_wakeup_that_nobody_will_notice_is_caught() {
        let mut sim = busy();
        assert_eq!(sim.check_wakeups(), Ok(()));
        sim.cpus[CPU1].wakelist.push(TaskId::new(2));
        let lost = sim.check_wakeups().expect_err("lost");
        assert!(lost.contains("no interrupt is due for its wake-list"), "{lost}");

        let mut sim = busy();
        sim.cpus[CPU1].called = true;
        let lost = sim.check_wakeups().expect_err("lost");
        assert!(lost.contains("no interrupt is due for its call list"), "{lost}");

        let mut sim = busy();
        sim.rqs[CPU1].bw_csd.push(GroupId::new(0));
        assert!(sim.check_wakeups().expect_err("lost").contains("let its throttled queues go"));

        let mut sim = busy();
        sim.rqs[CPU1].curr = None;
        sim.cpus[CPU1].stack = vec![Entry::new(Frame::Idle(Idle::Loop))];
        (sim.cpus[CPU1].blocked, sim.cpus[CPU1].need_resched) = (true, Some(1));
        assert!(sim.check_wakeups().expect_err("lost").contains("sleeps through"));
    }
}
