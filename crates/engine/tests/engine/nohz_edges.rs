//! Idle balancing at its edges: the grid of ticks, CPUs without a scheduling domain, packages of
//! one CPU.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{IdleStop, Kernel, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::machine::topology::{CpuMask, Topology};
use schedscope_engine::run::Options;
use schedscope_engine::setup::{IdleKind, Op, Phase, Program, Rounds, Setup};
use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::columns::Columns;

use crate::support::build::{bare, fair, forever, hog, pause, task, work};
use crate::support::{MS, US, run};

fn rows(trace: &Columns, kind: Kind) -> impl Iterator<Item = usize> + '_ {
    (0..trace.time.len()).filter(move |row| trace.kind[*row] == kind as u8)
}

fn traced(setup: &Setup) -> Columns {
    run(setup, Options::EVERYTHING, 64).take_trace()
}

/// Tasks that nap on each of `on`.
fn naps(cpus: u32, costs: CostsName, on: &[u32]) -> Setup {
    let mut setup = bare(cpus, costs);
    setup.kernel = Kernel::of_version(Version::V6_6, cpus);
    for cpu in on {
        setup.tasks.push(task(
            "naps",
            fair(),
            &[*cpu],
            300 * US,
            forever(&[work(700 * US), pause(u64::from(cpu + 1) * 210 * US)]),
        ));
    }
    setup
}

#[test]
fn a_first_tick_later_than_a_period_is_the_same_grid_of_ticks_at_every_hz() {
    for hz in [100, 250, 300, 1000] {
        let with = |phase| {
            let mut setup = naps(4, CostsName::Vm4Cal2023, &[0, 1, 2, 3]);
            setup.duration_ns = 60 * MS;
            (setup.kernel.hz, setup.kernel.tick_phase_ns) = (hz, phase);
            let trace = traced(&setup);
            let ticks: Vec<(u64, u16)> =
                rows(&trace, Kind::Tick).map(|row| (trace.time[row], trace.cpu[row])).collect();
            assert!(
                ticks.len() as u64 >= 60 * u64::from(hz) / 1000,
                "{hz} {phase}: {}",
                ticks.len()
            );
            ticks
        };
        let period = 1_000_000_000 / u64::from(hz);
        for phase in [0, 1, 137 * US, period - 1] {
            let near = with(phase);
            for periods in [1, 2, 3, 5, 9] {
                assert_eq!(
                    with(phase + periods * period),
                    near,
                    "HZ {hz}, {phase} ns and {periods} periods"
                );
            }
        }
    }
}

/// First tick of each CPU that is busy from the start, ns.
fn first_ticks(setup: &Setup) -> Vec<u64> {
    let trace = traced(setup);
    let first = |cpu: u32| {
        rows(&trace, Kind::Tick)
            .find(|row| u32::from(trace.cpu[*row]) == cpu)
            .map(|row| trace.time[row])
    };
    (0..setup.machine.topology.cpus()).map(|cpu| first(cpu).expect("it ticks")).collect()
}

#[test]
fn skew_tick_shares_half_a_period_out_among_the_possible_cpus_whatever_the_seed() {
    for (cpus, hz, step) in
        [(4, 1000, 125 * US), (4, 250, 500 * US), (6, 300, 277_777), (1, 1000, 0)]
    {
        for seed in [1, 2] {
            let mut setup = bare(cpus, CostsName::Zero);
            setup.kernel = Kernel {
                hz,
                tick_skew: true,
                tick_phase_ns: 100 * US,
                ..Kernel::of_version(Version::V6_6, cpus)
            };
            (setup.seed, setup.duration_ns) = (seed, 10 * MS);
            for cpu in 0..cpus {
                setup.tasks.push(task("hog", fair(), &[cpu], 10 * US, hog(100 * MS)));
            }
            let expected: Vec<u64> =
                (0..u64::from(cpus)).map(|cpu| 100 * US + cpu * step).collect();
            assert_eq!(first_ticks(&setup), expected, "{cpus} CPUs, HZ {hz}, seed {seed}");
        }
    }
}

#[test]
fn with_one_idle_tick_first_every_nap_of_a_tick_or_more_has_one_tick_in_every_version_that_has_nohz()
 {
    for version in [Version::V2_6_24, Version::V3_2, Version::V5_4, Version::V6_6, Version::V7_0] {
        let mut setup = bare(1, CostsName::Zero);
        setup.kernel = Kernel {
            hz: 1000,
            idle_stop: IdleStop::AfterOneIdleTick,
            ..Kernel::of_version(version, 1)
        };
        (setup.machine.idle, setup.duration_ns) = (IdleKind::Halt, 100 * MS);
        setup.tasks.push(task(
            "naps",
            fair(),
            &[0],
            300 * US,
            forever(&[work(200 * US), pause(4_750 * US)]),
        ));
        let trace = traced(&setup);
        let (ticks, stops) =
            (rows(&trace, Kind::Tick).count(), rows(&trace, Kind::TickStop).count());
        assert!(
            (19..=22).contains(&ticks) && (19..=21).contains(&stops),
            "{version:?}: {ticks} ticks, {stops} stops in 20 naps"
        );
    }
}

/// A task on CPU 0 that may, from then on, run on the last CPU too.
fn spills(start_ns: u64, to: u32) -> Program {
    let phase = |rounds, ns, cpus: &[u32]| Phase {
        rounds,
        ops: vec![Op::SetCpus { cpus: cpus.iter().copied().map(CpuId::new).collect() }, work(ns)],
    };
    Program::Ops {
        loops: Some(1),
        phases: vec![
            phase(Rounds::Times(1), 100 * US, &[0]),
            phase(Rounds::Endless, start_ns, &[0, to]),
        ],
    }
}

/// When the last CPU, busy until 200 ms, gets one of three tasks that wait on CPU 0 from 230 ms on.
fn relieved_at(cpus: u32) -> u64 {
    let mut setup = bare(cpus, CostsName::Ticket2012);
    setup.machine.topology = Topology::new(cpus, 10);
    setup.machine.idle = IdleKind::Halt;
    setup.kernel = Kernel::of_version(Version::V5_4, cpus);
    setup.duration_ns = 500 * MS;
    setup.tasks.push(task("own", fair(), &[cpus - 1], 0, hog(200 * MS)));
    for _ in 0..3 {
        setup.tasks.push(task(
            "spills",
            fair(),
            &[0, cpus - 1],
            230 * MS,
            spills(1_000 * MS, cpus - 1),
        ));
    }
    let trace = traced(&setup);
    let arrives = rows(&trace, Kind::SchedSwitch)
        .find(|row| trace.time[*row] > 230 * MS && u32::from(trace.cpu[*row]) == cpus - 1);
    trace.time[arrives.expect("it is relieved")]
}

#[test]
fn a_cpu_alone_in_its_package_looks_as_soon_after_going_idle_as_one_of_two() {
    let (alone, of_two) = (relieved_at(11), relieved_at(12));
    assert!(alone <= of_two + 2 * MS, "alone at {alone} ns, one of two at {of_two} ns");
}

#[test]
fn a_cpu_alone_in_its_partition_is_never_in_the_mask_nor_kicked_and_kicks_nobody() {
    let mask = |cpus: &[u32]| cpus.iter().copied().map(CpuId::new).collect::<CpuMask>();
    for alone in [0, 3] {
        let others: Vec<u32> = (0..4).filter(|cpu| *cpu != alone).collect();
        for version in [Version::V3_19, Version::V5_14, Version::V6_6, Version::V7_0] {
            let mut setup = naps(4, CostsName::Vm4Cal2023, &[0, 1, 2, 3]);
            setup.kernel = Kernel::of_version(version, 4);
            setup.machine.idle = IdleKind::Halt;
            setup.kernel.idle_stop = IdleStop::Always;
            setup.duration_ns = 200 * MS;
            setup.machine.domains = vec![mask(&[alone]), mask(&others)];
            let trace = traced(&setup);
            let kicks: Vec<(u32, u32)> = rows(&trace, Kind::NohzKick)
                .map(|row| (u32::from(trace.cpu[row]), trace.a[row] & 0xffff))
                .collect();
            assert!(kicks.len() > 5, "{version:?}: the others do kick one another");
            assert!(
                kicks.iter().all(|(from, to)| *from != alone && *to != alone),
                "{version:?}, CPU {alone} alone: {kicks:?}"
            );
            let moves = [Kind::NohzEnterIdle, Kind::NohzExitIdle].map(|kind| {
                rows(&trace, kind)
                    .map(|row| CpuId::new(u32::from(trace.cpu[row])))
                    .collect::<CpuMask>()
            });
            assert!(moves.iter().all(|moved| *moved == mask(&others)), "{version:?}: {moves:?}");
        }
    }
}

#[test]
fn a_busy_cpu_of_another_partition_is_no_reason_to_balance_though_it_shares_the_cache() {
    let balance = |domains: &[&[u32]]| {
        let mut setup = bare(4, CostsName::Qspin2s);
        setup.machine.idle = IdleKind::Halt;
        setup.kernel = Kernel::of_version(Version::V6_6, 4);
        setup.duration_ns = 100 * MS;
        setup.machine.domains =
            domains.iter().map(|cpus| cpus.iter().copied().map(CpuId::new).collect()).collect();
        for cpu in [0, 2] {
            setup.tasks.push(task("hog", fair(), &[cpu], 100 * US, hog(1_000 * MS)));
        }
        let trace = traced(&setup);
        rows(&trace, Kind::NohzKick).filter(|row| trace.a[*row] >> 16 & 1 != 0).count()
    };
    assert!(balance(&[]) > 3);
    assert_eq!(balance(&[&[0, 1], &[2, 3]]), 0, "each cache domain has one busy CPU");
}
