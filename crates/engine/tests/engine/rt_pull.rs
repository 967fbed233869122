//! Pulls, and their effect on the task that runs meanwhile (pull_rt_task(), prio_changed_rt()).

use schedscope_engine::kernel::config::RtBalance;
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::named::Named;
use schedscope_engine::setup::{Op, Setup};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{bare, fair, fifo, hog, once, task, work};
use crate::support::judge::play;
use crate::support::{MS, US, with_balance};

/// CPU 0 has a task that waits behind a stronger one; at 1 ms the task on CPU 1 gets `weaker`.
fn lowers(balance: RtBalance, push_ipi: bool, weaker: Op) -> Setup {
    let mut setup = with_balance(bare(2, CostsName::Qspin2s), balance, push_ipi);
    setup.tasks.push(task("lowers", fifo(60), &[1], 0, once(&[work(MS), weaker, work(30 * MS)])));
    setup.tasks.push(task("stays", fifo(50), &[0], 0, hog(30 * MS)));
    setup.tasks.push(task("waits", fifo(40), &[0, 1], 100 * US, hog(MS)));
    setup.duration_ns = 5 * MS;
    setup
}

#[test]
fn a_task_pulled_because_the_running_one_got_weaker_runs_at_once() {
    for balance in RtBalance::ALL.iter().copied().filter(|balance| balance.is_active()) {
        for push_ipi in [false, balance.has_push_ipi_bit()] {
            for policy in [fifo(30), fair()] {
                let written = play(&lowers(balance, push_ipi, Op::SetPolicy { policy }));
                let runs = written
                    .rows
                    .iter()
                    .find(|row| row.kind == Kind::SchedSwitch && row.b == 2)
                    .map(|row| row.time);
                let soon = runs.is_some_and(|at| (MS..MS + 100 * US).contains(&at));
                assert!(soon, "{balance:?}, push_ipi {push_ipi}, {policy:?}: it runs at {runs:?}");
            }
        }
    }
}
