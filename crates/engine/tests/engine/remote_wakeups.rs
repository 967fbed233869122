//! Wake-ups of tasks on other CPUs: taken directly, or through the wake list.

use schedscope_engine::kernel::config::{IpiPollingElide, TtwuQueue};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::ipi::{CALL_FUNCTION_SINGLE, RESCHEDULE};
use schedscope_engine::machine::topology::Topology;
use schedscope_engine::setup::{IdleKind, Setup};
use schedscope_engine::trace::catalogue::Kind;

use crate::support::build::{bare, cyclic, fifo, hog, task};
use crate::support::judge::play;
use crate::support::waterfall::{count, waterfall};
use crate::support::{MS, US};

/// The measuring task sleeps on CPU 0, which a stronger pinned task keeps: its timer's interrupt
/// must wake it elsewhere.
fn remote(package: u32, idle: IdleKind, elide: IpiPollingElide, queue: TtwuQueue) -> Setup {
    let mut setup = bare(2, CostsName::Ticket2012);
    setup.machine.topology = Topology::new(2, package);
    setup.machine.idle = idle;
    setup.kernel.ipi_polling_elide = elide;
    setup.kernel.ttwu_queue = queue;
    setup.tasks.push(task("measure", fifo(50), &[0, 1], 0, cyclic(100 * US, 5 * MS, 2 * US)));
    setup.tasks.push(task("pin", fifo(90), &[0], 0, hog(900 * US)));
    setup.duration_ns = 800 * US;
    setup
}

#[test]
fn a_remote_direct_wakeup_pays_for_the_line_and_for_the_ipi_unless_the_target_polls() {
    use IpiPollingElide::{Off, ReschedAndCallfunc, ReschedOnly};
    // On CPU 0: entry 200, hrtimer 150, remote lock 20 + 60, remote ttwu 700. The lock's line then
    // comes back: 80 + 900.
    let start = ("irq", 1_130);
    let end = [("switch", 980), ("return_to_user", 150)];
    // Polling: one line transfer and the exit. IPI: send 200, flight 900, exit, then 150 + 75 + 150
    // of interrupt.
    let polled = |exit: u32| vec![start, ("idle_exit", 60 + exit), end[0], end[1]];
    let sent =
        |exit: u32| vec![start, ("ipi", 1_100), ("idle_exit", exit), ("irq", 375), end[0], end[1]];
    for (idle, elide, expected, ipis) in [
        (IdleKind::Poll, ReschedOnly, polled(200), 0),
        (IdleKind::Poll, ReschedAndCallfunc, polled(200), 0),
        (IdleKind::Mwait, ReschedOnly, polled(1250), 0),
        (IdleKind::Halt, ReschedAndCallfunc, sent(1250), 1),
        (IdleKind::Poll, Off, sent(200), 1),
    ] {
        let written = play(&remote(2, idle, elide, TtwuQueue::CrossLlc));
        assert_eq!(waterfall(&written, 0, 0), expected, "{idle:?} {elide:?}");
        let ipi = &written.report.metrics.ipi;
        assert_eq!(
            (ipi.reschedule.sent, ipi.reschedule.elided_polling, ipi.call_function.sent),
            (ipis, 1 - ipis, 0)
        );
        assert_eq!(written.report.metrics.sched.migrations, 1);
    }
}

#[test]
fn a_wake_list_wakeup_takes_no_remote_lock() {
    use IpiPollingElide::{ReschedAndCallfunc, ReschedOnly};
    // On CPU 0: entry 200, hrtimer 150, nothing else. On CPU 1: lock 20, activate 350; then
    // schedule() 920 and 150.
    let end = [("switch", 920), ("return_to_user", 150)];
    let sent = |flight: u32, body: u32| {
        vec![
            ("irq", 350),
            ("ipi", 200 + flight),
            ("idle_exit", 1250),
            ("irq", 300 + body + 370),
            end[0],
            end[1],
        ]
    };
    let polled = |line: u32| vec![("irq", 350), ("idle_exit", line + 200 + 370), end[0], end[1]];
    for (package, idle, elide, queue, expected, vector) in [
        (1, IdleKind::Halt, ReschedOnly, TtwuQueue::CrossLlc, sent(1350, 75), Some(RESCHEDULE)),
        (2, IdleKind::Halt, ReschedOnly, TtwuQueue::AllRemote, sent(900, 75), Some(RESCHEDULE)),
        (
            2,
            IdleKind::Halt,
            ReschedOnly,
            TtwuQueue::CrossLlcOrIdle,
            sent(900, 0),
            Some(CALL_FUNCTION_SINGLE),
        ),
        (1, IdleKind::Poll, ReschedAndCallfunc, TtwuQueue::CrossLlc, polled(225), None),
        (2, IdleKind::Poll, ReschedAndCallfunc, TtwuQueue::CrossLlcOrIdle, polled(60), None),
    ] {
        let written = play(&remote(package, idle, elide, queue));
        assert_eq!(waterfall(&written, 0, 0), expected, "{queue:?} {idle:?}");
        let sent: Vec<u32> =
            written.rows.iter().filter(|row| row.kind == Kind::IpiSend).map(|row| row.b).collect();
        assert_eq!(
            sent,
            vector.map(|vector| vector as u32).into_iter().collect::<Vec<_>>(),
            "{queue:?}"
        );
        assert_eq!(
            count(&written, |row| row.kind == Kind::LockAcq && row.cpu == 0 && row.a == 1),
            0
        );
    }
}

#[test]
fn the_wake_list_sends_one_ipi_for_a_batch_and_drains_it_in_linear_time() {
    for batch in 1..=12 {
        let mut setup =
            remote(1, IdleKind::Halt, IpiPollingElide::ReschedOnly, TtwuQueue::CrossLlc);
        // Even numbers start out on CPU 0; the odd ones in between never start.
        for index in 1..batch {
            setup.tasks.push(task(
                &format!("more{index}"),
                fifo(50),
                &[0, 1],
                0,
                cyclic(100 * US, 5 * MS, 2 * US),
            ));
            setup.tasks.push(task(&format!("never{index}"), fifo(50), &[0, 1], 5 * MS, hog(1)));
        }
        let written = play(&setup);
        let listed = count(&written, |row| row.kind == Kind::WakelistQueue);
        assert_eq!((listed, written.report.metrics.ipi.reschedule.sent), (batch, 1));
        let of = |kind| {
            written
                .rows
                .iter()
                .filter(move |row| row.kind == kind && row.a % 2 == 0)
                .map(|row| row.a)
        };
        let woken: Vec<u32> = of(Kind::SchedWakeup)
            .filter(|task| of(Kind::WakelistQueue).any(|listed| listed == *task))
            .collect();
        assert!(
            woken.is_sorted_by(|former, latter| former > latter),
            "up to 5.7 newest first: {woken:?}"
        );
        let handler = |kind| {
            written
                .rows
                .iter()
                .find(|row| row.kind == kind && row.cpu == 1)
                .map(|row| row.time)
                .expect("one handler")
        };
        // Entry 150, body 75, one lock 20, 350 per task, exit 150.
        assert_eq!(handler(Kind::IrqExit) - handler(Kind::IrqEntry), 395 + 350 * batch as u64);
    }
}

#[test]
fn a_wakeup_listed_while_a_batch_is_drained_sends_an_ipi_of_its_own() {
    let mut setup = bare(3, CostsName::Ticket2012);
    setup.machine.topology = Topology::new(3, 1);
    setup.machine.idle = IdleKind::Halt;
    let pin = |cpu: u32| task(&format!("pin{cpu}"), fifo(90), &[cpu], 0, hog(5 * MS));
    let measure = |name: &str, cpu: u32, due: u64| {
        task(name, fifo(50), &[cpu, 2], 0, cyclic(due, 5 * MS, 2 * US))
    };
    // CPU 2 activates the first two from 103 395 to 104 095; the third is listed at 103 200 + 350.
    setup.tasks.extend([
        measure("first", 0, 100 * US),
        pin(0),
        measure("second", 0, 100 * US),
        pin(1),
        measure("third", 1, 103_200),
    ]);
    setup.duration_ns = MS;
    let written = play(&setup);
    assert_eq!(count(&written, |row| row.kind == Kind::IpiSend && row.a == 2), 2);
    assert_eq!(count(&written, |row| row.kind == Kind::IrqEntry && row.cpu == 2), 2);
}
