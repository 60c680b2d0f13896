"""Every example runs, small."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import genvp
import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name: str, *args: object) -> str:
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *map(str, args)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def needs(module: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed: this example is not run")


def test_make_and_look(tmp_path: Path) -> None:
    said = run("make_and_look.py", "--out", tmp_path, "-n", 2)
    assert "2 of 2 puzzles are sound" in said and "number=arithmetic:+" in said
    assert (tmp_path / "puzzle.png").read_bytes().startswith(b"\x89PNG")
    assert len(genvp.open(tmp_path / "dataset")) == 2


def test_train_torch() -> None:
    needs("torch")
    said = run("train_torch.py", "--steps", 4, "--batch", 4, "--workers", 1, "-n", 8)
    assert "step 0: loss" in said and "majority vote" in said and "Scorer" in said


def test_solve_folder(tmp_path: Path) -> None:
    genvp.write(tmp_path / "d", genvp.make("iraven", ["c-s", "l-r"], n=3, seed=7))
    assert "center_single: 100.0 % of 3" in run("solve_folder.py", tmp_path / "d")
    assert "100.0 % of 3" in run("solve_folder.py", tmp_path / "d", "--model", "exact")
    genvp.write(tmp_path / "vad", genvp.make("vad", "interpolation", n=3, seed=7))
    assert "% of 3" in run("solve_folder.py", tmp_path / "vad")


def test_imagine_and_judge(tmp_path: Path) -> None:
    said = run("imagine_and_judge.py", "--out", tmp_path, "-n", 1, "--rule", "type=constant")
    assert "keep every rule" in said and "followed" in said
    assert (tmp_path / "0.png").read_bytes().startswith(b"\x89PNG")


def test_ray_million(tmp_path: Path) -> None:
    needs("ray")
    run("ray_million.py", "-n", 64, "--size", 16, "--out", tmp_path / "d")
    assert list((tmp_path / "d").glob("*.parquet"))


def test_every_example_has_its_test() -> None:
    tested = {name[len("test_") :] + ".py" for name in globals() if name.startswith("test_")}
    assert {path.name for path in EXAMPLES.glob("*.py")} <= tested
