"""Two runs with the same draws."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

import schedscope


def command(*arguments: str) -> dict[str, Any]:
    asked = [sys.executable, "-m", "schedscope", "compare", "rt-migrate", "--for", "50ms", "--json"]
    done = subprocess.run([*asked, *arguments], capture_output=True, text=True, check=True)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.mark.parametrize(
    ("arguments", "flags"),
    [
        ({}, []),
        ({"a": "passive", "b": "active"}, ["--variant", "passive", "--variant", "active"]),
        ({"b": {"machine.cpus": 3}}, ["--b", "machine.cpus=3"]),
        (
            {"variant": "active", "a": {"seed": 5}, "set": {"machine.cpus": 3}},
            ["--variant", "active", "--a", "seed=5", "--set", "machine.cpus=3"],
        ),
    ],
)
def test_a_comparison_says_what_the_command_says(
    arguments: dict[str, Any], flags: list[str]
) -> None:
    compared = schedscope.compare("rt-migrate", duration="50ms", **arguments)
    told = command(*flags)
    assert (compared.a.report, compared.b.report) == (told["a"]["report"], told["b"]["report"])
    assert compared.first_divergence == told["first_divergence"]
    rows = {row.pop("figure"): row for row in compared.deltas.to_pyarrow().to_pylist()}
    assert rows == told["deltas"]


def test_sides_that_are_equal_have_no_divergence() -> None:
    compared = schedscope.compare("rt-migrate", a={"seed": 1}, b={"seed": 1}, duration="20ms")
    assert compared.first_divergence is None and compared.a.digest == compared.b.digest
    assert set(compared.deltas.to_polars()["delta"].drop_nulls()) == {0}


def test_a_comparisons_link_carries_both_sides() -> None:
    compared = schedscope.compare("rt-migrate", a="passive", b={"machine.cpus": 3}, duration="50ms")
    assert compared.link is not None
    again = schedscope.compare(compared.link)
    assert (again.a.digest, again.b.digest) == (compared.a.digest, compared.b.digest)
    assert "A (passive)" in compared._repr_html_()


def test_a_scenario_without_variants_needs_words_about_its_sides() -> None:
    scenario = json.loads(
        next(s["text"] for s in schedscope.scenarios() if s["slug"] == "rt-migrate")
    )
    del scenario["variants"], scenario["steps"]
    with pytest.raises(schedscope.UsageError, match="0 variants"):
        schedscope.compare(scenario)
