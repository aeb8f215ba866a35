"""One round proven, as a supervisor writes the proof and an inspector verifies it."""

from __future__ import annotations

import errno
import json
import os
import shutil
from base64 import b64decode, b64encode
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.evidence.heads import append_head
from controller.evidence.tree.checkpoint import Checkpoint, parsed, read_checkpoint
from controller.evidence.tree.entries import TREE_FILE as NODES
from controller.journal.export import lines
from controller.journal.keys import ControllerKey
from controller.journal.reader import JournalReader
from proof.torture.alterations.material import play_journal
from tests.cli.support import Ran, StoppedTable, Tablectl, close
from tests.verifier.support import verifier

ROUNDS = 8


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state directory of a table after some rounds of real play in virtual time."""
    folder = tmp_path_factory.mktemp("played")
    play_journal(folder, ROUNDS, 4)
    return folder / "state"


@dataclass
class Desk(StoppedTable):
    """Who proves a table's rounds, and an inspector, who has the public key and no more than the
    files that he is given; all of it stands in ``folder``."""

    key: str

    @property
    def checkpoints(self) -> list[str]:
        return [head.checkpoint for head in self.signed if head.checkpoint and head.seq]

    @property
    def exported(self) -> list[str]:
        with JournalReader(self.state) as reader:
            return list(lines(reader))

    def keep(self, text: str, name: str = "kept.txt") -> Path:
        """Write down a checkpoint."""
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder / name

    def tell(self, *words: object) -> Ran:
        """Give a command about the journal."""
        return self.tablectl("journal", *words, "--state", self.state)

    def run(self, name: str, *which: object) -> Ran:
        """Have that proven, into the file of that name."""
        return self.tell("prove", *which, "--out", self.folder / name)

    def prove(self, name: str, *which: object) -> Any:
        """The proof."""
        ran = self.run(name, *which)
        assert ran.code == 0, ran.err
        return json.loads((self.folder / name).read_text("ascii"))

    def inspect(self, *given: object) -> tuple[int, dict[str, Any]]:
        told = verifier(*given, "--key", self.key, "--json", folder=self.folder)
        return told.status, told.json

    def verdict(self, proof: object, *more: object) -> int:
        """What the inspector says of a proof that was altered."""
        (self.folder / "altered").write_text(json.dumps(proof), "ascii")
        return self.inspect("--proof", "altered", *more)[0]


@pytest.fixture
def desk(played: Path, tmp_path: Path, tablectl: Tablectl) -> Desk:
    shutil.copytree(played, tmp_path / "state")
    return Desk(tmp_path, tablectl, ControllerKey(played / "key").public.text)


def test_every_round_is_proven_whole(desk: Desk) -> None:
    exported = desk.exported
    ends: list[int] = []
    for number in range(1, ROUNDS + 1):
        proof = desk.prove("out", number)
        (desk.folder / "out").rename(desk.folder / "proof")
        seqs = [entry["seq"] for entry in proof["entries"]]
        assert seqs == list(range(seqs[0], seqs[-1] + 1))
        told = [b64decode(entry["leaf"]).decode("ascii") for entry in proof["entries"]]
        assert told == exported[seqs[0] - 1 : seqs[-1]]
        assert json.loads(told[0])["body"]["command"] == "open"
        assert ends == [] or ends[-1] == seqs[0], "where one ends the next one begins"
        if proof["next"] is not None:
            assert proof["next"]["seq"] == seqs[-1] + 1
            ends.append(proof["next"]["seq"])
        status, said = desk.inspect("--proof", "proof")
        assert (status, said["first"], said["last"]) == (0, seqs[0], seqs[-1]), said
    assert len(ends) == ROUNDS - 1
    assert proof["next"] is None
    assert proof["checkpoint"].split("\n")[1] == str(seqs[-1])


def test_its_settlements_and_cards_are_told(desk: Desk) -> None:
    desk.prove("out", 3)
    shown = desk.tablectl("round", "show", 3, "--state", desk.state, "--json").json
    told = "\n".join(desk.inspect("--proof", "out", "--all")[1]["says"])
    assert "those of round 3, all of them" in told
    for one in shown["settlements"]:
        wager = f"box {one['box']}{one['bettor']} hand {one['hand']} {one['kind']}"
        assert f"{wager}: {one['outcome']}, net {one['net']}" in told
    for card in shown["dealer"]["cards"].split():
        assert f"card {card}" in told


def other_leaf(proof: Any, at: int) -> None:
    leaf = bytearray(b64decode(proof["entries"][at]["leaf"]))
    leaf[len(leaf) // 2] ^= 1
    proof["entries"][at]["leaf"] = b64encode(leaf).decode()


def other_step(proof: Any, at: int) -> None:
    proof["entries"][at]["proof"][1] = b64encode(bytes(32)).decode()


def one_less(proof: Any, at: int) -> None:
    del proof["entries"][at]


def an_end_too_early(proof: Any, _: int) -> None:
    proof["entries"].pop()
    proof["next"] = None


def its_own_next(proof: Any, _: int) -> None:
    proof["next"] = proof["entries"][-1]


def other_size(proof: Any, _: int) -> None:
    proof["checkpoint"] = proof["checkpoint"].replace("\n1", "\n2", 1)


@pytest.mark.parametrize(
    "alter", [other_leaf, other_step, one_less, an_end_too_early, its_own_next, other_size]
)
def test_a_changed_byte_anywhere_is_seen(desk: Desk, alter: Callable[[Any, int], None]) -> None:
    whole = desk.prove("out", 3)
    assert desk.verdict(whole) == 0
    for at in (0, len(whole["entries"]) // 2, -1):
        changed = deepcopy(whole)
        alter(changed, at)
        assert desk.verdict(changed) == 1, at


def test_no_part_of_a_round_passes_for_the_whole(desk: Desk) -> None:
    """Entries left out in front, of any length: what opened the round is missing."""
    whole = desk.prove("out", 3)
    for count in range(1, len(whole["entries"])):
        assert desk.verdict({**whole, "entries": whole["entries"][count:]}) == 1
    assert desk.verdict([]) == desk.verdict({}) == 1


@pytest.mark.parametrize("first", [3, ROUNDS - 1])
def test_two_rounds_do_not_pass_for_one(desk: Desk, first: int) -> None:
    """The second one's entries behind the first one's; behind the last round nothing stands."""
    whole, more = desk.prove("one", first), desk.prove("other", first + 1)
    entries = [*whole["entries"], *more["entries"]]
    assert desk.verdict({**more, "entries": entries}) == 1
    named = [json.loads(b64decode(entry["leaf"])) for entry in entries]
    assert sum("round" in line.get("body", line).get("after", {}) for line in named) == 2


def test_the_verifier_key_proves_and_another_key_does_not(desk: Desk) -> None:
    desk.prove("out", 3)
    desk.key = desk.tell("checkpoint", "--vkey").out.strip()
    assert desk.inspect("--proof", "out")[0] == 0
    assert "█" in desk.tell("checkpoint", "--qr").out
    desk.key = ControllerKey(desk.folder / "foreign").public.text
    status, said = desk.inspect("--proof", "out")
    other = "the proof names another verifier key than the one that was given"
    assert (status, said["findings"]) == (1, [other])


def test_a_checkpoint_that_was_kept_binds_it(desk: Desk) -> None:
    kept = desk.keep(desk.checkpoints[2])
    desk.prove("between", "--from", kept)
    assert desk.inspect("--proof", "between")[0] == 0
    desk.prove("proof", 3)
    status, said = desk.inspect("--proof", "proof", "--checkpoint", kept)
    assert status == 2
    assert "name the proof that one extends the other" in said["not_checked"][0]
    bound = ("--proof", "proof", "--checkpoint", kept, "--extension", "between")
    assert desk.inspect(*bound)[0] == 0
    newest = desk.keep(desk.tell("checkpoint").out, "newest.txt")
    assert desk.inspect("--proof", "proof", "--checkpoint", newest)[0] == 0
    assert desk.inspect("--proof", "between", "--checkpoint", kept)[0] == 0


@pytest.mark.parametrize(
    ("which", "code", "says"),
    [
        (("0",), 3, "it is no round"),
        (("99",), 3, "not opened by the newest checkpoint"),
        (("x",), 2, "is no round: a number, or 'last'"),
        (("--from", "none"), 2, "cannot be read"),
        ((), 2, "ROUND"),
    ],
)
def test_what_cannot_be_proven_is_said(
    desk: Desk, which: tuple[str, ...], code: int, says: str
) -> None:
    told = desk.run("out", *which)
    assert (told.code, says in told.err) == (code, True), told.err
    assert not (desk.folder / "out").exists()


def test_a_round_behind_the_last_checkpoint_waits_for_the_next(desk: Desk) -> None:
    heads = desk.heads.read_bytes().splitlines(keepends=True)
    desk.heads.write_bytes(b"".join(heads[: len(heads) // 2]))
    assert desk.run("out", ROUNDS).code == 3
    desk.heads.write_bytes(heads[0])  # signed before the first entry, without a tree
    told = desk.run("out", 1)
    assert (told.code, "no head up to entry 0 has a checkpoint" in told.err) == (3, True)
    assert desk.tell("checkpoint").code == 3


def test_the_last_round_is_the_last_one_that_was_finished_by_the_last_checkpoint(
    desk: Desk,
) -> None:
    """Though rounds were played since, and a snapshot was written."""
    with JournalReader(desk.state) as reader:
        snapshot = next(reader.snapshots())
        commands = [entry for entry in reader.iterate() if entry.type == "dealer"]
    before = [head for head in desk.signed if 0 < head.seq < snapshot]
    desk.heads.write_text("".join(f"{head.line}\n" for head in before), "ascii")
    first, *others = desk.prove("out", "last")["entries"]
    assert desk.inspect("--proof", "out")[0] == 0
    assert first["seq"] in [one.seq for one in commands if one.body["command"] == "open"]
    assert before[-1].seq < first["seq"] + 2 * len([first, *others])  # it ends close behind it


def test_what_was_signed_is_held_against_the_entries(desk: Desk) -> None:
    """A checkpoint of this key that the journal does not lead to; and one in a head."""
    key = ControllerKey(desk.state / "key")
    good = read_checkpoint(desk.checkpoints[2], [key.public])
    forged = desk.keep(Checkpoint(good.origin, good.size, bytes(32)).signed(key))
    told = desk.run("out", "--from", forged)
    assert (told.code, "is not what the journal has now" in told.err) == (1, True)
    forged = desk.keep(Checkpoint(good.origin, 0, good.root).signed(key))
    assert desk.run("out", "--from", forged).code == 1
    assert desk.tell("verify").code == 0
    heads = desk.signed
    wrong = Checkpoint(good.origin, heads[3].seq, bytes(32)).signed(key)
    heads[3] = replace(heads[3], checkpoint=wrong).signed(key)
    desk.heads.write_text("".join(f"{head.line}\n" for head in heads), "ascii")
    told = desk.tell("verify")
    assert told.code == 1
    assert f"entry {heads[3].seq}: does not end the tree that was signed for it" in told.out


def test_rounds_on_both_sides_of_an_archive(desk: Desk) -> None:
    """The tree goes on: an archived round is proven against a checkpoint of the new journal."""
    old, archive, size = (
        desk.keep(desk.checkpoints[-1]),
        desk.folder / "archive",
        len(desk.exported),
    )
    close(desk.state, ControllerKey(desk.state / "key"))
    (desk.state / "archive").rename(archive)
    assert json.loads(desk.exported[0])["body"]["tree"]["size"] == size
    assert desk.run("out", "last").code == 3  # in the archive, and that is said
    desk.prove("last", "last", "--archive", archive)
    told = desk.run("out", 2)
    assert (told.code, "--archive" in told.err) == (3, True)
    desk.prove("out", 2, "--archive", archive)
    desk.prove("between", "--from", old, "--to", desk.folder / "out", "--archive", archive)
    assert desk.inspect("--proof", "out", "--checkpoint", old, "--extension", "between")[0] == 0
    (desk.state / NODES).unlink()  # made anew out of the archive
    desk.prove("again", 2, "--archive", archive)
    assert desk.inspect("--proof", "again")[0] == 0


def test_a_damaged_file_of_nodes_is_done_without(desk: Desk) -> None:
    nodes = desk.state / NODES
    for number, size in (1, nodes.stat().st_size), (2, 8192):
        nodes.write_bytes(b"\1" * size)
        desk.prove(f"{number}", number)
        assert desk.inspect("--proof", f"{number}")[0] == 0


# ---- what a trial from outside found ---------------------------------------------------------


def test_a_draw_is_computed_again_with_the_weights_that_were_approved(desk: Desk) -> None:
    opened, drawn = 0, 0
    pairs: list[list[int]] = []
    for entry in map(json.loads, desk.exported):
        body = entry.get("body", entry)
        opened = body.get("after", {}).get("round", opened)
        drawn = opened if entry["type"] == "draw" else drawn
        pairs = body["settings"]["weights"] if entry["type"] == "start" else pairs
    assert drawn, "no round of this table has a draw"
    weights = [f"{multiplier}={weight}" for multiplier, weight in pairs]
    desk.prove("out", drawn)
    status, said = desk.inspect("--proof", "out", "--weights", ",".join(weights))
    assert (status, said["findings"]) == (0, [])
    assert any("computed again from its ticket, with the weights" in one for one in said["says"])
    other = ",".join([weights[1], weights[0], *weights[2:]])
    status, said = desk.inspect("--proof", "out", "--weights", other)
    assert (status, "with other weights" in said["findings"][0]) == (1, True)


def test_a_running_table_signs_on_between_two_commands(desk: Desk) -> None:
    """The proof is by one checkpoint, the newest is another: that is no forgery."""
    heads, out = desk.heads.read_bytes(), desk.folder / "out"
    with_checkpoint = [line for line in heads.splitlines(keepends=True) if b"checkpoint" in line]
    kept = desk.keep(desk.checkpoints[0])
    desk.heads.write_bytes(b"".join(with_checkpoint[:-1]))
    desk.prove("out", 2)
    desk.heads.write_bytes(heads)
    desk.prove("between", "--from", kept)
    bound = ("--proof", "out", "--checkpoint", kept, "--extension")
    status, said = desk.inspect(*bound, "between")
    assert (status, said["findings"]) == (2, [])
    assert "ask for one between these two" in said["not_checked"][0]
    desk.prove("right", "--from", kept, "--to", out)
    assert desk.inspect(*bound, "right")[0] == 0
    # Kept later than the proof: the other way round.
    desk.keep(desk.checkpoints[-1])
    desk.prove("later", "--from", out, "--to", kept)
    assert desk.inspect(*bound, "later")[0] == 0
    told = desk.run("none", "--from", kept, "--to", out)
    assert (told.code, "expected the earlier one with --from" in told.err) == (2, True)


def test_what_nobody_vouches_for_is_proven_and_void(desk: Desk) -> None:
    """A start has found it, and the checkpoint says so; what came behind it is proven as ever."""
    key, last = ControllerKey(desk.state / "key"), desk.signed[-1]
    good = read_checkpoint(last.checkpoint, [key.public])
    up_to = desk.prove("before", 3)["entries"][0]["seq"]
    text = replace(good, doubted=up_to).signed(key)
    append_head(desk.heads, replace(last, checkpoint=text).signed(key))
    for number, doubted in (1, True), (3, True), (4, False):
        ran = desk.run(f"{number}", number)
        said = f"nobody vouches for the entries up to {up_to}" in ran.err
        assert (ran.code, said) == ((1, True) if doubted else (0, False))
        status, told = desk.inspect("--proof", f"{number}")
        found = [f"up to entry {up_to} nobody vouches" in one for one in told["findings"]]
        assert (status, found) == ((1, [True]) if doubted else (0, []))


@pytest.mark.parametrize("treated", ["{}\n\n", "\n{}", "no end", "CRLF"])
def test_a_kept_checkpoint_has_gone_through_mail_and_editors(desk: Desk, treated: str) -> None:
    text, kept = desk.checkpoints[1], desk.folder / "kept.txt"
    treat = {"no end": text.rstrip("\n"), "CRLF": text.replace("\n", "\r\n")}
    kept.write_bytes(treat.get(treated, treated.format(text)).encode())
    desk.prove("between", "--from", kept)
    assert desk.inspect("--proof", "between", "--checkpoint", kept)[0] == 0


def test_an_export_is_held_against_a_checkpoint_that_was_kept(desk: Desk) -> None:
    kept, export = desk.keep(desk.checkpoints[-1]), desk.folder / "journal.jsonl"
    exported = desk.exported[: desk.signed[-1].seq]

    def verdict(of: list[str], *more: object) -> tuple[int, str]:
        export.write_text("".join(f"{line}\n" for line in of), encoding="ascii")
        status, said = desk.inspect(export, *more)
        return status, json.dumps([said["findings"], said["remarks"], said["not_checked"]])

    status, said = verdict(exported, "--heads", desk.heads, "--checkpoint", kept)
    assert (status, "that you kept" in said) == (0, True)
    # Put back as it was earlier, heads and all: whole by itself, and not what was kept.
    early = parsed(desk.checkpoints[2]).size
    old = [head.line for head in desk.signed if head.seq <= early]
    (desk.folder / "heads").write_text("".join(f"{line}\n" for line in old), encoding="ascii")
    assert verdict(exported[:early], "--heads", "heads")[0] == 0
    status, said = verdict(exported[:early], "--heads", "heads", "--checkpoint", kept)
    assert (status, "the journal was put back" in said) == (1, True)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("--proof", "x", "--heads", "x"), "--heads has no use with --proof"),
        (("--proof", "x", "--known", "1 aaaaaaaa"), "--known has no use with --proof"),
        (("x", "--extension", "x"), "--extension has no use without --proof"),
        (("x", "--page", "x"), "--page has no use without --proof"),
        (("x", "--all"), "--all has no use without --proof"),
        (("--proof", "fifo"), "fifo is no regular file"),
        (("--proof", "list", "--checkpoint", "list"), "list is no checkpoint"),
        (("--proof", "nothing"), "nothing is no proof"),
    ],
)
def test_wrong_use_of_the_verifier_is_named(
    tmp_path: Path, given: tuple[str, ...], says: str
) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "list").write_text("[1]", encoding="ascii")
    (tmp_path / "nothing").write_bytes(b"")
    told = verifier(*given, "--key", "00" * 32, folder=tmp_path)
    assert (told.status, says in told.text) == (2, True), told.text


def test_an_extension_binds_each_root_to_its_size(desk: Desk) -> None:
    """Who has the key signs another history, and an extension that leads the wrong way round."""
    key = ControllerKey(desk.state / "key")
    forged = read_checkpoint(desk.prove("out", "last")["checkpoint"], [key.public])
    # What was kept is twice as large, and its root another's: half of it is the "old" one.
    beside = bytes(range(32))
    size = 1 << (forged.size - 1).bit_length()
    honest = Checkpoint(forged.origin, size // 2, bytes(32))
    joined = sha256(b"\1" + honest.root + beside).digest()
    kept = desk.keep(Checkpoint(forged.origin, size, honest.root).signed(key))
    extension = {
        "old": honest.signed(key),
        "new": Checkpoint(forged.origin, size, joined).signed(key),
        "proof": [b64encode(beside).decode()],
    }
    assert desk.verdict(extension, "--checkpoint", kept) == 1, "of that size another root was kept"
    crossed = Checkpoint(forged.origin, size // 2, joined).signed(key)
    for told in (extension, {**extension, "old": crossed}):
        (desk.folder / "between").write_text(json.dumps(told), encoding="ascii")
        assert desk.inspect("--proof", "out", "--checkpoint", kept, "--extension", "between")[0]


@pytest.mark.parametrize(("number", "code"), [(errno.ENOSPC, 2), (errno.EPERM, 0)])
def test_no_half_of_a_proof_is_left(
    desk: Desk, mocker: MockerFixture, number: int, code: int
) -> None:
    """The disk is full; a stick without links takes it all the same."""
    refused = OSError(number, os.strerror(number))
    mocker.patch("controller.files.new_files.os.link", side_effect=refused)
    told = desk.run("out", 1)
    assert (told.code, "its disk is full" in told.err) == (code, code != 0)
    assert [path.name for path in desk.folder.glob("*out*")] == ["out"] * (code == 0)
