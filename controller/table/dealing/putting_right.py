"""Irregularities at the live table: what devices see, what people report, who puts it right.

The round knows the cases and their remedies (:mod:`~.irregularity`, :mod:`~.remedying`). Here they
meet the table: what the round cannot go on with holds play, with the clause and what may be done in
plain words; the dealer gives the remedies that are his or a player's, the supervisor every one
(:mod:`~.deciders`); what follows goes on by itself. Cards that wait for it are laid aside in
:mod:`~.laying_aside`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from controller.round import play
from controller.round.irregular.cases import case_of, given
from controller.round.log import cards_out
from controller.round.looks import card_expected
from controller.round.permitted import permitted_steps
from controller.round.refusal import Refused
from controller.round.state import Round
from controller.round.steps.step import Step
from controller.rules.cases import DECIDERS, REMEDIES, TRIGGERS
from controller.table.dealing import cards_in, squeezing
from controller.table.dealing.deciders import cards_that_wait, dealers, is_the_dealers, remedies
from controller.table.dealing.laying_aside import discards_in_shoe, with_kept
from controller.table.holds.hold import Hold, LooseCard
from controller.table.shoe import shuffling

if TYPE_CHECKING:
    from controller.table.table import Table

FAULT_OF: Final = {
    "face-up": "card-face-up",
    "together": "cards-together",
    "foreign": "card-foreign",
    "count": "card-excess",
    "drawn": "card-locked",
    "power": "power-failure",
}
"""Codes of faults that are not the trigger's name."""


def is_open(table: Table) -> bool:
    """Whether the round has an irregularity that waits for its remedy."""
    rnd = table.rnd
    return table.mid_round and rnd is not None and not rnd.ended and rnd.irregularity is not None


def hold_behind(table: Table, cards: list[LooseCard], reason: str) -> None:
    """The irregularity holds the table, with the reason in the table's words; the cards that left
    behind it wait."""
    _hold(table, None, reason)
    table.holds[0].cards = cards


def shoe_ran_out(table: Table) -> None:
    """A card is due and the shoe has none: what then, the document says."""
    rnd = table.rnd
    if rnd is None or rnd.irregularity or table.reshuffled == table.round_number:
        return
    if cards_in.waiting_cards(table):  # it may be the one that is due
        return
    table.rnd = play.take_step(rnd, Step("report", word="shoe-empty"))
    follow(table)


def follow(table: Table) -> None:
    """What an event has brought about: remarks are told, cards that were put back are taken where
    nobody has to decide, an open irregularity holds the table, one that is over lets it go on."""
    rnd = table.rnd
    if rnd is None:
        return
    if table.mid_round and rnd.waiting and not table.kept and due_by_itself(rnd):
        before: Round | None = None
        while rnd is not before and rnd.waiting and due_by_itself(rnd):
            before, rnd = rnd, squeezing.take_waiting(table, rnd)
        table.rnd = rnd
    if rnd.ended:
        squeezing.give_up(table)
    table.outcome.notes += rnd.remarks[table.remarked :]
    table.remarked = len(rnd.remarks)
    held = next((hold for hold in table.holds if hold.irregular), None)
    if is_open(table):
        _hold(table, held)
    elif held is not None:
        table.holds.remove(held)
        if table.mid_round:
            cards_in.work_off(table, held.cards)
            follow(table)


def _hold(table: Table, held: Hold | None, reason: str = "") -> None:
    assert table.rnd
    found = table.rnd.irregularity
    assert found
    case = case_of(table.rnd, found)
    if found.trigger == "power":
        reason = f"the box was started anew in the middle of round {table.round_number}"
    if not reason:
        where = f", box {found.box}" if found.box else ""
        cards = f": {' '.join(cards_that_wait(table))}" if found.cards else ""
        reason = f"{TRIGGERS.get(found.trigger, found.trigger)}{where}{cards}"
    what = " or ".join(REMEDIES[remedy] for remedy in given(table.rnd, found, case))
    who = DECIDERS["dealer" if case.by == "table" else case.by]  # to say what happened is his
    said = f"{reason} ({case.clause}): {what}; {who} decides"
    fault = FAULT_OF.get(found.trigger, found.trigger)
    if held is not None:
        held.by_dealer = bool(dealers(table))
        if (
            held.fault != fault or f"({case.clause})" not in held.reason
        ):  # told more of it meanwhile
            held.fault, held.reason = fault, said
        return
    table.outcome.notes.append(said)
    behind = table.holds.pop(0).cards if table.holds and table.holds[0].cards else []
    new = Hold(fault, said, behind, irregular=True, by_dealer=bool(dealers(table)))
    table.holds.insert(0, new)


def due_by_itself(rnd: Round) -> bool:
    """Whether the next card comes without anybody's word: a card is the only thing, and nobody may
    still add a wager before it."""
    if rnd.irregularity or rnd.options or rnd.ended or not card_expected(rnd):
        return False
    match rnd.state:
        case "play.split_card" | "play.double_card":
            return not any(
                step.verb in ("follow", "place", "double") for step in permitted_steps(rnd)
            )
        case "play.decide" | "offers.open" | "play.withdraw":
            return False
    return True


def due_but_for_options(rnd: Round) -> bool:
    """Whether the next card would come by itself, were it not for what players may still choose."""
    return rnd.state not in ("play.decide", "offers.open", "play.withdraw")


def decide(table: Table, rnd: Round, step: Step) -> Round:
    """A step that is no remedy. A hit takes the card that was put back, if there is one; ``done``
    says that nobody adds a wager before it.

    Raises:
        Refused: it may not be taken now.
    """
    if step.verb == "done" and rnd.waiting and rnd.state in ("play.split_card", "play.double_card"):
        return squeezing.take_waiting(table, rnd)
    rnd = play.take_step(rnd, step)
    if step.verb in ("hit", "free") and rnd.waiting:
        return squeezing.take_waiting(table, rnd)
    return rnd


def dealer_step(table: Table, step: Step) -> None:
    """A report or remedy that the dealer gives.

    Raises:
        Refused: it is the supervisor\'s, or not permitted.
    """
    rnd = table.rnd
    if table.hold and table.hold.fault == "overdraw" and step == Step("discard"):
        cards_in.discard_first(table)
        return
    if rnd is None or not table.mid_round:
        raise Refused(f"{step} is not permitted now ({table.state})", table.clause, "NO ROUND")
    case = case_of(rnd, rnd.irregularity) if rnd.irregularity else rnd.options
    behind = rnd.irregularity is None and step.verb == "choose"
    if step.verb != "report" and not behind and (case is None or not is_the_dealers(case, step)):
        clause = case.clause if case else table.clause
        raise Refused(f"{step} is the supervisor's to give", clause, short="SUPERVISOR ONLY")
    _give(table, step)


def supervisor_step(table: Table, step: Step) -> None:
    """A report, remedy or correction that the supervisor gives.

    Raises:
        Refused: not permitted now.
    """
    rnd = table.rnd
    if rnd is None or not table.mid_round:
        raise Refused(f"{step} is not permitted now ({table.state})", table.clause, "NO ROUND")
    if step.verb == "correct":
        _check_correction(table, step)
    _give(table, step)


def _give(table: Table, step: Step) -> None:
    assert table.rnd
    trial = table.rnd if step.verb == "correct" else with_kept(table)
    if step.verb == "report" and step.word in ("drawn", "empty-box") and not trial.irregularity:
        trial = _taken_back(trial, step)
    else:
        trial = play.take_step(trial, step)
    if step.verb == "correct":
        _count_again(table, step)
    if step.verb == "reshuffle":
        table.reshuffled = table.round_number
        discards_in_shoe(table)
        table.holds = [hold for hold in table.holds if hold.fault != "shoe-reloaded"]
        if table.rules.shoe.after_reshuffle.value == "shuffle_after_round":
            shuffling.due(table, table.round_number, "the discards were shuffled in this round")
    found = table.rnd.irregularity
    if step.verb == "reconstruct" and found and found.trigger == "not-burned":
        table.book.burned += (str(cards_out(trial.log)[0]),)
    if {"cutting-card-passed", "cutting-card-missing"} & set(trial.after_round):
        shuffling.due(table, table.round_number, "no shuffle has followed the cutting card")
    table.saved = None
    table.rnd = trial
    if table.kept and trial.waiting[:1] not in ([], [table.kept.card]):
        table.kept = None  # other cards come before it now


def _taken_back(rnd: Round, step: Step) -> Round:
    """The last card was not asked for: it is taken out of its hand and waits."""
    if not rnd.log or rnd.log[-1].what != "card":
        raise Refused(
            "no card has just left the shoe that could be meant", rnd.clause, short="NO CARD"
        )
    card = rnd.log[-1].cards[0]
    again = play.without_last(rnd)
    if again.settlements != rnd.settlements:
        raise Refused(
            f"a wager has been settled on the strength of {card}", rnd.clause, "SETTLED ALREADY"
        )
    seen = (card,) if step.option == "seen" else ()
    box = step.seat.box if step.seat else 0
    return play.lay_aside(again, (card,), step.word, seen=seen, box=box)


def resume(table: Table) -> None:
    """The supervisor lets play go on after a power cut.

    Raises:
        Refused: something else is wrong, or the document has the round void.
    """
    assert table.rnd
    assert table.rnd.irregularity
    case = case_of(table.rnd, table.rnd.irregularity)
    if table.rnd.irregularity.trigger != "power" or "continue" not in case.remedies:
        can = ", ".join(remedies(table))
        raise Refused(f"play cannot simply go on: permitted are {can}", case.clause, "REMEDY FIRST")
    _give(table, Step("continue"))


def _check_correction(table: Table, step: Step) -> None:
    assert table.rnd
    card = step.cards[0]
    if not table.rules.cards.tens.value and card.rank == 10:
        raise Refused(f"{card}: the set has no tens", table.rules.cards.tens.clause, "NO TENS")
    if table.used[card] >= table.settings.decks:
        raise Refused(
            f"{card}: all {table.settings.decks} of this shoe have come; it cannot be this card",
            short="ALL ARE OUT",
        )


def _count_again(table: Table, step: Step) -> None:
    """The correction holds for what has left the shoe, and for the round as it is told."""
    assert table.rnd
    named = [at for at, loose in enumerate(table.drawn) if loose.card is not None]
    place = named[step.number - 1]
    old, card = table.drawn[place], step.cards[0]
    assert old.card
    if not old.foreign:
        table.used = table.used + Counter({card: 1})
        table.used[old.card] -= 1
    table.drawn = table.drawn.copy()
    table.drawn[place] = replace(old, card=card)
    if old is table.kept:
        table.kept = table.drawn[place]


def power_cut(table: Table) -> bool:
    """A new boot in mid-round is put to the supervisor as the document has it. Whether it could be:
    nothing else is wrong."""
    rnd = table.rnd
    if rnd is None or rnd.irregularity is not None:
        return False
    table.rnd = play.take_step(rnd, Step("report", word="power"))
    return True
