"""The console's process taken over: straight at the control socket, with the user and group that
its package gives it, it can do what a dealer can, and nothing more until somebody has typed a PIN
into it; then what that person can."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, Final

import pytest

from controller.control.protocol import REQUESTS, WITH_PIN
from controller.game.commands.verbs import SUPERVISORS
from controller.journal.schema import FILE_NAME
from hil_tests.console.touching import PINS
from hil_tests.people.jackpot_button import armed_offer, deal_to_the_button
from tests.console.server.beside import DealersConsole

pytestmark = pytest.mark.needs("root")

A_DEALERS: Final = {"status", "watch", "ready", "choices", "dealer", "links", "links_lately"}
OF_A_PERSON: Final = {"sign_in", "sign_out"}
GIVEN: Final = {"command": "open", "number": "last", "which": "present", "device": "shoe"} | {
    "person": "Ida", "role": "supervisor", "test": "gate", "verdict": "well", "what": "it locks",
    "name": "w1", "answer": "200", "by": "Ida", "why": "x",
}  # fmt: skip
WRONG: Final = "999999"
BARRED_AFTER: Final = 5

Line = dict[str, Any]


def straight(console: DealersConsole, *lines: Line, files: tuple[str, ...] = ()) -> list[Any]:
    """What is answered to these requests, one after the other, and what comes of reading files."""
    told = "".join(
        json.dumps({"v": 1, "id": number, **line}) + "\n" for number, line in enumerate(lines)
    )
    done = subprocess.run(
        [sys.executable, "-m", "tests.console.server.as_nobody", "tests.console.server.straight",
         str(console.bench.socket), *files],
        input=told, capture_output=True, text=True, check=True,
    )  # fmt: skip
    answers = done.stdout.splitlines()
    return [json.loads(line) for line in answers[: len(lines)]] + answers[len(lines) :]


def kinds(answers: list[Any]) -> list[str]:
    return ["ok" if one["ok"] else str(one["error"]["kind"]) for one in answers]


def request(do: str, **more: object) -> Line:
    pin = {"pin": WRONG} if do in WITH_PIN else {}
    return {"do": do, **{text: GIVEN[text] for text in REQUESTS[do].texts}, **pin, **more}


def test_nothing_but_a_dealer_s_is_answered(resting: DealersConsole) -> None:
    """A kind of request that comes anew is refused, or has to be named here."""
    others = sorted(REQUESTS.keys() - A_DEALERS - OF_A_PERSON)
    told = kinds(straight(resting, *map(request, others)))
    assert dict(zip(others, told, strict=True)) == dict.fromkeys(others, "not_allowed")


def test_no_command_of_a_supervisor_is_taken(resting: DealersConsole) -> None:
    """Whatever it says of itself, of the state, and whether it is only tried."""
    at = resting.bench.control.status()["at"]
    for more in ({}, {"by": "Novak", "why": "x", "at": at, "key": "k"}, {"dry": True}):
        asked = [
            {"do": "supervisor", "command": command, **more}
            for verb in SUPERVISORS
            for command in (verb, f"{verb} 1")
        ]
        assert set(kinds(straight(resting, *asked))) == {"not_allowed"}
    assert resting.bench.control.status()["at"] == at


def test_it_can_deal(resting: DealersConsole) -> None:
    asked = [{"do": "dealer", "command": one} for one in ("open", "wager 1 main 30", "undo")]
    assert kinds(straight(resting, *asked)) == ["ok"] * 3


def test_it_reads_neither_journal_nor_key_nor_pins(resting: DealersConsole) -> None:
    state = resting.bench.state_directory
    files = sorted(str(path) for path in state.rglob("*") if path.is_file())
    names = {path.rpartition("/")[2] for path in files}
    assert {"heads.jsonl", "key", FILE_NAME} <= names
    assert set(straight(resting, files=tuple(files))) == {"Permission denied"}


def test_guessed_pins_bar_the_person_and_let_nobody_in(disturbed: DealersConsole) -> None:
    """By connection or request, and the right one neither, once the person is barred."""
    guesses = [request("sign_in", pin=f"{number:06}") for number in range(BARRED_AFTER)]
    right = [
        request("sign_in", pin=PINS["Ida"]),
        request("supervisor", command="shift", person="Ida", pin=PINS["Ida"]),
    ]
    answers = straight(disturbed, *guesses, *right)
    assert kinds(answers) == ["not_allowed"] * len(answers)
    codes = {one["error"]["code"] for one in answers}
    assert codes == {"pin-not-taken"}, "nobody is told which it was"
    assert kinds(straight(disturbed, *right)) == ["not_allowed"] * 2, "another connection neither"


def test_a_connection_that_has_ended_leaves_nobody_signed_in(resting: DealersConsole) -> None:
    shift = {"do": "supervisor", "command": "shift", "why": "x"}
    signs = request("sign_in", person="Novak", pin=PINS["Novak"])
    with_novak = straight(resting, signs, shift, {"do": "sign_out"}, shift)
    assert kinds(with_novak) == ["ok", "ok", "ok", "not_allowed"]
    assert kinds(straight(resting, signs)) == ["ok"]
    assert kinds(straight(resting, shift)) == ["not_allowed"]


def test_with_a_typed_pin_it_is_that_person_and_no_second_one(resting: DealersConsole) -> None:
    """Novak has typed his: a round is not void by him alone, and nobody's PIN is changed."""
    deal_to_the_button(resting.dealer)
    armed_offer(resting.dealer)
    resting.dealer.press()
    novak = {"person": "Novak", "pin": PINS["Novak"]}
    void = {"do": "supervisor", "command": "void", "why": "x", "by": "Ida", **novak}
    agrees = {"do": "supervisor", "command": "confirm void", "by": "Ida"}
    asked = [void, {**agrees, **novak}, {**agrees, "person": "Ida", "pin": WRONG}, agrees]
    answers = straight(resting, *asked)
    assert kinds(answers) == ["ok", "refused", "not_allowed", "not_allowed"]
    changes = [
        request("people"),
        request("person_add", person="Eve", pin="123456"),
        request("person_pin", person="Ida", pin="123456"),
        request("person_remove", person="Ida"),
    ]
    signs = request("sign_in", **novak)
    assert kinds(straight(resting, signs, *changes)) == ["ok", *["not_allowed"] * len(changes)]
    assert resting.dealer.status["held"], "it waits for somebody else"
    resting.dealer.supervisor("confirm void")
