"""A run as a file of other tools."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from . import _ask, _check, _native, _progress
from ._ask import Costs, Duration, Live, Scenario
from ._progress import Progress
from .errors import LimitReached


def exported(
    prepared: _native.Prepared,
    format: str,
    path: str | os.PathLike[str] | None,
    window: str | None,
    progress: Progress,
) -> bytes | None:
    """Writes a prepared scenario's run."""
    _check.text("format", format, "the name of a format (schedscope.formats())")
    _check.text("window", window, 'FROM..TO, such as "10ms..12ms"')
    place = None if path is None else os.fspath(path)
    with _progress.told(progress, "ns") as tell:
        data, limit = prepared.export(format, place, window, tell)
    if limit is not None:
        raise LimitReached(f"stopped {limit}", data)
    return data


def export(
    scenario: Scenario,
    format: str,
    path: str | os.PathLike[str] | None = None,
    *,
    window: str | None = None,
    variant: str | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    duration: Duration | None = None,
    live: Live | None = None,
    costs: Costs | None = None,
    max_records: int | None = None,
    max_memory: str | int | None = None,
    progress: Progress = None,
) -> bytes | None:
    """Runs a scenario and writes it in a format of :func:`formats`, as ``schedscope export`` does.

    ``format``, ``path`` and ``window`` are those of :meth:`Run.export`, the other arguments and the
    errors those of :func:`run`.
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
    return exported(_native.prepare(asked), format, path, window, progress)
