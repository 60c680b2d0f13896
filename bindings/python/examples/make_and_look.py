"""Make puzzles, look at them, and keep them as a dataset that every loader of the field reads.

python make_and_look.py --out look
"""

from __future__ import annotations

import argparse
from pathlib import Path

import genvp


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("look"))
    parser.add_argument("-n", type=int, default=3)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)

    # One batch of any set: arrays for programs, puzzles for people.
    batch = genvp.make("iraven", layout="3x3", n=asked.n, seed=7, rules="number=arithmetic:+")
    print(batch.panels.shape, batch.panels.dtype, "answers", batch.target.tolist())
    puzzle = batch[0]
    print(puzzle.rules)
    print(puzzle.alt_text)
    (asked.out / "puzzle.png").write_bytes(puzzle.png(answer=False))
    (asked.out / "answers.png").write_bytes(batch.png())

    # A matrix of PGM: the same calls.
    matrix = genvp.make("pgm", regime="neutral", n=1, seed=7)[0]
    (asked.out / "pgm.svg").write_text(matrix.svg())

    # The very files of `genvp dataset make iraven --layout 3x3 ...`, and the proof that they are right.
    genvp.write(asked.out / "dataset", batch, force=True)
    report = genvp.check(asked.out / "dataset")
    print(f"{report.sound} of {report.n} puzzles are sound")


if __name__ == "__main__":
    main()
