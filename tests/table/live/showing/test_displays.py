"""Devices whose names are not their kinds, and displays."""

from __future__ import annotations

import pytest

from controller.table.settings import Settings
from tests.table.live.driver import ALL, Live, dealt, settings

DISPLAYS = ("left-meter", "right-meter")
KINDS = tuple((name, "display") for name in DISPLAYS)


def with_displays() -> Live:
    return Live(devices=(*ALL, *DISPLAYS), kinds=KINDS)


def test_settings_say_kinds_only_where_they_are_not_the_names() -> None:
    assert "kinds" not in settings().dump()
    given = settings(devices=(*ALL, *DISPLAYS), kinds=KINDS)
    assert given.dump()["kinds"] == dict(KINDS)
    assert Settings.load(given.dump()) == given


def test_the_table_finds_its_devices_by_kind() -> None:
    names = ("front", "stirrer", "button", "pad")
    table = Live()
    kinds = tuple(sorted(zip(names, ALL, strict=True)))
    table.start("boot-2", settings(devices=names, kinds=kinds))
    for at, name in enumerate(names):
        table.numbers[name], table.sessions[name] = 0, 500 + at
        table.up(name)
    assert list(table.status()["devices"]) == list(names)
    table.device("front", "SHOE_STATE", state=2, remaining=300)
    assert table.table.devices["shoe"].trouble() == "the card shoe has its lid open"
    table.device("front", "SHOE_STATE", state=1, remaining=384)
    table.device("pad", "KEY", key="O", supervisor=0)
    assert table.state == "betting"
    table.down("button")
    assert "No Pandemonium wagers" in table.status()["prompt"]


@pytest.mark.parametrize("kind", ["PRESS", "COVER", "STUCK"])
def test_what_a_display_says_of_a_button_is_none(kind: str) -> None:
    table = with_displays()
    fields = {"PRESS": {"offer_id": 1}, "COVER": {"open": 1}, "STUCK": {"held_ms": 6000}}[kind]
    outcome = table.device("left-meter", kind, **fields)
    assert (outcome.notes, table.status()["held"]) == ([], None)
    assert table.status()["devices"]["left-meter"]["last_event"] == 1


def test_faults_of_a_display_are_notices_and_name_it() -> None:
    table = with_displays()
    table.device("left-meter", "FAULT", faults=1 << 6 | 1)
    said = "the display left-meter reports: power, cover open"
    assert said in table.status()["prompt"]
    assert table.status()["held"] is None
    table.up("left-meter", new_session=True)
    assert said not in table.status()["prompt"]


@pytest.mark.parametrize("what", ["another", "firmware", "session", "events"])
def test_a_display_exchanged_or_restarted_in_mid_round_holds_nothing(what: str) -> None:
    table = dealt("KC 8D", devices=(*ALL, *DISPLAYS), kinds=KINDS)
    table.down("left-meter")
    match what:
        case "another":
            table.up("left-meter", serial="OTHER", new_session=True)
            assert "left-meter: it is another one" in table.outcomes[-1].notes[0]
        case "firmware":
            table.up("left-meter", firmware=(2, 0, 0))
            assert "display left-meter: it has another firmware" in table.status()["prompt"]
        case "session":
            table.up("left-meter", new_session=True)
        case "events":
            table.up("left-meter", lost=(1, 4))
    assert table.status()["held"] is None
    assert table.status()["devices"]["left-meter"]["link"] == "up"


def test_a_display_that_shows_another_figure_is_reported_until_it_shows_the_right_one() -> None:
    table = dealt(
        "KC 8D AC",
        "1 main 10, 1 pandemonium 5",
        devices=(*ALL, *DISPLAYS),
        kinds=KINDS,
    )
    table.press()
    table.draw(25)

    def shows(multiplier: int, offer: int = 0) -> list[str]:
        fields = {"offer_id": offer or table.offer, "multiplier": multiplier}
        return table.device("left-meter", "SHOWN", **fields).notes

    def misread() -> str:
        return str(table.status()["devices"]["left-meter"]["faults"])

    assert shows(100) == ["the display left-meter: 25x was drawn, it reads 100x"]
    assert misread() == "25x was drawn, it reads 100x"
    assert shows(25, offer=table.offer + 1) == []  # of another offer: nothing is known of this one
    assert misread() == "25x was drawn, it reads 100x"
    assert shows(0) == ["the display left-meter: 25x was drawn, it cannot be read"]
    assert (shows(25), misread()) == ([], "")
