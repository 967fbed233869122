"""Texts that people paste."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

import schedscope

COUNTED = """cpu.max 100000 100000
usage_usec 43630000
nr_periods 600
nr_throttled 300
throttled_usec 60000000
nproc 4
"""


def of_command(*words: str) -> object:
    command = [sys.executable, "-m", "schedscope", *words, "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_a_text_says_what_the_command_says_and_its_scenario_runs(tmp_path: Path) -> None:
    text = "$ uname -r\n6.12.57\n$ hackbench -g 2 -l 10\nno line of any tool\n"
    reading = schedscope.read(text)
    file = tmp_path / "text.txt"
    file.write_text(text)
    assert reading.report == of_command("read", str(file)) == schedscope.read(file).report
    assert reading.lines[3]["notes"][0]["fate"] == "not understood"
    assert reading.fit is None and not reading.doubts and reading.assumed
    assert reading.scenario is not None
    run = schedscope.run(reading.scenario, duration="1ms")
    assert run.report["digest"]
    assert "2 of 4 lines used" in repr(reading)


def test_counters_are_answered_as_by_the_command_and_a_row_can_be_run(tmp_path: Path) -> None:
    file = tmp_path / "stat.txt"
    file.write_text(COUNTED)
    answer = schedscope.answer(COUNTED, within=timedelta(milliseconds=300))
    assert answer.report == of_command("answer", str(file), "--within", "300ms")
    assert "Does a burst help?" in answer.answers
    assert answer.reading.fit is not None and answer.reading.scenario is not None
    row = answer.rows[0]
    run = schedscope.run(answer.reading.scenario, set=row["set"], duration="10s")
    longest = run.figure("tool_samples.gc_main.cycle.max_ns")
    assert longest is not None and longest <= 1.05e3 * row["longest_us"]["run"]


def test_what_cannot_be_answered_is_refused() -> None:
    for text, word in (("hackbench -g 2", "no counters"), ("x\n" * 30_000, "lines")):
        with pytest.raises(schedscope.UsageError, match=word):
            schedscope.answer(text)
    with pytest.raises(schedscope.UsageError, match="within: expected a time"):
        schedscope.read(COUNTED, within="50")
    with pytest.raises(schedscope.UsageError, match="expected a text or a path"):
        schedscope.read(5)  # type: ignore[arg-type]
