"""Make a million puzzles as parquet files with Ray Data, on a laptop or on a cluster.

Puzzle i is a pure function of the seed and i, so a dataset is a range of numbers:

    pip install genvp "ray[data]"
    python ray_million.py -n 1000000 --out /data/iraven
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import genvp


def columns(batch: dict[str, Any], maker: genvp.Maker) -> dict[str, Any]:
    """A batch of indices as a batch of puzzles; the pixels as one flat column, as parquet wants it."""
    genvp.set_threads(1)  # Ray has a task for every core
    made = maker.columns(batch)
    made["panels"] = made["panels"].reshape(len(made["id"]), -1)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1_000_000)
    parser.add_argument("--layout", default="3x3")
    parser.add_argument("--size", type=int, default=80)
    parser.add_argument("--out", required=True)
    asked = parser.parse_args()

    import ray

    maker = genvp.Maker("iraven", asked.layout, seed=7, size=asked.size)
    puzzles = ray.data.range(asked.n).map_batches(partial(columns, maker=maker), batch_size=256)
    puzzles.write_parquet(asked.out)
    print(f"{asked.n} puzzles in {asked.out}")


if __name__ == "__main__":
    main()
