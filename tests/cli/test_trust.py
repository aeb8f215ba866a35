"""Whose word the key is, in every command that verifies."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.evidence.tree.checkpoint import vkey_of
from controller.evidence.trust import OWN_WORD, add_key
from tests.cli.support import Ran, Tablectl
from tests.journal.helpers import KEY, OTHER_KEY

TOLD = "state.vkey"
"""Beside the state directory of these tests: the path that its start record tells."""


def verify(tablectl: Tablectl, state: Path, *more: object) -> Ran:
    return tablectl("journal", "verify", "--state", state, *more)


def test_the_file_that_the_last_start_record_tells(tablectl: Tablectl, state: Path) -> None:
    """And that it is the journal which names it: on another machine it could name any."""
    ran = verify(tablectl, state)
    told = f"key: {state.with_name(TOLD)}, a file that the journal names"
    assert (ran.code, ran.out.splitlines()[0]) == (0, told)
    assert verify(tablectl, state, "--json").json["key"] == str(state.with_name(TOLD))
    state.with_name(TOLD).write_text(f"{vkey_of(OTHER_KEY.public)}\n", "ascii")
    assert verify(tablectl, state).code == 1
    add_key(state.with_name(TOLD), KEY.public)
    assert verify(tablectl, state).code == 0, "each line is one that counts"


def test_the_journals_own_word_is_none(tablectl: Tablectl, state: Path) -> None:
    state.with_name(TOLD).unlink()
    ran = verify(tablectl, state)
    assert (ran.code, ran.out.splitlines()[0]) == (1, OWN_WORD)
    told = verify(tablectl, state, "--json")
    assert (told.code, told.json["key"], told.json["well"]) == (1, "journal", True)
    assert tablectl("journal", "recover", "--state", state).out.splitlines()[0] == OWN_WORD


def test_the_verifier_key_can_be_written_into_the_file_that_is_missing(
    tablectl: Tablectl, state: Path
) -> None:
    """The shell has made it, empty, before the command runs. There need be no head yet, and the key
    none that counts."""
    line, file = f"{vkey_of(KEY.public)}\n", state.with_name(TOLD)
    (state / "heads.jsonl").unlink(missing_ok=True)
    command = ("journal", "checkpoint", "--vkey", "--state", state)
    ran = tablectl(*command)
    assert (ran.code, ran.out, ran.err) == (0, line, "")
    for before in ("", f"{vkey_of(OTHER_KEY.public)}\n"):
        file.write_text(before, "ascii")
        ran = tablectl(*command)
        assert (ran.code, ran.out) == (0, line)
        assert "the journal's own word: compare it" in ran.err
        file.write_text(before + ran.out, "ascii")
        assert tablectl("journal", "verify", "--state", state).code == 0


@pytest.mark.parametrize("given", ["hex", "vkey", "file of hex", "file of vkeys"])
def test_a_key_that_is_given(tablectl: Tablectl, state: Path, tmp_path: Path, given: str) -> None:
    """And it counts alone, whatever a file says."""
    state.with_name(TOLD).write_text("no key\n", "ascii")
    file = tmp_path / "given"
    file.write_text("\n".join([OTHER_KEY.public.text, KEY.public.text, ""]), "ascii")
    if given == "file of vkeys":
        file.write_text(f"{vkey_of(OTHER_KEY.public)}\n\n{vkey_of(KEY.public)}\n", "ascii")
    key = {"hex": KEY.public.text, "vkey": vkey_of(KEY.public)}.get(given, file)
    ran = verify(tablectl, state, "--key", key)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "key: given")
    assert verify(tablectl, state, "--key", OTHER_KEY.public.text).code == 1
    several = ("--key", OTHER_KEY.public.text, "--key", key)
    assert verify(tablectl, state, *several).code == 0
    assert verify(tablectl, state).code == 2, "a file that is none of keys is no missing one"


@pytest.mark.parametrize(
    "wrong", ["", "zz", "ab" * 31, "x+00000000+AQ==", "table-controller/0+00000000+****"]
)
def test_what_is_no_key_is_named(tablectl: Tablectl, state: Path, wrong: str) -> None:
    ran = verify(tablectl, state, "--key", wrong)
    assert (ran.code, ran.err.startswith("tablectl: --key: ")) == (2, True)


def test_the_file_beside_a_configuration(tablectl: Tablectl, state: Path, tmp_path: Path) -> None:
    place = tmp_path / "etc"
    place.mkdir()
    given = ("--config", place / "table.toml")
    assert verify(tablectl, state, *given).out.splitlines()[0] == OWN_WORD
    add_key(place / "journal.vkey", KEY.public)
    ran = verify(tablectl, state, *given)
    assert (ran.code, ran.out.splitlines()[0]) == (0, f"key: {place / 'journal.vkey'}")
