"""Puzzles and batches of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Panels, as_puzzles
from ._core import SpecError
from ._scene import Scene, load_scenes


@dataclass(frozen=True)
class Audit:
    """Whether a puzzle is what it claims to be."""

    sound: bool
    """Every stated rule holds, exactly one choice satisfies all, and no two choices look alike."""
    untrue: list[str]
    """Stated rules that do not hold."""
    right: list[int]
    """The choices that satisfy all stated rules."""
    equal_choices: list[tuple[int, int]]
    """Pairs of choices that look alike."""
    rivals: int
    """How many other choices other rules single out that fit the question, too."""
    unneeded: int
    """How many stated rules could be left out without changing the answer."""
    unshown: int
    """How many stated rules hold while no line shows which they are."""


@dataclass(frozen=True, eq=False, repr=False)
class Puzzle:
    """One puzzle: its pixels, and what is known about it.

    >>> import genvp
    >>> puzzle = genvp.Maker("iraven", "c-s", seed=7)[0]
    >>> puzzle.panels.shape, puzzle.target
    ((16, 160, 160), 0)
    >>> puzzle.rules
    'number/position=constant type=progression:-1 size=distribute-three color=arithmetic:-'
    """

    panels: Panels
    """`[panels, side, side]`, grey bytes, 255 = paper: the question row by row, then the choices."""
    target: int | None
    """Which choice is right, counted from 0; `None` where that is not known."""
    family: str
    """`raven`, `pgm` or `vad`."""
    set: str | None
    """The set, such as `iraven`; files do not say it."""
    layout: str | None
    """The layout, or the regime of PGM and VAD, as folders are named."""
    rules: str | None
    """The rules in words, such as `type=progression:+1 size=constant`."""
    name: str
    """Its file, or how it was made: set, layout, seed and index."""
    known: _core.KnownPuzzle | None = None
    """The whole truth behind it; `None` where a file has only pixels."""
    ood: str | None = None
    """RAVEN: the shifted values that its levels stand for, such as `size-e`; `None` for the usual ones."""

    @property
    def context(self) -> Panels:
        """The panels of the question: a view of `panels`."""
        return self.panels[: _context(self.family)]

    @property
    def choices(self) -> Panels:
        """The choices: a view of `panels`."""
        return self.panels[_context(self.family) :]

    def _truth(self) -> _core.KnownPuzzle:
        if self.known is None:
            raise SpecError(f"{self.name}: only its pixels are known; genvp.read reads them")
        return self.known

    @property
    def scene(self) -> list[Scene]:
        """What every panel shows."""
        return load_scenes(self._truth().scenes)

    @property
    def alt_text(self) -> str:
        """The question and the choices in plain words; the answer is not said."""
        return self._truth().alt_text

    @property
    def rule_labels(self) -> npt.NDArray[np.uint8]:
        """The rule number of each attribute (see `genvp.rule_space`); 0 is none."""
        return self._truth().rule_labels

    @property
    def choice_labels(self) -> npt.NDArray[np.uint8]:
        """For each choice the rules that still hold with it."""
        return self._truth().choice_labels

    @property
    def meta_matrix(self) -> npt.NDArray[np.uint8]:
        """A row of bits for each rule, as in the originals' files: `meta_matrix` of RAVEN's,
        `relation_structure_encoded` of PGM's and VAD's."""
        return self._truth().meta()[0]

    @property
    def meta_target(self) -> npt.NDArray[np.uint8]:
        """Which rules and attributes there are, as in the originals' files; of no length for VAD,
        whose files do not say it."""
        return _meta_target(self._truth())

    @property
    def broken(self) -> list[list[str]]:
        """For each choice the rules that it breaks, in words; nothing for the answer."""
        return self._truth().broken

    @property
    def vote(self) -> float:
        """The chance that a vote among the choices, the question unseen, finds the answer."""
        return self._truth().vote

    @property
    def xml(self) -> str | None:
        """The text of its xml file, in families that have one."""
        return self._truth().xml()

    def npz(self) -> bytes:
        """The bytes of its npz file, as the originals of its set are written."""
        return self._truth().npz()

    def audit(self) -> Audit:
        """Whether it is what it claims to be."""
        return load_audit(self._truth().audit())

    def png(self, *, answer: bool = True) -> bytes:
        """Its pixels as a picture for people, with the right choice and the rules if asked."""
        return picture([self], answer=answer)

    def svg(self, *, answer: bool = True) -> str:
        """A clean drawing of its scene."""
        return self._truth().svg(self.name, answer)

    def _repr_png_(self) -> bytes:
        return self.png()

    def __repr__(self) -> str:
        return f"<Puzzle {self.name}: target {self.target}, {self.rules}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Puzzle):
            return NotImplemented
        same = self.target == other.target and self.rules == other.rules
        return same and np.array_equal(self.panels, other.panels)

    __hash__ = None  # type: ignore[assignment]


def _context(family: str) -> int:
    rows, columns, _ = _core.form(family)
    return rows * columns - 1


def _meta_target(known: _core.KnownPuzzle) -> npt.NDArray[np.uint8]:
    _, target = known.meta()
    return np.zeros(0, np.uint8) if target is None else target


def _stacked(labels: list[npt.NDArray[np.uint8]]) -> npt.NDArray[np.uint8]:
    return np.stack(labels) if labels else np.zeros((0, 0), np.uint8)


def load_audit(text: str) -> Audit:
    """An audit from the JSON of the extension module."""
    fields: dict[str, Any] = json.loads(text)
    fields["equal_choices"] = [(a, b) for a, b in fields["equal_choices"]]
    return Audit(**fields)


def picture(puzzles: Sequence[Puzzle], *, answer: bool = True, columns: int = 4) -> bytes:
    """Puzzles of one family side by side, as the bytes of a PNG.

    >>> import genvp
    >>> genvp.picture(genvp.make("vad", n=1))[:4]
    b'\\x89PNG'
    """
    if not puzzles:
        raise SpecError("no puzzles to draw")
    families = {puzzle.family for puzzle in puzzles}
    if len(families) > 1:
        raise SpecError(f"one picture shows puzzles of one family, not of {sorted(families)}")
    captions = [(p.name, p.target if answer else None, p.rules if answer else None) for p in puzzles]
    rows, across, choices = _core.form(families.pop())
    context = rows * across - 1
    panels, _ = as_puzzles([puzzle.panels for puzzle in puzzles], (context + choices,))
    return _core.picture(panels, context, captions, columns)


@dataclass(frozen=True, eq=False, repr=False)
class Batch(Sequence[Puzzle]):
    """Puzzles as arrays, and as a sequence of puzzles.

    >>> import genvp
    >>> batch = genvp.make("iraven", "2x2", n=3, seed=7)
    >>> batch.panels.shape, batch.target.tolist()
    ((3, 16, 160, 160), [1, 2, 2])
    >>> [puzzle.target for puzzle in batch]
    [1, 2, 2]
    """

    panels: Panels
    """`[n, panels, side, side]`, grey bytes, 255 = paper."""
    target: npt.NDArray[np.uint8]
    """`[n]`: which choice is right, counted from 0."""
    names: tuple[str, ...]
    """Set, layout, seed and index of each puzzle."""
    known: tuple[_core.KnownPuzzle, ...]
    """The truth behind each puzzle."""
    makers: tuple[Any, ...] = ()
    """What made it, `per_maker` puzzles each; empty for a part of a batch."""
    per_maker: int = 0
    """How many puzzles each of `makers` made."""

    @property
    def rules(self) -> list[str]:
        """The rules of each puzzle in words."""
        return [known.rules for known in self.known]

    @property
    def scene(self) -> list[list[Scene]]:
        """What every panel of each puzzle shows."""
        return [load_scenes(known.scenes) for known in self.known]

    @property
    def alt_text(self) -> list[str]:
        """Each puzzle in plain words; the answers are not said."""
        return [known.alt_text for known in self.known]

    @property
    def layout(self) -> list[str]:
        """The layout or regime of each puzzle."""
        return [known.stratum for known in self.known]

    @property
    def rule_labels(self) -> npt.NDArray[np.uint8]:
        """`[n, attributes]`: the rule number of each attribute (see `genvp.rule_space`)."""
        return _stacked([known.rule_labels for known in self.known])

    @property
    def choice_labels(self) -> npt.NDArray[np.uint8]:
        """`[n, choices, attributes]`: the rules that still hold with each choice."""
        return _stacked([known.choice_labels for known in self.known])

    @property
    def meta_matrix(self) -> npt.NDArray[np.uint8]:
        """`[n, rules, bits]`: a row for each rule, as in the originals' files."""
        return _stacked([known.meta()[0] for known in self.known])

    @property
    def meta_target(self) -> npt.NDArray[np.uint8]:
        """`[n, bits]`: which rules and attributes there are, as in the originals' files; `[n, 0]` for VAD."""
        return _stacked([_meta_target(known) for known in self.known])

    def __len__(self) -> int:
        return len(self.known)

    @overload
    def __getitem__(self, index: int) -> Puzzle: ...
    @overload
    def __getitem__(self, index: slice) -> Batch: ...
    def __getitem__(self, index: int | slice) -> Puzzle | Batch:
        if isinstance(index, slice):
            part = (self.panels[index], self.target[index], self.names[index], self.known[index])
            return Batch(*part)
        known = self.known[index]
        return Puzzle(
            panels=self.panels[index],
            target=known.target,
            family=known.family,
            set=known.set,
            layout=known.stratum,
            rules=known.rules,
            name=self.names[index],
            known=known,
            ood=None if known.domain == "standard" else known.domain,
        )

    def __iter__(self) -> Iterator[Puzzle]:
        return (self[index] for index in range(len(self)))

    def png(self, *, answer: bool = True, most: int = 8) -> bytes:
        """The first puzzles side by side."""
        return picture(self[:most], answer=answer)

    def _repr_png_(self) -> bytes | None:
        return self.png() if self else None

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} puzzles, panels {self.panels.shape}>"
