"""Where the time of late wake-ups went."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _ask, _check, _native, _progress
from ._ask import Costs, Duration, Live, Scenario
from ._progress import Progress
from .errors import LimitReached

_NUMBER_MAX = 2**32 - 1
"""Most wake-ups of a task."""


@dataclass(frozen=True)
class Part:
    """A part of a latency."""

    cause: str
    """What the wake-up waited for."""
    ns: int
    """How long."""
    of_which: tuple[tuple[str, int], ...]
    """What lies inside, in words and ns: the locks waited for, the slack of the timer, the tasks
    that ran instead, the group whose quota had run out."""


@dataclass(frozen=True)
class Wake:
    """One wake-up and the parts of its latency, whose sum is ``latency_ns``."""

    task: str
    """The task's name."""
    nth: int
    """Counts the task's wake-ups from 0."""
    cpu: int
    """Where it ran, or waits."""
    due_ns: int
    """When the task should have run."""
    latency_ns: int
    """From then to its first user instruction, or to the end of the run."""
    waiting: str | None
    """For a wait that is not over at the end: what kind, and where; else ``None``."""
    parts: tuple[Part, ...]
    """In order of time, or, if ``summed``, one for each cause."""
    summed: bool
    """Whether there were too many parts to list each."""
    meanwhile: str | None
    """The CPU that the task may use and that ran something weaker meanwhile, a sentence."""


class Explanation:
    """The wake-ups that were asked for, the latest first; as text it is the command's table."""

    def __init__(self, wakes: list[Wake], text: str) -> None:
        self.wakes = wakes
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<schedscope explanation of {len(self.wakes)} wake-ups>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._text)}</pre>"


def explained(
    prepared: _native.Prepared,
    worst: int,
    task: str | None,
    nth: int | None,
    progress: Progress,
) -> Explanation:
    """Explains wake-ups of a prepared scenario."""
    worst = _check.whole("worst", worst, 1, _NUMBER_MAX)
    nth = None if nth is None else _check.whole("nth", nth, 0, _NUMBER_MAX)
    _check.text("task", task, "the name of a task, or of a kind of tasks")
    with _progress.told(progress, "ns") as tell:
        told, text, limit = prepared.explain(worst, task, nth, tell)
    explanation = Explanation([_wake(wake) for wake in json.loads(told)], text)
    if limit is not None:
        raise LimitReached(f"stopped {limit}", explanation)
    return explanation


def _wake(told: dict[str, Any]) -> Wake:
    inside = [
        tuple((each["what"], each["ns"]) for each in part["of_which"]) for part in told["parts"]
    ]
    parts = zip(told.pop("parts"), inside, strict=True)
    return Wake(**told, parts=tuple(Part(part["cause"], part["ns"], of) for part, of in parts))


def explain(
    scenario: Scenario,
    worst: int = 1,
    task: str | None = None,
    *,
    nth: int | None = None,
    variant: str | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    duration: Duration | None = None,
    live: Live | None = None,
    costs: Costs | None = None,
    max_records: int | None = None,
    max_memory: str | int | None = None,
    progress: Progress = None,
) -> Explanation:
    """Runs a scenario and explains its latest wake-ups, as ``schedscope explain`` does.

    The first arguments are those of :meth:`Run.explain`, the others and the errors those of
    :func:`run`.
    """
    asked = _ask.asked(
        scenario,
        variant=variant,
        set=set,
        seed=seed,
        duration=duration,
        live=live,
        costs=costs,
        max_records=max_records,
        max_memory=max_memory,
    )
    return explained(_native.prepare(asked), worst, task, nth, progress)
