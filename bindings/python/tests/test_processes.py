"""Workers: forked, spawned, threaded, interrupted."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import genvp
import pytest


def work(index: int) -> tuple[int, bytes, int]:
    """Everything that uses threads: making, exact solving, and the model's own pools."""
    batch = genvp.make("iraven", "3x3", n=16, seed=index)
    exact = genvp.solve(batch[0], model="exact").answer
    answers = bytes(solution.answer for solution in genvp.Model.load().solve(batch.panels))
    return exact, answers + batch.panels[0].tobytes(), genvp.threads()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_do_what_the_parent_does(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system does not {method}")
    here = [work(index)[:2] for index in range(2)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        there = pool.map_async(work, range(2)).get(timeout=300)
    assert [found[:2] for found in there] == here
    assert [threads for *_, threads in there] == [1, 1], "workers leave the cores to each other"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_may_fork_and_use_many_threads() -> None:
    genvp.make("iraven", "c-s", n=64)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            genvp.set_threads(2)
            genvp.make("iraven", "c-s", n=64)
            grandchild = os.fork()
            if grandchild == 0:
                genvp.make("iraven", "c-s", n=64)
                os._exit(0)
            status = os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1])
        finally:
            os._exit(status)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the child hangs")


def test_threads_share_everything() -> None:
    maker, model = genvp.Maker("iraven", "2x2", seed=7), genvp.Model.load()

    def one(index: int) -> tuple[bytes, int]:
        puzzle = maker[index]
        return puzzle.panels.tobytes(), model.solve(puzzle).answer

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(one, range(12)))
    assert found == [one(index) for index in range(12)]


def test_free_threaded_python_stays_free(tmp_path: Path) -> None:
    """Python takes its lock back, with a warning, where a module does not say that it needs none."""
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this Python has its lock: whether genvp works without is not tested")
    code = "import sys, numpy, genvp; genvp.make(n=1); print(sys._is_gil_enabled())"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
    # Every kind of object, shared by more threads than cores, all at once.
    genvp.write(tmp_path / "d", genvp.make("iraven", "c-s", n=8, seed=7))
    maker, model = genvp.Maker("pgm", "neutral", seed=7), genvp.Model.load()
    files = genvp.open(tmp_path / "d")
    begin = threading.Barrier(8)

    def all_at_once(number: int) -> object:
        begin.wait(timeout=60)
        genvp.set_threads(1 + number % 3)
        batch = maker[number : number + 4]
        stored = [puzzle.target for puzzle in files]
        read = genvp.read(batch.panels[0], "pgm").scene
        solved = [found.answer for found in model.solve(list(files))]
        exact = genvp.solve(batch, model="exact")
        return batch.panels.tobytes(), stored, read, solved, [found.rules for found in exact]

    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(all_at_once, range(8)))
        begin = threading.Barrier(1)
        assert found == [all_at_once(number) for number in range(8)]
    finally:
        genvp.set_threads(0)


@pytest.mark.parametrize(
    "work",
    [
        "genvp.make('iraven', 'all', n=10**6, size=8)",
        "genvp.Model.load().imagine('c-s', n=10**6)",
        "genvp.Model.load().imagine('3x3', n=1, tries=10**5, temperature=10)",
        "genvp.Model.load().complete(genvp.Maker('iraven', 'c-s')[0], n=10**6)",
        "genvp.write(sys.argv[1], genvp.Maker('iraven', 'c-s'), n=10**7)",
        "[genvp.solve(b, model='exact') for b in [genvp.make('pgm', 'neutral', n=300)] * 1000]",
        "genvp.Model.load().solve(genvp.make('iraven', 'c-s', n=64, size=8).panels.repeat(1000, 0))",
        "genvp.eval.table(lambda panels: [0] * len(panels), n=10**6)",
        "genvp.write(sys.argv[1], genvp.Maker('iraven', 'c-s'), n=500)\n"
        "print('ready', flush=True)\n[genvp.check(sys.argv[1]) for _ in range(10**6)]",
        "genvp.write(sys.argv[1], genvp.Maker('iraven', 'c-s'), n=50)\n"
        "print('ready', flush=True)\n[list(genvp.open(sys.argv[1])) for _ in range(10**6)]",
    ],
)
def test_ctrl_c_interrupts(work: str, tmp_path: os.PathLike[str]) -> None:
    ready = "" if "ready" in work else "print('ready', flush=True)\n"
    # Whoever runs the tests in the background hands on that Ctrl-C is ignored.
    heeded = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code = f"{heeded}import sys, genvp\n{ready}{work}"
    child = subprocess.Popen(
        [sys.executable, "-c", code, os.path.join(tmp_path, "d")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    time.sleep(1.0)
    child.send_signal(signal.SIGINT)
    try:
        _, errors = child.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        child.kill()
        raise
    assert "KeyboardInterrupt" in errors and child.returncode != 0


def test_the_library_prints_nothing() -> None:
    code = (
        "import genvp, numpy as np\n"
        "b = genvp.make('iraven', 'all', n=2); genvp.solve(b); genvp.check(b)\n"
        "genvp.Model.load().imagine('c-s', n=1)\n"
        "try: genvp.solve(np.zeros(3))\n"
        "except genvp.GenvpError: pass\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_threads_are_set_by_hand_and_by_the_environment() -> None:
    code = "import genvp; print(genvp.threads()); genvp.make(n=1)"
    for value, wanted in [("3", 3), ("0", genvp.threads()), ("nonsense", genvp.threads())]:
        env = {**os.environ, "GENVP_THREADS": value}
        done = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
        )
        assert int(done.stdout) == wanted
    with pytest.raises(genvp.GenvpError, match="at most"):
        genvp.set_threads(10**6)
