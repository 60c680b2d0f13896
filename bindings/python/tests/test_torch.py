"""PyTorch: datasets, collates, the twin of the shipped solver, ONNX."""

from __future__ import annotations

import multiprocessing
import os
import pickle
from pathlib import Path
from typing import Any

import genvp
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: genvp.torch is not tested")

from genvp.torch import (  # noqa: E402
    FreshPuzzles,
    Puzzles,
    Solver,
    collate,
    collate_mrnet,
    collate_predrnet,
    collate_scl,
    load_state_dict,
    to_ink,
)
from torch.utils.data import DataLoader  # noqa: E402


def images(loader: Any) -> list[bytes]:
    return [batch["image"].numpy().tobytes() for batch in loader]


def test_batches_do_not_depend_on_workers() -> None:
    genvp.make("iraven", "c-s", n=64)  # the parent has its threads before the workers are forked
    genvp.Model.load().solve(genvp.make("iraven", "c-s", n=16))
    puzzles = FreshPuzzles("iraven", ["c-s", "3x3"], seed=7, size=16, batch_size=4, n=6)
    alone = images(puzzles)
    assert len(alone) == len(set(alone)) == 6
    for method in ("fork", "spawn"):
        if method in multiprocessing.get_all_start_methods():
            loader = DataLoader(
                puzzles, batch_size=None, num_workers=2, multiprocessing_context=method, timeout=600
            )
            assert images(loader) == alone


def test_ranks_and_workers_share_the_stream() -> None:
    everything = [own["name"] for own in FreshPuzzles("iraven", "all", seed=7, size=8, n=28)]
    assert len(set(everything)) == 28 and len({name.split("/")[1] for name in everything}) == 7
    shared = []
    for rank in range(2):
        puzzles = FreshPuzzles("iraven", "all", seed=7, size=8, n=28, rank=rank, world_size=2)
        for own in DataLoader(puzzles, batch_size=None, num_workers=2):
            shared.append(own["name"])
    assert sorted(shared) == sorted(everything)


def test_places_that_do_not_exist_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in (
        dict(rank=2, world_size=2),
        dict(rank=0, world_size=0),
        dict(rank=-1, world_size=2),
        dict(rank=0),
        dict(batch_size=0),
        dict(batch_size=1.5),
        dict(first=-1),
        dict(n="all"),
    ):
        with pytest.raises(genvp.SpecError):
            FreshPuzzles("iraven", "c-s", **wrong)  # type: ignore[arg-type]
    for rank, ranks in (("2", "2"), ("0", "0"), ("one", "2")):
        monkeypatch.setenv("RANK", rank)
        monkeypatch.setenv("WORLD_SIZE", ranks)
        with pytest.raises(genvp.SpecError):
            next(iter(FreshPuzzles("iraven", "c-s", size=8)))


def test_streams_resume_exactly() -> None:
    settings: Any = dict(seed=7, size=16, batch_size=2, n=8)
    whole = images(FreshPuzzles("iraven", "2x2", **settings))
    puzzles = FreshPuzzles("iraven", "2x2", **settings)
    stream = iter(puzzles)
    begun = [next(stream)["image"].numpy().tobytes() for _ in range(3)]
    state = pickle.loads(pickle.dumps(puzzles.state_dict()))
    later = FreshPuzzles("iraven", "2x2", **settings)
    later.load_state_dict(state)
    assert begun + images(later) == whole
    assert images(later) == whole, "an iteration after the resumed one is whole again"
    loader = DataLoader(FreshPuzzles("iraven", "2x2", first=3, **settings), batch_size=None, num_workers=2)
    assert images(loader) == whole[3:]


@pytest.mark.filterwarnings("default")  # torchdata's own, with this torch
def test_a_stateful_loader_resumes() -> None:
    stateful = pytest.importorskip("torchdata.stateful_dataloader", reason="torchdata is not installed")

    def loader() -> Any:
        puzzles = FreshPuzzles("iraven", "c-s", seed=7, size=16, batch_size=2, n=8)
        return stateful.StatefulDataLoader(puzzles, batch_size=None, num_workers=2)

    whole = images(loader())
    first = loader()
    stream = iter(first)
    begun = [next(stream)["image"].numpy().tobytes() for _ in range(3)]
    second = loader()
    second.load_state_dict(first.state_dict())
    assert begun + images(second) == whole


@pytest.mark.parametrize(
    ("set", "layout", "bits"), [("iraven", "c-s", 9), ("pgm", "neutral", 12), ("vad", "interpolation", 0)]
)
def test_collates_give_what_the_loaders_of_the_field_give(
    set: str, layout: str, bits: int, tmp_path: Path
) -> None:
    made = genvp.make(set, layout, n=4, seed=7)
    genvp.write(tmp_path, made)
    panels = made.panels.shape[1]
    stored = Puzzles(tmp_path)
    for collate_fn in (collate_predrnet, collate_mrnet):
        image, target, meta_target, matrix, files = next(iter(DataLoader(stored, 4, collate_fn=collate_fn)))
        # Their loops do (image / 255 - 0.5) * 2 themselves.
        assert image.shape == (4, panels, 160, 160) and image.dtype == torch.float32
        assert image.min() < 200 and image.max() == 255
        assert target.dtype == torch.int64 and meta_target.dtype == matrix.dtype == torch.float32
        assert meta_target.shape == (4, bits) if bits else torch.equal(meta_target, matrix)
        # They count right answers by the folder of the file.
        assert [file.split(os.sep)[0] for file in files] == [made[0].layout] * 4
        assert [Path(file).name for file in files] == [Path(stored[i]["name"]).name for i in range(4)]
    scl = next(iter(DataLoader(stored, 2, collate_fn=collate_scl)))
    assert scl["image"].shape == (2, panels, 160, 160) and scl["image"].dtype == torch.uint8
    assert scl["label"].shape == scl["symbol"].shape == (2,) and scl["meta_matrix"].dtype == torch.uint8
    assert scl["file_prefix"] == [Path(stored[i]["name"]).stem for i in range(2)]
    with np.load(stored[0]["name"]) as file:
        member = "meta_matrix" if set == "iraven" else "relation_structure_encoded"
        assert np.array_equal(stored[0]["meta_matrix"].numpy(), file[member])
        if bits:
            assert np.array_equal(stored[0]["meta_target"].numpy(), file["meta_target"])
        assert int(stored[0]["target"]) == int(file["target"])
    assert collate([stored[0], stored[1]])["image"].shape[0] == 2
    fresh = FreshPuzzles(set, layout, seed=7, size=16, batch_size=3, n=1)
    [(image, _, _, matrix, files)] = DataLoader(fresh, batch_size=None, collate_fn=collate_predrnet)
    assert image.shape == (3, panels, 16, 16) and files[0].split(os.sep)[0] == made[0].layout


def test_single_puzzles_are_batched_by_torch_itself() -> None:
    puzzles = FreshPuzzles("iraven", ["c-s", "2x2"], seed=7, size=16, n=6)
    first, second = DataLoader(puzzles, batch_size=3)
    assert first["image"].shape == second["image"].shape == (3, 16, 16, 16)
    assert first["layout"] == ["center_single", "distribute_four", "center_single"]


def test_splits_are_those_of_the_names(tmp_path: Path) -> None:
    genvp.write(tmp_path, genvp.make("iraven", "c-s", n=10, seed=7))
    lengths = {split: len(Puzzles(tmp_path, split)) for split in ("train", "val", "test")}
    assert lengths == {"train": 6, "val": 2, "test": 2}
    loader = DataLoader(Puzzles(tmp_path, "train"), 2, num_workers=2, shuffle=True, collate_fn=collate)
    assert sum(len(batch["name"]) for batch in loader) == 6
    for split in ("practice", "t", ""):
        with pytest.raises(genvp.SpecError, match="split"):
            Puzzles(tmp_path, split)


def test_a_batch_of_what_is_known_and_what_is_not_is_refused(tmp_path: Path) -> None:
    puzzle = genvp.Maker("iraven", "c-s", seed=7)[0]
    bare = genvp.Puzzle(puzzle.panels, 3, "raven", None, "center_single", None, "by hand")
    genvp.write(tmp_path, [puzzle, bare])
    stored = Puzzles(tmp_path)
    with pytest.raises(genvp.SpecError, match="whose rules are all known"):
        collate([stored[0], stored[1]])


def test_the_twin_gives_the_scores_of_the_model(model: genvp.Model) -> None:
    solver = Solver.from_pretrained()
    batch = genvp.make("iraven", n=3, seed=7)
    wanted = np.stack([found.scores for found in model.solve(batch, confidence=False)])
    with torch.inference_mode():
        ink = to_ink(torch.from_numpy(batch.panels))
        found = solver(ink).numpy()
        rules = solver.rules(ink).numpy()
    assert np.abs(found - wanted).max() < 1e-4
    for own, solution in zip(rules, model.solve(batch)):
        assert np.abs(own - solution.rule_probabilities).max() < 1e-4
    rough = np.random.default_rng(0).integers(0, 256, (2, 16, 64, 64), np.uint8)
    wanted = np.stack([found.scores for found in model.solve(rough, confidence=False)])
    with torch.inference_mode():
        assert np.abs(solver(to_ink(torch.from_numpy(rough))).numpy() - wanted).max() < 1e-4


def test_weights_are_laid_out_for_torch(tmp_path: Path) -> None:
    found = load_state_dict()
    wanted = Solver.from_pretrained().state_dict()
    used = [name for name in wanted if not name.endswith("num_batches_tracked")]
    assert all(torch.equal(found[name], wanted[name]) for name in used) and len(used) > 100
    (tmp_path / "w").write_bytes(b"\xff" * 7)
    with pytest.raises(genvp.ModelError, match="not a weights file"):
        load_state_dict(tmp_path / "w")
    with pytest.raises(genvp.ModelError, match="neither in the box"):
        Solver.from_pretrained("nowhere")


def test_models_without_a_twin_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(genvp.ModelError, match=r"encoder rings.* has no twin"):
        Solver.from_pretrained("raven-rules-64")
    with pytest.raises(genvp.ModelError, match="the configuration has no 'image'"):
        Solver.from_pretrained("pgm-64-cpu")
    # A part that this module does not know would give other scores: no silence about it.
    more = {**load_state_dict(), "experts.compare.embed.0.weight": torch.zeros(1, 1)}
    monkeypatch.setattr("genvp.torch._solver.load_state_dict", lambda name: more)
    with pytest.raises(genvp.ModelError, match=r"compare\.embed\.0\.weight has no twin"):
        Solver.from_pretrained()
    more.pop("experts.compare.embed.0.weight")
    more["encoder.head.bias"] = torch.zeros(1)
    with pytest.raises(genvp.ModelError, match="size mismatch"):
        Solver.from_pretrained()


def test_onnx_gives_the_same_scores(tmp_path: Path) -> None:
    for module in ("onnx", "onnxscript"):
        pytest.importorskip(module, reason=f"{module} is not installed: the export is not tested")
    onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    solver = Solver.from_pretrained()
    ink = to_ink(torch.from_numpy(genvp.make("iraven", "3x3", n=2, seed=7).panels))
    torch.onnx.export(
        solver,
        (ink,),
        tmp_path / "solver.onnx",
        dynamo=True,
        verbose=False,
        input_names=["ink"],
        output_names=["scores"],
    )
    session = onnxruntime.InferenceSession(tmp_path / "solver.onnx")
    [found] = session.run(None, {"ink": ink.numpy()})
    with torch.inference_mode():
        assert np.abs(found - solver(ink).numpy()).max() < 1e-4


@pytest.mark.parametrize("page", ["README.md", "../../docs/python.md"])
def test_the_loader_in_the_documentation_runs(page: str) -> None:
    text = (Path(__file__).parent.parent / page).read_text()
    [code] = [part.split("```")[0] for part in text.split("```python\n") if part.startswith("from torch")]
    names: dict[str, Any] = {}
    exec(code, names)
    image, target, *_ = next(iter(names["loader"]))
    assert image.shape == (32, 16, 80, 80) and target.shape == (32,)
