//! Writes to a running kernel: its switches, its groups, its tasks. Every write acts from the
//! present instant on.

use std::sync::Arc;

use super::Run;
use crate::ids::{CpuId, GroupId, Id, TaskId};
use crate::kernel::config::{CgroupMode, Preempt, RtPushIpi, TtwuQueue, resolve_push_ipi};
use crate::kernel::core::task::TaskState;
use crate::kernel::syscall::live::Write;
use crate::machine::topology::CpuMask;
use crate::named::Named;
use crate::setup::{
    GROUP_WEIGHT, GROUP_WEIGHT_RANGE, NEVER, Policy, Program, Quota, Setup, TaskSpec,
};

impl Run {
    /// Writes sched_rt_runtime_us (`None` is -1) and sched_rt_period_us of a running kernel, in ns;
    /// false if the pair is refused.
    ///
    /// Every run queue gets the new runtime at once; who is throttled stays so until the period
    /// timer (docs/model/bandwidth.md#rt-throttling).
    pub fn set_rt_bandwidth(&mut self, runtime_ns: Option<u64>, period_ns: u64) -> bool {
        if period_ns == 0 || runtime_ns.is_some_and(|runtime| runtime > period_ns) {
            return false;
        }
        let kernel = &mut Arc::make_mut(&mut self.sim.setup).kernel;
        (kernel.rt_runtime_ns, kernel.rt_period_ns) = (runtime_ns, period_ns);
        self.sim.reset_rt_runtime();
        true
    }

    /// cpu.max and cpu.max.burst of the group at `path` as last written, and its number; `None`
    /// where there is no such group.
    pub fn cpu_max(&self, path: &str) -> Option<(GroupId, Quota)> {
        let group = self.sim.setup.groups.iter().position(|group| group.path == path)?;
        let group = GroupId::at(group);
        let b = &self.sim.bandwidths[group];
        let in_force =
            Quota { quota_ns: b.quota, period_ns: b.period, burst_ns: b.burst, phase_ns: b.period };
        Some((group, b.written.unwrap_or(in_force)))
    }

    /// Writes cpu.max and cpu.max.burst of a group of a running kernel; false if the kernel would
    /// refuse it. The write takes effect queue by queue, from now on; it lets every throttled queue
    /// of the group go (docs/model/bandwidth.md#writing-a-quota).
    pub fn set_cpu_max(&mut self, group: GroupId, quota: Quota) -> bool {
        let counted = quota.is_legal() && quota.is_countable(self.sim.setup.duration_ns);
        let taken = self.is_below_root(group)
            && counted
            && (quota.burst_ns == 0 || self.sim.setup.kernel.bandwidth.has_burst());
        if taken {
            self.sim.write_quota(group, quota);
        }
        taken
    }

    /// Writes sched_cfs_bandwidth_slice_us of a running kernel, in ns: silos are filled up to this
    /// from now on. False below 1 us, and if the value does not fit. Run time already in silos
    /// stays there.
    pub fn set_bandwidth_slice(&mut self, slice_ns: u64) -> bool {
        let fits = (1_000..=u64::from(u32::MAX) * 1_000).contains(&slice_ns);
        if fits {
            Arc::make_mut(&mut self.sim.setup).kernel.bandwidth_slice_ns = slice_ns;
            self.sim.bw_slice_most = self.sim.bw_slice_most.max(slice_ns);
        }
        fits
    }

    /// Writes the RT_PUSH_IPI bit of a running kernel (`sched_features`); false where the
    /// generation has none.
    pub fn set_rt_push_ipi(&mut self, on: bool) -> bool {
        let has_bit = self.sim.setup.kernel.rt_balance().has_push_ipi_bit();
        if has_bit {
            Arc::make_mut(&mut self.sim.setup).kernel.write_rt_push_ipi(on);
        }
        has_bit
    }

    /// Writes the TTWU_QUEUE bit of a running kernel (`sched_features`): off, or the rule that is
    /// compiled in; false for any other rule, and before 3.0. Wake-ups already on a list stay
    /// there, and their interrupt under way drains it.
    pub fn set_ttwu_queue(&mut self, rule: TtwuQueue) -> bool {
        let compiled = self.sim.ttwu_rule();
        let has_bit = compiled.has_wakelist() && (!rule.has_wakelist() || rule == compiled);
        if has_bit {
            self.sim.ttwu_compiled = Some(compiled);
            Arc::make_mut(&mut self.sim.setup).kernel.write_ttwu_queue(rule);
        }
        has_bit
    }

    /// Switches a running PREEMPT_DYNAMIC kernel to another of its modes; false if either is not
    /// one.
    ///
    /// Flags already set stay and are judged by the new mode at the next point
    /// (docs/model/accounting.md#live-writes).
    pub fn set_preempt(&mut self, model: Preempt) -> bool {
        let dynamic = self.sim.setup.kernel.preempt().is_dynamic() && model.is_dynamic();
        if dynamic {
            Arc::make_mut(&mut self.sim.setup).kernel.write_preempt(model);
            // The causes of waits for a flag depend on the switch (`Sim::cause_flagged`).
            self.sim.cpus.ids().for_each(|cpu| self.sim.refresh(cpu));
        }
        dynamic
    }

    /// sched_setaffinity() of a task; false where the kernel would refuse it: no CPU of its
    /// partition is left, it is a thread of a CPU's own or has ended. The run must have stoppers
    /// (`Setup::with_all_stoppers`). One whose migration is disabled changes when that is enabled.
    pub fn set_affinity(&mut self, task: TaskId, cpus: CpuMask) -> bool {
        let setup = &self.sim.setup;
        let bound =
            |spec: &TaskSpec| matches!(spec.program, Program::Ksoftirqd | Program::Migration);
        let whole = CpuMask::first(setup.machine.topology.cpus());
        let own = setup.tasks.get(task.place()).map(|spec| spec.cpus);
        let partition = setup
            .machine
            .domains
            .iter()
            .copied()
            .find(|domain| own.is_some_and(|own| domain.and(&own) == own));
        let cpus = cpus.and(&partition.unwrap_or(whole));
        let taken = self.is_writable(task) && !bound(self.sim.task_spec(task)) && !cpus.is_empty();
        if taken {
            self.sim.hand_over(Write::Cpus { task, cpus });
        }
        taken
    }

    /// sched_setscheduler() of a task, or set_user_nice(); false for values no kernel takes, a
    /// stopper and a task that has ended. The run must have stoppers.
    pub fn set_scheduler(&mut self, task: TaskId, policy: Policy) -> bool {
        let taken = self.is_writable(task) && policy.check().is_ok();
        if taken {
            self.sim.hand_over(Write::Policy { task, policy });
        }
        taken
    }

    /// A group that the setup has, and not the root.
    fn is_below_root(&self, group: GroupId) -> bool {
        group != GroupId::ROOT && group.place() < self.sim.setup.groups.len()
    }

    /// Whether a write can reach `task`: not a stopper, not a child before its fork, not a task
    /// that has ended.
    fn is_writable(&self, task: TaskId) -> bool {
        let setup = &self.sim.setup;
        let Some(spec) = setup.tasks.get(task.place()) else { return false };
        let born = spec.start_ns != NEVER || self.sim.task(task).program.started();
        born && spec.program != Program::Migration
            && setup.stopper(CpuId::FIRST).is_some()
            && self.sim.task(task).state != TaskState::Dead
    }

    /// Writes cpu.weight of a group, 1 to 10 000; false for any other value, and for the root.
    pub fn set_cpu_weight(&mut self, group: GroupId, weight: u32) -> bool {
        let taken = self.is_below_root(group) && CPU_WEIGHT_RANGE.contains(&weight);
        if taken {
            self.sim.hand_over(Write::Weight { group, shares: shares_of(weight) });
        }
        taken
    }

    /// A signal ends the sleep of a task of ops before its timer does; false where it does not
    /// sleep by one.
    pub fn wake(&mut self, task: TaskId) -> bool {
        let plays = self
            .sim
            .setup
            .tasks
            .get(task.place())
            .is_some_and(|spec| matches!(spec.program, Program::Ops { .. }));
        let taken =
            plays && self.sim.task(task).program.started() && self.sim.sleeps_by_timer(task);
        if taken {
            self.sim.hand_over(Write::Wake { task });
        }
        taken
    }

    /// Makes the write that a link or a command names by its path: a switch (`kernel.rt_push_ipi`),
    /// a group's file (`cgroups.web.cpu_max`), a task (`tasks."web.0".cpus`, `.policy`, `.wake`).
    /// False: this kernel, or this run, has no such thing, or no such value of it.
    pub fn change(&mut self, path: &str, value: &str) -> bool {
        // Wherever the run was paused in this instant: the write comes after all that happens in
        // it.
        let now = self.sim.now;
        while self.sim.fault.is_none() && self.sim.step(now) {
            self.check();
        }
        match path.split_once('.') {
            Some(("cgroups", rest)) => self.change_group(rest, value).unwrap_or(false),
            Some(("tasks", rest)) => self.change_task(rest, value).unwrap_or(false),
            _ => self.change_switch(path, value),
        }
    }

    fn change_switch(&mut self, path: &str, value: &str) -> bool {
        let kernel = &self.sim.setup.kernel;
        let (runtime_ns, period_ns) = (kernel.rt_runtime_ns, kernel.rt_period_ns);
        // A sysctl holds whole us; -1 is no number of them.
        let us = || value.parse::<u64>().ok().map(|us| us.saturating_mul(1_000));
        match path {
            "kernel.rt_push_ipi" => RtPushIpi::parse(value).is_some_and(|bit| {
                let Setup { kernel, machine, .. } = &*self.sim.setup;
                let cpus = machine.topology.cpus();
                let on = resolve_push_ipi(kernel.rt_balance(), bit, cpus, kernel.preempt());
                self.set_rt_push_ipi(on)
            }),
            "kernel.ttwu_queue" => {
                TtwuQueue::parse(value).is_some_and(|rule| self.set_ttwu_queue(rule))
            }
            "kernel.cgroup_mode" => {
                CgroupMode::parse(value).is_some_and(|mode| self.set_cgroup_mode(mode))
            }
            "kernel.preempt" => Preempt::parse(value).is_some_and(|model| self.set_preempt(model)),
            "kernel.sched_rt_runtime_us" => {
                let runtime_ns = us();
                (runtime_ns.is_some() || value == "-1")
                    && self.set_rt_bandwidth(runtime_ns, period_ns)
            }
            "kernel.cfs_bandwidth_slice_us" => {
                us().is_some_and(|slice_ns| self.set_bandwidth_slice(slice_ns))
            }
            "kernel.sched_rt_period_us" => {
                us().is_some_and(|period_ns| self.set_rt_bandwidth(runtime_ns, period_ns))
            }
            _ => value.parse().is_ok_and(|on| self.set_feature(path, on)),
        }
    }

    /// Writes the bit of `sched_features` that the switch at `path` is; false if it is none.
    fn set_feature(&mut self, path: &str, on: bool) -> bool {
        let kernel = &mut Arc::make_mut(&mut self.sim.setup).kernel;
        self.sim.had_delayed |= path == "kernel.delay_dequeue" && kernel.delay_dequeue();
        kernel.write_feature(path, on)
    }

    /// Writes debugfs' sched/cgroup_mode: groups get their new weights as tasks join or leave them,
    /// and at ticks.
    fn set_cgroup_mode(&mut self, mode: CgroupMode) -> bool {
        Arc::make_mut(&mut self.sim.setup).kernel.write_cgroup_mode(mode);
        true
    }

    fn change_group(&mut self, name_and_key: &str, value: &str) -> Option<bool> {
        let (name, key) = name_and_key.rsplit_once('.')?;
        let (group, quota) = self.cpu_max(name.trim_matches('"'))?;
        let written = match key {
            "cpu_max" => quota.with_cpu_max(value)?,
            "cpu_max_burst" => {
                Quota { burst_ns: value.parse::<u64>().ok()?.checked_mul(1_000)?, ..quota }
            }
            "cpu_weight" => return Some(self.set_cpu_weight(group, value.parse().ok()?)),
            _ => return None,
        };
        Some(self.set_cpu_max(group, written))
    }

    fn change_task(&mut self, name_and_key: &str, value: &str) -> Option<bool> {
        let (name, key) = name_and_key.rsplit_once('.')?;
        let tasks = &self.sim.setup.tasks;
        let task = TaskId::at(tasks.iter().position(|spec| spec.name == name.trim_matches('"'))?);
        match key {
            "cpus" => Some(self.set_affinity(task, CpuMask::from_list(value)?)),
            "policy" => Some(self.set_scheduler(task, Policy::from_text(value)?)),
            "wake" => Some(value == "signal" && self.wake(task)),
            _ => None,
        }
    }
}

const CPU_WEIGHT_RANGE: std::ops::RangeInclusive<u32> = 1..=10_000;

/// sched_weight_from_cgroup(): cpu.weight as shares, rounded.
fn shares_of(weight: u32) -> u32 {
    ((weight * GROUP_WEIGHT + 50) / 100).clamp(GROUP_WEIGHT_RANGE.0, GROUP_WEIGHT_RANGE.1)
}
