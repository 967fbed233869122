//! Failures that end a command, with their exit codes (docs/use/command-line.md).

use crate::remarks;
use schedscope_scenario::ScenarioError;
use schedscope_scenario::text::shown;
use std::process::ExitCode;

/// Most characters of the name in an error: a link that carries a scenario has many.
const NAME_MAX: usize = 200;

/// Why a command did not end well.
#[derive(Debug)]
pub enum Failure {
    /// Exit code 2: the command line, a file or a link cannot be used.
    Usage(String),
    /// Exit code 3: the scenario is invalid; with the name it was asked for by.
    Scenario(String, Box<ScenarioError>),
    /// Exit code 4: a limit was reached; the partial result has been printed.
    Limit(String),
    /// Exit code 4 too; the message was printed before the partial result.
    Limited,
    /// Exit code 5: the simulator broke one of its own laws; with the command that replays it.
    Fault {
        /// Which law, or the panic's message.
        what: String,
        /// Command that replays it.
        replay: String,
    },
}

impl Failure {
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// Prints the failure to stderr and gives its exit code.
    pub fn report(&self) -> ExitCode {
        let (code, text) = match self {
            Self::Usage(message) => (2, format!("error: {message}")),
            Self::Scenario(target, error) => {
                (3, format!("error: {}: {error}", shown(target, NAME_MAX)))
            }
            Self::Limit(message) => (4, format!("stopped: {message}")),
            Self::Limited => return ExitCode::from(4),
            Self::Fault { what, replay } => {
                remarks::say(&format!("the simulator broke one of its own laws: {what}"));
                remarks::say_whole(&format!("replay: {replay}"));
                return ExitCode::from(5);
            }
        };
        remarks::say(&text);
        ExitCode::from(code)
    }
}
