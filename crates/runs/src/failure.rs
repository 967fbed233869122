//! Why a run, or many, did not end well; each kind has an exit code of the command
//! (docs/use/command-line.md).

use schedscope_scenario::ScenarioError;

/// Why something asked for was not done, or not to its end.
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
    /// What was asked for cannot be done.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }
}
