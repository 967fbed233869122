"""Progress: a caller's function, or a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from . import _check
from .errors import UsageError

Progress: TypeAlias = "bool | Callable[[int, int], object] | None"
"""``True`` for a bar (needs tqdm), or a function ``progress(done, total)``."""


@contextmanager
def told(progress: Progress, unit: str) -> Iterator[Callable[[int, int], object] | None]:
    """The function that the native part calls about twenty times a second, and at the end."""
    if progress is None or progress is False:
        yield None
    elif progress is not True:
        if not callable(progress):
            raise _check.refused("progress", "True, or a function progress(done, total)", progress)
        yield progress
    else:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise UsageError(
                "progress=True needs tqdm: pip install 'schedscope[progress]'"
            ) from None
        with tqdm(unit=unit, unit_scale=True, leave=False) as bar:

            def move(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            yield move
