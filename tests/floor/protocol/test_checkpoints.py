"""What ``add-checkpoint`` asks, in strict form, and how it is judged."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.evidence.tree.checkpoint import LOG_KEY, Checkpoint, checkpoint_of, key_id
from controller.evidence.tree.merkle import EMPTY
from controller.witness.exchange import body_of
from floor.protocol.answers import SIZE, Refusal
from floor.protocol.checkpoints import (
    MOST_HASHES,
    HeldCheckpoint,
    SignedCheckpoint,
    extends,
    read_submission,
    signed,
)
from floor.protocol.notes import MOST_SIGNATURES, NoteKey
from tests.floor.uploads import root_of_log
from tests.witness.logs import Log

LEAVES = 60


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return Log(tmp_path_factory.mktemp("log") / "key", leaves=LEAVES)


def key_of(log: Log) -> NoteKey:
    public = log.key.public
    return NoteKey(log.origin, key_id(log.origin, LOG_KEY, public.raw), public)


def asked(log: Log, body: bytes, held: HeldCheckpoint) -> SignedCheckpoint:
    request = read_submission(body)
    found = signed(request, key_of(log) if request.origin == log.origin else None)
    extends(found, request, held)
    return found


def held_of(log: Log, size: int) -> HeldCheckpoint:
    return HeldCheckpoint(size, root_of_log(log, size))


def request(log: Log, old: int, new: int) -> bytes:
    return body_of(log.checkpoint(new), old, log.proof(old, new))


def refusal(log: Log, body: bytes, held: HeldCheckpoint) -> Refusal:
    with pytest.raises(Refusal) as refused:
        asked(log, body, held)
    return refused.value


@given(old=st.integers(0, LEAVES), more=st.integers(0, LEAVES))
def test_every_checkpoint_follows_on_every_earlier_one(log: Log, old: int, more: int) -> None:
    new = min(old + more, LEAVES)
    found = asked(log, request(log, old, new), held_of(log, old))
    assert (found.size, found.root) == (new, root_of_log(log, new))
    assert found.text == log.checkpoint(new)
    assert found.text.startswith(found.note)


@given(held=st.integers(0, LEAVES), old=st.integers(0, LEAVES), new=st.integers(0, LEAVES))
def test_who_begins_elsewhere_is_told_where(log: Log, held: int, old: int, new: int) -> None:
    if old == held or old > new:
        return
    refused = refusal(log, request(log, old, new), held_of(log, held))
    assert (refused.status, refused.body, refused.kind) == (409, f"{held}\n", SIZE)
    assert refused.evidence == (new < held), "a log that went back is one"


def test_a_fork_is_evidence(log: Log) -> None:
    other = Log(log.key.path, "another history", LEAVES)
    for new in (20, 30):
        refused = refusal(log, request(other, 20, new), held_of(log, 20))
        assert (refused.status, refused.evidence) == (422, True)
    assert "another root is held" in str(refusal(log, request(other, 20, 20), held_of(log, 20)))


def test_a_bad_proof(log: Log) -> None:
    good = log.proof(20, 30)
    for proof in (good[::-1], good[1:], [*good, good[0]], []):
        refused = refusal(log, body_of(log.checkpoint(30), 20, proof), held_of(log, 20))
        assert refused.status == 422
    assert refusal(log, body_of(log.checkpoint(9), 0, good[:1]), HeldCheckpoint()).status == 422
    assert refusal(log, body_of(log.checkpoint(9), 9, good[:1]), held_of(log, 9)).status == 422


def test_no_entries_have_one_root(log: Log) -> None:
    def empty(root: bytes) -> bytes:
        return body_of(checkpoint_of(log.key.public, 0, root).signed(log.key), 0, [])

    assert asked(log, empty(EMPTY), HeldCheckpoint()).size == 0
    assert refusal(log, empty(bytes(32)), HeldCheckpoint()).status == 422


def test_whose_word_counts(log: Log, tmp_path: Path) -> None:
    held = held_of(log, 20)
    other = Log(tmp_path / "other-key")
    assert refusal(log, request(other, 20, 30), held).status == 404
    text, foreign = log.checkpoint(30), other.checkpoint(30)
    note, line = text.split("\n\n")
    proof = log.proof(20, 30)

    def of(*lines: str) -> bytes:
        return body_of(f"{note}\n\n" + "".join(lines), 20, proof)

    stranger = foreign.split("\n\n")[1]
    wrong = log.checkpoint(31).split("\n\n")[1]
    assert asked(log, of(stranger, line, line), held).text == text, "the log's signature alone"
    assert refusal(log, of(stranger), held).status == 403
    assert refusal(log, of(wrong), held).status == 403
    assert refusal(log, of(line, wrong), held).status == 403, "one that is not good spoils it"
    many = [f"— other.example/{number} AAAAAAA=\n" for number in range(MOST_SIGNATURES)]
    assert asked(log, of(line, *many[1:]), held).size == 30
    assert refusal(log, of(line, *many), held).status == 400


def test_an_extension_line_is_part_of_what_is_cosigned(log: Log) -> None:
    text = log.checkpoint(30, doubted=7)
    found = asked(log, body_of(text, 20, log.proof(20, 30)), held_of(log, 20))
    assert found.note.endswith("\ndoubted 7\n")
    assert found.text == text


def test_a_bad_request(log: Log) -> None:
    held = held_of(log, 20)
    text, proof = log.checkpoint(30), "".join(f"{one}\n" for one in log.proof(20, 30))
    note, line = text.split("\n\n")
    bad = [
        "",
        "old 20",
        "old 20\n",
        f"old 20\n{proof}{text}",
        f"old  20\n{proof}\n{text}",
        f"old +20\n{proof}\n{text}",
        f"old 020\n{proof}\n{text}",
        f"old -1\n{proof}\n{text}",
        f"old ²\n{proof}\n{text}",
        f"old 9223372036854775808\n{proof}\n{text}",
        f"Old 20\n{proof}\n{text}",
        f"old 20\r\n{proof}\n{text}",
        f"old 20 \n{proof}\n{text}",
        f"old 31\n{proof}\n{text}",
        f"old 20\n{proof.replace('=', '')}\n{text}",
        f"old 20\n{proof[:4]}\n{text}",
        f"old 20\n {proof}\n{text}",
        f"old 20\n{proof}\n{text}\n",
        f"old 20\n{proof}\n{text}trailing",
        f"old 20\n{proof}\n{note}\n",
        f"old 20\n{proof}\n{note}\n\n",
        f"old 20\n{proof}\n{note}\n\n{line[:-1]}",
        f"old 20\n{proof}\n{note}\n\n{line}\r\n",
        f"old 20\n{proof}\n{note}\n\n{line.replace('— ', '- ')}",
        f"old 20\n{proof}\n{note}\n\n{line}— other.example AAAA\n",
        f"old 20\n{proof}\n{note}\n\n{line}— other.example AAAAAAB=\n",
        f"old 20\n{proof}\n{note}\n\n{line}— a+b AAAAAAA=\n",
        "old 20\n" + "A" * 43 + "=\n" * (MOST_HASHES + 1) + f"\n{text}",
    ]
    for body in bad:
        assert refusal(log, body.encode(), held).status == 400, body
    assert refusal(log, b"old 20\n\n", held).status == 404, "it is of no log"
    assert refusal(log, b"old 20\n\xff\n" + text.encode(), held).status == 400
    assert asked(log, f"old 20\n{proof}\n{text}".encode(), held).size == 30


@pytest.mark.parametrize(
    "lines",
    [
        "{origin}\n030\n{root}\n",
        "{origin}\n+30\n{root}\n",
        "{origin}\n30\n",
        "{origin}\n30\n{root}\n\nmore\n",
        "{origin}\n30\n{root}x\n",
        "{origin}\n30\nAAAA\n",
        "{origin}\n9223372036854775808\n{root}\n",
    ],
)
def test_a_note_that_is_signed_and_is_no_checkpoint(log: Log, lines: str) -> None:
    good = checkpoint_of(log.key.public, 30, root_of_log(log, 30))
    root = good.note.split("\n")[2]

    class Written(Checkpoint):
        """Says something else."""

        @property
        def note(self) -> str:
            return lines.format(origin=log.origin, root=root)

    text = Written(log.origin, 30, good.root).signed(log.key)
    held = held_of(log, 20)
    assert refusal(log, body_of(text, 20, log.proof(20, 30)), held).status == 400


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_whatever_comes_is_refused_in_words(log: Log, body: bytes) -> None:
    for raw in (body, b"old 0\n\n" + body, b"old 0\n\n" + log.origin.encode() + b"\n" + body):
        refused = refusal(log, raw, HeldCheckpoint())
        assert refused.status in (400, 403, 404)
        assert refused.body.isprintable() or refused.body[:-1].isprintable()
