# The native part, for type checkers. Users take the package's own functions.

from collections.abc import Callable, Sequence

class Stream:
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __len__(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...

class Outcome:
    report: str
    digest: str
    limit: str | None
    rows: Stream | None
    wakes: Stream | None
    tasks: Stream
    latency: Stream
    def figure(self, path: str) -> int | None: ...

_Progress = Callable[[int, int], object] | None

class Prepared:
    scenario: str
    variant: str | None
    title: str
    text: str
    set: str
    live: list[tuple[int, str, str]]
    notes: list[str]
    replay: str
    headline: str
    figures: list[str]
    def execute(self, rows: bool, wakes: bool, progress: _Progress) -> Outcome: ...
    def export(
        self, format: str, path: str | None, window: str | None, progress: _Progress
    ) -> tuple[bytes | None, str | None]: ...
    def explain(
        self, worst: int, task: str | None, nth: int | None, progress: _Progress
    ) -> tuple[str, str, str | None]: ...

def prepare(asked: dict[str, object]) -> Prepared: ...
def compare(
    a: Prepared, b: Prepared, progress: _Progress
) -> tuple[Outcome, Outcome, Stream, str]: ...
def bisect(
    asked: dict[str, object], question: dict[str, object]
) -> tuple[str, list[str], str | None]: ...
def read(
    text: str, within: str | None, burst: str | None, asks: bool
) -> tuple[str, str | None]: ...
def sweep(
    asked: dict[str, object],
    over: Sequence[str],
    seeds: str | None,
    metrics: Sequence[str],
    jobs: int,
    progress: _Progress,
) -> tuple[Stream, list[str], list[str], str | None]: ...

class Manifest:
    def __init__(self, text: str) -> None: ...
    text: str
    runs: int
    batches: list[int]
    def run_batch(self, batch: int, jobs: int) -> bytes: ...
    def missing(self, folder: str) -> list[int]: ...
    def take(self, folder: str, batch: int, bytes: bytes) -> None: ...
    def run(
        self, folder: str, batches: Sequence[int], jobs: int, progress: _Progress
    ) -> str | None: ...
    def table(self, folder: str, batches: Sequence[int]) -> tuple[Stream, list[str]]: ...

def plan_manifest(
    asked: dict[str, object],
    over: Sequence[str],
    seeds: str | None,
    metrics: Sequence[str],
    batch: int | None,
    progress: _Progress,
) -> tuple[Manifest, list[str]]: ...
def command(arguments: Sequence[str]) -> int: ...
def bring_scenarios(folder: str) -> None: ...
def scenarios() -> str: ...
def knobs() -> str: ...
def formats() -> str: ...
def releases(one: str, other: str | None = None) -> str: ...
