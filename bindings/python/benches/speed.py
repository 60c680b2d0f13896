"""How fast the package is: making, loading with PyTorch, and solving beside the command.

    python speed.py [--rounds 3]

Every line is the best of some rounds, taken in turn, in puzzles a second; beside it the processor
time that a thousand puzzles take, which other work on the machine changes less. The command is the
one of the same wheel (`genvp eval speed solve`), on the same drawings: its `memory` solves panels
that are ready for the model, as ours of 64 pixels nearly are; its `folder` also reads files of 160
pixels and shrinks them, of which ours of 160 pixels does the second half. The last lines compare with
what docs/python.md wants.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import genvp

SOLVED = "Model.solve, 1,001 in memory, 64 px"
LOADED = "DataLoader, fresh I-RAVEN, 80 px, 2 workers"
COMMAND = "the command, panels in memory"
ORIGINAL = 7.5  # puzzles a second by the original program


def cpu() -> float:
    """Seconds of processor time, of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(own.ru_utime + own.ru_stime for own in used)


def timed(count: int, work: Callable[[], object]) -> tuple[float, float]:
    """Puzzles a second, and seconds of processor time for a thousand of them."""
    begun, used = time.perf_counter(), cpu()
    work()
    return count / (time.perf_counter() - begun), 1000 * (cpu() - used) / count


def command() -> dict[str, float]:
    program = Path(sys.executable).with_name("genvp")
    args = ["eval", "speed", "solve", "--rounds", "1", "-n", "143", "--steps", "10", "--json"]
    done = subprocess.run([program, *args], capture_output=True, text=True, check=True)
    said = json.loads(done.stdout.splitlines()[-1])
    return {
        COMMAND: said["memory_per_second"],
        "the command, a folder of files": said["folder_per_second"],
        "the command, a folder of files, with confidence": said["confident_per_second"],
    }


def loader(layout: str, size: int) -> Callable[[], object]:
    from genvp.torch import FreshPuzzles
    from torch.utils.data import DataLoader

    puzzles = FreshPuzzles("iraven", layout, seed=1, size=size, batch_size=32, n=256)
    batches: Any = DataLoader(puzzles, batch_size=None, num_workers=2)
    return lambda: [batch["target"] for batch in batches]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()

    model = genvp.Model.load()
    large, small = (genvp.make("iraven", n=143, seed=1, size=size).panels for size in (160, 64))
    works: dict[str, tuple[int, Callable[[], object]]] = {
        "make, 160 px": (2000, lambda: genvp.make("iraven", "3x3", n=2000, seed=2)),
        "make, 80 px": (2000, lambda: genvp.make("iraven", "3x3", n=2000, seed=2, size=80)),
        SOLVED: (1001, lambda: model.solve(small, confidence=False)),
        "Model.solve, 1,001 in memory, 160 px": (1001, lambda: model.solve(large, confidence=False)),
        "Model.solve, 1,001 in memory, 160 px, with confidence": (1001, lambda: model.solve(large)),
    }
    if importlib.util.find_spec("torch") is not None:
        works[LOADED] = (8192, loader("all", 80))
        works["DataLoader, fresh I-RAVEN, 160 px, 2 workers"] = (8192, loader("all", 160))
    best: dict[str, tuple[float, float | None]] = {}
    before = os.getloadavg()[0]
    for _ in range(asked.rounds):
        for name, (count, work) in works.items():
            rate, used = timed(count, work)
            was, least = best.get(name, (0.0, used))
            best[name] = max(rate, was), min(used, used if least is None else least)
        for name, rate in command().items():
            best[name] = max(rate, best.get(name, (0.0, None))[0]), None

    print(f"{os.cpu_count()} cores; load average {before:.1f} before, {os.getloadavg()[0]:.1f} after")
    print(f"{'':<54} {'a second':>9} {'CPU s / 1,000':>14}")
    for name, (rate, cpu_used) in best.items():
        print(f"{name:<54} {rate:9.0f} {'' if cpu_used is None else f'{cpu_used:.2f}':>14}")
    print(f"Model.solve beside the command in memory: {best[SOLVED][0] / best[COMMAND][0]:.2f} (wanted 0.90)")
    if LOADED in best:
        times = best[LOADED][0] / ORIGINAL
        print(f"DataLoader beside the original program's {ORIGINAL}: {times:.0f} times (wanted 100)")


if __name__ == "__main__":
    main()
