"""Two runs with the same draws."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeAlias

from . import _ask, _check, _link, _native, _progress, _show
from ._ask import Costs, Duration, Live, Scenario
from ._progress import Progress
from ._run import Run
from ._table import Table
from .errors import LimitReached

Side: TypeAlias = "str | Mapping[str, Any] | None"
"""A variant's name, or knobs by path."""


class Comparison:
    """Two runs that differ in what was said of A and B, and in nothing else."""

    a: Run
    """The first run."""
    b: Run
    """The second run."""
    deltas: Table
    """Every figure of either: ``figure``, ``a``, ``b``, ``delta`` (b less a, if both have it)."""
    first_divergence: dict[str, Any] | None
    """The first rows in which the traces differ, ``a`` and ``b``, each with ``time_ns``, ``cpu``,
    ``event``, ``a`` and ``b`` (``None`` for a trace that has ended); ``None`` if they are equal."""

    def __init__(
        self,
        sides: tuple[_native.Prepared, _native.Prepared],
        compared: tuple[_native.Outcome, _native.Outcome, _native.Stream, str],
    ) -> None:
        self._sides = sides
        a, b, deltas, divergence = compared
        self.a, self.b = Run(sides[0], a), Run(sides[1], b)
        self.deltas = Table(deltas)
        self.first_divergence = json.loads(divergence)

    @property
    def complete(self) -> bool:
        """Whether both runs simulated their whole duration."""
        return self.a.complete and self.b.complete

    @property
    def notes(self) -> list[str]:
        """Remarks on either side, each once."""
        return list(dict.fromkeys([*self.a.notes, *self.b.notes]))

    @cached_property
    def link(self) -> str | None:
        """Both runs as a link below a site's root; ``None`` if the scenario is too large."""
        live = [
            (letter, *write)
            for letter, side in zip("ab", self._sides, strict=True)
            for write in side.live
        ]
        changes = [json.loads(side.set) for side in self._sides]
        fragment = _link.fragment(self._sides[0].text, changes, live, None)
        return None if fragment is None else f"lab/#{fragment}"

    def _names(self) -> list[str]:
        names = zip("AB", self._sides, strict=True)
        return [f"{name} ({side.variant})" if side.variant else name for name, side in names]

    def __repr__(self) -> str:
        a, b = self._names()
        sides = f"{a}, digest {self.a.digest}; {b}, digest {self.b.digest}"
        return f"<schedscope comparison of {self.a.scenario}: {sides}>"

    def _repr_html_(self) -> str:
        paths = self._sides[0].figures
        rows = [(path, [self.a.figure(path), self.b.figure(path)]) for path in paths]
        title = " / ".join(dict.fromkeys(side.title for side in self._sides))
        a, b = (side.headline for side in self._sides)
        subtitle = a if a == b else f"A: {a}; B: {b}"
        return _show.html(title, subtitle, self._names(), rows, self.link)


def compare(
    scenario: Scenario,
    a: Side = None,
    b: Side = None,
    *,
    variant: str | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    duration: Duration | None = None,
    live: Live | None = None,
    costs: Costs | None = None,
    max_records: int | None = None,
    max_memory: str | int | None = None,
    progress: Progress = None,
) -> Comparison:
    """Runs two sides with the same draws, as ``schedscope compare`` does.

    Args:
        scenario: see :func:`run`.
        a: what is special to A: the name of a variant, or knobs by path. With neither ``a`` nor
            ``b`` nor ``variant`` the sides are the scenario's first two variants.
        b: what is special to B.
        variant: both start from this variant, except a side that names its own.

    The other arguments and the errors are those of :func:`run` and hold for both sides;
    ``partial`` of ``LimitReached`` is the comparison.
    """
    for name, own in (("a", a), ("b", b)):
        if not isinstance(own, str):
            _check.mapping(name, own or {}, "the name of a variant, or knobs by path")
    of_file = a is None and b is None and variant is None

    def prepared(side: int, own: Side) -> _native.Prepared:
        return _native.prepare(
            _ask.asked(
                scenario,
                variant=own if isinstance(own, str) else variant,
                set=set,
                seed=seed,
                duration=duration,
                live=live,
                costs=costs,
                max_records=max_records,
                max_memory=max_memory,
                side=side,
                own=None if isinstance(own, str) else own,
                of_file=of_file,
            )
        )

    sides = prepared(0, a), prepared(1, b)
    with _progress.told(progress, "ns") as tell:
        compared = Comparison(sides, _native.compare(*sides, tell))
    for name, run in (("A", compared.a), ("B", compared.b)):
        if run.limit is not None:
            raise LimitReached(f"{name} stopped {run.limit}", compared)
    return compared
