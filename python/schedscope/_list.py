"""What there is: scenarios, knobs, formats, kernel releases."""

from __future__ import annotations

import json
from typing import Any

from . import _native


def scenarios() -> list[dict[str, Any]]:
    """The shipped scenarios: ``slug``, ``title``, ``variants``, ``knobs``, ``text``, ``story``, …

    Raises:
        UsageError: ``SCHEDSCOPE_SCENARIOS`` names a folder without scenarios.
    """
    found: list[dict[str, Any]] = json.loads(_native.scenarios())
    return found


def knobs() -> list[dict[str, Any]]:
    """Every knob: ``path``, ``label``, ``doc``, ``type``, ``choices``, ``default``, ``source``, …

    ``min`` and ``max`` of a time are in ns.
    """
    found: list[dict[str, Any]] = json.loads(_native.knobs())
    return found


def versions(one: str, other: str | None = None) -> dict[str, Any]:
    """What a kernel release has, or what changed in the scheduler between two.

    Args:
        one: a release from 2.6.24 to 7.3, as ``uname -r`` prints it.
        other: another one, older or newer.

    Returns:
        Of one release ``release`` and ``rows``: ``name``, ``value``, how well it is ``known``, the
        ``change`` that brought it. Of two releases ``from``, ``to`` and ``differences``: ``name``,
        whether it is ``modelled``, both ``values``, and the changes as ``steps``.

    Raises:
        UsageError: there is no such release; the message names the newest below it.
    """
    found: dict[str, Any] = json.loads(_native.releases(one, other))
    return found


def formats() -> list[dict[str, Any]]:
    """Every format of files: ``name``, ``title``, what it ``carries``, what it ``loses``, …"""
    found: list[dict[str, Any]] = json.loads(_native.formats())
    return found
