//! One queue for the tasks of all groups, from 7.3 on (docs/model/fair-class.md#one-queue). The
//! kernels differ in that alone.

use schedscope_engine::kernel::config::{Kernel, Preempt, Version};
use schedscope_engine::run::Options;
use schedscope_engine::setup::{GroupSpec, Policy, Setup, TaskSpec};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{costless, fair, forever, hog, pause, task, work};
use crate::support::judge::{Row, Written, judge, written};
use crate::support::quota::{group_of, machine, member, quota};
use crate::support::rows::with_other_answer;
use crate::support::{MS, US, run};

const LONG: u64 = 3_600_000 * MS;

/// 7.2, and 7.2 with one queue.
fn kernels(cpus: u32) -> [Kernel; 2] {
    let before = Kernel::of_version(Version::parse("7.2").expect("a release"), cpus);
    let before = Kernel { preempt: Preempt::Full, hz: 1000, ..before };
    [before.clone(), with_other_answer(&before, "flat_queue")]
}

fn play(setup: &Setup) -> Written {
    let written = written(&mut run(setup, Options::EVERYTHING, 1));
    judge(setup, &written).expect("the trace keeps the laws");
    written
}

/// One CPU and two groups of the default weight.
fn two_groups(kernel: Kernel, duration_ns: u64, tasks: Vec<TaskSpec>) -> Setup {
    let mut setup = costless(Version::V6_6, 1, duration_ns);
    for path in ["a", "b"] {
        setup.groups.push(GroupSpec { path: path.to_owned(), ..GroupSpec::root() });
    }
    Setup { kernel, tasks, ..setup }
}

fn of(group: u32, name: &str, start_ns: u64) -> TaskSpec {
    TaskSpec { group, ..task(name, fair(), &[0], start_ns, hog(LONG)) }
}

/// Parts of 512, 512 and 1024: a quarter, a quarter, a half of 4 s.
#[test]
fn groups_get_the_same_shares_on_one_queue() {
    for kernel in kernels(1) {
        let tasks = vec![of(1, "a1", 0), of(1, "a2", 0), of(2, "b", 0)];
        let written = play(&two_groups(kernel, 4_000 * MS, tasks));
        let ran = |name: &str| (written.report.metrics.tasks[name].run_ns + 5 * MS) / (10 * MS);
        assert_eq!(["a1.0", "a2.0", "b.0"].map(ran), [100, 100, 200]);
    }
}

/// `a` has run for its slice, 0.7 ms, and `b` for 0.2 ms, as a task with a slice of 0.1 ms wakes in
/// the group of `a`. The group is ahead of its share, so to 7.2 the task waits until `b` has had
/// 0.7 ms too, 0.5 ms later. On one queue it is at the average itself, and its request ends first.
/// Each task starts 50 us after its time, by the timer's slack.
#[test]
fn a_short_slice_in_a_group_that_is_ahead_preempts_a_task_of_another_group() {
    let waits = |kernel: Kernel| {
        let short = TaskSpec { slice_ns: Some(100 * US), ..of(1, "short", 900 * US) };
        let tasks = vec![of(1, "a", 0), of(2, "b", 0), short];
        let written = play(&two_groups(kernel, 5 * MS, tasks));
        let time = |found: fn(&Row) -> bool| {
            written.rows.iter().find(|row| found(row)).map(|row| row.time)
        };
        let joins = time(|row| row.kind == Kind::SchedWakeup && row.a == 2);
        let runs = time(|row| row.kind == Kind::SchedSwitch && row.b == 2);
        runs.expect("it runs") - joins.expect("it wakes")
    };
    let [before, since] = kernels(1).map(waits);
    assert!(before.abs_diff(500 * US) < 10 * US && since < US, "{before} {since}");
}

/// 50 of 100 ms for two hogs, and the same for one of them inside a group of its own.
#[test]
fn a_quota_stops_a_group_as_often_on_one_queue() {
    let books = |kernel: Kernel| {
        let groups = [(0, quota(50 * MS, 37 * MS + 437 * US)), (1, quota(20 * MS, 5 * MS))];
        let mut setup = machine(1, kernel.bandwidth, &groups);
        (setup.kernel, setup.duration_ns) = (kernel, 2_000 * MS);
        setup.tasks.push(member(1, "outer", &[0], 0, hog(LONG)));
        setup.tasks.push(member(2, "inner", &[0], 0, hog(LONG)));
        let mut run = run(&setup, Options::EVERYTHING, 1);
        let found = ["a", "b"].map(|name| group_of(&run, name));
        judge(&setup, &written(&mut run)).expect("the trace keeps the laws");
        found.map(|group| (group.usage_ns / MS, group.nr_throttled))
    };
    let [before, since] = kernels(1).map(books);
    for ((before, stops), (since, as_many)) in before.into_iter().zip(since) {
        assert!(before.abs_diff(since) <= 5 && stops == as_many, "{before} {since}");
    }
    assert!(since[0].0.abs_diff(1_000) <= 60 && since[1].0.abs_diff(400) <= 25, "{since:?}");
}

/// 8 CPUs whose tasks work, sleep, are moved and stop.
#[test]
fn a_group_gets_the_same_quota_on_eight_cpus() {
    let usage = |kernel: Kernel| {
        let groups = [(0, quota(30 * MS, 61 * MS + 137 * US)), (1, quota(20 * MS, 5 * MS))];
        let mut setup = machine(8, kernel.bandwidth, &groups);
        (setup.kernel, setup.duration_ns) = (kernel, 2_000 * MS);
        let everywhere: Vec<u32> = (0..8).collect();
        for cpu in 0..8 {
            let naps = forever(&[work(700 * US), pause(2 * MS)]);
            setup.tasks.push(member(2, &format!("naps{cpu}"), &everywhere, 0, naps));
            setup.tasks.push(member(1, &format!("hog{cpu}"), &[cpu], 0, hog(LONG)));
        }
        let mut run = run(&setup, Options::EVERYTHING, 1);
        let usage = group_of(&run, "a").usage_ns / MS;
        judge(&setup, &written(&mut run)).expect("the trace keeps the laws");
        usage
    };
    let [before, since] = kernels(8).map(usage);
    assert!(before.abs_diff(since) < 10 && (580..=640).contains(&since), "{before} {since}");
}

#[test]
fn tasks_of_the_root_group_alone_run_as_before() {
    let digest = |kernel: Kernel| {
        let mut setup = costless(Version::V6_6, 2, 500 * MS);
        for (at, nice) in (0..8_u64).zip([0, 0, 5, -5, 0, 19, -20, 3]) {
            let naps = forever(&[work(at * 300 * US + 90 * US), pause(3 * MS)]);
            let program = if at % 3 == 0 { hog(LONG) } else { naps };
            let slice_ns = (at % 2 == 0).then_some((at + 1) * 400 * US);
            let name = format!("t{at}");
            let spec = task(&name, Policy::Fair { nice }, &[0, 1], at * MS, program);
            setup.tasks.push(TaskSpec { slice_ns, ..spec });
        }
        setup.kernel = kernel;
        play(&setup).report.digest
    };
    let [before, since] = kernels(2).map(digest);
    assert_eq!(before, since);
}
