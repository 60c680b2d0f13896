"""Batches in the shapes that the field's code expects."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np
import torch
from torch import Tensor

from .._core import SpecError
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
    known = puzzle.known is not None
    return {
        "image": torch.from_numpy(puzzle.panels),
        "target": torch.tensor(-1 if puzzle.target is None else puzzle.target),
        "meta_target": torch.from_numpy(puzzle.meta_target).float() if known else torch.zeros(0),
        "meta_matrix": torch.from_numpy(puzzle.meta_matrix).float() if known else torch.zeros(0, 0),
        "layout": puzzle.layout or "",
        "name": puzzle.name,
    }


def samples(batch: Batch) -> Sample:
    """A batch as tensors; the pixels are shared with it."""
    return {
        "image": torch.from_numpy(batch.panels),
        "target": torch.from_numpy(batch.target.astype(np.int64)),
        "meta_target": torch.from_numpy(batch.meta_target).float(),
        "meta_matrix": torch.from_numpy(batch.meta_matrix).float(),
        "layout": batch.layout,
        "name": list(batch.names),
    }


def collate(puzzles: Sequence[Sample] | Sample) -> Sample:
    """Puzzles as one batch; a batch stays what it is.

    >>> from genvp.torch import FreshPuzzles
    >>> collate([*FreshPuzzles("iraven", "3x3", seed=7, n=2)])["image"].shape
    torch.Size([2, 16, 80, 80])
    """
    if isinstance(puzzles, dict):
        return puzzles
    if len({(own["meta_target"].shape, own["meta_matrix"].shape) for own in puzzles}) > 1:
        told = [own["name"] for own in puzzles if own["meta_matrix"].numel() == 0]
        raise SpecError(f"one batch has puzzles of one family, whose rules are all known; not of {told[:1]}")
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

    >>> from genvp.torch import FreshPuzzles
    >>> image, target, meta_target, structure, files = collate_predrnet([*FreshPuzzles("iraven", "3x3", seed=7, n=2)])
    >>> image.dtype, meta_target.shape, structure.shape
    (torch.float32, torch.Size([2, 9]), torch.Size([2, 8, 9]))
    """
    batch = collate(puzzles)
    structure, meta_target = batch["meta_matrix"], batch["meta_target"]
    if meta_target.shape[1] == 0:
        meta_target = structure
    return batch["image"].float(), batch["target"], meta_target, structure, _data_files(batch)


def collate_mrnet(puzzles: Sequence[Sample] | Sample) -> Tuple:
    """`(image, target, meta_target, structure_encoded, data_file)` as MRNet's loaders give it: the
    same as PredRNet's, whose loop is MRNet's.

    >>> from genvp.torch import FreshPuzzles
    >>> image, *_, files = collate_mrnet([*FreshPuzzles("iraven", "3x3", seed=7, n=2)])
    >>> files
    ['distribute_nine/0', 'distribute_nine/1']
    """
    return collate_predrnet(puzzles)


def collate_scl(puzzles: Sequence[Sample] | Sample) -> dict[str, Any]:
    """The dictionary that SCL's loader gives for visual inputs: `image` `[b, 16, side, side]` in grey
    values, `label`, `meta_matrix`, `file_prefix`, and a `symbol` of zeros, which its model asks for
    and does not use.

    >>> from genvp.torch import FreshPuzzles
    >>> sorted(collate_scl([*FreshPuzzles("iraven", "3x3", seed=7, n=2)]))
    ['file_prefix', 'image', 'label', 'meta_matrix', 'symbol']
    """
    batch = collate(puzzles)
    prefixes = [os.path.splitext(os.path.basename(name))[0] for name in batch["name"]]
    return {
        "image": batch["image"],
        "symbol": torch.zeros_like(batch["target"]),
        "label": batch["target"],
        "meta_matrix": batch["meta_matrix"].to(torch.uint8),
        "file_prefix": prefixes,
    }
