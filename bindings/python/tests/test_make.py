"""Making puzzles: the command's values, in every process."""

from __future__ import annotations

import io
import pickle
import threading
import time
from pathlib import Path

import genvp
import numpy as np
import pytest
from conftest import run

STRATA = [(set, name) for set, _, _ in genvp.sets() for name, _ in genvp.strata(set)]


@pytest.mark.parametrize(("set", "stratum"), STRATA)
def test_every_stratum_of_every_family_is_made_drawn_and_read_back(set: str, stratum: str) -> None:
    batch = genvp.make(set, stratum, n=2, seed=7)
    rows, columns, choices = genvp.form(batch[0].family)
    assert batch.panels.shape == (2, rows * columns - 1 + choices, 160, 160)
    assert batch.panels.dtype == np.uint8 and batch.panels.flags.c_contiguous
    assert batch.scene == [puzzle.scene for puzzle in batch]
    assert batch.alt_text == [puzzle.alt_text for puzzle in batch]
    for puzzle in batch:
        assert puzzle.layout == stratum and puzzle.set == set
        assert puzzle.audit().sound and genvp.score(puzzle.target + 1, puzzle) == 1.0
        assert np.array_equal(genvp.render(puzzle.scene), puzzle.panels)
        assert genvp.solve(puzzle, model="exact").answer == puzzle.target
        attributes, rules = genvp.rule_space(puzzle.family)
        assert puzzle.rule_labels.shape == (len(attributes),)
        assert puzzle.choice_labels.shape == (choices, len(attributes))
        assert puzzle.rule_labels.max() < len(rules)
        assert (puzzle.choice_labels[puzzle.target] == puzzle.rule_labels).all()
        assert puzzle.broken[puzzle.target] == [] and len(puzzle.broken) == choices
        assert puzzle._repr_png_().startswith(b"\x89PNG") and "<svg" in puzzle.svg()
        assert "Choice 1" in puzzle.alt_text
        assert pickle.loads(pickle.dumps(puzzle)).known == puzzle.known


SETTINGS: list[tuple[str, dict[str, object]]] = [
    *((set, {"layout": "all"}) for set in ("raven", "iraven", "raven-fair")),
    ("iraven", {"layout": "3x3,2x2", "rules": "type=constant", "no_rivals": True}),
    ("iraven", {"layout": "2x2", "uniform": True}),
    ("raven", {"layout": "u-d", "faithful": True}),
    *(("raven", {"layout": "c-s", "ood": ood}) for ood in ("size-i", "size-e", "color-i", "angle-i")),
    *(("pgm", {"regime": regime, "split": "all"}) for regime, _ in genvp.strata("pgm")),
    *(("vad", {"regime": regime, "split": "all"}) for regime, _ in genvp.strata("vad")),
    ("vad", {"regime": "interpolation", "split": "val", "choices": "normal"}),
    ("pgm", {"regime": "neutral", "split": "test", "faithful": True}),
]


@pytest.mark.parametrize(("set", "settings"), SETTINGS)
def test_puzzles_are_the_commands(
    set: str, settings: dict[str, object], command: str, tmp_path: Path
) -> None:
    """`genvp dataset make` and `genvp.write` give the same folder, byte for byte."""
    named = {"no_rivals": "--no-rivals", "rules": "--rule"}
    flags: list[str] = []
    for name, value in settings.items():
        flags += [named.get(name, f"--{name}"), *([] if value is True else [str(value)])]
    by_command, by_python = tmp_path / "command", tmp_path / "python"
    run(command, "dataset", "make", set, *flags, "-n", "3", "--seed", "7", "--out", by_command)
    genvp.write(by_python, genvp.make(set, n=3, seed=7, **settings))  # type: ignore[arg-type]
    files = sorted(p.relative_to(by_command) for p in by_command.rglob("*") if p.is_file())
    assert files == sorted(p.relative_to(by_python) for p in by_python.rglob("*") if p.is_file())
    assert len(files) > 4
    for file in files:
        assert (by_command / file).read_bytes() == (by_python / file).read_bytes(), file


def test_a_batch_is_its_pieces_at_any_thread_count() -> None:
    maker = genvp.Maker("raven-fair", "o-ig", seed=11)
    whole = maker[0:20]
    try:
        genvp.set_threads(1)
        assert genvp.threads() == 1
        pieces = [maker[index] for index in range(20)]
    finally:
        genvp.set_threads(0)
    assert all(a == b for a, b in zip(whole, pieces))
    assert whole[3:5][1] == pieces[4] and len(whole[3:5]) == 2
    assert np.shares_memory(whole[3].panels, whole.panels), "a puzzle is a view of its batch"


def test_other_sizes_are_averages_of_the_original_pixels() -> None:
    large, small = (genvp.make("iraven", "3x3", n=3, seed=7, size=size).panels for size in (160, 80))
    mean = large.reshape(3, 16, 80, 2, 80, 2).mean((3, 5))
    assert np.abs(mean - small).max() <= 0.5 + 1e-6


def test_rules_can_be_asked_for() -> None:
    batch = genvp.make("raven", "3x3", n=5, seed=3, rules=["number=arithmetic:+", "color=constant"])
    assert all("number=arithmetic:+" in rules and "color=constant" in rules for rules in batch.rules)
    free = [genvp.make("raven", "3x3", n=2, seed=3, rules=rules) for rules in (None, "", [])]
    assert free[0].rules == free[1].rules == free[2].rules


@pytest.mark.parametrize(
    ("set", "stratum", "matrix", "target"),
    [("iraven", "o-ic", (8, 9), 9), ("pgm", "neutral", (4, 12), 12), ("vad", "interpolation", (1, 12), 0)],
)
def test_rules_are_bits_as_in_the_originals_files(
    set: str, stratum: str, matrix: tuple[int, int], target: int
) -> None:
    batch = genvp.make(set, stratum, n=3, seed=7)
    assert batch.meta_matrix.shape == (3, *matrix) and batch.meta_target.shape == (3, target)
    member = "meta_matrix" if set == "iraven" else "relation_structure_encoded"
    for number, puzzle in enumerate(batch):
        with np.load(io.BytesIO(puzzle.npz())) as file:
            assert np.array_equal(file[member].reshape(matrix), puzzle.meta_matrix)
            assert target == 0 or np.array_equal(file["meta_target"], puzzle.meta_target)
        assert np.array_equal(puzzle.meta_matrix, batch.meta_matrix[number])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (dict(set="ravens"), "known are raven, iraven, raven-fair, pgm, vad"),
        (dict(set="iraven", layout="4x4"), "known are c-s, 2x2, 3x3"),
        (dict(set="pgm", regime="nowhere"), "pgm has no regime `nowhere`"),
        (dict(set="iraven", layout=[]), "no layout is named"),
        (dict(set="iraven", layout=3), "layout 3: wanted is a name"),
        (dict(set="iraven", layout="c-s", rules="weight=constant"), "`weight` is not an attribute"),
        (dict(set="iraven", layout="c-s", rules=7), "rules 7: wanted is text"),
        (dict(set="iraven", layout="c-s", ood="smell"), "smell"),
        (dict(set="iraven", layout="c-s", split="train"), "raven has no option `split`"),
        (dict(set="pgm", regime="neutral", split="practice"), "train, val or test"),
        (dict(set="iraven", layout="c-s", size=0), "a size of 8 to 640"),
        (dict(set="iraven", layout="c-s", n=-1), "n -1: wanted 0 to"),
        (dict(set="iraven", layout="c-s", size=-1), "size -1: wanted 0 to"),
        (dict(set="iraven", layout="c-s", size="large"), "size 'large' is not a whole number"),
        (dict(set="iraven", layout="c-s", seed=2**64), "seed 18446744073709551616"),
        (dict(set="iraven", layout="c-s", seed=1.5), "not a whole number"),
        (dict(set="pgm", layout="neutral", regime="neutral"), "one and the same"),
    ],
)
def test_what_cannot_be_had_is_said(settings: dict[str, object], message: str) -> None:
    with pytest.raises(genvp.SpecError) as error:
        genvp.make(**settings)  # type: ignore[arg-type]
    assert message in str(error.value)
    assert isinstance(error.value, genvp.GenvpError) and isinstance(error.value, ValueError)
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)


def test_more_than_fits_in_memory_is_refused() -> None:
    with pytest.raises(genvp.SpecError, match="do not fit in memory"):
        genvp.make("iraven", "c-s", n=2**40)


def test_nothing_is_an_empty_batch() -> None:
    batch = genvp.make("iraven", "c-s", n=0)
    assert batch.panels.shape == (0, 16, 160, 160) and list(batch) == []
    assert batch.rules == batch.scene == batch.alt_text == [] and len(batch.rule_labels) == 0
    assert batch._repr_png_() is None


def test_makers_are_values() -> None:
    maker = genvp.Maker("vad", "interpolation", seed=5, split="test", choices="normal")
    same = pickle.loads(pickle.dumps(maker))
    assert same == maker and hash(same) == hash(maker) and same[3] == maker[3]
    columns = maker.columns({"id": np.arange(2, 5)})
    assert {len(column) for column in columns.values()} == {3}
    assert np.array_equal(columns["panels"], maker[2:5].panels)
    with pytest.raises(genvp.SpecError, match="no end"):
        maker[3:]


def test_python_goes_on_while_puzzles_are_made() -> None:
    counted, over = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not over.is_set():
            counted += 1

    counter = threading.Thread(target=count)
    counter.start()
    begun = time.perf_counter()
    genvp.make("iraven", "3x3", n=2000, seed=1, size=64)
    seconds = time.perf_counter() - begun
    over.set()
    counter.join()
    assert counted > 1000 * seconds, "the interpreter was locked"


def test_names_say_how_a_puzzle_was_made() -> None:
    assert genvp.make("pgm", "neutral", n=1, seed=3, split="test")[0].name == "pgm/neutral/test/seed 3/0"
    assert "seed 7/5" in genvp.Maker("iraven", "c-s", seed=7)[5].name


def test_puzzles_of_several_layouts_lie_in_one_array() -> None:
    batch = genvp.make("iraven", "3x3, c-s", n=3, seed=7)
    assert not batch.panels.flags.owndata, "the memory that was drawn into, not numpy's copy of it"
    parts = [genvp.make("iraven", layout, n=3, seed=7) for layout in ("3x3", "c-s")]
    assert np.array_equal(batch.panels, np.concatenate([part.panels for part in parts]))
    assert batch.names == parts[0].names + parts[1].names and batch.per_maker == 3


def test_shifted_values_are_read_as_such() -> None:
    """A puzzle knows what its levels stand for; arrays are told."""
    made = genvp.make("raven", "c-s", n=12, seed=7, ood="size-e")
    assert {puzzle.ood for puzzle in made} == {"size-e"}
    assert genvp.Maker("raven", "c-s", seed=7)[0].ood is None
    by_itself, told = genvp.solve(made, model="exact"), genvp.solve(made.panels, model="exact", ood="size-e")
    for puzzle, found, same in zip(made, by_itself, told):
        assert found.answer == puzzle.target and np.array_equal(found.scores, same.scores)
        read = genvp.read(puzzle).scene
        # Some angles look the same; the pixels tell that sizes were read as what they are.
        assert np.array_equal(genvp.render(read), puzzle.panels)
        assert read == genvp.read(puzzle.panels, ood="size-e").scene
    assert [f.rules for f in genvp.solve([*made], model="exact")] == [f.rules for f in by_itself]
    pgm = genvp.Maker("pgm", "neutral", seed=7)[0]
    assert genvp.read(pgm).scene == genvp.read(pgm.panels, "pgm").scene
    assert np.array_equal(genvp.render(genvp.read(pgm).scene), pgm.panels)
    for wrong in (
        lambda: genvp.solve(pgm, model="exact", ood="size-e"),
        lambda: genvp.read(pgm.panels, "pgm", ood="size-e"),
    ):
        with pytest.raises(genvp.SpecError, match="pgm has no option `ood`"):
            wrong()
    with pytest.raises(genvp.SpecError, match="no ood `smell`: known are standard, angle-i"):
        genvp.read(made.panels[0], ood="smell")
    with pytest.raises(genvp.SpecError, match="a puzzle of pgm is not to be read as one of raven"):
        genvp.read(pgm, "raven")
