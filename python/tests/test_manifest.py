"""Sweeps that go on past one process."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import pandas
import polars
import pyarrow.dataset
import pytest
from distributed import Client, LocalCluster

import schedscope
import schedscope.dask

OVER = {"machine.cpus": [4, 8], "kernel.rt_push_ipi": ["off", "on"]}


def planned(**other: Any) -> schedscope.Manifest:
    """Forty short runs in about ten batches."""
    asked: dict[str, Any] = {"seeds": "1..10", "duration": "2ms", "batch": 20_000, **other}
    return schedscope.plan("rt-pull-herd", OVER, **asked)


def alone(**other: Any) -> list[dict[str, Any]]:
    """The rows of the same sweep in one process."""
    asked: dict[str, Any] = {"seeds": "1..10", "duration": "2ms", **other}
    table = schedscope.sweep("rt-pull-herd", OVER, **asked).to_pyarrow()
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """Two workers, each a process."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


def test_the_same_arguments_plan_the_same_manifest_which_covers_every_run_once() -> None:
    manifest = planned()
    assert manifest.text == planned().text
    assert manifest.runs == sum(manifest.batches) == 40
    assert len(manifest.batches) > 4


def test_shards_make_the_table_that_a_sweep_makes(tmp_path: Path) -> None:
    manifest = planned()
    for shard in (2, 0, 1):
        assert not manifest.table(tmp_path).complete
        manifest.run(tmp_path, shard=(shard, 3), jobs=2)
    table = manifest.table(tmp_path)
    assert table.complete and table.to_pyarrow().to_pylist() == alone()
    with pytest.raises(schedscope.UsageError, match="shard"):
        manifest.run(tmp_path, shard=(3, 3))
    with pytest.raises(schedscope.UsageError, match="shard: expected"):
        manifest.run(tmp_path, shard="0/3")  # type: ignore[arg-type]
    with pytest.raises(schedscope.UsageError, match="cannot read"):
        schedscope.Manifest.read(tmp_path / "none.json")


def test_the_command_goes_on_with_what_python_began(tmp_path: Path) -> None:
    manifest = planned()
    file, folder = tmp_path / "herd.json", tmp_path / "herd.json.parts"
    manifest.save(file)
    manifest.run(folder, shard=(0, 2))
    kept = set(os.listdir(folder))
    command = [sys.executable, "-m", "schedscope", "sweep", "--manifest", str(file)]
    subprocess.run([*command, "--out", str(tmp_path / "all.csv")], check=True)
    assert kept < set(os.listdir(folder))
    assert schedscope.Manifest.read(file).table(folder).to_pyarrow().to_pylist() == alone()
    assert len((tmp_path / "all.csv").read_text().splitlines()) == 41


def test_libraries_read_the_folder_of_parts(tmp_path: Path) -> None:
    manifest = planned()
    manifest.run(tmp_path)
    assert len(os.listdir(tmp_path)) == len(manifest.batches) + 1
    seeds = [row["seed"] for row in alone()]
    assert pandas.read_parquet(tmp_path)["seed"].to_list() == seeds
    assert pyarrow.dataset.dataset(tmp_path).to_table()["seed"].to_pylist() == seeds
    parts = polars.scan_parquet(str(tmp_path / "*.parquet")).collect()
    assert parts["seed"].to_list() == seeds


def test_a_folder_of_another_manifest_is_refused(tmp_path: Path) -> None:
    planned().run(tmp_path, shard=(0, 4))
    with pytest.raises(schedscope.UsageError, match="another manifest"):
        planned(seeds="1..9").missing(tmp_path)


def test_a_cluster_gives_the_rows_of_one_process(tmp_path: Path, cluster: LocalCluster) -> None:
    seen: list[tuple[int, int]] = []
    table = schedscope.dask.run(planned(), tmp_path, cluster, progress=lambda *at: seen.append(at))
    assert table.complete and table.to_pyarrow().to_pylist() == alone()
    assert seen[-1] == (40, 40)


def test_a_killed_worker_loses_nothing_and_a_second_start_does_only_what_is_missing(
    tmp_path: Path, cluster: LocalCluster
) -> None:
    long = {"seeds": "1..60", "duration": "10ms", "batch": 60_000}
    manifest = planned(**long)
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if not killed:
            worker = next(iter(cluster.workers.values()))
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    with Client(cluster.scheduler_address, set_as_default=False) as client:
        table = schedscope.dask.run(manifest, tmp_path, client, progress=kill)
    del long["batch"]
    assert killed and table.complete
    assert table.to_pyarrow().to_pylist() == alone(**long)

    parts = sorted(tmp_path.glob("part-*"))
    before = {part: part.stat().st_mtime_ns for part in parts}
    parts[3].unlink()
    again = schedscope.dask.run(manifest, tmp_path, cluster)
    changed = [part for part in parts if part.stat().st_mtime_ns != before[part]]
    assert again.complete and changed == [parts[3]]


def test_a_lost_scheduler_leaves_what_was_done_and_is_said(tmp_path: Path) -> None:
    script = (
        "from distributed import LocalCluster\n"
        "cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False,"
        " protocol='tcp', host='127.0.0.1', dashboard_address=None)\n"
        "print(cluster.scheduler_address, flush=True)\n"
        "input()\n"
    )
    scheduler = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert scheduler.stdout is not None
    address = scheduler.stdout.readline().strip()
    manifest = planned(seeds="1..60", duration="10ms", batch=60_000)
    with (
        Client(address, set_as_default=False, timeout=30) as client,
        pytest.raises(schedscope.UsageError, match="the same call does the rest"),
    ):
        schedscope.dask.run(manifest, tmp_path, client, progress=lambda *_: scheduler.kill())
    scheduler.wait()
    done = len(manifest.batches) - len(manifest.missing(tmp_path))
    assert 0 < done < len(manifest.batches)
    manifest.run(tmp_path)
    assert manifest.table(tmp_path).complete


def test_a_fault_and_a_wrong_scenario_survive_the_way_from_a_worker() -> None:
    fault = pickle.loads(pickle.dumps(schedscope.SimulatorFault("a law", "schedscope run x")))
    assert (fault.what, fault.replay) == ("a law", "schedscope run x")
    with pytest.raises(schedscope.ScenarioError) as raised:
        schedscope.run("rt-migrate", set={"machine.cpus": 0})
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.path) == (str(raised.value), raised.value.path)


@pytest.mark.parametrize("cluster", ["tcp://127.0.0.1:1", "nowhere://a", 8786])
def test_a_cluster_that_cannot_be_reached_is_refused_with_its_address(
    cluster: object, tmp_path: Path
) -> None:
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "200ms"}),
        pytest.raises(schedscope.UsageError, match=f"cannot reach {cluster!r}"),
    ):
        schedscope.dask.run(planned(), tmp_path, cluster)
