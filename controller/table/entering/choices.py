"""What the keypad's lists offer: commands that are permitted now, reports, cards, reasons.

A command stands in a list with its slots that are still to be asked open (``report wrong-decision
BOX``). Its label is the same without them, cut to a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Final

from controller.game.commands.command import Command
from controller.game.commands.slots import BOX, CHOICE, behind
from controller.game.commands.verbs import CORRECTIONS, LYING, STEPS, Fact, Family, those
from controller.game.round import play
from controller.game.round.irregular.cases import case_of, remedy_steps
from controller.game.round.irregular.lying_wagers import kinds_of
from controller.game.round.remedies import DRAWN, ReportTogether
from controller.game.round.state import Irregularity, Round
from controller.game.round.states import State
from controller.game.rules.cases import KNOWN
from controller.table.dealing import squeezing, voiding
from controller.table.dealing.irregularities import SEEN_TOGETHER
from controller.table.entering.commands import dealer_commands
from controller.table.entering.supervising import VOID, supervisor_commands
from controller.table.events.of_people import KEY_SWITCH, Giver
from controller.table.shoe import card_sets, shuffling
from controller.table.state.cards import LooseCard
from controller.table.state.entering import MenuChoice
from controller.table.state.parts import Phase
from controller.table.state.table import Table

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


def _bare(verb: str) -> Command:
    """The command of which nothing is said yet."""
    return Command(verb, open=tuple(slot.name for slot in STEPS[verb].slots))


CORRECT, LIES, REPORT, WAGER = map(_bare, (*CORRECTIONS, "report", LYING.name))

_NUMBERS: Final = {one: STEPS[one.verb].number for one in (CORRECT, LIES, REPORT, WAGER, VOID)}
"""The numbers of commands that are in nearly every list."""

_LYING: Final = {
    Command("report", trigger=DRAWN, open=(BOX.name,)): "drawn at box",
    Command("report", trigger=DRAWN, seen=True, open=(BOX.name,)): "drawn box, seen",
    Command("report", trigger=DRAWN, dealer=True): "drawn at dealer",
}
"""Reports of a card that lies at a hand already, which are heard when the round is over, too."""
_DRAWN: Final = {
    Command("report", trigger=DRAWN): "drawn in error",
    Command("report", trigger=DRAWN, seen=True): "drawn, seen",
    **_LYING,
}
"""Reports of a card drawn in error, with their labels."""

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


def commands(table: Table, *, supervisor: bool) -> tuple[MenuChoice, ...]:
    """What may be chosen now: remedies first, then corrections and reports. Number 1 is to use the
    card, or to take the one that was put back, wherever that is permitted; to void the round stands
    last."""
    if supervisor:
        by_name = those(Fact.NO_SWITCH)
        given = [each for each in supervisor_commands(table) if each.verb not in by_name]
        if table.entering.void_asked == Giver(KEY_SWITCH):
            given = [each for each in given if each != voiding.CONFIRM]
        given += _options(table, given)
        given += _about_shoe(table)
    else:
        waits = table.rnd is not None and bool(table.rnd.irregular.waiting)
        of_waiting = ("hit", "free") if waits else ()
        given = [
            each
            for each in dealer_commands(table)
            if each.row.part is Family.WRONG or each.verb in of_waiting
        ]
    given = [one for each in given for one in _for_each_card(table, each)]
    if table.entering.void_asked is None:
        given += _said_of_round(table, supervisor)
    given.sort(key=_rank)
    return _numbered(table, given, table.rnd)


def _about_shoe(table: Table) -> list[Command]:
    """What a supervisor may say of cards that are kept out of play, also while the table is held:
    it ends no hold."""
    if table.in_service or table.entering.void_asked is not None:
        return []
    plays_on = [Command("play-on")] if shuffling.may_play_on(table) else []
    return [*plays_on, *(Command("clear-set", number=n) for n in sorted(table.shoe.sets.blocked))]


def _rank(command: Command) -> int:
    facts = command.row.facts
    return 0 if Fact.FIRST in facts else 2 if Fact.LAST in facts else 1


def _options(table: Table, given: list[Command]) -> list[Command]:
    """What players may choose behind a remedy, for a supervisor who gives it in their place."""
    rnd = table.rnd
    if rnd is None or rnd.irregular.irregularity or not rnd.irregular.options or table.hold:
        return []
    return [step.command for step in remedy_steps(rnd) if step.command not in given]


def _for_each_card(table: Table, command: Command) -> Iterator[Command]:
    """The command once for each of the cards that it may mean, where these are known."""
    found = table.rnd.irregular.irregularity if table.rnd else None
    if command != SEEN_TOGETHER or found is None or squeezing.secret(table):
        yield command
        return
    unseen = list(found.cards)
    for card in found.seen:
        unseen.remove(card)
    yield from (ReportTogether(cards=(card,)).command for card in dict.fromkeys(unseen))
    if len(unseen) > 1:
        yield ReportTogether(cards=tuple(unseen)).command


def _said_of_round(table: Table, supervisor: bool) -> list[Command]:
    """Corrections and reports, where there is a round that they can be about."""
    rnd = _round(table, supervisor)
    if rnd is None or rnd.state == State.VOID:
        return []
    if table.hold and not supervisor and not table.irregularity_open:
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
    found = [command for name in names for command in _forms(name)]
    if rnd.is_over:
        found = [one for one in found if one in _LYING or not KNOWN[one.trigger].unasked]
    return _numbered(table, found, rnd, reserved=False)


def _forms(name: str) -> Iterable[Command]:
    if name == DRAWN:
        return _DRAWN
    return (Command("report", trigger=name, open=tuple(slot.name for slot in behind(name))),)


def cards(table: Table, command: Command, *, supervisor: bool) -> tuple[MenuChoice, ...]:
    """The cards of the round under their numbers, the last one first, with the place where each
    lies; chosen, the command is about it."""
    found = [
        MenuChoice(number, f"{card} {place}", command.filled(str(number)))
        for number, (card, place) in enumerate(lying_cards(table, supervisor=supervisor), 1)
    ]
    return tuple(reversed(found))


def kinds(table: Table, command: Command) -> tuple[MenuChoice, ...]:
    """The kinds of wagers that may lie at the box of the command."""
    rnd = _round(table, supervisor=True)
    found = kinds_of(rnd, command.seat) if rnd and command.seat else []
    return tuple(MenuChoice(at, kind, command.filled(kind)) for at, kind in enumerate(found, 1))


def lying_cards(table: Table, *, supervisor: bool) -> list[tuple[str, str]]:
    """The cards of the round by their numbers, from 1, as they may be shown, and where each lies:
    ``box 3``, ``box 3.2``, ``dealer``, ``waits`` or ``out``."""
    rnd = _round(table, supervisor)
    if rnd is None:
        return []
    named = zip(_named(table), play.places(rnd), strict=False)
    return [(squeezing.shown_card(table, loose), place) for loose, place in named]


def offered(table: Table, *, supervisor: bool) -> dict[Command, str]:
    """All that :func:`commands` and :func:`reports` offer, and the clause by which each is given
    ("": none)."""
    found = commands(table, supervisor=supervisor)
    clauses = {choice.command: choice.clause for choice in found if choice.command}
    if clauses.pop(REPORT, None) is not None:
        more = reports(table, supervisor=supervisor)
        clauses |= {choice.command: choice.clause for choice in more if choice.command}
    return clauses


def card_meant(table: Table, command: Command, *, supervisor: bool) -> str:
    """The card that a correction is about, behind a blank; empty where it is about none."""
    if command.verb not in CORRECTIONS or _round(table, supervisor) is None:
        return ""
    return f" {squeezing.shown_card(table, _named(table)[command.number - 1])}"


def _named(table: Table) -> list[LooseCard]:
    """The cards of the round that were read or named."""
    cleared = table.dealing.cleared
    drawn = cleared.drawn if table.rnd is None and cleared else table.dealing.drawn
    return [loose for loose in drawn if loose.card is not None]


def reasons(command: Command) -> tuple[MenuChoice, ...]:
    """The reasons for the command."""
    label = label_of(command)
    return tuple(MenuChoice(at, why, None, label) for at, why in enumerate(REASONS, 1))


def label_of(command: Command) -> str:
    """The command without ``report``, and without the values that are still to be asked."""
    if command in _DRAWN:
        return _DRAWN[command]
    if command in _NUMBERS and command != VOID:
        return STEPS[command.verb].label
    words = (command.word(slot) for slot in command.slots if slot.name not in command.open)
    known = [command.verb, *filter(None, words)]
    return " ".join(known[1:] if known[0] == "report" else known).replace("-", " ")


def _numbered(
    table: Table, given: list[Command], rnd: Round | None, *, reserved: bool = True
) -> tuple[MenuChoice, ...]:
    """The choices with their numbers; those that are nearly always there have ``reserved`` ones:
    nobody is to give a remedy who means a correction."""
    own = _NUMBERS if reserved else {}
    numbers = (number for number in count(1) if number not in own.values())
    return tuple(
        MenuChoice(own.get(one) or next(numbers), label_of(one), one, _clause(table, one, rnd))
        for one in given
    )


def _clause(table: Table, command: Command, rnd: Round | None) -> str:
    verb = command.verb
    if command in _about_shoe(table):
        refused = card_sets.refused(table) or shuffling.refused(table)
        return refused.clause if refused else ""
    if rnd is None or verb in CORRECTIONS or command in (REPORT, *voiding.ANSWERS):
        return ""
    if rnd.irregular.irregularity is not None:
        remedy = command.word(CHOICE) if verb == "choose" else verb
        return case_of(rnd, rnd.irregular.irregularity).clause_of(remedy)
    if verb == "report":
        return case_of(rnd, Irregularity(command.trigger)).clause
    if verb == "void":
        return table.rules.settled_by["void"]
    options = rnd.irregular.options
    return (options.options_clause or options.clause) if options else ""
