"""``table-figures`` where the extra is not installed: its words are read when packages are made."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.not_done import NOT_WELL

WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in sys.argv[1].split(","):
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Missing())
from figures.program.main import main
sys.exit(main(sys.argv[2:]))
"""
EXTRA = "cycler,dask,distributed,matplotlib,numba,numpy,weasyprint"


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT, EXTRA, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("verb", ["", "edge", "side", "shift", "worth", "strategy", "strangers"])
def test_its_words_need_nothing(verb: str) -> None:
    told = ran(*verb.split(), "--help")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith(f"usage: table-figures {verb}".rstrip())


def test_the_plain_source_plays_without_it() -> None:
    told = ran("edge", "division-15-pontoon", "--rounds", "500", "--boxes", "1", "--uncompiled")
    assert told.returncode == 0, told.stderr
    assert "500 rounds" in told.stdout


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        ("strategy division-15-pontoon", "strategy: numpy"),
        ("edge division-15-pontoon --policy optimal", "edge: numpy"),
        ("strangers", "strangers: numpy"),
        ("report nothing.json --html nothing.html", "report: cycler"),
    ],
)
def test_what_needs_it_says_so(words: str, missing: str) -> None:
    told = ran(*words.split())
    assert (told.returncode, told.stdout) == (NOT_WELL, "")
    assert told.stderr.startswith(f"table-figures: {missing} is not installed; the extra 'figures'")
    assert "pip install '.[figures]'" in told.stderr


def test_a_library_that_does_not_fit_says_so_itself(tmp_path: Path) -> None:
    said = "Numba needs NumPy 2.4 or less. Got NumPy 9.9."
    (tmp_path / "numpy.py").write_text(f"raise ImportError({said!r})\n")
    told = subprocess.run(
        [sys.executable, "-m", "figures.program.main", "strangers"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, told.stderr) == (NOT_WELL, f"table-figures: strangers: {said}\n")
