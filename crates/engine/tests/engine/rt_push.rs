//! Pushes: their conditions, when they check them, and under which lock (find_lock_lowest_rq,
//! post_schedule).

use schedscope_engine::kernel::config::{DoubleLock, Kernel, RtBalance, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::ipi::{LOCAL_TIMER, RESCHEDULE};
use schedscope_engine::named::Named;
use schedscope_engine::setup::Setup;
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{bare, fifo, hog, task};
use crate::support::judge::{Row, Written, play};
use crate::support::{MS, US, with_balance};

/// When the stronger tasks come.
const COMES: u64 = 100 * US;

/// CPUs 0 and 1 each run a task that may go anywhere until a stronger one comes, the second `later`
/// ns after the first. The others are idle.
fn two_pushers(balance: RtBalance, later: u64) -> Setup {
    let mut setup = with_balance(bare(4, CostsName::Qspin2s), balance, false);
    setup.tasks.push(task("first", fifo(50), &[0, 1, 2, 3], 0, hog(MS)));
    setup.tasks.push(task("second", fifo(40), &[0, 1, 2, 3], 0, hog(MS)));
    setup.tasks.push(task("comes0", fifo(90), &[0], COMES, hog(5 * MS)));
    setup.tasks.push(task("comes1", fifo(90), &[1], COMES + later, hog(5 * MS)));
    setup.duration_ns = 2 * MS;
    setup
}

#[test]
fn a_cpu_that_another_push_fills_during_the_search_does_not_end_the_push() {
    for balance in RtBalance::ALL.iter().copied().filter(|balance| balance.is_active()) {
        // The first push searches, locks and moves within some 3 us.
        for later in (0..4 * US).step_by(50) {
            let written = play(&two_pushers(balance, later));
            let pushed = written
                .rows
                .iter()
                .filter(|row| row.kind == Kind::PushOk && row.time < COMES + 20 * US)
                .count();
            assert_eq!(
                pushed, 2,
                "{balance:?}, {later} ns later: idle CPUs, and a preempted task waits"
            );
        }
    }
}

/// CPU 0 runs something at 90 and has a task of priority `waits` waiting; CPU 1 ends its work at 90
/// and goes on at 60.
fn asked_by_v1(waits: u8) -> (usize, u64) {
    let mut setup = with_balance(bare(2, CostsName::Qspin2s), RtBalance::IpiV1, true);
    setup.tasks.push(task("waits", fifo(waits), &[0, 1], 50 * US, hog(MS)));
    setup.tasks.push(task("strong0", fifo(90), &[0], 10 * US, hog(5 * MS)));
    setup.tasks.push(task("strong1", fifo(90), &[1], 10 * US, hog(200 * US)));
    setup.tasks.push(task("left", fifo(60), &[1], 20 * US, hog(MS)));
    setup.duration_ns = MS;
    let written = play(&setup);
    let asks = written.rows.iter().filter(|row| {
        row.kind == Kind::IpiSend && (row.cpu, row.a, row.b) == (1, 0, RESCHEDULE as u32)
    });
    (asks.count(), written.report.metrics.sched.pushes)
}

#[test]
fn ipi_v1_asks_only_cpus_whose_next_task_is_stronger_than_what_is_left_here() {
    assert_eq!(asked_by_v1(70), (1, 1), "it can take over from the task of 60");
    assert_eq!(asked_by_v1(60), (0, 0), "as strong as what is left");
    assert_eq!(
        asked_by_v1(50),
        (0, 0),
        "the patch's hunk stands behind the filter of pull_rt_task"
    );
}

/// CPU 0's task is preempted, and pushed to CPU 1; a timer of CPU 0 goes off while it switches.
fn preempted(version: Version) -> (Setup, Written) {
    let mut setup = bare(2, CostsName::Qspin2s);
    setup.kernel = Kernel {
        double_lock: DoubleLock::Unfair,
        rt_push_ipi: false,
        ..Kernel::of_version(version, 2)
    };
    setup.tasks.push(task("goes", fifo(50), &[0, 1], 0, hog(MS)));
    setup.tasks.push(task("stays", fifo(90), &[0], COMES, hog(5 * MS)));
    setup.tasks.push(task("weak", fifo(10), &[0], COMES + US, hog(US)));
    setup.duration_ns = MS;
    let written = play(&setup);
    (setup, written)
}

#[test]
fn up_to_4_1_the_push_after_a_switch_takes_the_lock_anew_and_interrupts_come_in_between() {
    for version in Version::LADDER
        .iter()
        .copied()
        .filter(|version| (Version::V3_2..=Version::V7_0).contains(version))
    {
        let (setup, written) = preempted(version);
        let at = |wanted: &dyn Fn(&Row) -> bool| {
            written.rows.iter().position(wanted).expect("it happens")
        };
        let switched =
            at(&|row| row.kind == Kind::SchedSwitch && (row.cpu, row.a, row.b) == (0, 0, 1));
        let pushed = at(&|row| row.kind == Kind::PushOk && row.cpu == 0);
        let between = &written.rows[switched..pushed];
        let let_go = between
            .iter()
            .filter(|row| row.kind == Kind::LockRel && (row.cpu, row.a) == (0, 0))
            .count();
        let timers = between
            .iter()
            .filter(|row| row.kind == Kind::IrqEntry && (row.cpu, row.a) == (0, LOCAL_TIMER as u32))
            .count();
        let anew = version < Version::V4_2;
        assert_eq!(setup.kernel.has_post_schedule(), anew);
        // Between the switch and the push the wake-up of "weak" takes and releases the lock too.
        assert_eq!((let_go, timers), if anew { (2, 1) } else { (0, 0) }, "{}", version);
    }
}
