"""Solving, explaining, completing, imagining; and the judge, who has no learned part."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Panels, as_array, as_puzzles
from ._core import ArrayError, ModelError, SpecError
from ._files import Dataset
from ._make import joined, whole
from ._puzzle import Batch, Puzzle

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why a choice wins."""

    experts: dict[str, Floats]
    """What every expert sees: rule probabilities `[choices, attributes, rules]` by its name."""
    lost: list[list[str]]
    """For each choice the rules that it loses against the answer, the largest fall first, each with
    its probability with the answer and with that choice: `size=constant 0.99 -> 0.02`."""


@dataclass(frozen=True, eq=False)
class Solution:
    """An answer, and what it rests on."""

    answer: int
    """The chosen candidate, counted from 0."""
    scores: npt.NDArray[np.floating[Any]]
    """Every candidate's score; larger is better."""
    rules: str
    """The rules of the puzzle as completed by the answer."""
    confidence: float | None
    """How sure the answer is (of the exact solver: how sure its reading of the pixels is); `None`
    where it was not asked for, or was not fitted, as for models of PGM."""
    layout: str | None = None
    """The layout, where the pixels tell it."""
    rule_probabilities: Floats | None = None
    """`[choices, attributes, rules]`: the rules of the puzzle that each candidate completes."""
    tied: bool = False
    """Whether another candidate is as good, so that the exact solver's answer is a guess."""
    broken: list[list[str]] | None = None
    """For each choice the rules that it breaks, in words, if that was asked for."""
    explanation: Explanation | None = None
    """Why, if that was asked for."""


@dataclass(frozen=True)
class Ruling:
    """What the judge says about one rule."""

    rule: str
    """With the parameter that was found, where it holds."""
    holds: bool
    """Whether it holds in all three rows, with one parameter."""
    rows: int
    """In how many rows it holds."""
    counted: bool
    """Whether it counts: a constant that may be noise does not."""


@dataclass(frozen=True)
class Verdict:
    """What the judge reads from nine panels, without a model."""

    agrees: bool
    """Every panel can be read, and every rule that counts holds."""
    coherence: float
    """The share of the rules that count which hold, in percent."""
    words: str
    """What is wrong, or that all is well."""
    layout: str
    """The layout that was read."""
    confidence: float
    """How sure the reading of the least clear panel is, 0 to 1."""
    not_as_the_engine_draws: list[str]
    """What cannot vary in the layout and is otherwise."""
    unreadable: list[int]
    """Panels that cannot be read, counted from 0."""
    rules: list[Ruling]
    """Every rule, component by component."""


def _verdict(text: str) -> Verdict:
    fields: dict[str, Any] = json.loads(text)
    fields["rules"] = [Ruling(**ruling) for ruling in fields["rules"]]
    fields["layout"] = fields.pop("layout_read")
    fields["unreadable"] = [number - 1 for number in fields.pop("unreadable_panels")]
    return Verdict(**fields)


@dataclass(frozen=True, eq=False)
class Imagined:
    """A puzzle that a model drew from rules."""

    panels: Panels
    """Nine panels `[9, 64, 64]`, row by row."""
    rules: str
    """The rules that were asked for."""
    layout: str
    """The layout that was asked for."""
    verdict: Verdict
    """What the judge says of them."""

    def png(self) -> bytes:
        """A picture for people, with the judge's words."""
        caption = (self.verdict.words, None, self.rules)
        return _core.picture(np.ascontiguousarray(self.panels[None]), 9, [caption], 1)

    def _repr_png_(self) -> bytes:
        return self.png()


@dataclass(frozen=True, eq=False)
class Completion:
    """An answer that a model drew into the gaps of a puzzle."""

    panels: Panels
    """All nine panels `[9, 64, 64]`, those given as they were."""
    rules: str
    """The rules that the model inferred and followed."""
    verdict: Verdict
    """Whether the completed puzzle keeps them, by the judge."""

    def png(self) -> bytes:
        """A picture for people, with the judge's words."""
        caption = (self.verdict.words, None, self.rules)
        return _core.picture(np.ascontiguousarray(self.panels[None]), 9, [caption], 1)

    def _repr_png_(self) -> bytes:
        return self.png()


def models() -> list[str]:
    """The names of the models in the box.

    >>> import genvp
    >>> "raven-cpu-64" in genvp.models()
    True
    """
    return _core.model_names()


class Model:
    """A trained model.

    >>> import genvp
    >>> model = genvp.Model.load()
    >>> puzzle = genvp.Maker("iraven", "c-s", seed=7)[0]
    >>> solution = model.solve(puzzle.panels)
    >>> solution.answer == puzzle.target, solution.rules
    (True, 'number/position=constant type=progression size=distribute-three color=arithmetic')
    """

    def __init__(self, name: str | os.PathLike[str] = "raven-cpu-64") -> None:
        self._name = os.fspath(name)
        self._core = _core.Model(self._name)

    @classmethod
    def load(cls, name: str | os.PathLike[str] = "raven-cpu-64") -> Model:
        """The model in the box of that name (see `genvp.models`), or the one in a weights file.

        >>> import genvp
        >>> genvp.Model.load("pgm-64-cpu").family
        'pgm'
        """
        return cls(name)

    @property
    def name(self) -> str:
        """Its name."""
        return self._core.name

    @property
    def card(self) -> str:
        """Where it comes from and how good it is, for people."""
        return self._core.card

    @property
    def card_json(self) -> dict[str, Any]:
        """The same for programs, with its configuration."""
        card: dict[str, Any] = json.loads(self._core.card_json)
        return card

    @property
    def family(self) -> str:
        """Whose puzzles it is for: `raven`, `pgm` or `vad`."""
        family = self._core.family
        if family is None:
            raise ModelError(f"{self.name} is for puzzles of none of the families")
        return family

    def _answers(self, images: Any, confidence: bool, experts: bool) -> tuple[list[Any], bool]:
        images = _in_memory(images)
        _check_family(_families(images), self)
        panels, one = as_puzzles(images, (self._core.inputs,))
        return self._core.solve(panels, confidence, experts), one

    @overload
    def solve(self, images: Batch | Sequence[Puzzle], *, confidence: bool = True) -> list[Solution]: ...
    @overload
    def solve(self, images: Puzzle, *, confidence: bool = True) -> Solution: ...
    @overload
    def solve(self, images: Any, *, confidence: bool = True) -> Any: ...
    def solve(self, images: Any, *, confidence: bool = True) -> Solution | list[Solution]:
        """Answer a puzzle of 16 panels `[16, side, side]`, or several `[n, 16, side, side]`; those
        of VAD have 9.

        One puzzle gives one solution, several give a list. Panels of any side are taken. Without
        `confidence` nothing is redrawn, which is faster.

        >>> import genvp
        >>> batch = genvp.make("iraven", "c-s", n=2, seed=7)
        >>> [found.answer for found in genvp.Model.load().solve(batch.panels)] == batch.target.tolist()
        True
        """
        answers, one = self._answers(images, confidence, False)
        solutions = [_solution(answer) for answer in answers]
        return solutions[0] if one else solutions

    @overload
    def explain(self, images: Batch | Sequence[Puzzle]) -> list[Solution]: ...
    @overload
    def explain(self, images: Puzzle) -> Solution: ...
    @overload
    def explain(self, images: Any) -> Any: ...
    def explain(self, images: Any) -> Solution | list[Solution]:
        """`solve` with what every expert sees and which rules the other choices lose.

        >>> import genvp
        >>> found = genvp.Model.load().explain(genvp.Maker("iraven", "c-s", seed=7)[0])
        >>> [bool(lost) for lost in found.explanation.lost].count(False)    # the answer alone loses none
        1
        """
        answers, one = self._answers(images, True, True)
        solutions = [_solution(answer) for answer in answers]
        return solutions[0] if one else solutions

    def rules(self, images: Any) -> Floats:
        """The rule probabilities `[attributes, rules]` of a puzzle as the model completes it, or
        `[n, attributes, rules]` of several. `genvp.rule_space(model.family)` names rows and columns.

        >>> import genvp
        >>> table = genvp.Model.load().rules(genvp.Maker("iraven", "c-s", seed=7)[0])
        >>> attributes, rules = genvp.rule_space("raven")
        >>> rules[table[attributes.index("first.type")].argmax()]
        'progression'
        """
        answers, one = self._answers(images, False, False)
        if not answers:
            attributes, rules = _core.rule_space(self.family)
            return np.zeros((0, len(attributes), len(rules)), np.float32)
        tables = [answer.rule_probabilities[answer.answer] for answer in answers]
        return tables[0] if one else np.stack(tables)

    def complete(
        self,
        panels: Any,
        missing: int | Iterable[int] = 8,
        n: int = 8,
        seed: int = 1234,
        *,
        layout: str | None = None,
    ) -> list[Completion]:
        """Draw what could stand in the missing panels (counted from 0) of a puzzle.

        `panels` are the nine of the completed puzzle (what stands in the gaps is not looked at),
        the eight of the question, or a puzzle, whose answer completes it. The layout is read from
        the panels that are there if it is not said.

        >>> import genvp
        >>> puzzle = genvp.Maker("iraven", "c-s", seed=7)[0]
        >>> [answer] = genvp.Model.load().complete(puzzle.context, missing=8, n=1)
        >>> answer.panels.shape
        (9, 64, 64)
        """
        several = missing if isinstance(missing, Iterable) else [missing]
        gone = [whole("panel", own) for own in several]
        nine = _nine(panels)
        if layout is None:
            there = [panel for panel in range(9) if panel not in gone]
            layout = _read_layout(nine[there]) if there else "center_single"
        found = self._core.complete(nine[None], gone, layout, whole("n", n), whole("seed", seed))
        return [Completion(drawn, rules, _verdict(said)) for drawn, rules, said in found]

    def imagine(
        self,
        layout: str,
        rules: str | Sequence[str] | None = None,
        n: int = 4,
        seed: int = 1234,
        *,
        first: int = 0,
        tries: int = 1,
        temperature: float = 1.0,
    ) -> list[Imagined]:
        """Draw `n` puzzles with these rules; what is not stated is drawn as the engine draws it.

        With more than one of `tries` a drawing that the judge rejects is drawn again; the best
        is kept. A `temperature` of 1 samples the model's distribution, 0 takes its means.

        >>> import genvp
        >>> [drawn] = genvp.Model.load().imagine("c-s", "type=progression size=constant", n=1, seed=7)
        >>> drawn.rules.split()[1:3]
        ['type=progression', 'size=constant']
        """
        if not 1 <= whole("tries", tries) <= _MOST_TRIES:
            raise SpecError(f"tries {tries}: wanted 1 to {_MOST_TRIES}")
        numbers = (whole("first", first), whole("n", n), whole("seed", seed))
        found = self._core.imagine(layout, joined(rules), *numbers, whole("tries", tries), temperature)
        return [Imagined(drawn, asked, layout, _verdict(said)) for asked, drawn, said in found]

    def __reduce__(self) -> tuple[type[Model], tuple[str]]:
        return Model, (self._name,)

    def __repr__(self) -> str:
        return f"<Model {self.name}>"


def _solution(answer: _core.Answer) -> Solution:
    explanation = None
    if answer.experts is not None:
        explanation = Explanation(dict(answer.experts), answer.lost)
    return Solution(
        answer=answer.answer,
        scores=answer.scores,
        rules=answer.rules,
        confidence=answer.confidence[0] if answer.confidence else None,
        layout=answer.layout,
        rule_probabilities=answer.rule_probabilities,
        explanation=explanation,
    )


# As many as the command allows.
_MOST_TRIES = 100_000


def _in_memory(images: Any) -> Any:
    """The puzzles of files are read."""
    return list(images) if isinstance(images, Dataset) else images


def _families(images: object) -> set[str]:
    """The families that puzzles say they are of; arrays say nothing."""
    if isinstance(images, Batch):
        return {known.family for known in images.known}
    several = images if isinstance(images, (list, tuple)) else [images]
    return {own.family for own in several if isinstance(own, Puzzle)}


def _oods(images: object, count: int) -> list[str | None]:
    """The shifted values that each puzzle says it has."""
    several = images if isinstance(images, (list, tuple, Batch)) else [images]
    if len(several) != count:  # the panels of one puzzle in a list
        return [None] * count
    return [own.ood if isinstance(own, Puzzle) else None for own in several]


def _check_family(said: set[str], model: Model) -> None:
    """Refuses puzzles that say they are of another family: pixels alone do not show it."""
    for found in sorted(said - {model.family}):
        raise SpecError(
            f"a puzzle of {found}: {model.name} knows the rules of {model.family} only; "
            f'genvp.solve(..., model="exact") solves it'
        )


def _nine(panels: Any) -> Panels:
    """Nine panels of a completed puzzle; what is missing is paper."""
    array = as_array(panels)
    if isinstance(panels, Puzzle):
        if panels.family != "raven":
            raise SpecError(f"{panels.name}: nine panels of RAVEN's are wanted, not a puzzle of {panels.family}")
        if panels.target is None:
            raise SpecError(f"{panels.name}: its right choice is not known: give the nine panels")
        array = np.concatenate([panels.context, panels.choices[panels.target][None]])
    if array.ndim == 3 and array.shape[0] == 8:
        array = np.concatenate([array, np.full_like(array[:1], 255)])
    if array.ndim != 3 or array.shape[0] != 9:
        raise ArrayError(f"panels of shape {array.shape}: wanted [9, side, side]")
    batch, _ = as_puzzles(array, (9,))
    nine: Panels = batch[0]
    return nine


def _read_layout(panels: Panels) -> str:
    [(_, _, layout)] = _core.read_panels(np.ascontiguousarray(panels[None]), "raven", None)
    return layout or "center_single"


def judge(panels: Any, rules: str | Sequence[str], layout: str | None = None) -> Verdict:
    """Whether nine panels of a completed RAVEN puzzle keep rules, read from their pixels.

    Every attribute must have a rule: such as those of `Puzzle.rules` or `Imagined.rules`. The
    layout is read from the panels if it is not said. Shifted values (`ood`) are none that the judge
    reads.

    >>> import genvp
    >>> puzzle = genvp.Maker("iraven", "o-ic", seed=7)[0]
    >>> genvp.judge(puzzle, puzzle.rules).words
    'every rule holds'
    """
    if isinstance(panels, Puzzle) and panels.ood is not None:
        raise SpecError(f"{panels.name}: the judge does not read the values of {panels.ood}")
    nine = _nine(panels)
    if layout is None:
        layout = _read_layout(nine)
    return _verdict(_core.judge_panels(nine[None], layout, joined(rules)))


_MODELS: dict[str, Model] = {}


def _loaded(name: str) -> Model:
    if name not in _MODELS:
        _MODELS[name] = Model(name)
    return _MODELS[name]


Family = Literal["raven", "pgm", "vad"]


@overload
def solve(
    images: Puzzle,
    model: str | os.PathLike[str] | Model | None = ...,
    *,
    family: Family | None = ...,
    ood: str | None = ...,
    explain: bool = ...,
) -> Solution: ...
@overload
def solve(
    images: Batch | Sequence[Puzzle],
    model: str | os.PathLike[str] | Model | None = ...,
    *,
    family: Family | None = ...,
    ood: str | None = ...,
    explain: bool = ...,
) -> list[Solution]: ...
@overload
def solve(
    images: Any,
    model: str | os.PathLike[str] | Model | None = ...,
    *,
    family: Family | None = ...,
    ood: str | None = ...,
    explain: bool = ...,
) -> Any: ...
def solve(
    images: Any,
    model: str | os.PathLike[str] | Model | None = None,
    *,
    family: Family | None = None,
    ood: str | None = None,
    explain: bool = False,
) -> Solution | list[Solution]:
    """Answer one puzzle or several: with the box's model of their family, with the one that is named,
    or, as `exact`, by reading and reasoning.

    Puzzles say what family they are of; 16 panels that say nothing more are RAVEN's, 9 are VAD's.
    `ood` names the shifted values (`size-e`, ...) that the exact solver is to read RAVEN's as, where
    puzzles do not say them themselves.

    >>> import genvp
    >>> puzzle = genvp.Maker("vad", "interpolation", seed=7)[0]
    >>> genvp.solve(puzzle, model="exact").rules == puzzle.rules
    True
    """
    images = _in_memory(images)
    panels, one = as_puzzles(images, (16, 9))
    said = _families(images) | ({family} if family is not None else set())
    if len(said) > 1:
        raise SpecError(f"puzzles of one family are wanted, not of {', '.join(sorted(said))}")
    known = next(iter(said), "raven" if panels.shape[1] == 16 else "vad")
    if model != "exact":
        if ood is not None:
            raise SpecError("ood is for the exact solver")
        own = model if isinstance(model, Model) else _loaded(os.fspath(model or _core.default_model(known)))
        _check_family(said, own)
        given = panels[0] if one else panels
        found: Solution | list[Solution] = own.explain(given) if explain else own.solve(given)
        return found
    oods = [ood] * len(panels) if ood is not None else _oods(images, len(panels))
    answers = _core.solve_exactly(panels, known, oods, explain)
    solutions = [
        Solution(
            answer=answer.answer,
            scores=np.asarray(answer.scores),
            rules=answer.rules,
            confidence=answer.confidence,
            layout=answer.stratum,
            tied=answer.tied,
            broken=answer.broken,
        )
        for answer in answers
    ]
    return solutions[0] if one else solutions
