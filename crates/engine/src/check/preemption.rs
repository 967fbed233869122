//! Laws of the resched flags and of preempt_count (docs/model/preemption.md#preemption-laws).

use super::invariants::ensure;
use crate::ids::CpuId;
use crate::kernel::core::slice_extension::SliceCtrl;
use crate::kernel::frame::{Entry, Frame};
use crate::kernel::hrtimer::TimerKind;
use crate::machine::ipi::{LOCAL_TIMER, RESCHEDULE};
use crate::named::Named;
use crate::sim::Sim;

impl Sim {
    /// docs/model/preemption.md#preemption-laws: flags lie on something that runs, the fold follows
    /// the flag, counts belong to sections.
    pub(super) fn check_preemption(&self) -> Result<(), String> {
        let model = self.kernel().preempt();
        for (id, cpu) in self.cpus.iter_enumerated() {
            ensure(!cpu.folded || cpu.need_resched.is_some(), || {
                format!("cpu {id}: preempt_count says need_resched, the task does not")
            })?;
            let told = cpu.folded
                || cpu.hw.lines.in_flight(RESCHEDULE) > 0
                || cpu.hw.lines.is_pending(RESCHEDULE)
                || cpu.hw.hardirq() == Some(RESCHEDULE);
            let unaware = cpu.need_resched.is_some() && self.rqs[id].curr.is_some() && !told;
            ensure(!unaware, || {
                format!("cpu {id} is busy, flagged, and neither folded nor sent an IPI")
            })?;
            ensure(!cpu.polling || self.rqs[id].curr.is_none(), || {
                format!("cpu {id} polls in its idle loop, and runs a task")
            })?;
            let lazy = cpu.need_resched_lazy.is_some();
            // A mode switched away from lazy at run time leaves the flags that were set.
            ensure(!lazy || model.has_lazy() || model.is_dynamic(), || {
                format!("cpu {id}: a lazy flag under {}", model.name())
            })?;
            ensure(!lazy || self.rqs[id].curr.is_some(), || {
                format!("cpu {id}: the idle task has a lazy flag")
            })?;
            self.check_lazy_wait(id)?;
            let sections = cpu.stack.iter().filter(|entry| self.counts_preempt(entry)).count();
            ensure(usize::from(cpu.preempt_count()) == sections, || {
                format!("cpu {id}: preempt_count {} with {sections} sections", cpu.preempt_count())
            })?;
            // After the switch the 2007 code has interrupts on for a moment: softirqs may run
            // there.
            ensure(!(cpu.in_schedule && cpu.preempt_count() > 0 && !cpu.in_softirq), || {
                format!("cpu {id} schedules inside a section")
            })?;
        }
        self.check_slice_extensions()
    }

    /// docs/model/preemption.md#slice-extension: a task that has an extension runs, and its timer
    /// will end the extension.
    fn check_slice_extensions(&self) -> Result<(), String> {
        for (id, task) in self.tasks.iter_enumerated() {
            let (ctrl, cpu) = (task.slice_ctrl, &self.cpus[task.cpu]);
            let runs = self.rqs[task.cpu].curr == Some(id);
            ensure(ctrl == SliceCtrl::Clear || runs, || {
                format!("task {id} has or asks for a slice extension and does not run")
            })?;
            let timed = cpu.slice_cookie == Some(id)
                && (cpu.timers.is_armed(TimerKind::SliceExtension)
                    || cpu.hw.hardirq() == Some(LOCAL_TIMER));
            ensure(ctrl != SliceCtrl::Granted || timed, || {
                format!("task {id} has a slice extension without a timer")
            })?;
            let flagged = cpu.need_resched.is_some() || cpu.stack.len() > 1;
            ensure(ctrl != SliceCtrl::Expired || flagged, || {
                format!("task {id} has used up its slice extension and goes on")
            })?;
        }
        Ok(())
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "three of forty frames have sections")]
    fn counts_preempt(&self, entry: &Entry) -> bool {
        match entry.frame {
            Frame::KernelWork(work) => work.counts(self),
            Frame::Softirq(softirq) => softirq.counts(self),
            Frame::Object(call) => call.counts(),
            _ => false,
        }
    }

    /// docs/model/preemption.md#preemption-laws: a lazy flag waits for at most one tick. The next
    /// tick comes within a period of the flag's birth, or its interrupt is on its way; none has
    /// passed it by. A tickless CPU (`nohz_full`) has no such promise
    /// (docs/develop/decisions/0014).
    fn check_lazy_wait(&self, id: CpuId) -> Result<(), String> {
        let cpu = &self.cpus[id];
        let kernel = self.kernel();
        let Some(since) = cpu
            .need_resched_lazy
            .filter(|_| cpu.need_resched.is_none() && kernel.preempt().upgrades_at_next_tick())
        else {
            return Ok(());
        };
        ensure(cpu.lazy_tick <= since, || format!("cpu {id}: a tick did not upgrade a lazy flag"))?;
        let comes =
            cpu.timers.tick_expiry().is_some_and(|expiry| expiry <= since + kernel.tick_ns());
        let handled = cpu.hw.hardirq() == Some(LOCAL_TIMER);
        ensure(comes || handled || kernel.nohz_full.has(id), || {
            format!("cpu {id}: no tick comes within a period of its lazy flag")
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::check::damage::{Damage, all_are_caught};
    use crate::ids::{CPU0, CPU1};
    use std::sync::Arc;

    use crate::check::invariants::tests::busy;
    use crate::kernel::config::Preempt;
    use crate::kernel::core::slice_extension::SliceCtrl;
    use crate::kernel::frame::{Entry, Frame};
    use crate::kernel::syscall::kernel_work::KernelWork;
    use crate::setup::Section;
    use crate::sim::Sim;

    /// CPU 0 waits lazily since now under the model of 6.13.
    fn lazy(sim: &mut Sim) {
        Arc::make_mut(&mut sim.setup).kernel.preempt = Preempt::Lazy;
        sim.cpus[CPU0].need_resched_lazy = Some(sim.now);
        assert_eq!(sim.check_laws(), Ok(()));
    }

    #[test]
    fn a_lazy_flag_of_the_idle_task_is_caught() {
        let mut sim = busy();
        lazy(&mut sim);
        sim.rqs[CPU0].curr = None;
        let broken = sim.check_preemption().expect_err("CPU 0 idles");
        assert!(broken.contains("cpu 0: the idle task has a lazy flag"), "{broken}");
    }

    #[test]
    fn schedule_inside_a_section_is_caught() {
        let mut sim = busy();
        let mut section = KernelWork::new(Section::NoPreempt, 1_000);
        section.step(&mut sim, CPU0);
        sim.cpus[CPU0].stack.push(Entry::new(Frame::KernelWork(section)));
        assert_eq!((sim.cpus[CPU0].preempt_count(), sim.check_preemption()), (1, Ok(())));
        sim.cpus[CPU0].in_schedule = true;
        let broken = sim.check_preemption().expect_err("it holds a count");
        assert!(broken.contains("cpu 0 schedules inside a section"), "{broken}");
    }

    #[test]
    fn damaged_flags_are_caught() {
        let damages: &[(&str, Damage)] = &[
            ("polls in its idle loop, and runs a task", |sim| sim.cpus[CPU0].polling = true),
            ("preempt_count says need_resched", |sim| sim.cpus[CPU0].folded = true),
            ("neither folded nor sent an IPI", |sim| sim.cpus[CPU1].need_resched = Some(0)),
            ("a lazy flag under full", |sim| sim.cpus[CPU0].need_resched_lazy = Some(5)),
            ("preempt_count 1 with 0 sections", |sim| sim.cpus[CPU0].preempt_disable()),
            ("a tick did not upgrade a lazy flag", |sim| {
                lazy(sim);
                sim.cpus[CPU0].lazy_tick = sim.now + 1;
            }),
            ("asks for a slice extension and does not run", |sim| {
                let idle = sim.tasks.iter_enumerated().map(|(id, _)| id);
                let idle = idle.filter(|id| sim.rqs.iter().all(|rq| rq.curr != Some(*id)));
                let idle: Vec<_> = idle.collect();
                sim.tasks[idle[0]].slice_ctrl = SliceCtrl::Requested;
            }),
            ("a slice extension without a timer", |sim| {
                let curr = sim.rqs[CPU0].curr.expect("CPU 0 is busy");
                sim.tasks[curr].slice_ctrl = SliceCtrl::Granted;
            }),
            ("used up its slice extension and goes on", |sim| {
                let curr = sim.rqs[CPU0].curr.expect("CPU 0 is busy");
                sim.tasks[curr].slice_ctrl = SliceCtrl::Expired;
            }),
            ("no tick comes within a period", |sim| {
                lazy(sim);
                assert!(sim.cpus[CPU0].timers.cancel_tick());
            }),
        ];
        all_are_caught(busy, Sim::check_laws, damages);
    }
}
