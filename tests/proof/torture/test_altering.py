"""A journal altered byte by byte, and by a forger who knows everything but the key: nothing of that
is accepted, each has a name, and a defect that would let it pass is noticed.

All alterations of bytes are tried by ``python -m proof.torture altering --count 0 --each all``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import pytest

from controller.configuration.model import Configuration
from controller.daemon.journaling import sealing
from controller.evidence import at_start
from controller.evidence import verification as verifying
from controller.evidence.recorded import Vouched
from controller.evidence.scrub import Walk
from controller.journal import commits, rows
from controller.journal.opening import PAGE_BYTES
from controller.journal.schema import FILE_NAME
from proof.torture.alterations.file_bytes import alterations, classes
from proof.torture.alterations.image import LOG_NAME, Files, write_files
from proof.torture.alterations.judging import SCRUBBER, START, Attack, Kind, judge
from proof.torture.alterations.material import Material, PlayedJournal, play_journal, play_material
from proof.torture.alterations.named import NAMED, Named
from proof.torture.alterations.vouching import ENDS, goes_on
from proof.torture.altering import (
    GOES_ON,
    NOBODY,
    Account,
    Tried,
    byte_trials,
    judged,
    run_trials,
    trial_place,
)
from tests.journal.helpers import opened

SEED = 20261126
EACH = 2
"""Trials of each attack that has a name."""


class Table(NamedTuple):
    """What is altered, and where it is put."""

    material: Material
    played: PlayedJournal
    config: Configuration

    def judged(self, files: Files) -> Tried:
        image = replace(self.played.image, files=files)
        return judged(0, "", Attack(image, Kind.OVERWRITTEN, "by hand"), self.config)

    def tried(self, attack: Named, trials: int = EACH) -> Iterator[Tried]:
        images, own, config = self.material.images, self.material.own, self.config
        for number in range(trials):
            yield judged(number, "", attack(images, own, Random(number)), config)

    def vouched(self, end: str = "") -> list[str]:
        images, own = self.material.images, self.material.own
        return goes_on(images, own, Random(SEED), self.config, end)


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    with trial_place() as (folder, config):
        played = play_journal(folder / "bytes", rounds=4, seed=5)
        yield Table(play_material(folder / "made", SEED), played, config)


def test_nothing_that_is_forged_by_chance_is_accepted() -> None:
    seed = Random().randrange(1_000_000)
    print(f"seed {seed}")
    account = Account()
    for one in run_trials(seed, range(1, 101)):
        account.count_trial(one)
    assert not account.wrong, f"altering --seed {seed} --first 1 --count 100 --each 0"
    assert account.names[GOES_ON] == 1
    assert account.kinds[Kind.FITTED.words] > account.kinds[Kind.BROKEN.words] > 0


@pytest.mark.parametrize("name", ["signed", "stopped", "successor"])
def test_what_is_genuine_is_well(table: Table, name: str) -> None:
    genuine = Attack(table.material.images[name], Kind.BROKEN, "genuine")
    found, _ = judge(genuine, table.config)
    assert not any(found.values()), found


@pytest.mark.parametrize("attack", NAMED)
def test_an_attack_that_has_a_name_is_found(table: Table, attack: Named) -> None:
    assert [one.wrong for one in table.tried(attack)] == [""] * EACH


@pytest.mark.parametrize("end", ENDS)
def test_a_genuine_start_on_a_forged_end_vouches_for_nothing(table: Table, end: str) -> None:
    assert table.vouched(end) == []


# ---- byte by byte --------------------------------------------------------------------------------


def test_untouched_files_are_well(table: Table) -> None:
    tried = table.judged(table.played.left)
    assert (tried.found, tried.wrong) == ({}, "")


def test_nothing_is_accepted_and_everything_is_named(table: Table) -> None:
    account, told = Account(), list[str]()
    for tried in byte_trials(table.played, table.config, Random(5), each=3, pages=25):
        account.count_trial(tried)
        told += tried.found.values()
    assert account.wrong == []
    assert account.kinds.total() > 120
    assert 0 < sum(what.startswith("refused") for what in told) < len(told)
    for who in (START, SCRUBBER, NOBODY):
        assert sum(account.found[kind.words, who] for kind in Kind) > 0, account.found


@pytest.mark.parametrize(
    "what", ["free pages", "file size", "shrinking", "encoding", "application id"]
)
def test_what_would_have_entries_written_over_is_refused(table: Table, what: str) -> None:
    whole = checkpointed(table)
    ends = {name: high for name, _, high in classes(whole[:PAGE_BYTES], 1, Random(1))}
    at = ends[f"header: {what}"] - 1
    altered = whole[:at] + bytes([whole[at] ^ 3]) + whole[at + 1 :]
    assert table.judged(Files(altered, b"")).found[START].startswith("refused")


def checkpointed(table: Table) -> bytes:
    """The journal as one file, its log moved into it."""
    write_files(replace(table.played.image, files=table.played.left), table.config)
    state = table.config.state_directory
    opened(state, boot_id="boot").close()
    assert not (state / LOG_NAME).exists()
    return (state / FILE_NAME).read_bytes()


def test_every_kind_and_every_page_is_among_the_alterations(table: Table) -> None:
    file, log = table.played.left
    every = list(alterations(table.played, Random(1), each=None))
    assert {one.kind for one in every} == {kind for kind in Kind if kind.must is None}
    places = {one.where for one in every}
    assert {f"page {number + 1}" for number in range(len(file) // PAGE_BYTES)} <= places
    assert sum(place.startswith("frame") for place in places) == (len(log) - 32) // 1048
    what = {one.what for one in every}
    assert {"page: digest", "page: values", "page: key", "overflow: text", "frame: salts"} <= what


def test_the_parts_of_a_page_do_not_overlap(table: Table) -> None:
    """Else one class would be counted for another."""
    data = table.played.left.file
    for number, at in enumerate(range(0, len(data), PAGE_BYTES), 1):
        parts = classes(data[at : at + PAGE_BYTES], number, Random(2))
        ends = 0
        for _, low, high in sorted(parts, key=lambda part: part[1:]):
            assert ends <= low <= high <= PAGE_BYTES
            ends = high


# ---- teeth: a defect is planted, and must be noticed --------------------------------------------

Plant = Callable[[pytest.MonkeyPatch], None]


def signs_anything(patch: pytest.MonkeyPatch) -> None:
    """Whose signature it is is not looked at, nor what it is for."""
    honest = commits.read_row

    def read_cover(connection: Any, keys: Collection[Any]) -> commits.Cover:
        row, last = honest(connection)[0], rows.head(connection)
        return commits.Cover(row, last, "", next(iter(keys)))

    patch.setattr("controller.journal.reader.read_cover", read_cover)
    patch.setattr(commits, "read_cover", read_cover)


def forgets_closed_files(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sealing, "closed_before", lambda *_: ())


def hears_no_heads(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(at_start, "check_heads", lambda *_, **__: ())
    patch.setattr(sealing, "night_before", lambda *_: ())


def misses_no_row(patch: pytest.MonkeyPatch) -> None:
    """As if a journal could be without one."""
    honest = commits.read_cover

    def read_cover(connection: Any, keys: Collection[Any]) -> commits.Cover:
        found = honest(connection, keys)
        return replace(found, wrong="") if found.row is None else found

    patch.setattr("controller.journal.reader.read_cover", read_cover)
    hears_no_heads(patch)


@pytest.mark.parametrize(
    ("plant", "attack"),
    [
        (signs_anything, "last_two_rounds"),
        (forgets_closed_files, "before_it_was_closed"),
        (hears_no_heads, "earlier_row"),
        (misses_no_row, "row_away"),
    ],
)
def test_a_planted_defect_is_noticed(
    table: Table, monkeypatch: pytest.MonkeyPatch, plant: Plant, attack: str
) -> None:
    plant(monkeypatch)
    named = next(one for one in NAMED if one.__name__ == attack)
    assert any(one.wrong for one in table.tried(named, 100))


def test_a_start_that_acquits_is_noticed(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "doubts_of", lambda *_: Vouched())
    assert any("not named by the verify" in one for one in table.vouched())


def test_a_walk_that_follows_no_chain_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def finished(walk: Walk) -> None:
        walk.done = True

    monkeypatch.setattr(Walk, "step", finished)
    assert any("not found by scrubber" in one.wrong for one in run_trials(SEED, range(1, 20)))
