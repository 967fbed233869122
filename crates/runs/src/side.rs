//! One run of a scenario: its changes, and the notes before and after it.

use schedscope_scenario::{LiveWrite, Prepared, live_flags, replay_command};

use crate::changes::Changes;
use crate::execute::Limits;
use crate::failure::Failure;
use crate::live;
use crate::target::{Set, Target, Whose};
use crate::variant::placed;

/// A prepared scenario with the command that replays it.
#[derive(Debug)]
pub struct Side {
    /// Ready to run.
    pub prepared: Prepared,
    /// Command that replays it, naming the target as given.
    pub replay: String,
}

impl Side {
    /// Prepares `target` with `set` laid over it.
    pub fn new(target: &Target, set: &Set) -> Result<Self, Failure> {
        let mut prepared =
            target.document()?.prepare(&target.slug, set).map_err(|error| target.invalid(error))?;
        let replay = replay_command(target.name_for_commands(), set);
        prepared.meta.replay.clone_from(&replay);
        Ok(Self { prepared, replay })
    }

    /// One run of `target`, from its variant of that name if one is named, with the link's writes
    /// to both sides.
    ///
    /// # Errors
    /// There is no such variant, or the scenario with all changes is invalid.
    pub fn alone(
        target: &Target,
        variant: Option<&str>,
        changes: &Changes,
    ) -> Result<Self, Failure> {
        let (set, index) = target.sets(variant, changes.set.clone())?;
        let of_file = index.filter(|_| changes.is_empty());
        let side = Self::new(target, &set).map_err(|failure| placed(failure, target, of_file))?;
        let live = target.live(Whose::Both, &changes.live);
        Ok(side.writing(live)?.limited_by(changes.limits))
    }

    /// This side with writes to the running kernel, which its replay command also makes. Refuses a
    /// write that this run cannot make at any instant.
    pub fn writing(mut self, live: Vec<LiveWrite>) -> Result<Self, Failure> {
        self.prepared = self.prepared.writing(live);
        for write in &self.prepared.live {
            self.prepared.check_live(write).map_err(|error| live::failure(write, error))?;
        }
        self.replay.push_str(&live_flags(&self.prepared.live));
        self.prepared.meta.replay.clone_from(&self.replay);
        Ok(self)
    }

    /// This side with limits, which its replay command also has.
    pub fn limited_by(mut self, limits: Limits) -> Self {
        self.replay.push_str(&limits.flags());
        self
    }

    /// How many hardware threads a core has, where that is not one.
    fn cores(&self) -> String {
        match self.prepared.setup.machine.topology.threads() {
            1 => String::new(),
            threads => format!(" and cores of {threads} threads"),
        }
    }

    /// One line about the run. Omits a switch that the kernel's words already name.
    pub fn headline(&self) -> String {
        let meta = &self.prepared.meta;
        let knob = |path: &str, label: &str| {
            let value = meta
                .knobs
                .iter()
                .find(|knob| knob.path == path)
                .and_then(|knob| knob.value.as_str());
            let named = meta.own_switches.iter().any(|own| own.path == path);
            if named { String::new() } else { format!(", {label} {}", value.unwrap_or_default()) }
        };
        format!(
            "seed {}, {} CPU{} in packages of {}{}, kernel {}{}{}, costs {}",
            meta.seed,
            meta.cpus,
            if meta.cpus == 1 { "" } else { "s" },
            meta.package_size,
            self.cores(),
            meta.kernel_words(&[]),
            knob("kernel.rt_balance", "RT balancing"),
            knob("kernel.rt_push_ipi", "RT_PUSH_IPI"),
            meta.costs_in_words()
        )
    }
}
