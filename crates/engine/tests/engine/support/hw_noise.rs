//! Hardware noise on chosen and on random CPUs.

use schedscope_engine::ids::CpuId;
use schedscope_engine::machine::hw_noise::{NoiseSource, SOURCES};
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Amount, HwNoiseLoad, Setup};

use super::US;
use super::random::Dice;

/// `source` stops `cpus` each `gap_ns` for `length_ns`.
pub fn stop(setup: &mut Setup, source: NoiseSource, cpus: CpuMask, gap_ns: u64, length_ns: u64) {
    let (gap, length) = (Amount::Fixed(gap_ns), Amount::Fixed(length_ns));
    setup.hw_noise[source as usize] = Some(HwNoiseLoad { cpus, gap, length });
}

/// One source, the other or both, from stops of a few ns to such that overlap.
pub fn load(dice: &mut Dice, setup: &mut Setup) {
    let cpus = setup.machine.topology.cpus();
    let duration_ns = setup.duration_ns;
    let load = |dice: &mut Dice, cpus: CpuMask| {
        let gap = dice.between(20 * US, 400 * US).max(duration_ns / 500);
        let longest = dice.pick(&[100, 10 * US, 150 * US]);
        HwNoiseLoad {
            cpus,
            gap: Amount::Uniform { min: gap / 2, max: 3 * gap / 2 },
            length: Amount::Uniform { min: 1, max: longest },
        }
    };
    let which = dice.below(3);
    if which != 1 {
        setup.hw_noise[NoiseSource::Smi as usize] = Some(load(dice, CpuMask::first(cpus)));
    }
    if which != 0 {
        let mut on: CpuMask = CpuMask::first(cpus).iter().filter(|_| dice.chance(50)).collect();
        on.set(CpuId::new(dice.below(u64::from(cpus)) as u32));
        setup.hw_noise[NoiseSource::Steal as usize] = Some(load(dice, on));
    }
}

/// The noise on the CPUs of `left`.
pub fn left(
    loads: [Option<HwNoiseLoad>; SOURCES],
    left: &CpuMask,
) -> [Option<HwNoiseLoad>; SOURCES] {
    loads.map(|load| {
        load.map(|load| HwNoiseLoad { cpus: load.cpus.and(left), ..load })
            .filter(|load| !load.cpus.is_empty())
    })
}
