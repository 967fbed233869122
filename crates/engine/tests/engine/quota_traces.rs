//! Quotas in the trace and in cpu.stat, besides the levels: slack timers left alone, time kept
//! waiting by a group above, a slice written to the running kernel; and the prototype's list in
//! eras that number no periods.

use schedscope_engine::kernel::config::{Bandwidth, BandwidthPreset, Expiry, Version};
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::{GroupSpec, Setup};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::hog;
use crate::support::judge::{Row, play};
use crate::support::quota::{ERAS, fibtest, group_of, machine, member, quota, slack};
use crate::support::{MS, US, run};

/// docs/model/bandwidth.md#slack-timer: slack_arm, skip with its reason, fire.
#[test]
fn a_slack_timer_that_is_not_armed_is_in_the_trace_with_the_reason() {
    // The prototype starts its timer at every return, refills near or not.
    let prototype = |phase_ms| {
        fibtest(
            8,
            Bandwidth::of_preset(BandwidthPreset::SegallList),
            50,
            phase_ms * MS + 300 * US,
            300 * US,
        )
    };
    let mut seen = [0; 3];
    for phase_ms in (1..100).step_by(14) {
        let shipped = |version| {
            let mut setup = slack(Bandwidth::of_version(version));
            setup.groups[1].bandwidth = Some(quota(60 * MS, phase_ms * MS + 300 * US));
            setup
        };
        for mut setup in [
            prototype(phase_ms),
            shipped(Version::V5_4),
            shipped(Version::V6_1),
            shipped(Version::V6_18),
        ] {
            setup.duration_ns = 1_000 * MS;
            skips(&setup, &mut seen);
        }
    }
    assert!(seen[0] > 10 && seen[2] > 1_000, "near a refill, during one, armed already: {seen:?}");
    // A released kernel skips for the one reason or the other, too.
    let mut shipped = [0; 3];
    skips(&slack(Bandwidth::of_version(Version::V6_1)), &mut shipped);
    assert!(shipped[2] > 30, "{shipped:?}");
}

/// Counts the skips by their reasons, each of which must be true.
fn skips(setup: &Setup, seen: &mut [u32; 3]) {
    let written = play(setup);
    let kinds = [Kind::BwSlack, Kind::BwSlackSkip, Kind::BwRefill];
    let rows: Vec<&Row> = written.rows.iter().filter(|row| kinds.contains(&row.kind)).collect();
    let (mut armed, mut refilled) = (false, 0);
    for (at, row) in rows.iter().enumerate() {
        let next = rows[at..]
            .iter()
            .find(|row| row.kind == Kind::BwRefill)
            .map(|refill| refill.time - row.time);
        match (row.kind, row.b) {
            (Kind::BwSlack, code) => armed = code == 0,
            (Kind::BwRefill, _) => refilled = row.time,
            (_, 0) => assert!(
                next.is_none_or(|ns| ns < 7 * MS + 100 * US),
                "{row:?}: the refill is {next:?} ns away"
            ),
            (_, 1) => assert!(
                next.is_some_and(|ns| ns < 100 * US) || row.time - refilled < 100 * US,
                "{row:?}: no refill"
            ),
            _ => assert!(
                armed && next.is_none_or(|ns| ns > 7 * MS - 100 * US),
                "{row:?}: nothing is armed"
            ),
        }
        if row.kind == Kind::BwSlackSkip {
            seen[row.b as usize] += 1;
        }
    }
}

/// cpu.stat.local of 6.6 on (docs/model/bandwidth.md#cpu-stat): a child waits for its parent, and
/// its own throttled time says nothing of it.
#[test]
fn time_a_child_is_kept_waiting_by_its_parent_is_in_its_local_figure_alone() {
    for version in ERAS {
        // The child's own quota is never used up. It has no quota at all, in the second round.
        for quotas in [vec![20, 90], vec![20]] {
            let groups: Vec<_> = quotas
                .iter()
                .zip(0..)
                .map(|(ms, parent)| (parent, quota(ms * MS, 37 * MS + 437 * US)))
                .collect();
            let mut setup = machine(2, Bandwidth::of_version(version), &groups);
            if groups.len() == 1 {
                setup.groups.push(GroupSpec {
                    path: "b".to_owned(),
                    parent: 1,
                    ..GroupSpec::root()
                });
            }
            setup.duration_ns = 1_000 * MS;
            setup.tasks.push(member(2, "hog", &[0], 0, hog(1 << 40)));
            let run = run(&setup, None, 1);
            let (parent, child) = (group_of(&run, "a"), group_of(&run, "b"));
            assert!((700 * MS..800 * MS).contains(&parent.throttled_ns), "{version:?}: {parent:?}");
            let kept = (child.throttled_ns, child.throttled_local_ns, parent.throttled_local_ns);
            assert_eq!(
                kept,
                (0, parent.throttled_ns, parent.throttled_ns),
                "{version:?}: its one hog is always there to wait"
            );
        }
    }
}

#[test]
fn an_empty_queue_keeps_nobody_waiting() {
    for version in ERAS {
        let group = group_of(
            &run(
                &fibtest(8, Bandwidth::of_version(version), 50, 37 * MS + 300 * US, 300 * US),
                None,
                64,
            ),
            "a",
        );
        // A worker that sleeps with nothing left leaves a throttled queue behind. Since 6.6
        // cpu.stat leaves those out as well.
        let same = group.throttled_local_ns == group.throttled_ns;
        assert!(same || group.throttled_local_ns < group.throttled_ns, "{version:?}: {group:?}");
        assert_eq!(same, Bandwidth::of_version(version).late_clock, "{version:?}: {group:?}");
    }
}

#[test]
fn a_slice_written_to_the_running_kernel_is_what_silos_are_filled_to_from_then_on() {
    for version in ERAS {
        let setup = fibtest(4, Bandwidth::of_version(version), 50, 37 * MS + 300 * US, 3 * US);
        let mut run = Run::new(
            &setup,
            Options { window: Options::EVERYTHING, check_every: 64, ..Options::default() },
        )
        .expect("valid");
        assert_eq!(run.advance(1_000 * MS, u64::MAX), Progress::Running);
        let most = |run: &mut Run| {
            let trace = run.take_trace();
            let silo = |row: &usize| trace.kind[*row] == Kind::BwSilo as u8;
            (0..trace.time.len())
                .filter(silo)
                .map(|row| trace.b[row] as i32)
                .max()
                .expect("silos are filled")
        };
        assert_eq!(most(&mut run), 5_000_000, "{version:?}");
        assert!(!run.set_bandwidth_slice(999) && run.set_bandwidth_slice(1_500_000));
        // The silos keep their run time until it is used.
        assert_eq!(run.advance(1_200 * MS, u64::MAX), Progress::Running);
        assert!(most(&mut run) <= 5_000_000);
        assert_eq!(run.advance(u64::MAX, u64::MAX), Progress::Finished);
        assert_eq!(most(&mut run), 1_500_000, "{version:?}");
    }
}

/// The prototype was written for numbered periods. With deadlines alone it compares deadlines:
/// returned run time belongs to the pool as long as its deadline is the group's, and is not lost.
#[test]
fn the_slack_list_goes_by_deadlines_where_periods_have_no_numbers() {
    for expiry in [Expiry::TimeCmp, Expiry::BrokenTick, Expiry::Seq, Expiry::Never] {
        for phase_ms in [13, 37, 71] {
            let bandwidth =
                Bandwidth { expiry, ..Bandwidth::of_preset(BandwidthPreset::SegallList) };
            let setup = fibtest(8, bandwidth, 50, phase_ms * MS + 300 * US, 300 * US);
            let group = group_of(&run(&Setup { duration_ns: 1_000 * MS, ..setup }, None, 64), "a");
            assert!(
                group.dropped_ns < MS && group.usage_ns > 500 * MS,
                "{expiry:?}, phase {phase_ms} ms: {group:?}"
            );
            assert!(
                group.lock_acquisitions > 1_500,
                "{expiry:?}: it gathers what idle CPUs hold: {group:?}"
            );
        }
    }
}

#[test]
fn a_silo_that_expires_shows_that_it_is_empty() {
    for version in [Version::V3_2, Version::V4_18, Version::V4_19] {
        let mut setup = fibtest(8, Bandwidth::of_version(version), 10, 37 * MS + 300 * US, 3 * US);
        setup.duration_ns = 2_000 * MS;
        let rows = play(&setup).rows;
        let expired = rows.iter().enumerate().filter(|(_, row)| row.kind == Kind::BwExpireSilo);
        let mut seen = 0;
        for (at, lost) in expired {
            let shown = rows[at..].iter().take_while(|row| row.time == lost.time);
            let levels: Vec<u32> = shown
                .filter(|row| row.kind == Kind::BwSilo && row.cpu == lost.cpu)
                .map(|row| row.b)
                .collect();
            assert_eq!(levels.first(), Some(&0), "{version:?} at {} ns", lost.time);
            seen += 1;
        }
        assert!(seen > 10, "{version:?}: {seen} expired");
    }
}
