//! Queues, pipes and sockets of the op language: which task waits for a message or for room, and
//! when each goes on.

use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::setup::{Object, Op, Room};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{bare, fifo, forever, object, once, pause, task, work};
use crate::support::judge::play;
use crate::support::{MS, US};

const FREE: CostsName = CostsName::Zero;

#[test]
fn a_queue_blocks_its_writer_when_full_its_reader_when_empty_and_a_pool_ends_its_readers() {
    let mut setup = bare(2, FREE);
    let queue = object(
        &mut setup,
        Object::Queue { capacity: 2, filled: 0, closed_when_empty: false, room: Room::Message },
    );
    let pool = object(
        &mut setup,
        Object::Queue { capacity: 9, filled: 3, closed_when_empty: true, room: Room::Message },
    );
    setup.tasks.push(task("writer", fifo(10), &[0], 0, forever(&[Op::Put { queue }, work(US)])));
    setup.tasks.push(task(
        "reader",
        fifo(10),
        &[1],
        0,
        forever(&[pause(100 * US), Op::Get { queue, stamp: None }]),
    ));
    setup.tasks.push(task(
        "worker",
        fifo(5),
        &[1],
        0,
        forever(&[Op::Get { queue: pool, stamp: None }, work(7 * US)]),
    ));
    setup.duration_ns = MS + 50 * US;
    let report = play(&setup).report;
    let loops = ["writer.0", "reader.0", "worker.0"].map(|name| report.metrics.tasks[name].loops);
    assert_eq!(loops, [12, 10, 3], "10 read, 2 in the queue");
    assert_eq!(report.metrics.tasks["worker.0"].run_ns, 3 * 7 * US + 3);
}

/// 12 messages at most; the writer fills it up at once, and the reader reads one every 100 us from
/// 100 us on: when the writer wrote on.
fn written_on(room: Room) -> Vec<u64> {
    let mut setup = bare(2, FREE);
    let queue = object(
        &mut setup,
        Object::Queue { capacity: 12, filled: 0, closed_when_empty: false, room },
    );
    setup.tasks.push(task("writer", fifo(10), &[0], 0, forever(&[Op::Put { queue }])));
    setup.tasks.push(task(
        "reader",
        fifo(10),
        &[1],
        0,
        forever(&[pause(100 * US), Op::Get { queue, stamp: None }]),
    ));
    setup.duration_ns = 2_050 * US;
    let rows = play(&setup).rows;
    let woken =
        rows.iter().filter(|row| row.kind == Kind::SchedWakeup && row.a == 0 && row.time > 0);
    woken.map(|row| row.time / US).collect()
}

#[test]
fn a_writer_goes_on_with_each_message_read_with_each_page_of_a_pipe_or_when_a_quarter_of_a_socket_is_left()
 {
    assert_eq!(written_on(Room::Message), (1..=20).map(|read| read * 100).collect::<Vec<_>>());
    assert_eq!(written_on(Room::Page(4)), [400, 800, 1_200, 1_600, 2_000]);
    // The socket holds 12, so 3 are left after nine reads.
    assert_eq!(written_on(Room::Quarter), [900, 1_800]);
}

#[test]
fn of_many_writers_a_page_lets_one_go_who_lets_the_next_go_and_a_socket_lets_all_go() {
    // Six read of two pages of four: there is room for four then, for all of the second page is
    // still taken.
    for (room, gone) in [(Room::Page(4), 4), (Room::Quarter, 5), (Room::Message, 1)] {
        let mut setup = bare(1, FREE);
        let queue = object(
            &mut setup,
            Object::Queue { capacity: 8, filled: 8, closed_when_empty: false, room },
        );
        for index in 0..5 {
            setup.tasks.push(task("writer", fifo(10), &[0], 0, once(&[Op::Put { queue }])));
            setup.tasks.last_mut().expect("just added").name = format!("writer.{index}");
        }
        let reads = if room == Room::Message { 1 } else { 6 };
        let read = [vec![pause(100 * US)], vec![Op::Get { queue, stamp: None }; reads]].concat();
        setup.tasks.push(task("reader", fifo(20), &[0], 0, once(&read)));
        setup.duration_ns = MS;
        let written = play(&setup);
        let ended = written
            .rows
            .iter()
            .filter(|row| row.kind == Kind::SchedWakeup && row.time > 0 && row.a < 5)
            .count();
        assert_eq!(ended, gone, "{room:?}");
    }
}
