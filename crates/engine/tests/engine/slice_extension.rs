//! rseq time slice extension: which tasks get one, and how it ends
//! (docs/model/preemption.md#slice-extension).

use schedscope_engine::kernel::config::{Kernel, Preempt, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::setup::{Amount, Op, Setup};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::US;
use crate::support::build::{bare, fair, fifo, once, task, work};
use crate::support::judge::{Written, play};

/// A critical section of `ops` on CPU 0 from 0 on, and a stronger task that wakes at 4 us.
fn contended(preempt: Preempt, extends: bool, ops: &[Op]) -> Setup {
    let mut setup = bare(1, CostsName::Zero);
    setup.kernel = Kernel::of_version(Version::V7_0, 1);
    (setup.kernel.preempt, setup.kernel.rseq_slice_extension) = (preempt, extends);
    let ops = [&[Op::SliceRequest], ops, &[Op::SliceYield, work(100 * US)]].concat();
    setup.tasks.push(task("holder", fifo(10), &[0], 0, once(&ops)));
    setup.tasks.push(task("waker", fifo(50), &[0], 4 * US, once(&[work(US)])));
    setup
}

/// When the first switch to `task` happened, us.
fn begins(written: &Written, task: u32) -> u64 {
    let on = written.rows.iter().find(|row| row.kind == Kind::SchedSwitch && row.b == task);
    on.map_or(u64::MAX, |row| row.time / US)
}

/// How extensions ended, in order.
fn ends(written: &Written) -> Vec<u32> {
    written.rows.iter().filter(|row| row.kind == Kind::SliceEnd).map(|row| row.b).collect()
}

/// When the stronger task began, us, and how extensions ended.
fn played(preempt: Preempt, extends: bool, ops: &[Op]) -> (u64, Vec<u32>) {
    let written = play(&contended(preempt, extends, ops));
    (begins(&written, 1), ends(&written))
}

const USER: [Preempt; 4] = [Preempt::None, Preempt::Voluntary, Preempt::Full, Preempt::Lazy];

#[test]
fn a_critical_section_that_is_short_enough_ends_before_its_task_is_preempted() {
    for preempt in USER {
        let section = [work(6 * US)];
        assert_eq!(played(preempt, true, &section), (6, vec![1]), "{preempt:?}");
        assert_eq!(played(preempt, false, &section), (4, vec![]), "{preempt:?}: no extension");
    }
}

#[test]
fn the_timer_ends_an_extension() {
    for preempt in USER {
        assert_eq!(played(preempt, true, &[work(20 * US)]), (9, vec![0]), "{preempt:?}");
        let mut longer = contended(preempt, true, &[work(20 * US)]);
        longer.kernel.rseq_slice_extension_length_ns = 12_000;
        assert_eq!(begins(&play(&longer), 1), 16, "{preempt:?}");
    }
}

#[test]
fn any_system_call_ends_an_extension() {
    for preempt in USER {
        let section = [work(7 * US), Op::Yield, work(9 * US)];
        assert_eq!(played(preempt, true, &section), (7, vec![2]), "{preempt:?}");
    }
}

#[test]
fn a_second_request_to_reschedule_revokes_the_extension() {
    for preempt in USER {
        let mut setup = contended(preempt, true, &[work(20 * US)]);
        setup.tasks.push(task("second", fifo(60), &[0], 6 * US, once(&[work(US)])));
        let written = play(&setup);
        assert_eq!((begins(&written, 2), ends(&written)), (6, vec![3]), "{preempt:?}");
    }
}

#[test]
fn a_request_that_was_taken_back_extends_nothing() {
    let section = [work(US), Op::SliceYield, work(20 * US)];
    assert_eq!(played(Preempt::Full, true, &section), (4, vec![]));
}

#[test]
fn preempt_rt_denies_an_extension_where_need_resched_is_set() {
    assert_eq!(played(Preempt::Rt, true, &[work(6 * US)]), (4, vec![]));
}

#[test]
fn a_lazy_flag_is_put_off_like_the_other() {
    let mut setup = contended(Preempt::Lazy, true, &[work(9_000 * US)]);
    for task in &mut setup.tasks {
        task.policy = fair();
    }
    let written = play(&setup);
    let grants = written.rows.iter().filter(|row| row.kind == Kind::SliceGrant).count();
    assert_eq!(grants, 1, "at the first tick, or before: one extension for one request");
    assert!(written.rows.iter().any(|row| row.kind == Kind::NeedReschedLazy));
}

/// A fault of 4 us in whose midst the stronger task wakes.
#[test]
fn a_task_in_a_page_fault_gets_its_extension_where_the_fault_returns() {
    let fault = Op::PageFault { ns: Amount::Fixed(4 * US), share_milli: 1_000 };
    let section = [work(2 * US), fault, work(4 * US)];
    for preempt in [Preempt::None, Preempt::Voluntary] {
        assert_eq!(played(preempt, true, &section), (10, vec![1]), "{preempt:?}");
        assert_eq!(played(preempt, false, &section), (6, vec![]), "{preempt:?}");
    }
    for preempt in [Preempt::Full, Preempt::Lazy] {
        assert_eq!(played(preempt, true, &section), (4, vec![]), "{preempt:?}: in the fault");
    }
}

#[test]
fn page_faults_come_in_their_share() {
    let mut setup = bare(1, CostsName::Zero);
    let fault = Op::PageFault { ns: Amount::Fixed(US), share_milli: 250 };
    setup.tasks.push(task("holder", fifo(10), &[0], 0, once(&vec![fault; 2_000])));
    let run_ns = play(&setup).report.metrics.tasks["holder.0"].run_ns;
    let faults = run_ns / US;
    assert!((450..=550).contains(&faults), "{faults} of 2000");
}
