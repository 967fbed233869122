"""How runs show themselves, and the site that serves the page."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from conftest import ROOT

import schedscope
from schedscope import _link, _site


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A site of two files, which is the wheel's own for the test."""
    (tmp_path / "index.html").write_text("the page", "utf-8")
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "engine.wasm").write_bytes(b"\0asm")
    monkeypatch.setattr(_site, "_FOLDER", tmp_path)
    monkeypatch.setattr(_site, "_served", None)
    yield tmp_path
    schedscope.use_site(None)


def get(address: str, path: str, method: str = "GET") -> tuple[int, str | None, bytes]:
    server = http.client.HTTPConnection(urlsplit(address).netloc, timeout=10)
    server.request(method, path)
    answer = server.getresponse()
    return answer.status, answer.getheader("content-type"), answer.read()


def test_the_site_is_served_to_this_machine_from_the_first_show_on(folder: Path) -> None:
    assert _site._served is None
    html = schedscope.run("rt-migrate", duration="1ms")._repr_html_()
    address = _site._served
    assert address is not None and address.startswith("http://127.0.0.1:")
    assert f'src="{address}embed/lab/#v=3.' in html and f'href="{address}lab/#v=3.' in html
    assert get(address, "/") == (200, "text/html; charset=utf-8", b"the page")
    assert get(address, "/assets/engine.wasm")[:2] == (200, "application/wasm")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("HEAD", "/", 405),
        ("POST", "/", 501),
        ("GET", "/assets/", 404),
        ("GET", "/none", 404),
        ("GET", "/../../../../etc/hostname", 404),
        ("GET", "/%2e%2e/%2e%2e/%2e%2e/etc/hostname", 404),
    ],
)
def test_the_site_gives_its_files_and_nothing_else(
    folder: Path, method: str, path: str, status: int
) -> None:
    address = _site.site()
    assert address is not None
    assert get(address, path, method)[0] == status


def test_a_named_site_is_taken_instead(folder: Path) -> None:
    schedscope.use_site("https://example.org/scope")
    run = schedscope.run("rt-migrate", duration="1ms")
    assert 'src="https://example.org/scope/embed/lab/#v=3.' in run._repr_html_()
    assert _site._served is None
    with pytest.raises(schedscope.UsageError, match="https://"):
        schedscope.use_site("example.org")


def test_the_headline_figures_are_a_table_that_needs_no_frame(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(_site, "_FOLDER", tmp_path)
    run = schedscope.run("rt-pull-herd", duration="5ms")
    html = run._repr_html_()
    assert "<iframe" not in html and "rq_lock.max_waiters" in html
    assert f"<td>{run.figure('rq_lock.max_waiters')}</td>" in html
    assert re.search(r"latency.cyclictest.max_ns</td><td>[\d.]+ (us|ms)</td>", html)


def test_the_heading_names_the_machine_that_ran(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(_site, "_FOLDER", tmp_path)
    small = schedscope.run("rt-pull-herd", duration="1ms", set={"machine.cpus": 16})
    html = small._repr_html_()
    assert "<b>Why do 16 CPUs wait for one lock?</b>" in html and "40 CPUs" not in html
    assert "16 CPUs" in repr(small) and "40 CPUs" not in repr(small)
    sizes = schedscope.compare(
        "rt-pull-herd", {"machine.cpus": 16}, {"machine.cpus": 8}, duration="1ms"
    )
    html = sizes._repr_html_()
    assert "Why do 16 CPUs" in html and "Why do 8 CPUs" in html and "40 CPUs" not in html


def test_a_scenarios_words_cannot_write_html(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(_site, "_FOLDER", tmp_path)
    scenario = json.loads((ROOT / "scenarios" / "rt-migrate" / "scenario.json").read_text("utf-8"))
    scenario["title"] = 'A <script>alert("x")</script>?'
    html = schedscope.run(scenario, duration="1ms")._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html


def test_a_link_says_its_own_length_and_check_value() -> None:
    fragment = _link.fragment(
        '{"schema": 1}', [[("machine.cpus", 2)]], [("k", 5, "a.b", "x y")], "a"
    )
    assert fragment is not None
    head = fragment.split("&")[0]
    assert head == f"v=3.{len(fragment)}"
    assert "at.k.5ns.a.b=x~20y" in fragment and "lay=a" in fragment
    assert re.fullmatch(r"[A-Za-z0-9\-._~=&]+&c=[0-9a-f]{8}", fragment)
    assert _link.fragment('{"x": "' + "y" * 70_000 + '"}', [[]], [], None) is None
