//! The edges of what a setup may say: times beyond any clock, programs without work, the largest and smallest machines.

mod support;

use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::named::Named;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{CPUS_MAX, NoiseTrigger, NoiseWhen, Op, Phase, Program, Rounds, Setup, TimerSpec, Until};
use support::build::{bare, fair, fifo, forever, hog, once, pause, task, work};
use support::judge::{judge, written};
use support::{MS, US, herd, run};

fn judged(setup: &Setup, check_every: u32) -> support::judge::Written {
    let written = written(&mut run(setup, Options::EVERYTHING, check_every));
    judge(setup, &written).expect("the trace keeps the laws");
    written
}

#[test]
fn times_beyond_the_clock_never_come() {
    for policy in [fifo(10), fair()] {
        let mut setup = bare(2, CostsName::Ticket2012);
        let far = u64::MAX;
        let programs = [
            forever(&[work(far)]),
            forever(&[work(5), pause(far)]),
            forever(&[
                work(5),
                Op::Timer { timer: 0, period_ns: far, absolute: true },
                Op::Timer { timer: 0, period_ns: far, absolute: false },
            ]),
            Program::Cyclictest { first_due_ns: 5, interval_ns: far, body_ns: 7, extra_ns: far, until: Until::default() },
            Program::Cyclictest { first_due_ns: 5, interval_ns: 1, body_ns: far, extra_ns: far, until: Until::default() },
            Program::Cyclictest { first_due_ns: far, interval_ns: 1, body_ns: 0, extra_ns: 0, until: Until::default() },
            Program::RtNoise { run_ns: far },
        ];
        for (index, program) in programs.into_iter().enumerate() {
            setup.tasks.push(task(&format!("far{index}"), policy, &[0, 1], index as u64, program));
        }
        setup.timers.push(TimerSpec { name: "t".to_owned() });
        setup.tasks.push(task("never", policy, &[0], far, hog(far)));
        for when in [NoiseWhen::Random, NoiseWhen::AllCpusInCyclictest] {
            setup.noise = Some(NoiseTrigger { first_task: 6, tasks: 1, when, min_gap_ns: far });
            judged(&setup, 1);
        }
    }
}

#[test]
fn programs_without_work_let_time_pass() {
    for costs in CostsName::ALL {
        let mut setup = bare(2, *costs);
        setup.duration_ns = 100 * US;
        setup.timers.push(TimerSpec { name: "t".to_owned() });
        let nothing = [
            Program::Ops { loops: None, phases: Vec::new() },
            Program::Ops { loops: None, phases: vec![Phase { rounds: Rounds::Endless, ops: Vec::new() }] },
            Program::Ops { loops: Some(0), phases: vec![Phase { rounds: Rounds::Times(0), ops: Vec::new() }] },
            forever(&[work(0)]),
            forever(&[pause(0)]),
            forever(&[Op::Timer { timer: 0, period_ns: 0, absolute: true }]),
            once(&[]),
            Program::Cyclictest { first_due_ns: 0, interval_ns: 1, body_ns: 0, extra_ns: 0, until: Until::default() },
            Program::RtNoise { run_ns: 0 },
        ];
        for (index, program) in nothing.into_iter().enumerate() {
            setup.tasks.push(task(&format!("none{index}"), fifo(10 + index as u8), &[0, 1], 0, program));
        }
        setup.noise = Some(NoiseTrigger { first_task: 8, tasks: 1, when: NoiseWhen::Random, min_gap_ns: 0 });
        judged(&setup, 64);
    }
}

#[test]
fn the_largest_machine_herds_by_the_same_laws() {
    let mut setup = herd(CPUS_MAX, 1, 3 * US, CostsName::Ticket2012);
    setup.duration_ns = 400 * US;
    let written = judged(&setup, 1024);
    // The second period finds most CPUs still queued: its samples come late or not before the end.
    assert!(written.report.metrics.latency["cyclictest"].count >= u64::from(CPUS_MAX));
    assert!(written.report.metrics.rq_lock.max_waiters > 100, "{}", written.report.metrics.rq_lock.max_waiters);
}

#[test]
fn one_cpu_needs_no_balancing() {
    for costs in CostsName::ALL {
        let written = judged(&herd(1, 1, US, *costs), 1);
        let metrics = &written.report.metrics;
        assert_eq!((metrics.sched.migrations, metrics.rq_lock.contended, metrics.ipi.reschedule.sent), (0, 0, 0));
        assert!(metrics.latency["rt_noise"].count > 100);
    }
}

#[test]
fn a_run_stops_at_its_record_limit_with_what_it_has() {
    let setup = herd(8, 1, US, CostsName::Qspin2s);
    let mut run = Run::new(&setup, Options { window: None, max_records: 5_000, check_every: 1 }).expect("valid");
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Limit);
    let report = run.report();
    assert!(!report.complete && report.records >= 5_000 && report.records < 5_500, "{}", report.records);
    assert!(report.metrics.latency["cyclictest"].count > 0);
}

#[test]
fn a_run_without_tasks_is_quiet() {
    let mut setup = bare(4, CostsName::Qspin2s);
    setup.duration_ns = 10 * MS;
    let written = judged(&setup, 1);
    assert_eq!((written.rows.len(), written.report.complete), (0, true));
}
