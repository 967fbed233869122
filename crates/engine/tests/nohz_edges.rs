//! Idle balancing at its edges: the grid of ticks, CPUs without a scheduling domain, packages of one CPU.

mod support;

use schedscope_engine::kernel::config::{Kernel, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::run::Options;
use schedscope_engine::setup::Setup;
use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::columns::Columns;
use support::build::{bare, fair, forever, hog, pause, task, work};
use support::{MS, US, run};

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
        setup.tasks.push(task("naps", fair(), &[*cpu], 300 * US, forever(&[work(700 * US), pause(u64::from(cpu + 1) * 210 * US)])));
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
            let ticks: Vec<(u64, u16)> = rows(&trace, Kind::Tick).map(|row| (trace.time[row], trace.cpu[row])).collect();
            assert!(ticks.len() as u64 >= 60 * u64::from(hz) / 1000, "{hz} {phase}: {}", ticks.len());
            ticks
        };
        let period = 1_000_000_000 / u64::from(hz);
        for phase in [0, 1, 137 * US, period - 1] {
            let near = with(phase);
            for periods in [1, 2, 3, 5, 9] {
                assert_eq!(with(phase + periods * period), near, "HZ {hz}, {phase} ns and {periods} periods");
            }
        }
    }
}

/// First tick of each CPU that is busy from the start, ns.
fn first_ticks(setup: &Setup) -> Vec<u64> {
    let trace = traced(setup);
    let first = |cpu: u32| rows(&trace, Kind::Tick).find(|row| u32::from(trace.cpu[*row]) == cpu).map(|row| trace.time[row]);
    (0..setup.machine.topology.cpus()).map(|cpu| first(cpu).expect("it ticks")).collect()
}

#[test]
fn skew_tick_shares_half_a_period_out_among_the_possible_cpus_whatever_the_seed() {
    for (cpus, hz, step) in [(4, 1000, 125 * US), (4, 250, 500 * US), (6, 300, 277_777), (1, 1000, 0)] {
        for seed in [1, 2] {
            let mut setup = bare(cpus, CostsName::Zero);
            setup.kernel = Kernel { hz, tick_skew: true, tick_phase_ns: 100 * US, ..Kernel::of_version(Version::V6_6, cpus) };
            (setup.seed, setup.duration_ns) = (seed, 10 * MS);
            for cpu in 0..cpus {
                setup.tasks.push(task("hog", fair(), &[cpu], 10 * US, hog(100 * MS)));
            }
            let expected: Vec<u64> = (0..u64::from(cpus)).map(|cpu| 100 * US + cpu * step).collect();
            assert_eq!(first_ticks(&setup), expected, "{cpus} CPUs, HZ {hz}, seed {seed}");
        }
    }
}
