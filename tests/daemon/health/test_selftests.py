"""Self-tests at the start: what they find is latched before a byte goes to any device; what was
installed is compared with what the installer wrote down of it."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.control.client import ControlClient
from controller.daemon.health.findings import (
    FAILED,
    FaultFinding,
    Found,
    SelfTest,
    Tested,
    run_self_tests,
)
from controller.daemon.health.installed import damage_of, program_self_test
from tests.daemon.process import Place, running


def finds(*found: Tested, able: tuple[str, ...] = ("disk-low",)) -> SelfTest:
    return SelfTest("the disk", able, lambda: found)


def test_nothing_found_is_nothing_told() -> None:
    assert run_self_tests([finds()], {}) == []


def test_what_is_found_is_told_once_for_all_tests() -> None:
    tests = [finds(("disk-low", "9 days")), finds(("disk-low", "no answer"))]
    assert run_self_tests(tests, {}) == [
        FaultFinding("disk-low", "9 days; no answer", present=True)
    ]


def test_what_stands_is_told_again_only_in_other_words() -> None:
    test = finds(("disk-low", "9 days"))
    assert run_self_tests([test], {"disk-low": "9 days"}) == []
    [told] = run_self_tests([test], {"disk-low": "10 days"})
    assert (told.detail, told.present) == ("9 days", True)


def test_what_is_not_found_again_is_over_and_what_nobody_tested_is_not() -> None:
    standing = {"disk-low": "9 days", "copy-failing": "gone", FAILED: "the disk: no"}
    told = run_self_tests([finds()], standing)
    assert [(one.fault, one.present) for one in told] == [("disk-low", False), (FAILED, False)]


def test_what_could_not_be_looked_for_stays_as_it_was() -> None:
    standing = {"disk-low": "9 days"}
    assert run_self_tests([finds(("disk-low", None))], standing) == []
    [told] = run_self_tests([finds(("disk-low", None)), finds(("disk-low", "8 days"))], standing)
    assert told == FaultFinding("disk-low", "8 days", present=True)


def test_a_test_that_cannot_be_carried_out_is_not_passed() -> None:
    def broken() -> Iterator[Found]:
        yield "disk-low", "9 days"
        raise OSError("no such disk")

    tests = [SelfTest("the disk", ("disk-low", "disk-full-soon"), broken)]
    told = run_self_tests(tests, {"disk-full-soon": "2 MiB"})
    assert told == [
        FaultFinding("disk-low", "9 days", present=True),
        FaultFinding(FAILED, "the disk: no such disk", present=True),
    ]


def test_one_that_fails_without_a_word_is_named_all_the_same() -> None:
    def broken() -> list[Found]:
        raise ZeroDivisionError

    [told] = run_self_tests([SelfTest("the program", (), broken)], {})
    assert told.detail == "the program: ZeroDivisionError"


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
