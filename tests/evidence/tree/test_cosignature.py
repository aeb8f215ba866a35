"""Cosignatures: verifier keys of witnesses, what is good, and the file of those that are kept."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import replace
from pathlib import Path

import pytest

from controller.evidence.tree.checkpoint import note_of, parsed, read_checkpoint
from controller.evidence.tree.cosignature import (
    KEEP,
    ML_DSA_44,
    BadVerifierKey,
    GoodCosignature,
    WitnessKey,
    cosigned,
    kept_of,
    latest,
    read_kept,
    write_kept,
)
from tests.witness.logs import Log
from tests.witness.signer import Signer


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return Signer(tmp_path / "signer")


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "log")


def test_a_verifier_key_reads_as_it_was_written(signer: Signer) -> None:
    assert WitnessKey.of_vkey(signer.vkey) == signer.key
    later = WitnessKey("witness.example/later", ML_DSA_44, bytes(1312))
    assert WitnessKey.of_vkey(later.text) == later
    assert signer.key.is_checked
    assert not later.is_checked


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("+", " ", "NAME"),
        ("witness.example/w1", "", "NAME"),
        ("witness.example/w1", "witness example/w1", "NAME"),
        ("witness.example/w1", "witness.example/w2", "is not the id"),
        ("+BO", "+AO", "none of a witness"),
        ("4ODg", "4OD=", "none of a witness"),
    ],
)
def test_another_text_is_no_verifier_key(tmp_path: Path, old: str, new: str, why: str) -> None:
    key = WitnessKey("witness.example/w1", 4, bytes([0xE0] * 32))
    assert "+BOD" in key.text
    with pytest.raises(BadVerifierKey, match=why):
        WitnessKey.of_vkey(key.text.replace(old, new))


def test_a_key_of_a_log_is_none_of_a_witness(log: Log) -> None:
    with pytest.raises(BadVerifierKey, match="none of a witness"):
        WitnessKey.of_vkey(log.vkey)


def test_a_cosignature_is_good_for_its_note_name_and_key_alone(
    signer: Signer, log: Log, tmp_path: Path
) -> None:
    text = log.checkpoint(20)
    line, note = signer.cosigns(text, 1_700_000_000), note_of(text)
    assert signer.key.time_of(line, note) == 1_700_000_000
    assert signer.key.time_of(line, note_of(log.checkpoint(21))) is None
    assert replace(signer.key, name="witness.example/w2").time_of(line, note) is None
    assert Signer(tmp_path / "another").key.time_of(line, note) is None
    for wrong in (line + " ", line[:-1], line.replace("\u2014", "-"), line[:60], ""):
        assert signer.key.time_of(wrong, note) is None


def test_no_bit_of_a_cosignature_may_differ(signer: Signer, log: Log) -> None:
    text = log.checkpoint(20)
    line, note = signer.cosigns(text), note_of(text)
    start = f"\u2014 {signer.key.name} "
    raw = signer.key.id + (1_800_000_000).to_bytes(8, "big")
    for at in range(0, 76 * 8, 7):
        changed = bytearray(b64decode(line.removeprefix(start)))
        changed[at // 8] ^= 1 << at % 8
        assert signer.key.time_of(start + b64encode(changed).decode(), note) is None
    assert b64decode(line.removeprefix(start)).startswith(raw)


def test_the_latest_one_counts_and_a_time_beyond_all_does_not(signer: Signer, log: Log) -> None:
    text = log.checkpoint(20)
    found = [signer.cosigns(text, time) for time in (5, 9, 7, 1 << 63)]
    assert signer.key.newest_of(found, note_of(text)) == (9, found[1])


def test_what_is_kept_is_read_again_and_bounded(signer: Signer, log: Log, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    kept = [_kept(signer, log, size) for size in range(10, 10 + 2 * KEEP)]
    last = latest([*kept, *kept, _kept(signer, log, 20, time=9)])
    assert [one.size for one in last] == [*range(10 + KEEP, 10 + 2 * KEEP)]
    write_kept(path, last)
    assert read_kept(path) == last
    assert path.stat().st_size < 1000 * KEEP
    assert read_kept(tmp_path / "none") == []


def _kept(signer: Signer, log: Log, size: int, time: int = 1_800_000_000) -> GoodCosignature:
    text = log.checkpoint(size)
    found = kept_of("w1", signer.key, text, [signer.cosigns(text, time)])
    assert found
    return found


def test_lines_that_are_not_good_are_passed_over(signer: Signer, log: Log, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    write_kept(path, [_kept(signer, log, 20)])
    good = path.read_text("ascii")
    forged = good.replace("\\n20\\n", "\\n21\\n")
    assert forged != good
    path.write_text(f"{forged}[]\n{{}}\nnothing\n\n{'[' * 100_000}\n{good}", "ascii")
    assert [one.size for one in read_kept(path)] == [20]


def test_cosignatures_stand_behind_the_signature(signer: Signer, log: Log, tmp_path: Path) -> None:
    other = Signer(tmp_path / "other", "witness.example/w2")
    text = log.checkpoint(20)
    kept = [_kept(signer, log, 19), _kept(signer, log, 20), _kept(other, log, 20)]
    whole = cosigned(text, kept)
    assert whole.startswith(text)
    assert whole.removeprefix(text).splitlines() == [one.cosignature for one in kept[1:]]
    assert read_checkpoint(whole, [log.key.public]).size == parsed(text).size == 20
