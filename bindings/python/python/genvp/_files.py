"""Puzzles in files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

import numpy as np

from . import _core
from ._arrays import as_puzzles
from ._core import DataError, SpecError
from ._make import Maker, whole
from ._puzzle import Batch, Puzzle

_BLOCK = 64

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def _listed(path: Paths) -> list[str]:
    if isinstance(path, (str, os.PathLike)):
        return [os.fspath(path)]
    return [os.fspath(one) for one in path]


def _puzzle(stored: _core.StoredPuzzle) -> Puzzle:
    if stored.problem is not None or stored.panels is None or stored.family is None:
        raise DataError(stored.problem or f"{stored.name}: no panels")
    return Puzzle(
        panels=stored.panels,
        target=stored.target,
        family=stored.family,
        set=stored.family if stored.family != "raven" else None,
        layout=stored.stratum,
        rules=stored.rules,
        name=stored.name,
        known=stored.known,
        ood=stored.ood,
    )


class _NoLength(DataError, TypeError):
    """What is read in order has no length; as a `TypeError` it is no fault to `list`, which asks first."""


class Dataset(Sequence[Puzzle]):
    """Puzzles in files, read as they are needed.

    Folders, npz files and pictures have a length and can be indexed; archives (`.tar.gz`) and
    tables (`.parquet`) are read in order. `problems` lists the files that were left out by an
    iteration with `skip_bad`.

    >>> import genvp, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     genvp.write(folder, genvp.make("vad", "interpolation", n=2, seed=7))
    ...     [puzzle.layout for puzzle in genvp.Dataset(folder)]
    ['interpolation', 'interpolation']
    """

    def __init__(self, path: Paths, *, skip_bad: bool = False) -> None:
        self._paths = _listed(path)
        self._skip_bad = skip_bad
        self._files: _core.FileList | None = None
        self.problems: list[str] = []
        _core.FileStream(self._paths)

    def _list(self) -> _core.FileList:
        if self._files is None:
            self._files = _core.FileList(self._paths)
        return self._files

    def __len__(self) -> int:
        try:
            return len(self._list())
        except DataError as error:
            raise _NoLength(str(error)) from None

    @overload
    def __getitem__(self, index: int) -> Puzzle: ...
    @overload
    def __getitem__(self, index: slice) -> list[Puzzle]: ...
    def __getitem__(self, index: int | slice) -> Puzzle | list[Puzzle]:
        numbers = range(len(self))[index]
        if isinstance(numbers, int):
            return _puzzle(self._list().puzzles([numbers])[0])
        return [_puzzle(stored) for stored in self._list().puzzles(list(numbers))]

    def names(self) -> list[str]:
        """The files, in the order of their numbers."""
        return self._list().names()

    def __iter__(self) -> Iterator[Puzzle]:
        stream = _core.FileStream(self._paths)
        self.problems = []
        while block := stream.block(_BLOCK):
            for stored in block:
                if stored.problem is not None and self._skip_bad:
                    self.problems.append(stored.problem)
                    continue
                yield _puzzle(stored)

    def __getstate__(self) -> dict[str, Any]:
        return {"_paths": self._paths, "_skip_bad": self._skip_bad, "_files": None, "problems": []}

    def __repr__(self) -> str:
        return f"<Dataset {', '.join(self._paths)}>"


def open(path: Paths, *, skip_bad: bool = False) -> Dataset:
    """Open a dataset: a file, a folder, an archive or a table of any family, or several of them.

    >>> import genvp, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     genvp.write(folder, genvp.make("iraven", "c-s", n=3, seed=7))
    ...     dataset = genvp.open(folder)
    ...     len(dataset), dataset[0].target
    (3, 0)
    """
    return Dataset(path, skip_bad=skip_bad)


def write(
    path: str | os.PathLike[str],
    puzzles: Batch | Maker | Sequence[Maker] | Iterable[Puzzle],
    n: int | None = None,
    *,
    force: bool = False,
    resume: bool = False,
) -> None:
    """Write puzzles as a dataset in the originals' file formats.

    A batch of `genvp.make`, or a maker (or several of one set) and `n`, becomes the very folder
    that `genvp dataset make` writes: files, truth, hashes and manifest. Any other puzzles become
    npz files (and xml files, where the scene is known) in folders of their layouts, numbered in
    their order; RAVEN's puzzles of which only pixels are known keep their panels and target.

    What is there already is an error: `force` replaces it, `resume` goes on with a dataset of
    makers that was interrupted.

    >>> import genvp, tempfile
    >>> maker = genvp.Maker("iraven", "3x3", seed=7)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     genvp.write(folder, maker, n=2)
    ...     genvp.open(folder)[1].rules == maker[1].rules
    True
    """
    if force and resume:
        raise SpecError("force begins anew, resume goes on: name one of them")
    makers, count = _made_by(puzzles, n)
    if makers:
        if any(maker.size != 160 for maker in makers):
            raise SpecError("datasets are written with panels of 160 pixels")
        start = "force" if force else "resume" if resume else "create"
        _core.write_dataset(os.fspath(path), [maker.core for maker in makers], count, start)
        return
    if resume:
        raise SpecError("only what makers make can be resumed")
    if n is not None:
        raise SpecError("n is for makers: these puzzles have their number")
    if not isinstance(puzzles, Iterable):
        raise SpecError(f"{type(puzzles).__name__} is not a sequence of puzzles")
    for number, puzzle in enumerate(puzzles):
        if not isinstance(puzzle, Puzzle):
            raise SpecError(f"{type(puzzle).__name__} is not a puzzle")
        _write_files(Path(path), number, puzzle, force)


def _made_by(puzzles: object, n: int | None) -> tuple[list[Maker], int]:
    if isinstance(puzzles, Maker):
        puzzles = [puzzles]
    if isinstance(puzzles, Batch):
        if n is not None:
            raise SpecError("a batch has its number of puzzles: leave out n")
        return list(puzzles.makers), puzzles.per_maker
    if isinstance(puzzles, Sequence) and puzzles and isinstance(puzzles[0], Maker):
        if n is None:
            raise SpecError("how many puzzles of each maker? Write n=...")
        return list(puzzles), whole("n", n)
    return [], 0


def _write_files(root: Path, number: int, puzzle: Puzzle, force: bool) -> None:
    folder = root / (puzzle.layout or puzzle.family)
    known = puzzle.known
    if known is None:
        if puzzle.family != "raven":
            raise SpecError(
                f"{puzzle.name}: only its pixels are known: files of {puzzle.family} state their rules"
            )
        panels, _ = as_puzzles(puzzle.panels, (16,))
        npz, xml = _core.npz_of_panels(panels, puzzle.target), None
    else:
        if not np.array_equal(puzzle.panels, known.draw(160)):
            raise SpecError(
                f"{puzzle.name}: its panels are not the drawing of its scene, 160 pixels a side; "
                "dataclasses.replace(puzzle, known=None) keeps RAVEN's panels and target alone"
            )
        npz, xml = known.npz(), known.xml()
    stem = known.file_stem(number) if known is not None else f"RAVEN_{number}_test"
    _core.write_bytes(os.fspath(folder / f"{stem}.npz"), npz, force)
    if xml is not None:
        _core.write_bytes(os.fspath(folder / f"{stem}.xml"), xml.encode(), force)


@dataclass(frozen=True)
class Counts:
    """How many of some puzzles are what."""

    n: int
    """Puzzles."""
    sound: int
    """Those whose rules hold, with exactly one right choice and no two alike."""
    not_examined: int
    """Those about whose answer nothing could be said."""
    with_rivals: int
    """Those in which other rules single out another choice."""
    with_unneeded: int
    """Those that have a rule that is not needed."""
    with_unshown: int
    """Those that have a rule that holds while no line shows which it is."""
    vote_percent: float | None
    """How often a vote among the choices finds the answer."""


@dataclass(frozen=True)
class Report(Counts):
    """What was found about a dataset."""

    strata: dict[str, Counts]
    """By layout or regime."""
    bad: list[tuple[str, str]]
    """Unsound puzzles and their first problem."""
    files_as_in_manifest: int | None
    """How many files are as the manifest says, where there is one."""
    files_not_as_in_manifest: list[str]
    """What is wrong with the others."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.bad and not self.files_not_as_in_manifest


def check(puzzles: str | os.PathLike[str] | Iterable[Puzzle]) -> Report:
    """Check a dataset by its path, or puzzles by their truth: rules, answers, equal choices.

    >>> import genvp
    >>> report = genvp.check(genvp.make("iraven", "o-ig", n=20, seed=7))
    >>> report.ok, report.sound
    (True, 20)
    """
    if isinstance(puzzles, (str, os.PathLike)):
        found: dict[str, Any] = json.loads(_core.check_path(os.fspath(puzzles)))
        found["strata"] = {name: Counts(**counts) for name, counts in found["strata"].items()}
        found["bad"] = [(file, problem) for file, problem in found["bad"]]
        return Report(**found)
    return _check_known(puzzles)


def _check_known(puzzles: Iterable[Puzzle]) -> Report:
    rows: dict[str, list[tuple[bool, int, int, int, float]]] = {}
    bad: list[tuple[str, str]] = []
    for puzzle in puzzles:
        if not isinstance(puzzle, Puzzle):
            raise SpecError(f"{type(puzzle).__name__} is not a puzzle")
        audit = puzzle.audit()
        row = (audit.sound, audit.rivals, audit.unneeded, audit.unshown, puzzle.vote)
        rows.setdefault(puzzle.layout or "unknown", []).append(row)
        if not audit.sound:
            bad.append((puzzle.name, _problem(audit.untrue, audit.right, audit.equal_choices)))
    strata = {name: _counted(own) for name, own in rows.items()}
    total = _counted([row for own in rows.values() for row in own])
    return Report(
        **vars(total), strata=strata, bad=bad, files_as_in_manifest=None, files_not_as_in_manifest=[]
    )


def _problem(untrue: list[str], right: list[int], equal: list[tuple[int, int]]) -> str:
    if untrue:
        return f"does not hold: {untrue[0]}"
    if equal:
        return f"choices {equal[0][0] + 1} and {equal[0][1] + 1} are the same picture"
    return f"the choices {[choice + 1 for choice in right]} satisfy all rules"


def _counted(rows: list[tuple[bool, int, int, int, float]]) -> Counts:
    return Counts(
        n=len(rows),
        sound=sum(row[0] for row in rows),
        not_examined=0,
        with_rivals=sum(row[1] > 0 for row in rows),
        with_unneeded=sum(row[2] > 0 for row in rows),
        with_unshown=sum(row[3] > 0 for row in rows),
        vote_percent=100 * sum(row[4] for row in rows) / len(rows) if rows else None,
    )
