"""What leaves: files of other tools, the command, lists."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import schedscope


def command(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    """The command of the wheel, run where no source tree is."""
    return subprocess.run(
        [sys.executable, "-m", "schedscope", *arguments], capture_output=True, check=False, cwd=cwd
    )


OF_ONE_RUN = [
    format["name"]
    for format in schedscope.formats()
    for content in format["contents"]
    if content["what"] in ("report", "rows", "trace", "printout") and "command" in content["by"]
]


@pytest.mark.parametrize("format", OF_ONE_RUN)
def test_an_export_has_the_commands_bytes(format: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    asked = ("export", "rt-migrate", "--for", "20ms", "--to", format, "--out", str(file))
    done = command(*asked)
    if done.returncode != 0:
        # A printout is of a scenario that runs that tool.
        with pytest.raises(schedscope.SchedscopeError):
            schedscope.export("rt-migrate", format, duration="20ms")
        return
    data = file.read_bytes()
    assert schedscope.export("rt-migrate", format, duration="20ms") == data
    other = tmp_path / "other"
    assert schedscope.run("rt-migrate", duration="20ms").export(format, other) is None
    assert other.read_bytes() == data


def test_a_window_is_the_commands_too() -> None:
    asked = ("export", "rt-migrate", "--for", "20ms", "--to", "ftrace", "--window", "5ms..6ms")
    window = schedscope.export("rt-migrate", "ftrace", duration="20ms", window="5ms..6ms")
    assert window == command(*asked).stdout
    with pytest.raises(schedscope.UsageError, match="the run ends at"):
        schedscope.export("rt-migrate", "ftrace", duration="20ms", window="50ms..60ms")
    with pytest.raises(schedscope.UsageError, match="did you mean: ftrace"):
        schedscope.export("rt-migrate", "ftace")


def test_the_module_is_the_command(tmp_path: Path) -> None:
    done = command("run", "rt-migrate", "--for", "20ms", "--json", cwd=tmp_path)
    assert json.loads(done.stdout) == schedscope.run("rt-migrate", duration="20ms").report
    assert (done.returncode, done.stderr.startswith(b"note: ")) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("run",), 2, b"Usage: schedscope run"),
        (("run", "rt-migrat"), 2, b"did you mean: rt-migrate"),
        (("run", "rt-migrate", "--set", "machine.cpus=0"), 3, b"machine.cpus"),
        (("run", "rt-pull-herd", "--max-records", "99"), 4, b"stopped"),
        (("--version",), 0, schedscope.__version__.encode()),
    ],
)
def test_the_command_ends_with_its_own_code_and_words(
    arguments: tuple[str, ...], code: int, words: bytes
) -> None:
    done = command(*arguments)
    assert done.returncode == code
    assert words in done.stdout + done.stderr


def test_the_wheel_brings_every_scenario_and_its_story(tmp_path: Path) -> None:
    done = command("list", "--json", cwd=tmp_path)
    assert json.loads(done.stdout) == schedscope.scenarios()
    shipped = {folder.parent.name for folder in ROOT.glob("scenarios/*/scenario.json")}
    assert {each["slug"] for each in schedscope.scenarios()} == shipped
    assert all(each["story"] for each in schedscope.scenarios())


def test_knobs_and_formats_are_the_commands_lists() -> None:
    assert schedscope.knobs() == json.loads(command("list", "--knobs", "--json").stdout)
    assert schedscope.formats() == json.loads(command("list", "--formats", "--json").stdout)


def test_releases_are_the_commands_and_an_unknown_one_names_the_newest_below_it() -> None:
    both = ["versions", "6.8.0-45-generic", "6.12.57", "--json"]
    assert schedscope.versions("6.8", "6.12.57") == json.loads(command(*both).stdout)
    one = json.loads(command("versions", "6.12.57+deb13-amd64", "--json").stdout)
    assert schedscope.versions("6.12.57+deb13-amd64") == one
    with pytest.raises(schedscope.UsageError, match="6.20.*the newest below it is 6.19"):
        schedscope.versions("6.20")


def test_the_package_is_typed(tmp_path: Path) -> None:
    package = Path(schedscope.__file__).parent
    assert (package / "py.typed").is_file() and (package / "_notice" / "NOTICE").is_file()
    source = ROOT / "python" / "schedscope"
    cache = ROOT / ".python" / "mypy"
    config = ROOT / "python" / "pyproject.toml"
    asked = [
        "--strict",
        "--no-error-summary",
        f"--cache-dir={cache}",
        f"--config-file={config}",
        str(source),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *asked], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout == ""
