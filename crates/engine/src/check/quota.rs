//! Laws of CFS bandwidth control: run time is conserved, and who is throttled is known everywhere (spec A.9, contracts 2.1).
//!
//! What only a run shows (I8, I9, I10, I12) is judged by `tests/quota.rs`.

use super::invariants::ensure;
use crate::kernel::config::{BwDistribution, Expiry};
use crate::kernel::frame::Frame;
use crate::kernel::task::{Class, TaskState};
use crate::machine::hrtimer::TimerKind;
use crate::sim::Sim;
use crate::trace::catalogue::CpuState;

impl Sim {
    pub(super) fn check_quota(&self) -> Result<(), String> {
        for group in 0..self.bandwidths.len() as u32 {
            self.check_books(group)
                .and_then(|()| self.check_throttled(group))
                .map_err(|what| format!("group {group} ({:?}): {what}", self.setup.groups[group as usize].path))?;
        }
        let listed: usize = self.rqs.iter().flat_map(|rq| &rq.cfs).map(|cfs| cfs.bandwidth.limbo.len()).sum();
        let stopped = self.tasks.iter().filter(|task| task.throttled).count();
        ensure(listed == stopped, || format!("{stopped} tasks have stopped for want of quota, {listed} are in limbo"))?;
        (0..self.cpus.len() as u32).try_for_each(|cpu| self.check_quota_of(cpu).map_err(|what| format!("cpu {cpu}: {what}")))
    }

    /// I1 to I4.
    fn check_books(&self, group: u32) -> Result<(), String> {
        let (b, era) = (&self.bandwidths[group as usize], self.kernel().bandwidth);
        let books = &b.books;
        let silos = || self.rqs.iter().map(|rq| &rq.cfs[group as usize].bandwidth);
        let silo: i128 = silos().map(|own| i128::from(own.silo)).sum();
        let wide = |ns: u64| i128::from(ns);
        let made = wide(books.granted) + wide(books.double_spent) + i128::from(books.adjusted);
        let there = wide(b.pool) + silo + i128::from(books.in_walk);
        let gone = wide(books.usage) + wide(books.expired) + wide(books.dropped);
        ensure(made == there + gone, || format!("{made} ns of run time were made, {there} are there and {gone} gone"))?;
        let walks = b.distributing() || books.in_walk == 0;
        ensure(walks, || format!("{} ns are in a distribution, and none is under way", books.in_walk))?;
        let spends_twice = era.distribution == BwDistribution::OldCopy;
        ensure(books.double_spent == 0 || spends_twice, || "run time was spent twice though the pool itself is handed out".to_owned())?;
        let expires = era.expiry != Expiry::Never;
        ensure(books.dropped == 0 || expires || era.distribution == BwDistribution::Pre317, || {
            "run time was dropped without expiry".to_owned()
        })?;
        let slice = self.kernel().bandwidth_slice_ns;
        ensure(silos().all(|own| own.silo <= slice as i64), || "a silo holds more than a slice".to_owned())?;
        let most = b.quota.map(|quota| quota.saturating_add(b.burst).saturating_add(slice * self.cpus.len() as u64));
        ensure(most.is_none_or(|most| b.pool <= most), || format!("the pool holds {}, more than a quota, its burst and all silos", b.pool))
    }

    /// I5, I6, I11 and the timers.
    fn check_throttled(&self, group: u32) -> Result<(), String> {
        let b = &self.bandwidths[group as usize];
        let mut listed = vec![0; self.cpus.len()];
        b.throttled.iter().for_each(|cpu| listed[*cpu as usize] += 1);
        for (cpu, times) in listed.into_iter().enumerate() {
            let own = &self.rqs[cpu].cfs[group as usize].bandwidth;
            ensure(times == usize::from(own.throttled), || {
                format!("on the list {times} times on cpu {cpu}, throttled is {}", own.throttled)
            })?;
            ensure(!own.throttled || own.enabled || b.quota.is_none(), || format!("throttled on cpu {cpu} without a quota"))?;
            let parent =
                if group == 0 { 0 } else { self.rqs[cpu].cfs[self.setup.groups[group as usize].parent as usize].bandwidth.throttle_count };
            let count = parent + u32::from(own.throttled);
            ensure(own.throttle_count == count, || {
                format!("counts {} throttled queues up the tree on cpu {cpu}, not {count}", own.throttle_count)
            })?;
            self.check_limbo(cpu as u32, group)?;
            let asked = own.csd_pending.is_some();
            let queued = self.rqs[cpu].bw_csd.contains(&group) || b.walks.iter().flatten().any(|walk| walk.local);
            ensure(!asked || queued, || format!("cpu {cpu} is to let it go, and does not know"))?;
        }
        ensure(b.period_active || b.throttled.is_empty(), || "throttled, and no period timer runs".to_owned())?;
        let armed = |kind| self.cpus.iter().filter(|cpu| cpu.timers.is_armed(kind)).count();
        let period = armed(TimerKind::BwPeriod { group });
        ensure(period <= 1 && (period == 1 || b.in_callback || !b.period_active || self.fires_now()), || {
            format!("{period} period timers, active is {}", b.period_active)
        })?;
        let slack = armed(TimerKind::BwSlack { group });
        ensure(slack <= 1, || format!("{slack} slack timers"))
    }

    /// A task in limbo waits for quota, outside the kernel, and is queued nowhere; there is no other.
    fn check_limbo(&self, cpu: u32, group: u32) -> Result<(), String> {
        let own = &self.cfs_rq(cpu, group).bandwidth;
        ensure(own.limbo.is_empty() || own.throttle_count > 0, || format!("tasks are in limbo on cpu {cpu}, and there is quota"))?;
        own.limbo.iter().try_for_each(|id| {
            let task = self.task(*id);
            let fair = task.class() == Class::Fair && task.state == TaskState::Runnable && task.throttled && task.on_rq;
            let here = task.cpu == cpu && self.setup.tasks[*id as usize].group == group;
            ensure(fair && here && !task.se.on_rq, || format!("task {id} is in limbo and elsewhere"))?;
            let runs = self.rqs[cpu as usize].curr == Some(*id);
            let stack = if runs { &self.cpus[cpu as usize].stack } else { &task.stack };
            let inside = stack.iter().any(|entry| matches!(entry.frame, Frame::Syscall(_)));
            ensure(!inside, || format!("task {id} is in limbo, and in the midst of a system call"))
        })
    }

    /// Somebody is between taking an expired timer and its callback's first step.
    fn fires_now(&self) -> bool {
        self.cpus.iter().any(|cpu| cpu.hardirq == Some(crate::machine::ipi::LOCAL_TIMER))
    }

    /// I7, and that nothing noted for a group's lock is forgotten.
    fn check_quota_of(&self, cpu: u32) -> Result<(), String> {
        let (rq, state) = (&self.rqs[cpu as usize], &self.cpus[cpu as usize]);
        let held = || self.cpus.iter().any(|other| other.held.contains(&cpu));
        ensure((rq.bw_pending.is_empty() && !rq.bw_unlock) || held(), || {
            "work for a group's lock is noted, and nobody holds the run queue".to_owned()
        })?;
        let Some(curr) = rq.curr else { return Ok(()) };
        let runs = state.state() == CpuState::User;
        if self.kernel().bandwidth.per_task {
            // One that was picked while there was quota goes on until it is picked again.
            return ensure(!(runs && self.task(curr).throttle_work), || format!("task {curr} runs user code, and was to stop before"));
        }
        let without = self.task(curr).class() == Class::Fair && self.throttled_hierarchy(cpu, self.setup.tasks[curr as usize].group);
        ensure(!(runs && without), || format!("task {curr} runs user code without quota"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::check::invariants::tests::busy;
    use crate::kernel::bandwidth::{By, Walk, Work};
    use crate::kernel::config::{Bandwidth, BandwidthPreset, Version};
    use crate::kernel::frame::Frame;
    use crate::kernel::syscall::{Call, Syscall};
    use crate::machine::hrtimer::{Timer, TimerKind};
    use crate::machine::topology::CpuMask;
    use crate::setup::{Amount, GroupSpec, Op, Phase, Policy, Program, Quota, Rounds, TaskSpec};
    use crate::sim::Sim;
    use crate::trace::columns::Log;

    type Damage = fn(&mut Sim);

    /// Two CPUs with a hog each of one group with 3 ms per 100, a child group below it: both are throttled when it returns.
    fn throttled(bandwidth: Bandwidth) -> Sim {
        let mut setup = (*busy().setup).clone();
        setup.kernel.bandwidth = bandwidth;
        setup.duration_ns = 1_000_000_000;
        let quota = Quota { quota_ns: Some(3_000_000), period_ns: 100_000_000, burst_ns: 0, phase_ns: 50_500_000 };
        setup.groups.push(GroupSpec { path: "a".to_owned(), bandwidth: Some(quota), ..GroupSpec::root() });
        setup.groups.push(GroupSpec { path: "a/b".to_owned(), parent: 1, ..GroupSpec::root() });
        let hog = |cpu: u32| TaskSpec {
            kind: "hog".to_owned(),
            name: format!("hog.{cpu}"),
            policy: Policy::Fair { nice: 0 },
            cpus: CpuMask::one(cpu),
            start_ns: 0,
            measured: true,
            group: 1 + cpu,
            slice_ns: None,
            program: Program::Ops {
                loops: Some(1),
                phases: vec![Phase { rounds: Rounds::Times(1), ops: vec![Op::Run { ns: Amount::Fixed(1 << 40) }] }],
            },
        };
        setup.tasks = vec![hog(0), hog(1)];
        let mut sim = Sim::new(Arc::new(setup), Log::new(None, 2, 0, 2));
        while sim.step(20_000_000) {
            assert_eq!(sim.check_laws(), Ok(()));
        }
        assert_eq!((sim.rqs[0].curr, sim.rqs[1].curr, sim.bandwidths[1].throttled.len()), (None, None, 2));
        sim
    }

    #[test]
    fn damaged_books_and_lists_are_caught() {
        let damages: &[(&str, Damage)] = &[
            ("ns of run time were made", |sim| sim.bandwidths[1].pool += 1),
            ("ns of run time were made", |sim| sim.rqs[0].cfs[1].bandwidth.silo -= 1),
            ("are in a distribution, and none is under way", |sim| {
                sim.bandwidths[1].books.in_walk = -1;
                sim.bandwidths[1].books.usage += 1;
                sim.bandwidths[1].books.adjusted = 0;
            }),
            ("spent twice though the pool itself", |sim| {
                sim.bandwidths[1].books.double_spent += 1;
                sim.bandwidths[1].pool += 1;
            }),
            ("dropped without expiry", |sim| {
                sim.bandwidths[1].books.dropped += 1;
                sim.bandwidths[1].books.granted += 1;
            }),
            ("holds more than a slice", |sim| {
                sim.rqs[0].cfs[1].bandwidth.silo += 6_000_001;
                sim.bandwidths[1].books.granted += 6_000_001;
            }),
            ("more than a quota, its burst and all silos", |sim| {
                sim.bandwidths[1].pool += 13_000_001;
                sim.bandwidths[1].books.granted += 13_000_001;
            }),
            ("on the list 0 times", |sim| sim.bandwidths[1].list_del(1)),
            ("on the list 2 times", |sim| sim.bandwidths[1].list_add(1, true)),
            ("counts 1 throttled queues up the tree on cpu 0, not 0", |sim| {
                sim.bandwidths[1].list_del(0);
                sim.rqs[0].cfs[1].bandwidth.throttled = false;
            }),
            ("counts 0 throttled queues up the tree on cpu 1, not 1", |sim| sim.rqs[1].cfs[2].bandwidth.throttle_count = 0),
            ("is to let it go, and does not know", |sim| sim.rqs[0].cfs[1].bandwidth.csd_pending = Some(By::Period)),
            ("throttled, and no period timer runs", |sim| sim.bandwidths[1].period_active = false),
            ("0 period timers, active is true", |sim| {
                sim.cpus.iter_mut().for_each(|cpu| _ = cpu.timers.cancel(TimerKind::BwPeriod { group: 1 }));
            }),
            ("2 slack timers", |sim| {
                let timer = Timer { expiry: 1 << 40, kind: TimerKind::BwSlack { group: 1 } };
                sim.cpus.iter_mut().for_each(|cpu| cpu.timers.arm(timer));
            }),
            ("nobody holds the run queue", |sim| sim.rqs[1].bw_unlock = true),
            ("nobody holds the run queue", |sim| sim.rqs[0].bw_pending.push((1, Work::Assign))),
        ];
        for (expected, damage) in damages {
            let mut sim = throttled(Bandwidth::of_version(Version::V6_1));
            damage(&mut sim);
            let broken = sim.check_quota().expect_err(expected);
            assert!(broken.contains(expected), "{broken:?} should say {expected:?}");
        }
    }

    #[test]
    fn user_code_without_quota_is_caught() {
        let mut sim = throttled(Bandwidth::of_version(Version::V6_1));
        while sim.rqs[0].curr.is_none() || sim.cpus[0].state() != crate::trace::catalogue::CpuState::User {
            assert!(sim.step(300_000_000));
        }
        sim.bandwidths[1].list_add(0, false);
        let own = &mut sim.rqs[0].cfs[1].bandwidth;
        own.throttled = true;
        own.throttle_count = 1;
        sim.rqs[0].cfs[2].bandwidth.throttle_count = 1;
        assert!(sim.check_quota().expect_err("it runs").contains("runs user code without quota"));
    }

    #[test]
    fn a_damaged_limbo_is_caught() {
        let damages: &[(&str, Damage)] = &[
            ("and there is quota", |sim| {
                let own = &mut sim.rqs[1].cfs[2].bandwidth;
                (own.throttle_count, sim.rqs[1].cfs[1].bandwidth.throttle_count) = (0, 0);
                sim.rqs[1].cfs[1].bandwidth.throttled = false;
                sim.bandwidths[1].list_del(1);
            }),
            ("tasks have stopped for want of quota", |sim| sim.rqs[1].cfs[2].bandwidth.limbo.clear()),
            ("task 1 is in limbo and elsewhere", |sim| sim.tasks[1].se.on_rq = true),
            ("task 1 is in limbo and elsewhere", |sim| sim.tasks[1].prio = 5),
            ("task 1 is in limbo and elsewhere", |sim| sim.tasks[1].cpu = 0),
            ("in the midst of a system call", |sim| {
                sim.tasks[1].stack.push(crate::kernel::frame::Entry::new(Frame::Syscall(Syscall::blocked(Call::Exit))));
            }),
        ];
        for (expected, damage) in damages {
            let mut sim = throttled(Bandwidth::of_version(Version::V6_18));
            assert_eq!(sim.check_quota(), Ok(()));
            damage(&mut sim);
            let broken = sim.check_quota().expect_err(expected);
            assert!(broken.contains(expected), "{broken:?} should say {expected:?}");
        }
        let mut sim = throttled(Bandwidth::of_version(Version::V6_18));
        while sim.rqs[0].curr.is_none() || sim.cpus[0].state() != crate::trace::catalogue::CpuState::User {
            assert!(sim.step(300_000_000));
        }
        sim.tasks[0].throttle_work = true;
        assert!(sim.check_quota().expect_err("it runs on").contains("was to stop before"));
    }

    #[test]
    fn what_a_copy_loses_to_others_is_spent_twice_and_said_so() {
        let mut sim = throttled(Bandwidth::of_preset(BandwidthPreset::SegallList));
        // A walk has handed out 5 of a copy of 7 when others have taken all of the pool.
        sim.bandwidths[1].walks[0] = Some(Walk { used: 5, remaining: 2, ..Walk::default() });
        sim.bandwidths[1].books.in_walk = -5;
        sim.bandwidths[1].books.granted -= 5;
        let pool = std::mem::take(&mut sim.bandwidths[1].pool);
        sim.bandwidths[1].books.granted -= pool;
        assert_eq!(sim.check_quota(), Ok(()));
        sim.walk_end(0, 1, By::Period, true);
        assert_eq!((sim.bandwidths[1].books.double_spent, sim.check_quota()), (5, Ok(())));
        assert!(sim.findings().iter().any(|finding| finding.kind == "double_spend"));
    }
}
