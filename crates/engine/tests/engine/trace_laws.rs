//! The judges of the written trace, which do not look at the engine's state: herds under every
//! generation, lock and preset pass, and damaged traces do not.

use schedscope_engine::kernel::config::{
    Bandwidth, DoubleLock, IpiPollingElide, Preempt, RtBalance, SpinlockKind, TtwuQueue, Version,
};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::named::Named;
use schedscope_engine::run::Options;
use schedscope_engine::setup::{IdleKind, NoiseWhen, Setup};
use schedscope_engine::trace::catalogue::{CPU_STATES, CpuState, Kind};

use crate::support::judge::{Row, Written, judge, written};
use crate::support::quota::fibtest;
use crate::support::{MS, US, herd, run, with_balance};

fn play(setup: &Setup) -> Written {
    written(&mut run(setup, Options::EVERYTHING, 64))
}

/// Every generation, with its bit off and, where it has one, on.
fn generations() -> Vec<(RtBalance, bool)> {
    let with = |on: bool| {
        move |balance: &RtBalance| (!on || balance.has_push_ipi_bit()).then_some((*balance, on))
    };
    RtBalance::ALL
        .iter()
        .filter_map(with(false))
        .chain(RtBalance::ALL.iter().filter_map(with(true)))
        .collect()
}

#[test]
fn herds_of_every_generation_lock_and_preset_keep_the_laws() {
    for costs in CostsName::ALL {
        for (balance, on) in generations() {
            for double_lock in DoubleLock::ALL {
                for spinlock in SpinlockKind::ALL {
                    let mut setup = with_balance(herd(20, 2, 2 * US, *costs), balance, on);
                    setup.kernel.double_lock = *double_lock;
                    setup.kernel.spinlock = *spinlock;
                    setup.duration_ns = 4 * MS;
                    judge(&setup, &play(&setup)).unwrap_or_else(|what| {
                        panic!("{costs:?} {balance:?} {on} {double_lock:?} {spinlock:?}: {what}")
                    });
                }
            }
        }
    }
}

#[test]
fn randomly_timed_noise_keeps_the_laws_whatever_wakes_how() {
    for queue in TtwuQueue::ALL {
        for elide in IpiPollingElide::ALL {
            for idle in IdleKind::ALL {
                for preempt in Preempt::ALL {
                    let mut setup = with_balance(
                        herd(20, 4, 20 * US, CostsName::Ticket2012),
                        RtBalance::Ipi415,
                        true,
                    );
                    setup.noise = setup.noise.map(|noise| schedscope_engine::setup::NoiseTrigger {
                        when: NoiseWhen::Random,
                        min_gap_ns: 20 * US,
                        ..noise
                    });
                    (setup.kernel.ttwu_queue, setup.kernel.ipi_polling_elide) = (*queue, *elide);
                    (setup.machine.idle, setup.kernel.preempt) = (*idle, *preempt);
                    setup.duration_ns = 3 * MS;
                    judge(&setup, &play(&setup)).unwrap_or_else(|what| {
                        panic!("{queue:?} {elide:?} {idle:?} {preempt:?}: {what}")
                    });
                }
            }
        }
    }
}

#[test]
fn random_noise_comes_at_the_same_instants_whatever_the_policy() {
    let fires = |balance, on, idle| {
        let mut setup = with_balance(herd(12, 4, 20 * US, CostsName::Ticket2012), balance, on);
        setup.noise = setup.noise.map(|noise| schedscope_engine::setup::NoiseTrigger {
            when: NoiseWhen::Random,
            min_gap_ns: 15 * US,
            ..noise
        });
        setup.machine.idle = idle;
        setup.duration_ns = 20 * MS;
        let rows = play(&setup).rows;
        rows.iter()
            .filter(|row| row.kind == Kind::NoiseFire)
            .map(|row| row.time)
            .collect::<std::collections::BTreeSet<u64>>()
    };
    // A device interrupt for a task that is still awake is not raised, so either may lack some of
    // the other's.
    let (pull, push) = (
        fires(RtBalance::ActivePlist, false, IdleKind::Poll),
        fires(RtBalance::Ipi415, true, IdleKind::Halt),
    );
    let both = pull.intersection(&push).count();
    assert!(
        pull != push && both * 10 > pull.len() * 6 && both * 10 > push.len() * 6,
        "{} and {}, {both} in both",
        pull.len(),
        push.len()
    );
}

#[test]
fn the_metrics_time_of_each_task_is_its_lanes() {
    // User and kernel time on the lanes of a task are no more than its time on a CPU.
    let setup = herd(8, 1, 3 * US, CostsName::Qspin2s);
    let written = play(&setup);
    let mut user = vec![0_u64; setup.tasks.len()];
    let mut lane: Vec<Option<(u32, u64)>> = vec![None; 8];
    let end = written.report.simulated_ns;
    let ends = (0..8).map(|cpu| Row { time: end, kind: Kind::CpuState, cpu, a: 0, b: u32::MAX });
    for row in written.rows.iter().copied().filter(|row| row.kind == Kind::CpuState).chain(ends) {
        let now = (row.a & 255 == CpuState::User as u32).then_some((row.b, row.time));
        if let Some((task, since)) = std::mem::replace(&mut lane[row.cpu as usize], now) {
            user[task as usize] += row.time - since;
        }
    }
    for (spec, user) in setup.tasks.iter().zip(user) {
        let metric = &written.report.metrics.tasks[&spec.name];
        assert!(
            user > 0 && user <= metric.run_ns,
            "{}: {user} in user code, {} on a CPU",
            spec.name,
            metric.run_ns
        );
    }
    assert_eq!(CPU_STATES.len(), 9);
}

/// One way to damage a trace, and the judge's message.
type Damage = (&'static str, fn(&mut Written));

fn first(written: &Written, wanted: impl Fn(&Row) -> bool) -> usize {
    written.rows.iter().position(wanted).expect("the herd has such a row")
}

#[test]
fn the_judge_sees_damage() {
    let damages: &[Damage] = &[
        ("time runs back", |run| run.rows[10].time = u64::MAX >> 16),
        ("not granted in the order of arrival", |run| {
            let at = first(run, |row| row.kind == Kind::LockAcq && row.b > 0);
            run.rows[at].cpu = (run.rows[at].cpu + 1) % 20;
        }),
        ("the wait is not the time it spun", |run| {
            let at = first(run, |row| row.kind == Kind::LockAcq && row.b > 0);
            run.rows[at].b += 1;
        }),
        ("ends with a lock held", |run| {
            let at = first(run, |row| row.kind == Kind::LockRel);
            run.rows.remove(at);
        }),
        ("acts while it spins", |run| {
            let at = first(run, |row| row.kind == Kind::LockWait);
            let row = run.rows[at];
            run.rows.insert(at + 1, Row { kind: Kind::IpiSend, ..row });
        }),
        ("nobody sent", |run| {
            let at = first(run, |row| row.kind == Kind::IpiSend);
            run.rows.remove(at);
        }),
        ("starts without an arrival", |run| {
            let at = first(run, |row| row.kind == Kind::IpiArrive);
            run.rows.remove(at);
        }),
        ("without sched_waking", |run| {
            let at = first(run, |row| row.kind == Kind::SchedWaking);
            run.rows.remove(at);
        }),
        ("a task runs before it is woken", |run| {
            let at = first(run, |row| row.kind == Kind::SchedWakeup);
            run.rows.remove(at);
        }),
        ("a lane shows another task", |run| {
            let at = first(run, |row| row.kind == Kind::SchedSwitch);
            run.rows.remove(at);
        }),
        ("without both rq locks", |run| {
            let at = first(run, |row| row.kind == Kind::PushOk);
            let migrate = run.rows[..at]
                .iter()
                .rposition(|row| row.kind == Kind::MigrateTask)
                .expect("a push migrates");
            run.rows[migrate].b = (run.rows[migrate].b + 1) % 20;
        }),
        ("chain", |run| {
            let at = first(run, |row| row.kind == Kind::RtoHop);
            let row = run.rows[at];
            run.rows.insert(at + 1, Row { cpu: (row.a + 1) % 20, ..row });
        }),
        ("does not sum", |run| run.wakes.segment_ns[0] += 1),
        ("by the wake-ups", |run| {
            run.report.metrics.latency.values_mut().for_each(|kind| kind.max_ns += 1)
        }),
        ("ns by its switches", |run| {
            run.report.metrics.tasks.values_mut().for_each(|task| task.run_ns += task.run_ns / 2)
        }),
        ("miscounted", |run| run.report.metrics.ipi.call_function.sent += 1),
        ("deepest queue", |run| run.report.metrics.rq_lock.max_waiters += 1),
    ];
    seen(damages);
}

#[test]
fn the_judge_sees_damaged_interrupts_and_paths() {
    seen(&[
        ("sooner than it can travel", |run| {
            // Both the send and the arrival move, so that only the speed is wrong.
            let at = first(run, |row| row.kind == Kind::IpiArrive && (row.a & 0xffff) != row.cpu);
            let arrival = run.rows[at];
            let sent = arrival.time - u64::from(arrival.b);
            let send = first(run, |row| {
                row.kind == Kind::IpiSend && row.time == sent && row.cpu == (arrival.a & 0xffff)
            });
            let mut row = run.rows.remove(send);
            row.time = arrival.time;
            run.rows.insert(at - 1, row);
            run.rows[at].b = 0;
        }),
        ("the paths of the wake-ups", |run| run.report.metrics.wakeups.local += 1),
        ("the wake-list's wake-ups", |run| {
            run.report.metrics.wakeups.wake_list += 1;
            run.report.metrics.wakeups.local -= 1;
        }),
        ("saved by polling", |run| run.report.metrics.ipi.reschedule.elided_polling += 1),
    ]);
}

/// The row after the first of that kind which shows its queue's level, and that level.
fn level_after(run: &Written, kind: Kind) -> (usize, u32) {
    let at = first(run, |row| row.kind == kind);
    let of = (run.rows[at].cpu, run.rows[at].a);
    let level = run.rows[at..]
        .iter()
        .position(|row| row.kind == Kind::BwSilo && (row.cpu, row.a) == of)
        .expect("its level is told");
    (at + level, run.rows[at + level].b)
}

/// One more row right before the first of the kind.
fn before(run: &mut Written, kind: Kind, row: impl Fn(Row) -> Row) {
    let at = run.rows.iter().rposition(|row| row.kind == kind).expect("there is such a row");
    let new = row(run.rows[at]);
    run.rows.insert(at, new);
}

#[test]
fn the_judge_sees_damaged_quotas() {
    let of = |version, quota_ms, burst_us| {
        let fibtest =
            fibtest(8, Bandwidth::of_version(version), quota_ms, 37 * MS + 300 * US, burst_us * US);
        Setup { duration_ns: 400 * MS, ..fibtest }
    };
    // Something that is given and run at once, where the level was `level`.
    fn runs(run: &mut Written, kind: Kind, ns: u32) {
        let (at, b) = level_after(run, kind);
        let row = run.rows[at];
        run.rows.insert(at + 1, Row { kind, b: ns, ..row });
        run.rows.insert(at + 2, Row { b, ..row });
    }
    damaged(
        &of(Version::V6_1, 10, 300),
        &[
            ("a throttled queue takes run time", |run| {
                before(run, Kind::BwUnthrottle, |row| Row { kind: Kind::BwTake, b: 0, ..row })
            }),
            ("a silo rises without being given anything", |run| {
                let at = first(run, |row| row.kind == Kind::BwStep);
                run.rows[at].b -= 1;
            }),
            ("a silo holds more than a slice", |run| {
                let (at, level) = level_after(run, Kind::BwTake);
                let row = run.rows[at];
                run.rows.insert(at + 1, Row { kind: Kind::BwStep, b: 5_000_001, ..row });
                run.rows.insert(at + 2, Row { b: level + 5_000_001, ..row });
            }),
            ("keeps more than it may after a return", |run| {
                let (at, level) = level_after(run, Kind::BwReturn);
                run.rows[at].b = level + 1;
                let back = first(run, |row| row.kind == Kind::BwReturn);
                run.rows[back].b -= 1;
            }),
            ("runs for more than its quotas", |run| runs(run, Kind::BwStep, 40_000_000)),
            ("within 7 ms of a refill", |run| {
                before(run, Kind::BwRefill, |row| Row { kind: Kind::BwSlack, b: 0, ..row })
            }),
            ("within 2 ms of a refill", |run| {
                before(run, Kind::BwRefill, |row| Row { kind: Kind::BwSlack, b: 1, ..row })
            }),
            ("is armed twice in 5 ms", |run| {
                before(run, Kind::BwRefill, |row| Row { kind: Kind::BwSlack, b: 0, ..row });
                before(run, Kind::BwRefill, |row| Row { kind: Kind::BwSlack, b: 0, ..row });
            }),
            // The bound is exact.
            ("runs for more than its quotas", |run| runs(run, Kind::BwStep, 1)),
            ("ns were used by the silos", |run| {
                run.report.metrics.groups.values_mut().for_each(|group| group.usage_ns += 1)
            }),
            ("ns by the trace", |run| {
                run.report.metrics.groups.values_mut().for_each(|group| group.throttled_ns -= 1)
            }),
        ],
    );
    // The trace shows run time that a copy hands out twice; no other run time comes from nothing.
    for version in [Version::V3_2, Version::V3_16, Version::V4_15, Version::V4_18, Version::V5_4] {
        damaged(
            &of(version, 10, 300),
            &[
                ("runs for more than its quotas", |run| runs(run, Kind::BwTake, 10_000_000)),
                ("a distribution gives other than it says", |run| runs(run, Kind::BwStep, 1)),
            ],
        );
    }
    damaged(
        &of(Version::V4_19, 100, 30),
        &[("run time of a period gone by is worth something", keep_what_expired)],
    );
}

/// Lets a woken CPU keep the run time that it loses, and use it instead of taking a slice.
fn keep_what_expired(run: &mut Written) {
    let told = |lost: usize| {
        let of = run.rows[lost];
        let same = move |row: &Row| {
            (row.cpu, row.a) == (of.cpu, of.a) && [Kind::BwTake, Kind::BwSilo].contains(&row.kind)
        };
        (lost..run.rows.len()).filter(|at| same(&run.rows[*at])).take(4).collect::<Vec<usize>>()
    };
    let woken = |lost: &usize| {
        let kinds: Vec<Kind> = told(*lost).iter().map(|at| run.rows[*at].kind).collect();
        let loses = run.rows[*lost].kind == Kind::BwExpireSilo && run.rows[*lost].b > 500_000;
        loses && kinds == [Kind::BwSilo, Kind::BwTake, Kind::BwSilo, Kind::BwSilo]
    };
    let lost = (0..run.rows.len()).rev().find(woken).expect("a silo outlives its period");
    let (of, next) = (run.rows[lost], told(lost));
    let ran = run.rows[next[2]].b - run.rows[next[3]].b;
    run.rows[next[3]].b = of.b - ran;
    for at in [next[2], next[1], next[0], lost] {
        run.rows.remove(at);
    }
}

/// The herd's trace, damaged in each of these ways in turn, is refused with these words.
fn seen(damages: &[Damage]) {
    let mut setup =
        with_balance(herd(20, 2, 2 * US, CostsName::Ticket2012), RtBalance::Ipi415, true);
    setup.duration_ns = 8 * MS;
    damaged(&setup, damages);
}

fn damaged(setup: &Setup, damages: &[Damage]) {
    let clean = play(setup);
    assert_eq!(judge(setup, &clean), Ok(()));
    for (expected, damage) in damages {
        let mut damaged = Written {
            rows: clean.rows.clone(),
            wakes: clean.wakes.clone(),
            report: clean.report.clone(),
        };
        damage(&mut damaged);
        let broken = judge(setup, &damaged).expect_err(expected);
        assert!(broken.contains(expected), "{broken:?} should say {expected:?}");
    }
}
