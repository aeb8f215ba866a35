"""What is compiled is told once, and what versions that nobody uses have left is removed then."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from figures.edges.compiling import NOT_COMPILED
from figures.games.compiled import source_digest
from tests.figures.edges.support import CHECKOUT, MBS, begin, ended, table_figures

DAY_S = 86400
SAID = "compiling the kernel, once: about ten seconds\n"
FEW = ("--rounds", 400, "--boxes", 1, "--seed", 1)


@pytest.mark.needs("numba")
def test_both_programs_tell_it_and_old_ones_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    now, cache = time.time(), tmp_path / "table-figures"
    for name, days in (("0" * 16, 31), ("1" * 16, 29), ("notes", 31)):
        (cache / name / "kernel_1").mkdir(parents=True)
        (cache / name / "kernel_1" / "one.nbi").touch()
        os.utime(cache / name, (now - days * DAY_S,) * 2)
    (cache / ("2" * 16)).symlink_to(cache / "notes")
    tablectl = ("simulate", "--rules", MBS, "--by", "kernel", *FEW)
    first = ended(begin(*tablectl, program=("controller.cli.main",)))
    assert SAID in first.err
    here = source_digest()[:16]
    assert {path.name for path in cache.iterdir()} == {"1" * 16, "2" * 16, "notes", here}
    assert (cache / "notes" / "kernel_1" / "one.nbi").exists()
    os.utime(cache / here, (now - 31 * DAY_S,) * 2)
    again = table_figures("edge", MBS, *FEW)
    assert (again.code, SAID in again.err) == (0, False), again.err
    assert (cache / here).stat().st_mtime >= now - 1, "not marked as used"
    (index,) = (cache / here).glob("*/*.play_block-*.nbi")
    cut = [*(cache / here).glob("*/*.play_again-*.nbc")]
    index.write_bytes(b"")
    for data in cut:
        data.write_bytes(data.read_bytes()[:-1000])
    mended, at_last = (table_figures("edge", MBS, *FEW) for _ in range(2))
    assert (mended.code, SAID in mended.err, mended.out) == (0, True, again.out), mended.err
    assert (at_last.code, SAID in at_last.err, at_last.out) == (0, False, again.out), at_last.err
    assert index.stat().st_size > 0
    assert any(data.read_bytes()[-1:] == b"." for data in cut)


@pytest.mark.needs("numba")
def test_where_numba_may_not_compile_the_plain_source_plays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = table_figures("edge", MBS, *FEW, "--uncompiled", "--json")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    told = table_figures("edge", MBS, *FEW, "--json")
    assert (told.code, told.out) == (0, plain.out), told.err
    assert told.err.count(NOT_COMPILED) == 1


ASKED_AGAIN = """
from figures.edges.compiling import NOT_KEPT, tell_compiling
said = []
for function in ("play_block", "play_block", "play_forced"):
    tell_compiling(function, said.append)
print(said == [NOT_KEPT] * 2)
"""


@pytest.mark.needs("numba")
def test_where_nothing_can_be_kept_it_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = subprocess.run(
        [sys.executable, "-c", ASKED_AGAIN],
        cwd=CHECKOUT,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "file")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == ("True\n", "")
