"""The dealer's page walked over by a finger: worked rounds of irregularity, and taps at random; the
whole is ``make console-walk``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from controller.control.client import CommandTerms
from hil_tests.bench.setup import DOCUMENTS
from hil_tests.browser.chromium import Visits
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.walk.account import Account, AppliedCommands, Counterexample, Tap
from hil_tests.console.walk.questions import meaning
from hil_tests.console.walk.taps import TapWalk
from hil_tests.console.walk.touched_rounds import deal_rounds, rounds_of_irregularity

ROUNDS = 40
SHARE = ROUNDS // len(DOCUMENTS)
TAPS, RESTARTS, SEED = 50, 5, 20261127


@pytest.mark.needs("chromium")
@pytest.mark.parametrize("rules", DOCUMENTS)
def test_worked_rounds_are_dealt_by_touch(visits: Visits, rules: str) -> None:
    sample = rounds_of_irregularity(ROUNDS)
    assert Counter(line["script"]["rules"] for line in sample) == dict.fromkeys(DOCUMENTS, SHARE)
    share = [line for line in sample if line["script"]["rules"] == rules]
    dealt = deal_rounds(visits, share)
    assert dealt.wrong == {}
    assert dealt.rounds == SHARE


@pytest.mark.needs("chromium")
def test_taps_do_what_was_meant_or_nothing(visits: Visits) -> None:
    told = TapWalk(visits, SEED).run_taps(TAPS, RESTARTS)
    assert told["taps"] == TAPS
    assert told["commands done"] > 0


class Meant:
    """A table with bets open, and an account that has seen one tap on its page."""

    def __init__(self, table: ConsoleBesideTable) -> None:
        self.dealer = table.dealer
        if self.dealer.state == "idle":
            self.dealer.open_bets()
        applied = AppliedCommands(table.bench.state_directory)
        list(applied.new())  # what others have done at this table
        self.account = Account(applied, seed=0)
        self.at = self.dealer.status["at"]

    def give(self, command: str, at: int, key: str) -> None:
        """Give it, as a page would."""
        self.dealer.bench.control.dealer(command, CommandTerms(at=at, key=key))

    def tap(self, *given: Mapping[str, object], **showed: object) -> Tap:
        """A tap on a page that showed the table as it was, or as ``showed`` says."""
        down = {"at": self.at, "overlay": False, "fixing": False, "cards": "", "keys": []}
        sent = [{"at": self.at, "down": 0, "answer": None, **one} for one in given]
        return Tap(0, "a key", "", 0.0, "", [{**down, "on": "a key", **showed}], sent)


@pytest.fixture
def meant(console_table: ConsoleBesideTable) -> Meant:
    return Meant(console_table)


def test_what_was_meant_is_taken(meant: Meant) -> None:
    tap = meant.tap({"command": "wager 1 main 50", "key": "p/1"})
    meant.give("wager 1 main 50", meant.at, "p/1")
    meant.account.add_tap(tap)
    assert meant.account.counts["commands done"] == 1


@pytest.mark.parametrize(
    ("showed", "words"),
    [
        ({"at": 1}, "was sent for"),
        ({"overlay": True}, "not live"),
        ({"cards": "AS KD"}, "the page showed 'AS KD'"),
        ({"keys": ["stand 1"]}, "which nobody may"),
    ],
)
def test_what_was_not_meant_is_found(meant: Meant, showed: dict[str, object], words: str) -> None:
    key = f"p/{words}"
    tap = meant.tap({"command": "wager 2 main 50", "key": key}, **showed)
    meant.give("wager 2 main 50", meant.at, key)
    with pytest.raises(Counterexample, match=words):
        meant.account.add_tap(tap)


def test_a_command_that_nobody_gave_is_found(meant: Meant) -> None:
    meant.give("wager 3 main 50", meant.at, "somebody's")
    with pytest.raises(Counterexample, match="nobody meant entry"):
        meant.account.add_tap(meant.tap())


def test_two_touches_that_do_two_things_are_found(meant: Meant) -> None:
    first, second = ({"command": f"wager 4 main {n}0", "key": f"d/{n}"} for n in (5, 6))
    meant.give("wager 4 main 50", meant.at, "d/5")
    then = meant.dealer.status["at"]
    meant.give("wager 4 main 60", then, "d/6")
    tap = meant.tap(first, {**second, "at": then, "down": 1})
    tap.downs.append({**tap.downs[0], "at": then})
    with pytest.raises(Counterexample, match="two touches at once"):
        meant.account.add_tap(tap)


def test_a_page_that_does_not_say_what_is_gone_is_found(meant: Meant) -> None:
    tap = meant.tap()
    tap.gone, tap.gone_s = "console killed", 5.0
    with pytest.raises(Counterexample, match="not shown"):
        meant.account.add_tap(tap)


@pytest.mark.parametrize(
    ("said", "is_asked"),
    [("report together KC", "report together CARD"), ("report together KC 9C", None)],
)
def test_two_cards_are_not_said_where_one_is_asked(said: str, is_asked: str | None) -> None:
    assert meaning(said, ["report together CARD", "report together"]) == is_asked
