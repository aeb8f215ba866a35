"""Commands of the page that acts: done once, at the state shown; and who signed in for them."""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
import time
from contextlib import suppress
from typing import Any

import pytest

from console.acting import Actor
from controller.control.client import NoController
from hil_tests.console.touching import PINS
from hil_tests.people.jackpot_button import armed_offer, deal_to_the_button
from tests.console.server.beside import PATIENCE_S, ConsolePage, DealersConsole, code

NOT_ALLOWED = (403, "not_allowed")
LOCK_S = 0.5


def _journal(console: DealersConsole, kind: str = "dealer") -> list[dict[str, Any]]:
    told = console.bench.tablectl("journal", "export").stdout.splitlines()
    entries = [json.loads(line) for line in told]
    return [entry["body"] for entry in entries if entry["type"] == kind]


def test_a_command_given_twice_is_answered_again_and_done_once(
    console: DealersConsole, acting: ConsolePage
) -> None:
    terms = {"at": acting.parts["table"]["at"], "key": secrets.token_hex(8)}
    first = acting.done("wager 2 main 30", **terms)
    assert acting.give("wager 2 main 30", **terms)[1]["result"] == {**first, "again": True}
    assert code(acting.give("wager 2 main 40", **terms)) == (400, "malformed")
    assert [body.get("key") for body in _journal(console)].count(terms["key"]) == 1


def test_likewise_where_the_answer_was_lost(disturbed: DealersConsole) -> None:
    """The console was killed behind the command, and so was the controller."""
    with disturbed.acting() as page:
        terms = {"at": page.parts["table"]["at"], "key": "k-1"}
        first = page.done("open", **terms)
        disturbed.bench.kill_controller()
        disturbed.bench.start_controller()
        page.until(lambda parts: parts["lost"])
        page.until(lambda parts: not parts["lost"])
        assert page.give("open", **terms)[1]["result"] == {**first, "again": True}
    disturbed.restart_console()
    with page.following():
        page.until(lambda parts: not parts["lost"])
        assert page.give("open", **terms)[1]["result"] == {**first, "again": True}
    assert [body["key"] for body in _journal(disturbed)] == ["k-1"]


def test_a_tap_at_another_state_is_refused_and_says_what_is_now(
    console: DealersConsole, acting: ConsolePage
) -> None:
    seen = acting.parts["table"]["at"]
    console.bench.control.dealer("wager 3 main 35")
    acting.until(lambda parts: parts["table"]["at"] != seen)
    status, answer = acting.give("wager 3 main 45", at=seen)
    assert (status, answer["error"]["kind"]) == (409, "changed")
    table = acting.parts["table"]
    assert answer["error"]["at"] == table["at"]
    assert answer["error"]["asks"] == table["asks"]
    assert table["boxes"]["3"]["wagers"]["a"]["main"] == "35.00"


def test_a_refused_command_says_what_may_be_done(acting: ConsolePage) -> None:
    status, answer = acting.give("stand 1")
    assert (status, answer["error"]["kind"]) == (409, "refused")
    assert "close" in answer["error"]["permitted"]


def test_a_dry_run_changes_nothing(acting: ConsolePage) -> None:
    before = acting.parts["table"]["at"]
    commands = ["wager 4 main 25", "wager 4 pair 5"]
    told = acting.post("/command", do="dealer", commands=commands, dry=True)[1]["result"]
    assert [one["at_stake"] for one in told["account"] if one["box"] == 4] == ["30.00"]
    assert acting.get("/choices")[1]["result"]["at"] == before


# ---- who signed in ------------------------------------------------------------------------------


@pytest.mark.needs("root")
def test_without_a_pin_it_may_what_a_dealer_may(
    console: DealersConsole, acting: ConsolePage
) -> None:
    assert code(acting.give("shift", "supervisor", why="x")) == NOT_ALLOWED
    assert code(acting.get("/rounds/last.json")) == NOT_ALLOWED
    assert acting.parts["person"] is None


def test_a_wrong_pin_signs_nobody_in(console: DealersConsole, acting: ConsolePage) -> None:
    assert code(acting.sign_in("Ida", pin="271828")) == NOT_ALLOWED
    assert code(acting.post("/sign-in", person="Nobody", pin="271828")) == NOT_ALLOWED
    assert acting.sign_in("Ida")[1]["result"] == {"person": "Ida", "role": "supervisor"}
    assert acting.until(lambda parts: parts["person"] == "Ida")["role"] == "supervisor"
    assert code(acting.sign_in("Novak", pin="31415926")) == NOT_ALLOWED
    assert acting.post("/sign-out")[0] == 200
    assert acting.until(lambda parts: parts["person"] is None)["role"] is None


def test_who_is_in_acts_by_his_name_until_he_leaves(resting: DealersConsole) -> None:
    with resting.acting() as page:
        page.sign_in("Novak")
        page.done("shift", "supervisor", why="by Novak")
        page.done("open", key="by-novak")
        page.post("/sign-out")
        page.until(lambda parts: parts["person"] is None)
        page.done("wager 5 main 35", key="by-nobody")
    assert _journal(resting, "supervisor")[-1]["person"] == "Novak"
    by = {body.get("key"): body.get("person") for body in _journal(resting)}
    assert (by["by-novak"], by["by-nobody"]) == ("Novak", None)


@pytest.mark.needs("root")
def test_for_one_act_is_for_one_act(resting: DealersConsole) -> None:
    with resting.acting() as page:
        page.sign_in("Ida", once=True)
        assert page.until(lambda parts: parts["person"] == "Ida")["once"] is True
        assert page.give("lies 1 2", "supervisor", why="x", dry=True)[0] == 409  # tried: no act
        page.done("shift", "supervisor", why="for one act")
        page.until(lambda parts: parts["person"] is None)
        assert code(page.give("shift", "supervisor", why="another")) == NOT_ALLOWED


@pytest.mark.needs("root")
def test_an_act_whose_answer_was_lost_is_answered_again_though_he_is_out(
    resting: DealersConsole,
) -> None:
    """To the page that has given it, and to no other."""
    with resting.acting() as page:
        page.sign_in("Ida", once=True)
        terms = {"at": page.parts["table"]["at"], "key": secrets.token_hex(8), "why": "lost"}
        first = page.done("shift", "supervisor", **terms)
        page.until(lambda parts: parts["person"] is None)
        again = page.give("shift", "supervisor", **terms)
        assert again == (200, {"ok": True, "result": {**first, "again": True}})
        for other in ({"key": secrets.token_hex(8)}, {"why": "another"}):
            assert code(page.give("shift", "supervisor", **{**terms, **other})) == NOT_ALLOWED
        with resting.acting() as taking:
            assert code(taking.give("shift", "supervisor", **terms)) == NOT_ALLOWED
    whys = [body.get("why") for body in _journal(resting, "supervisor")]
    assert whys.count("lost") == 1


@pytest.mark.needs("root")
def test_of_two_acts_at_once_one_is_done(resting: DealersConsole) -> None:
    """Who is signed in for one act: the other finds him gone, and no connection is made for it."""
    with resting.acting() as page:
        before = len(_journal(resting, "supervisor"))
        page.sign_in("Ida", once=True)
        told: list[int] = []
        both = [
            threading.Thread(
                target=lambda: told.append(page.give("shift", "supervisor", why="twice")[0])
            )
            for _ in range(2)
        ]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        assert min(told) == 200
        assert max(told) in (403, 503)
        assert len(_journal(resting, "supervisor")) == before + 1


def test_a_person_agrees_on_a_single_request(resting: DealersConsole) -> None:
    deal_to_the_button(resting.dealer)
    armed_offer(resting.dealer)
    resting.dealer.press()
    with resting.acting() as page:
        page.sign_in("Novak")
        page.done("void", "supervisor", why="the meter was not seen")
        assert page.until(lambda parts: parts["table"]["held"])["table"]["held"]
        himself = {"person": "Novak", "pin": PINS["Novak"]}
        assert page.give("confirm void", "supervisor", **himself)[0] == 409
        page.done("confirm void", "supervisor", person="Ida", pin=PINS["Ida"])
        assert page.parts["table"]["state"] == "void"
        assert page.parts["person"] == "Novak"  # still
    asked, agreed = _journal(resting, "supervisor")[-2:]
    assert (asked["person"], agreed["person"]) == ("Novak", "Ida")


async def test_who_touches_nothing_is_signed_out(console: DealersConsole) -> None:
    """By the clock of whoever gives commands, which a touch begins anew. The page's side of it:
    ``test_a_screen_that_nobody_touches_locks``."""
    changed = asyncio.Event()
    actor = Actor(console.bench.socket, LOCK_S, changed.set)
    page = console.page().page
    await actor.sign_in(page, "Novak", PINS["Novak"], once=False)
    await actor.public_answer("status")
    begun = time.monotonic()
    await actor.stay(page)
    changed.clear()
    before = actor.person
    async with asyncio.timeout(PATIENCE_S):
        await changed.wait()
    assert time.monotonic() - begun >= LOCK_S
    assert (before, actor.person) == ("Novak", None)
    await actor.close()


async def test_what_is_only_tried_is_no_touch(console: DealersConsole) -> None:
    """A page tries what it shows anew whenever the table changes, also where nobody is there."""
    changed = asyncio.Event()
    actor = Actor(console.bench.socket, LOCK_S, changed.set)
    page = console.page().page
    await actor.sign_in(page, "Novak", PINS["Novak"], once=False)
    changed.clear()
    tried = 0
    async with asyncio.timeout(PATIENCE_S):
        while not changed.is_set():
            with suppress(NoController):  # he is out before it is answered
                await actor.give_command(
                    page, "dealer", {"command": "wager 1 main 25", "dry": True}
                )
            tried += 1
    assert tried > 1
    assert actor.person is None
    await actor.close()


def test_his_rights_end_with_the_connection(disturbed: DealersConsole) -> None:
    with disturbed.acting() as page:
        page.sign_in("Novak")
        page.until(lambda parts: parts["person"] == "Novak")
        disturbed.bench.kill_controller()
        page.until(lambda parts: parts["lost"] and parts["person"] is None)
        disturbed.bench.start_controller()
        page.until(lambda parts: not parts["lost"])
        assert page.parts["person"] is None


@pytest.mark.needs("root")
def test_a_page_that_takes_over_during_a_sign_in_gets_nothing_of_it(
    console: DealersConsole, acting: ConsolePage
) -> None:
    with console.page().following() as other:
        told: list[tuple[int, Any]] = []
        signing = threading.Thread(target=lambda: told.append(acting.sign_in("Novak")))
        signing.start()
        other.post("/seat", over=True)
        signing.join()
        other.until(lambda parts: parts["seat"] == other.name and parts["person"] is None)
        assert code(other.give("shift", "supervisor", why="x")) == NOT_ALLOWED
        assert code(other.get("/rounds/last.json")) == NOT_ALLOWED


def test_no_pin_is_written_anywhere(disturbed: DealersConsole) -> None:
    with disturbed.acting() as page:
        page.sign_in("Novak", pin="86753090")
        page.sign_in("Novak")
        page.give("shift", "supervisor", why="x", person="Ida", pin="31415926")
        page.give("open", pin="31415926")
        page.ask(
            "POST", "/sign-in", b'{"person": "Novak", "pin": "271828"', X_Console_Page=page.page
        )
    disturbed.program.kill()
    disturbed.bench.kill_controller()
    for path in disturbed.bench.folder.rglob("*"):
        if path.is_file():
            text = path.read_bytes()
            assert not any(pin.encode() in text for pin in (*PINS.values(), "86753090")), path
