"""Sweeps."""

from __future__ import annotations

from typing import Any

import pyarrow
import pytest

import schedscope


def test_a_sweep_of_a_thousand_runs_is_a_data_frame_in_five_lines() -> None:
    over = {"machine.cpus": [2, 4, 8, 16], "workload.rt_noise.tasks": range(1, 6)}
    swept = schedscope.sweep("rt-pull-herd", over, seeds=range(1, 51), duration="200us")
    frame = swept.to_pandas()
    worst = frame.groupby("machine.cpus")["rq_lock.max_waiters"].max()
    assert len(frame) == 1_000 and worst.is_monotonic_increasing


def test_columns_are_typed_by_their_knobs_and_rows_are_in_the_order_of_the_points() -> None:
    over = {
        "workload.cyclictest.interval": ["100us", "1ms"],
        "machine.cpus": "2,4",
        "kernel.rt_push_ipi": ["on", "off"],
        "kernel.hz": [250, 1000],
    }
    metrics = ["sched.migrations"]
    swept = schedscope.sweep("rt-pull-herd", over, seeds=[5, 3], metrics=metrics, duration="1ms")
    table = swept.to_pyarrow()
    kinds = {name: str(table.schema.field(name).type) for name in table.column_names}
    assert kinds["workload.cyclictest.interval"] == "duration[ns]"
    assert (kinds["machine.cpus"], kinds["kernel.rt_push_ipi"]) == ("int64", "string")
    assert kinds["kernel.hz"] == "int64"
    assert (kinds["seed"], kinds["complete"], kinds["sched.migrations"]) == (
        "uint64",
        "bool",
        "int64",
    )
    assert table["seed"].to_pylist() == [5, 3] * 16
    assert table["machine.cpus"].to_pylist() == ([2] * 8 + [4] * 8) * 2
    assert (
        table["workload.cyclictest.interval"].cast(pyarrow.int64()).to_pylist()
        == [100_000] * 16 + [1_000_000] * 16
    )
    assert set(swept.metrics) <= set(table.column_names) and swept.complete


def test_a_row_is_what_the_run_with_its_values_gives() -> None:
    swept = schedscope.sweep(
        "rt-pull-herd", {"machine.cpus": [3, 5]}, seeds="1..2", duration="2ms", jobs=2
    )
    for row in swept.to_pyarrow().to_pylist():
        run = schedscope.run(
            "rt-pull-herd",
            set={"machine.cpus": row["machine.cpus"]},
            seed=row["seed"],
            duration="2ms",
        )
        assert (run.digest, run.report["records"]) == (row["digest"], row["records"])
        assert run.figure("rq_lock.max_waiters") == row["rq_lock.max_waiters"]


def test_progress_counts_runs() -> None:
    seen: list[tuple[int, int]] = []
    schedscope.sweep(
        "rt-migrate",
        {"machine.cpus": [2, 4]},
        seeds=range(3),
        duration="1ms",
        progress=lambda *at: seen.append(at),
    )
    assert seen[-1] == (6, 6)


def test_a_sweep_that_cannot_be_meant_is_refused_before_any_run() -> None:
    with pytest.raises(schedscope.UsageError, match="there is no metric"):
        schedscope.sweep("rt-migrate", {"machine.cpus": [2]}, metrics=["sched.migratons"])
    with pytest.raises(schedscope.ScenarioError, match=r"machine\.cpus"):
        schedscope.sweep("rt-migrate", {"machine.cpus": [2, 100_000]})
    with pytest.raises(schedscope.UsageError, match="runs are more than"):
        schedscope.sweep("rt-migrate", {"machine.cpus": range(1, 200)}, seeds=range(100))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"over": ["machine.cpus=2"]}, "over: expected values by knob"),
        ({"over": {"machine.cpus": 8}}, r"over: machine\.cpus: expected its values.*got 8"),
        ({"metrics": "sched.migrations"}, "metrics: expected a list of figures"),
        ({"seeds": [1.5, 2.5]}, "seeds: expected whole numbers"),
        ({"seeds": 20}, "seeds: expected whole numbers"),
        ({"jobs": 0}, "jobs: expected a whole number from 1 to 256, got 0"),
    ],
)
def test_an_argument_that_cannot_be_meant_is_refused_with_what_would_be_right(
    arguments: dict[str, Any], words: str
) -> None:
    over = {"machine.cpus": [2]}
    with pytest.raises(schedscope.UsageError, match=words):
        schedscope.sweep("rt-migrate", **{"over": over, "duration": "1ms", **arguments})


def test_values_of_a_sweeps_table_are_values_of_the_next_sweep() -> None:
    over = {"workload.cyclictest.interval": ["100us", "1ms"], "machine.cpus": [2, 4]}
    first = schedscope.sweep("rt-pull-herd", over, seeds="1..2", duration="2ms").to_pandas()
    again = {path: first[path].unique() for path in over}
    seeds = first["seed"].unique()
    second = schedscope.sweep("rt-pull-herd", again, seeds=seeds, duration="2ms").to_pandas()
    assert first.equals(second)


def test_a_sweep_that_meets_a_limit_keeps_its_table() -> None:
    with pytest.raises(schedscope.LimitReached, match="2 of 2 runs reached a limit") as raised:
        schedscope.sweep("rt-pull-herd", {"machine.cpus": [20, 40]}, max_records=2_000)
    partial = raised.value.partial
    assert isinstance(partial, schedscope.Sweep) and len(partial) == 2
    assert partial.to_pandas()["complete"].tolist() == [False, False]


def test_a_sweep_whose_rows_are_alike_over_the_seeds_says_so_in_its_notes() -> None:
    over = {"kernel.hz": [250, 1000]}
    free = {"machine.costs": "zero"}
    alike = schedscope.sweep("rt-fifo-preempt", over, seeds="1..3", duration="2ms", set=free)
    assert any(note.startswith("All 3 seeds give the same row:") for note in alike.notes)
    drawn = schedscope.sweep("rt-pull-herd", over, seeds="1..3", duration="2ms")
    assert not any("the same row" in note for note in drawn.notes)
