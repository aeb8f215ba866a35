"""What the inspector's verifier says of a journal of before on which this version went on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main
from tests.daemon.process import Place
from tests.daemon.sealed import play
from tests.earlier.test_journals_of_before import LAST, VERSIONS, lay
from tests.verifier.support import VERIFIER
from verifier.verify_journal import VERIFIED, WRONG


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def inspected(place: Place, name: str) -> tuple[int, dict[str, Any]]:
    """The verdict on what the controller hands out as evidence."""
    key, to = place.configuration.with_name("journal.vkey"), place.folder / name
    given = ["--state", str(place.state), "--key", str(key), "--evidence", str(to)]
    main(["journal", "export", *given])
    given_to_him = [to / "journal.jsonl", "--heads", to / "heads.jsonl", "--key", key, "--json"]
    ran = subprocess.run(
        [sys.executable, "-I", VERIFIER, *map(str, given_to_him)],
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, json.loads(ran.stdout)


@pytest.mark.parametrize("version", VERSIONS)
def test_one_that_was_stopped_is_verified_to_the_last_commit(place: Place, version: str) -> None:
    lay(place, version, "stopped")
    play(place)
    status, said = inspected(place, "evidence")
    assert (status, said["findings"], said["commits"]) == (VERIFIED, [], 1)
    assert said["sealed_to"] == said["last"]


@pytest.mark.parametrize("version", VERSIONS)
def test_an_end_that_nobody_signed_is_wrong_until_somebody_answers_for_it(
    place: Place, version: str
) -> None:
    lay(place, version, "killed")
    play(place)
    status, said = inspected(place, "held")
    assert status == WRONG
    [found] = said["findings"]
    assert found["entry"] == LAST[version] + 1
    assert "found journal-unsigned-end" in found["what"]
    play(place, resume=True)
    status, said = inspected(place, "resumed")
    assert (status, said["findings"]) == (VERIFIED, [])
    assert any("play went on by Sue" in remark for remark in said["remarks"])
