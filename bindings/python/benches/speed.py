"""How fast the package is: making, loading with PyTorch, and solving beside the command.

    python speed.py [--rounds 3]

Every line is the best of some rounds, taken in turn, in puzzles a second. The command is the one of
the same wheel (`genvp eval speed solve`), on the same drawings: its `memory` solves panels that are
ready for the model, as ours of 64 pixels nearly are; its `folder` also reads files of 160 pixels and
shrinks them, of which ours of 160 pixels does the second half.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import genvp


def rate(count: int, work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return count / (time.perf_counter() - begun)


def command() -> dict[str, float]:
    program = Path(sys.executable).with_name("genvp")
    args = ["eval", "speed", "solve", "--rounds", "1", "-n", "143", "--steps", "10", "--json"]
    done = subprocess.run([program, *args], capture_output=True, text=True, check=True)
    said = json.loads(done.stdout.splitlines()[-1])
    return {
        "the command, panels in memory": said["memory_per_second"],
        "the command, a folder of files": said["folder_per_second"],
        "the command, a folder of files, with confidence": said["confident_per_second"],
    }


def loader(workers: int, size: int) -> Callable[[], object]:
    from genvp.torch import FreshPuzzles
    from torch.utils.data import DataLoader

    puzzles = FreshPuzzles("iraven", seed=1, size=size, batch_size=32, n=256)
    return lambda: [batch["target"] for batch in DataLoader(puzzles, batch_size=None, num_workers=workers)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()

    model = genvp.Model.load()
    large, small = (genvp.make("iraven", n=143, seed=1, size=size).panels for size in (160, 64))
    works: dict[str, tuple[int, Callable[[], object]]] = {
        "make, 160 px": (2000, lambda: genvp.make("iraven", "3x3", n=2000, seed=2)),
        "make, 80 px": (2000, lambda: genvp.make("iraven", "3x3", n=2000, seed=2, size=80)),
        "solve 1,001 of 160 px in memory": (1001, lambda: model.solve(large, confidence=False)),
        "solve 1,001 of 64 px in memory": (1001, lambda: model.solve(small, confidence=False)),
        "solve 1,001 of 160 px in memory, with confidence": (1001, lambda: model.solve(large)),
    }
    if importlib.util.find_spec("torch") is not None:
        for size in (80, 160):
            works[f"DataLoader, fresh I-RAVEN of {size} px, 2 workers"] = (8192, loader(2, size))
    best: dict[str, float] = {}
    for _ in range(asked.rounds):
        found = {name: rate(count, work) for name, (count, work) in works.items()}
        for name, own in {**found, **command()}.items():
            best[name] = max(own, best.get(name, 0.0))
    for name, own in best.items():
        print(f"{name:<50} {own:10.0f}")


if __name__ == "__main__":
    main()
