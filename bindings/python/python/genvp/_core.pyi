"""The extension module. The package around it checks arguments and names results."""

from collections.abc import Sequence
from typing import Any, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "Answer",
    "ArrayError",
    "DataError",
    "ExactAnswer",
    "FileList",
    "FileStream",
    "GenvpError",
    "KnownPuzzle",
    "Maker",
    "Model",
    "ModelError",
    "SpecError",
    "StoredPuzzle",
    "__version__",
    "check_path",
    "decode_puzzle",
    "default_model",
    "form",
    "judge_panels",
    "make_puzzles",
    "mean_share",
    "model_names",
    "npz_of_panels",
    "paper_rows",
    "picture",
    "read_panels",
    "render",
    "rule_space",
    "run_command",
    "set_threads",
    "sets",
    "share",
    "solve_exactly",
    "solving_table",
    "strata",
    "threads",
    "weights_bytes",
    "write_bytes",
    "write_dataset",
]

__version__: str

class GenvpError(ValueError):
    """What genvp cannot do, and why."""

class SpecError(GenvpError):
    """Puzzles that were asked for and cannot be had."""

class DataError(GenvpError):
    """A file that cannot be read, written or believed."""

class ModelError(GenvpError):
    """A model that is not there or cannot do this."""

class ArrayError(GenvpError):
    """An array that does not hold panels."""

def threads() -> int:
    """How many threads work: as `set_threads` or `GENVP_THREADS` says. Otherwise one in a worker
    process of `multiprocessing` or PyTorch, which has siblings that work too, and one for each
    core elsewhere."""

def set_threads(threads: int) -> None:
    """Let so many threads work from now on; 0 goes back to the default."""

def sets() -> list[tuple[str, str, str]]:
    """Every set: its name, its family, and what it is."""

def strata(set: str) -> list[tuple[str, str]]:
    """The layouts or regimes of a set: the name in files, and the short one."""

def form(family: str) -> tuple[int, int, int]:
    """Rows, columns and choices of a family's puzzles."""

def rule_space(family: str) -> tuple[list[str], list[str]]:
    """The names of a family's attributes and of its rules."""

@final
class Maker:
    def __new__(
        cls,
        set: str,
        stratum: str,
        seed: int,
        rules: str,
        ood: str | None,
        split: str | None,
        choices: str | None,
        uniform: bool,
        faithful: bool,
        no_rivals: bool,
    ) -> Maker: ...
    @property
    def stratum(self) -> str: ...
    @property
    def family(self) -> str: ...
    def puzzle(self, index: int) -> KnownPuzzle: ...

def make_puzzles(
    wanted: Sequence[tuple[Maker, int]], family: str, size: int
) -> tuple[npt.NDArray[np.uint8], list[KnownPuzzle]]: ...

@final
class KnownPuzzle:
    """A puzzle whose truth is known: made, or restored from a file."""

    @property
    def family(self) -> str: ...
    @property
    def set(self) -> str: ...
    @property
    def stratum(self) -> str: ...
    @property
    def domain(self) -> str: ...
    @property
    def target(self) -> int: ...
    @property
    def rules(self) -> str: ...
    @property
    def rule_labels(self) -> npt.NDArray[np.uint8]: ...
    @property
    def choice_labels(self) -> npt.NDArray[np.uint8]: ...
    def meta(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8] | None]: ...
    @property
    def broken(self) -> list[list[str]]: ...
    @property
    def vote(self) -> float: ...
    @property
    def scenes(self) -> str: ...
    @property
    def alt_text(self) -> str: ...
    def npz(self) -> bytes: ...
    def xml(self) -> str | None: ...
    def file_stem(self, index: int) -> str: ...
    def svg(self, title: str, answer: bool) -> str: ...
    def png(self, title: str, answer: bool) -> bytes: ...
    def audit(self) -> str: ...
    def draw(self, size: int) -> npt.NDArray[np.uint8]: ...
    def encode(self) -> tuple[str, str, str, str]: ...
    def __reduce__(self) -> tuple[Any, tuple[str, str, str, str]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def decode_puzzle(set: str, stratum: str, domain: str, line: str) -> KnownPuzzle: ...

@final
class StoredPuzzle:
    """A puzzle from a file, or what is wrong with the file."""

    @property
    def name(self) -> str: ...
    @property
    def family(self) -> str | None: ...
    @property
    def stratum(self) -> str | None: ...
    @property
    def panels(self) -> npt.NDArray[np.uint8] | None: ...
    @property
    def target(self) -> int | None: ...
    @property
    def rules(self) -> str | None: ...
    @property
    def ood(self) -> str | None: ...
    @property
    def known(self) -> KnownPuzzle | None: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def problem(self) -> str | None: ...

@final
class FileStream:
    def __new__(cls, paths: Sequence[str]) -> FileStream: ...
    def block(self, most: int) -> list[StoredPuzzle]: ...

@final
class FileList:
    def __new__(cls, paths: Sequence[str]) -> FileList: ...
    def __len__(self) -> int: ...
    def names(self) -> list[str]: ...
    def puzzles(self, indices: Sequence[int]) -> list[StoredPuzzle]: ...

def check_path(path: str) -> str: ...
def write_dataset(path: str, makers: Sequence[Maker], n: int, start: str) -> None: ...
def write_bytes(path: str, bytes: bytes, force: bool) -> None: ...
def npz_of_panels(panels: npt.NDArray[np.uint8], target: int | None) -> bytes: ...
def picture(
    panels: npt.NDArray[np.uint8],
    context: int,
    captions: Sequence[tuple[str, int | None, str | None]],
    columns: int,
) -> bytes: ...
def render(scenes: str, size: int) -> npt.NDArray[np.uint8]: ...
def read_panels(
    panels: npt.NDArray[np.uint8], family: str, ood: str | None
) -> list[tuple[str, list[float], str | None]]: ...

@final
class ExactAnswer:
    """What the exact solver says of a puzzle."""

    @property
    def answer(self) -> int: ...
    @property
    def scores(self) -> list[float]: ...
    @property
    def tied(self) -> bool: ...
    @property
    def rules(self) -> str: ...
    @property
    def stratum(self) -> str | None: ...
    @property
    def confidence(self) -> float | None: ...
    @property
    def broken(self) -> list[list[str]] | None: ...

def solve_exactly(
    panels: npt.NDArray[np.uint8], family: str, oods: Sequence[str | None], explain: bool
) -> list[ExactAnswer]: ...
def model_names() -> list[str]: ...
def default_model(family: str) -> str: ...
def weights_bytes(name: str) -> bytes: ...

@final
class Answer:
    """What a model says of a puzzle."""

    @property
    def answer(self) -> int: ...
    @property
    def scores(self) -> npt.NDArray[np.float32]: ...
    @property
    def rule_probabilities(self) -> npt.NDArray[np.float32]: ...
    @property
    def rules(self) -> str: ...
    @property
    def layout(self) -> str | None: ...
    @property
    def confidence(self) -> tuple[float, float, float] | None: ...
    @property
    def experts(self) -> list[tuple[str, npt.NDArray[np.float32]]] | None: ...
    @property
    def lost(self) -> list[list[str]]: ...

@final
class Model:
    """A trained model."""

    def __new__(cls, name: str) -> Model: ...
    @property
    def name(self) -> str: ...
    @property
    def card(self) -> str: ...
    @property
    def card_json(self) -> str: ...
    @property
    def inputs(self) -> int: ...
    @property
    def family(self) -> str | None: ...
    def solve(self, panels: npt.NDArray[np.uint8], confidence: bool, experts: bool) -> list[Answer]: ...
    def imagine(
        self,
        layout: str,
        rules: str,
        first: int,
        n: int,
        seed: int,
        tries: int,
        temperature: float,
    ) -> list[tuple[str, npt.NDArray[np.uint8], str]]: ...
    def complete(
        self,
        panels: npt.NDArray[np.uint8],
        missing: Sequence[int],
        layout: str,
        n: int,
        seed: int,
    ) -> list[tuple[npt.NDArray[np.uint8], str, str]]: ...

def judge_panels(panels: npt.NDArray[np.uint8], layout: str, rules: str) -> str: ...
def share(right: int, n: int) -> tuple[float, float, float]: ...
def mean_share(counts: Sequence[tuple[int, int]]) -> tuple[float, float, float] | None: ...
def paper_rows(set: str) -> list[tuple[str, dict[str, float], float | None]]: ...
def solving_table(set: str, counts: dict[str, tuple[int, int, float]], solver: str) -> tuple[str, str]: ...
def run_command(args: Sequence[str], program: str | None) -> int: ...
