"""What the documentation says is true; types are checked."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import genvp
import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT.parent.parent / "docs"
MODULES = [name for _, name, _ in pkgutil.walk_packages(genvp.__path__, "genvp.") if name != "genvp.__main__"]
if importlib.util.find_spec("torch") is None:
    MODULES = [name for name in MODULES if not name.startswith("genvp.torch")]


@pytest.mark.parametrize("name", ["genvp", *(name for name in MODULES if name != "genvp._core")])
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize(("page", "least"), [(ROOT / "README.md", 20), (DOCS / "python.md", 8)])
def test_examples_in_the_documentation(page: Path, least: int) -> None:
    found = doctest.testfile(str(page), module_relative=False)
    assert found.failed == 0 and found.attempted >= least


def test_the_example_on_the_first_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """What the repository's README says of Python; a small examination does."""
    _, section = (ROOT.parent.parent / "README.md").read_text().split("\n## In Python\n")
    code = section.split("```python\n")[1].split("```")[0]
    assert "genvp.make" in code and "n=500" in code
    names: dict[str, Any] = {"my_solver": lambda panels: [0] * len(panels)}
    exec(code.replace("n=500", "n=5"), names)
    assert len(names["solutions"]) == 32 and "GenVP" in capsys.readouterr().out


def test_everything_public_has_words() -> None:
    for name in genvp.__all__:
        assert name.startswith("__") or getattr(getattr(genvp, name), "__doc__", None), name


def functions() -> list[Any]:
    """Every public function, the methods of a maker and of a model, and the classes of genvp.torch."""
    found = [getattr(genvp, name) for name in genvp.__all__]
    found = [own for own in found if inspect.isroutine(own)]
    for own in (genvp.Maker, genvp.Model):
        found += [getattr(own, name) for name, _ in inspect.getmembers(own, inspect.isroutine) if name[0] != "_"]
    if importlib.util.find_spec("torch") is not None:
        module = importlib.import_module("genvp.torch")
        found += [getattr(module, name) for name in module.__all__ if name != "Sample"]
    return [*found, genvp.eval.table]


@pytest.mark.parametrize("function", functions(), ids=lambda own: own.__qualname__)
def test_every_function_has_an_example(function: Any) -> None:
    """Examples of the extension module run here, the others with their modules."""
    [*examples] = doctest.DocTestFinder(recurse=False).find(function, function.__name__)
    assert examples and examples[0].examples, "no example"
    if inspect.isbuiltin(function) and function.__module__ == "genvp._core":
        runner = doctest.DocTestRunner()
        assert runner.run(examples[0]).failed == 0


def run(*args: object) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *map(str, args)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def needs_mypy() -> None:
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed: types are not checked")


def test_examples_and_package_are_typed(tmp_path: Path) -> None:
    needs_mypy()
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nstrict = True\n[mypy-ray.*]\nignore_missing_imports = True\n")
    examples = sorted((ROOT / "examples").glob("*.py"))
    modules = ["genvp", "genvp.__main__"]
    if importlib.util.find_spec("torch") is None:
        examples = [path for path in examples if "torch" not in path.name]
    else:
        modules.append("genvp.torch")
    shared = ("mypy", "--config-file", config, "--cache-dir", tmp_path / "cache")
    run(*shared, *examples)
    run(*shared, *(part for module in modules for part in ("-m", module)))


def test_stubs_say_what_there_is(tmp_path: Path) -> None:
    needs_mypy()
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\n[mypy-torch.*]\nignore_missing_imports = True\nfollow_imports = skip\n")
    run("mypy.stubtest", "genvp._core", "--mypy-config-file", config)
