"""Reading, writing and checking files."""

from __future__ import annotations

import dataclasses
import json
import pickle
import tarfile
from pathlib import Path

import genvp
import numpy as np
import pytest
from conftest import run


def dataset(path: Path, set: str = "iraven", layout: str = "c-s", n: int = 5) -> genvp.Dataset:
    genvp.write(path, genvp.make(set, layout, n=n, seed=7))
    return genvp.open(path)


@pytest.mark.parametrize(
    ("set", "stratum"), [("iraven", "o-ic"), ("pgm", "attr.rels"), ("vad", "interpolation")]
)
def test_what_is_written_is_read_back(set: str, stratum: str, tmp_path: Path) -> None:
    made = genvp.make(set, stratum, n=5, seed=7)
    stored = dataset(tmp_path / "d", set, stratum)
    assert len(stored) == 5
    by_number = {puzzle.name: puzzle for puzzle in stored}
    assert sorted(by_number) == sorted(stored[i].name for i in range(5))
    assert {p.panels.tobytes() for p in stored} == {p.panels.tobytes() for p in made}
    for puzzle in stored:
        [same] = [p for p in made if np.array_equal(p.panels, puzzle.panels)]
        assert puzzle.target == same.target and puzzle.rules == same.rules
        assert puzzle.layout == same.layout and puzzle.audit().sound
        assert puzzle.scene is not None and puzzle.known is not None
    report = genvp.check(tmp_path / "d")
    assert report.ok and report.n == report.sound == 5 and report.files_as_in_manifest
    assert pickle.loads(pickle.dumps(stored))[4] == stored[4]
    with pytest.raises(IndexError):
        stored[5]


def test_numpy_reads_what_is_written(tmp_path: Path) -> None:
    made = genvp.make("iraven", "c-s", n=5, seed=7)
    dataset(tmp_path)
    with np.load(tmp_path / "center_single" / "RAVEN_3_train.npz") as file:
        assert np.array_equal(file["image"].reshape(16, 160, 160), made[3].panels)
        assert int(file["target"]) == made[3].target
    assert (tmp_path / "center_single" / "RAVEN_3_train.xml").read_text() == made[3].xml
    assert (tmp_path / "center_single" / "RAVEN_3_train.npz").read_bytes() == made[3].npz()


@pytest.mark.parametrize(
    ("set", "stratum"),
    [("iraven", "distribute_four"), ("pgm", "attr.rels"), ("vad", "interpolation")],
)
def test_tables_are_read_in_order(set: str, stratum: str, command: str, tmp_path: Path) -> None:
    which = ("--layout", stratum) if set == "iraven" else ("--regime", stratum, "--split", "train")
    asked = ("dataset", "make", set, *which, "-n", "10", "--seed", "7")
    run(command, *asked, "--format", "parquet", "--out", tmp_path / "tables")
    made = genvp.make(set, stratum, n=10, seed=7)
    found = {puzzle.panels.tobytes(): puzzle for puzzle in list(genvp.open(tmp_path / "tables"))}
    assert len(found) == 10
    for puzzle in made:
        same = found[puzzle.panels.tobytes()]
        assert same.target == puzzle.target and same.layout == stratum
        assert same.family == puzzle.family and same.rules == puzzle.rules
    with pytest.raises(genvp.DataError, match="iterate"):
        len(genvp.open(tmp_path / "tables"))


def test_archives_are_read_in_order(tmp_path: Path) -> None:
    made = genvp.make("pgm", "neutral", n=5, seed=7)
    genvp.write(tmp_path / "d", made)
    archive = tmp_path / "neutral.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        for npz in sorted((tmp_path / "d").rglob("*.npz")):
            file.add(npz, npz.name)
    found = list(genvp.open(archive))
    assert {puzzle.panels.tobytes() for puzzle in found} == {puzzle.panels.tobytes() for puzzle in made}
    assert all(puzzle.family == "pgm" and puzzle.target is not None for puzzle in found)
    with pytest.raises(genvp.DataError, match="iterate"):
        len(genvp.open(archive))


def test_any_puzzles_can_be_written(tmp_path: Path) -> None:
    puzzles = [genvp.Maker("raven", "3x3")[4], genvp.Maker("pgm", "neutral")[2]]
    bare = genvp.Puzzle(puzzles[0].panels, 3, "raven", None, None, None, "by hand")
    genvp.write(tmp_path, [*puzzles, bare])
    again = list(genvp.open(tmp_path / "distribute_nine")) + list(genvp.open(tmp_path / "neutral"))
    assert [p.rules for p in again] == [p.rules for p in puzzles]
    [stored] = genvp.open(tmp_path / "raven")
    assert stored.target == 3 and stored.known is None and stored == bare
    with pytest.raises(genvp.SpecError, match="only its pixels are known"):
        _ = stored.scene
    with pytest.raises(genvp.DataError, match="exists already"):
        genvp.write(tmp_path, puzzles)
    genvp.write(tmp_path, puzzles, force=True)
    with pytest.raises(genvp.SpecError, match="not a puzzle"):
        genvp.write(tmp_path, ["puzzle"])  # type: ignore[list-item]


def test_nothing_else_is_written_than_what_was_given(tmp_path: Path) -> None:
    made = genvp.make("iraven", "c-s", n=3, seed=7)
    noisy = dataclasses.replace(made[0], panels=255 - made[0].panels)
    for puzzles in ([noisy], genvp.make("iraven", "c-s", n=3, seed=7, size=80)[:2]):
        with pytest.raises(genvp.SpecError, match="not the drawing of its scene"):
            genvp.write(tmp_path / "d", puzzles)
    genvp.write(tmp_path / "noisy", [dataclasses.replace(noisy, known=None)])
    assert np.array_equal(genvp.open(tmp_path / "noisy")[0].panels, noisy.panels)
    bare = dataclasses.replace(genvp.Maker("pgm", "neutral")[0], known=None)
    with pytest.raises(genvp.SpecError, match="files of pgm state their rules"):
        genvp.write(tmp_path / "d", [bare])
    with pytest.raises(genvp.SpecError, match="n is for makers"):
        genvp.write(tmp_path / "d", [made[0]], n=1)
    with pytest.raises(genvp.SpecError, match="name one of them"):
        genvp.write(tmp_path / "d", made, force=True, resume=True)
    assert not (tmp_path / "d").exists()


def test_shifted_values_are_known_from_files(command: str, tmp_path: Path) -> None:
    genvp.write(tmp_path, genvp.make("raven", "c-s", n=5, seed=7, ood="size-e"))
    stored = genvp.open(tmp_path)
    assert {puzzle.ood for puzzle in stored} == {"size-e"}
    lines = run(command, "solve", "--exact", tmp_path, "--json").splitlines()
    said = {line["file"]: line for line in map(json.loads, lines[:-1])}
    for puzzle, found in zip(stored, genvp.solve(stored, model="exact")):
        assert said[puzzle.name]["answer"] == found.answer == puzzle.target
        assert said[puzzle.name]["rules"] == found.rules


def test_an_interrupted_dataset_goes_on(tmp_path: Path) -> None:
    maker = genvp.Maker("iraven", "c-s", seed=7)
    genvp.write(tmp_path / "a", maker, n=4)
    with pytest.raises(genvp.DataError, match="exists already"):
        genvp.write(tmp_path / "a", maker, n=4)
    genvp.write(tmp_path / "a", maker, n=4, resume=True)
    with pytest.raises(genvp.DataError, match="other settings"):
        genvp.write(tmp_path / "a", maker, n=5, resume=True)
    with pytest.raises(genvp.SpecError, match="Write n="):
        genvp.write(tmp_path / "b", maker)


def test_bad_files_are_named(tmp_path: Path) -> None:
    stored = dataset(tmp_path / "d")
    broken = Path(stored[2].name)
    broken.write_bytes(broken.read_bytes()[:1000])
    with pytest.raises(genvp.DataError, match=broken.name):
        list(genvp.open(tmp_path / "d"))
    lenient = genvp.open(tmp_path / "d", skip_bad=True)
    assert len(list(lenient)) == 4 and broken.name in lenient.problems[0]
    report = genvp.check(tmp_path / "d")
    assert not report.ok and report.sound == 4 and broken.name in report.bad[0][0]
    with pytest.raises(genvp.DataError, match="cannot read"):
        genvp.open(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(genvp.DataError, match="no puzzles"):
        genvp.open(tmp_path / "empty")


def test_a_wrong_target_is_found(tmp_path: Path) -> None:
    puzzle = genvp.Maker("iraven", "c-s", seed=7)[0]
    wrong = genvp.Puzzle(puzzle.panels, (puzzle.target + 1) % 8, "raven", None, None, None, "wrong")
    genvp.write(tmp_path, [wrong])
    assert "reading the pixels gives choice" in genvp.check(tmp_path).bad[0][1]


def test_the_command_says_the_same(command: str, tmp_path: Path) -> None:
    dataset(tmp_path / "d", "raven", "2x2", 10)
    said = json.loads(run(command, "dataset", "check", tmp_path / "d", "--json"))
    report = genvp.check(tmp_path / "d")
    assert report.sound == 10 and json.dumps(said).count("distribute_four") >= 1
    vote = genvp.check(genvp.make("raven", "2x2", n=10, seed=7)).vote_percent
    assert report.vote_percent == pytest.approx(vote)
