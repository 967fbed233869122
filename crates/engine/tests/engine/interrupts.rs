//! Interrupts besides the tick: a device with an affinity (docs/model/time.md#device-interrupts)
//! and RCU callbacks (docs/model/time.md#rcu-callbacks).

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{Kernel, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::ipi::DEVICE;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{
    Amount, DeviceIrqLoad, IdleKind, KernelWakee, Object, Op, RcuLoad, Setup,
};
use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::codes::Softirq;

use crate::support::build::{bare, cyclic, fair, fifo, forever, hog, object, task, work};
use crate::support::judge::{Row, Written, ended, judge, play};
use crate::support::{MS, US};

const NET_RX: u32 = Softirq::NetRx as u32;
const RCU: u32 = Softirq::Rcu as u32;

/// Hogs on CPUs 0 and 1 where nothing costs anything, for 10 ms.
fn hogs() -> Setup {
    let mut setup = bare(2, CostsName::Zero);
    setup.kernel = Kernel::of_version(Version::V6_6, 2);
    for cpu in 0..2 {
        let name = format!("hog{cpu}");
        setup.tasks.push(task(&name, fair(), &[cpu], 0, hog(5 * MS)));
    }
    setup
}

fn device(cpus: &[u32], gap: u64, work: u64, softirq_ns: u64) -> Option<DeviceIrqLoad> {
    let cpus = cpus.iter().copied().map(CpuId::new).collect();
    let (gap, work) = (Amount::Fixed(gap), Amount::Fixed(work));
    Some(DeviceIrqLoad { cpus, gap, work, softirq_ns, wakes: None })
}

fn rcu(cpus: CpuMask, gap: u64, grace_ns: u64, work_ns: u64) -> Option<RcuLoad> {
    Some(RcuLoad { cpus, gap: Amount::Fixed(gap), grace_ns, work_ns })
}

fn of(written: &Written, fits: impl Fn(&Row) -> bool) -> Vec<(u64, u32)> {
    written.rows.iter().filter(|row| fits(row)).map(|row| (row.time, row.cpu)).collect()
}

fn handled(written: &Written) -> Vec<(u64, u32)> {
    of(written, |row| row.kind == Kind::IrqEntry && row.a == DEVICE as u32)
}

#[test]
fn interrupts_come_to_the_cpus_of_the_affinity_in_turn_and_to_no_other() {
    let mut setup = hogs();
    setup.device_irq = device(&[0, 1], MS, 0, 0);
    let both = play(&setup);
    let times: Vec<(u64, u32)> = (1..=10).map(|nth| (nth * MS, (nth as u32 + 1) % 2)).collect();
    assert_eq!(handled(&both)[..9], times[..9]);
    setup.device_irq = device(&[1], MS, 0, 0);
    let one = play(&setup);
    assert!(handled(&one).iter().all(|(_, cpu)| *cpu == 1));
    let cpus = &one.report.metrics.cpus;
    assert_eq!((cpus["0"].device_irqs, cpus["1"].device_irqs), (0, handled(&one).len() as u64));
}

#[test]
fn handler_and_softirq_take_their_time_from_the_task_that_runs() {
    let mut setup = hogs();
    let without = ended(&play(&setup), &setup, "hog1.0");
    setup.device_irq = device(&[1], 700 * US, 3 * US, 5 * US);
    let with = play(&setup);
    judge(&setup, &with).unwrap();
    // Seven interrupts fall into the 5 ms and the time that they add.
    assert_eq!(ended(&with, &setup, "hog1.0"), without + 7 * 8);
    assert_eq!(ended(&with, &setup, "hog0.0"), without);
    let entries =
        of(&with, |row| row.kind == Kind::SoftirqEntry && row.a == NET_RX && row.time < 5 * MS);
    let after = |nth: u64| (nth * 700 * US + 3 * US, 1);
    assert_eq!(entries, (1..=7).map(after).collect::<Vec<_>>());
    assert_eq!(with.report.metrics.tasks["hog1.0"].user_ns / US, 5_000);
}

#[test]
fn an_interrupt_that_finds_one_pending_is_merged_into_it() {
    let mut setup = hogs();
    setup.device_irq = device(&[1], 10 * US, 25 * US, 0);
    setup.duration_ns = MS;
    let times: Vec<u64> = handled(&play(&setup)).into_iter().map(|(time, _)| time).collect();
    // The handler of 10 us runs until 35; those of 20 and 30 are one; that of 40 waits until 60.
    assert_eq!(times[..4], [10 * US, 35 * US, 60 * US, 85 * US]);
}

#[test]
fn a_wake_up_that_waits_for_handler_and_softirq_is_charged_to_them() {
    let mut setup = bare(1, CostsName::Zero);
    setup.machine.idle = IdleKind::Poll;
    setup.duration_ns = 195 * US;
    setup.tasks.push(task("measure", fifo(50), &[0], 0, cyclic(104 * US, 5 * MS, 2 * US)));
    setup.device_irq = device(&[0], 100 * US, 10 * US, 20 * US);
    let latency = &play(&setup).report.metrics.latency["measure"];
    // Due in the handler's midst: it waits for the handler's end, and the softirq lets it in.
    assert_eq!((latency.max_ns, latency.causes_ns["irq_delay"]), (26 * US, 6 * US));
    assert_eq!(latency.causes_ns["softirq"], 20 * US);
}

#[test]
fn callbacks_run_in_the_softirq_of_the_first_tick_after_their_grace_period() {
    let mut setup = hogs();
    setup.rcu = rcu(CpuMask::one(CpuId::new(1)), 300 * US, 1_500 * US, 10 * US);
    let with = play(&setup);
    judge(&setup, &with).unwrap();
    let entries: Vec<(u64, u32, u32)> = with
        .rows
        .iter()
        .filter(|row| row.kind == Kind::SoftirqEntry && row.a == RCU)
        .map(|row| (row.time / MS, row.cpu, row.b))
        .collect();
    // Callbacks of 0.3, 0.6, ... ms are ready at 1.8, 2.1, 2.4, 2.7, 3.0, ... ms.
    assert_eq!(entries[..3], [(2, 1, 1), (3, 1, 4), (4, 1, 3)]);
    let cpus = &with.report.metrics.cpus;
    assert_eq!(cpus["0"].rcu_callbacks, 0);
    let run: u64 = with
        .rows
        .iter()
        .filter(|row| row.kind == Kind::SoftirqEntry && row.a == RCU)
        .map(|row| u64::from(row.b))
        .sum();
    assert_eq!(cpus["1"].rcu_callbacks, run);
    let without = ended(&play(&hogs()), &setup, "hog0.0");
    assert_eq!(ended(&with, &setup, "hog0.0"), without);
    assert!(ended(&with, &setup, "hog1.0") > without + 100);
}

#[test]
fn an_idle_cpu_keeps_its_tick_until_its_callbacks_have_run() {
    let mut setup = hogs();
    setup.machine.idle = IdleKind::Halt;
    setup.rcu = rcu(CpuMask::one(CpuId::new(1)), 300 * US, 2_500 * US, 10 * US);
    let with = play(&setup);
    judge(&setup, &with).unwrap();
    let stop = |cpu: u32| {
        of(&with, |row| row.kind == Kind::TickStop && row.cpu == cpu && row.time >= 5 * MS)[0].0
    };
    // The last callback that the tick of 5 ms takes in is ready at 7.3 ms.
    assert_eq!(stop(0) / MS, 5);
    assert_eq!(stop(1) / MS, 8);
    let callbacks = with.report.metrics.cpus["1"].rcu_callbacks;
    assert!((16..=17).contains(&callbacks), "{callbacks}: none comes while the CPU idles");
}

#[test]
fn the_reports_of_other_runs_list_no_cpus() {
    assert!(play(&hogs()).report.metrics.cpus.is_empty());
}

/// A task that waits for packets and takes 10 us for each, beside what runs on CPU 1.
fn receiver(setup: &mut Setup, softirq_ns: u64) {
    let sem = object(setup, Object::Semaphore { value: 0 });
    let program = forever(&[Op::SemWait { sem }, work(10 * US)]);
    setup.tasks.push(task("receiver", fifo(50), &[1], 0, program));
    setup.device_irq = device(&[1], 700 * US, 3 * US, softirq_ns);
    setup.device_irq.as_mut().expect("it was just made").wakes = Some(KernelWakee::Post(sem));
}

#[test]
fn a_device_wakes_a_task_from_its_softirq_or_without_one_from_its_handler() {
    for softirq_ns in [5 * US, 0] {
        let mut setup = hogs();
        receiver(&mut setup, softirq_ns);
        let written = play(&setup);
        judge(&setup, &written).unwrap();
        let receiver = setup.tasks.len() as u32 - 1;
        let woken = of(&written, |row| row.kind == Kind::SchedWaking && row.a == receiver);
        // Each interrupt: 3 us of the handler, then the softirq. The first waking is its start.
        let expected = (1..=13).map(|nth| (nth * 700 * US + 3 * US + softirq_ns, 1));
        assert_eq!(woken[1..14], expected.collect::<Vec<_>>());
        assert_eq!(written.report.metrics.tasks["receiver.0"].user_ns / US, 14 * 10);
    }
}

#[test]
fn packets_that_come_while_the_task_works_wait_for_it() {
    let mut setup = hogs();
    receiver(&mut setup, 5 * US);
    setup.device_irq =
        setup.device_irq.map(|load| DeviceIrqLoad { gap: Amount::Fixed(8 * US), ..load });
    let written = play(&setup);
    judge(&setup, &written).unwrap();
    // Each takes it longer than the next needs to come, so it never sleeps again.
    let receiver = setup.tasks.len() as u32 - 1;
    let woken = of(&written, |row| row.kind == Kind::SchedWaking && row.a == receiver);
    assert_eq!(woken.len(), 2, "at its start and by the first packet");
}
