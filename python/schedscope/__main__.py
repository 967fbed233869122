"""``python -m schedscope``: the whole command."""

from __future__ import annotations

import signal
import sys

from ._native import command


def main() -> int:
    """Runs the command with this program's arguments; gives its exit code."""
    # The command has its own answer to Ctrl-C: it prints the partial result.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["schedscope", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
