"""Which changes between two kernel releases made a figure differ."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from . import _ask, _check, _native
from ._ask import Costs, Duration, Live, Scenario
from .errors import LimitReached

_SEEDS = 3, 256
_SEEDS_MORE = 32


class Bisection:
    """The changes between two releases in the order of their effect on one figure."""

    report: dict[str, Any]
    """The ``schedscope.bisect/1`` object. Means and intervals are in thousandths of the figure's
    unit; figures are those of each seed."""
    notes: list[str]
    """Remarks on the two releases."""
    limit: str | None
    """Why the bisection ended before its end; ``None`` if it did not."""

    def __init__(self, report: str, notes: list[str], limit: str | None) -> None:
        self.report = json.loads(report)
        self.notes = notes
        self.limit = limit

    @property
    def complete(self) -> bool:
        """Whether no run is missing."""
        return self.limit is None

    @property
    def differs(self) -> bool:
        """Whether the figure differs between the releases beyond its error."""
        differs: bool = self.report["differs"]
        return differs

    @property
    def cancels(self) -> bool:
        """Whether the figure does not differ and changes that move it work against each other."""
        cancels: bool = self.report["cancels"]
        return cancels

    @property
    def ranking(self) -> list[dict[str, Any]]:
        """Changes, and pairs of them, the largest clear effect first.

        Each has ``changes`` (names), ``clear`` (whether an interval of 95 % leaves zero out, or one
        twice as wide where the figure does not differ), ``share_thousandths`` of the whole
        difference (``None`` where there is none), ``effect``, ``alone`` (put into the first
        release) and ``without`` (left out of the second), ``from_with_it`` and ``to_without_it``
        (the knobs that make such a run, and the command that compares it with its release).
        """
        ranking: list[dict[str, Any]] = self.report["ranking"]
        return ranking

    def __repr__(self) -> str:
        report = self.report
        what = f"{report['metric']} of {report['scenario']}, {report['from']} to {report['to']}"
        names = [" with ".join(entry["changes"]) for entry in self.ranking if entry["clear"]]
        return f"<schedscope bisection of {what}: {', '.join(names) or 'no change found'}>"


def bisect(
    scenario: Scenario,
    *,
    from_: str,
    to: str,
    metric: str,
    seeds: int = 8,
    max_seeds: int | None = None,
    jobs: int | None = None,
    variant: str | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    duration: Duration | None = None,
    live: Live | None = None,
    costs: Costs | None = None,
    max_records: int | None = None,
    max_memory: str | int | None = None,
) -> Bisection:
    """Finds which changes between two releases made a figure differ, as ``schedscope bisect`` does.

    Args:
        scenario: see :func:`run`.
        from_: the release to begin with, as ``uname -r`` prints it.
        to: the release whose difference is asked about.
        metric: the figure, ``"latency.web.p99_ns"``.
        seeds: seeds of each kind of run, from 3 to 256: the scenario's own and those after it.
        max_seeds: while the answer is open, twice as many seeds are taken, up to this many; else
            32, or ``seeds`` if that is more.
        jobs: runs at the same time, from 1 to 256; else as many as there are processors.

    The other arguments are those of :func:`run` and hold for every run.

    Raises:
        ScenarioError: the scenario is invalid with one of the releases.
        UsageError: an argument cannot be used, such as a release or a figure that does not exist.
        LimitReached: a run ended at a limit; ``partial`` is what is known.
        SimulatorFault: the simulator broke one of its own laws.
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
    first = _check.whole("seeds", seeds, *_SEEDS)
    most = max(first, _SEEDS_MORE) if max_seeds is None else max_seeds
    question: dict[str, object] = {
        "from": from_,
        "to": to,
        "metric": metric,
        "seeds": first,
        "max_seeds": _check.whole("max_seeds", most, *_SEEDS),
        "jobs": _ask.jobs(jobs),
    }
    for name, text in (("from_", from_), ("to", to), ("metric", metric)):
        if not isinstance(text, str):
            raise _check.refused(name, "a text", text)
    found = Bisection(*_native.bisect(asked, question))
    if found.limit is not None:
        raise LimitReached(found.limit, found)
    return found
