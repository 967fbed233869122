"""A planned sweep on a Dask cluster: ``pip install 'schedscope[dask]'``.

Batches go to the workers; each that is done is put into the folder of this process at once. A
killed worker loses what it had under way, and another one does it again. If the scheduler or this
process is lost, the next call does only what is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _progress
from ._manifest import Folder, Manifest, part, take
from ._progress import Progress
from ._sweep import Sweep
from .errors import SchedscopeError, UsageError

if TYPE_CHECKING:
    from distributed import Client

AGAIN = 20
"""How often a batch is given out again after the workers that had it were lost."""


def run(
    manifest: Manifest,
    folder: Folder,
    cluster: Client | str | Any = None,
    *,
    progress: Progress = None,
) -> Sweep:
    """Runs what is missing of a manifest on a cluster, and gives the table of the whole sweep.

    Args:
        manifest: what to run; :func:`schedscope.plan` makes one.
        folder: takes a file for each batch; the workers need not see it.
        cluster: a ``distributed.Client``, a cluster object, or the address of a scheduler,
            ``"tcp://10.0.0.1:8786"``; without one a cluster on this machine. The workers need
            the same version of this package.
        progress: ``True`` for a bar, or a function ``progress(done_runs, total_runs)``.

    Raises:
        UsageError: the cluster cannot be reached, was lost, or lost its workers too often; what was
            done is in the folder, and the same call does the rest.
        SimulatorFault: the simulator broke one of its own laws in a run.
    """
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("this needs dask: pip install 'schedscope[dask]'") from None
    missing = manifest.missing(folder)
    if isinstance(cluster, Client):
        _run(manifest, folder, cluster, missing, progress)
    elif missing:
        with _connected(cluster) as client:
            _run(manifest, folder, client, missing, progress)
    return manifest.table(folder)


def _connected(cluster: Any) -> Client:
    from distributed import Client

    try:
        return Client(cluster, set_as_default=False)
    except (OSError, TypeError, ValueError) as error:
        raise UsageError(
            f"cluster: cannot reach {cluster!r}: {error}\n"
            '  expected: the address of a running scheduler, such as "tcp://10.0.0.1:8786", a '
            "cluster object or a Client"
        ) from error


def _run(
    manifest: Manifest, folder: Folder, client: Any, missing: list[int], progress: Progress
) -> None:
    from distributed import as_completed

    runs = manifest.batches
    done, total = 0, sum(runs[batch] for batch in missing)
    again = dict.fromkeys(missing, 0)
    with _progress.told(progress, "runs") as tell:
        # One task gives the text to all: the scheduler knows how to make it again.
        text = client.submit(str, manifest.text, pure=False)
        futures = {_submit(client, text, batch): batch for batch in missing}
        queue = as_completed(list(futures), loop=client.loop)
        for future in queue:
            if future.status == "pending":
                # Its bytes went with a worker before they were here: the scheduler makes them anew.
                queue.add(future)
                continue
            batch = futures.pop(future)
            if future.status == "finished":
                take(manifest, folder, [(batch, _result(future, folder))])
                done += runs[batch]
                if tell is not None:
                    tell(done, total)
            else:
                again[batch] += 1
                _check(future, again[batch], folder)
                retry = _submit(client, text, batch)
                futures[retry] = batch
                queue.add(retry)
            future.release()


def _submit(client: Any, text: Any, batch: int) -> Any:
    return client.submit(part, text, batch, pure=False, key=None)


def _result(future: Any, folder: Folder) -> bytes:
    """The bytes of a batch; a worker can be lost after it was done and before they are here."""
    try:
        result: bytes = future.result()
    except SchedscopeError:
        raise
    except Exception as error:
        raise _lost(folder, error) from error
    return result


def _check(future: Any, times: int, folder: Folder) -> None:
    """Raises, unless the batch may be given out again."""
    if future.status == "cancelled":
        raise _lost(folder, RuntimeError("the scheduler is gone"))
    if future.status == "lost":
        return
    error = future.exception()
    if isinstance(error, SchedscopeError):
        raise error
    from distributed import KilledWorker

    if not isinstance(error, KilledWorker) or times > AGAIN:
        raise _lost(folder, error) from error


def _lost(folder: Folder, error: BaseException) -> UsageError:
    return UsageError(
        f"the cluster did not end the sweep: {error}; what was done is in {folder}, and the same "
        "call does the rest"
    )
