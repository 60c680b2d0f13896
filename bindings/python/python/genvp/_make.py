"""Making puzzles."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
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
    rules: str | Sequence[str] | None = None
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
        object.__setattr__(self, "rules", joined(self.rules))
        object.__setattr__(self, "size", whole("size", self.size))
        object.__setattr__(self, "seed", whole("seed", self.seed))
        core = CoreMaker(
            self.set,
            self.layout,
            self.seed,
            joined(self.rules),
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
        """The puzzles of these indices.

        >>> import genvp
        >>> genvp.Maker("iraven", "3x3", seed=7).batch([0, 1000, 5]).panels.shape
        (3, 16, 160, 160)
        """
        if isinstance(indices, Sized):
            _check_memory(len(indices), self)
        return batch_of([(self, whole("index", index)) for index in indices], self)

    def _name(self, index: int) -> str:
        split = f"/{self.split}" if self.split else ""
        return f"{self.set}/{self.core.stratum}{split}/seed {self.seed}/{index}"

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


def _check_memory(count: int, maker: Maker) -> None:
    rows, columns, choices = _core.form(maker.core.family)
    if count * (rows * columns - 1 + choices) * maker.size**2 > _LARGEST_BATCH:
        raise SpecError(f"{count} puzzles of {maker.size} pixels do not fit in memory")


def batch_of(wanted: Sequence[tuple[Maker, int]], like: Maker) -> Batch:
    """Puzzles, each of a maker and an index, in one batch. All makers are of the family and size of
    `like`; their puzzles are drawn into one array."""
    pairs = [(maker.core, index) for maker, index in wanted]
    panels, known = _core.make_puzzles(pairs, like.core.family, like.size)
    target = np.fromiter((puzzle.target for puzzle in known), np.uint8, len(known))
    return Batch(panels, target, tuple(maker._name(index) for maker, index in wanted), tuple(known))


def whole(what: str, number: object) -> int:
    """A number from 0 on that fits 64 bits."""
    try:
        found = operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        raise SpecError(f"{what} {number!r} is not a whole number") from None
    if not 0 <= found <= _LARGEST_INDEX:
        raise SpecError(f"{what} {found}: wanted 0 to 2**64 - 1")
    return found


def joined(rules: str | Sequence[str] | None) -> str:
    """Rules as one text."""
    if rules is None or isinstance(rules, str):
        return rules or ""
    try:
        return " ".join(rules)
    except TypeError:
        raise SpecError(f"rules {rules!r}: wanted is text, such as 'type=constant', or several") from None


def strata_of(set: str, layout: str | Iterable[str] | None) -> list[str]:
    """The layouts or regimes that are meant; all if none is named."""
    if layout is None or layout == "all":
        return [name for name, _ in _core.strata(set)]
    try:
        named = [own.strip() for own in (layout.split(",") if isinstance(layout, str) else layout)]
    except (TypeError, AttributeError):
        raise SpecError(f"layout {layout!r}: wanted is a name, such as '3x3', or several") from None
    if not named:
        raise SpecError("no layout is named")
    return named


def makers(
    set: str = "iraven",
    layout: str | Iterable[str] | None = None,
    *,
    split: str | None = None,
    **settings: Any,
) -> list[Maker]:
    """One maker for each layout (or regime) and split; `all` stands for every one.

    >>> import genvp
    >>> [maker.layout for maker in genvp.makers("iraven", "2x2,3x3", seed=7)]
    ['2x2', '3x3']
    """
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
    rules: str | Sequence[str] | None = None,
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
    _check_memory(n * len(found), found[0])
    indices = [whole("index", index) for index in range(first, first + n)]
    batch = batch_of([(maker, index) for maker in found for index in indices], found[0])
    return replace(batch, makers=tuple(found), per_maker=n) if first == 0 else batch
