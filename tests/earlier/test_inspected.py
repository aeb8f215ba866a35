"""What the inspector's verifier says of a journal of before on which this version went on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main
from controller.journal.keys import ControllerKey
from tests.daemon.process import Place
from tests.daemon.sealed import play
from tests.earlier.test_journals_of_before import LAST, VERSIONS, lay
from tests.verifier.support import VERIFIER
from verifier.verify_journal import VERIFIED, WRONG


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def _made_since(place: Place) -> str:
    """The key that the controller made when it missed its first one; empty where it has that."""
    there = (place.state / "key-of-before").exists()
    return ControllerKey(place.state / "key").public.text if there else ""


def inspected(place: Place, name: str) -> tuple[int, dict[str, Any]]:
    """The verdict on what the controller hands out as evidence, by the keys that were written down
    and the one that it says it has now."""
    key, to = place.configuration.with_name("journal.vkey"), place.folder / name
    keys = ["--key", str(key), *(["--key", second] if (second := _made_since(place)) else [])]
    main(["journal", "export", "--state", str(place.state), *keys, "--evidence", str(to)])
    given_to_him = [to / "journal.jsonl", "--heads", to / "heads.jsonl", *keys, "--json"]
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


def test_another_key_is_a_remark_where_what_it_found_was_signed_by_the_first(place: Place) -> None:
    lay(place, "0.2.0", "stopped")
    play(place)
    (place.state / "key").rename(place.state / "key-of-before")
    assert "heads-doubted" in play(place)["conditions"]
    status, said = inspected(place, "evidence")
    assert (status, said["findings"]) == (VERIFIED, [])
    [remark] = [one for one in said["remarks"] if "found heads-doubted" in one]
    assert len(said["signed_by"]) == 2
    assert all(f"key {key[:16]}…" in remark for key in said["signed_by"])
