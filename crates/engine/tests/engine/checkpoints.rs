//! A run that restarts from a snapshot of its own with other writes gives the same bytes as a run
//! from the start with these writes.

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::Topology;
use schedscope_engine::run::{Checkpoints, Options, Progress, Run};
use schedscope_engine::setup::{GroupSpec, Setup, TaskSpec};
use schedscope_engine::trace::columns::{Columns, Wakes};

use crate::support::build::{bare, fair, fifo, hog, task};
use crate::support::live::{Play, Write, ready, writes};
use crate::support::random::{Dice, case};
use crate::support::{MS, US, herd};

/// The digest and the report, the rows, the wake-ups.
type Said = (String, Columns, Wakes);

fn options() -> Options {
    Options {
        window: Options::EVERYTHING,
        max_records: 400_000,
        rows_stay: true,
        check_every: 512,
        ..Options::default()
    }
}

fn boot(setup: &Setup) -> Run {
    Run::new(setup, options()).expect("the setup is sound")
}

fn said(run: &mut Run) -> Said {
    (
        serde_json::to_string(&run.report()).expect("a report is text"),
        run.take_trace(),
        run.take_wakes(),
    )
}

/// The figures and rows of a run with these writes from the start on.
fn fresh(setup: &Setup, writes: &[Write]) -> Option<Said> {
    let mut run = boot(setup);
    (Play::new(writes).finish(&mut run) == Progress::Finished).then(|| said(&mut run))
}

/// Rows at and before `ns`, and wake-ups that were finished there.
fn up_to(ns: u64, (_, rows, wakes): &Said) -> (usize, usize) {
    let done = wakes
        .due
        .iter()
        .zip(&wakes.latency)
        .filter(|(due, latency)| **due + **latency <= ns)
        .count();
    (rows.time.partition_point(|time| *time <= ns), done)
}

/// The rows of the past, and those after it.
fn joined((_, rows, wakes): &Said, ns: u64, (report, later, awake): Said) -> Said {
    let (row, wake) = up_to(ns, &(String::new(), rows.clone(), wakes.clone()));
    let segment = wake.checked_sub(1).map_or(0, |last| wakes.segments_end[last] as usize);
    let rows = Columns {
        time: [&rows.time[..row], &later.time].concat(),
        kind: [&rows.kind[..row], &later.kind].concat(),
        cpu: [&rows.cpu[..row], &later.cpu].concat(),
        a: [&rows.a[..row], &later.a].concat(),
        b: [&rows.b[..row], &later.b].concat(),
    };
    let wakes = Wakes {
        task: [&wakes.task[..wake], &awake.task].concat(),
        nth: [&wakes.nth[..wake], &awake.nth].concat(),
        cpu: [&wakes.cpu[..wake], &awake.cpu].concat(),
        due: [&wakes.due[..wake], &awake.due].concat(),
        latency: [&wakes.latency[..wake], &awake.latency].concat(),
        segments_end: [&wakes.segments_end[..wake], &awake.segments_end].concat(),
        segment_cause: [&wakes.segment_cause[..segment], &awake.segment_cause].concat(),
        segment_ns: [&wakes.segment_ns[..segment], &awake.segment_ns].concat(),
    };
    (report, rows, wakes)
}

/// Runs `setup` with snapshots at random instants, with room for all, for one or two, or for a few.
fn watched(setup: &Setup, dice: &mut Dice) -> Option<(Run, Checkpoints, Said)> {
    let mut run = boot(setup);
    let cpus = setup.machine.topology.cpus();
    let mut checkpoints = Checkpoints::within(cpus, one_of(setup) * dice.pick(&[2, 8, 1_000]));
    while run.advance(u64::MAX, dice.between(1, 800)) == Progress::Running {
        checkpoints.keep(&mut run, 0);
    }
    let said = said(&mut run);
    run.limit().is_none().then_some((run, checkpoints, said))
}

/// Bytes of a snapshot at the start.
fn one_of(setup: &Setup) -> u64 {
    let mut checkpoints = Checkpoints::within(1, u64::MAX);
    checkpoints.keep(&mut boot(setup), 0);
    checkpoints.bytes()
}

#[test]
fn what_is_written_to_a_run_taken_up_from_a_snapshot_gives_the_bytes_of_a_run_from_the_start() {
    let mut forks = 0;
    for case in (1..).map(case).take(180) {
        let dice = &mut Dice::new(case.setup.seed ^ 0xf0);
        let written = writes(dice, &case.setup, true);
        let Some(first) = written.first() else { continue };
        let with = ready(&case.setup, &written);
        let (Some((mut run, mut checkpoints, past)), Some(whole)) =
            (watched(&case.setup, dice), fresh(&with, &written))
        else {
            continue;
        };
        if checkpoints.resume(&mut run, first.at_ns, 0).is_none() {
            continue;
        }
        let at = run.now();
        assert!(at <= first.at_ns);
        if with.stopper(CpuId::new(0)).is_some() {
            run.add_stoppers();
        }
        if Play::new(&written).finish(&mut run) != Progress::Finished {
            continue;
        }
        forks += usize::from(at > 0);
        let future = said(&mut run);
        assert!(
            joined(&past, at, future) == whole,
            "seed {}, taken up at {at} ns",
            case.setup.seed
        );
    }
    assert!(forks >= 30, "{forks} runs were taken up on their way");
}

#[test]
fn stoppers_added_on_the_way_are_those_of_a_run_that_had_them_from_the_start() {
    let setup = {
        let mut setup = herd(6, 2, US, CostsName::Qspin2s);
        setup.tasks.push(task("who", fair(), &[1], 10 * US, hog(4 * MS)));
        setup.tasks.push(task("strong", fifo(90), &[0], MS, hog(2 * MS)));
        setup
    };
    let write = |run: &mut Run| {
        assert!(
            run.change("tasks.\"who.0\".policy", "SCHED_FIFO 40")
                && run.change("tasks.\"strong.0\".cpus", "2-3")
        );
        assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
        said(run)
    };
    let mut from_start = boot(&setup.clone().with_all_stoppers());
    from_start.advance(1500 * US, u64::MAX);
    let mut on_the_way = boot(&setup);
    on_the_way.advance(1500 * US, u64::MAX);
    on_the_way.add_stoppers();
    assert!(write(&mut on_the_way) == write(&mut from_start));
}

#[test]
fn a_run_is_taken_up_from_the_last_snapshot_that_knows_of_no_later_change() {
    let setup = herd(8, 3, US, CostsName::Qspin2s);
    let (mut run, mut checkpoints) = (boot(&setup), Checkpoints::new(8));
    assert_eq!(checkpoints.resume(&mut run, u64::MAX, 9), None, "there is none yet");
    for (nth, at) in [100 * US, 200 * US, 300 * US].into_iter().enumerate() {
        run.advance(at, u64::MAX);
        checkpoints.keep(&mut run, nth as u32);
    }
    assert_eq!(
        checkpoints.clone().resume(&mut run, 250 * US, 9).zip(Some(run.now())),
        Some((1, 200 * US))
    );
    assert_eq!(
        checkpoints.clone().resume(&mut run, 250 * US, 0).zip(Some(run.now())),
        Some((0, 100 * US))
    );
    assert_eq!(checkpoints.resume(&mut run, 99 * US, 9), None);
    assert!(checkpoints.is_empty(), "those behind are of a future that is given up");
}

#[test]
fn snapshots_stay_few_and_spread_over_a_run_however_long_it_is() {
    let setup = herd(8, 3, US, CostsName::Qspin2s);
    let (mut run, mut checkpoints) = (boot(&setup), Checkpoints::new(8));
    let mut now = 0;
    let step = setup.duration_ns / 200;
    while now + step < setup.duration_ns {
        now += step;
        run.advance(now, u64::MAX);
        checkpoints.keep(&mut run, 0);
        assert!(checkpoints.len() <= 32);
    }
    assert!(checkpoints.len() >= 16);
    for quarter in (1..=4).rev() {
        let asked = now * quarter / 4;
        assert!(
            checkpoints.resume(&mut run, asked, 0).is_some() && run.now() > asked / 2,
            "{asked}: {}",
            run.now()
        );
    }
}

/// 1024 CPUs with `groups` groups, a task in each.
fn large(groups: u32) -> Setup {
    let mut setup = bare(1024, CostsName::Zero);
    setup.machine.topology = Topology::new(1024, 32);
    setup.duration_ns = MS;
    for nth in 1..groups {
        setup.groups.push(GroupSpec { path: format!("g{nth}"), ..GroupSpec::root() });
        setup.tasks.push(TaskSpec {
            group: nth,
            ..task(&format!("t{nth}"), fair(), &[nth % 1024], 10 * US, hog(900 * US))
        });
    }
    setup
}

#[test]
fn snapshots_of_large_machines_with_many_groups_stay_within_128_mib_and_a_run_that_affords_none_has_none()
 {
    let kept = [1, 8, 64, 256, 1024].map(|groups| {
        let (mut run, mut checkpoints) = (boot(&large(groups)), Checkpoints::new(1024));
        for step in 1..20 {
            run.advance(step * 50 * US, u64::MAX);
            checkpoints.keep(&mut run, 0);
            assert!(checkpoints.bytes() <= 128 << 20, "{groups} groups: {}", checkpoints.bytes());
        }
        checkpoints.len()
    });
    assert_eq!((kept[0], kept[1], kept[4]), (12, 12, 0), "{kept:?}");
    assert!(
        kept.is_sorted_by(|fewer_groups, more| fewer_groups >= more) && (2..12).contains(&kept[2]),
        "{kept:?}"
    );
}

#[test]
fn with_room_for_few_snapshots_they_are_spread_all_the_same() {
    let setup = herd(8, 3, US, CostsName::Qspin2s);
    let one = one_of(&setup);
    for room in 0..6 {
        let (mut run, mut checkpoints) = (boot(&setup), Checkpoints::within(8, one * room * 3 / 2));
        let step = setup.duration_ns / 100;
        for nth in 1..100 {
            run.advance(step * nth, u64::MAX);
            checkpoints.keep(&mut run, 0);
        }
        assert!(checkpoints.bytes() <= one * room * 3 / 2);
        assert!(
            (room / 2..=room * 3 / 2).contains(&(checkpoints.len() as u64)),
            "{room}: {}",
            checkpoints.len()
        );
        if checkpoints.len() >= 3 {
            let asked = setup.duration_ns * 3 / 4;
            assert!(
                checkpoints.resume(&mut run, asked, 0).is_some() && run.now() > asked / 4,
                "{room}: {}",
                run.now()
            );
        }
    }
}
