"""Batches in the shapes that the field's code expects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np
import torch
from torch import Tensor

from .._core import KnownPuzzle, SpecError
from .._puzzle import Batch, Puzzle


class Sample(TypedDict):
    """A puzzle, or a batch of them, as tensors."""

    image: Tensor
    """`[panels, side, side]` uint8, 255 = paper: the question, then the choices."""
    target: Tensor
    """int64; -1 where it is not known."""
    meta_target: Tensor
    """float32: which rules and attributes there are; of no length where it is not known."""
    meta_matrix: Tensor
    """float32: one row for each rule, as in the originals' files."""
    name: Any
    """File or seed and index; a list of them in a batch."""


def sample(puzzle: Puzzle) -> Sample:
    """A puzzle as tensors; the pixels are shared with it."""
    matrix, target = _meta(puzzle.known)
    return {
        "image": torch.from_numpy(puzzle.panels),
        "target": torch.tensor(-1 if puzzle.target is None else puzzle.target),
        "meta_target": target,
        "meta_matrix": matrix,
        "name": puzzle.name,
    }


def samples(batch: Batch) -> Sample:
    """A batch as tensors; the pixels are shared with it."""
    metas = [_meta(known) for known in batch.known]
    return {
        "image": torch.from_numpy(batch.panels),
        "target": torch.from_numpy(batch.target.astype(np.int64)),
        "meta_target": torch.stack([target for _, target in metas]),
        "meta_matrix": torch.stack([matrix for matrix, _ in metas]),
        "name": list(batch.names),
    }


def _meta(known: KnownPuzzle | None) -> tuple[Tensor, Tensor]:
    if known is None:
        return torch.zeros(0, 0), torch.zeros(0)
    matrix, target = known.meta()
    joined = torch.zeros(0) if target is None else torch.from_numpy(target).float()
    return torch.from_numpy(matrix).float(), joined


def collate(puzzles: Sequence[Sample] | Sample) -> Sample:
    """Puzzles as one batch; a batch stays what it is."""
    if isinstance(puzzles, dict):
        return puzzles
    sides = {tuple(own["image"].shape) for own in puzzles}
    if len(sides) > 1:
        raise SpecError(f"one batch has panels of one size, not of {sorted(sides)}")
    return {
        "image": torch.stack([own["image"] for own in puzzles]),
        "target": torch.stack([own["target"] for own in puzzles]),
        "meta_target": torch.stack([own["meta_target"] for own in puzzles]),
        "meta_matrix": torch.stack([own["meta_matrix"] for own in puzzles]),
        "name": [own["name"] for own in puzzles],
    }


Tuple = tuple[Tensor, Tensor, Tensor, Tensor, list[str]]


def _scaled(puzzles: Sequence[Sample] | Sample) -> Tuple:
    batch = collate(puzzles)
    image = batch["image"].float().div_(255).sub_(0.5).mul_(2)
    names: list[str] = batch["name"]
    return image, batch["target"], batch["meta_target"], batch["meta_matrix"], names


def collate_predrnet(puzzles: Sequence[Sample] | Sample) -> Tuple:
    """`(image, target, meta_target, structure_encoded, data_file)` as PredRNet's loaders give it:
    image `[b, 16, side, side]` from -1 (ink) to 1 (paper)."""
    return _scaled(puzzles)


def collate_mrnet(puzzles: Sequence[Sample] | Sample) -> Tuple:
    """`(image, target, meta_target, structure_encoded, data_file)` as MRNet's loaders give it:
    image `[b, 16, side, side]` from -1 (ink) to 1 (paper)."""
    return _scaled(puzzles)


def collate_scl(puzzles: Sequence[Sample] | Sample) -> dict[str, Any]:
    """The dictionary `image`, `label`, `meta_matrix`, `file_prefix` as SCL's loader gives it for
    visual inputs: image `[b, 16, side, side]` in raw grey values."""
    batch = collate(puzzles)
    return {
        "image": batch["image"],
        "label": batch["target"],
        "meta_matrix": batch["meta_matrix"],
        "file_prefix": batch["name"],
    }
