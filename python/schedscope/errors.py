"""What the functions of this package raise."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._bisect import Bisection
    from ._compare import Comparison
    from ._explain import Explanation
    from ._run import Run
    from ._sweep import Sweep


class SchedscopeError(Exception):
    """The root of all errors of this package."""


class UsageError(SchedscopeError, ValueError):
    """An argument, a file or a link cannot be used; the command would end with exit code 2."""


class ScenarioError(SchedscopeError, ValueError):
    """The scenario with its changes is invalid; the command would end with exit code 3.

    ``str(error)`` is the command's text.
    """

    message: str
    """One sentence: what is wrong."""
    path: str
    """Dotted path of the value; ``""`` for the whole file."""
    line: int | None
    """Line of the scenario's text, from 1; ``None`` if the value came from elsewhere."""
    column: int | None
    """Column in characters, from 1."""
    expected: str | None
    """What would be right."""
    suggestion: str | None
    """The nearest known name, or the form that would work."""
    text: str | None
    """That line of the scenario's text."""

    def __init__(
        self,
        told: str,
        *,
        message: str = "",
        path: str = "",
        line: int | None = None,
        column: int | None = None,
        expected: str | None = None,
        suggestion: str | None = None,
        text: str | None = None,
    ) -> None:
        super().__init__(told)
        self.message = message
        self.path = path
        self.line = line
        self.column = column
        self.expected = expected
        self.suggestion = suggestion
        self.text = text


class LimitReached(SchedscopeError):
    """A run met its limit of records, steps or memory; the command would end with exit code 4."""

    partial: Run | Comparison | Sweep | Bisection | Explanation | bytes | None
    """The result up to there: what the function would have returned."""

    def __init__(
        self,
        message: str,
        partial: Run | Comparison | Sweep | Bisection | Explanation | bytes | None = None,
    ) -> None:
        super().__init__(message)
        self.partial = partial


class SimulatorFault(SchedscopeError):
    """The simulator broke one of its own laws; the command would end with exit code 5."""

    what: str
    """The law, or the message of the panic."""
    replay: str
    """Shell command that replays the run; please report it."""

    def __init__(self, what: str, replay: str) -> None:
        super().__init__(f"the simulator broke one of its own laws: {what}\nreplay: {replay}")
        self.what = what
        self.replay = replay

    def __reduce__(self) -> tuple[type[SimulatorFault], tuple[str, str]]:
        """The fault as it goes from a worker to its client."""
        return type(self), (self.what, self.replay)
