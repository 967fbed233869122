//! Laws of CFS bandwidth control: run time is conserved, and all parts of the state agree on which
//! queues are throttled (docs/model/bandwidth.md#conservation, docs/model/bandwidth.md#quota-laws).
//!
//! `tests/engine/support/quota_laws.rs` judges the laws that only a whole run shows, from the
//! trace.

use super::invariants::ensure;
use crate::ids::{CpuId, GroupId, IdVec};
use crate::kernel::core::task::TaskState;
use crate::kernel::frame::Frame;
use crate::kernel::hrtimer::TimerKind;
use crate::machine::spinlock::LockId;
use crate::sim::Sim;
use crate::trace::catalogue::CpuState;

impl Sim {
    pub(super) fn check_quota(&self) -> Result<(), String> {
        for group in self.bandwidths.ids() {
            self.check_books(group).and_then(|()| self.check_throttled(group)).map_err(|what| {
                format!("group {group} ({:?}): {what}", self.group_spec(group).path)
            })?;
        }
        let listed: usize =
            self.rqs.iter().flat_map(|rq| &rq.cfs).map(|cfs| cfs.bandwidth.limbo().len()).sum();
        let stopped = self.tasks.iter().filter(|task| task.throttled).count();
        ensure(listed == stopped, || {
            format!("{stopped} tasks have stopped for quota, {listed} are listed")
        })?;
        self.cpus.ids().try_for_each(|cpu| {
            self.check_quota_of(cpu).map_err(|what| format!("cpu {cpu}: {what}"))
        })
    }

    /// Conservation and the bound of the pool, of the groups this event may have changed, from sums
    /// that are kept: at every event, in every build.
    #[inline]
    pub(crate) fn check_touched(&mut self) {
        if !self.bw_touched.is_empty() {
            self.check_touched_groups();
        }
    }

    fn check_touched_groups(&mut self) {
        while let Some(group) = self.bw_touched.pop() {
            let b = &self.bandwidths[group];
            let (astray, overflows) = (b.astray(), b.overflows());
            self.law(astray == 0 && !overflows, || match astray {
                0 => format!(
                    "group {group}: the pool and the silos hold more than a quota, its \
                    burst and the silos of the last refill"
                ),
                _ => format!("group {group}: {astray} ns of run time are missing"),
            });
        }
    }

    /// Conservation, the bounds of pool and silos, and that nothing is spent twice under a lock.
    fn check_books(&self, group: GroupId) -> Result<(), String> {
        let (b, era) = (&self.bandwidths[group], self.kernel().bandwidth);
        let books = b.books();
        let silos = || self.rqs.iter().map(|rq| &rq.cfs[group].bandwidth);
        let silo: i64 = silos().map(|own| own.silo()).sum();
        let above: i64 = silos().map(|own| own.silo().max(0)).sum();
        ensure((silo, above) == books.silos, || {
            format!("the silos hold {silo} ns, {above} of them above 0, not {:?}", books.silos)
        })?;
        ensure(b.astray() == 0, || format!("{} ns of run time are missing", b.astray()))?;
        ensure(!b.overflows(), || {
            format!("the pool and the silos hold more than {} ns", books.most)
        })?;
        let walks = b.list().distributing() || books.in_walk == 0;
        ensure(walks, || {
            format!("{} ns are in a distribution, and none is under way", books.in_walk)
        })?;
        let spends_twice = || era.distribution().may_spend_twice();
        ensure(books.double_spent == 0 || spends_twice(), || {
            "run time was spent twice though the pool itself is handed out".to_owned()
        })?;
        let drops = || era.expiry().has_deadline() || era.distribution().takes_pool_along();
        ensure(books.dropped == 0 || drops(), || "run time was dropped without expiry".to_owned())?;
        let slice = self.bw_slice_most;
        ensure(silos().all(|own| own.silo() <= slice as i64), || {
            "a silo holds more than a slice".to_owned()
        })
    }

    /// The list, the counts of throttled queues above, and the timers.
    fn check_throttled(&self, group: GroupId) -> Result<(), String> {
        let b = &self.bandwidths[group];
        let mut listed = IdVec::from(vec![0; self.cpus.len()]);
        b.list().cpus().iter().for_each(|cpu| listed[*cpu] += 1);
        for (cpu, &times) in listed.iter_enumerated() {
            let own = &self.rqs[cpu].cfs[group].bandwidth;
            ensure(times == usize::from(own.throttled()), || {
                format!("on the list {times} times on cpu {cpu}, throttled is {}", own.throttled())
            })?;
            ensure(!own.throttled() || own.enabled || b.quota.is_none(), || {
                format!("throttled on cpu {cpu} without a quota")
            })?;
            let parent = if group == GroupId::ROOT {
                0
            } else {
                self.rqs[cpu].cfs[self.parent(group)].bandwidth.throttle_count()
            };
            let count = parent + u32::from(own.throttled());
            ensure(own.throttle_count() == count, || {
                format!(
                    "counts {} throttled queues up the tree on cpu {cpu}, not {count}",
                    own.throttle_count()
                )
            })?;
            self.check_limbo(cpu, group)?;
            ensure(own.kept_since.is_none() || count > 0, || {
                format!("something is kept waiting on cpu {cpu}, and nothing is throttled")
            })?;
            let asked = own.csd_pending.is_some();
            let queued =
                self.rqs[cpu].bw_csd.contains(&group) || b.list().walks().any(|walk| walk.local);
            ensure(!asked || queued, || {
                format!("cpu {cpu} must unthrottle it, without a request")
            })?;
        }
        // The timer may stop before the write that takes the quota away has come to every queue.
        let let_go = b.quota.is_none() && self.writes_quota(group);
        ensure(b.period_active || b.list().is_empty() || let_go, || {
            "throttled, and no period timer runs".to_owned()
        })?;
        let armed = |kind| self.cpus.iter().filter(|cpu| cpu.timers.is_armed(kind)).count();
        let period = armed(TimerKind::BwPeriod { group });
        ensure(
            period <= 1 && (period == 1 || b.in_callback || !b.period_active || self.fires_now()),
            || format!("{period} period timers, active is {}", b.period_active),
        )?;
        let kind = TimerKind::BwSlack { group };
        let slack = armed(kind);
        ensure(slack <= 1, || format!("{slack} slack timers"))?;
        ensure(slack == 0 || self.cpus[b.slack_on].timers.is_armed(kind), || {
            format!("its slack timer is not on cpu {}", b.slack_on)
        })
    }

    /// A write of the group's configuration is on its way from queue to queue.
    fn writes_quota(&self, group: GroupId) -> bool {
        let mut frames = self.cpus.iter().flat_map(|cpu| &cpu.stack).map(|entry| &entry.frame);
        frames.any(|frame| matches!(frame, Frame::BwWrite(write) if write.group() == group))
    }

    /// A task in limbo waits for quota, outside the kernel, and is queued nowhere; there is no
    /// other.
    fn check_limbo(&self, cpu: CpuId, group: GroupId) -> Result<(), String> {
        let own = &self.cfs_rq(cpu, group).bandwidth;
        ensure(own.limbo().is_empty() || own.throttle_count() > 0, || {
            format!("tasks are stopped on cpu {cpu}, although there is quota")
        })?;
        own.limbo().iter().try_for_each(|id| {
            let task = self.task(*id);
            let fair = task.row().under_cfs_bandwidth
                && task.state == TaskState::Runnable
                && task.throttled
                && task.on_rq;
            let here = task.cpu == cpu && self.task_group(*id) == group;
            ensure(fair && here && !task.se.on_rq, || {
                format!("task {id} is stopped and elsewhere")
            })?;
            let runs = self.rqs[cpu].curr == Some(*id);
            let stack = if runs { &self.cpus[cpu].stack } else { &task.stack };
            let inside = stack.iter().any(|entry| matches!(entry.frame, Frame::Syscall(_)));
            ensure(!inside, || format!("task {id} is stopped for quota in a system call"))
        })
    }

    /// Whether a CPU has taken an expired timer but has not begun the callback.
    fn fires_now(&self) -> bool {
        self.cpus.iter().any(|cpu| cpu.hw.hardirq() == Some(crate::machine::ipi::LOCAL_TIMER))
    }

    /// Whether a queue from `group` up to the root is throttled, and not one that runs on.
    fn stopped_above(&self, cpu: CpuId, group: GroupId) -> bool {
        let own = &self.cfs_rq(cpu, group).bandwidth;
        own.throttled() && !own.runs_on
            || group > GroupId::ROOT && self.stopped_above(cpu, self.parent(group))
    }

    /// No task runs user code without quota, and all work noted for a group's lock is done.
    fn check_quota_of(&self, cpu: CpuId) -> Result<(), String> {
        let (rq, state) = (&self.rqs[cpu], &self.cpus[cpu]);
        let held = || self.cpus.iter().any(|other| other.hw.held().contains(&LockId::rq(cpu)));
        ensure((rq.bw_pending.is_empty() && !rq.bw_unlock) || held(), || {
            "work for a group's lock is noted, and nobody holds the run queue".to_owned()
        })?;
        let Some(curr) = rq.curr else { return Ok(()) };
        let runs = state.state() == CpuState::User;
        if self.kernel().bandwidth.throttles_at_charge() {
            // A charge by another CPU asks a task that runs user code to stop, without an IPI.
            return Ok(());
        }
        if self.kernel().bandwidth.per_task() {
            // One that was picked while there was quota goes on until it is picked again.
            return ensure(!(runs && self.task(curr).throttle_work), || {
                format!("task {curr} runs user code, and was to stop before")
            });
        }
        let group = self.task_group(curr);
        let without = self.task(curr).row().under_cfs_bandwidth && self.stopped_above(cpu, group);
        ensure(!(runs && without), || format!("task {curr} runs user code without quota"))
    }
}

#[cfg(test)]
mod tests {
    use crate::check::damage::{Damage, all_are_caught};
    use crate::ids::{CPU0, CPU1, CpuId, GroupId, TaskId};
    use std::sync::Arc;

    use crate::check::invariants::tests::busy;
    use crate::kernel::config::{Bandwidth, BandwidthPreset, Version};
    use crate::kernel::fair::bandwidth::write::BwWrite;
    use crate::kernel::fair::bandwidth::{By, Work};
    use crate::kernel::frame::{Entry, Frame};
    use crate::kernel::hrtimer::{Timer, TimerKind};
    use crate::kernel::syscall::{Call, Syscall};
    use crate::machine::topology::CpuMask;
    use crate::setup::{Amount, GroupSpec, Op, Phase, Policy, Program, Quota, Rounds, TaskSpec};
    use crate::sim::Sim;
    use crate::trace::columns::Log;

    /// The group with the quota, and the one inside it.
    const OUTER: GroupId = GroupId::new(1);
    const INNER: GroupId = GroupId::new(2);

    /// Two CPUs with a hog each of one group with 3 ms per 100, a child group below it: both are
    /// throttled when it returns.
    fn throttled(bandwidth: Bandwidth) -> Sim {
        let mut setup = (*busy().setup).clone();
        setup.kernel.bandwidth = bandwidth;
        setup.duration_ns = 1_000_000_000;
        let quota = Quota {
            quota_ns: Some(3_000_000),
            period_ns: 100_000_000,
            burst_ns: 0,
            phase_ns: 50_500_000,
        };
        setup.groups.push(GroupSpec {
            path: "a".to_owned(),
            bandwidth: Some(quota),
            ..GroupSpec::root()
        });
        setup.groups.push(GroupSpec { path: "a/b".to_owned(), parent: 1, ..GroupSpec::root() });
        let hog = |cpu: CpuId| TaskSpec {
            kind: "hog".to_owned(),
            name: format!("hog.{cpu}"),
            policy: Policy::Fair { nice: 0 },
            cpus: CpuMask::one(cpu),
            start_ns: 0,
            measured: true,
            group: 1 + cpu.raw(),
            slice_ns: None,
            forked: false,
            program: Program::Ops {
                loops: Some(1),
                phases: vec![Phase {
                    rounds: Rounds::Times(1),
                    ops: vec![Op::Run { ns: Amount::Fixed(1 << 40) }],
                }],
            },
        };
        setup.tasks = vec![hog(CPU0), hog(CPU1)];
        let mut sim = Sim::new(Arc::new(setup), Log::new(None, 2, 0));
        while sim.step(20_000_000) {
            assert_eq!(sim.check_laws(), Ok(()));
        }
        assert_eq!(
            (sim.rqs[CPU0].curr, sim.rqs[CPU1].curr, sim.bandwidths[OUTER].list().cpus().len()),
            (None, None, 2)
        );
        sim
    }

    /// Whether the queue of `group` says that it is throttled, and how often it is up the tree.
    fn throttling(sim: &mut Sim, cpu: CpuId, group: GroupId) -> (&mut bool, &mut u32) {
        sim.rqs[cpu].cfs[group].bandwidth.damaged_throttling()
    }

    /// `cpu` and the list of the outer group know nothing of its being throttled.
    fn forget_throttling(sim: &mut Sim, cpu: CpuId) {
        sim.bandwidths[OUTER].damaged_list().del(cpu);
        let (throttled, count) = throttling(sim, cpu, OUTER);
        (*throttled, *count) = (false, 0);
        *throttling(sim, cpu, INNER).1 = 0;
    }

    /// A throttled group under 6.1.
    fn throttled_6_1() -> Sim {
        throttled(Bandwidth::of_version(Version::parse("6.1").unwrap()))
    }

    #[test]
    fn damaged_books_are_caught() {
        all_are_caught(
            throttled_6_1,
            Sim::check_quota,
            &[
                ("ns of run time are missing", |sim| *sim.bandwidths[OUTER].damaged_pool() += 1),
                ("of them above 0, not", |sim| {
                    *sim.rqs[CPU0].cfs[OUTER].bandwidth.damaged_silo() -= 1
                }),
                ("-1 ns of run time are missing", |sim| _ = sim.silo_add(CPU0, OUTER, 1)),
                ("are in a distribution, and none is under way", |sim| {
                    sim.bandwidths[OUTER].damaged_books().in_walk = -1;
                    sim.bandwidths[OUTER].damaged_books().usage += 1;
                    sim.bandwidths[OUTER].damaged_books().adjusted = 0;
                }),
                ("spent twice though the pool itself", |sim| {
                    sim.bandwidths[OUTER].damaged_books().double_spent += 1;
                    *sim.bandwidths[OUTER].damaged_pool() += 1;
                }),
                ("dropped without expiry", |sim| {
                    sim.bandwidths[OUTER].damaged_books().dropped += 1;
                    sim.bandwidths[OUTER].damaged_books().granted += 1;
                }),
                ("holds more than a slice", |sim| {
                    sim.silo_add(CPU0, OUTER, 6_000_001);
                    sim.bandwidths[OUTER].damaged_books().granted += 6_000_001;
                    sim.bandwidths[OUTER].damaged_books().most += 6_000_001;
                }),
                ("the pool and the silos hold more than 3000000 ns", |sim| {
                    *sim.bandwidths[OUTER].damaged_pool() += 3_000_001;
                    sim.bandwidths[OUTER].damaged_books().granted += 3_000_001;
                }),
            ],
        );
    }

    #[test]
    fn damaged_lists_and_timers_are_caught() {
        all_are_caught(
            throttled_6_1,
            Sim::check_quota,
            &[
                ("on the list 0 times", |sim| sim.bandwidths[OUTER].damaged_list().del(CPU1)),
                ("on the list 2 times", |sim| sim.bandwidths[OUTER].damaged_list().add(CPU1, true)),
                ("throttled on cpu 1 without a quota", |sim| {
                    sim.rqs[CPU1].cfs[OUTER].bandwidth.enabled = false
                }),
                ("counts 1 throttled queues up the tree on cpu 0, not 0", |sim| {
                    sim.bandwidths[OUTER].damaged_list().del(CPU0);
                    *throttling(sim, CPU0, OUTER).0 = false;
                }),
                ("counts 0 throttled queues up the tree on cpu 1, not 1", |sim| {
                    *throttling(sim, CPU1, INNER).1 = 0
                }),
                ("something is kept waiting on cpu 1, and nothing is throttled", |sim| {
                    forget_throttling(sim, CPU1);
                }),
                ("must unthrottle it, without a request", |sim| {
                    sim.rqs[CPU0].cfs[OUTER].bandwidth.csd_pending = Some(By::Period)
                }),
                ("throttled, and no period timer runs", |sim| {
                    sim.bandwidths[OUTER].period_active = false
                }),
                ("0 period timers, active is true", |sim| {
                    sim.cpus.iter_mut().for_each(|cpu| {
                        _ = cpu.timers.cancel(TimerKind::BwPeriod { group: OUTER })
                    });
                }),
                ("2 slack timers", |sim| {
                    let timer =
                        Timer { expiry: 1 << 40, kind: TimerKind::BwSlack { group: OUTER } };
                    sim.cpus.iter_mut().for_each(|cpu| cpu.timers.arm(timer));
                }),
                ("its slack timer is not on cpu 0", |sim| {
                    let timer =
                        Timer { expiry: 1 << 40, kind: TimerKind::BwSlack { group: OUTER } };
                    sim.cpus[CPU1].timers.arm(timer);
                    sim.bandwidths[OUTER].slack_on = CPU0;
                }),
                ("nobody holds the run queue", |sim| sim.rqs[CPU1].bw_unlock = true),
                ("nobody holds the run queue", |sim| {
                    sim.rqs[CPU0].bw_pending.push((OUTER, Work::Assign))
                }),
            ],
        );
    }

    /// The period's callback stops its timer while the write that takes the quota away waits for
    /// the group's lock with a throttled queue in hand.
    #[test]
    fn only_a_write_under_way_may_leave_throttled_queues_without_a_period_timer() {
        let mut sim = throttled_6_1();
        sim.bandwidths[OUTER].period_active = false;
        let kind = TimerKind::BwPeriod { group: OUTER };
        sim.cpus.iter_mut().for_each(|cpu| _ = cpu.timers.cancel(kind));
        let mut written = sim.clone();
        written.bandwidths[OUTER].quota = None;
        assert!(written.check_quota().expect_err("no write").contains("no period timer runs"));
        for (of, legal) in [(INNER, false), (OUTER, true)] {
            let mut writes = written.clone();
            writes.cpus[CPU0].stack.push(Entry::new(Frame::BwWrite(BwWrite::new(of))));
            assert_eq!(writes.check_quota().is_ok(), legal);
        }
        // One that sets a quota starts the timer.
        sim.cpus[CPU0].stack.push(Entry::new(Frame::BwWrite(BwWrite::new(OUTER))));
        assert!(sim.check_quota().expect_err("a quota").contains("no period timer runs"));
    }

    #[test]
    fn books_that_do_not_close_stop_any_run_at_the_event_that_touches_them() {
        let damages: &[(&str, Damage)] = &[
            ("-1 ns of run time are missing", |sim| *sim.bandwidths[OUTER].damaged_pool() += 1),
            ("1 ns of run time are missing", |sim| {
                sim.bandwidths[OUTER].damaged_books().usage -= 1
            }),
            ("more than a quota, its burst and the silos of the last refill", |sim| {
                sim.bandwidths[OUTER].damaged_books().most = -1
            }),
        ];
        for (expected, damage) in damages {
            let mut sim = throttled_6_1();
            damage(&mut sim);
            // `step` runs without a full scan, so the cheap laws must find the damage.
            while sim.fault.is_none() && sim.step(60_000_000) {}
            let broken = sim.fault.expect(expected);
            assert!(
                broken.contains(expected) && broken.contains("at 50"),
                "{broken:?} should say {expected:?}"
            );
        }
    }

    #[test]
    fn user_code_without_quota_is_caught() {
        let mut sim = throttled_6_1();
        while sim.rqs[CPU0].curr.is_none()
            || sim.cpus[CPU0].state() != crate::trace::catalogue::CpuState::User
        {
            assert!(sim.step(300_000_000));
        }
        sim.bandwidths[OUTER].damaged_list().add(CPU0, false);
        let (throttled, count) = throttling(&mut sim, CPU0, OUTER);
        (*throttled, *count) = (true, 1);
        *throttling(&mut sim, CPU0, INNER).1 = 1;
        assert!(sim.check_quota().expect_err("it runs").contains("runs user code without quota"));
    }

    #[test]
    fn a_damaged_limbo_is_caught() {
        let damages: &[(&str, Damage)] = &[
            ("although there is quota", |sim| {
                forget_throttling(sim, CPU1);
                sim.rqs[CPU1].cfs[OUTER].bandwidth.kept_since = None;
            }),
            ("tasks have stopped for quota", |sim| {
                sim.rqs[CPU1].cfs[INNER].bandwidth.damaged_limbo().clear()
            }),
            ("task 1 is stopped and elsewhere", |sim| sim.tasks[TaskId::new(1)].se.on_rq = true),
            ("task 1 is stopped and elsewhere", |sim| sim.tasks[TaskId::new(1)].prio = 5),
            ("task 1 is stopped and elsewhere", |sim| sim.tasks[TaskId::new(1)].cpu = CPU0),
            ("in a system call", |sim| {
                sim.tasks[TaskId::new(1)].stack.push(crate::kernel::frame::Entry::new(
                    Frame::Syscall(Syscall::blocked(Call::Exit)),
                ));
            }),
        ];
        all_are_caught(
            || throttled(Bandwidth::of_version(Version::parse("6.18").unwrap())),
            Sim::check_quota,
            damages,
        );
        let mut sim = throttled(Bandwidth::of_version(Version::parse("6.18").unwrap()));
        while sim.rqs[CPU0].curr.is_none()
            || sim.cpus[CPU0].state() != crate::trace::catalogue::CpuState::User
        {
            assert!(sim.step(300_000_000));
        }
        sim.tasks[TaskId::new(0)].throttle_work = true;
        assert!(sim.check_quota().expect_err("it runs on").contains("was to stop before"));
    }

    #[test]
    fn what_a_copy_loses_to_others_is_spent_twice_and_said_so() {
        let mut sim = throttled(Bandwidth::of_preset(BandwidthPreset::SegallList));
        // A walk has handed out 5 of a copy of 7 when others have taken all of the pool.
        let list = sim.bandwidths[OUTER].damaged_list();
        list.begin(By::Period, 2, 0);
        list.walk_mut(By::Period).used = 5;
        sim.bandwidths[OUTER].damaged_books().in_walk = -5;
        sim.bandwidths[OUTER].damaged_books().granted -= 5;
        let pool = std::mem::take(sim.bandwidths[OUTER].damaged_pool());
        sim.bandwidths[OUTER].damaged_books().granted -= pool;
        assert_eq!(sim.check_quota(), Ok(()));
        sim.walk_end(CPU0, OUTER, By::Period, true);
        assert_eq!((sim.bandwidths[OUTER].books().double_spent, sim.check_quota()), (5, Ok(())));
        assert!(sim.findings().iter().any(|finding| finding.kind == "double_spend"));
    }
}
