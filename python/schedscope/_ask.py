"""Arguments of Python as the native part takes them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from .errors import UsageError

Scenario: TypeAlias = "str | os.PathLike[str] | Mapping[str, Any]"
"""A shipped scenario's name, a file, a link, the JSON text of a scenario, or the object of one."""

Live: TypeAlias = "Iterable[str | tuple[str, str, Any]]"
"""Writes to the running kernel: ``"TIME=PATH=VALUE"`` or ``(time, path, value)``."""

Costs: TypeAlias = "str | os.PathLike[str] | Mapping[str, Any]"
"""A file of costs, or the object in such a file."""


def asked(
    scenario: Scenario,
    *,
    variant: str | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    duration: str | int | None = None,
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
    changes = dict(set or {})
    if seed is not None:
        changes["seed"] = seed
    if duration is not None:
        changes["duration"] = f"{duration}ns" if isinstance(duration, int) else duration
    changes.update(own or {})
    return {
        "scenario": name,
        "text": text,
        "variant": variant,
        "side": side,
        "of_file": of_file,
        "costs_file": None if costs is None or isinstance(costs, Mapping) else os.fspath(costs),
        "costs": to_json(costs) if isinstance(costs, Mapping) else None,
        "set": [_change(path, value) for path, value in changes.items()],
        "live": [_live(write) for write in live or ()],
        "max_records": max_records,
        "max_memory": None if max_memory is None else str(max_memory),
    }


def _scenario(scenario: Scenario) -> tuple[str, str | None]:
    if isinstance(scenario, Mapping):
        return "scenario", to_json(scenario)
    if isinstance(scenario, str) and scenario.lstrip()[:1] == "{":
        return "scenario", scenario
    return os.fspath(scenario), None


def _change(path: str, value: Any) -> tuple[str, str, bool]:
    return (path, value, False) if isinstance(value, str) else (path, to_json(value), True)


def _live(write: str | tuple[str, str, Any]) -> str:
    if isinstance(write, str):
        return write
    time, path, value = write
    return f"{time}={path}={value if isinstance(value, str) else to_json(value)}"


def over(path: str, values: Any) -> str:
    """``PATH=VALUES`` for the values of a knob; a text is taken as the command takes it."""
    return f"{path}={values if isinstance(values, str) else to_json(list(values))}"


def seeds(seeds: str | Iterable[int] | None) -> str | None:
    """The seeds as text."""
    if seeds is None or isinstance(seeds, str):
        return seeds
    try:
        return ",".join(str(int(seed)) for seed in seeds)
    except TypeError:
        raise UsageError(f"seeds: expected numbers, such as range(1, 21), got {seeds!r}") from None


def to_json(value: Any) -> str:
    """JSON of a value; numbers of numpy are numbers."""
    return json.dumps(value, default=_plain, allow_nan=False)


def _plain(value: Any) -> Any:
    plain = getattr(value, "item", None) or getattr(value, "tolist", None)
    if plain is None:
        raise UsageError(f"a {type(value).__name__} is no value of a scenario: {value!r}")
    return plain()
