"""``reconstruct``: decisions are taken back, and cards put where they should be. Each function
returns the round that replaces its argument."""

from __future__ import annotations

from contextlib import suppress

from controller.game.round import remedies
from controller.game.round.irregular import replaying
from controller.game.round.irregular.lying_wagers import ADDED
from controller.game.round.log import Input, cards_out
from controller.game.round.model import Settlement
from controller.game.round.moves import burn, put_back
from controller.game.round.refusal import Refused, refusal_of
from controller.game.round.state import Irregularity, Round
from controller.game.round.steps import Decision, Double, Keep, Withdraw
from controller.game.round.wagers import MAIN
from controller.game.rules.cards import NumberedCard, write_cards
from controller.game.rules.cases import KNOWN, Case


def can_be_reconstructed(rnd: Round, found: Irregularity, replay: replaying.Replay) -> bool:
    """Whether cards and decisions can be reconstructed as they should have been."""
    if KNOWN[found.trigger].rewinds:
        return not refusal_of(rewind, rnd, found, rnd.rules.irregularities[0], replay)
    if found.trigger == "not-burned":
        return not refusal_of(burn_first, rnd, rnd.rules.irregularities[0], replay)
    return True


def decisions_of(rnd: Round, box: int) -> list[int]:
    """Places in the log of the decisions that the box has made."""
    places = [
        place
        for place, given in enumerate(rnd.log)
        if isinstance(given.step, Decision | Keep | Withdraw) and given.step.seat.box == box
    ]
    return [p for at, p in enumerate(places) if not at or not _follows(rnd, places[at - 1], p)]


def _follows(rnd: Round, first: int, then: int) -> bool:
    """Whether the decision at ``then`` only follows the one at ``first``: a standing bettor doubles
    the hand with the one who decides for it, before its card."""
    between = rnd.log[first : then + 1]
    doubles = all(isinstance(given.step, Double) for given in (between[0], between[-1]))
    return doubles and not any(given.cards or given.what == "waiting" for given in between)


def look_since(rnd: Round, found: Irregularity, replay: replaying.Replay) -> None:
    """Note what has happened since the last decision of the box: how many other boxes have received
    cards, and whether a wager has been settled."""
    decided = decisions_of(rnd, found.box)
    if not decided:
        return
    before = rnd.log[: decided[-1]]
    out = len(cards_out(before))
    then = [one for one in replay(rnd, before).settlements if one.outcome != "returned"]
    found.settled = then != [one for one in rnd.settlements if one.outcome != "returned"]
    now = replaying.numbered(rnd, replay, rnd.log[:-1])  # without the report itself
    found.areas = len(
        {
            hand.box
            for hand in now.hands
            if hand.box != found.box
            and any(isinstance(c, NumberedCard) and c.number > out for c in hand.cards)
        }
    )


def rewind(rnd: Round, found: Irregularity, case: Case, replay: replaying.Replay) -> Round:
    """Take the box's last decision back; the cards that left since are the next ones."""
    decided = decisions_of(rnd, found.box)
    if not decided:
        raise Refused(
            f"box {found.box} has made no decision yet", case.clause, short="NO DECISION YET"
        )
    before, since = rnd.log[: decided[-1]], rnd.log[decided[-1] :]
    out = len(cards_out(before))
    stay = _staying(rnd, before, since, replay)
    if rnd.draws:  # the multipliers shown since stay drawn
        then = replay(rnd, before)
        drawn = tuple((box, shown) for box, shown in rnd.draws.items() if box not in then.draws)
        stay += [Input("drawn for", drawn)] if drawn else []
    then = replay(rnd, stay)
    again = replay(rnd, [*then.log, *_returned_since(rnd, then)])
    lying = replaying.on_the_table(rnd) - replaying.on_the_table(again)
    for card in replaying.known_cards(rnd)[out:]:
        if lying[card] > 0:
            put_back(again, card)
        else:  # it has been discarded
            burn(again, card)
        lying[card] -= 1
    remark = f"box {found.box} decides again; next: {write_cards(again.irregular.waiting)}"
    replaying.retell(again, rnd, [remark])
    return again


def _staying(
    rnd: Round, before: list[Input], since: list[Input], replay: replaying.Replay
) -> list[Input]:
    """The inputs ``before``, and those since that hold whatever is decided, in their order: reports
    that stay, corrections of cards that had left by then, and what lies there as a wager, but for
    what was added by a decision that is taken back."""
    log, out = before, len(cards_out(before))
    for given in since:
        step = given.step
        corrected = tuple(one for one in given.corrections if one.number <= out)
        if corrected:
            log = [*log, Input("corrected", corrected)]
        elif isinstance(step, remedies.Report) and KNOWN[step.trigger].stays:
            log = [*log, given]
        elif isinstance(step, remedies.WagerLies) and step.kind in ADDED:
            with suppress(Refused):
                replay(rnd, [*log, given])
                log = [*log, given]
        elif isinstance(step, remedies.WagerLies):
            log = [*log, given]
    return log


def was_said_to_lie(rnd: Round, trigger: str) -> bool:
    """Whether the irregularity came of where cards were said to lie, and not of a report."""
    if KNOWN[trigger].dealt is None and trigger != "dealer-no-card":
        return False
    said = (
        given.step is None
        for given in reversed(rnd.log)
        if (isinstance(given.step, remedies.Report) and given.step.trigger == trigger)
        or any(isinstance(step, remedies.Lies) for step in given.corrections)
    )
    return next(said)  # one of them has opened it


def put_back_where_due(rnd: Round, replay: replaying.Replay) -> Round:
    """The round with every card where the sequence had it, wherever it was said to lie."""
    log = []
    for given in rnd.log[:-1]:  # without the remedy itself
        steps = tuple(step for step in given.corrections if not isinstance(step, remedies.Lies))
        if given.what != "corrected" or steps:
            log.append(Input("corrected", steps) if given.what == "corrected" else given)
    again = replay(rnd, log)
    replaying.retell(again, rnd, ["the cards are put where they should be"])
    return again


def _returned_since(now: Round, then: Round) -> list[Input]:
    """Who has had his wagers back since: they stay his."""
    back = [
        (s.box, s.bettor, s.clause)
        for s in now.settlements
        if s.kind == MAIN and _has_back(now, s) and not _has_back(then, s)
    ]
    return [Input("returned", tuple(back))] if back else []


def _has_back(rnd: Round, settled: Settlement) -> bool:
    bet = rnd.boxes[settled.box].original_bet(settled.bettor)
    return bet is not None and bet.given_back


def burn_first(rnd: Round, case: Case, replay: replaying.Replay) -> Round:
    """Burn the first card, if nothing but cards has come; the others move up by one place."""
    cards = replaying.known_cards(rnd)
    others = [
        given
        for given in rnd.log
        if given.what not in ("step", "card", "corrected")
        or not all(isinstance(step, remedies.Correct) for step in given.corrections)
    ]
    if others or not cards:
        raise Refused("the cards cannot be moved up any more", case.clause, short="TOO LATE")
    steps = [g for g in rnd.log if g.step and not isinstance(g.step, remedies.PutsRight)]
    if steps:
        raise Refused(f"{steps[0].value} has been taken already", case.clause, short="TOO LATE")
    wagers = [
        g
        for g in rnd.log
        if isinstance(
            g.step,
            remedies.WagerLies | remedies.ReportOverMaximum | remedies.Cap | remedies.ProRata,
        )
    ]
    log = [Input("burned", cards[0]), *(Input("card", card) for card in cards[1:]), *wagers]
    again = replay(rnd, log)
    moved = f"{cards[0]} is burned; the others move up"
    again.irregular.remarks = [*rnd.irregular.remarks, moved]
    return again
