//! Flags of every command that runs a scenario: changes to the scenario, and limits of a run.

use clap::Args;
use schedscope_runs::execute::Limits;
use schedscope_runs::target::{costs_of, parse_sets};
use schedscope_runs::{Failure, Set, live};
use schedscope_scenario::LiveWrite;
use schedscope_scenario::knobs;
use schedscope_scenario::knobs::SEED_MAX;

/// Changes every running command takes.
#[derive(Args)]
pub struct Changes {
    /// Set a knob; the value is typed by the knob (`schedscope list --knobs`)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Take the costs of this file: a JSON object of a preset and single costs, as in
    /// machine.costs; --set overrides them
    #[arg(long, value_name = "FILE")]
    pub costs: Option<std::path::PathBuf>,
    /// Key of every random draw
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_seed)]
    pub seed: Option<u64>,
    /// Machine time to simulate: 5s, 100ms
    #[arg(long = "for", value_name = "TIME", allow_hyphen_values = true)]
    pub duration: Option<String>,
    /// Write to the running kernel at an instant of the run: a live switch, a file of a group, a
    /// task's cpus, policy or wake
    #[arg(long, value_name = "TIME=PATH=VALUE", allow_hyphen_values = true,
        value_parser = live::parse)]
    pub live: Vec<LiveWrite>,
    /// Stop after this many records, with a partial result [default: 1000000000; 50000000 where the
    /// trace is looked at]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_records)]
    pub max_records: Option<u64>,
    /// Stop once the run holds this much, with a partial result: 512MiB, 4GiB [default: 2GiB]
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, value_parser = parse_size)]
    pub max_memory: Option<u64>,
}

impl Changes {
    /// The limits of the run.
    pub fn limits(&self) -> Limits {
        Limits { records: self.max_records, bytes: self.max_memory }
    }

    /// All of it.
    pub fn read(&self) -> Result<schedscope_runs::Changes, Failure> {
        let (set, live, limits) = (self.sets()?, self.live.clone(), self.limits());
        Ok(schedscope_runs::Changes { set, live, limits })
    }

    /// Every change of the scenario in order: `--costs`, `--set`, then `--seed` and `--for`.
    pub fn sets(&self) -> Result<Set, Failure> {
        let mut sets =
            self.costs.as_deref().map(costs_of).transpose()?.into_iter().collect::<Set>();
        sets.extend(parse_sets(&self.set)?);
        sets.extend(self.seed.map(|seed| ("seed".to_owned(), seed.into())));
        sets.extend(
            self.duration.as_ref().map(|time| ("duration".to_owned(), time.as_str().into())),
        );
        debug_assert!(knobs().iter().any(|knob| knob.path == "duration"), "the flags name knobs");
        Ok(sets)
    }

    /// How many things are changed.
    pub fn count(&self) -> usize {
        self.set.len()
            + self.live.len()
            + usize::from(self.costs.is_some())
            + usize::from(self.seed.is_some())
            + usize::from(self.duration.is_some())
            + usize::from(self.max_records.is_some())
            + usize::from(self.max_memory.is_some())
    }
}

fn parse_records(text: &str) -> Result<u64, String> {
    let records = text.parse().ok().filter(|records| *records > 0);
    records
        .ok_or_else(|| format!("expected a whole number from 1 to {}, such as 1000000", u64::MAX))
}

/// Least memory a run may be given: below it nothing but the setup would fit.
const MEMORY_MIN: u64 = 1 << 20;

/// Bytes of "512MiB"; a bare number is bytes.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.len() - text.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let shift = ["", "KiB", "MiB", "GiB"].iter().position(|known| *known == unit);
    let bytes = shift.and_then(|nth| number.parse::<u64>().ok()?.checked_mul(1 << (10 * nth)));
    let most = u64::MAX >> 30;
    let wrong = || {
        format!(
            "expected a size from 1MiB to {most}GiB: a whole number of bytes, KiB, MiB or GiB, \
                such as 512MiB"
        )
    };
    bytes.filter(|bytes| *bytes >= MEMORY_MIN).ok_or_else(wrong)
}

/// The scenario's own range; its reader would name the knob, and not the flag.
fn parse_seed(text: &str) -> Result<u64, String> {
    let seed = text.parse().ok().filter(|seed| *seed <= SEED_MAX);
    seed.ok_or_else(|| format!("expected a whole number from 0 to {SEED_MAX}, such as 7"))
}
