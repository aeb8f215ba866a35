"""Rounds worked out by hand, dealt through the page: what a script may say a finger may tap, the
table settles as it was worked out, and the page shows that."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Final

from hil_tests.bench.interface import Json
from hil_tests.browser.chromium import Visits
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.touching import add_supervisors
from hil_tests.console.walk.account import cards_of
from hil_tests.console.walk.questions import PINS, Finger
from hil_tests.console.walk.touched_dealer import TouchedDealer
from hil_tests.tables.comparison import unsound
from hil_tests.tables.reused_table import LIMITS, setup_with
from hil_tests.tables.scripted import ScriptedTable
from hil_tests.tables.worked_rounds import (
    assert_as_worked_out,
    goes_wrong,
    sample,
    worked_rounds,
)

WORDS: Final = Path(__file__).resolve().parents[3] / "console" / "words" / "en.json"
NET: Final = json.loads(WORDS.read_text(encoding="utf-8"))["pay.net"]
"""How the page says what a bettor's round has come to."""
STILL_MS: Final = 20
"""How long the page need stand still here; what that is for is what the taps look at."""

EXPECTED: Final = tuple(f"the server responded with a status of {one}" for one in ("4", "503"))
"""What Chromium says of an answer that is no, and where there is none: a script cuts the power."""


@dataclass(slots=True)
class Dealt:
    """Rounds that were dealt: how many, with how many touches, in how many seconds; and in words
    what was ``wrong``, by title; ``untold``: what the page has no words for, and how often."""

    rounds: int = 0
    touches: int = 0
    took_s: float = 0.0
    wrong: dict[str, str] = field(default_factory=dict)
    untold: dict[str, int] = field(default_factory=dict)


def rounds_of_irregularity(
    most: int | None = None, titles: Collection[str] | None = None
) -> list[Json]:
    """The worked rounds in which something goes wrong; ``most``: so many that together say as much
    as can be, of every document alike, at tables with the usual limits; ``titles``: only those
    that have one of these in their title."""
    found = [line for lines in worked_rounds().values() for line in lines if goes_wrong(line)]
    if titles is not None:
        found = [line for line in found if any(one in line["script"]["title"] for one in titles)]
    if most is None:
        return found
    usual = [line for line in found if not line["script"].get("limits")]
    documents = sorted({_rules(line) for line in usual})
    shares = [most // len(documents) + (n < most % len(documents)) for n in range(len(documents))]
    taken = []
    for rules, share in zip(documents, shares, strict=True):
        taken += sample([line for line in usual if _rules(line) == rules], share)
    return taken


def _rules(line: Json) -> str:
    return str(line["script"]["rules"])


def _limits(line: Json) -> Json:
    return {**LIMITS, **line["script"].get("limits", {})}


class TouchedTable(ScriptedTable):
    """A live table whose people do what a script says, at its page."""

    def __init__(self, dealer: TouchedDealer, script: Json) -> None:
        super().__init__(dealer, script)
        self._touched = dealer

    def _end_correction(self) -> None:
        self._touched.give_correction()


class TableOfRounds:
    """A table of a document, its console and the page; a context manager. What was dealt there is
    well in its journal, or that is what is wrong."""

    def __init__(self, visits: Visits, rules: str, limits: Json) -> None:
        self._visits = visits
        self._setup = setup_with(rules, limits)
        self._stack = ExitStack()
        self._settled: list[Json] = []

    def __enter__(self) -> TableOfRounds:
        try:
            self.table = self._stack.enter_context(ConsoleBesideTable(self._setup))
            add_supervisors(self.table, PINS)
            for words in EXPECTED:
                self._visits.expect(words)
            self.finger = Finger.at_page(self._visits, self.table.url, STILL_MS)
            self.dealer = TouchedDealer(self.table.bench, self.finger)
        except BaseException:
            self._stack.close()
            raise
        return self

    def deal(self, line: Json) -> None:
        """Deal that round.

        Raises:
            AssertionError, RefusedByController: it came to something else, or could not be dealt.
        """
        state = TouchedTable(self.dealer, line["script"]).play()
        assert_as_worked_out(line, self.dealer, state)
        self._shows(state)
        self._settled.append(state)
        self.dealer.next()

    def _shows(self, state: Json) -> None:
        """The page shows what the round has come to."""
        self.finger.until_shown(state["at"])
        cards = self.finger.page_state()["cards"]
        assert cards == cards_of(state), (cards, cards_of(state))
        nets = [one for box in range(1, state["places"] + 1) for one in _nets(state, str(box))]
        shown = self.finger.texts(".felt .net")
        assert shown == nets, (shown, nets)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._stack:
            wrong = self._visits.wrong
            self._visits.close()
            self.table.program.kill()
            if kind is None:
                assert not wrong, wrong
                self.table.bench.stop_controller()
                complaints = self.table.bench.complaints()
                assert not complaints, complaints
                wrong = list(unsound(self._settled, self.table.bench.state_directory))
                assert not wrong, wrong


def _nets(state: Json, box: str) -> Iterator[str]:
    for one in state["account"]:
        if str(one["box"]) == box:
            sign = "+" if one["net"] and float(one["net"]) > 0 else ""
            net = "?" if one["net"] is None else sign + one["net"].removesuffix(".00")
            bettor = "" if one["bettor"] == "a" else one["bettor"]
            yield " ".join(NET.format(bettor=bettor, amount=net).split())


def deal_rounds(
    visits: Visits, rounds: list[Json], tell: Callable[[str], None] = lambda _: None
) -> Dealt:
    """Deal all of them; behind one that goes wrong the next has a table of its own."""
    dealt = Dealt()
    began = time.monotonic()
    ordered = sorted(rounds, key=lambda line: (_rules(line), repr(_limits(line))))
    for (rules, _), group in groupby(ordered, key=lambda line: (_rules(line), repr(_limits(line)))):
        waiting = list(group)
        limits = _limits(waiting[0])
        while waiting:
            with (
                _noting(dealt, f"the table of {rules}"),
                TableOfRounds(visits, rules, limits) as at,
            ):
                while waiting:
                    line = waiting.pop(0)
                    dealt.rounds += 1
                    title = line["script"]["title"]
                    tell(title)
                    try:
                        at.deal(line)
                    except Exception as error:
                        said = at.table.bench.complaints()
                        dealt.wrong[title] = f"{type(error).__name__}: {error} {said}".rstrip()
                        tell(f"    WRONG: {dealt.wrong[title]}")
                        raise _Left from error
                    finally:
                        dealt.touches += at.finger.touches
                        at.finger.touches = 0
                        for one in at.dealer.untold:
                            report = " ".join(one.split()[:2])
                            dealt.untold[report] = dealt.untold.get(report, 0) + 1
                        at.dealer.untold.clear()
    dealt.took_s = time.monotonic() - began
    return dealt


class _Left(Exception):
    """A table is left; what was wrong is noted."""


@contextmanager
def _noting(dealt: Dealt, what: str) -> Iterator[None]:
    try:
        yield
    except _Left:
        pass
    except Exception as error:
        dealt.wrong[what] = f"{type(error).__name__}: {error}"
