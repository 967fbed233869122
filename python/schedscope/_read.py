"""Texts that people paste: what they say, the scenario they come to, and what their counters need."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from . import _check, _native
from ._ask import Duration, duration_text
from .errors import UsageError


class Reading:
    """What a text says, line by line, and the program behind its counters."""

    report: dict[str, Any]
    """The ``schedscope.read/1`` object."""

    def __init__(self, report: str) -> None:
        self.report = json.loads(report)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Each line with ``line``, ``text`` and ``notes``: what became of it (``fate``), and why
        (``words``)."""
        lines: list[dict[str, Any]] = self.report["lines"]
        return lines

    @property
    def says(self) -> list[str]:
        """What the text says, and what follows from it by arithmetic."""
        return self._sentences("says")

    @property
    def doubts(self) -> list[str]:
        """What of the text cannot be."""
        return self._sentences("doubts")

    @property
    def asks(self) -> list[str]:
        """What is missing for an answer."""
        return self._sentences("asks")

    @property
    def assumed(self) -> list[str]:
        """What the text does not say and what is assumed instead."""
        return self._sentences("assumed")

    @property
    def scenario(self) -> str | None:
        """The text of the scenario, for :func:`run` and :func:`compare`; ``None`` where no line
        comes to one."""
        text: str | None = self.report["scenario_text"]
        return text

    @property
    def fit(self) -> dict[str, Any] | None:
        """The program that counts the same; ``None`` where the text has no counters of a group
        that was throttled."""
        fit: dict[str, Any] | None = self.report["fit"]
        return fit

    def _sentences(self, of: str) -> list[str]:
        sentences: list[str] = self.report[of]
        return sentences

    def __repr__(self) -> str:
        used = sum(any(note["fate"] == "used" for note in line["notes"]) for line in self.lines)
        said = (self.doubts + self.says + self.asks)[:1]
        return f"<schedscope reading, {used} of {len(self.lines)} lines used: {' '.join(said)}>"


class Answer:
    """What a throttled group needs: settings that keep a bound, and the questions people ask."""

    report: dict[str, Any]
    """The ``schedscope.answer/1`` object."""
    reading: Reading
    """The text."""

    def __init__(self, reading: Reading, report: str) -> None:
        self.reading = reading
        self.report = json.loads(report)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Settings that keep the bound, the cheapest first: ``quota_us``, ``period_us``,
        ``burst_us``, ``threads`` (``None``: as now), ``longest_us`` (of a run, and of the programs
        that do best and worst), ``keeps`` (how many of ``report["programs"]`` keep the bound), and
        ``set``, which makes its run of the scenario (``run(reading.scenario, set=row["set"])``)."""
        rows: list[dict[str, Any]] = self.report["rows"]
        return rows

    @property
    def answers(self) -> dict[str, str]:
        """The answer to each question."""
        return {each["question"]: each["answer"] for each in self.report["answers"]}

    def __repr__(self) -> str:
        return f"<schedscope answer: {len(self.rows)} settings, {', '.join(self.answers)}>"


def read(
    text: str | Path, *, within: Duration | None = None, burst: Duration | None = None
) -> Reading:
    """Reads what a person would paste: limits, counters, boot lines, commands, results.

    Args:
        text: the text, or the path of a file with it.
        within: look for the limit under which every burst ends within this time (``"50ms"``);
            without it, for the one that delays none.
        burst: how long one burst takes without a limit, measured.

    Raises:
        UsageError: the text is too long, or an argument cannot be used.
        SimulatorFault: the simulator broke one of its own laws.
    """
    return Reading(_native.read(_text(text), *_wish(within, burst), False)[0])


def answer(
    text: str | Path, *, within: Duration | None = None, burst: Duration | None = None
) -> Answer:
    """Answers what a throttled group needs, from its limit and counters, as ``schedscope answer``.

    The arguments are those of :func:`read`.

    Raises:
        UsageError: the text has no counters, or no search can succeed: why.
        SimulatorFault: the simulator broke one of its own laws.
    """
    report, said = _native.read(_text(text), *_wish(within, burst), True)
    return Answer(Reading(report), said or "{}")


def _text(text: str | Path) -> str:
    if isinstance(text, Path):
        try:
            return text.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise UsageError(f"cannot read {text}: {error}") from None
    if not isinstance(text, str):
        raise _check.refused("text", "a text or a path", text)
    return text


def _wish(within: Duration | None, burst: Duration | None) -> tuple[str | None, str | None]:
    return (
        None if within is None else duration_text("within", within),
        None if burst is None else duration_text("burst", burst),
    )
