"""Many runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import _ask, _native, _progress
from ._ask import Costs, Duration, Live, Scenario
from ._progress import Progress
from ._table import Table
from .errors import LimitReached


class Sweep(Table):
    """A row for each run that ended, in the order of the points.

    Columns: one for each knob, typed as the knob is (a time is a duration), then ``seed``,
    ``digest``, ``complete``, ``records``, ``kernel``, and one of whole numbers for each figure.
    """

    def __init__(
        self, stream: _native.Stream, metrics: list[str], notes: list[str], limit: str | None
    ) -> None:
        super().__init__(stream)
        self.metrics = metrics
        """Paths of the figures: the scenario's headline, then those asked for."""
        self.notes = notes
        """Remarks on the points, and one where every seed gives the same row."""
        self.limit = limit
        """Why the sweep ended before its end; ``None`` if it did not."""

    @property
    def complete(self) -> bool:
        """Whether every run simulated its whole duration."""
        return self.limit is None


def sweep(
    scenario: Scenario,
    over: Mapping[str, Iterable[Any] | str],
    *,
    seeds: Iterable[int] | str | None = None,
    metrics: Iterable[str] = (),
    jobs: int | None = None,
    variant: str | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    duration: Duration | None = None,
    live: Live | None = None,
    costs: Costs | None = None,
    max_records: int | None = None,
    max_memory: str | int | None = None,
    progress: Progress = None,
) -> Sweep:
    """Runs every combination of some values, each over several seeds, on all processors.

    Args:
        scenario: see :func:`run`.
        over: the values of each knob by its path: ``{"machine.cpus": [8, 16, 40]}``, or the
            command's text ``"8,16,40"``. The last one moves fastest. At most 10 000 runs.
        seeds: seeds for each point: ``range(1, 21)``, or ``"1..20"``; else the scenario's own.
        metrics: figures besides the scenario's headline, ``"sched.migrations"``.
        jobs: runs at the same time, from 1 to 256; else as many as there are processors.
        progress: ``True`` for a bar, or a function ``progress(done_runs, total_runs)``.

    The other arguments are those of :func:`run` and hold for every run.

    Raises:
        ScenarioError: the first point that is invalid; nothing has run then.
        UsageError: an argument cannot be used, such as a figure that no point can have.
        LimitReached: a run ended at a limit; ``partial`` is the whole table.
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
    axes, figures, at_once = _ask.axes(over), _ask.metrics(metrics), _ask.jobs(jobs)
    with _progress.told(progress, "runs") as tell:
        swept = Sweep(*_native.sweep(asked, axes, _ask.seeds(seeds), figures, at_once, tell))
    if swept.limit is not None:
        raise LimitReached(swept.limit, swept)
    return swept
