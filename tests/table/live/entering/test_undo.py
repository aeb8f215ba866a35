"""``undo``, entry by entry, as far as the last card, press or payment."""

from __future__ import annotations

import dataclasses
import json
from contextlib import suppress
from random import Random

import pytest
from hypothesis import settings as examples

from controller.files.rules import rule_files
from controller.game.round.refusal import Refused
from controller.journal.canonical import canonical, decode
from controller.table.entering import commands
from controller.table.settings import Settings
from controller.table.snapshot import dump_table, is_quiet, load_table
from controller.table.state.table import Table
from hil_tests.benches.driven_table import FACE_UP
from tests.table.live.driver import DIV, FIVE, MBS, RWS, Live, dealt, live, settings
from tests.table.live.examine import snapshot

COUNTS_ON = {
    "jackpot.next_offer",
    "entering.entries",
    "entering.keypad",
    "entering.notice",
}
"""What no ``undo`` takes back: numbers that are used once, and what is shown."""


def remembered(table: Table) -> dict[str, str]:
    """All else that the table remembers, as text; what can be taken back included."""
    return {
        where: json.dumps(snapshot(getattr(part, field.name), _brief), default=str)
        for name, part in table.parts().items()
        for field in dataclasses.fields(part)  # type: ignore[arg-type]
        if (where := f"{name}.{field.name}") not in COUNTS_ON
    }


def _brief(known: Settings) -> object:
    return known.rules.id, known.rules.engine, known.limits.min, known.boxes


# One by one --------------------------------------------------------------------------------------


def test_it_goes_back_over_open_and_next_to_the_settled_round() -> None:
    table = dealt("KC 8D 5C 9D", "1 main 10, 1 pair 5")
    met = [remembered(table.table)]
    for command in (
        *("next", "open", "wager 2 main 20", "wager 3 main", "wager 1 main 0", "wager 1 main 30"),
        "close",
    ):
        table.say(command)
        met.append(remembered(table.table))
    while met:
        assert remembered(table.table) == met.pop()
        if met:
            table.say("undo")
    table.refuses("undo", "nothing can be taken back")


def test_a_card_is_the_end_of_it() -> None:
    table = live("1 main 10, 2 main 10").play("9C 9D 7D 8C 8H", "stand 1", "stand 2")
    assert [table.say("undo").notes for _ in range(2)] == [
        ["taken back: stand 2"],
        ["taken back: stand 1"],
    ]
    table.refuses("undo", "nothing can be taken back")


def test_corrections_that_are_not_judged_go_first_one_by_one() -> None:
    table = dealt("9C 9D 7D 8C 8H", "1 main 10, 2 main 10")
    table.say("stand 1", "correct 1 JC", "correct 2 JD")
    assert [table.say("undo").notes for _ in range(3)] == [
        ["taken back: correct 2 JD"],
        ["taken back: correct 1 JC"],
        ["taken back: stand 1"],
    ]
    assert table.status()["turn"] == {"box": 1, "hand": 1}


def test_corrections_of_the_supervisor_are_taken_back_one_by_one() -> None:
    table = dealt("9C 9D 7D 8C 8H", "1 main 10, 2 main 10")
    table.play("stand 1", "sue: correct 1 JC", "sue: correct 2 JD")
    assert table.keys("*") == "BACK: CORRECT 2 JD"
    assert table.keys("*") == "BACK: CORRECT 1 JC"
    assert table.keys("*") == "NO: NOTHING TO UNDO"  # the supervisor came behind the decision


def test_the_rules_of_a_new_start_are_taken_back_with_next() -> None:
    table = dealt("KC 8D 5C 9D")
    table.restart(new=settings(RWS))
    before = remembered(table.table)
    table.say("next", "open", "wager 1 main 10")
    assert table.table.rules.id == RWS
    table.table = load_table(decode(canonical(dump_table(table.table))))
    table.say("undo", "undo", "undo")
    assert table.table.rules.id == MBS
    assert remembered(table.table) == before


def test_what_nobody_enters_by_hand_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "MOST_SAVED", 3)
    table = Live()
    table.say("open", *(f"wager 1 main {amount}" for amount in (10, 20, 30, 40)))
    table.say("undo", "undo", "undo")
    assert table.status()["boxes"]["1"]["wagers"] == {"a": {"main": "10.00"}}
    table.refuses("undo", "nothing can be taken back")


# Snapshots ---------------------------------------------------------------------------------------


def _sixty() -> Live:
    table = Live().play("open")
    seats = [f"{box}{bettor}" for box in range(1, 8) for bettor in "abc"]
    for kind, amount in (("main", 10), ("pair", 5), ("pandemonium", 5)):
        for seat in seats[: 60 - len(table.table.entering.saved) + 1]:
            table.say(f"wager {seat} {kind} {amount}")
    return table


def test_a_snapshot_of_sixty_wagers_stays_small() -> None:
    table = _sixty()
    assert len(table.table.entering.saved) == 61
    whole = len(canonical(dump_table(table.table)))
    table.table.entering.forget_saved()
    assert whole - len(canonical(dump_table(table.table))) < 61 * 130


# Any number of them ------------------------------------------------------------------------------


class Walk:
    """Entries by chance, with what the table remembered before each that can be taken back."""

    def __init__(self, rules: str, seed: int) -> None:
        self.chance = Random(f"{rules} {seed}")
        self.table = Live(rules)
        self.table.examined = False
        self.before: list[dict[str, str]] = []
        self.deepest = 0
        self.restored = self.taken_back = 0

    def go(self, steps: int) -> None:
        """So many steps, and all the way back."""
        for _ in range(steps):
            what = self.chance.choices(
                (self.enter, self.deal, self.take_back, self.restore), (12, 3, 2, 2)
            )[0]
            what()
        while self.before:
            self.take_back()

    def enter(self) -> None:
        """An entry that is taken; where there is none, what comes next."""
        entry, before, deep = self._entry(), remembered(self.table.table), len(self.before)
        if entry is None:
            self.deal()
            return
        with suppress(Refused):
            self.table.say(entry)
            if len(self.table.table.entering.saved) > deep:
                self.before.append(before)
        self.forget()

    def _entry(self) -> str | None:
        drawn, permitted = self.table.table.dealing.drawn, self.table.status()["permitted"]
        if self.chance.random() < 0.01:
            return "shuffle 2"
        if drawn and self.chance.random() < 0.1:
            return f"correct {self.chance.randint(1, len(drawn))} {self._card()}"
        entries = [one for one in permitted if one.split()[0] not in ("undo", "shuffle")]
        wagers = [one for one in entries if one.startswith("wager")]
        if not entries:
            return None
        text: str = self.chance.choice((self.chance.random() < 0.7 and wagers) or entries)
        if text.startswith("wager"):
            text = text.replace("BOX", f"{self.chance.randint(1, 3)}{self.chance.choice('abc')}")
            return text.replace("AMOUNT", self.chance.choice(("10", "20", "0", "")))
        text = text.replace("BOX", str(self.chance.randint(1, 3))).replace("BY", "staff")
        return text.replace("AMOUNT", "5" if text.startswith("insure") else "10")

    def _card(self) -> str:
        return self.chance.choice("A235678899JQKK") + self.chance.choice("CDHS")

    def deal(self) -> None:
        """A card, where one may come; the button and its meter; or the supervisor, where a
        correction or a card waits for him."""
        table = self.table
        if table.wants().gate_cards:
            table.deal(self._card())
        elif table.state == "jackpot.armed":
            table.win(25)
        elif table.status()["awaiting"] == "supervisor":
            held = table.status()["held"]
            with suppress(Refused):
                table.order(held["remedies"][0] if held else "done")
        self.forget()

    def forget(self) -> None:
        """What cannot be taken back any more."""
        saved = len(self.table.table.entering.saved)
        assert saved in (0, len(self.before))
        self.deepest = max(self.deepest, saved)
        if not saved:
            self.before.clear()

    def take_back(self) -> None:
        """What was there before the last entry is there again."""
        if self.before:
            self.table.say("undo")
            self.taken_back += 1
            assert remembered(self.table.table) == self.before.pop()

    def restore(self) -> None:
        """The table of its snapshot."""
        if is_quiet(self.table.table):
            plain = dump_table(self.table.table)
            self.table.table = load_table(decode(canonical(plain)))
            assert dump_table(self.table.table) == plain
            self.restored += bool(self.before)


@pytest.mark.parametrize("rules", rule_files())
def test_as_many_undos_as_entries_give_the_same_table(rules: str) -> None:
    walks = [Walk(rules, seed) for seed in range(max(4, examples().max_examples // 4))]
    for walk in walks:
        walk.go(150)
    assert max(walk.deepest for walk in walks) > 8
    assert sum(walk.taken_back for walk in walks) > 8 * len(walks)
    assert sum(walk.restored for walk in walks) > len(walks)
    assert sum(walk.table.table.round_number for walk in walks) > 2 * len(walks) // 3


# A report ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("report", "back"),
    [
        ("passed-over 1", "BACK: PASSED OVER 1"),
        ("shoe-empty", "BACK: SHOE EMPTY"),
        ("wrong-decision 1", "BACK: WRO DECISION 1"),
    ],
)
def test_a_false_report_is_taken_back_by_the_dealer(report: str, back: str) -> None:
    table = dealt("KS 9S 9H 8S 3C", "1 main 10, 2 main 10", DIV).play("stand 1")
    before = remembered(table.table)
    table.say(f"report {report}")
    status = table.status()
    assert (status["awaiting"], status["permitted"]) == ("supervisor", ["undo"])
    assert status["prompt"].endswith("You may: undo.")
    table.keys("*")
    assert table.rows() == ("BOX 2 12: CARD S D", back)
    assert table.status()["held"] is None
    assert remembered(table.table) == before


def test_a_report_behind_the_round_is_taken_back_with_its_hold() -> None:
    table = dealt("KS 9H 8S", "1 main 10", DIV).play("stand 1", "8D")
    before = remembered(table.table)
    table.say("report wrong-decision 1")
    assert table.state == "held.settled"
    table.say("undo")
    assert remembered(table.table) == before


def test_a_report_stays_when_something_else_holds_the_table_or_was_done() -> None:
    table = dealt("KS 9S 9H 8S 3C", "1 main 10, 2 main 10", DIV)
    table.play("stand 1", "report passed-over 1", "sue: void-hand 1")
    table.refuses("undo", "nothing can be taken back")
    table.say("report shoe-empty")
    table.slip("4D")
    table.refuses("undo", "the table is held")


def test_what_a_supervisor_reported_is_not_the_dealers_to_take_back() -> None:
    table = dealt("KS 9S 9H 8S 3C", "1 main 10, 2 main 10", DIV)
    table.play("stand 1", "sue: report passed-over 1")
    table.refuses("undo", "the table is held")


def test_the_keypad_says_what_was_taken_back_also_where_the_gate_was_open() -> None:
    table = dealt("KS 9S 9H 8S 3C", "1 main 10, 2 main 10", DIV)
    table.keys("S")
    table.keys("*", lock=False)
    assert table.rows()[0] == "WAIT: SHOE"
    table.lock()
    assert table.rows()[1] == "BACK: STAND 1"


def test_a_report_behind_which_a_multiplier_was_drawn_stays() -> None:
    """A draw is never undone."""
    table = live("1 main 10, 1 pandemonium 5, 2 main 10").play("AS 9D 8H KC 9H")
    table.press()
    table.say("report misdeal")
    table.draw(25)
    for _ in range(2):
        assert "undo" not in table.status()["permitted"]
        table.refuses("undo", "the table is held")
        table.shown(25)
    assert table.table.rnd
    assert table.table.rnd.draws == {1: 25}


@pytest.mark.parametrize("command", ["hit 3", "buy 3 10"])
def test_what_a_card_that_waited_has_settled_is_not_taken_back(command: str) -> None:
    """The card comes to the hand with the command: a loss that was told stays (surface, `owed`)."""
    table = dealt("9D 5C 8D 7C QC", "1 main 10, 3 main 10", FIVE)
    table.slip("KS", FACE_UP)
    table.play("sue: void-hand 1", "sue: use")
    table.say(command)
    assert ("lose", "-10.00") in {(one["outcome"], one["net"]) for one in table.status()["owed"]}
    assert "undo" not in table.status()["permitted"]
    table.refuses("undo", "nothing can be taken back")
