//! The generators `smi` and `steal`: time that no kernel sees, because the firmware or the host
//! runs instead (docs/model/time.md#hardware-noise).
//!
//! How often and how long depends on the machine: every number is assumed.

use schedscope_engine::machine::hw_noise::NoiseSource;
use schedscope_engine::machine::topology::CpuMask;
use schedscope_engine::setup::{Amount, DURATION_NS_MAX, HwNoiseLoad, Machine};

use super::generator::Generator;
use super::parts::{around, listed_cpus, run_between};
use super::workload::Workload;
use crate::error::Fault;
use crate::knobs::knob::{Knob, KnobType, SECOND_NS};
use crate::resolve::resolver::Resolver;

/// Instead of a period.
const OFF: (&str, &str) = ("off", "never");
const WHY: &str = "assumed: it depends on the machine";

pub(super) const SMI: Generator =
    Generator { name: "smi", kinds: &[], group: None, outside: "", knobs: smi_knobs, add: add_smi };

pub(super) const STEAL: Generator = Generator {
    name: "steal",
    kinds: &[],
    group: None,
    outside: "",
    knobs: steal_knobs,
    add: add_steal,
};

fn smi_knobs() -> Vec<Knob> {
    vec![
        time(
            "workload.smi.period",
            "SMI every",
            "100ms",
            "Mean time from one system management interrupt to the next: drawn from half of it to \
                one and a half.",
        )
        .range(1_000, DURATION_NS_MAX)
        .words([OFF]),
        time(
            "workload.smi.length_min",
            "least SMI",
            "50us",
            "Shortest system management interrupt. All CPUs stop for this time.",
        )
        .range(1, SECOND_NS),
        time("workload.smi.length_max", "longest SMI", "150us", "Longest one.").range(1, SECOND_NS),
    ]
}

fn steal_knobs() -> Vec<Knob> {
    vec![
        Knob::cpu_list(
            "workload.steal.cpus",
            "stolen CPUs",
            "all",
            "CPUs that the host takes away, each by itself: \"all\", or a list such as \"0-3,8\".",
            WHY,
        ),
        time(
            "workload.steal.period",
            "stolen every",
            "50ms",
            "Mean time from one stop of a CPU to its next: drawn from half of it to one and a \
                half.",
        )
        .range(1_000, DURATION_NS_MAX)
        .words([OFF]),
        time(
            "workload.steal.length_min",
            "least steal",
            "100us",
            "Shortest time that the host runs something else on the CPU.",
        )
        .range(1, SECOND_NS),
        time("workload.steal.length_max", "longest steal", "1ms", "Longest one.")
            .range(1, SECOND_NS),
    ]
}

fn time(
    path: &'static str,
    label: &'static str,
    default: &'static str,
    help: &'static str,
) -> Knob {
    Knob::new(path, label, KnobType::Time, default, help, WHY)
}

fn add_smi(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let cpus = CpuMask::first(machine.topology.cpus());
    let period = resolver.time("workload.smi.period")?.value;
    let length = run_between(resolver, "workload.smi.length_min", "workload.smi.length_max")?;
    workload.hw_noise[NoiseSource::Smi as usize] = period.map(|ns| load(cpus, ns, length));
    Ok(())
}

fn add_steal(
    resolver: &mut Resolver<'_>,
    machine: &Machine,
    workload: &mut Workload,
) -> Result<(), Fault> {
    let cpus = listed_cpus(resolver, machine, "workload.steal.cpus")?;
    let period = resolver.time("workload.steal.period")?.value;
    let length = run_between(resolver, "workload.steal.length_min", "workload.steal.length_max")?;
    workload.hw_noise[NoiseSource::Steal as usize] = period.map(|ns| load(cpus, ns, length));
    Ok(())
}

fn load(cpus: CpuMask, period_ns: u64, length: Amount) -> HwNoiseLoad {
    HwNoiseLoad { cpus, gap: around(period_ns), length }
}
