"""Solve all puzzles of a folder with the model in the box, and see where it is wrong.

genvp dataset make iraven --layout all -n 100 --out I-RAVEN
python solve_folder.py I-RAVEN
"""

from __future__ import annotations

import argparse
from collections import Counter

import genvp


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument(
        "--model", help="a model in the box, a weights file, or exact; if not said, the box's for these puzzles"
    )
    asked = parser.parse_args()

    right: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    puzzles = genvp.open(asked.folder, skip_bad=True)
    batch: list[genvp.Puzzle] = []

    def solve() -> None:
        for puzzle, found in zip(batch, genvp.solve(batch, model=asked.model)):
            layout = puzzle.layout or "unknown"
            seen[layout] += 1
            right[layout] += found.answer == puzzle.target
            if found.answer != puzzle.target:
                sure = f"{found.confidence:.2f} sure" if found.confidence is not None else "a guess"
                print(f"{puzzle.name}: choice {found.answer + 1} ({sure}); it sees {found.rules}")
        batch.clear()

    for puzzle in puzzles:
        batch.append(puzzle)
        if len(batch) == 64:
            solve()
    if batch:
        solve()
    for layout, n in sorted(seen.items()):
        print(f"{layout}: {100 * right[layout] / n:.1f} % of {n}")
    for problem in puzzles.problems:
        print(f"left out: {problem}")


if __name__ == "__main__":
    main()
