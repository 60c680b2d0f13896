"""What panels show: scenes as dictionaries, drawn and read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, cast, overload

from . import _core
from ._arrays import Panels, as_array, as_puzzles
from ._core import ArrayError, SpecError


class Object(TypedDict):
    """An object of RAVEN. Size, color and angle are levels, counted from 0."""

    slot: int
    type: str
    size: int
    color: int
    angle: int


class RavenScene(TypedDict):
    """A panel of RAVEN: the objects of each component, the outer one first."""

    family: Literal["raven"]
    layout: str
    domain: str
    components: list[list[Object]]


class Shape(TypedDict):
    """A shape of PGM or VAD, in one of nine positions, row by row."""

    position: int
    type: str
    size: int
    color: int


class Line(TypedDict):
    """A line of PGM or VAD; color 10 is black."""

    type: str
    color: int


class RelationScene(TypedDict):
    """A panel of PGM or VAD: shapes above lines."""

    family: Literal["pgm", "vad"]
    shapes: list[Shape]
    lines: list[Line]


Scene = RavenScene | RelationScene
"""What one panel shows."""


def load_scenes(text: str) -> list[Scene]:
    """Scenes from the JSON of the extension module."""
    return cast("list[Scene]", json.loads(text))


@overload
def render(scene: Scene, size: int = 160) -> Panels: ...
@overload
def render(scene: Sequence[Scene], size: int = 160) -> Panels: ...
def render(scene: Scene | Sequence[Scene], size: int = 160) -> Panels:
    """Draw a scene as `[size, size]` grey bytes, or several as `[n, size, size]`.

    At 160 pixels these are the very pixels of the datasets; at other sizes every pixel is the
    mean of what it covers.

    >>> import genvp
    >>> puzzle = genvp.Maker("iraven", "3x3", seed=7)[0]
    >>> bool((genvp.render(puzzle.scene) == puzzle.panels).all())
    True
    """
    one = isinstance(scene, dict)
    try:
        text = json.dumps([scene] if one else list(scene))
    except (TypeError, ValueError) as error:
        raise SpecError(f"this is no scene: {error}") from None
    drawn = _core.render(text, size)
    return cast(Panels, drawn[0]) if one else drawn


@dataclass(frozen=True)
class Reading:
    """What was read from the panels of one puzzle."""

    scene: list[Scene]
    """One scene for each panel."""
    confidence: list[float]
    """From 0 (nothing like a panel) to 1 (drawn exactly so), for each panel."""
    layout: str | None
    """The layout, in families that have layouts."""


def read(panels: Any, family: str | None = None, *, ood: str | None = None) -> Reading:
    """Read panels `[n, side, side]` of one puzzle, or one panel `[side, side]`, back into scenes.

    No model is asked: every slot is compared with what the renderer would have drawn. Panels are
    RAVEN's if no family is named; `ood` names the shifted values (`size-e`, ...) that RAVEN's
    levels are to be read as. Puzzles say both themselves.

    >>> import genvp
    >>> puzzle = genvp.Maker("iraven", "o-ic", seed=7)[0]
    >>> genvp.read(puzzle.panels).layout
    'in_center_single_out_center_single'
    """
    known = getattr(panels, "family", None)
    if family is not None and known not in (None, family):
        raise SpecError(f"a puzzle of {known} is not to be read as one of {family}")
    array = as_array(panels)
    if array.ndim == 2:
        array = array[None]
    if array.ndim != 3 or array.shape[0] == 0:
        raise ArrayError(f"panels of shape {array.shape}: wanted [side, side] or [n, side, side]")
    batch, _ = as_puzzles(array, (array.shape[0],))
    [(scenes, confidence, layout)] = _core.read_panels(
        batch, family or known or "raven", ood or getattr(panels, "ood", None)
    )
    return Reading(load_scenes(scenes), confidence, layout)
