"""Anybody's solver in the paper's tables: with intervals, votes and the paper's columns.

>>> import genvp, genvp.eval
>>> exact = lambda panels: [s.answer for s in genvp.solve(panels, model="exact")]
>>> result = genvp.eval.table(exact, sets="iraven", layouts=["c-s", "l-r"], n=5, seed=7)
>>> result.sets["iraven"].average.percent
100.0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._arrays import Panels
from ._core import SpecError
from ._make import Maker, strata_of, whole
from ._model import Model

Solver = Callable[[Panels], Iterable[Any]]
"""Takes panels `[n, panels, side, side]` and gives n choices, counted from 0."""

_AT_ONCE = 64


@dataclass(frozen=True)
class Share:
    """Right answers in percent with their 95 % interval (Wilson)."""

    percent: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{self.percent:.1f} ({self.low:.1f}-{self.high:.1f})"


@dataclass(frozen=True)
class SetResult:
    """How well a solver does on a set."""

    average: Share
    """The mean over layouts (or regimes), each counting the same."""
    per_layout: dict[str, Share]
    """Each layout or regime."""
    vote: dict[str, float]
    """What a majority vote among the same choices reaches, the question unseen, in percent."""
    paper: dict[str, dict[str, float]]
    """What the paper prints, by model and layout (or regime). Its PGM and VAD are the originals'
    files, which our engine's puzzles approximate: these figures are not comparable."""


@dataclass(frozen=True)
class Table:
    """The results of a solver; `print` it to see the tables."""

    sets: dict[str, SetResult]
    text: str
    markdown: str

    def __str__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return self.markdown


def table(
    solver: Solver | Any,
    sets: str | Sequence[str] = ("raven", "iraven", "raven-fair"),
    layouts: str | Sequence[str] | None = None,
    n: int = 100,
    seed: int = 2000000011,
    *,
    name: str | None = None,
    size: int = 160,
    ood: str | None = None,
    split: str | None = None,
    batch: int = _AT_ONCE,
) -> Table:
    """Ask a solver `n` fresh puzzles of each set and layout, and put it into the paper's tables.

    `solver` takes panels `[n, 16, size, size]` and gives n choices counted from 0; a `genvp.Model`
    may stand for itself. The seed is the one of our own evaluations: do not train or choose by it.

    >>> import genvp.eval
    >>> table = genvp.eval.table(lambda panels: [0] * len(panels), "iraven", "c-s", n=8, seed=3)
    >>> table.sets["iraven"].vote["center_single"]          # by its choices alone I-RAVEN is a guess
    12.5
    """
    if whole("n", n) == 0:
        raise SpecError("no puzzles were asked")
    if whole("batch", batch) == 0:
        raise SpecError("batches of 0 puzzles: at least 1")
    ask, n, batch = _asked(solver), whole("n", n), whole("batch", batch)
    title = name or getattr(solver, "name", None) or getattr(solver, "__name__", "the solver")
    results: dict[str, SetResult] = {}
    texts: list[str] = []
    marked: list[str] = []
    for set in [sets] if isinstance(sets, str) else sets:
        _check_family(solver, set)
        counts: dict[str, tuple[int, int, float]] = {}
        for layout in strata_of(set, layouts):
            maker = Maker(set, layout, seed=seed, size=size, ood=ood, split=split)
            counts[maker.core.stratum] = _count(ask, maker, n, batch)
        results[set] = _result(set, counts)
        text, markdown = _core.solving_table(set, counts, str(title))
        texts.append(text)
        marked.append(markdown)
    return Table(results, "\n\n".join(texts), "\n\n".join(marked))


def _asked(solver: Any) -> Solver:
    if isinstance(solver, Model):
        return lambda panels: [found.answer for found in solver.solve(panels, confidence=False)]
    if not callable(solver):
        raise SpecError("a solver is a function of panels, or a model")
    asked: Solver = solver
    return asked


def _check_family(solver: Any, set: str) -> None:
    """A model answers puzzles of any family that has as many panels; they must be of its own."""
    family = next((family for name, family, _ in _core.sets() if name == set), None)
    if isinstance(solver, Model) and family not in (None, solver.family):
        raise SpecError(f"puzzles of {family}: {solver.name} is for those of {solver.family}")


def _count(ask: Solver, maker: Maker, n: int, at_once: int) -> tuple[int, int, float]:
    right, vote = 0, 0.0
    for first in range(0, n, at_once):
        puzzles = maker[first : min(n, first + at_once)]
        answers = np.asarray(list(ask(puzzles.panels)))
        if answers.shape != (len(puzzles),):
            raise SpecError(
                f"the solver gave answers of shape {answers.shape} to {len(puzzles)} puzzles: "
                "one choice for each is wanted, counted from 0"
            )
        choices = _core.form(maker.core.family)[2]
        if answers.dtype.kind not in "iu" or answers.min() < 0 or answers.max() >= choices:
            raise SpecError(
                f"the solver gave {answers.tolist()[:8]}: choices are whole numbers from 0 to {choices - 1}"
            )
        right += int((answers == puzzles.target).sum())
        vote += sum(puzzle.vote for puzzle in puzzles.known)
    return right, n, vote


def _result(set: str, counts: dict[str, tuple[int, int, float]]) -> SetResult:
    per_layout = {layout: Share(*_core.share(right, n), n) for layout, (right, n, _) in counts.items()}
    mean = _core.mean_share([(right, n) for right, n, _ in counts.values()])
    total = sum(n for _, n, _ in counts.values())
    if mean is None:
        raise SpecError("no puzzles were asked")
    vote = {layout: 100 * own / n for layout, (_, n, own) in counts.items()}
    paper = {who: values for who, values, _ in _core.paper_rows(set)}
    return SetResult(Share(*mean, total), per_layout, vote, paper)
