//! Idle balancing at its edges: the grid of ticks, CPUs without a scheduling domain, packages of one CPU.

mod support;

use schedscope_engine::kernel::config::{Kernel, Version};
use schedscope_engine::machine::costs::CostsName;
use schedscope_engine::run::Options;
use schedscope_engine::setup::Setup;
use schedscope_engine::trace::catalogue::Kind;
use schedscope_engine::trace::columns::Columns;
use support::build::{bare, fair, forever, pause, task, work};
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
