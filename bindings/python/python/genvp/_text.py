"""Puzzles as text, for language models, and the score of what they answer."""

from __future__ import annotations

import json
import operator
import re
from typing import Any, Literal

from ._core import SpecError
from ._puzzle import Puzzle
from ._scene import Scene

Style = Literal["prose", "values", "json"]

_ASK = {
    "raven": "Which choice completes the last row? Every row follows the same rules.",
    "pgm": "Which choice completes the matrix? Its rules hold along all rows, or along all columns.",
    "vad": "Which choice completes the second row? One rule holds in both rows, in the first for one "
    "attribute and in the second for another.",
}
_ANSWER = "Answer with the number of the choice alone."


def text(puzzle: Puzzle, style: Style = "prose") -> str:
    """A puzzle as text that can be solved without its picture; the answer is not in it.

    * `prose`: the panels in plain words, and the question;
    * `values`: one tuple of levels for each object, as I-RAVEN is given to language models;
    * `json`: the scenes as data, with the keys `question` and `choices`.

    Angles are left out: no rule speaks about them. Choices are counted from 1.

    >>> import genvp
    >>> puzzle = genvp.Maker("iraven", "c-s", seed=7)[0]
    >>> print(genvp.text(puzzle, style="values").splitlines()[1])
    Row 1: (circle, 5, 6), (hexagon, 3, 4), (pentagon, 0, 2)
    """
    if style == "prose":
        return f"{puzzle.alt_text} {_ASK[puzzle.family]} {_ANSWER}"
    scenes = [_plain(scene) for scene in puzzle.scene]
    context = len(puzzle.context)
    question, choices = scenes[:context], scenes[context:]
    if style == "json":
        rows = [question[at : at + 3] for at in range(0, len(question), 3)]
        return json.dumps({"question": rows, "choices": choices})
    if style != "values":
        raise SpecError(f"there is no style {style!r}: prose, values or json")
    lines = [_LEGEND[puzzle.family]]
    for at in range(0, len(question), 3):
        cells = [_values(scene) for scene in question[at : at + 3]]
        cells += ["?"] * (3 - len(cells))
        lines.append(f"Row {at // 3 + 1}: {', '.join(cells)}")
    lines += [f"Choice {at + 1}: {_values(scene)}" for at, scene in enumerate(choices)]
    return "\n".join([*lines, f"{_ASK[puzzle.family]} {_ANSWER}"])


_LEGEND = {
    "raven": "Objects are (type, size, color), in grids slot:(type, size, color).",
    "pgm": "Shapes are position:(type, size, color), lines (type, color).",
    "vad": "Shapes are position:(type, size, color), lines (type, color).",
}


def _plain(scene: Scene) -> dict[str, Any]:
    """A scene without what no rule speaks about."""
    plain: dict[str, Any] = json.loads(json.dumps(scene))
    for key in ("family", "domain"):
        plain.pop(key, None)
    for component in plain.get("components", []):
        component.sort(key=lambda own: own["slot"])
        for own in component:
            own.pop("angle")
    return plain


def _values(scene: dict[str, Any]) -> str:
    if "components" in scene:
        grid = "distribute" in scene["layout"]
        return " & ".join(_objects(own, grid) for own in scene["components"])
    shapes = [f"{s['position']}:({s['type']}, {s['size']}, {s['color']})" for s in scene["shapes"]]
    lines = [f"({line['type']}, {line['color']})" for line in scene["lines"]]
    return f"[{' '.join(shapes)} | {' '.join(lines)}]"


def _objects(objects: list[dict[str, Any]], grid: bool) -> str:
    values = [f"({own['type']}, {own['size']}, {own['color']})" for own in objects]
    if not grid:
        return " ".join(values)
    return "[" + " ".join(f"{own['slot']}:{value}" for own, value in zip(objects, values)) + "]"


_NUMBER = re.compile(r"(?<![\d.])(\d+)(?![\d]*\.\d)")


def score(answer: str | int, puzzle: Puzzle) -> float:
    """1.0 for the right choice, 0.0 otherwise: a reward for whoever was given `text(puzzle)`.

    A number is a choice counted from 1, as in the text. Of a sentence the last number counts
    that is one of the choices; without any it is wrong.

    >>> import genvp
    >>> puzzle = genvp.Maker("iraven", "c-s", seed=7)[0]
    >>> puzzle.target, genvp.score("I think it is choice 1.", puzzle), genvp.score(4, puzzle)
    (0, 1.0, 0.0)
    """
    if puzzle.target is None:
        raise SpecError(f"{puzzle.name}: its right choice is not known")
    choices = len(puzzle.choices)
    if isinstance(answer, str):
        # Compared as text: Python refuses to make a number of thousands of digits.
        names = {str(number): number for number in range(1, choices + 1)}
        digits = [number.lstrip("0") for number in _NUMBER.findall(answer)]
        named = [names[own] for own in digits if own in names]
        said = named[-1] if named else 0
    else:
        try:
            said = operator.index(answer)
        except TypeError:
            raise SpecError(f"an answer is text or the number of a choice, not {answer!r}") from None
    return 1.0 if said == puzzle.target + 1 else 0.0
