"""Every state of a round: what is awaited, permitted, said and lit; and void from each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from controller.table.showing.prompt_text import AMBER, GREEN, OFF
from tests.table.live.driver import MBS, RWS, Live, dealt, live
from tests.table.live.grid import check_permitted

SHUFFLES = ["shuffle 1", "shuffle 2"]


class Phase(NamedTuple):
    """A table brought somewhere, and what is to be found there."""

    state: str
    awaiting: str
    colour: int
    short: str
    permitted: list[str]
    make: Callable[[], Live]


def _said(table: Live, *commands: str) -> Live:
    table.say(*commands)
    return table


def _armed(rules: str = MBS) -> Live:
    return dealt(
        "AC 9D 7H KC 8D", "1 main 10, 1 pandemonium 5, 2 main 10, 2 pandemonium 5", rules=rules
    )


def _pressed() -> Live:
    table = _armed()
    table.press()
    return table


def _paying() -> Live:
    table = _armed()
    table.win(25)
    return table


def _doubled() -> Live:
    return _said(dealt("6C 7D 5H"), "double 1 10")


def _after_double() -> Live:
    table = _doubled()
    table.deal("2C")
    return table


def _dealers_turn() -> Live:
    return _said(dealt("9C 7D 9H"), "stand 1")


def _dealer_draws() -> Live:
    table = _dealers_turn()
    table.deal("2D")
    return table


def _moot() -> Live:
    table = dealt("9C 7D 9H", rules=RWS)
    table.deal("9S")  # bust: nothing depends on the dealer
    return table


def _over() -> Live:
    table = _dealers_turn()
    table.deal("KD")
    return table


def _split() -> Live:
    return _said(dealt("8C 7D 8H", "1 main 10, 1b main 10"), "split 1")


def _forced() -> Live:
    return dealt("2C 7D 3H", rules=RWS).play("4S")


PHASES = (
    Phase("idle", "dealer", OFF, "OPEN BETS: O", ["open", "burn", *SHUFFLES], Live),
    Phase(
        "betting",
        "dealer",
        OFF,
        "BETS OPEN: 1 BOX",
        [f"wager BOX {kind} AMOUNT" for kind in ("main", "pair", "pandemonium")]
        + ["close", "burn", "undo", *SHUFFLES],
        lambda: _said(Live(), "open", "wager 1 main 10"),
    ),
    Phase("deal.first_cards", "card", GREEN, "CARD TO BOX 1", ["undo", *SHUFFLES], live),
    Phase("deal.dealer_card", "card", GREEN, "CARD TO DEALER", SHUFFLES, lambda: dealt("9C")),
    Phase("deal.second_cards", "card", GREEN, "CARD TO BOX 1", SHUFFLES, lambda: dealt("9C 7D")),
    Phase("jackpot.armed", "press", AMBER, "BUTTON TO BOX 1", ["nominate 1 BY", *SHUFFLES], _armed),
    Phase("jackpot.drawing", "device", AMBER, "BOX 1: SPINNING", SHUFFLES, _pressed),
    Phase("jackpot.paying", "dealer", AMBER, "BOX 1 PAY 125: E", ["done", *SHUFFLES], _paying),
    Phase(
        "offers.open",
        "dealer",
        GREEN,
        "INSURE/SURRENDER? E",
        [
            "insure 1 AMOUNT",
            "insure 1d@1 AMOUNT",
            "surrender 1",
            "done",
            "hit 1",
            "stand 1",
            "double 1 AMOUNT",
            "absent 1",
            *SHUFFLES,
        ],
        lambda: dealt("9C AD 7H"),
    ),
    Phase(
        "play.decide",
        "dealer",
        GREEN,
        "BOX 1 18: CARD S D L",
        ["hit 1", "stand 1", "double 1 AMOUNT", "split 1", "absent 1", *SHUFFLES],
        lambda: dealt("9C 7D 9H"),
    ),
    Phase("play.forced_card", "card", GREEN, "BOX 1 9: CARD", ["hit 1", *SHUFFLES], _forced),
    Phase(
        "play.split_card",
        "dealer",
        GREEN,
        "B1/1: SECOND CARD",
        ["follow 1b", "undo", *SHUFFLES],
        _split,
    ),
    Phase("play.double_card", "card", GREEN, "BOX 1: DOUBLE CARD", ["undo", *SHUFFLES], _doubled),
    Phase(
        "play.withdraw",
        "dealer",
        GREEN,
        "BOX 1 13: W OR E",
        ["withdraw 1", "keep 1", "done", *SHUFFLES],
        _after_double,
    ),
    Phase(
        "dealer.second_card",
        "card",
        GREEN,
        "CARD TO DEALER 7",
        ["undo", *SHUFFLES],
        _dealers_turn,
    ),
    Phase("dealer.second_card", "dealer", GREEN, "CARD OR E", ["done", *SHUFFLES], _moot),
    Phase("dealer.draw", "card", GREEN, "CARD TO DEALER 9", SHUFFLES, _dealer_draws),
    Phase("settled", "dealer", OFF, "PAY, CLEAR, THEN E", ["next", "open", *SHUFFLES], _over),
)
IDS = [f"{phase.state} {phase.awaiting}" for phase in PHASES]


@pytest.mark.parametrize("phase", PHASES, ids=IDS)
def test_what_is_awaited_said_and_lit(phase: Phase) -> None:
    table = phase.make()
    told = table.status()
    assert told["state"] == phase.state
    assert told["awaiting"] == phase.awaiting
    assert told["permitted"] == phase.permitted
    assert table.rows()[0] == phase.short
    assert table.wants().signal == (phase.colour, 0)


@pytest.mark.parametrize("phase", PHASES, ids=IDS)
def test_what_is_permitted_is_taken_and_nothing_else(phase: Phase) -> None:
    check_permitted(phase.make().table)


@pytest.mark.parametrize("phase", PHASES, ids=IDS)
def test_void(phase: Phase) -> None:
    table = phase.make()
    if phase.state in ("idle", "betting"):
        table.refuses_order("void", "no round that could be void")
        return
    outcome = table.order("void")
    if table.table.hold:  # a multiplier was drawn: a second person confirms it
        body = {"command": "confirm void", "by": "Sam", "why": None, "user": "sam"}
        outcome = table.apply("supervisor", body)
    assert (table.state, table.wants().gate_cards) == ("void", 0)
    returned = [made for made in outcome.settlements if made["outcome"] != "reversed"]
    assert {made["outcome"] for made in returned} == {"returned"}
    assert {made["net"] for made in returned} == {"0.00"}
    assert outcome.settlements == table.status()["owed"]
    assert table.rows()[0] == "VOID: RETURN, THEN E"
    check_permitted(table.table)
    table.say("next", "open", "close")


REPORTS = ["report drawn seen", "report empty-box BOX"]
BY_MBS = ["use", "choose BOX refuse", *REPORTS]
BY_RWS = ["use", "discard", "reconstruct", "void", "void-hand BOX", *REPORTS]


@pytest.mark.parametrize("phase", PHASES, ids=IDS)
def test_a_card_too_many_is_held_and_nothing_is_lost(phase: Phase) -> None:
    table = phase.make()
    before = table.status()
    rules = before["rules"]
    round_is_on = table.table.mid_round
    table.slip("2S", 8)
    told = table.status()
    overdrawn = phase.state == "settled"
    assert told["held"]["fault"] == ("overdraw" if overdrawn else "card-locked")
    assert told["held"]["cards"] == ["2S"]
    closed = {"play.withdraw": "dealer.second_card"}  # a card ends the withdrawal
    assert told["state"] == f"held.{closed.get(phase.state, phase.state)}"
    by_dealer = overdrawn or (round_is_on and rules == MBS)
    assert told["awaiting"] == ("dealer" if by_dealer else "supervisor")
    assert told["permitted"] == (told["held"]["remedies"] if by_dealer else [])
    check_permitted(table.table)
    if not round_is_on:
        assert told["held"]["remedies"] == ["discard"]
        table.order("discard")
        after = table.status()
        # Undo and burning are over.
        for gone in (
            "devices",
            "permitted",
            "actions",
            "shoe",
            "prompt",
            "asks",
            "keypad",
            "drawn",
        ):
            before.pop(gone)
            after.pop(gone)
        assert after == before
        return
    hand = table.table.rnd.next_hand  # type: ignore[union-attr]
    if rules == MBS and phase.state.startswith("deal."):
        hand = None  # nobody refuses a card of the initial deal
    remedies = BY_MBS if rules == MBS else BY_RWS
    # A hand that is settled is no longer in turn, but it can be void all the same.
    box = hand.box if hand else None if rules == MBS else 1
    named = [t.replace("BOX", str(box)) if box and "report" not in t else t for t in remedies]
    assert told["held"]["remedies"] == [t for t in named if "report" in t or "BOX" not in t]
    assert ("(5.8" if rules == MBS else "(A-56") in told["held"]["reason"]
    used = table.table.shoe.used.copy()
    table.order("use")
    assert table.table.shoe.used == used


@pytest.mark.parametrize("phase", PHASES, ids=IDS)
def test_the_machine_is_started_anew(phase: Phase) -> None:
    table = phase.make()
    before = table.status()
    table.start("boot-2")
    held = table.status()["held"]
    if phase.state in ("idle", "betting", "settled"):
        assert held is None
        return
    assert held["fault"] == "power-failure"
    assert "the box was started anew in the middle of round 1" in held["reason"]
    assert "the supervisor decides" in held["reason"]
    outcome = bool(before["settlements"])
    clause = ("5.29.2" if outcome else "5.29.1") if before["rules"] == MBS else "A-61"
    assert f"({clause})" in held["reason"]
    assert held["remedies"] == (["resume"] if before["rules"] == MBS else ["resume", "void"])
    for name in ("shoe", "jackpot", "keypad", "shuffler"):
        table.up(name)
    table.order("resume")
    if clause == "5.29.1":  # who likes may take his wagers back, before anything else happens
        check_permitted(table.table)
        assert "choose 1 return" in table.status()["permitted"]
        assert "choose 1 return" not in before["permitted"]
        if phase.awaiting == "card":
            assert table.wants().gate_cards == 0
            table.say("done")
    after = table.status()
    for told in (before, after):
        if clause == "5.29.1":  # until that is over the gate is locked
            told.pop("prompt")
            told.pop("asks")
            told.pop("keypad")
            told["shoe"].pop("gate")
        told.pop("actions")  # as permitted
        told["permitted"] = [
            text
            for text in told["permitted"]
            if text not in ("undo", "done") and "return" not in text
        ]
    assert after == before


@pytest.mark.parametrize("phase", PHASES, ids=IDS)
def test_a_restart_within_the_same_boot_is_silent(phase: Phase) -> None:
    table = phase.make()
    before = table.status()
    table.start("boot-1")
    assert table.table.hold is None
    for name in ("shoe", "jackpot", "keypad", "shuffler"):
        table.up(name)
    assert table.status() == before


@pytest.mark.parametrize("phase", PHASES, ids=IDS)
@pytest.mark.parametrize("device", ["shoe", "jackpot", "keypad", "shuffler"])
def test_a_device_comes_back_as_it_was(phase: Phase, device: str) -> None:
    table = phase.make()
    before = table.status()
    table.down(device, "unplugged")
    state = table.state
    assert state == phase.state  # a device that is away is no latched hold
    card_due = phase.colour == GREEN and device == "shoe"
    button = device == "jackpot" and phase.state in ("jackpot.armed", "jackpot.drawing")
    held = table.status()["held"]
    assert (held is not None) == (card_due or button)
    if held:
        assert "unplugged" in held["reason"]
        assert table.status()["awaiting"] == "device"
    if device in ("shoe", "jackpot"):  # which change what is permitted
        check_permitted(table.table)
    table.up(device)
    assert table.status() == before


@pytest.mark.parametrize("phase", PHASES, ids=IDS)
@pytest.mark.parametrize("device", ["shoe", "jackpot", "keypad", "shuffler"])
@pytest.mark.parametrize("replaced", [False, True], ids=["restarted", "replaced"])
def test_a_device_that_lost_its_events_holds_a_round(
    phase: Phase, device: str, replaced: bool
) -> None:
    table = phase.make()
    table.down(device)
    table.up(device, serial="other-9" if replaced else "", new_session=True, since="21:04:07")
    held = table.status()["held"]
    if phase.state in ("idle", "betting", "settled"):
        assert held is None
        return
    assert held["fault"] == ("device-replaced" if replaced else "device-restarted")
    assert "since 21:04:07" in held["reason"]
    assert ("other-9" in held["reason"]) == replaced
    table.order("resume")
    assert table.state == phase.state
