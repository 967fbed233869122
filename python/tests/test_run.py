"""Runs: figures, tables, errors, limits, signals, threads."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path

import numpy
import pandas
import pyarrow
import pytest
from conftest import QUICK, ROOT, THOROUGH, recorded

import schedscope

SLUGS = sorted(each["slug"] for each in schedscope.scenarios()) if THOROUGH else QUICK


@pytest.mark.parametrize("slug", SLUGS)
def test_a_run_has_the_digest_that_the_command_and_the_browsers_give(slug: str) -> None:
    cases = list(recorded(slug).items())
    for name, golden in cases if THOROUGH else cases[:2]:
        variant = None if name == "as it stands" else name
        run = schedscope.run(slug, variant=variant)
        assert (run.digest, run.report["records"]) == (golden["digest"], golden["records"]), name
        assert run.complete and run.limit is None


def test_rows_wake_ups_tasks_and_latencies_are_as_many_as_the_report_says() -> None:
    run = schedscope.run("rt-pull-herd", duration="5ms", rows=True, wakes=True)
    assert len(run.rows) == run.report["records"] > 1_000
    assert run.rows.column_names == ["time_ns", "cpu", "event", "a", "b"]
    latency = run.latency.to_pandas().set_index("kind")
    wakes = run.wakes.to_pandas()
    kinds = wakes["task"].astype(str).str.replace(r"\.\d+$", "", regex=True)
    for kind, figures in run.metrics["latency"].items():
        assert latency.loc[kind, "count"] == figures["count"] == (kinds == kind).sum()
        assert latency.loc[kind, "max_ns"] == figures["max_ns"]
    assert len(run.tasks) == len(run.metrics["tasks"])
    for task in run.tasks.to_pyarrow().to_pylist():
        assert task["run_ns"] == run.metrics["tasks"][task["task"]]["run_ns"]


def test_the_causes_of_a_wake_up_add_up_to_its_latency() -> None:
    wakes = schedscope.run("cyclictest-anatomy", wakes=True).wakes.to_pyarrow().to_pylist()
    assert len(wakes) > 100
    for wake in wakes:
        assert sum(cause["ns"] for cause in wake["causes"]) == wake["latency_ns"]


def test_pyarrow_reads_the_memory_that_the_engine_wrote() -> None:
    run = schedscope.run("rt-migrate", duration="100ms", rows=True, wakes=True)
    for table in (run.rows, run.wakes):
        first, second = pyarrow.table(table), pyarrow.table(table)
        for name in first.column_names:
            for one, other in zip(first[name].chunks, second[name].chunks, strict=True):
                here, there = one.buffers(), other.buffers()
                assert [b and b.address for b in here] == [b and b.address for b in there], name


def test_polars_and_pandas_hold_the_same_rows_and_no_whole_number_becomes_a_float() -> None:
    run = schedscope.run("rt-migrate", duration="20ms", rows=True)
    pandas, polars = run.rows.to_pandas(), run.rows.to_polars()
    assert pandas["time_ns"].tolist() == polars["time_ns"].to_list()
    assert pandas["event"].astype(str).tolist() == polars["event"].cast(str).to_list()
    assert not [name for name, kind in pandas.dtypes.items() if kind.kind == "f"]
    assert not [name for name, kind in run.tasks.to_pandas().dtypes.items() if kind.kind == "f"]


def test_a_scenario_is_a_name_a_file_a_text_an_object_or_a_link(tmp_path: Path) -> None:
    text = (ROOT / "scenarios" / "rt-migrate" / "scenario.json").read_text("utf-8")
    file = tmp_path / "mine.json"
    file.write_text(text, "utf-8")
    forms = ["rt-migrate", file, str(file), text, json.loads(text)]
    digests = {schedscope.run(form, duration="50ms").digest for form in forms}
    whole = schedscope.run("rt-migrate", duration="50ms")
    assert digests == {whole.digest}
    assert whole.link is not None and schedscope.run(whole.link).digest == whole.digest


@pytest.mark.parametrize("variant", [None, "active", "passive"])
def test_a_runs_link_carries_exactly_that_run(variant: str | None) -> None:
    changes = {"machine.cpus": 8, "kernel.hz": "250", "kernel.version": "2.6.25"}
    run = schedscope.run("rt-migrate", variant=variant, set=changes, seed=3, duration="60ms")
    assert run.link is not None
    assert schedscope.run(run.link).digest == run.digest


def test_changes_are_knobs_and_the_values_of_python_are_theirs() -> None:
    changes = {
        "machine.cpus": 8,
        "workload.cyclictest.pinned": True,
        "machine.costs.ipi_send_ns": 900,
    }
    run = schedscope.run("rt-pull-herd", set=changes, seed=11, duration=2_000_000)
    assert run.report["config"]["machine.cpus"] == 8
    assert run.report["config"]["machine.costs.ipi_send_ns"] == 900
    assert (run.seed, run.report["simulated_ns"]) == (11, 2_000_000)
    assert "--set machine.cpus=8" in run.replay


def test_writes_to_the_running_kernel_are_made() -> None:
    still = schedscope.run("rt-pull-herd", duration="4ms")
    write = ("1ms", "kernel.rt_push_ipi", "on")
    one = schedscope.run("rt-pull-herd", duration="4ms", live=[write])
    other = schedscope.run("rt-pull-herd", duration="4ms", live=["1ms=kernel.rt_push_ipi=on"])
    assert one.digest == other.digest != still.digest
    assert one.link is not None and schedscope.run(one.link).digest == one.digest


def test_costs_come_from_an_object_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "costs.json"
    file.write_text('{ "preset": "vm2_meas", "ipi_send_ns": 1234 }', "utf-8")
    runs = [
        schedscope.run("rt-migrate", duration="20ms", costs=costs)
        for costs in (file, str(file), {"preset": "vm2_meas", "ipi_send_ns": 1234})
    ]
    assert {run.report["config"]["costs"]["ipi_send_ns"] for run in runs} == {1234}
    # An object has no place among a link's changes: a variant of its scenario holds it.
    assert runs[0].link is not None
    assert schedscope.run(runs[0].link, variant="this run").digest == runs[0].digest


def test_an_invalid_scenario_names_its_line_its_column_and_what_would_be_right() -> None:
    text = (ROOT / "scenarios" / "rt-migrate" / "scenario.json").read_text("utf-8")
    line = next(at for at, each in enumerate(text.splitlines(), 1) if '"seed"' in each)
    broken = text.replace('"seed"', '"sede"', 1)
    with pytest.raises(schedscope.ScenarioError) as raised:
        schedscope.run(broken)
    error = raised.value
    assert (error.line, error.suggestion) == (line, '"seed"')
    assert error.column == broken.splitlines()[line - 1].index('"sede"') + 1
    assert error.text == broken.splitlines()[line - 1]
    assert f"line {line}, column {error.column}" in str(error)


def test_a_change_that_no_file_states_has_a_path_and_no_place() -> None:
    with pytest.raises(schedscope.ScenarioError) as raised:
        schedscope.run("rt-migrate", set={"machine.cpus": 100_000})
    assert (raised.value.path, raised.value.line) == ("machine.cpus", None)
    assert raised.value.expected is not None and "1024" in raised.value.expected


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"scenario": "rt-migrat"}, "did you mean: rt-migrate"),
        ({"scenario": "rt-migrate", "variant": "pasive"}, "did you mean: passive"),
        ({"scenario": "rt-migrate", "live": ["kernel.hz=5"]}, "TIME=PATH=VALUE"),
        ({"scenario": "rt-migrate", "max_memory": "5 apples"}, "512MiB"),
        ({"scenario": "rt-migrate", "set": {"machine.cpus": object()}}, "no value of a scenario"),
        ({"scenario": {"seed": float("nan")}}, "no value of a scenario"),
        ({"scenario": 5}, "scenario: expected the name of a shipped scenario.*got 5"),
        ({"scenario": "rt-migrate", "variant": 3}, "variant: expected the name of a variant"),
        ({"scenario": "rt-migrate", "set": ["machine.cpus=16"]}, "set: expected knobs by path"),
        ({"scenario": "rt-migrate", "set": {5: 16}}, "set: expected knobs by path"),
        ({"scenario": "rt-migrate", "duration": 1e6}, 'duration: expected .*"100ms".*ns, got'),
        ({"scenario": "rt-migrate", "live": "1ms=kernel.hz=100"}, "live: expected a list of"),
        ({"scenario": "rt-migrate", "live": [("1ms", "kernel.hz")]}, "live: expected a list of"),
        ({"scenario": "rt-migrate", "costs": 5}, "costs: expected a file of costs"),
        ({"scenario": "rt-migrate", "max_records": -1}, "max_records: expected a whole number"),
        ({"scenario": "rt-migrate", "progress": 3}, "progress: expected True, or a function"),
    ],
)
def test_what_cannot_be_used_is_refused_with_what_would_be_right(
    arguments: dict[str, object], words: str
) -> None:
    with pytest.raises(schedscope.UsageError, match=words):
        schedscope.run(**arguments)  # type: ignore[arg-type]


def test_arguments_of_a_runs_methods_are_refused_with_what_would_be_right() -> None:
    run = schedscope.run("rt-migrate", duration="10ms")
    for ask, words in [
        (lambda: run.explain(worst=0), "worst: expected a whole number from 1"),
        (lambda: run.explain(nth=-1), "nth: expected a whole number from 0"),
        (lambda: run.export("tsv", window=("0ms", "1ms")), r"window: expected FROM\.\.TO"),
    ]:
        with pytest.raises(schedscope.UsageError, match=words):
            ask()


def test_durations_of_python_pandas_and_numpy_are_durations() -> None:
    ns = 3_000_001
    durations = [ns, numpy.int64(ns), pandas.Timedelta(ns, "ns"), numpy.timedelta64(ns, "ns")]
    runs = [schedscope.run("rt-migrate", duration=duration) for duration in durations]
    assert {run.report["simulated_ns"] for run in runs} == {ns}
    knob = {"workload.cyclictest.interval": timedelta(microseconds=250)}
    run = schedscope.run("rt-pull-herd", set=knob, duration=timedelta(milliseconds=2))
    assert run.report["config"]["workload.cyclictest.interval"] == "250us"


def test_a_limit_raises_and_leaves_the_run_up_to_there() -> None:
    with pytest.raises(schedscope.LimitReached, match="max-records") as raised:
        schedscope.run("rt-pull-herd", max_records=5_000)
    partial = raised.value.partial
    assert isinstance(partial, schedscope.Run) and not partial.complete
    assert partial.report["records"] >= 5_000 and partial.limit is not None


def test_rows_that_were_not_kept_are_asked_for_by_name() -> None:
    run = schedscope.run("rt-migrate", duration="1ms")
    with pytest.raises(schedscope.UsageError, match="rows=True"):
        len(run.rows)
    with pytest.raises(schedscope.UsageError, match="wakes=True"):
        len(run.wakes)


def test_a_figure_has_a_path_and_a_wrong_path_is_refused() -> None:
    run = schedscope.run("rt-pull-herd", duration="5ms")
    assert run.figure("rq_lock.max_waiters") == run.metrics["rq_lock"]["max_waiters"]
    assert run.figure("latency.no_such_kind.max_ns") is None
    with pytest.raises(schedscope.UsageError, match=r"rq_lock\.max_waiters"):
        run.figure("rq_lock.max_waiter")


def test_an_explanation_has_parts_that_add_up_and_the_commands_text() -> None:
    run = schedscope.run("rt-pull-herd", duration="5ms")
    told = run.explain(worst=3, task="cyclictest")
    latencies = [wake.latency_ns for wake in told.wakes]
    assert latencies == sorted(latencies, reverse=True) and len(latencies) == 3
    assert latencies[0] == run.figure("latency.cyclictest.max_ns")
    for wake in told.wakes:
        assert sum(part.ns for part in wake.parts) == wake.latency_ns
    assert str(told) == command(
        "explain", "rt-pull-herd", "--for", "5ms", "--worst", "3", "--task", "cyclictest"
    )
    with pytest.raises(schedscope.UsageError, match="there is no task"):
        run.explain(task="nobody")


def command(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "schedscope", *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_progress_is_called_with_machine_time_and_what_it_raises_ends_the_run() -> None:
    seen: list[tuple[int, int]] = []
    schedscope.run("rt-migrate", duration="100ms", progress=lambda *at: seen.append(at))
    assert seen[-1] == (100_000_000, 100_000_000)

    def refuse(done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        schedscope.run(LONG, duration="100s", max_records=10**12, progress=refuse)


def test_progress_true_is_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    schedscope.run("rt-migrate", duration="10ms", progress=True)
    assert "ns" in capsys.readouterr().err


LONG = "rt-pull-herd"
"""100 s of it take minutes."""

INTERRUPTED = f"""
import schedscope, sys, threading
began = threading.Event()
def tell(done, total):
    if done > 0 and not began.is_set():
        began.set()
        print("running", flush=True)
try:
    schedscope.run({LONG!r}, duration="100s", max_records=10**12, progress=tell)
except KeyboardInterrupt:
    print("interrupted")
    sys.exit(7)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_ctrl_c_ends_a_run_with_a_keyboard_interrupt() -> None:
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "running\n"
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert (out, child.returncode) == ("interrupted\n", 7)


def test_two_runs_of_two_threads_overlap() -> None:
    """Each run waits, before its end, for the other one to be under way."""
    meet = threading.Barrier(2)
    runs: dict[int, schedscope.Run] = {}
    early: list[bool] = []

    def one(at: int) -> None:
        met = False

        def tell(done: int, total: int) -> None:
            nonlocal met
            if not met:
                met = True
                early.append(done < total)
                meet.wait(timeout=60)

        runs[at] = schedscope.run("rt-pull-herd", progress=tell)

    threads = [threading.Thread(target=one, args=(at,)) for at in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert early == [True, True]
    golden = recorded("rt-pull-herd")["as it stands"]["digest"]
    assert {run.digest for run in runs.values()} == {golden}


def test_python_runs_while_a_simulation_does() -> None:
    done = threading.Event()
    thread = threading.Thread(
        target=lambda: (schedscope.run("rt-pull-herd", duration="200ms"), done.set())
    )
    thread.start()
    rounds = 0
    while not done.is_set():
        rounds += 1
        time.sleep(0)
    thread.join()
    assert rounds > 100
