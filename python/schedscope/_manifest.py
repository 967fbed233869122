"""Sweeps that go on past one process: planned once, run in batches anywhere, collected."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from . import _ask, _check, _native, _progress
from ._ask import Costs, Duration, Live, Scenario
from ._progress import Progress
from ._sweep import Sweep
from .errors import LimitReached, UsageError

Folder: TypeAlias = "str | os.PathLike[str]"
"""Where the parts of a manifest lie; each manifest has a folder of its own."""


class Manifest:
    """A sweep planned: its scenario, changes, points and seeds, cut into batches.

    The file is the command's: ``schedscope sweep --manifest FILE`` runs it too, and a folder of
    parts can be filled by both.
    """

    def __init__(self, text: str) -> None:
        """Reads the text of a manifest.

        Raises:
            UsageError: it is no manifest, or of an engine that gives other schedules.
        """
        self._native = _native.Manifest(text)
        self.notes: list[str] = []
        """Remarks on the points, where the manifest was planned here."""

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Manifest:
        """The manifest in a file.

        Raises:
            UsageError: the file cannot be read, or holds no manifest of this engine.
        """
        try:
            text = Path(path).read_text("utf-8")
        except OSError as error:
            raise UsageError(f"cannot read {os.fspath(path)}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise UsageError(f"{os.fspath(path)} is no manifest: it is no UTF-8 text") from error
        return cls(text)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file, which may replace another one.

        Raises:
            UsageError: the file cannot be written.
        """
        try:
            Path(path).write_text(self.text, "utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {os.fspath(path)}: {error.strerror}") from error

    @property
    def text(self) -> str:
        """The text of the file."""
        return self._native.text

    @property
    def runs(self) -> int:
        """Number of runs."""
        return self._native.runs

    @property
    def batches(self) -> list[int]:
        """Number of runs of each batch."""
        return self._native.batches

    def missing(self, folder: Folder) -> list[int]:
        """The batches that are not in the folder yet; makes the folder.

        Raises:
            UsageError: the folder holds the parts of another manifest, or cannot be made.
        """
        return self._native.missing(os.fspath(folder))

    def run(
        self,
        folder: Folder,
        *,
        shard: tuple[int, int] = (0, 1),
        jobs: int | None = None,
        progress: Progress = None,
    ) -> None:
        """Runs what is missing in the folder, or one share of it, in this process.

        Args:
            folder: takes a file for each batch as soon as it is done.
            shard: ``(i, n)`` with i from 0: batch b belongs to share b modulo n.
            jobs: runs at the same time, from 1 to 256; else as many as there are processors.
            progress: ``True`` for a bar, or a function ``progress(done_runs, total_runs)``.

        Raises:
            LimitReached: a run ended at a limit; its row says so.
            SimulatorFault: the simulator broke one of its own laws; what was done is kept.
        """
        index, of = _share(shard)
        mine = [batch for batch in self.missing(folder) if batch % of == index]
        with _progress.told(progress, "runs") as tell:
            limit = self._native.run(os.fspath(folder), mine, _ask.jobs(jobs), tell)
        if limit is not None:
            raise LimitReached(limit, None)

    def table(self, folder: Folder) -> Sweep:
        """The rows of the batches that are in the folder, in the order of the sweep.

        Without a batch missing it is the table that :func:`sweep` gives.
        """
        missing = self.missing(folder)
        there = sorted(set(range(len(self.batches))) - set(missing))
        stream, metrics = self._native.table(os.fspath(folder), there)
        limit = f"{len(missing)} of {len(self.batches)} batches are missing" if missing else None
        return Sweep(stream, metrics, self.notes, limit)

    def __repr__(self) -> str:
        return f"<schedscope manifest of {self.runs} runs in {len(self.batches)} batches>"


def plan(
    scenario: Scenario,
    over: Mapping[str, Iterable[Any] | str],
    *,
    seeds: Iterable[int] | str | None = None,
    metrics: Iterable[str] = (),
    batch: int | None = None,
    variant: str | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    duration: Duration | None = None,
    live: Live | None = None,
    costs: Costs | None = None,
    max_records: int | None = None,
    max_memory: str | int | None = None,
    progress: Progress = None,
) -> Manifest:
    """Plans a sweep of up to 1 000 000 runs and runs nothing.

    Every point is checked, and the beginnings of up to 256 points are tried for what they cost.
    The same arguments give the same manifest, on any machine.

    Args:
        batch: a batch is closed once its runs will write about this many records; by default
            3 000 000, some seconds of a processor.

    The other arguments are those of :func:`sweep`.

    Raises:
        ScenarioError: the first point that is invalid.
        UsageError: an argument cannot be used.
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
    axes, figures = _ask.axes(over), _ask.metrics(metrics)
    size = None if batch is None else _check.whole("batch", batch, 1)
    with _progress.told(progress, "points") as tell:
        native, notes = _native.plan_manifest(asked, axes, _ask.seeds(seeds), figures, size, tell)
    manifest = Manifest(native.text)
    manifest.notes = notes
    return manifest


def _share(shard: tuple[int, int]) -> tuple[int, int]:
    try:
        index, of = shard
        if 0 <= index < of:
            return index, of
    except (TypeError, ValueError):
        pass
    raise _check.refused("shard", "(i, n) with i from 0 to n - 1", shard)


def part(text: str, batch: int, jobs: int = 1) -> bytes:
    """The file of one batch of the manifest with this text, for a worker of any cluster.

    :func:`take` puts it into the folder.
    """
    return _native.Manifest(text).run_batch(batch, jobs)


def take(manifest: Manifest, folder: Folder, parts: Sequence[tuple[int, bytes]]) -> None:
    """Puts batches that were done elsewhere into the folder; refuses bytes of another manifest."""
    for batch, data in parts:
        manifest._native.take(os.fspath(folder), batch, data)
