"""What there is: scenarios, knobs, formats."""

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


def formats() -> list[dict[str, Any]]:
    """Every format of files: ``name``, ``title``, what it ``carries``, what it ``loses``, …"""
    found: list[dict[str, Any]] = json.loads(_native.formats())
    return found
