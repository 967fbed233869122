//! Priority inheritance and deadlock, on a machine without costs: each time is known by hand.

use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::setup::{Object, Op, Policy, Setup};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::US;
use crate::support::build::{bare, fair, fifo, hog, object, once, task, work};
use crate::support::judge::{ended, play};

const FREE: CostsName = CostsName::Zero;

fn findings(setup: &Setup) -> Vec<(&'static str, String)> {
    play(setup).report.findings.into_iter().map(|finding| (finding.kind, finding.what)).collect()
}

/// One CPU: `weak` holds the mutex for 100 us from 50, `strong` wants it at 70, `middle` runs 500
/// us from 80.
fn inversion(pi: bool, weak: Policy) -> Setup {
    let mut setup = bare(1, FREE);
    let mutex = object(&mut setup, Object::Mutex { pi });
    let (lock, unlock) = (Op::Lock { mutex }, Op::Unlock { mutex });
    // A fair task's timer has 50 us of slack.
    let start = if matches!(weak, Policy::Fair { .. }) { 0 } else { 50 * US };
    setup.tasks.push(task(
        "weak",
        weak,
        &[0],
        start,
        once(&[lock.clone(), work(100 * US), unlock.clone(), work(10 * US)]),
    ));
    setup.tasks.push(task("strong", fifo(30), &[0], 70 * US, once(&[lock, work(5 * US), unlock])));
    setup.tasks.push(task("middle", fifo(20), &[0], 80 * US, hog(500 * US)));
    setup
}

#[test]
fn with_inheritance_the_strong_task_waits_for_the_critical_section_without_for_the_middle_tasks_whole_run()
 {
    for weak in [fifo(10), fair()] {
        let setup = inversion(true, weak);
        let written = play(&setup);
        let ends = ["strong.0", "middle.0", "weak.0"].map(|name| ended(&written, &setup, name));
        assert_eq!(ends, [155, 655, 665], "{weak:?}");
        let prios: Vec<(u32, u32)> = written
            .rows
            .iter()
            .filter(|row| row.kind == Kind::PiSetprio)
            .map(|row| (row.a, row.b))
            .collect();
        assert_eq!(prios, [(0, 69), (0, u32::from(weak.prio()))], "up to 99 - 30, and back");
        let setup = inversion(false, weak);
        let written = play(&setup);
        assert_eq!(
            ended(&written, &setup, "strong.0"),
            655,
            "{weak:?}: 100 us of weak and 500 of middle"
        );
    }
}

#[test]
fn a_chain_of_owners_inherits_and_the_one_that_runs_is_the_last() {
    let mut setup = bare(1, FREE);
    let (a, b) = (
        object(&mut setup, Object::Mutex { pi: true }),
        object(&mut setup, Object::Mutex { pi: true }),
    );
    let lock = |mutex| Op::Lock { mutex };
    let unlock = |mutex| Op::Unlock { mutex };
    setup.tasks.push(task("last", fifo(5), &[0], 0, once(&[lock(b), work(100 * US), unlock(b)])));
    setup.tasks.push(task(
        "middle",
        fifo(10),
        &[0],
        10 * US,
        once(&[lock(a), lock(b), work(10 * US), unlock(b), unlock(a)]),
    ));
    setup.tasks.push(task("first", fifo(40), &[0], 20 * US, once(&[lock(a), work(US), unlock(a)])));
    setup.tasks.push(task("hog", fifo(30), &[0], 30 * US, hog(500 * US)));
    let written = play(&setup);
    assert_eq!(ended(&written, &setup, "first.0"), 111);
    assert_eq!(ended(&written, &setup, "hog.0"), 611);
    let last: Vec<u32> = written
        .rows
        .iter()
        .filter(|row| row.kind == Kind::PiSetprio && row.a == 0)
        .map(|row| row.b)
        .collect();
    assert_eq!(last, [89, 59, 94], "middle's, first's, its own");
}

#[test]
fn a_deadlock_is_found_and_named_once() {
    for pi in [false, true] {
        let mut setup = bare(2, FREE);
        let (a, b) =
            (object(&mut setup, Object::Mutex { pi }), object(&mut setup, Object::Mutex { pi }));
        let both = |first, second| {
            once(&[Op::Lock { mutex: first }, work(50 * US), Op::Lock { mutex: second }])
        };
        setup.tasks.push(task("x", fifo(10), &[0], 0, both(a, b)));
        setup.tasks.push(task("y", fifo(20), &[1], 0, both(b, a)));
        let found = findings(&setup);
        assert_eq!(found.len(), 1, "pi {pi}: {found:?}");
        assert_eq!(found[0].0, "deadlock");
        for name in ["x.0", "y.0", "object0", "object1"] {
            assert!(found[0].1.contains(name), "{}", found[0].1);
        }
    }
    let mut setup = bare(1, FREE);
    let mutex = object(&mut setup, Object::Mutex { pi: false });
    setup.tasks.push(task(
        "self",
        fifo(10),
        &[0],
        0,
        once(&[Op::Lock { mutex }, Op::Lock { mutex }]),
    ));
    assert_eq!(findings(&setup).len(), 1, "a mutex taken twice");
}
