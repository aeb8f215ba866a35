"""What the keypad's lists offer: commands that are permitted now, reports, cards, reasons.

A command stands in a list as it is typed at a console, with a word in capitals for each value that
is still to be asked (``report wrong-decision BOX``). Its label is the same, cut to a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Final

from controller.game.round import play
from controller.game.round.irregular.cases import case_of, remedy_steps
from controller.game.round.irregular.wagers_keyed import kinds_of
from controller.game.round.irregularity import Irregularity
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.steps.reading_irregular import CORRECTIONS, FORMS
from controller.game.round.steps.remedies import WagerLies
from controller.game.round.steps.step import parse_seat
from controller.game.rules.cards import write_cards
from controller.game.rules.triggers import KNOWN
from controller.table.dealing import face_down, irregularities
from controller.table.entering import voiding
from controller.table.entering.commands import dealer_commands
from controller.table.entering.supervisors_list import commands_about_shoe, supervisor_commands
from controller.table.people import KEY_SWITCH, Who
from controller.table.shoe import card_sets, shuffling
from controller.table.state.course import Phase
from controller.table.state.entering import MenuChoice
from controller.table.state.loose import LooseCard
from controller.table.state.table import Table

CORRECT, LIES, REPORT = "correct N CARD", "lies N PLACE", "report TRIGGER"
WAGER: Final = f"{WagerLies.verb} BOX KIND AMOUNT"
NAME_CARD: Final = "card CARD"

VALUES: Final = ("TRIGGER", "N", "BOX", "KIND", "AMOUNT", "CARD", "PLACE")
"""The values that are asked, as words of a command."""

LABELS: Final = {
    CORRECT: "correct a card",
    LIES: "where a card lies",
    REPORT: "report",
    WAGER: "a wager's sum",
    "report drawn": "drawn in error",
    "report drawn seen": "drawn, seen",
    "report drawn BOX": "drawn at box",
    "report drawn BOX seen": "drawn box, seen",
    "report drawn dealer": "drawn at dealer",
}
"""The labels of commands that say little by themselves."""

NUMBERS: Final = {CORRECT: 7, LIES: 8, REPORT: 9, WAGER: 10, "void": 20}
"""The numbers of commands that are in nearly every list."""

REASONS: Final = (
    "card misread",
    "card misplaced",
    "dealer's mistake",
    "player's claim",
    "device fault",
    "seen on camera",
    "other",
)
"""The reasons that a supervisor chooses from at the keypad."""

_NAMED: Final = frozenset({"seen", "pay"})
"""Commands for which a person gives a name of his own: they are not given by the key switch."""

_ALWAYS_REPORTED: Final = frozenset({"wrong-decision", "wrong-payment", "other"})
"""Reports that every document has, by a case of its own or without one."""

FIRST: Final = (
    "wrong-decision",
    "passed-over",
    "drawn",
    "wrong-payment",
    "misdeal",
    "missed-insurance",
    "missed-surrender",
)
"""The reports that are made most often, in front of the others."""

_DRAWN: Final = tuple(words for words in LABELS if words.startswith("report drawn"))
_LYING: Final = tuple(words for words in _DRAWN if "BOX" in words or "dealer" in words)
"""Reports of a card that lies at a hand already: they are heard when the round is over, too."""


def commands(table: Table, *, supervisor: bool) -> tuple[MenuChoice, ...]:
    """What may be chosen now: remedies first, then corrections and reports. Number 1 is to use the
    card, or to take the one that was put back, wherever that is permitted; to void the round stands
    last."""
    if supervisor:
        given = [w for w in supervisor_commands(table) if w.split()[0] not in _NAMED]
        if table.entering.void_asked == Who(KEY_SWITCH):
            given = [words for words in given if words != voiding.CONFIRM]
        given += _options(table, given)
        given += commands_about_shoe(table)
    else:
        waits = table.rnd is not None and bool(table.rnd.irregular.waiting)
        verbs = {*FORMS, *(("hit", "free") if waits else ())} - {WagerLies.verb}
        given = [words for words in dealer_commands(table) if words.split()[0] in verbs]
    given = [each for words in given for each in _each(table, words)]
    if table.entering.void_asked is None:
        given += _said_of_round(table, supervisor)
    given.sort(key=_rank)
    return _numbered(table, given, table.rnd, NUMBERS)


def _rank(words: str) -> int:
    verb = words.split(maxsplit=1)[0]
    return {"use": 0, "hit": 0, "free": 0, "void": 2}.get(verb, 1)


def _options(table: Table, given: list[str]) -> list[str]:
    """What players may choose behind a remedy, for a supervisor who gives it in their place."""
    rnd = table.rnd
    if rnd is None or rnd.irregular.irregularity or not rnd.irregular.options or table.hold:
        return []
    return [words for step in remedy_steps(rnd) if (words := str(step)) not in given]


def _each(table: Table, words: str) -> Iterator[str]:
    """The command once for each of the cards that it may mean, where these are known."""
    found = table.rnd.irregular.irregularity if table.rnd else None
    if words != "report together CARD" or found is None or face_down.secret(table):
        yield words
        return
    unseen = list(found.cards)
    for card in found.seen:
        unseen.remove(card)
    yield from (f"report together {card}" for card in dict.fromkeys(unseen))
    if len(unseen) > 1:
        yield f"report together {write_cards(unseen)}"


def _said_of_round(table: Table, supervisor: bool) -> list[str]:
    """Corrections and reports, where there is a round that they can be about."""
    rnd = _round(table, supervisor)
    if rnd is None or rnd.state == State.VOID:
        return []
    if table.hold and not supervisor and not irregularities.is_open(table):
        return []
    corrections = [CORRECT, LIES] if _named(table) else []
    if rnd.irregular.irregularity is not None:
        return corrections[:1]
    return [*corrections, REPORT, *([WAGER] if supervisor else [])]


def _round(table: Table, supervisor: bool) -> Round | None:
    """The round, or for a supervisor the one that was just cleared away."""
    if table.rnd is None and supervisor and table.phase is Phase.IDLE and table.dealing.cleared:
        return table.dealing.cleared.rnd
    return table.rnd


def reports(table: Table, *, supervisor: bool) -> tuple[MenuChoice, ...]:
    """What may be reported of the round: what its document has a case for."""
    rnd = _round(table, supervisor)
    if rnd is None:
        return ()
    cases = {case.trigger for case in rnd.rules.irregularities} | _ALWAYS_REPORTED
    cases -= {"together"}  # it is said of cards that wait
    names = [name for name, about in KNOWN.items() if name in cases and not about.by_card]
    names.sort(key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))
    found = [words for name in names for words in _forms(name)]
    if rnd.ended:
        found = [w for w in found if w in _LYING or not KNOWN[w.split()[1]].unasked]
    return _numbered(table, found, rnd, {})


def _forms(name: str) -> tuple[str, ...]:
    if name == "drawn":
        return _DRAWN
    amount = " AMOUNT" if name == "over-maximum" else ""
    return (f"report {name}{' BOX' if KNOWN[name].box else ''}{amount}",)


def cards(table: Table, words: str, *, supervisor: bool) -> tuple[MenuChoice, ...]:
    """The cards of the round under their numbers, the last one first, with the place where each
    lies; chosen, it stands for ``N`` in ``words``."""
    found = [
        MenuChoice(number, f"{card} {place}", words.replace(" N", f" {number}", 1))
        for number, (card, place) in enumerate(lying_cards(table, supervisor=supervisor), 1)
    ]
    return tuple(reversed(found))


def kinds(table: Table, words: str) -> tuple[MenuChoice, ...]:
    """The kinds of wagers that may lie at the box of ``words``; one stands for ``KIND`` there."""
    rnd = _round(table, supervisor=True)
    found = kinds_of(rnd, parse_seat(words.split()[1])) if rnd else []
    return tuple(
        MenuChoice(at, kind, words.replace("KIND", kind, 1)) for at, kind in enumerate(found, 1)
    )


def lying_cards(table: Table, *, supervisor: bool) -> list[tuple[str, str]]:
    """The cards of the round by their numbers, from 1, as they may be shown, and where each lies:
    ``box 3``, ``box 3.2``, ``dealer``, ``waits`` or ``out``."""
    rnd = _round(table, supervisor)
    if rnd is None:
        return []
    named = zip(_named(table), play.places(rnd), strict=False)
    return [(face_down.shown(table, loose), place) for loose, place in named]


def forms(table: Table, *, supervisor: bool) -> dict[str, str]:
    """All that :func:`commands` and :func:`reports` offer, as commands with a word in capitals for
    each value that is still to be said, and the clause by which each is given ("": none)."""
    found = {choice.words: choice.clause for choice in commands(table, supervisor=supervisor)}
    if REPORT in found:
        del found[REPORT]
        found |= {choice.words: choice.clause for choice in reports(table, supervisor=supervisor)}
    return found


def card_meant(table: Table, words: str, *, supervisor: bool) -> str:
    """The card that a correction is about, behind a blank; empty where it is about none."""
    verb, *more = words.split()
    if verb not in CORRECTIONS or _round(table, supervisor) is None:
        return ""
    return f" {face_down.shown(table, _named(table)[int(more[0]) - 1])}"


def _named(table: Table) -> list[LooseCard]:
    """The cards of the round that were read or named."""
    cleared = table.dealing.cleared
    drawn = cleared.drawn if table.rnd is None and cleared else table.dealing.drawn
    return [loose for loose in drawn if loose.card is not None]


def reasons(words: str) -> tuple[MenuChoice, ...]:
    """The reasons for the command ``words``."""
    label = label_of(words)
    return tuple(MenuChoice(at, why, why, label) for at, why in enumerate(REASONS, 1))


def label_of(words: str) -> str:
    """The command without ``report``, and without the values that are still to be asked."""
    if words in LABELS:
        return LABELS[words]
    known = [word for word in words.split() if word not in VALUES]
    if known[0] == "report" and len(known) > 1:
        known = known[1:]
    return " ".join(known).replace("-", " ")


def _numbered(
    table: Table, given: list[str], rnd: Round | None, reserved: Mapping[str, int]
) -> tuple[MenuChoice, ...]:
    """The choices with their numbers; those that are nearly always there have ``reserved`` ones:
    nobody is to give a remedy who means a correction."""
    numbers = (number for number in count(1) if number not in reserved.values())
    return tuple(
        MenuChoice(
            reserved.get(words) or next(numbers), label_of(words), words, _clause(table, words, rnd)
        )
        for words in given
    )


def _clause(table: Table, words: str, rnd: Round | None) -> str:
    verb, *more = words.split()
    if words in commands_about_shoe(table):
        refused = card_sets.refused(table) or shuffling.refused(table)
        return refused.clause if refused else ""
    if rnd is None or verb in CORRECTIONS or words in (REPORT, *voiding.ANSWERS):
        return ""
    if rnd.irregular.irregularity is not None:
        remedy = more[1] if verb == "choose" else verb
        return case_of(rnd, rnd.irregular.irregularity).clause_of(remedy)
    if verb == "report":
        return case_of(rnd, Irregularity(more[0])).clause
    if verb == "void":
        return table.rules.settled_by["void"]
    return (
        (rnd.irregular.options.options_clause or rnd.irregular.options.clause)
        if rnd.irregular.options
        else ""
    )
