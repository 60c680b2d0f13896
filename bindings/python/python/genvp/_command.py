"""The `genvp` command of the wheel."""

from __future__ import annotations

import os
import signal
import sys
import sysconfig

from ._core import run_command


def main() -> int:
    """Run the command with the arguments of this process."""
    # Python only notes Ctrl-C and acts when it is back, which is when the command is done.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    return run_command(["genvp", *sys.argv[1:]], _program())


def _program() -> str | None:
    """The script that runs this command again."""
    script = os.path.join(sysconfig.get_path("scripts"), "genvp")
    return next((path for path in (script, script + ".exe") if os.path.isfile(path)), None)


if __name__ == "__main__":
    sys.exit(main())
