//! Hardware noise that takes CPUs away from the kernel: system management interrupts, and a host
//! (docs/model/time.md#hardware-noise).

use super::{Amount, Setup};
use crate::ids::CpuId;
use crate::machine::hw_noise::NoiseSource;
use crate::machine::topology::CpuMask;
use crate::named::Named;

/// How often a source stops CPUs, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct HwNoiseLoad {
    /// CPUs it stops: all of them at once if it is the SMI, else each by itself.
    pub cpus: CpuMask,
    /// From the start of the run, or of one stop, to the next one.
    pub gap: Amount,
    pub length: Amount,
}

impl Setup {
    pub(super) fn check_hw_noise(&self) -> Result<(), String> {
        let end = CpuId::new(self.machine.topology.cpus());
        for source in NoiseSource::ALL.iter().copied() {
            let Some(load) = self.hw_noise[source as usize] else { continue };
            if load.cpus.is_empty() || load.cpus.last() >= Some(end) {
                return Err(format!("{} stops CPUs the machine has", source.name()));
            }
            if source == NoiseSource::Smi && load.cpus.count() != self.machine.topology.cpus() {
                return Err("an SMI stops all CPUs".to_owned());
            }
            load.gap.check(self).and(load.length.check(self))?;
        }
        Ok(())
    }
}
