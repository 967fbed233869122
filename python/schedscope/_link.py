"""Writes scenario links (docs/use/links.md in the source): a run as an address below a site."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

VERSION = 3
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._")
_PAYLOAD_MAX = 65_536
"""Largest scenario that a link may carry, bytes."""
_OTHER_RUNS = ("$schema", "steps", "variants")
"""Members that are about other runs than the link's."""


def fragment(
    text: str,
    sides: Sequence[Iterable[tuple[str, Any]]],
    live: Iterable[tuple[str, int, str, str]],
    layout: str | None,
) -> str | None:
    """The part behind ``lab/#`` of a link that carries a scenario; None if that is too large.

    ``sides`` are the changes of one run, or of A and of B. A change that is an object or a list has
    no place in a link: a variant of the scenario has it. ``live`` has the side (``k`` for both,
    ``a``, ``b``), the time in ns, the path and the value.
    """
    scenario = json.loads(text)
    for member in _OTHER_RUNS:
        scenario.pop(member, None)
    pairs: list[tuple[str, str]] = []
    variants = []
    letters, names = ("k", ["this run"]) if len(sides) == 1 else ("ab", ["A", "B"])
    for letter, name, changes in zip(letters, names, sides, strict=True):
        # The last change of a knob counts, in its own place.
        last: dict[str, Any] = {}
        for path, value in changes:
            last.pop(path, None)
            last[path] = value
        objects = {}
        for path, value in last.items():
            if isinstance(value, (dict, list)):
                objects[path] = value
            else:
                key = "seed" if (letter, path) == ("k", "seed") else f"{letter}.{path}"
                pairs.append((key, value if isinstance(value, str) else json.dumps(value)))
        variants.append({"name": name, "set": objects})
    if len(sides) > 1 or variants[0]["set"]:
        scenario["variants"] = variants
    data = json.dumps(scenario, ensure_ascii=False, separators=(",", ":")).encode()
    if len(data) > _PAYLOAD_MAX:
        return None
    pairs.extend((f"at.{side}.{at_ns}ns.{path}", value) for side, at_ns, path, value in live)
    if layout is not None:
        pairs.append(("lay", layout))
    packed = zlib.compress(data, 9, wbits=-15)
    pairs.append(("z", "d." + base64.urlsafe_b64encode(packed).rstrip(b"=").decode()))
    return _framed(pairs)


def _framed(pairs: Iterable[tuple[str, str]]) -> str:
    body = "".join(f"&{_escaped(key)}={_escaped(value)}" for key, value in pairs)
    # `v=3.`, the length, the body and `&c=` with eight digits: the length counts its own digits.
    rest = len(f"v={VERSION}.") + len(body) + len("&c=") + 8
    length = next(size for size in range(rest + 1, rest + 10) if size == rest + len(str(size)))
    head = f"v={VERSION}.{length}{body}"
    return f"{head}&c={zlib.crc32(head.encode()):08x}"


def _escaped(text: str) -> str:
    return "".join(chr(byte) if byte in _PLAIN else f"~{byte:02X}" for byte in text.encode())
