"""Arguments of Python as the native part takes them."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, TypeAlias

from . import _check
from .errors import UsageError

Scenario: TypeAlias = "str | os.PathLike[str] | Mapping[str, Any]"
"""A shipped scenario's name, a file, a link, the JSON text of a scenario, or the object of one."""

Live: TypeAlias = "Iterable[str | tuple[str, str, Any]]"
"""Writes to the running kernel: ``"TIME=PATH=VALUE"`` or ``(time, path, value)``."""

Costs: TypeAlias = "str | os.PathLike[str] | Mapping[str, Any]"
"""A file of costs, or the object in such a file."""

Duration: TypeAlias = "str | int | timedelta"
"""A time with its unit, ``"100ms"``, a whole number of ns, or a duration of Python or numpy."""

_JOBS_MAX = 256


def asked(
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
    side: int | None = None,
    own: Mapping[str, Any] | None = None,
    of_file: bool = False,
) -> dict[str, object]:
    """Everything that is asked of a run, in order: costs, set, seed, duration, a side's own."""
    name, text = _scenario(scenario)
    _check.text("variant", variant, "the name of a variant")
    _check.mapping("set", set or {}, 'knobs by path, such as {"machine.cpus": 16}')
    changes = dict(set or {})
    if seed is not None:
        changes["seed"] = seed
    if duration is not None:
        changes["duration"] = duration_text("duration", duration)
    changes.update(own or {})
    return {
        "scenario": name,
        "text": text,
        "variant": variant,
        "side": side,
        "of_file": of_file,
        "costs_file": None if costs is None or isinstance(costs, Mapping) else _file(costs),
        "costs": to_json(costs) if isinstance(costs, Mapping) else None,
        "set": [_change(path, value) for path, value in changes.items()],
        "live": _writes(live),
        "max_records": None if max_records is None else _check.whole("max_records", max_records),
        "max_memory": None if max_memory is None else str(max_memory),
    }


def _scenario(scenario: Scenario) -> tuple[str, str | None]:
    if isinstance(scenario, Mapping):
        return "scenario", to_json(scenario)
    if isinstance(scenario, str) and scenario.lstrip()[:1] == "{":
        return "scenario", scenario
    if not isinstance(scenario, (str, os.PathLike)):
        expected = "the name of a shipped scenario, a file, a link, JSON text or a dict"
        raise _check.refused("scenario", expected, scenario)
    return os.fspath(scenario), None


def _file(costs: str | os.PathLike[str]) -> str:
    if not isinstance(costs, (str, os.PathLike)):
        raise _check.refused("costs", "a file of costs, or the object in one", costs)
    return os.fspath(costs)


def duration_text(argument: str, duration: Duration) -> str:
    """A time as a text with its unit."""
    if isinstance(duration, str):
        return duration
    ns = _ns(duration)
    number: Any = duration if ns is None else ns
    try:
        return f"{operator.index(number)}ns"
    except TypeError:
        expected = 'a time with its unit, such as "100ms", or a whole number of ns'
        raise _check.refused(argument, expected, duration) from None


def _ns(value: Any) -> int | None:
    """A duration of Python, pandas or numpy in ns; ``None`` if it is none."""
    if type(value).__name__ == "timedelta64":
        return int(value.astype("timedelta64[ns]").astype("int64"))
    if not isinstance(value, timedelta):
        return None
    # One of pandas has the ns below a microsecond beside the others.
    whole = (value.days * 86_400 + value.seconds) * 1_000_000 + value.microseconds
    return whole * 1_000 + int(getattr(value, "nanoseconds", 0))


def _change(path: str, value: Any) -> tuple[str, str, bool]:
    return (path, value, False) if isinstance(value, str) else (path, to_json(value), True)


def _writes(live: Live | None) -> list[str]:
    expected = 'a list of "TIME=PATH=VALUE" or (time, path, value)'
    if isinstance(live, (str, Mapping)):
        raise _check.refused("live", expected, live)
    try:
        return [_live(write) for write in live or ()]
    except (TypeError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        raise _check.refused("live", expected, live) from None


def _live(write: str | tuple[str, str, Any]) -> str:
    if isinstance(write, str):
        return write
    time, path, value = write
    return f"{time}={path}={value if isinstance(value, str) else to_json(value)}"


def axes(over: Mapping[str, Iterable[Any] | str]) -> list[str]:
    """``PATH=VALUES`` for the values of each knob; a text is taken as the command takes it."""
    _check.mapping("over", over, 'values by knob, such as {"machine.cpus": [8, 16]}')
    return [f"{path}={_values(path, values)}" for path, values in over.items()]


def _values(path: str, values: Iterable[Any] | str) -> str:
    if isinstance(values, str):
        return values
    try:
        listed = list(values)
    except TypeError:
        raise _check.refused(f"over: {path}", "its values, such as [8, 16]", values) from None
    return to_json(listed)


def metrics(metrics: Iterable[str]) -> list[str]:
    """The figures asked for."""
    expected = 'a list of figures, such as ["sched.migrations"]'
    try:
        listed = None if isinstance(metrics, str) else list(metrics)
    except TypeError:
        listed = None
    if listed is None or not all(isinstance(path, str) for path in listed):
        raise _check.refused("metrics", expected, metrics)
    return listed


def jobs(jobs: int | None) -> int:
    """Runs at the same time; without a number as many as there are processors."""
    if jobs is not None:
        return _check.whole("jobs", jobs, 1, _JOBS_MAX)
    usable = getattr(os, "sched_getaffinity", None)
    return min(len(usable(0)) if usable else os.cpu_count() or 1, _JOBS_MAX)


def seeds(seeds: str | Iterable[int] | None) -> str | None:
    """The seeds as text."""
    if seeds is None or isinstance(seeds, str):
        return seeds
    try:
        return ",".join(str(operator.index(seed)) for seed in seeds)
    except TypeError:
        raise _check.refused("seeds", "whole numbers, such as range(1, 21)", seeds) from None


def to_json(value: Any) -> str:
    """JSON of a value; numbers of numpy are numbers, durations are texts in ns."""
    try:
        return json.dumps(value, default=_plain, allow_nan=False)
    except (TypeError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{value!r} is no value of a scenario: {error}") from None


def _plain(value: Any) -> Any:
    ns = _ns(value)
    if ns is not None:
        return f"{ns}ns"
    plain = getattr(value, "item", None) or getattr(value, "tolist", None)
    if plain is None:
        raise UsageError(f"{value!r} ({type(value).__name__}) is no value of a scenario")
    return plain()
