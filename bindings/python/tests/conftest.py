"""What the tests share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import genvp
import pytest


@pytest.fixture(scope="session")
def model() -> genvp.Model:
    return genvp.Model.load()


@pytest.fixture(scope="session")
def command() -> str:
    """The `genvp` command that came with the wheel."""
    path = Path(sys.executable).with_name("genvp")
    assert path.exists(), "the wheel carries the command"
    return str(path)


def run(command: str, *args: str | Path, status: int = 0) -> str:
    done = subprocess.run([command, *map(str, args)], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done.stdout
