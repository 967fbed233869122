"""Which change between two releases it was."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import schedscope


def test_a_bisection_says_what_the_command_says() -> None:
    found = schedscope.bisect(
        "rt-pull-herd",
        from_="6.12.90",
        to="6.12.96",
        metric="rq_lock.max_waiters",
        seeds=3,
        duration="10ms",
    )
    flags = ["--from", "6.12.90", "--to", "6.12.96", "--metric", "rq_lock.max_waiters"]
    asked = ["bisect", "rt-pull-herd", *flags, "--seeds", "3", "--for", "10ms", "--json"]
    command = [sys.executable, "-m", "schedscope", *asked]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.report == json.loads(done.stdout)
    assert found.differs and found.complete
    assert found.ranking[0]["changes"] == ["kernel.rt_push_ipi"]
    assert "kernel.rt_push_ipi" in repr(found)
    assert any("goes with kernel.version" in note for note in found.notes)


def test_what_cannot_be_answered_is_refused() -> None:
    ask = {"from_": "6.6", "to": "6.12", "metric": "rq_lock.max_waiters"}
    for wrong, word in (
        ({"to": "6.20"}, "6.19"),
        ({"to": "6.6"}, "nothing differs"),
        ({"metric": "rq_lock.max_waiter"}, "did you mean: rq_lock.max_waiters"),
        ({"seeds": 2}, "from 3 to 256"),
        ({"max_seeds": 4}, "8 to begin with"),
    ):
        with pytest.raises(schedscope.UsageError, match=word):
            schedscope.bisect("rt-pull-herd", **{**ask, **wrong})
