"""How runs show themselves in a notebook: their figures, and the page with exactly that run."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ._site import site


def html(
    title: str,
    subtitle: str,
    names: Sequence[str],
    rows: Sequence[tuple[str, Sequence[int | None]]],
    link: str | None,
) -> str:
    """A small table, readable everywhere, and below it the embed where there is a site."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(
        f"<tr><td style='text-align:left'>{escape(path)}</td>"
        + "".join(f"<td>{_figure(path, value)}</td>" for value in values)
        + "</tr>"
        for path, values in rows
    )
    heading = f"<p><b>{escape(title)}</b><br><small>{escape(subtitle)}</small></p>"
    table = f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"
    return heading + table + _embed(title, link)


def _embed(title: str, link: str | None) -> str:
    address = site()
    if address is None or link is None:
        return ""
    return (
        f'<iframe src="{address}embed/{link}" title="{escape(title, quote=True)}" width="100%" '
        f'height="540" style="border:0" loading="lazy"></iframe>'
        f'<p><a href="{address}{link}" target="_blank" rel="noopener">open in the lab</a></p>'
    )


def _figure(path: str, value: int | None) -> str:
    if value is None:
        return "-"
    if path.endswith("_bp"):
        return f"{value // 100}.{value % 100:02} %"
    if not (path.endswith("_ns") or "causes_ns" in path):
        return f"{value:,}".replace(",", " ")
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if abs(value) >= size:
            # Cut off, never rounded up, as the command shows it.
            sign, thousandths = "-" if value < 0 else "", abs(value) * 1_000 // size
            return f"{sign}{thousandths // 1_000}.{thousandths % 1_000:03} {unit}"
    return f"{value} ns"
