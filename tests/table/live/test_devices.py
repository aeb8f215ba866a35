"""What devices say of themselves, and the shuffler."""

from __future__ import annotations

import pytest

from controller.table.settings import Settings
from tests.table.live.driver import ALL, Live, dealt, live, settings


@pytest.mark.parametrize(
    ("state", "word"), [(4, "jam"), (5, "door open"), (6, "fault"), (9, "unknown state")]
)
def test_the_shufflers_troubles(state: int, word: str) -> None:
    table = Live().play("shuffle 1")
    outcome = table.device("shuffler", "SHUFFLER_STATE", state=state, set=1, count=0, progress=0)
    assert table.wants().shuffle is None
    if state < 7:
        said = f"the shuffler has stopped: {word} (set 1)"
        assert outcome.notes == [said]
        assert said in table.status()["prompt"]


def test_a_shuffle_is_wanted_until_it_runs() -> None:
    table = Live().play("shuffle 2")
    table.device("shuffler", "SHUFFLER_STATE", state=1, set=2, count=384, progress=0)
    table.device("shuffler", "SHUFFLER_STATE", state=2, set=1, count=384, progress=10)
    assert table.wants().shuffle == 2
    table.device("shuffler", "SHUFFLER_STATE", state=2, set=2, count=384, progress=10)
    assert table.wants().shuffle is None


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (0, ""),
        (1, "cards are missing"),
        (2, "there are cards too many"),
        (3, "a card cannot be read"),
        (4, "a foreign card is among them"),
        (77, "it is not complete"),
    ],
)
def test_what_came_out_of_the_shuffler(result: int, words: str) -> None:
    table = Live().play("shuffle 1")
    table.device("shuffler", "CARD_DISCREPANCY", rank=9, suit=2, difference=-1)
    assert table.outcomes[-1].notes == ["shuffler: 1 9D missing"]
    table.device("shuffler", "CARD_DISCREPANCY", rank=0, suit=9, difference=2)
    assert table.outcomes[-1].notes == ["shuffler: 2 a foreign card too many"]
    outcome = table.device("shuffler", "SHUFFLE_DONE", set=1, count=384, result=result)
    assert table.wants().shuffle is None
    notes = [f"shuffler: set 1 is not to be played: {words}"] if words else []
    assert outcome.notes == notes


def test_devices_that_are_not_configured_are_not_heard() -> None:
    table = live(devices=("shoe",))
    table.device("jackpot", "FAULT", faults=1)
    table.up("jackpot")
    table.device("shuffler", "SHUFFLER_STATE", state=1, set=1, count=0, progress=0)
    table.device("keypad", "SHOE_STATE", state=0, remaining=0)
    assert sorted(table.status()["devices"]) == ["shoe"]
    assert table.status()["held"] is None


def test_a_device_that_refuses_holds_the_round_until_it_may_be_told_again() -> None:
    table = dealt("9C 9D 7H 8C 8D", "1 main 10, 2 main 10")
    before = table.wants().resumed
    table.apply("refused", {"command": "GATE", "code": 5}, device="shoe")
    held = table.status()["held"]
    assert held["fault"] == "device-refuses"
    assert held["reason"] == "the card shoe refuses GATE (a fault of its own): look at it"
    assert table.wants().gate_cards == 0
    table.order("resume")
    assert (table.wants().gate_cards, table.wants().resumed) == (1, before + 1)


def test_a_device_that_refuses_between_rounds_holds_nothing() -> None:
    table = Live()
    table.apply("refused", {"command": "ARM", "code": 5}, device="jackpot")
    table.apply("refused", {"command": "GATE", "code": 4}, device="nobody")
    assert table.status()["held"] is None


def test_a_journal_that_does_not_replay_holds_the_table_until_it_is_looked_at() -> None:
    table = Live()
    dumped = table.settings.dump()
    body = {"boot_id": "boot-1", "settings": dumped, "differences": ["entry 7 (CARD): state"]}
    table.apply("start", body)
    held = table.status()["held"]
    assert held["fault"] == "journal-differs"
    assert "entry 7 (CARD): state" in held["reason"]
    table.order("resume")
    assert table.status()["held"] is None


# Devices whose names are not their kinds, and displays -------------------------------------------


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
