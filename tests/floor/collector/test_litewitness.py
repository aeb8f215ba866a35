"""The same requests to a stock witness and to ours get the same status and the same body of a 409,
but where the text of the specification decides otherwise."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from controller.evidence.tree.checkpoint import LOG_KEY, checkpoint_of, encoded, key_id, note_of
from controller.evidence.tree.cosignature import WitnessKey
from controller.evidence.tree.merkle import subtree_proof
from controller.witness.exchange import HttpAnswer, body_of
from tests.floor.collector.test_mirror import path_of
from tests.floor.collectors import Collecting, sent
from tests.witness.logs import Log
from tests.witness.stock import NEEDS, Litewitness, litewitness, program

pytestmark = pytest.mark.needs("postgresql", *NEEDS)

DEPARTS: Final = {
    "a second empty line": (500, 400),
    "no signature": (500, 400),
    "a signature that does not end": (500, 400),
    "a signature without an em dash": (500, 400),
    "a signature of another's that is no base64": (500, 400),
    "a control character": (500, 400),
    "a size with a leading zero": (500, 400),
    "a root that is too short": (500, 400),
}
"""What litewitness 0.9.0 answers and what we do: malformed notes and checkpoints are the sender's
fault."""

TAKES: Final = {
    "a plus sign": (200, 400),
    "a leading zero": (200, 400),
    "no entries with a root": (200, 422),
    "a proof from nothing": (200, 422),
}
"""What litewitness 0.9.0 cosigns and the text (July 2026) refuses: sizes have one spelling, the
empty tree has one root, and from nothing there is nothing to prove."""


@pytest.fixture(scope="module")
def stock(collector: Collecting, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Litewitness]:
    with litewitness(tmp_path_factory.mktemp("stock") / "witness") as made:
        for one in collector.logs[-8:]:
            made.knows(one.origin, one.vkey)
        made.start()
        yield made


def both(collector: Collecting, stock: Litewitness, body: bytes) -> tuple[HttpAnswer, HttpAnswer]:
    return sent(f"{stock.url}/add-checkpoint", body), collector.add_checkpoint(body, "witness")


def forged(log: Log, note: str) -> str:
    """A text that the log's key has signed, whatever it says."""
    raw = key_id(log.origin, LOG_KEY, log.key.public.raw) + log.key.sign(note.encode())
    return f"{note}\n— {log.origin} {encoded(raw)}\n"


def cases(log: Log, other: Log, unknown: Log) -> Iterator[tuple[str, bytes]]:
    """Requests to a witness that holds 20 entries of ``log``; ``other`` is a fork under the same
    key."""

    def of(which: Log, old: int, new: int) -> bytes:
        return body_of(which.checkpoint(new), old, which.proof(old, new))

    good, text, proof = of(log, 20, 30), log.checkpoint(30), log.proof(20, 30)
    note = text.split("\n\n")[0]
    wrong_line = log.checkpoint(31).split("\n\n")[1]
    stranger = unknown.checkpoint(30).split("\n\n")[1]
    root = note.split("\n")[2]

    for old, new in ((0, 30), (10, 30), (10, 15), (0, 0), (19, 20), (25, 30), (0, 20)):
        yield f"from {old} to {new}", of(log, old, new)
    yield "old above the size", body_of(log.checkpoint(20), 30, [])
    yield "a fork of the same size", of(other, 20, 20)
    yield "a fork", of(other, 20, 30)
    yield "a fork from elsewhere", of(other, 10, 30)
    yield "an unknown log", of(unknown, 0, 10)
    yield "a proof in another order", body_of(text, 20, proof[::-1])
    yield "no proof", body_of(text, 20, [])
    yield "a proof that is too long", body_of(text, 20, [*proof, proof[0]])
    yield "a proof that is too short", body_of(text, 20, proof[:-1])
    yield "a proof of the same size", body_of(log.checkpoint(20), 20, proof[:1])
    yield "another's signature alone", body_of(f"{note}\n\n{stranger}", 20, proof)
    yield "a signature of something else", body_of(f"{note}\n\n{wrong_line}", 20, proof)
    yield "nothing", b""
    yield "a line alone", b"old 20"
    yield "no checkpoint", b"old 20\n\n"
    yield "no number", good.replace(b"old 20", b"old x")
    yield "below zero", good.replace(b"old 20", b"old -20")
    yield "beyond all", good.replace(b"old 20", b"old 99999999999999999999")
    yield "no space", good.replace(b"old 20", b"old20")
    yield "a capital", good.replace(b"old 20", b"Old 20")
    yield "a hash that is too short", good.replace(proof[0].encode(), b"AAAA")
    yield "a hash that is no base64", good.replace(proof[0].encode(), b"!" * 44)
    yield "too many hashes", body_of(text, 20, [proof[0]] * 64)
    yield "a second empty line", good + b"\n"
    yield "no signature", body_of(f"{note}\n\n", 20, proof)
    yield "a signature that does not end", good[:-1]
    yield "a signature without an em dash", good.replace("— ".encode(), b"- ")
    yield "a signature of another's that is no base64", good + "— other.example !\n".encode()
    yield "a control character", good + "— other.example\x01 AAAAAAA=\n".encode()
    yield (
        "a size with a leading zero",
        body_of(forged(log, f"{log.origin}\n030\n{root}\n"), 20, proof),
    )
    yield "a root that is too short", body_of(forged(log, f"{log.origin}\n30\nAAAA\n"), 20, proof)
    yield "an extension line", body_of(log.checkpoint(20, doubted=3), 20, [])
    yield (
        "another extension line",
        body_of(forged(log, f"{log.origin}\n30\n{root}\nanother line\n"), 20, proof),
    )
    yield "a signature of another's beside it", body_of(log.checkpoint(30) + stranger, 30, [])
    yield "the same again", of(log, 30, 30)
    yield "a later one", of(log, 30, 300)


def test_it_answers_as_a_stock_witness_does(
    collector: Collecting, stock: Litewitness, log: Log, tmp_path: Path
) -> None:
    other = Log(log.key.path, "another history")
    unknown = Log(tmp_path / "unknown-key")
    first = body_of(log.checkpoint(20), 0, [])
    assert [answer.status for answer in both(collector, stock, first)] == [200, 200]
    found = {}
    for name, body in cases(log, other, unknown):
        theirs, ours = both(collector, stock, body)
        if theirs.status != ours.status:
            found[name] = (theirs.status, ours.status)
        elif ours.status == 409:
            assert (ours.kind, ours.body) == (theirs.kind, theirs.body), name
    assert found == DEPARTS


def test_what_it_takes_and_the_text_does_not(collector: Collecting, stock: Litewitness) -> None:
    a, b, c, d = (collector.logs.pop() for _ in range(4))
    for log in (a, b):
        for answer in both(collector, stock, body_of(log.checkpoint(20), 0, [])):
            assert answer.status == 200
    good = [body_of(log.checkpoint(30), 20, log.proof(20, 30)) for log in (a, b)]
    empty = checkpoint_of(c.key.public, 0, bytes(32)).signed(c.key)
    bodies = {
        "a plus sign": good[0].replace(b"old 20", b"old +20"),
        "a leading zero": good[1].replace(b"old 20", b"old 020"),
        "no entries with a root": body_of(empty, 0, []),
        "a proof from nothing": body_of(d.checkpoint(10), 0, d.proof(5, 10)[:1]),
    }
    for name, body in bodies.items():
        theirs, ours = both(collector, stock, body)
        assert (theirs.status, ours.status) == TAKES[name], name


def test_its_cosignatures_are_as_theirs(
    collector: Collecting, stock: Litewitness, log: Log
) -> None:
    body = body_of(log.checkpoint(10, doubted=3), 0, [])
    theirs, ours = both(collector, stock, body)
    note = note_of(log.checkpoint(10, doubted=3))
    keys = (WitnessKey.of_vkey(stock.vkey), collector.floor.witness)
    for key, answer in zip(keys, (theirs, ours), strict=True):
        assert key.newest_of(answer.body.decode().splitlines(), note)
    assert len(ours.body) - len(collector.floor.witness.name) == len(theirs.body) - len(
        keys[0].name
    )


def test_a_strangers_program_takes_an_entry_by_what_the_mirror_serves(
    collector: Collecting, log: Log, tmp_path: Path
) -> None:
    collector.submit(log, 0, 300)
    assert collector.is_mirrored(collector.upload(log, 0, 300), log, 300)
    served = collector.get(path_of(log)).body.decode()
    entry = tmp_path / "entry"
    entry.write_bytes(log.entries[41])
    hashes = "".join(f"{encoded(one)}\n" for one in subtree_proof(41, 42, 300, log.node))
    Path(f"{entry}.spicy").write_text(f"index 41\n{hashes}\n{served}", "utf-8")
    command: list[str | Path] = [program("spicy-torchwood"), "-verify", log.vkey, entry]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    entry.write_bytes(log.entries[42])
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1
