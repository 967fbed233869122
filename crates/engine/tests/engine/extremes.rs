//! Setups at the limits: times beyond any clock, programs without work, the largest and smallest
//! machines.

use schedscope_engine::account::stretches::STRETCHES_MAX;
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::named::Named;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{
    CPUS_MAX, IdleKind, NoiseTrigger, NoiseWhen, Object, Op, Phase, Program, Rounds, Setup,
    TimerSpec, Until,
};

use crate::support::build::{bare, fair, fifo, forever, hog, object, once, pause, task, work};
use crate::support::judge::{Written, judge, written};
use crate::support::{MS, US, herd, run};

fn judged(setup: &Setup, check_every: u32) -> Written {
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
            Program::Cyclictest {
                first_due_ns: 5,
                interval_ns: far,
                body_ns: 7,
                extra_ns: far,
                until: Until::default(),
            },
            Program::Cyclictest {
                first_due_ns: 5,
                interval_ns: 1,
                body_ns: far,
                extra_ns: far,
                until: Until::default(),
            },
            Program::Cyclictest {
                first_due_ns: far,
                interval_ns: 1,
                body_ns: 0,
                extra_ns: 0,
                until: Until::default(),
            },
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
            Program::Ops {
                loops: None,
                phases: vec![Phase { rounds: Rounds::Endless, ops: Vec::new() }],
            },
            Program::Ops {
                loops: Some(0),
                phases: vec![Phase { rounds: Rounds::Times(0), ops: Vec::new() }],
            },
            forever(&[work(0)]),
            forever(&[pause(0)]),
            forever(&[Op::Timer { timer: 0, period_ns: 0, absolute: true }]),
            once(&[]),
            Program::Cyclictest {
                first_due_ns: 0,
                interval_ns: 1,
                body_ns: 0,
                extra_ns: 0,
                until: Until::default(),
            },
            Program::RtNoise { run_ns: 0 },
        ];
        for (index, program) in nothing.into_iter().enumerate() {
            setup.tasks.push(task(
                &format!("none{index}"),
                fifo(10 + index as u8),
                &[0, 1],
                0,
                program,
            ));
        }
        setup.noise =
            Some(NoiseTrigger { first_task: 8, tasks: 1, when: NoiseWhen::Random, min_gap_ns: 0 });
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
    assert!(
        written.report.metrics.rq_lock.max_waiters > 100,
        "{}",
        written.report.metrics.rq_lock.max_waiters
    );
}

#[test]
fn one_cpu_needs_no_balancing() {
    for costs in CostsName::ALL {
        let written = judged(&herd(1, 1, US, *costs), 1);
        let metrics = &written.report.metrics;
        assert_eq!(
            (metrics.sched.migrations, metrics.rq_lock.contended, metrics.ipi.reschedule.sent),
            (0, 0, 0)
        );
        assert!(metrics.latency["rt_noise"].count > 100);
    }
}

#[test]
fn a_run_stops_at_its_record_limit_with_what_it_has() {
    let setup = herd(8, 1, US, CostsName::Qspin2s);
    let mut run =
        Run::new(&setup, Options { max_records: 5_000, check_every: 1, ..Options::default() })
            .expect("valid");
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Limit);
    let report = run.report();
    assert!(
        !report.complete && report.records >= 5_000 && report.records < 5_500,
        "{}",
        report.records
    );
    assert!(report.metrics.latency["cyclictest"].count > 0);
}

#[test]
fn a_run_without_tasks_is_quiet_where_idle_cpus_stop_their_tick() {
    let mut setup = bare(4, CostsName::Qspin2s);
    setup.machine.idle = IdleKind::Halt;
    setup.duration_ns = 10 * MS;
    let written = judged(&setup, 1);
    assert_eq!((written.rows.len(), written.report.complete), (0, true));
}

/// One SCHED_FIFO task computes for ever, and 200 fair tasks that have woken behind it wait.
fn hog_and_waiters() -> Setup {
    let mut setup = bare(1, CostsName::Qspin2s);
    setup.duration_ns = 300 * MS;
    setup.kernel.rt_runtime_ns = None;
    setup.tasks.push(task("hog", fifo(50), &[0], 2 * MS, hog(1 << 40)));
    let nap = forever(&[work(US), pause(3 * MS)]);
    setup
        .tasks
        .extend((0..200).map(|index| task(&format!("waits{index}"), fair(), &[0], 0, nap.clone())));
    setup
}

#[test]
fn tasks_that_wait_long_take_no_more_memory_for_it() {
    let mut run = Run::new(&hog_and_waiters(), Options { check_every: 1024, ..Options::default() })
        .expect("valid");
    assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
    let waits = run.open_waits();
    assert!(waits.len() >= 200, "{} wait", waits.len());
    for wait in &waits {
        assert!(wait.segments.len() <= STRETCHES_MAX, "{} stretches", wait.segments.len());
        let sum: u64 = wait.segments.iter().map(|(_, ns)| ns).sum();
        assert_eq!(sum, 300 * MS - wait.due, "the causes are the whole wait");
    }
    assert!(
        waits.iter().any(|wait| wait.segments.iter().any(|(_, ns)| *ns == 0)),
        "some have more than they keep in order"
    );
    assert!(run.held_bytes() < 1 << 20, "{} bytes", run.held_bytes());
}

#[test]
fn a_run_stops_at_its_memory_limit_and_a_program_of_samples_at_its_steps_and_each_is_named() {
    let ends = |setup: &Setup, options: Options| {
        let mut run = Run::new(setup, options).expect("valid");
        assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Limit);
        let report = run.report();
        assert!(!report.complete && report.simulated_ns < setup.duration_ns);
        report.limit.expect("named")
    };
    let window = Options::EVERYTHING;
    let traced = ends(
        &herd(8, 1, US, CostsName::Qspin2s),
        Options { window, max_bytes: 1 << 20, ..Options::default() },
    );
    assert_eq!(traced, "memory");
    // Nothing is written: the clock goes on by 1 ns a round.
    let mut setup = bare(1, CostsName::Qspin2s);
    setup.duration_ns = 86_400_000 * MS;
    let stamp = object(&mut setup, Object::Stamp);
    setup.tasks.push(task("stamps", fair(), &[0], 0, forever(&[Op::Stamp { stamp }])));
    assert_eq!(ends(&setup, Options { max_records: 10_000, ..Options::default() }), "steps");
    setup.tasks[0].program = forever(&vec![Op::Sample { stamp }; 500]);
    assert_eq!(ends(&setup, Options { max_bytes: 1 << 20, ..Options::default() }), "memory");
}

#[test]
fn rows_that_were_taken_count_if_whoever_takes_them_keeps_them() {
    let held = |rows_stay| {
        let options = Options { window: Options::EVERYTHING, rows_stay, ..Options::default() };
        let mut run = Run::new(&herd(4, 1, US, CostsName::Qspin2s), options).expect("valid");
        assert_eq!(run.advance(10 * MS, u64::MAX), Progress::Running);
        let before = run.held_bytes();
        let _snapshot = run.snapshot();
        assert_eq!(run.held_bytes(), before, "a snapshot takes nothing");
        run.take_trace();
        run.take_wakes();
        (before, run.held_bytes())
    };
    let ((before, left), (all, kept)) = (held(false), held(true));
    assert!(left * 2 < before && before == all && kept == all, "{before} {left} {all} {kept}");
}
