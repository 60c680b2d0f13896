"""Making puzzles."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Maker as CoreMaker
from ._core import SpecError
from ._puzzle import Batch, Puzzle

_LARGEST_INDEX = 2**64 - 1
_LARGEST_BATCH = 2**40  # bytes


@dataclass(frozen=True)
class Maker:
    """Makes the puzzles of one layout (or regime): index -> puzzle.

    A maker is a pure function of its settings: the same index gives the same bytes in every
    process, on every machine. It can be pickled, so it goes into the workers of a DataLoader,
    of Ray or of Spark as it is.

    >>> import genvp, pickle
    >>> maker = genvp.Maker("iraven", "3x3", seed=7, rules="number=arithmetic:+")
    >>> maker[10].rules.split()[0]
    'number=arithmetic:+'
    >>> pickle.loads(pickle.dumps(maker))[10] == maker[10]
    True
    """

    set: str
    """`raven`, `iraven`, `raven-fair`, `pgm` or `vad`."""
    layout: str
    """The layout of RAVEN's sets (`3x3` or `distribute_nine`), or the regime of PGM and VAD."""
    seed: int = 1234
    """The seed of all puzzles."""
    rules: str | Sequence[str] = ""
    """Rules that must hold; what is not stated is drawn."""
    ood: str | None = None
    """RAVEN: an out-of-distribution variant, such as `size-e`."""
    split: str | None = None
    """PGM and VAD: `train` (if not said), `val` or `test`."""
    choices: str | None = None
    """VAD: how wrong choices are made, `lbc` (if not said) or `normal`."""
    uniform: bool = False
    """RAVEN: all objects of a component alike."""
    faithful: bool = False
    """Keep the faults of the original programs."""
    no_rivals: bool = False
    """RAVEN: leave out puzzles in which other rules single out another choice."""
    size: int = 160
    """Side of the panels in pixels; 160 gives those of the originals' files."""
    core: CoreMaker = field(init=False, repr=False, compare=False)
    """The extension module's maker."""

    def __post_init__(self) -> None:
        if not isinstance(self.rules, str):
            object.__setattr__(self, "rules", " ".join(self.rules))
        object.__setattr__(self, "size", whole("size", self.size))
        core = CoreMaker(
            self.set,
            self.layout,
            whole("seed", self.seed),
            str(self.rules),
            self.ood,
            self.split,
            self.choices,
            self.uniform,
            self.faithful,
            self.no_rivals,
        )
        object.__setattr__(self, "core", core)

    def _settings(self) -> tuple[Any, ...]:
        return (
            self.set,
            self.layout,
            self.seed,
            self.rules,
            self.ood,
            self.split,
            self.choices,
            self.uniform,
            self.faithful,
            self.no_rivals,
            self.size,
        )

    def __reduce__(self) -> tuple[type[Maker], tuple[Any, ...]]:
        return Maker, self._settings()

    def batch(self, indices: Iterable[int]) -> Batch:
        """The puzzles of these indices."""
        rows, columns, choices = _core.form(self.core.family)
        one = (rows * columns - 1 + choices) * self.size**2
        if isinstance(indices, Sized) and len(indices) * one > _LARGEST_BATCH:
            raise SpecError(f"{len(indices)} puzzles of {self.size} pixels do not fit in memory")
        numbers = [whole("index", index) for index in indices]
        panels, known = self.core.puzzles(numbers, self.size)
        split = f"/{self.split}" if self.split else ""
        stem = f"{self.set}/{self.core.stratum}{split}/seed {self.seed}"
        names = tuple(f"{stem}/{number}" for number in numbers)
        target = np.fromiter((puzzle.target for puzzle in known), np.uint8, len(known))
        return Batch(panels, target, names, tuple(known))

    @overload
    def __getitem__(self, index: int) -> Puzzle: ...
    @overload
    def __getitem__(self, index: slice) -> Batch: ...
    def __getitem__(self, index: int | slice) -> Puzzle | Batch:
        if not isinstance(index, slice):
            return self.batch([index])[0]
        if index.stop is None or any(n is not None and n < 0 for n in (index.start, index.stop)):
            raise SpecError("a maker has no end: write maker[first:stop] with numbers from 0 on")
        return self.batch(range(index.start or 0, index.stop, index.step or 1))

    def columns(self, ids: Mapping[str, Any] | Iterable[int]) -> dict[str, npt.NDArray[Any]]:
        """The puzzles of these indices as columns of equal length, for tables and data engines.

        `ids` may be a batch of `ray.data.range(n)`, which is a dictionary with the column `id`.

        >>> import genvp
        >>> columns = genvp.Maker("pgm", "neutral", seed=7).columns({"id": [0, 5]})
        >>> {name: column.shape for name, column in columns.items()}["panels"]
        (2, 16, 160, 160)
        """
        given = ids["id"] if isinstance(ids, Mapping) else ids
        numbers = [whole("index", index) for index in given]
        batch = self.batch(numbers)
        return {
            "id": np.asarray(numbers, np.uint64).astype(np.int64, copy=False),
            "panels": batch.panels,
            "target": batch.target,
            "rules": np.asarray(batch.rules, dtype=np.str_),
            "rule_labels": batch.rule_labels,
        }


def whole(what: str, number: object) -> int:
    """A number from 0 on that fits 64 bits."""
    try:
        found = operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        raise SpecError(f"{what} {number!r} is not a whole number") from None
    if not 0 <= found <= _LARGEST_INDEX:
        raise SpecError(f"{what} {found}: wanted 0 to 2**64 - 1")
    return found


def strata_of(set: str, layout: str | Iterable[str] | None) -> list[str]:
    """The layouts or regimes that are meant; all if none is named."""
    if layout is None or layout == "all":
        return [name for name, _ in _core.strata(set)]
    return layout.split(",") if isinstance(layout, str) else list(layout)


def makers(
    set: str = "iraven",
    layout: str | Iterable[str] | None = None,
    *,
    split: str | None = None,
    **settings: Any,
) -> list[Maker]:
    """One maker for each layout (or regime) and split; `all` stands for every one."""
    splits = ["train", "val", "test"] if split == "all" else [split]
    strata = strata_of(set, layout)
    return [Maker(set, name, split=one, **settings) for name in strata for one in splits]


def make(
    set: str = "iraven",
    layout: str | Iterable[str] | None = None,
    n: int = 10,
    seed: int = 1234,
    *,
    first: int = 0,
    rules: str | Sequence[str] = "",
    ood: str | None = None,
    regime: str | Iterable[str] | None = None,
    split: str | None = None,
    choices: str | None = None,
    uniform: bool = False,
    faithful: bool = False,
    no_rivals: bool = False,
    size: int = 160,
) -> Batch:
    """Make `n` puzzles of each layout (or regime): the same as `genvp dataset make` for that seed.

    `layout` is one name, several, or `all` (if not said); PGM and VAD call it `regime`. `first`
    is the index of the first puzzle. See `Maker` for the other settings.

    >>> import genvp
    >>> batch = genvp.make("iraven", layout="3x3", n=4, seed=7)
    >>> batch.panels.shape
    (4, 16, 160, 160)
    >>> genvp.make("vad", regime="interpolation", n=2).panels.shape
    (2, 9, 160, 160)
    """
    if regime is not None and layout is not None:
        raise SpecError("layout and regime are one and the same: name one of them")
    first, n = whole("first", first), whole("n", n)
    found = makers(
        set,
        layout if regime is None else regime,
        split=split,
        seed=seed,
        rules=rules,
        ood=ood,
        choices=choices,
        uniform=uniform,
        faithful=faithful,
        no_rivals=no_rivals,
        size=size,
    )
    batches = [maker.batch(range(first, first + n)) for maker in found]
    if len(batches) == 1:
        panels, target = batches[0].panels, batches[0].target
    else:
        panels = np.concatenate([batch.panels for batch in batches])
        target = np.concatenate([batch.target for batch in batches])
    names = tuple(name for batch in batches for name in batch.names)
    known = tuple(puzzle for batch in batches for puzzle in batch.known)
    from_the_first = first == 0
    made_by = tuple(found) if from_the_first else ()
    return Batch(panels, target, names, known, made_by, n if from_the_first else 0)
