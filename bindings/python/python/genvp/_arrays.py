"""Arrays of panels: what is taken, and what is wrong with the rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._core import ArrayError

Panels = npt.NDArray[np.uint8]
"""Grey pixels, 255 = paper, 0 = black ink; the panels of the question, then the choices."""

_LARGEST_SIDE = 1024


_DEEPEST = 5  # a list of batches of puzzles of panels of rows


def as_array(images: object, what: str = "panels", depth: int = 0) -> Panels:
    """The array behind an object: an array, a puzzle, a batch, or a list of arrays or puzzles."""
    if isinstance(images, (list, tuple)):
        if len(images) == 0:
            raise ArrayError(f"{what}: the list is empty")
        if depth == _DEEPEST:
            raise ArrayError(f"{what}: lists of lists of lists, more than {_DEEPEST} deep")
        pieces = [as_array(image, what, depth + 1) for image in images]
        shapes = {piece.shape for piece in pieces}
        if len(shapes) > 1:
            raise ArrayError(f"{what} of different shapes: {sorted(shapes)}")
        return np.stack(pieces)
    panels: Any = getattr(images, "panels", images)
    try:
        array = np.asarray(panels)
    except Exception as error:
        raise ArrayError(f"{what}: {type(images).__name__} is no array: {error}") from None
    if array.dtype != np.uint8:
        hint = ""
        if array.dtype.kind == "f":
            hint = "; write (255 * (1 - ink)).round().astype(numpy.uint8) for ink from 0 to 1"
        raise ArrayError(f"{what} of type {array.dtype}: grey bytes are wanted, uint8 with 255 = paper{hint}")
    return array


def as_puzzles(images: object, counts: tuple[int, ...], what: str = "panels") -> tuple[Panels, bool]:
    """Puzzles as one contiguous array `[n, panels, side, side]`, and whether one was meant.

    `counts` are the numbers of panels that a puzzle may have.
    """
    array = as_array(images, what)
    wanted = " or ".join(str(count) for count in counts)
    if array.ndim not in (3, 4):
        raise ArrayError(
            f"{what} of shape {array.shape}: wanted [{wanted}, side, side] for a puzzle, "
            f"or [n, {wanted}, side, side] for several"
        )
    one = array.ndim == 3
    batch = array[None] if one else array
    _, panels, height, width = batch.shape
    if panels not in counts:
        raise ArrayError(f"{what} of shape {array.shape}: {panels} panels, wanted {wanted}")
    if height != width:
        raise ArrayError(f"{what} of shape {array.shape}: a panel is square, not {height}x{width}")
    if not 1 <= height <= _LARGEST_SIDE:
        raise ArrayError(f"{what} of shape {array.shape}: a side of 1 to {_LARGEST_SIDE} is wanted")
    return np.ascontiguousarray(batch), one
