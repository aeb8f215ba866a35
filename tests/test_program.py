"""What the start record says of the program: a digest that anybody can compute."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from controller.program import PACKAGES, ROOT, digest_of_files, this_program

BY_HAND = (
    "find one two -type f ! -path '*/__pycache__/*' -print0 | LC_ALL=C sort -z | "
    "xargs -0 sha256sum | sha256sum"
)
"""As docs/evidence.md gives it."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("one/a.py", "one/b/c.py", "one/b.py", "two/Z.toml", "two/é.py", "other/x.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    (tmp_path / "one" / "__pycache__").mkdir()
    (tmp_path / "one" / "__pycache__" / "a.pyc").write_text("made by Python")
    return tmp_path


def digest(folder: Path) -> str:
    return digest_of_files(folder, ("one", "two"))[0]


def test_it_is_what_sha256sum_says(folder: Path) -> None:
    told = subprocess.run(
        ["sh", "-c", BY_HAND], cwd=folder, capture_output=True, text=True, check=True
    )
    assert told.stdout.split()[0] == digest(folder)
    assert digest_of_files(folder, ("one", "two"))[1] == 5


def test_any_change_of_a_file_changes_it(folder: Path) -> None:
    found = {digest(folder)}
    (folder / "one" / "new.txt").touch()
    found.add(digest(folder))
    (folder / "one" / "new.txt").rename(folder / "two" / "new.txt")
    found.add(digest(folder))
    (folder / "one" / "a.py").write_text("one/a.pz", encoding="utf-8")
    found.add(digest(folder))
    (folder / "one" / "b.py").unlink()
    found.add(digest(folder))
    assert len(found) == 5
    (folder / "other" / "x.py").unlink()
    (folder / "one" / "__pycache__" / "a.pyc").unlink()
    assert digest(folder) in found


def test_this_program_names_its_files_and_libraries() -> None:
    this_program.cache_clear()
    program = this_program()
    assert program.digest == digest_of_files(ROOT, PACKAGES)[0]
    body: dict[str, Any] = program.as_body()
    assert {"pyserial", "pyusb", "transitions"} <= body["libraries"].keys()
    assert "pytest" not in body["libraries"]
    assert all(version and len(record) == 64 for version, record in body["libraries"].values())
    assert body["libraries_digest"] == program.as_status()["libraries_digest"]
