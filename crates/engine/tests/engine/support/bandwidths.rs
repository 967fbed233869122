//! Quotas for a random machine: every era and mixes of their switches, nested groups, writes, a
//! mutex inside the kernel.

use schedscope_engine::ids::CpuId;
use schedscope_engine::kernel::config::{
    Bandwidth, BandwidthPreset, BwDistribution, Expiry, ListInsert, Refill, SiloReturn,
    SlackSubtract, SlackThreshold, Version,
};
use schedscope_engine::machine::topology::{CpuMask, Topology};
use schedscope_engine::named::Named;
use schedscope_engine::setup::{
    GroupSpec, Object, ObjectSpec, Op, Program, Quota, Section, Setup, TaskSpec,
};

use super::build::{fair, forever, pause, work};
use super::random::{Dice, spec};
use super::{MS, US};

/// Proposed in 2019: the draws of a seed do not change with what else no release has.
pub const FIXES_OF_2019: [BandwidthPreset; 4] = [
    BandwidthPreset::ChilukV1V2V5,
    BandwidthPreset::ChilukV4,
    BandwidthPreset::Keep0,
    BandwidthPreset::SegallList,
];

fn era(dice: &mut Dice) -> Bandwidth {
    let mut versions = Version::LADDER.to_vec();
    versions.retain(|version| *version >= Version::V3_2);
    let era = Bandwidth::of_version(dice.pick(&versions));
    match dice.below(100) {
        0..65 => era,
        65..80 => Bandwidth::of_preset(dice.pick(&FIXES_OF_2019)),
        // A mix that no kernel had, but a scenario may ask for.
        _ => {
            let mix = Bandwidth {
                expiry: dice.pick(Expiry::ALL),
                silo_return: dice.pick(SiloReturn::ALL),
                distribution: dice.pick(BwDistribution::ALL),
                slack_subtract: dice.pick(SlackSubtract::ALL),
                slack_threshold: dice.pick(SlackThreshold::ALL),
                throttle_lasttry: dice.chance(50),
                list: dice.pick(ListInsert::ALL),
                refill: dice.pick(Refill::ALL),
                csd: dice.chance(50),
                per_task: dice.chance(50),
                ..era
            };
            // A draw of its own would change all that are made after it.
            Bandwidth { charge_throttles: mix.csd, sees_running: !mix.throttle_lasttry, ..mix }
        }
    }
}

/// A legal quota that is used up within a few milliseconds.
pub fn quota(dice: &mut Dice, burst: bool) -> Quota {
    let quota_ns = dice.chance(90).then(|| dice.between(MS, 3 * MS));
    let period_ns = dice.between(MS, 8 * MS);
    let burst_ns =
        quota_ns.filter(|_| burst && dice.chance(40)).map_or(0, |quota| dice.below(quota + 1));
    Quota { quota_ns, period_ns, burst_ns, phase_ns: dice.between(1, period_ns) }
}

/// Workers and hogs of one group under a quota of a period long enough for the slack timer, on up
/// to six CPUs.
fn crowd(dice: &mut Dice, setup: &mut Setup) {
    let cpus = dice.between(2, 6) as u32;
    setup.machine.topology = Topology::new(cpus, cpus);
    setup.kernel.nohz_full = CpuMask::EMPTY;
    setup.duration_ns = 100 * MS;
    setup.groups.truncate(1);
    let period_ns = dice.between(12 * MS, 40 * MS);
    let bandwidth = Some(Quota {
        quota_ns: Some(dice.between(4 * MS, 20 * MS)),
        period_ns,
        burst_ns: 0,
        phase_ns: dice.between(1, period_ns),
    });
    setup.groups.push(GroupSpec { path: "crowd".to_owned(), bandwidth, ..GroupSpec::root() });
    setup.kernel.bandwidth_slice_ns = dice.pick(&[5 * MS, 5 * MS, 2 * MS]);
    setup.tasks = (0..cpus)
        .map(|cpu| {
            let ops = match dice.below(3) {
                0 => vec![work(dice.between(MS, 40 * MS))],
                _ => vec![work(dice.between(20 * US, 4 * MS)), pause(dice.between(MS, 9 * MS))],
            };
            let task = spec(
                "crowd",
                cpu as usize,
                fair(),
                CpuMask::one(CpuId::new(cpu)),
                0,
                forever(&ops),
            );
            TaskSpec { group: 1, ..task }
        })
        .collect();
}

/// An era, and quotas for most of the groups there are.
pub fn draw(dice: &mut Dice, setup: &mut Setup, comes_to_rest: bool) {
    let era = era(dice);
    setup.kernel.bandwidth = era;
    setup.kernel.bandwidth_slice_ns = dice.pick(&[5 * MS, MS, 100 * US, 20 * US]);
    match setup.duration_ns / MS {
        250 if dice.chance(60) => {
            if dice.chance(50) {
                setup.kernel.bandwidth = Bandwidth::of_preset(
                    dice.pick(&[BandwidthPreset::ChilukV1V2V5, BandwidthPreset::SegallList]),
                );
            }
            return crowd(dice, setup);
        }
        // 2.6.24's migration thread needs all of its time.
        251.. => return,
        _ => {}
    }
    for group in 1..setup.groups.len() {
        setup.groups[group].bandwidth = dice.chance(75).then(|| quota(dice, era.has_burst()));
    }
    let quotas = setup.groups.iter().any(|group| group.bandwidth.is_some());
    // Long enough for a few periods, where that costs little.
    if quotas
        && !comes_to_rest
        && setup.duration_ns < 2 * MS
        && setup.machine.topology.cpus() <= 4
        && dice.chance(30)
    {
        setup.duration_ns = dice.between(3 * MS, 8 * MS);
    }
    if !comes_to_rest && dice.chance(40) {
        under_mutex(dice, setup);
    }
}

/// Some of the kernel work is done under a mutex.
fn under_mutex(dice: &mut Dice, setup: &mut Setup) {
    let mutex = setup.objects.len() as u32;
    let mut used = false;
    for task in &mut setup.tasks {
        let Program::Ops { phases, .. } = &mut task.program else { continue };
        for op in phases.iter_mut().flat_map(|phase| &mut phase.ops) {
            match *op {
                Op::Kernel { section: Section::Preemptible, ns, .. } | Op::Run { ns }
                    if dice.chance(30) =>
                {
                    *op = Op::KernelMutex { mutex, ns };
                    used = true;
                }
                _ => {}
            }
        }
    }
    if used {
        setup.objects.push(ObjectSpec {
            name: "kernel_mutex".to_owned(),
            object: Object::Mutex { pi: false },
        });
    }
}
