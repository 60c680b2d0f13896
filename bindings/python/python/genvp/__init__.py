"""Raven-style visual puzzles: make, read, check, solve, explain, complete and imagine them.

>>> import genvp
>>> batch = genvp.make("iraven", layout="3x3", n=2, seed=7)
>>> batch.panels.shape
(2, 16, 160, 160)
>>> genvp.solve(batch[0], model="exact").answer == batch[0].target
True

Panels are grey bytes (`uint8`, 255 = paper): those of the question row by row, then the choices.
Everything random is a pure function of a seed and an index. `genvp.torch` has what PyTorch needs,
`genvp.eval` puts a solver of yours into the paper's tables.
"""

from __future__ import annotations

import multiprocessing as _multiprocessing
import os as _os

from . import eval
from ._core import (
    ArrayError,
    DataError,
    GenvpError,
    ModelError,
    SpecError,
    __version__,
    form,
    rule_space,
    set_threads,
    sets,
    strata,
    threads,
)
from ._files import Counts, Dataset, Report, check, open, write
from ._make import Maker, make, makers
from ._model import (
    Completion,
    Explanation,
    Imagined,
    Model,
    Ruling,
    Solution,
    Verdict,
    judge,
    models,
    solve,
)
from ._puzzle import Audit, Batch, Puzzle, picture
from ._scene import Line, Object, RavenScene, Reading, RelationScene, Scene, Shape, read, render
from ._text import score, text

# A spawned worker has siblings that work, too; forked ones are known by their process.
if _multiprocessing.parent_process() is not None and "GENVP_THREADS" not in _os.environ:
    set_threads(1)

__all__ = [
    "ArrayError",
    "Audit",
    "Batch",
    "Completion",
    "Counts",
    "DataError",
    "Dataset",
    "Explanation",
    "GenvpError",
    "Imagined",
    "Line",
    "Maker",
    "Model",
    "ModelError",
    "Object",
    "Puzzle",
    "RavenScene",
    "Reading",
    "RelationScene",
    "Report",
    "Ruling",
    "Scene",
    "Shape",
    "Solution",
    "SpecError",
    "Verdict",
    "__version__",
    "check",
    "eval",
    "form",
    "judge",
    "make",
    "makers",
    "models",
    "open",
    "picture",
    "read",
    "render",
    "rule_space",
    "score",
    "set_threads",
    "sets",
    "solve",
    "strata",
    "text",
    "threads",
    "write",
]
