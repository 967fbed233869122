"""One run of a scenario."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from . import _ask, _link, _native, _progress, _show
from ._ask import Costs, Duration, Live, Scenario
from ._explain import Explanation, explained
from ._export import exported
from ._progress import Progress
from ._table import Table
from .errors import LimitReached, UsageError


class Run:
    """A run that has ended, and what it says.

    The same scenario with the same changes always gives the same run, so :meth:`export` and
    :meth:`explain` make it again and need no rows kept.
    """

    def __init__(self, prepared: _native.Prepared, outcome: _native.Outcome) -> None:
        self._prepared = prepared
        self._outcome = outcome

    @cached_property
    def report(self) -> dict[str, Any]:
        """The ``schedscope.run/1`` object, as ``schedscope run --json`` prints it; ns."""
        report: dict[str, Any] = json.loads(self._outcome.report)
        return report

    @property
    def metrics(self) -> dict[str, Any]:
        """The figures: ``report["metrics"]``."""
        metrics: dict[str, Any] = self.report["metrics"]
        return metrics

    def figure(self, path: str) -> int | None:
        """One figure by its path in :attr:`metrics`, such as ``"latency.cyclictest.max_ns"``.

        ``None`` if the run has none: no such task, or no sample.

        Raises:
            UsageError: no report has such a figure.
        """
        return self._outcome.figure(path)

    @property
    def scenario(self) -> str:
        """The scenario's name."""
        return self._prepared.scenario

    @property
    def seed(self) -> int:
        """Key of every random draw."""
        seed: int = self.report["seed"]
        return seed

    @property
    def digest(self) -> str:
        """Fingerprint of the schedule: what ``schedscope digest`` prints."""
        return self._outcome.digest

    @property
    def complete(self) -> bool:
        """Whether the whole duration was simulated."""
        return self._outcome.limit is None

    @property
    def limit(self) -> str | None:
        """Which limit ended the run before its end; ``None`` if none did."""
        return self._outcome.limit

    @property
    def notes(self) -> list[str]:
        """Remarks on the scenario and the link."""
        return self._prepared.notes

    @property
    def replay(self) -> str:
        """Shell command that makes this run."""
        return self._prepared.replay

    @property
    def link(self) -> str | None:
        """This run as a link below a site's root, which :func:`run` takes too.

        ``None`` if the scenario is larger than a link may carry (65 536 bytes).
        """
        fragment = _link.fragment(
            self._prepared.text,
            [json.loads(self._prepared.set)],
            [("k", *write) for write in self._prepared.live],
            "a",
        )
        return None if fragment is None else f"lab/#{fragment}"

    @property
    def rows(self) -> Table:
        """The rows of the trace: ``time_ns``, ``cpu``, ``event``, ``a``, ``b``.

        The meaning of ``a`` and ``b`` depends on the event (docs/use/trace.md in the source).

        Raises:
            UsageError: the run was made without ``rows=True``.
        """
        return _kept(self._outcome.rows, "rows")

    @property
    def wakes(self) -> Table:
        """Finished wake-ups: ``task``, ``nth``, ``cpu``, ``due_ns``, ``latency_ns``, ``causes``.

        ``causes`` is a list of ``cause`` and ``ns``, laid end to end from ``due_ns``; their sum is
        the latency. Parts between two of 0 ns are sums by cause, in no order.

        Raises:
            UsageError: the run was made without ``wakes=True``.
        """
        return _kept(self._outcome.wakes, "wakes")

    @cached_property
    def tasks(self) -> Table:
        """Every task with its figures, a column each, missing where the task has none."""
        return Table(self._outcome.tasks)

    @cached_property
    def latency(self) -> Table:
        """For each kind of task how late its wake-ups were: ``count``, ``p50_ns``, ``max_ns``, …"""
        return Table(self._outcome.latency)

    def export(
        self,
        format: str,
        path: str | os.PathLike[str] | None = None,
        *,
        window: str | None = None,
        progress: Progress = None,
    ) -> bytes | None:
        """Writes the run in a format of :func:`formats`, as ``schedscope export --to`` does.

        Args:
            format: the format's name.
            path: the file to write; without one the bytes are returned.
            window: only this span of machine time, such as ``"10ms..12ms"``.
            progress: see :func:`run`.

        Raises:
            UsageError: there is no such format, or the file cannot be written.
            LimitReached: the run ended at a limit; ``partial`` has the bytes without a path.
        """
        return exported(self._prepared, format, path, window, progress)

    def explain(
        self,
        worst: int = 1,
        task: str | None = None,
        *,
        nth: int | None = None,
        progress: Progress = None,
    ) -> Explanation:
        """Where the time of the latest wake-ups went, as ``schedscope explain`` shows it.

        Args:
            worst: how many, the latest first.
            task: only this task (``"cyclictest.12"``) or kind of task (``"cyclictest"``).
            nth: the task's wake-up of that number, from 0, instead of the worst.
            progress: see :func:`run`.

        Raises:
            UsageError: there is no such task or wake-up.
            LimitReached: the run ended at a limit.
        """
        return explained(self._prepared, worst, task, nth, progress)

    def __repr__(self) -> str:
        state = "" if self.complete else f", stopped {self.limit}"
        run = f"{self.scenario}, {self._prepared.headline}, digest {self.digest}"
        return f"<schedscope run of {run}{state}>"

    def _headline(self) -> list[tuple[str, int | None]]:
        return [(path, self.figure(path)) for path in self._prepared.figures]

    def _repr_html_(self) -> str:
        rows = [(path, [value]) for path, value in self._headline()]
        return _show.html(self._prepared.title, self._prepared.headline, [""], rows, self.link)


def _kept(stream: _native.Stream | None, what: str) -> Table:
    if stream is None:
        raise UsageError(f"the run kept no {what}: run(..., {what}=True) keeps them")
    return Table(stream)


def run(
    scenario: Scenario,
    *,
    variant: str | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    duration: Duration | None = None,
    live: Live | None = None,
    costs: Costs | None = None,
    max_records: int | None = None,
    max_memory: str | int | None = None,
    rows: bool = False,
    wakes: bool = False,
    progress: Progress = None,
) -> Run:
    """Runs a scenario to its end.

    Other Python threads go on meanwhile, Ctrl-C ends the run with ``KeyboardInterrupt``.

    Args:
        scenario: the name of a shipped scenario (:func:`scenarios`), a file, a link, JSON text, or
            the object of a scenario as a ``dict``.
        variant: start from this variant of the scenario, to which ``set`` is added.
        set: knobs by path (:func:`knobs`), ``{"machine.cpus": 8, "kernel.version": "6.12"}``.
        seed: key of every random draw.
        duration: machine time to simulate: ``"5s"``, ``"100ms"``, or a number of ns.
        live: writes to the running kernel, ``"10ms=kernel.rt_push_ipi=on"`` or
            ``("10ms", "kernel.rt_push_ipi", "on")``.
        costs: a file of costs, or the object in one.
        max_records: stop after this many records of the trace.
        max_memory: stop once the run holds this much: bytes, or ``"512MiB"``.
        rows: keep the rows of the trace, 19 bytes each.
        wakes: keep the finished wake-ups with their causes.
        progress: ``True`` for a bar, or a function ``progress(done_ns, total_ns)`` that is called
            about twenty times a second.

    Raises:
        ScenarioError: the scenario with its changes is invalid.
        UsageError: an argument, a file or a link cannot be used.
        LimitReached: the run ended at a limit; ``partial`` is the run up to there.
        SimulatorFault: the simulator broke one of its own laws.
    """
    prepared = _native.prepare(
        _ask.asked(
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
    )
    with _progress.told(progress, "ns") as tell:
        done = Run(prepared, prepared.execute(rows, wakes, tell))
    if done.limit is not None:
        raise LimitReached(f"stopped {done.limit}", done)
    return done
