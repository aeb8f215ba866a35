"""The file of people known by PIN: read only where it is the controller's own and whole."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.cli.table import people
from controller.daemon import people_roll
from controller.daemon.people_roll import BadRoll, KeptPin, Listed
from controller.regular_files import put_in_place

NOVAK = Listed("supervisor", KeptPin(b"s" * 16, b"k" * 32))
TAN = Listed("technician", KeptPin(b"t" * 16, b"l" * 32))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "people.json"
    people_roll.prepare(place, {"Novak": NOVAK, "Tan": TAN})
    put_in_place(place)
    return place


def test_what_was_put_is_read(path: Path) -> None:
    assert people_roll.read_roll(path) == {"Novak": NOVAK, "Tan": TAN}
    assert path.stat().st_mode & 0o7777 == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_where_there_is_none_nobody_is_known(tmp_path: Path) -> None:
    assert people_roll.read_roll(tmp_path / "people.json") == {}


def test_until_it_is_put_the_old_one_counts(path: Path) -> None:
    people_roll.prepare(path, {"Tan": TAN})
    people_roll.prepare(path, {"Novak": NOVAK})  # also where a power cut left half of one
    assert set(people_roll.read_roll(path)) == {"Novak", "Tan"}
    put_in_place(path)
    assert set(people_roll.read_roll(path)) == {"Novak"}


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o601, 0o777])
def test_one_that_others_may_read_lets_nobody_in(path: Path, mode: int) -> None:
    path.chmod(mode)
    with pytest.raises(BadRoll, match=f"has mode {mode:04o} .* expected 0600 .*people pin NAME"):
        people_roll.read_roll(path)


@pytest.mark.needs("root")
def test_one_that_is_somebody_elses_lets_nobody_in(path: Path) -> None:
    os.chown(path, 54321, -1)
    with pytest.raises(BadRoll, match=r"belongs to uid 54321, expected .* controller's own user"):
        people_roll.read_roll(path)


def test_another_kind_of_file_is_not_opened(path: Path) -> None:
    target = path.rename(path.with_name("elsewhere"))
    path.symlink_to(target)
    with pytest.raises(BadRoll, match="cannot be read: it is a symbolic link"):
        people_roll.read_roll(path)
    path.unlink()
    os.mkfifo(path, 0o600)
    with pytest.raises(BadRoll, match="cannot be read: it is a FIFO"):
        people_roll.read_roll(path)


def _first(**changed: Any) -> Callable[[dict[str, Any]], object]:
    return lambda told: told["people"][0].update(changed)


@pytest.mark.parametrize(
    "damage",
    [
        lambda told: told.update(format=2),
        lambda told: told.pop("people"),
        lambda told: told["people"].append(told["people"][0]),
        lambda told: told.update(people=[told["people"][0]] * 300),
        _first(role="owner"),
        _first(role="witness"),  # of a process, of which nobody has the PIN
        _first(name=""),
        _first(name=" Novak"),
        _first(name="No\nvak"),
        _first(name="N" * 65),
        _first(salt="00"),
        _first(scrypt="xyz"),
        _first(scrypt=None),
    ],
)
def test_a_damaged_one_lets_nobody_in(path: Path, damage: Callable[[Any], object]) -> None:
    told = json.loads(path.read_text("ascii"))
    damage(told)
    path.write_text(json.dumps(told), "ascii")
    with pytest.raises(BadRoll, match="is damaged: nobody can sign in"):
        people_roll.read_roll(path)


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100_000, b" " * (1 << 19), b"[]"])
def test_what_is_no_list_lets_nobody_in(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(BadRoll, match="is damaged"):
        people_roll.read_roll(path)


def test_nobody_is_a_witness_by_pin() -> None:
    """That is a process, known by the user that it runs as."""
    assert people_roll.ROLES == people.ROLES == ("dealer", "supervisor", "technician")


def test_a_pin_gives_itself_away_nowhere() -> None:
    kept = KeptPin.from_pin("4711")
    assert kept.is_of("4711")
    assert not kept.is_of("4712")
    assert not KeptPin.of_nobody().is_of("4711")
    assert kept.made != KeptPin.from_pin("4711").made
    assert kept.made.hex() not in repr(Listed("dealer", kept))
