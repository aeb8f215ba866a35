"""The search itself: by a seed, guided, and with an end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from controller.control.protocol import BadRequest, parse_request
from proof.fuzzing import __main__ as command
from proof.fuzzing import guided
from proof.fuzzing.choices import Choices
from proof.fuzzing.search import search
from proof.fuzzing.target import Target, fault_of, smallest


def _stepwise(data: bytes) -> int:
    """Raises where JSON of our own has come as far as a wrong version."""
    try:
        parse_request(data)
    except BadRequest as bad:
        if "speaks version" in str(bad):
            raise ZeroDivisionError("planted") from bad
    return 1


STEPWISE = Target("stepwise", "lines", _stepwise, lambda: [b'{"v":1,"id":1,"do":"status"}'])


def test_the_same_seed_tries_the_same() -> None:
    tried: list[list[bytes]] = []
    for _ in range(2):
        mine: list[bytes] = []
        tried.append(mine)

        def note(data: bytes, mine: list[bytes] = mine) -> int:
            mine.append(data)
            return len(data)

        search(Target("same", "bytes", note, lambda: [b"abc", b"xyz"]), 5, runs=300)
    assert tried[0] == tried[1]
    assert len(set(tried[0])) > 250


def test_a_fault_is_found_kept_once_and_made_small() -> None:
    report = search(STEPWISE, 3, runs=3000)
    (found,) = report.findings.values()
    assert found.place.startswith("ZeroDivisionError at tests/proof/fuzzing/test_search.py")
    assert len(found.data) <= len(b'{"v":1,"id":1,"do":"status"}')
    assert smallest(found) == found
    assert "1 FAULTS" in str(report)
    assert report.runs == 3000


def test_what_reaches_more_joins_the_corpus() -> None:
    report = search(Target("grow", "lines", _stepwise, lambda: [b"{"]), 1, runs=2000)
    assert report.corpus > 1
    assert report.steps > 10


def test_bytes_make_decisions_and_have_an_end() -> None:
    choices = Choices(bytes([7, 1, 2, 255]))
    assert (choices.below(5), choices.below(300), choices.among("ab")) == (2, 258, "b")
    assert not choices.more
    assert (choices.byte(), choices.below(9), choices.raw(4), choices.chance(1)) == (
        0,
        0,
        b"",
        False,
    )


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_numbers_fit_their_field_and_meet_its_bounds(bits: int) -> None:
    numbers = {Choices(bytes([way, n, n, n, n])).number(bits) for way in range(8) for n in range(9)}
    assert min(numbers) == 0
    assert max(numbers) == (1 << bits) - 1


def test_what_was_found_can_be_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "by_name", lambda: {"stepwise": STEPWISE})
    bad = fault_of(STEPWISE, b'{"v":2,"id":1}')
    assert bad is not None
    path = bad.store(tmp_path)
    monkeypatch.setattr(sys, "argv", ["fuzzing", "--again", str(path)])
    assert command.main() == 1
    assert "planted" in capsys.readouterr().out
    path.write_bytes(b"{}")
    assert command.main() == 0
    monkeypatch.setattr(sys, "argv", ["fuzzing", "--again", str(tmp_path / "other-1")])
    assert command.main() == 2


def test_the_command_tells_what_it_ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "by_name", lambda: {"stepwise": STEPWISE})
    monkeypatch.setattr(command, "FOUND", tmp_path)
    arguments = ["stepwise", "--plain", "--runs", "3000", "--seed", "3"]
    monkeypatch.setattr(sys, "argv", ["fuzzing", *arguments])
    assert command.main() == 1
    told = capsys.readouterr().out
    assert "3,000 runs" in told
    assert "seed 3" in told
    (kept,) = tmp_path.iterdir()
    assert f"--again {kept}" in told


def test_an_unknown_target_is_wrong_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["fuzzing", "nothing"])
    with pytest.raises(SystemExit, match="2"):
        command.main()


def test_libfuzzer_is_used_only_where_it_is() -> None:
    asked = [sys.executable, "-c", "import atheris"]
    there = subprocess.run(asked, capture_output=True, check=False).returncode == 0
    assert guided.installed() == there
