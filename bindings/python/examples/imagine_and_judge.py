"""Let the model draw puzzles from rules, and let the judge, who has no learned part, read them.

python imagine_and_judge.py --layout o-ic --rule in.type=progression --out dreams
"""

from __future__ import annotations

import argparse
from pathlib import Path

import genvp


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layout", default="c-s")
    parser.add_argument("--rule", action="append", default=[])
    parser.add_argument("-n", type=int, default=4)
    parser.add_argument("--out", type=Path, default=Path("dreams"))
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)

    model = genvp.Model.load()
    drawn = model.imagine(asked.layout, asked.rule, n=asked.n, seed=7)
    for number, puzzle in enumerate(drawn):
        print(f"{puzzle.rules}: {puzzle.verdict.words}")
        (asked.out / f"{number}.png").write_bytes(puzzle.png())
    kept = sum(puzzle.verdict.agrees for puzzle in drawn)
    print(f"{kept} of {len(drawn)} keep every rule")

    # What could stand in the empty place of a real puzzle?
    question = genvp.Maker("iraven", asked.layout, seed=7)[0]
    for answer in model.complete(question.context, missing=8, n=2, layout=asked.layout):
        print(f"followed {answer.rules}: {answer.verdict.words}")


if __name__ == "__main__":
    main()
