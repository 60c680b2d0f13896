"""Train a small network of your own on fresh I-RAVEN puzzles, and put it into the paper's table.

Nothing is downloaded or stored: every puzzle is made when it is needed, each with an index of its own.

    pip install "genvp[torch]"
    python train_torch.py --steps 2000 --workers 2
"""

from __future__ import annotations

import argparse

import genvp.eval
import numpy as np
import numpy.typing as npt
import torch
from genvp.torch import FreshPuzzles, collate_predrnet
from torch import Tensor, nn
from torch.utils.data import DataLoader


class Scorer(nn.Module):
    """Scores a choice by the rows it completes: small, and far from the state of the art."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.panel = nn.Sequential(
            nn.Conv2d(1, width, 4, 4),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, 2, 1),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(4),
            nn.Flatten(),
            nn.Linear(16 * width, 64),
            nn.ReLU(),
        )
        self.row = nn.Sequential(nn.Linear(3 * 64, 128), nn.ReLU(), nn.Linear(128, 64))
        self.score = nn.Sequential(nn.Linear(3 * 64, 128), nn.ReLU(), nn.Linear(128, 1))

    def forward(self, image: Tensor) -> Tensor:
        b = image.shape[0]
        panels = self.panel(image.reshape(b * 16, 1, *image.shape[2:])).reshape(b, 16, -1)
        context, choices = panels[:, :8], panels[:, 8:]
        rows = [self.row(context[:, at : at + 3].flatten(1)) for at in (0, 3)]
        scores = []
        for choice in range(8):
            last = torch.cat([context[:, 6:8].flatten(1), choices[:, choice]], 1)
            scores.append(self.score(torch.cat([*rows, self.row(last)], 1)))
        return torch.cat(scores, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--layout", default="c-s")
    parser.add_argument("-n", type=int, default=200, help="puzzles to be examined on")
    asked = parser.parse_args()

    torch.manual_seed(0)
    puzzles = FreshPuzzles("iraven", asked.layout, seed=1, size=80, batch_size=asked.batch, n=asked.steps)
    loader = DataLoader(puzzles, batch_size=None, num_workers=asked.workers, collate_fn=collate_predrnet)
    model = Scorer()
    optimiser = torch.optim.AdamW(model.parameters(), 1e-3)
    model.train()
    for step, (image, target, *_) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(image / 127.5 - 1), target)
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        optimiser.step()
        if step % 100 == 0:
            print(f"step {step}: loss {loss.item():.3f}")

    model.eval()

    def solve(panels: npt.NDArray[np.uint8]) -> list[int]:
        with torch.inference_mode():
            image = torch.from_numpy(panels.astype(np.float32) / 127.5 - 1)
            answers: list[int] = model(image).argmax(1).tolist()
            return answers

    print(genvp.eval.table(solve, "iraven", asked.layout, n=asked.n, seed=3, size=80, name="Scorer"))


if __name__ == "__main__":
    main()
