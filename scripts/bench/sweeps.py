"""One sweep in five ways, in turn: `npm run bench -- --sweeps`. Writes JSON for sweeps.mjs.

own threads      the command's `--jobs 1` and `--jobs 2`, in one process
2 processes      two shares of a manifest, then one process collects the rows
Dask             the manifest on one worker and on two, each a process with one thread
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import schedscope
import schedscope.dask
from distributed import Client, LocalCluster

ROUNDS = 3
SCENARIO = "rt-pull-herd"
OVER = {"machine.cpus": [16, 40, 80], "kernel.rt_push_ipi": ["off", "on"]}
# Runs of 20 ms machine time, and runs that do almost nothing: what is left is the machinery.
USUAL = {"seeds": "1..100", "duration": "20ms"}
EMPTY = {"seeds": "1..1000", "duration": "1us"}
COMMAND = [sys.executable, "-m", "schedscope", "sweep"]

Way = Callable[[schedscope.Manifest, Path], None]


def asked(sweep: dict[str, str]) -> list[str]:
    over = [f"--over={path}={','.join(map(str, values))}" for path, values in OVER.items()]
    return [SCENARIO, *over, f"--seeds={sweep['seeds']}", f"--for={sweep['duration']}"]


def threads(jobs: int, sweep: dict[str, str]) -> Way:
    def way(_: schedscope.Manifest, folder: Path) -> None:
        out = ["--out", str(folder / "rows.parquet"), "--jobs", str(jobs)]
        subprocess.run([*COMMAND, *asked(sweep), *out], check=True, capture_output=True)

    return way


def processes(count: int) -> Way:
    def way(manifest: schedscope.Manifest, folder: Path) -> None:
        file = folder / "sweep.json"
        manifest.save(file)
        command = [*COMMAND, "--manifest", str(file)]
        shares = [
            subprocess.Popen(
                [*command, "--shard", f"{share}/{count}", "--jobs", "1"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for share in range(count)
        ]
        assert all(share.wait() == 0 for share in shares)
        out = ["--out", str(folder / "rows.parquet")]
        subprocess.run([*command, *out], check=True, capture_output=True)

    return way


def dask(client: Client) -> Way:
    def way(manifest: schedscope.Manifest, folder: Path) -> None:
        assert schedscope.dask.run(manifest, folder / "parts", client).complete

    return way


def timed(way: Way, manifest: schedscope.Manifest) -> float:
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        way(manifest, Path(folder))
        return time.perf_counter() - began


def compared(sweep: dict[str, str], workers: dict[int, Client]) -> dict[str, Any]:
    """The best time of each way, in s; a round takes them in turn."""
    manifest = schedscope.plan(SCENARIO, OVER, **sweep)
    ways = {
        "own threads, 1": threads(1, sweep),
        "own threads, 2": threads(2, sweep),
        "processes, 2": processes(2),
        **{f"Dask workers, {count}": dask(client) for count, client in workers.items()},
    }
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(ROUNDS):
        for name, way in ways.items():
            best[name] = min(best[name], timed(way, manifest))
    return {"runs": manifest.runs, "batches": len(manifest.batches), "seconds": best}


def growth(client: Client) -> list[dict[str, Any]]:
    """Manifests of more and more runs that do almost nothing: planned, run by Dask, collected."""
    rows = []
    for seeds in (167, 1667, 16_667):
        began = time.perf_counter()
        manifest = schedscope.plan(SCENARIO, OVER, seeds=f"1..{seeds}", duration="1us")
        planned = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            schedscope.dask.run(manifest, folder, client)
            ran = time.perf_counter()
            assert manifest.table(folder).complete
            collected = time.perf_counter()
        row = {"runs": manifest.runs, "batches": len(manifest.batches)}
        row |= {"bytes": len(manifest.text), "plan": planned - began}
        rows.append(row | {"run": ran - planned, "collect": collected - ran})
    return rows


def main() -> None:
    clusters = {
        count: LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=logging.ERROR,
        )
        for count in (1, 2)
    }
    workers = {count: Client(cluster, set_as_default=False) for count, cluster in clusters.items()}
    result = {
        "usual": compared(USUAL, workers),
        "empty": compared(EMPTY, workers),
        "growth": growth(workers[2]),
    }
    for count, client in workers.items():
        client.close()
        clusters[count].close()
    Path(sys.argv[1]).write_text(json.dumps(result), "utf-8")


if __name__ == "__main__":
    main()
