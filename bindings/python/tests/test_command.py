"""The `genvp` command of the wheel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import genvp
from conftest import run


def test_it_is_the_whole_command(command: str) -> None:
    assert run(command, "--version").split() == ["genvp", genvp.__version__]
    for name in ("dataset", "solve", "imagine", "train", "eval", "model"):
        assert name in run(command, "--help")
    assert run(command, "completions", "bash")


def test_exit_statuses_are_kept(command: str, tmp_path: Path) -> None:
    run(command, "solve", tmp_path / "nowhere.npz", status=1)
    run(command, "no-such-command", status=2)


def test_it_is_a_module_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "genvp", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["genvp", genvp.__version__]
