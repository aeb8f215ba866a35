"""The forger who knows everything but the key: nothing that he rewrites is accepted, and a defect
that would let it pass is noticed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from controller.configuration.model import Configuration
from controller.daemon.journaling import sealing
from controller.evidence import at_start
from controller.evidence import verification as verifying
from controller.evidence.recorded import Vouched
from controller.evidence.scrub import Walk
from controller.journal import commits, rows
from proof.torture.forged.attacks import Kind
from proof.torture.forged.ends import ENDS
from proof.torture.forged.judging import judge, nights_of
from proof.torture.forged.material import Material, place, play_material
from proof.torture.forged.named import NAMED, Named
from proof.torture.forged.vouching import goes_on
from proof.torture.forging import GOES_ON, Account, Tried, judged, run_trials

SEED = 20261126
EACH = 2
"""Trials of each attack that has a name."""

Table = tuple[Material, Configuration]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    folder = tmp_path_factory.mktemp("forged")
    config = place(folder / "place")
    with nights_of(config):
        yield play_material(folder / "made", SEED), config


def tried(table: Table, attack: Named, trials: int = EACH) -> Iterator[Tried]:
    material, config = table
    for number in range(trials):
        forged = attack(material.images, material.own, Random(number))
        yield judged(number, "", forged, config)


def test_nothing_that_is_forged_by_chance_is_accepted() -> None:
    seed = Random().randrange(1_000_000)
    print(f"seed {seed}")
    account = Account()
    for one in run_trials(seed, range(1, 101)):
        account.count_trial(one)
    assert not account.wrong, f"python -m proof.torture forging --seed {seed} --first 1 --count 100"
    assert account.names[GOES_ON] == 1
    assert account.kinds[Kind.FITTED.value] > account.kinds[Kind.BROKEN.value] > 0


@pytest.mark.parametrize("name", ["signed", "stopped", "successor"])
def test_what_is_genuine_is_well(table: Table, name: str) -> None:
    material, config = table
    found = judge(material.images[name], config, walks=True).found
    assert not any(found.values()), found


@pytest.mark.parametrize("attack", NAMED)
def test_an_attack_that_has_a_name_is_found(table: Table, attack: Named) -> None:
    assert [one.wrong for one in tried(table, attack)] == [""] * EACH


@pytest.mark.parametrize("end", ENDS)
def test_a_genuine_start_on_a_forged_end_vouches_for_nothing(table: Table, end: str) -> None:
    material, config = table
    assert goes_on(material.images, material.own, Random(SEED), config, end) == []


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
    assert any(one.wrong for one in tried(table, named, 100))


def test_a_start_that_acquits_is_noticed(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "doubts_of", lambda *_: Vouched())
    material, config = table
    wrong = goes_on(material.images, material.own, Random(SEED), config)
    assert any("not named by the verify" in one for one in wrong)


def test_a_walk_that_follows_no_chain_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def finished(walk: Walk) -> None:
        walk.done = True

    monkeypatch.setattr(Walk, "step", finished)
    assert any("not found by scrubber" in one.wrong for one in run_trials(SEED, range(1, 20)))
