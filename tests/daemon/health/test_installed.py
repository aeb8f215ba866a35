"""The self-test of the program: what was installed against what the installer wrote down of it."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.control.client import ControlClient
from controller.daemon.health.findings import run_self_tests
from controller.daemon.health.installed import damage_of, program_self_test
from tests.daemon.process import Place, running

FILES = {"spam/__init__.py": "", "spam/a.py": "a = 1", "spam/b/c.toml": "[c]", "../bin/spam": "#!"}


def install(place: Path, name: str = "spam") -> Path:
    """A distribution as an installer leaves it; the folder that its modules are in."""
    site = place / "site"
    lines = ["spam/__pycache__/a.cpython-311.pyc,,", f"{name}-1.0.dist-info/RECORD,,"]
    for file, text in FILES.items():
        path = site / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        told = urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        lines.append(f"{file},sha256={told},{len(text)}")
    kept = site / f"{name}-1.0.dist-info"
    kept.mkdir()
    (kept / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (kept / "RECORD").write_text("\n".join(lines))
    return site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    installed = install(tmp_path)
    monkeypatch.syspath_prepend(installed)
    return installed


def compile_it(site: Path) -> None:
    (site / "spam" / "__pycache__").mkdir()
    (site / "spam" / "__pycache__" / "a.cpython-311.pyc").write_text("made by Python")


def nothing(site: Path) -> None:
    (site / "other.py").write_text("of somebody else")
    (site / "spam" / "notes.txt").write_text("imported by nobody")


@pytest.mark.parametrize("change", [nothing, compile_it])
def test_what_is_as_it_was_installed_is_not_damaged(
    site: Path, change: Callable[[Path], None]
) -> None:
    change(site)
    assert damage_of("spam") == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda site: (site / "spam/a.py").write_text("a = 2"), "spam/a.py is not as it was inst"),
        (lambda site: (site / "spam/b/c.toml").write_text(""), "spam/b/c.toml is not as it was"),
        (lambda site: (site / "../bin/spam").write_text("#?"), "../bin/spam is not as it was inst"),
        (lambda site: (site / "spam/__init__.py").unlink(), "spam/__init__.py is missing"),
        (lambda site: (site / "spam/b/d.py").touch(), "spam/b/d.py does not belong there"),
        (lambda site: (site / "spam/e.pyc").touch(), "spam/e.pyc does not belong there"),
        (lambda site: (site / "spam/f.so").touch(), "spam/f.so does not belong there"),
    ],
)
def test_any_other_file_is_named(site: Path, change: Callable[[Path], None], said: str) -> None:
    change(site)
    (found,) = damage_of("spam")
    assert found.startswith(said)


def test_where_nothing_was_written_down_nothing_can_be_compared(site: Path) -> None:
    (site / "spam/a.py").write_text("a = 2")
    (site / "spam-1.0.dist-info" / "RECORD").unlink()
    assert damage_of("spam") == damage_of("was-never-installed") == []


def test_a_hash_that_cannot_be_computed_is_no_test_that_was_passed(site: Path) -> None:
    record = site / "spam-1.0.dist-info" / "RECORD"
    record.write_text(record.read_text().replace("sha256=", "md-of-my-own="))
    with pytest.raises(ValueError, match="md-of-my-own"):
        damage_of("spam")


def test_this_installation_is_whole() -> None:
    assert run_self_tests([program_self_test()], {}) == []


def test_a_table_whose_library_was_changed_speaks_to_no_device(tmp_path: Path) -> None:
    site = install(tmp_path, "pyusb")  # found before the real one, which stays what is imported
    (site / "spam/a.py").write_text("a = 2")
    place = Place(tmp_path / "place")
    with running(place, {"PYTHONPATH": str(site)}), ControlClient(place.socket) as client:
        status: Any = client.status()
        assert status["held"]["fault"] == "program-damaged"
        assert "spam/a.py is not as it was installed" in status["held"]["reason"]
        assert status["held"]["remedies"] == []
        assert {one["reason"] for one in status["devices"].values()} == {
            "the controller has just started"
        }
