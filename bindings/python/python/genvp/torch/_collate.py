"""Batches in the shapes that the field's code expects."""

from __future__ import annotations

import os
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
    layout: Any
    """The layout or regime, empty where it is not known; a list of them in a batch."""
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
        "layout": puzzle.layout or "",
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
        "layout": batch.layout,
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
        "layout": [own["layout"] for own in puzzles],
        "name": [own["name"] for own in puzzles],
    }


Tuple = tuple[Tensor, Tensor, Tensor, Tensor, list[str]]


def _data_files(batch: Sample) -> list[str]:
    """The names of files below a dataset's folder: the layout comes first."""
    return [
        os.path.join(layout, os.path.basename(name)) for layout, name in zip(batch["layout"], batch["name"])
    ]


def collate_predrnet(puzzles: Sequence[Sample] | Sample) -> Tuple:
    """`(image, target, meta_target, structure_encoded, data_file)` as PredRNet's loaders give it.

    The image is float32 `[b, 16, side, side]` in grey values from 0 to 255, which PredRNet's loop
    brings to -1 to 1 itself. `data_file` begins with the layout, by which it counts right answers.
    In place of the `meta_target` that VAD's files do not have stands `structure_encoded`.
    """
    batch = collate(puzzles)
    structure, meta_target = batch["meta_matrix"], batch["meta_target"]
    if meta_target.shape[1] == 0:
        meta_target = structure
    return batch["image"].float(), batch["target"], meta_target, structure, _data_files(batch)


def collate_mrnet(puzzles: Sequence[Sample] | Sample) -> Tuple:
    """`(image, target, meta_target, structure_encoded, data_file)` as MRNet's loaders give it: the
    same as PredRNet's, whose loop is MRNet's."""
    return collate_predrnet(puzzles)


def collate_scl(puzzles: Sequence[Sample] | Sample) -> dict[str, Any]:
    """The dictionary that SCL's loader gives for visual inputs: `image` `[b, 16, side, side]` in grey
    values, `label`, `meta_matrix`, `file_prefix`, and a `symbol` of zeros, which its model asks for
    and does not use."""
    batch = collate(puzzles)
    prefixes = [os.path.splitext(os.path.basename(name))[0] for name in batch["name"]]
    return {
        "image": batch["image"],
        "symbol": torch.zeros_like(batch["target"]),
        "label": batch["target"],
        "meta_matrix": batch["meta_matrix"].to(torch.uint8),
        "file_prefix": prefixes,
    }
