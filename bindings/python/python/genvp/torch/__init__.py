"""Puzzles and the shipped solver for PyTorch.

* `FreshPuzzles`: puzzles that are made while you train, each with an index of its own, without a file;
* `Puzzles`: those of stored files;
* `collate_predrnet`, `collate_mrnet`, `collate_scl`: batches in the shapes that such code expects;
* `Solver`: the model in the box as a plain `torch.nn.Module`, from which `torch.onnx.export` works;
* `load_state_dict`: the tensors of a weights file by their names.

torch is not installed with genvp: `pip install genvp[torch]`.
"""

from __future__ import annotations

try:
    import torch as _torch  # noqa: F401
except ImportError as _error:
    raise ImportError("genvp.torch needs PyTorch: pip install 'genvp[torch]'") from _error

from ._collate import Sample, collate, collate_mrnet, collate_predrnet, collate_scl
from ._data import FreshPuzzles, Puzzles
from ._solver import Solver, to_ink
from ._weights import load_config, load_state_dict

__all__ = [
    "FreshPuzzles",
    "Puzzles",
    "Sample",
    "Solver",
    "collate",
    "collate_mrnet",
    "collate_predrnet",
    "collate_scl",
    "load_config",
    "load_state_dict",
    "to_ink",
]
