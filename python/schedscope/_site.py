"""Where the page is: the wheel's own site, served to this machine, or one that a user names."""

from __future__ import annotations

import threading
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from . import _check

_FOLDER = Path(__file__).parent / "_site"
_TYPES = {
    "": "application/octet-stream",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".map": "application/json; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".woff2": "font/woff2",
}
_ADDRESS = 'an address such as "https://example.org/"'
_LOCK = threading.Lock()
_named: str | None = None
_served: str | None = None


def use_site(address: str | None) -> None:
    """Takes embeds from the site at ``address``; ``None`` goes back to the wheel's own.

    A notebook that runs on another machine cannot show what is served to that machine alone: name
    a site that the reader's browser reaches.

    Raises:
        UsageError: the address does not begin with ``https://`` or ``http://``.
    """
    global _named
    _check.text("use_site", address, _ADDRESS)
    if address is not None and not address.startswith(("https://", "http://")):
        raise _check.refused("use_site", _ADDRESS, address)
    _named = address if address is None or address.endswith("/") else f"{address}/"


def site() -> str | None:
    """The site's address, with a slash at its end; ``None`` if the wheel was built without one.

    The first call without a named site starts a thread that serves the wheel's own on 127.0.0.1.
    """
    global _served
    if _named is not None or not (_FOLDER / "index.html").is_file():
        return _named
    with _LOCK:
        if _served is None:
            server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(_FOLDER)))
            server.daemon_threads = True
            threading.Thread(
                target=server.serve_forever, name="schedscope site", daemon=True
            ).start()
            _served = f"http://127.0.0.1:{server.server_address[1]}/"
    return _served


class _Files(SimpleHTTPRequestHandler):
    """The files of a folder, for GET; no listing of a folder, no word about a request."""

    protocol_version = "HTTP/1.1"
    extensions_map = _TYPES

    def do_HEAD(self) -> None:
        self.send_error(HTTPStatus.METHOD_NOT_ALLOWED)

    def list_directory(self, path: object) -> None:
        self.send_error(HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *arguments: object) -> None:
        pass
