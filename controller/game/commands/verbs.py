"""The verbs: one row each, with all that anybody has to know of one.

Whoever reads a command, writes it, offers it, asks for what it lacks, has a key for it or tells
what was done looks here: the table, the keypad, the pages, the manuals, and those who try them.
What else a new verb needs says docs/maintainer.md, "Changes that come up".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Flag, StrEnum, auto
from functools import cache
from typing import Final

from controller.game.commands import slots
from controller.game.commands.slots import BOX, Slot


class Family(StrEnum):
    """What a verb belongs to: a step of a ``play``, the ``table`` as its dealer conducts it, what
    goes ``wrong`` and is put right, the ``house`` whose supervisor decides."""

    PLAY = "play"
    TABLE = "table"
    WRONG = "wrong"
    HOUSE = "house"


class Fact(Flag):
    """What is true of a verb.

    ``EITHER``: dealer and supervisor give it. ``POSSIBLE``: it is possible, and no choice: that it
    is permitted does not say that anybody is to choose. ``UNTOLD``: it is none of the choices of a
    player that a prompt tells. Both together: it stands beside play, of which it changes nothing.
    ``FINAL``: its effect cannot be
    taken back. ``WHY``: a supervisor gives it with name and reason; ``NAME``: with a name.
    ``NO_SWITCH``: not by the key switch. ``FIRST``, ``LAST``: its place in the keypad's list.

    On the dealer's page: ``SELDOM`` puts it among what is seldom needed, ``ASIDE`` on none of the
    keys of play; ``SHOWN``: what it would bring is shown before it is given.
    """

    PLAIN = 0
    EITHER = auto()
    POSSIBLE = auto()
    UNTOLD = auto()
    FINAL = auto()
    WHY = auto()
    NAME = auto()
    NO_SWITCH = auto()
    FIRST = auto()
    LAST = auto()
    SELDOM = auto()
    ASIDE = auto()
    SHOWN = auto()


@dataclass(frozen=True, slots=True)
class VerbRow:
    """A verb. ``usage`` is how people are told that it is written, where its slots do not say it.
    ``device``: at a live table only that device gives it.

    Of the keypad: ``key`` is its letter, behind which ``#`` says that values are collected or that
    it is meant; ``echo`` what is repeated of it behind the box; ``label`` what it is called in a
    list while nothing of it is said, ``number`` its place there (0: the next one).
    """

    name: str
    part: Family
    slots: tuple[Slot, ...] = ()
    facts: Fact = Fact.PLAIN
    usage: str = ""
    key: str = ""
    echo: str = ""
    device: str = ""
    label: str = ""
    number: int = 0

    @property
    def expected(self) -> str:
        """How it is written, for who has written it otherwise."""
        if not self.slots and self.part is Family.TABLE:
            return f"{self.name} alone"
        return self.usage or " ".join([self.name, *(slot.name for slot in self.slots)])


PLAY, TABLE, WRONG, HOUSE = Family
EITHER, POSSIBLE, UNTOLD, FINAL, WHY, NAME, NO_SWITCH, FIRST, LAST, SELDOM, ASIDE, SHOWN = Fact

_ROWS: Final = (
    # The dealer's, in the order of the page's keys.
    VerbRow(
        *("squeeze", TABLE, (slots.BOX_ALONE, slots.AGAIN), POSSIBLE | SELDOM),
        *("squeeze BOX [0]", "F", "down"),
    ),
    VerbRow("nominate", PLAY, (BOX, slots.BY), SELDOM, key="A#", echo="to"),
    VerbRow("absent", PLAY, (BOX,), SELDOM | UNTOLD, key="A#", echo="absent"),
    VerbRow("stand", PLAY, (BOX,), key="S", echo="stand"),
    VerbRow("hit", PLAY, (BOX,), POSSIBLE | FIRST),
    VerbRow("free", PLAY, (BOX,), FIRST, echo="free"),
    VerbRow("buy", PLAY, (BOX, slots.RAISE), key="Y#", echo="buy"),
    VerbRow("double", PLAY, (BOX, slots.RAISE), key="D#", echo="double"),
    VerbRow("split", PLAY, (BOX,), key="L", echo="split"),
    VerbRow("insure", PLAY, (slots.TAKER, slots.RAISE), key="I#", echo="insure"),
    VerbRow("surrender", PLAY, (BOX,), key="U#", echo="surrender"),
    VerbRow("withdraw", PLAY, (BOX,), key="W", echo="withdraw"),
    VerbRow("keep", PLAY, (BOX,), key="E", echo="keep"),
    VerbRow("follow", PLAY, (BOX,), key="L", echo="follow"),
    VerbRow("place", PLAY, (BOX, slots.HAND), key="A#", echo="place"),
    VerbRow("press", PLAY, (BOX,), device="the button"),
    VerbRow("overdraw", PLAY, (slots.SOME_CARD,), device="the shoe"),
    VerbRow("dealer", PLAY),
    VerbRow("reveal", TABLE, (slots.BOX_ALONE,), FINAL, key="F", echo="turned"),
    VerbRow(
        *("shuffle", TABLE, (slots.SET,), POSSIBLE | UNTOLD | FINAL | SELDOM),
        usage="shuffle 1 or shuffle 2",
    ),
    VerbRow("burn", TABLE, key="E"),
    VerbRow("open", TABLE, key="O"),
    VerbRow("inspected", TABLE, (), FINAL, key="E"),
    VerbRow("next", TABLE, key="E"),
    VerbRow("close", TABLE, key="N"),
    VerbRow("done", PLAY, (), EITHER | WHY | SHOWN, key="E"),
    VerbRow(
        "wager", TABLE, (BOX, slots.KIND, slots.WAGERED), ASIDE, "wager BOX KIND [AMOUNT]", "M#"
    ),
    VerbRow("undo", TABLE, (), POSSIBLE | UNTOLD | FINAL | ASIDE, key="*"),
    # What went wrong, and what puts it right.
    VerbRow("report", WRONG, (slots.TRIGGER,), usage="report TRIGGER …", label="report", number=9),
    VerbRow("void", WRONG, (), WHY | LAST | SHOWN, key="V#", number=20),
    VerbRow("void-hand", WRONG, (BOX,), WHY | SHOWN),
    VerbRow("reconstruct", WRONG, (), WHY | SHOWN, key="R"),
    VerbRow("use", WRONG, (slots.SOME_CARD,), FIRST, usage="use [CARD]"),
    VerbRow("discard", WRONG, (slots.SOME_CARD,), usage="discard [CARD]"),
    VerbRow("choose", WRONG, (BOX, slots.CHOICE)),
    VerbRow("reshuffle", WRONG),
    VerbRow("cap", WRONG, (), SHOWN),
    VerbRow("pro-rata", WRONG, (), SHOWN),
    VerbRow("continue", WRONG),
    VerbRow(
        *("correct", WRONG, (slots.CARD_NUMBER, slots.CARD), WHY), label="correct a card", number=7
    ),
    VerbRow(
        *("lies", WRONG, (slots.CARD_NUMBER, slots.PLACE), WHY),
        usage="lies N BOX[.HAND] | dealer | out",
        label="where a card lies",
        number=8,
    ),
    # A supervisor's own.
    VerbRow("resume", HOUSE, key="E"),
    VerbRow("confirm", HOUSE, (slots.VOID,), NAME),
    VerbRow("cancel", HOUSE, (slots.VOID,)),
    VerbRow("play-on", HOUSE, (), WHY),
    VerbRow("close-table", HOUSE, (), WHY),
    VerbRow("open-table", HOUSE, (), WHY),
    VerbRow("shift", HOUSE, (), NAME),
    VerbRow("clear-set", HOUSE, (slots.SET,), WHY),
    VerbRow("card", HOUSE, (slots.CARD,)),
    VerbRow("pay", HOUSE, (slots.MULTIPLIER,), WHY | NO_SWITCH | SHOWN),
    VerbRow("seen", HOUSE, (slots.MULTIPLIER,), WHY | NO_SWITCH | SHOWN),
    VerbRow("service", HOUSE, (slots.SWITCH,), usage="service on | off"),
)

LYING: Final = VerbRow(
    *("wager", WRONG, (BOX, slots.KIND, slots.SUM), WHY | ASIDE | SHOWN),
    usage="wager BOX KIND[.N] AMOUNT",
    label="a wager's sum",
    number=10,
)
"""What ``wager`` is to a supervisor and in a script: so much lies there, whatever was keyed."""

VERBS: Final[dict[str, VerbRow]] = {verb.name: verb for verb in _ROWS}
"""The rows by their verbs, in the order in which they are listed."""

DEALERS: Final[Mapping[str, VerbRow]] = {v.name: v for v in _ROWS if v.part is not HOUSE}
STEPS: Final[Mapping[str, VerbRow]] = {
    v.name: v for v in (*_ROWS, LYING) if v.part in (PLAY, WRONG) or EITHER in v.facts
}
SUPERVISORS: Final[Mapping[str, VerbRow]] = {
    **{v.name: v for v in _ROWS if v.part is HOUSE},
    **{v.name: v for v in (*_ROWS, LYING) if v.part is WRONG or EITHER in v.facts},
}
"""The verbs that each may say, and those of a round."""

CORRECTIONS: Final = ("correct", "lies")
"""The verbs that say what card it is, or where it lies: consecutive ones are judged together."""


@cache
def those(fact: Fact) -> frozenset[str]:
    """The verbs of which that is true."""
    return frozenset(verb.name for verb in (*_ROWS, LYING) if fact in verb.facts)
