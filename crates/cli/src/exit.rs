//! How a command ends that failed: its message and its exit code (docs/use/command-line.md).

use schedscope_runs::Failure;
use schedscope_scenario::text::shown;

use crate::remarks;

/// Most characters of the name in an error: a link that carries a scenario has many.
const NAME_MAX: usize = 200;

/// Prints the failure to stderr and gives its exit code.
pub fn report(failure: &Failure) -> u8 {
    let (code, text) = match failure {
        Failure::Usage(message) => (2, format!("error: {message}")),
        Failure::Scenario(target, error) => {
            (3, format!("error: {}: {error}", shown(target, NAME_MAX)))
        }
        Failure::Limit(message) => (4, format!("stopped: {message}")),
        Failure::Limited => return 4,
        Failure::Fault { what, replay } => {
            remarks::say(&format!("the simulator broke one of its own laws: {what}"));
            remarks::say_whole(&format!("replay: {replay}"));
            return 5;
        }
    };
    remarks::say(&text);
    code
}
