"""One round proven, as a supervisor writes the proof and an inspector verifies it."""

from __future__ import annotations

import errno
import json
import os
import shutil
from base64 import b64decode, b64encode
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.evidence.heads import SignedHead, append_head, heads_in, read_head
from controller.evidence.tree.checkpoint import Checkpoint, read_checkpoint
from controller.evidence.tree.entries import TREE_FILE as NODES
from controller.journal.export import lines
from controller.journal.keys import ControllerKey
from controller.journal.reader import JournalReader
from proof.torture.alterations.material import play_journal
from tests.cli.support import Ran, Tablectl, close
from tests.verifier.support import verifier

ROUNDS = 8


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state directory of a table after some rounds of real play in virtual time."""
    folder = tmp_path_factory.mktemp("played")
    play_journal(folder, ROUNDS, 4)
    return folder / "state"


@pytest.fixture
def state(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "state"))


@dataclass
class Inspector:
    """Has the public key, and no more than the files that he is given."""

    key: str

    def __call__(self, *given: object) -> tuple[int, dict[str, Any]]:
        told = verifier(*given, "--key", self.key, "--json")
        return told.status, told.json


@pytest.fixture
def inspector(played: Path) -> Inspector:
    return Inspector(ControllerKey(played / "key").public.text)


def checkpoints(state: Path) -> list[str]:
    found = [head for _, head in heads_in(state / "heads.jsonl") if isinstance(head, SignedHead)]
    return [head.checkpoint for head in found if head.checkpoint and head.seq]


def prove(tablectl: Tablectl, state: Path, out: Path, *which: object) -> Ran:
    return tablectl("journal", "prove", *which, "--out", out, "--state", state)


def test_every_round_is_proven_whole(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    with JournalReader(state) as reader:
        exported = list(lines(reader))
    ends: list[int] = []
    for number in range(1, ROUNDS + 1):
        out = tmp_path / f"{number}.json"
        assert prove(tablectl, state, out, number).code == 0
        proof = json.loads(out.read_text("ascii"))
        seqs = [entry["seq"] for entry in proof["entries"]]
        assert seqs == list(range(seqs[0], seqs[-1] + 1))
        told = [b64decode(entry["leaf"]).decode("ascii") for entry in proof["entries"]]
        assert told == exported[seqs[0] - 1 : seqs[-1]]
        assert json.loads(told[0])["body"]["command"] == "open"
        assert ends == [] or ends[-1] == seqs[0], "where one ends the next one begins"
        if proof["next"] is not None:
            assert proof["next"]["seq"] == seqs[-1] + 1
            ends.append(proof["next"]["seq"])
        status, said = inspector("--proof", out)
        assert (status, said["first"], said["last"]) == (0, seqs[0], seqs[-1]), said
    assert len(ends) == ROUNDS - 1
    assert proof["next"] is None
    assert proof["checkpoint"].split("\n")[1] == str(seqs[-1])


def test_its_settlements_are_told(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    assert prove(tablectl, state, tmp_path / "out", 3).code == 0
    shown = tablectl("round", "show", 3, "--state", state, "--json").json
    _, said = inspector("--proof", tmp_path / "out")
    for one in shown["settlements"]:
        wager = f"box {one['box']}{one['bettor']} hand {one['hand']} {one['kind']}"
        assert f"{wager}: {one['outcome']}, net {one['net']}" in "\n".join(said["says"])


def test_a_changed_byte_anywhere_is_seen(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    out, altered = tmp_path / "out", tmp_path / "altered"
    assert prove(tablectl, state, out, 3).code == 0
    whole = json.loads(out.read_text("ascii"))

    def verdict(proof: Any) -> int:
        altered.write_text(json.dumps(proof), encoding="ascii")
        return inspector("--proof", altered)[0]

    def copy() -> Any:
        return json.loads(json.dumps(whole))

    assert verdict(copy()) == 0
    for at in (0, len(whole["entries"]) // 2):
        leaf = bytearray(b64decode(whole["entries"][at]["leaf"]))
        leaf[len(leaf) // 2] ^= 1
        changed = copy()
        changed["entries"][at]["leaf"] = b64encode(leaf).decode()
        assert verdict(changed) == 1
        changed = copy()
        changed["entries"][at]["proof"][1] = b64encode(bytes(32)).decode()
        assert verdict(changed) == 1
        changed = copy()
        del changed["entries"][at]
        assert verdict(changed) == 1
    changed = copy()
    changed["entries"].pop()  # the last one
    assert verdict(changed) == 1
    changed["next"] = None
    assert verdict(changed) == 1
    changed = copy()
    changed["next"] = changed["entries"][-1]
    assert verdict(changed) == 1
    changed = copy()
    changed["checkpoint"] = changed["checkpoint"].replace("\n1", "\n2", 1)
    assert verdict(changed) == 1
    assert verdict([]) == 1
    assert verdict({}) == 1


def test_another_key_proves_nothing(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    assert prove(tablectl, state, tmp_path / "out", 3).code == 0
    inspector.key = ControllerKey(tmp_path / "foreign").public.text
    status, said = inspector("--proof", tmp_path / "out")
    assert (status, said["findings"]) == (
        1,
        ["the proof names another verifier key than the one that was given"],
    )


def test_a_checkpoint_that_was_kept_binds_it(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    kept, between, proof = tmp_path / "kept.txt", tmp_path / "between", tmp_path / "proof"
    kept.write_text(checkpoints(state)[2], encoding="utf-8")
    assert prove(tablectl, state, between, "--from", kept).code == 0
    assert inspector("--proof", between)[0] == 0
    assert prove(tablectl, state, proof, 3).code == 0
    status, said = inspector("--proof", proof, "--checkpoint", kept)
    assert status == 2
    assert "name the proof that one extends the other" in said["not_checked"][0]
    bound = ("--proof", proof, "--checkpoint", kept, "--extension", between)
    assert inspector(*bound)[0] == 0
    newest = tmp_path / "newest.txt"
    newest.write_text(tablectl("journal", "checkpoint", "--state", state).out, encoding="utf-8")
    assert inspector("--proof", proof, "--checkpoint", newest)[0] == 0
    assert inspector("--proof", between, "--checkpoint", kept)[0] == 0


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
    tablectl: Tablectl, state: Path, tmp_path: Path, which: tuple[str, ...], code: int, says: str
) -> None:
    told = prove(tablectl, state, tmp_path / "out", *which)
    assert told.code == code
    assert says in told.err
    assert not (tmp_path / "out").exists()


def test_a_round_behind_the_last_checkpoint_waits_for_the_next(
    tablectl: Tablectl, state: Path, tmp_path: Path
) -> None:
    heads = (state / "heads.jsonl").read_bytes().splitlines(keepends=True)
    (state / "heads.jsonl").write_bytes(b"".join(heads[: len(heads) // 2]))
    assert prove(tablectl, state, tmp_path / "out", ROUNDS).code == 3
    (state / "heads.jsonl").write_bytes(heads[0])  # signed before the first entry, without a tree
    told = prove(tablectl, state, tmp_path / "out", 1)
    assert told.code == 3
    assert "no head up to entry 0 has a checkpoint" in told.err
    assert tablectl("journal", "checkpoint", "--state", state).code == 3


def test_the_last_round_is_the_last_one_that_was_finished_by_the_last_checkpoint(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    """Though rounds were played since, and a snapshot was written."""
    heads = (state / "heads.jsonl").read_bytes().splitlines(keepends=True)
    with JournalReader(state) as reader:
        snapshot = next(reader.snapshots())
    before = [line for line in heads if 0 < read_head(line).seq < snapshot]
    (state / "heads.jsonl").write_bytes(b"".join(before))
    assert prove(tablectl, state, tmp_path / "out", "last").code == 0
    assert inspector("--proof", tmp_path / "out")[0] == 0
    with JournalReader(state) as reader:
        rounds = [entry for entry in reader.iterate() if entry.type == "dealer"]
    opened = [entry.seq for entry in rounds if entry.body["command"] == "open"]
    proof = json.loads((tmp_path / "out").read_text(encoding="ascii"))
    size = read_head(before[-1]).seq
    assert proof["entries"][0]["seq"] in opened
    assert size < proof["entries"][0]["seq"] + 2 * len(proof["entries"])  # it ends close behind it


def test_what_was_signed_is_held_against_the_entries(
    tablectl: Tablectl, state: Path, tmp_path: Path
) -> None:
    """A checkpoint of this key that the journal does not lead to."""
    key = ControllerKey(state / "key")
    good = read_checkpoint(checkpoints(state)[2], [key.public])
    forged = tmp_path / "forged.txt"
    forged.write_text(Checkpoint(good.origin, good.size, bytes(32)).signed(key), encoding="utf-8")
    told = prove(tablectl, state, tmp_path / "out", "--from", forged)
    assert told.code == 1
    assert "is not what the journal has now" in told.err
    none = Checkpoint(good.origin, 0, good.root).signed(key)
    forged.write_text(none, encoding="utf-8")
    assert prove(tablectl, state, tmp_path / "out", "--from", forged).code == 1
    # The same of a head: the root of its checkpoint is computed again.
    heads = [head for _, head in heads_in(state / "heads.jsonl") if isinstance(head, SignedHead)]
    assert tablectl("journal", "verify", "--state", state).code == 0
    wrong = Checkpoint(good.origin, heads[3].seq, bytes(32)).signed(key)
    heads[3] = replace(heads[3], checkpoint=wrong).signed(key)
    (state / "heads.jsonl").write_text(
        "".join(f"{head.line}\n" for head in heads), encoding="ascii"
    )
    told = tablectl("journal", "verify", "--state", state)
    assert told.code == 1
    assert f"entry {heads[3].seq}: does not end the tree that was signed for it" in told.out


def test_verifier_key_and_code(tablectl: Tablectl, state: Path, inspector: Inspector) -> None:
    vkey = tablectl("journal", "checkpoint", "--vkey", "--state", state).out.strip()
    out = state / "out"
    assert prove(tablectl, state, out, 1).code == 0
    inspector.key = vkey
    assert inspector("--proof", out)[0] == 0
    drawn = tablectl("journal", "checkpoint", "--qr", "--state", state).out
    assert "█" in drawn


def test_rounds_on_both_sides_of_an_archive(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    """The tree goes on: an archived round is proven against a checkpoint of the new journal."""
    kept, archive = checkpoints(state)[-1], tmp_path / "archive"
    with JournalReader(state) as reader:
        size = reader.head.seq
    close(state, ControllerKey(state / "key"))
    (state / "archive").rename(archive)
    old = tmp_path / "old.txt"
    old.write_text(kept, encoding="utf-8")
    out = tmp_path / "out"
    with JournalReader(state) as reader:
        first = next(iter(reader.iterate()))
        assert first.body["tree"]["size"] == size  # type: ignore[index]
    assert prove(tablectl, state, out, "last").code == 3  # in the archive, and that is said
    assert prove(tablectl, state, tmp_path / "last", "last", "--archive", archive).code == 0
    assert prove(tablectl, state, out, 2).code == 3
    assert "--archive" in prove(tablectl, state, out, 2).err
    assert prove(tablectl, state, out, 2, "--archive", archive).code == 0
    between, given = tmp_path / "between", ("--from", old, "--to", out, "--archive", archive)
    assert prove(tablectl, state, between, *given).code == 0
    assert inspector("--proof", out, "--checkpoint", old, "--extension", between)[0] == 0
    out.unlink()
    (state / NODES).unlink()  # made anew out of the archive
    assert prove(tablectl, state, out, 2, "--archive", archive).code == 0
    assert inspector("--proof", out)[0] == 0


def test_a_damaged_file_of_nodes_is_done_without(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    (state / NODES).write_bytes(b"\1" * (state / NODES).stat().st_size)
    told = prove(tablectl, state, tmp_path / "out", 1)
    assert told.code == 0
    (state / NODES).write_bytes(b"\1" * 8192)
    assert prove(tablectl, state, tmp_path / "again", 2).code == 0
    assert inspector("--proof", tmp_path / "again")[0] == 0


# ---- what a trial from outside found ---------------------------------------------------------


def test_a_proof_names_its_round_and_tells_it(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    out = tmp_path / "out"
    assert prove(tablectl, state, out, 3).code == 0
    status, said = inspector("--proof", out, "--all")
    assert (status, said["round"]) == (0, 3)
    shown = tablectl("round", "show", 3, "--state", state, "--json").json
    told = "\n".join(said["says"])
    assert "those of round 3, all of them" in told
    for card in shown["dealer"]["cards"].split():
        assert f"card {card}" in told
    assert "dealer: open" in told


def test_no_part_of_a_round_passes_for_the_whole(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    """Entries left out in front, of any length: what opened the round is missing."""
    assert prove(tablectl, state, tmp_path / "out", 3).code == 0
    whole = json.loads((tmp_path / "out").read_text("ascii"))
    for count in range(1, len(whole["entries"])):
        cut = tmp_path / "cut"
        cut.write_text(json.dumps({**whole, "entries": whole["entries"][count:]}), "ascii")
        assert inspector("--proof", cut)[0] == 1


def test_a_draw_is_computed_again_with_the_weights_that_were_approved(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    with JournalReader(state) as reader:
        entries = list(reader.iterate())
    pairs = next(e.body["settings"]["weights"] for e in entries if e.type == "start")  # type: ignore[index]
    weights = ",".join(f"{multiplier}={weight}" for multiplier, weight in pairs)
    opened, drawn = 0, 0
    for entry in entries:
        opened = entry.body.get("after", {}).get("round", opened)  # type: ignore[attr-defined]
        drawn = opened if entry.type == "draw" else drawn
    assert drawn, "no round of this table has a draw"
    assert prove(tablectl, state, tmp_path / "out", drawn).code == 0
    status, said = inspector("--proof", tmp_path / "out", "--weights", weights)
    assert (status, said["findings"]) == (0, [])
    assert any("computed again from its ticket, with the weights" in one for one in said["says"])
    first, second = weights.split(",")[:2]
    other = weights.replace(f"{first},{second}", f"{second},{first}")
    status, said = inspector("--proof", tmp_path / "out", "--weights", other)
    assert status == 1
    assert "with other weights" in said["findings"][0]


def test_a_running_table_signs_on_between_two_commands(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    """The proof is by one checkpoint, the newest is another: that is no forgery."""
    heads = (state / "heads.jsonl").read_bytes()
    with_checkpoint = [line for line in heads.splitlines(keepends=True) if b"checkpoint" in line]
    kept, between, right = (tmp_path / name for name in ("kept.txt", "between", "right"))
    kept.write_text(checkpoints(state)[0], encoding="utf-8")
    (state / "heads.jsonl").write_bytes(b"".join(with_checkpoint[:-1]))
    assert prove(tablectl, state, tmp_path / "out", 2).code == 0
    (state / "heads.jsonl").write_bytes(heads)
    assert prove(tablectl, state, between, "--from", kept).code == 0
    bound = ("--proof", tmp_path / "out", "--checkpoint", kept)
    status, said = inspector(*bound, "--extension", between)
    assert (status, said["findings"]) == (2, [])
    assert "ask for one between these two" in said["not_checked"][0]
    assert prove(tablectl, state, right, "--from", kept, "--to", tmp_path / "out").code == 0
    assert inspector(*bound, "--extension", right)[0] == 0
    # Kept later than the proof: the other way round.
    kept.write_text(checkpoints(state)[-1], encoding="utf-8")
    right.unlink()
    assert prove(tablectl, state, right, "--from", tmp_path / "out", "--to", kept).code == 0
    assert inspector(*bound, "--extension", right)[0] == 0
    right.unlink()
    told = prove(tablectl, state, right, "--from", kept, "--to", tmp_path / "out")
    assert (told.code, "expected the earlier one with --from" in told.err) == (2, True)


def test_what_nobody_vouches_for_is_proven_and_void(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    """A start has found it, and the checkpoint says so; what came behind it is proven as ever."""
    key, path = ControllerKey(state / "key"), state / "heads.jsonl"
    last = read_head(path.read_bytes().splitlines()[-1])
    good = read_checkpoint(last.checkpoint, [key.public])
    assert prove(tablectl, state, tmp_path / "before", 3).code == 0
    proof = json.loads((tmp_path / "before").read_text("ascii"))
    up_to = proof["entries"][0]["seq"]
    text = replace(good, doubted=up_to).signed(key)
    append_head(path, replace(last, checkpoint=text).signed(key))
    for number, doubted in (1, True), (3, True), (4, False):
        out = tmp_path / str(number)
        ran = prove(tablectl, state, out, number)
        said = f"nobody vouches for the entries up to {up_to}" in ran.err
        assert (ran.code, said) == ((1, True) if doubted else (0, False))
        status, told = inspector("--proof", out)
        found = [f"up to entry {up_to} nobody vouches" in one for one in told["findings"]]
        assert (status, found) == ((1, [True]) if doubted else (0, []))


@pytest.mark.parametrize("treated", ["{}\n\n", "\n{}", "no end", "CRLF"])
def test_a_kept_checkpoint_has_gone_through_mail_and_editors(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector, treated: str
) -> None:
    text = checkpoints(state)[1]
    treat = {"no end": text.rstrip("\n"), "CRLF": text.replace("\n", "\r\n")}
    kept, between = tmp_path / "kept.txt", tmp_path / "between"
    kept.write_bytes(treat.get(treated, treated.format(text)).encode())
    assert prove(tablectl, state, between, "--from", kept).code == 0
    assert inspector("--proof", between, "--checkpoint", kept)[0] == 0


def test_an_export_is_held_against_a_checkpoint_that_was_kept(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    export, kept = tmp_path / "journal.jsonl", tmp_path / "kept.txt"
    kept.write_text(checkpoints(state)[-1], encoding="utf-8")
    signed = read_head((state / "heads.jsonl").read_bytes().splitlines()[-1]).seq
    with JournalReader(state) as reader:
        exported = list(lines(reader, 0, signed))
    heads = ("--heads", state / "heads.jsonl", "--checkpoint", kept)

    def verdict(of: list[str], *more: object) -> tuple[int, str]:
        export.write_text("".join(f"{line}\n" for line in of), encoding="ascii")
        status, said = inspector(export, *more)
        return status, json.dumps([said["findings"], said["remarks"], said["not_checked"]])

    status, said = verdict(exported, *heads)
    assert (status, "that you kept" in said) == (0, True)
    # Put back as it was earlier, heads and all: whole by itself, and not what was kept.
    early = read_checkpoint(checkpoints(state)[2], [ControllerKey(state / "key").public]).size
    old = [
        head.line
        for _, head in heads_in(state / "heads.jsonl")
        if isinstance(head, SignedHead) and head.seq <= early
    ]
    (tmp_path / "heads").write_text("".join(f"{line}\n" for line in old), encoding="ascii")
    rolled_back = exported[:early]
    assert verdict(rolled_back, "--heads", tmp_path / "heads")[0] == 0
    status, said = verdict(rolled_back, "--heads", tmp_path / "heads", "--checkpoint", kept)
    assert (status, "the journal was put back" in said) == (1, True)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("--proof", "x", "--heads", "x"), "--heads has no use with --proof"),
        (("--proof", "x", "--known", "1 aaaaaaaa"), "--known has no use with --proof"),
        (("x", "--extension", "x"), "--extension has no use without --proof"),
        (("--proof", "fifo"), "fifo is no regular file"),
        (("--proof", "list", "--checkpoint", "list"), "list is no checkpoint"),
        (("--proof", "nothing"), "nothing is no proof"),
    ],
)
def test_wrong_use_of_the_verifier_is_named(
    tmp_path: Path, inspector: Inspector, given: tuple[str, ...], says: str
) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "list").write_text("[1]", encoding="ascii")
    (tmp_path / "nothing").write_bytes(b"")
    told = verifier(*given, "--key", inspector.key, folder=tmp_path)
    assert (told.status, says in told.text) == (2, True), told.text


def test_a_full_disk_leaves_no_half_of_a_proof(
    tablectl: Tablectl, state: Path, tmp_path: Path, mocker: MockerFixture
) -> None:
    out = tmp_path / "proofs" / "out"
    out.parent.mkdir()
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    mocker.patch("controller.files.new_files.os.link", side_effect=full)
    told = prove(tablectl, state, out, 1)
    assert (told.code, "its disk is full" in told.err) == (2, True)
    assert list(out.parent.iterdir()) == []


@pytest.mark.parametrize("first", [3, ROUNDS - 1])
def test_two_rounds_do_not_pass_for_one(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector, first: int
) -> None:
    """The second one's entries behind the first one's; behind the last round nothing stands."""
    one, other, merged = (tmp_path / name for name in ("one", "other", "merged"))
    assert prove(tablectl, state, one, first).code == 0
    assert prove(tablectl, state, other, first + 1).code == 0
    whole, more = (json.loads(path.read_text("ascii")) for path in (one, other))
    entries = [*whole["entries"], *more["entries"]]
    merged.write_text(json.dumps({**more, "entries": entries}), "ascii")
    assert inspector("--proof", merged)[0] == 1
    named = [json.loads(b64decode(entry["leaf"])) for entry in entries]
    assert sum("round" in line.get("body", line).get("after", {}) for line in named) == 2


def test_an_extension_binds_each_root_to_its_size(
    tablectl: Tablectl, state: Path, tmp_path: Path, inspector: Inspector
) -> None:
    """Who has the key signs another history, and an extension that leads the wrong way round."""
    key = ControllerKey(state / "key")
    assert prove(tablectl, state, tmp_path / "out", "last").code == 0
    proof = json.loads((tmp_path / "out").read_text("ascii"))
    forged = read_checkpoint(proof["checkpoint"], [key.public])
    # What was kept is twice as large, and its root another's: half of it is the "old" one.
    beside = bytes(range(32))
    size = 1 << (forged.size - 1).bit_length()
    honest = Checkpoint(forged.origin, size // 2, bytes(32))
    joined = sha256(b"\1" + honest.root + beside).digest()
    kept, extension = tmp_path / "kept.txt", tmp_path / "extension"
    kept.write_text(Checkpoint(forged.origin, size, honest.root).signed(key), encoding="utf-8")
    found = {
        "old": honest.signed(key),
        "new": Checkpoint(forged.origin, size, joined).signed(key),
        "proof": [b64encode(beside).decode()],
    }
    extension.write_text(json.dumps(found), encoding="ascii")
    whole = ("--proof", extension, "--checkpoint", kept)
    assert inspector(*whole)[0] == 1, "of that size another root was kept"
    swapped = Checkpoint(forged.origin, size, honest.root).signed(key)
    kept.write_text(swapped, encoding="utf-8")
    other = tmp_path / "other"
    crossed = {**found, "old": Checkpoint(forged.origin, size // 2, joined).signed(key)}
    other.write_text(json.dumps(crossed), encoding="ascii")
    assert inspector("--proof", tmp_path / "out", "--checkpoint", kept, "--extension", other)[0]
    assert inspector("--proof", tmp_path / "out", "--checkpoint", kept, "--extension", extension)[0]


def test_a_stick_without_links_takes_a_proof(
    tablectl: Tablectl, state: Path, tmp_path: Path, mocker: MockerFixture
) -> None:
    no_links = OSError(errno.EPERM, os.strerror(errno.EPERM))
    mocker.patch("controller.files.new_files.os.link", side_effect=no_links)
    assert prove(tablectl, state, tmp_path / "out", 1).code == 0
    assert [path.name for path in tmp_path.glob("out*")] == ["out"]
