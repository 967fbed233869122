"""Checks of arguments: what cannot be used is refused with its name and what would be right."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from .errors import UsageError

WHOLE_MAX = 2**64 - 1
"""Greatest whole number that the native part takes."""


def refused(argument: str, expected: str, got: object) -> UsageError:
    """The error for an argument of the wrong type or out of range."""
    return UsageError(f"{argument}: expected {expected}, got {got!r}")


def text(argument: str, value: object, expected: str) -> None:
    """Refuses what is neither a text nor ``None``."""
    if value is not None and not isinstance(value, str):
        raise refused(argument, expected, value)


def mapping(argument: str, value: object, expected: str) -> None:
    """Refuses what is no object with texts as keys."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise refused(argument, expected, value)


def whole(argument: str, value: Any, least: int = 0, most: int = WHOLE_MAX) -> int:
    """A whole number of Python or numpy; refuses fractions and what is out of range."""
    up_to = "on" if most == WHOLE_MAX else f"to {most}"
    expected = f"a whole number from {least} {up_to}"
    try:
        number = operator.index(value)
    except TypeError:
        raise refused(argument, expected, value) from None
    if not least <= number <= most:
        raise refused(argument, expected, value)
    return number
