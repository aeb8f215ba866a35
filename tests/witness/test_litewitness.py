"""Every answer that the protocol has, produced by a stock witness, and read by our own half."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.evidence.tree.checkpoint import note_of
from controller.evidence.tree.cosignature import WitnessKey
from controller.witness.exchange import HttpAnswer, body_of, post_request, stands_at
from tests.witness.logs import Log
from tests.witness.stock import NEEDS, Litewitness, litewitness

pytestmark = pytest.mark.needs(*NEEDS)


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "log-key")


@pytest.fixture
def witness(tmp_path: Path, log: Log) -> Iterator[Litewitness]:
    """One that knows the log, and has cosigned 20 of its entries."""
    with litewitness(tmp_path / "witness") as made:
        made.knows(log.origin, log.vkey)
        made.start()
        assert sent(made, log, 0, 20).status == 200
        yield made


def sent(witness: Litewitness, log: Log, old: int, new: int) -> HttpAnswer:
    return post(witness, body_of(log.checkpoint(new), old, log.proof(old, new)))


def post(witness: Litewitness, body: bytes) -> HttpAnswer:
    return post_request(f"{witness.url}/add-checkpoint", body)


def test_what_it_cosigns_is_good_by_its_verifier_key(witness: Litewitness, log: Log) -> None:
    key = WitnessKey.of_vkey(witness.vkey)
    for old, new in ((20, 21), (21, 256), (256, 300), (300, 300)):
        answer = sent(witness, log, old, new)
        assert answer.status == 200
        lines = answer.body.decode().splitlines()
        assert key.newest_of(lines, note_of(log.checkpoint(new)))
        assert not key.newest_of(lines, note_of(log.checkpoint(new - 1)))


def test_it_cosigns_what_is_doubted_as_such(witness: Litewitness, log: Log) -> None:
    text, key = log.checkpoint(30, doubted=7), WitnessKey.of_vkey(witness.vkey)
    answer = post(witness, body_of(text, 20, log.proof(20, 30)))
    assert answer.status == 200
    lines = answer.body.decode().splitlines()
    assert key.newest_of(lines, note_of(text))
    assert not key.newest_of(lines, note_of(log.checkpoint(30)))


@pytest.mark.parametrize("old", [0, 10, 15])
def test_who_begins_elsewhere_is_told_where_it_stands(
    witness: Litewitness, log: Log, old: int
) -> None:
    answer = sent(witness, log, old, 30)
    assert (answer.status, answer.kind, answer.body) == (409, "text/x.tlog.size", b"20\n")
    assert stands_at(answer) == 20


def test_a_log_that_went_back_is_told_that_the_witness_is_ahead(
    witness: Litewitness, log: Log
) -> None:
    answer = sent(witness, log, 10, 15)
    assert answer.status == 409
    assert stands_at(answer) == 20


def test_a_fork_that_does_not_know_of_it_is_told_where_the_witness_stands(
    witness: Litewitness, tmp_path: Path
) -> None:
    other = Log(tmp_path / "log-key", "another one")
    answer = sent(witness, other, 10, 30)
    assert answer.status == 409
    assert stands_at(answer) == 20


@pytest.mark.parametrize("new", [20, 30], ids=["the same size", "a later one"])
def test_a_fork_from_where_the_witness_stands_is_refused(
    witness: Litewitness, tmp_path: Path, new: int
) -> None:
    """Of the same size with another root the protocol's version 1.0.0 had 409; 0.9.0 says 422 in
    both cases, as the text has since July 2026."""
    answer = sent(witness, Log(tmp_path / "log-key", "another one"), 20, new)
    assert answer.status == 422
    assert stands_at(answer) is None


def test_a_bad_proof_is_refused(witness: Litewitness, log: Log) -> None:
    proof = log.proof(20, 30)
    assert post(witness, body_of(log.checkpoint(30), 20, proof[::-1])).status == 422
    assert post(witness, body_of(log.checkpoint(30), 20, proof)).status == 200


def test_an_unknown_log_is_not_found(witness: Litewitness, tmp_path: Path) -> None:
    assert sent(witness, Log(tmp_path / "another-key"), 0, 10).status == 404


def test_a_bad_signature_is_forbidden(witness: Litewitness, log: Log, tmp_path: Path) -> None:
    note, _, own = log.checkpoint(30).partition("\n\n")
    other = log.checkpoint(31).partition("\n\n")[2]
    assert own != other
    forged = f"{note}\n\n{other}"
    assert post(witness, body_of(forged, 20, log.proof(20, 30))).status == 403


def test_an_old_size_above_the_new_one_is_a_bad_request(witness: Litewitness, log: Log) -> None:
    assert post(witness, body_of(log.checkpoint(20), 30, [])).status == 400


@pytest.mark.parametrize("body", [b"", b"old 20", b"old x\n\n", b"old 20\nAAAA\n\n"])
def test_what_is_no_request_is_a_bad_request(witness: Litewitness, body: bytes) -> None:
    assert post(witness, body).status == 400


def test_where_it_departs_from_the_text(witness: Litewitness, log: Log) -> None:
    """A malformed note is the sender's fault, 400; litewitness 0.9.0 says 500. Our half takes both
    as no answer that means anything."""
    answer = post(witness, body_of(log.checkpoint(30), 20, log.proof(20, 30)) + b"\n")
    assert answer.status == 500
    assert stands_at(answer) is None


def test_what_it_cosigned_it_knows_after_a_start(witness: Litewitness, log: Log) -> None:
    assert sent(witness, log, 20, 30).status == 200
    witness.stop()
    witness.start()
    assert stands_at(sent(witness, log, 0, 30)) == 30
