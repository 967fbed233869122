//! What a CPU does in one piece instead of several steps: nobody can tell, whoever comes at whatever
//! instant.

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::hw_noise::NoiseSource;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::run::{Options, Progress, Run};
use schedscope_engine::setup::Setup;

use crate::support::build::{bare, cyclic, fair, fifo, forever, hog, task, work};
use crate::support::hw_noise::stop;
use crate::support::judge::{Row, Written, written};
use crate::support::{MS, US};

/// Plays `setup`, in pieces or not: what it wrote, and how many events that took.
fn played(setup: &Setup, in_pieces: bool) -> (Written, u64) {
    let options =
        Options { window: Options::EVERYTHING, check_every: 1, in_pieces, ..Options::default() };
    let mut run = Run::new(setup, options).expect("the setup is sound");
    let mut pauses = 0;
    loop {
        match run.advance_within(u64::MAX, u64::MAX, 1) {
            Progress::Running => pauses += 1,
            ended => {
                assert_eq!(ended, Progress::Finished);
                return (written(&mut run), pauses);
            }
        }
    }
}

/// How many events fewer `setup` takes in one piece, with the same rows and figures.
fn saved(setup: &Setup, when: u64) -> u64 {
    let ((whole, few), (pieces, many)) = (played(setup, false), played(setup, true));
    let key = |row: &Row| (row.time, row.kind, row.cpu, row.a, row.b);
    let first = whole.rows.iter().zip(&pieces.rows).find(|(one, other)| key(one) != key(other));
    assert!(first.is_none(), "at {when}: {first:?}");
    assert_eq!(whole.rows.len(), pieces.rows.len(), "at {when}");
    let figures = |written: &Written| serde_json::to_string(&written.report).expect("plain data");
    assert_eq!(figures(&whole), figures(&pieces), "at {when}");
    many - few
}

/// A thread that measures, due at 100 us, beside a fair one of which the tick comes at 104 us.
fn measured(costs: CostsName, busy: bool) -> Setup {
    let mut setup = bare(1, costs);
    setup.kernel.tick_phase_ns = 104 * US;
    setup.tasks.push(task("measure", fifo(50), &[0], 0, cyclic(100 * US, 5 * MS, 2 * US)));
    if busy {
        setup.tasks.push(task("busy", fair(), &[0], 0, forever(&[work(50 * US)])));
    }
    setup.duration_ns = 130 * US;
    setup
}

#[test]
fn a_wake_up_takes_fewer_events_in_one_piece() {
    for costs in [CostsName::Qspin2s, CostsName::Ticket2012] {
        // From idle: the handler and its first timer, the wake-up and its lock, dequeue and pick of
        // schedule() and its lock; and the tick and its lock.
        assert!(saved(&measured(costs, false), 0) >= 5, "{costs:?}");
        // A task that runs is charged when schedule() has the lock.
        assert!(saved(&measured(costs, true), 0) >= 4, "{costs:?}");
    }
}

#[test]
fn a_stop_by_hardware_at_any_instant_of_a_wake_up_is_as_if_it_had_been_done_in_pieces() {
    for costs in [CostsName::Qspin2s, CostsName::Ticket2012] {
        for busy in [false, true] {
            for at in (99 * US..109 * US).step_by(3) {
                let mut setup = measured(costs, busy);
                stop(&mut setup, NoiseSource::Smi, CpuMask::one(CpuId::new(0)), at, 333);
                saved(&setup, at);
            }
        }
    }
}

#[test]
fn a_waiter_for_a_ticket_lock_at_any_instant_slows_its_holder_as_if_that_worked_in_pieces() {
    let mut fewer = 0;
    for after in (0..6 * US).step_by(3) {
        let mut setup = bare(2, CostsName::Ticket2012);
        setup.kernel.tick_phase_ns = 103 * US;
        // Odd times, so that each piece's slowing is rounded.
        let costs = &mut setup.machine.costs;
        (costs.ttwu_local_ns, costs.ttwu_remote_llc_ns, costs.schedule_ns) = (357, 713, 921);
        // CPU 0, which a stronger task keeps, wakes a task on CPU 1, whose own thread wakes up and
        // goes to sleep around that time: both take the lock of CPU 1's queue.
        let away = cyclic(100 * US, 5 * MS, 2 * US);
        let own = cyclic(96 * US + after, 5 * MS, US);
        setup.tasks.push(task("away", fifo(50), &[0, 1], 0, away));
        setup.tasks.push(task("pin", fifo(90), &[0], 0, hog(900 * US)));
        setup.tasks.push(task("own", fifo(60), &[1], 0, own));
        setup.duration_ns = 130 * US;
        fewer += saved(&setup, after);
    }
    assert!(fewer > 0);
}
