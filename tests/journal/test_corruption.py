"""A few alterations of a journal's files, of every sort: none is accepted, each has a name.

All of them are tried by ``python -m proof.torture corruption --each all``.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from controller.journal.opening import PAGE_BYTES
from controller.journal.schema import FILE_NAME
from proof.torture.corruption import Account, Options, try_alterations
from proof.torture.files.altering import BYTE_KINDS, PAGE_KINDS, alterations
from proof.torture.files.material import Files, PlayedJournal, play_journal
from proof.torture.files.pages import classes
from proof.torture.files.trial import Verdict, try_out
from tests.journal.helpers import opened

SEED = 5


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> PlayedJournal:
    return play_journal(tmp_path_factory.mktemp("made"), rounds=4, seed=SEED)


def test_an_untouched_journal_is_well(made: PlayedJournal, tmp_path: Path) -> None:
    assert try_out(made, made.left, tmp_path).verdict is Verdict.HARMLESS


def test_nothing_is_accepted_and_everything_is_named(made: PlayedJournal) -> None:
    account = Account()
    for tried in try_alterations(made, Options(4, SEED, each=3, pages=25)):
        account.count_trial(tried)
    assert account.wrong == []
    assert sum(account.verdicts.values()) > 120
    for verdict in (Verdict.HARMLESS, Verdict.START, Verdict.END, Verdict.SCRUB):
        assert account.verdicts[verdict] > 0, account.verdicts


@pytest.mark.parametrize(
    "what",
    [
        "header: free pages",
        "header: file size",
        "header: shrinking",
        "header: encoding",
        "header: application id",
    ],
)
def test_what_would_have_entries_written_over_is_refused(
    made: PlayedJournal, tmp_path: Path, what: str
) -> None:
    whole = checkpointed(made, tmp_path / "whole")
    [end] = [high for name, _, high in classes(whole[:PAGE_BYTES], 1, Random(1)) if name == what]
    altered = whole[: end - 1] + bytes([whole[end - 1] ^ 3]) + whole[end:]
    (tmp_path / "altered").mkdir()
    assert try_out(made, Files(altered, b""), tmp_path / "altered").verdict is Verdict.START


def checkpointed(made: PlayedJournal, folder: Path) -> bytes:
    """The journal as one file, its log moved into it."""
    folder.mkdir()
    (folder / FILE_NAME).write_bytes(made.left.file)
    (folder / f"{FILE_NAME}-wal").write_bytes(made.left.log)
    opened(folder, boot_id="boot").close()
    assert not (folder / f"{FILE_NAME}-wal").exists()
    return (folder / FILE_NAME).read_bytes()


def test_every_kind_and_every_page_is_among_the_alterations(made: PlayedJournal) -> None:
    every = list(alterations(made, Random(1), each=None))
    kinds = Counter(one.kind for one in every)
    assert set(kinds) == {*BYTE_KINDS, *PAGE_KINDS, "taken away", "replaced by an older one"}
    places = {one.where for one in every}
    assert {f"page {number}" for number in range(1, made.left.pages + 1)} <= places
    assert sum(place.startswith("frame") for place in places) == (len(made.left.log) - 32) // 1048
    what = {one.what for one in every}
    assert {"page: digest", "page: values", "page: key", "overflow: text", "frame: salts"} <= what


def test_the_parts_of_a_page_do_not_overlap(made: PlayedJournal) -> None:
    """Else one class would be counted for another."""
    for number in range(1, made.left.pages + 1):
        page = made.left.file[(number - 1) * PAGE_BYTES : number * PAGE_BYTES]
        ends = 0
        for _, low, high in sorted(classes(page, number, Random(2)), key=lambda part: part[1:]):
            assert ends <= low <= high <= PAGE_BYTES
            ends = high
