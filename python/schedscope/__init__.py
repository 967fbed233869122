"""What the Linux scheduler does on 1 to 1024 CPUs, and why a wake-up was late.

A deterministic simulator: the same scenario always gives the same schedule, here, in the
``schedscope`` command and on the page. All times are in ns of machine time.

>>> import schedscope
>>> run = schedscope.run("rt-pull-herd", set={"machine.cpus": 16})
>>> run.figure("rq_lock.max_waiters")  # doctest: +SKIP
>>> print(run.explain())  # doctest: +SKIP
"""

from __future__ import annotations

from importlib.metadata import version as _version
from pathlib import Path as _Path

from . import _native
from ._bisect import Bisection, bisect
from ._compare import Comparison, compare
from ._explain import Explanation, Part, Wake, explain
from ._export import export
from ._list import formats, knobs, scenarios, versions
from ._manifest import Manifest, plan
from ._read import Answer, Reading, answer, read
from ._run import Run, run
from ._site import use_site
from ._sweep import Sweep, sweep
from ._table import Table
from .errors import LimitReached, ScenarioError, SchedscopeError, SimulatorFault, UsageError

__all__ = [
    "Answer",
    "Bisection",
    "Comparison",
    "Explanation",
    "LimitReached",
    "Manifest",
    "Part",
    "Reading",
    "Run",
    "ScenarioError",
    "SchedscopeError",
    "SimulatorFault",
    "Sweep",
    "Table",
    "UsageError",
    "Wake",
    "answer",
    "bisect",
    "compare",
    "explain",
    "export",
    "formats",
    "knobs",
    "plan",
    "read",
    "run",
    "scenarios",
    "sweep",
    "use_site",
    "versions",
]

__version__ = _version("schedscope")

# A wheel has them; without them the scenarios of the source tree are found.
_brought = _Path(__file__).parent / "_scenarios"
if _brought.is_dir():
    _native.bring_scenarios(str(_brought))
