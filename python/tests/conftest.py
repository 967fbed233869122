"""What all tests share."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
"""The source tree."""

THOROUGH = "PYTHON_THOROUGH" in os.environ
"""Every shipped scenario with every variant; without it a few."""

QUICK = ["beside-idle", "cyclictest-anatomy", "quota-burst", "rt-migrate"]


def recorded(slug: str) -> dict[str, Any]:
    """The reports of a scenario as all engines give them, by variant."""
    found: dict[str, Any] = json.loads(
        (ROOT / "scenarios" / slug / "expected" / "reports.json").read_text("utf-8")
    )
    return found
