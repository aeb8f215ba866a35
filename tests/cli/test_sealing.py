"""``journal heads`` and ``key``; signed heads in ``verify`` and ``export``; ``program``."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tarfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pytest_mock import MockerFixture

from controller.control.client import ControlClient
from controller.evidence import examine
from controller.evidence.heads import SignedHead, append_head, heads_in
from controller.journal import commits, rows
from controller.journal.commits import UNCOVERED
from controller.journal.keys import ControllerKey
from controller.program import this_program
from tests.cli.support import CONFIGURATION, Tablectl
from tests.cli.test_journal import damage
from tests.daemon.process import Place, running
from tests.journal.helpers import WALL
from tests.verifier.support import Told, verifier


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = Place(tmp_path_factory.mktemp("played"))
    with running(place) as daemon:
        with ControlClient(place.socket) as client:
            client.dealer("open")
            client.dealer("wager 1 main 10")
        assert daemon.stop()[0] == 0
    return place.state


@pytest.fixture
def state(played: Path, tmp_path: Path) -> Path:
    """A copy of a stopped table's state."""
    to = tmp_path / "state"
    to.mkdir()
    for name in ("journal.sqlite3", "heads.jsonl", "key"):
        (to / name).write_bytes((played / name).read_bytes())
    (to / "key").chmod(0o600)
    return to


def signed(state: Path) -> list[SignedHead]:
    return [head for _, head in heads_in(state / "heads.jsonl") if isinstance(head, SignedHead)]


def sign_again(state: Path) -> None:
    """The row of the commit that wrote what is the last entry now, as the log may still have it."""
    with closing(sqlite3.connect(state / "journal.sqlite3")) as connection, connection:
        key, identity = ControllerKey(state / "key"), rows.identity(connection)
        commits.store_signature(connection, key, identity, rows.head(connection), WALL)


def inspected(evidence: Path) -> Told:
    """What an inspector's verifier says of evidence."""
    given = ("--heads", evidence / "heads.jsonl", "--key", evidence / "public-key.txt", "--json")
    return verifier(evidence / "journal.jsonl", *given)


def test_the_key_is_told_with_its_fingerprint(tablectl: Tablectl, state: Path) -> None:
    public = ControllerKey(state / "key").public
    told = tablectl("journal", "key", "--state", state, "--json")
    named = {"key": public.text, "fingerprint": public.fingerprint}
    assert (told.code, told.json) == (0, {**named, "kept": "file"})
    assert public.fingerprint in tablectl("journal", "key", "--state", state).out


def test_heads_are_exported_and_the_last_one_is_short(tablectl: Tablectl, state: Path) -> None:
    told = tablectl("journal", "heads", "--state", state)
    assert told.code == 0
    assert f"  {signed(state)[-1].short} " in told.out
    told = tablectl("journal", "heads", "--state", state, "--json")
    assert told.out == (state / "heads.jsonl").read_text(encoding="ascii")


def test_verify_compares_the_heads(tablectl: Tablectl, state: Path, tmp_path: Path) -> None:
    last = signed(state)[-1]
    told = tablectl("journal", "verify", "--state", state, "--json")
    assert (told.code, told.json["heads"], told.json["sealed_to"]) == (
        0,
        len(signed(state)),
        last.seq,
    )
    damage(state, f"DELETE FROM entry WHERE seq > {last.seq - 1}")
    cut = f"entry {last.seq} was signed, and the journal ends with entry {last.seq - 1}"
    with_row = tablectl("journal", "verify", "--state", state, "--json")
    assert (with_row.code, cut in str(with_row.json["findings"])) == (1, True)
    sign_again(state)
    told = tablectl("journal", "verify", "--state", state, "--json")
    assert told.code == 1
    found = [one for one in told.json["findings"] if one["seq"] is not None]  # else: a free page
    assert [one["seq"] for one in found] == [last.seq]
    assert "known from elsewhere" in found[0]["what"]
    elsewhere = tmp_path / "heads.jsonl"
    (state / "heads.jsonl").rename(elsewhere)
    damage(state, "VACUUM")
    alone = tablectl("journal", "verify", "--state", state)
    assert alone.code == 0, "nothing shows that it was put back to an earlier commit"
    assert ", no signed heads: well" in alone.out
    assert tablectl("journal", "verify", "--state", state, "--heads", elsewhere).code == 1


def test_a_bundle_holds_the_journal_against_its_heads(
    tablectl: Tablectl, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)  # no log of this machine's
    damage(state, f"DELETE FROM entry WHERE seq > {signed(state)[-1].seq - 1}")
    out = tmp_path / "b.tar.gz"
    given = ("--socket", tmp_path / "no.sock", "--config", CONFIGURATION, "--out", out)
    assert tablectl("bundle", "--state", state, *given).code == 0
    with tarfile.open(out) as archive:
        file = archive.extractfile("bundle/journal/verify.json")
        assert file is not None
        verified = json.loads(file.read())
    assert (verified["well"], verified["heads"]) == (False, len(signed(state)))


def test_heads_of_another_key_or_unreadable_ones_are_findings(
    tablectl: Tablectl, state: Path, tmp_path: Path
) -> None:
    foreign, path = ControllerKey(tmp_path / "foreign"), state / "heads.jsonl"
    append_head(path, signed(state)[-1].signed(foreign))
    path.write_bytes(path.read_bytes() + b"no head\n")
    told = tablectl("journal", "verify", "--state", state, "--json")
    assert told.code == 1
    assert "was not signed with the controller's key" in told.json["findings"][0]["what"]
    assert "is not JSON" in told.json["findings"][1]["what"]
    other = tablectl("journal", "verify", "--state", state, "--key", foreign.public.text, "--json")
    unknown = [one for one in other.json["findings"] if "was not signed with" in one["what"]]
    assert len(unknown) == len(signed(state))
    row = f"the signed row, for entry {signed(state)[-1].seq}, is not signed with a key that is"
    assert other.json["findings"][0]["what"].startswith(row)
    for key in ("zz", tmp_path, tmp_path / "none"):
        assert tablectl("journal", "verify", "--state", state, "--key", key).code == 2
    assert tablectl("journal", "verify", "--state", state, "--heads", tmp_path / "none").code == 2


def test_evidence_is_what_the_inspectors_verifier_takes(
    tablectl: Tablectl, state: Path, tmp_path: Path
) -> None:
    to = tmp_path / "evidence"
    told = tablectl("journal", "export", "--state", state, "--evidence", to, "--json")
    assert told.code == 0
    assert (told.json["entries"], told.json["left_out"]) == (signed(state)[-1].seq, 0)
    ran = inspected(to)
    assert (ran.status, ran.json["verified"]) == (0, True), ran.text
    *_, line = (to / "heads.jsonl").read_text("ascii").splitlines()
    row, last = json.loads(line), json.loads((to / "journal.jsonl").read_text().splitlines()[-1])
    assert (row["seq"], row["digest"]) == (last["seq"], last["digest"])
    text = "".join(f"{row[name]}\n" for name in ("format", "journal", "seq", "digest", "wall"))
    assert text.startswith("table-controller commit 1\n")
    public = ControllerKey(state / "key").public
    assert row["key"] == public.fingerprint
    signature = bytes.fromhex(row["signature"])
    Ed25519PublicKey.from_public_bytes(public.raw).verify(signature, text.encode())
    for there, name in ((to, to / "journal.jsonl"), (state / "heads.jsonl", state / "heads.jsonl")):
        again = tablectl("journal", "export", "--state", state, "--evidence", there)
        assert (again.code, again.out) == (2, "")
        assert f"{name} is there already: name another directory" in again.err


def test_entries_that_no_signature_covers_are_left_out(
    tablectl: Tablectl, state: Path, tmp_path: Path
) -> None:
    """A head need not be that far: the row covers what came since."""
    last = signed(state)[-1].seq
    lines = (state / "heads.jsonl").read_text(encoding="ascii").splitlines(keepends=True)
    (state / "heads.jsonl").write_text("".join(lines[:-1]), encoding="ascii")
    told = tablectl("journal", "export", "--state", state, "--evidence", tmp_path / "d", "--json")
    assert (told.code, told.json["entries"], told.json["left_out"]) == (0, last, 0)
    with closing(sqlite3.connect(state / "journal.sqlite3")) as connection, connection:
        key, identity = ControllerKey(state / "key"), rows.identity(connection)
        before = rows.row_at(connection, last - 1)
        assert before is not None
        commits.store_signature(connection, key, identity, (last - 1, before[12]), WALL)
    told = tablectl("journal", "export", "--state", state, "--evidence", tmp_path / "e")
    assert told.code == 1
    assert "the last 1 entries are not signed and were left out" in told.out
    told = tablectl("journal", "verify", "--state", state)
    assert (told.code, f"entry {last} is {UNCOVERED}" in told.out) == (1, True)
    (state / "heads.jsonl").unlink()
    with closing(sqlite3.connect(state / "journal.sqlite3")) as connection, connection:
        connection.execute("DELETE FROM signed")
    told = tablectl("journal", "export", "--state", state, "--evidence", tmp_path / "f")
    assert (told.code, (tmp_path / "f").exists()) == (1, False)
    assert "no entry of this journal is signed" in told.err


def test_evidence_needs_no_heads_where_the_commits_are_signed(
    tablectl: Tablectl, state: Path, tmp_path: Path
) -> None:
    last, to = signed(state)[-1].seq, tmp_path / "evidence"
    (state / "heads.jsonl").unlink()
    told = tablectl("journal", "export", "--state", state, "--evidence", to, "--json")
    assert (told.code, told.json["entries"], told.json["last"]) == (0, last, None)
    [line] = (to / "heads.jsonl").read_text("ascii").splitlines()
    assert (json.loads(line)["format"], json.loads(line)["seq"]) == (commits.FORMAT, last)
    assert inspected(to).status == 0
    assert tablectl("journal", "export", "--state", state, "--evidence", tmp_path / "f").code == 0


def test_heads_that_are_signed_meanwhile_are_not_in_the_evidence(
    tablectl: Tablectl, state: Path, tmp_path: Path, mocker: MockerFixture
) -> None:
    """The table goes on: a head of an entry that the row does not cover would be a finding."""
    before, path = (state / "heads.jsonl").read_bytes(), state / "heads.jsonl"
    later = replace(signed(state)[-1], seq=signed(state)[-1].seq + 1)
    make_free = examine._make_free

    def goes_on(to: Path) -> None:
        make_free(to)
        append_head(path, later.signed(ControllerKey(state / "key")))

    mocker.patch.object(examine, "_make_free", goes_on)
    to = tmp_path / "evidence"
    assert tablectl("journal", "export", "--state", state, "--evidence", to).code == 0
    assert path.read_bytes() != before
    exported = (to / "heads.jsonl").read_bytes()
    assert exported.startswith(before)
    assert json.loads(exported[len(before) :])["format"] == commits.FORMAT


def test_the_program_is_the_one_that_runs(tablectl: Tablectl, tmp_path: Path) -> None:
    this_program.cache_clear()
    nobody = tablectl("program", "--socket", tmp_path / "none", "--json")
    assert nobody.code == 0
    assert nobody.json["running"] is None
    assert "was not compared" in tablectl("program", "--socket", tmp_path / "none").out
    place = Place(tmp_path / "place")
    with running(place):
        told = tablectl("program", "--socket", place.socket, "--json")
        assert told.json["running"]["digest"] == told.json["digest"] == nobody.json["digest"]
        assert (told.code, told.json["same"]) == (0, True)
        assert "is this program" in tablectl("program", "--socket", place.socket).out
        heads = tablectl("journal", "heads", "--socket", place.socket)
        assert heads.code == 0, heads.err
