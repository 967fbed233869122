//! `schedscope digest`: the fingerprint of each scenario's schedule, one line each.

use clap::Args;
use schedscope_runs::Failure;
use schedscope_runs::execute::Watch;

use crate::changes::Changes;
use crate::execute::{execute, say_limit};
use crate::interrupt::is_asked;
use crate::remarks;
use crate::results;
use crate::target::find;
use crate::variant::OfVariant;

/// Arguments of `digest`.
#[derive(Args)]
pub struct Arguments {
    /// Shipped scenarios, files, or links
    #[arg(required = true)]
    scenario: Vec<String>,
    #[command(flatten)]
    of: OfVariant,
    #[command(flatten)]
    changes: Changes,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut end = Ok(());
    // All of them first: a slip in the last name should not wait for the runs before it.
    let Arguments { scenario, of, changes } = arguments;
    let sides = scenario.iter().map(|name| of.side(&find(name)?, changes));
    let sides = sides.collect::<Result<Vec<_>, Failure>>()?;
    for (name, side) in arguments.scenario.iter().zip(sides) {
        // A digest prints no other line that mentions a write which the run never makes.
        if !side.prepared.live.is_empty() {
            remarks::note(&side.prepared.meta.notes);
        }
        let watch =
            Watch { window: None, wakes: false, limits: arguments.changes.limits(), waits: false };
        let outcome = execute(&side, watch, &mut |_, _| Ok(()))?;
        say_limit(&outcome, &format!("{name}: "));
        results::print(&format!("{}  {name}\n", outcome.report.digest))?;
        end = end.and(outcome.end());
        if is_asked() {
            break;
        }
    }
    end
}
