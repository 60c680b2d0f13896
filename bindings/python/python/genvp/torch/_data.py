"""Fresh and stored puzzles as datasets."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import torch.distributed
from torch.utils.data import Dataset, IterableDataset, get_worker_info

from .._core import SpecError
from .._files import Dataset as Files
from .._files import Paths
from .._make import batch_of, makers, whole
from .._puzzle import Batch
from ._collate import Sample, sample, samples


class FreshPuzzles(IterableDataset[Sample]):
    """Puzzles that are made while they are asked for.

    Item number i of the whole stream is puzzle `i // len(layouts)` of layout `i % len(layouts)`.
    Ranks (of `torch.distributed`, or of `RANK` and `WORLD_SIZE`) and the workers of a DataLoader
    share the stream out without overlap.

    With `batch_size` every item is a whole batch, made at once, which is much faster: use it with
    `DataLoader(dataset, batch_size=None)`. A rank then gets the same batches in the same order
    with any number of workers.

    `state_dict` says how far this copy has come; `load_state_dict` lets its next iteration go on
    there; any other iteration begins at the beginning, so with `n` every epoch has the same puzzles.
    torchdata's `StatefulDataLoader` keeps that for every worker. Without it, and with
    `batch_size`, a loader goes on after k batches of its rank with `first=k`.

    >>> from torch.utils.data import DataLoader
    >>> puzzles = FreshPuzzles("iraven", ["2x2", "3x3"], seed=7, size=80, batch_size=4, n=2)
    >>> [batch["image"].shape for batch in DataLoader(puzzles, batch_size=None)]
    [torch.Size([4, 16, 80, 80]), torch.Size([4, 16, 80, 80])]
    """

    def __init__(
        self,
        set: str = "iraven",
        layout: str | Sequence[str] | None = None,
        *,
        seed: int = 1234,
        size: int = 80,
        n: int | None = None,
        first: int = 0,
        batch_size: int | None = None,
        rank: int | None = None,
        world_size: int | None = None,
        **settings: Any,
    ) -> None:
        """Puzzles of a set (see `genvp.Maker` for `settings`); `n` items in all, over all ranks and
        workers, or no end if it is not said; `first` is where a rank begins in its own sequence."""
        super().__init__()
        self._makers = makers(set, layout, seed=seed, size=size, **settings)
        if batch_size is not None and whole("batch_size", batch_size) < 1:
            raise SpecError(f"batches of {batch_size} puzzles: at least 1")
        if (rank is None) != (world_size is None):
            raise SpecError("rank and world_size go together")
        if rank is not None and world_size is not None:
            _check_place(whole("rank", rank), whole("world_size", world_size))
        self._n = None if n is None else whole("n", n)
        self._first = whole("first", first)
        self._batch_size = batch_size
        self._rank = rank
        self._world_size = world_size
        self._done = 0
        self._resumed = 0

    def _place(self) -> tuple[int, int]:
        if self._rank is not None and self._world_size is not None:
            return self._rank, self._world_size
        if torch.distributed.is_available() and torch.distributed.is_initialized():
            return torch.distributed.get_rank(), torch.distributed.get_world_size()
        return _place_of_environment()

    def _items(self, begin: int) -> Iterator[int]:
        """The numbers of the whole stream that this worker of this rank makes."""
        rank, ranks = self._place()
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info is not None else (0, 1)
        own = begin
        while True:
            item = (self._first + own * workers + worker) * ranks + rank
            if self._n is not None and item >= self._n:
                return
            yield item
            own += 1

    def _batch(self, numbers: range) -> Batch:
        """These puzzles of the stream, layout by layout in turn."""
        count = len(self._makers)
        wanted = [(self._makers[number % count], number // count) for number in numbers]
        return batch_of(wanted, self._makers[0])

    def __iter__(self) -> Iterator[Sample]:
        self._done = self._resumed
        self._resumed = 0
        for item in self._items(self._done):
            self._done += 1
            if self._batch_size is not None:
                first = item * self._batch_size
                yield samples(self._batch(range(first, first + self._batch_size)))
            else:
                count = len(self._makers)
                yield sample(self._makers[item % count][item // count])

    def state_dict(self) -> dict[str, int]:
        """How many items this copy has given."""
        return {"done": self._done}

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Let the next iteration go on after so many items."""
        self._resumed = self._done = int(state["done"])


def _check_place(rank: int, ranks: int) -> None:
    if rank >= ranks:
        raise SpecError(f"rank {rank} of {ranks}: ranks are 0 to {ranks - 1}" if ranks else "no ranks at all")


def _place_of_environment() -> tuple[int, int]:
    """The rank and their number as `torchrun` says them."""
    said = os.environ.get("RANK", "0"), os.environ.get("WORLD_SIZE", "1")
    try:
        rank, ranks = int(said[0]), int(said[1])
    except ValueError:
        raise SpecError(f"RANK={said[0]} and WORLD_SIZE={said[1]} are not numbers") from None
    _check_place(whole("RANK", rank), whole("WORLD_SIZE", ranks))
    return rank, ranks


class Puzzles(Dataset[Sample]):
    """The puzzles of stored files (see `genvp.open`), by their number.

    Archives and tables, which are read in order, are refused: `genvp.open` iterates over them.
    `split` (`train`, `val` or `test`) takes the files that are named so, as the originals' loaders do.

    >>> import genvp, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     genvp.write(folder, genvp.make("iraven", "c-s", n=10, seed=7))
    ...     [len(Puzzles(folder, split)) for split in ("train", "val", "test")]
    [6, 2, 2]
    """

    def __init__(self, path: Paths, split: str | None = None) -> None:
        super().__init__()
        self._files = Files(path)
        count = len(self._files)
        numbers = range(count)
        if split is not None:
            named = self._files.names()
            marks = (f"_{split}_", f"_{split}.")
            numbers_of = [n for n in numbers if any(mark in os.path.basename(named[n]) for mark in marks)]
            if not numbers_of:
                raise SpecError(f"no file is named as one of split {split!r}")
            self._numbers: Sequence[int] = numbers_of
        else:
            self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, index: int) -> Sample:
        return sample(self._files[self._numbers[index]])
