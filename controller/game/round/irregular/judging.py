"""Corrections judged by the cards as they lie, ``correct N CARD`` and ``lies N BOX``; and the last
card of the round taken out of its hand again: it was drawn in error (MBS 5.8; Division 15, 16.4),
went to an empty box, or another one left the shoe together with it. What it has settled is
reversed; it waits, and the document says what becomes of it.

Consecutive corrections are one. The round is played again with its cards numbered, so that it
is known where each lies; the cards are renamed and moved; everything that is due is settled anew
(:mod:`~.settling_anew`), and play goes on where a decision, a card or a press is missing. How a
round is played again is handed in (``replay``).
"""

from __future__ import annotations

from itertools import takewhile

from controller.game.commands.values import HandAt, NoHand
from controller.game.round.irregular import replaying
from controller.game.round.irregular.cases import case_of
from controller.game.round.irregular.effects import open_options
from controller.game.round.irregular.replaying import Replay, numbered, retell
from controller.game.round.irregular.reporting import lay_aside, open_it
from controller.game.round.irregular.settling_anew import go_on, offers_of, settle_anew
from controller.game.round.log import Input, Loose, cards_out
from controller.game.round.moves import receive
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Correct, Correction, Lies, Report, ReportDrawn, WagerLies
from controller.game.round.state import Irregularity, Round
from controller.game.round.states import RoundPart, State
from controller.game.round.steps import Free, Hit
from controller.game.rules.cards import Card, number_of
from controller.game.rules.cases import KNOWN, NOT_ASKED


def check_correction(rnd: Round, step: Correction) -> None:
    """Check what can be checked of one correction before it is judged: its card and place, and that
    no draw or initial deal is under way, nothing else is wrong, and the round is not void."""
    check_no_draw(rnd)
    replaying.check_number(rnd, step.number)
    if isinstance(step, Lies):
        _check_place(rnd, step.place)
    if isinstance(step, Correct):
        replaying.check_other_card(rnd, step.number, step.card)


def check_no_draw(rnd: Round) -> None:
    """Check that the round is not void and no draw is under way, whose offer must not go then."""
    if rnd.state == State.VOID:
        raise Refused("the round is void", rnd.clause, short="ROUND IS VOID")
    if rnd.state == State.JACKPOT_DRAWING:
        raise Refused(
            "the meter spins: correct cards when it has shown the multiplier",
            rnd.clause,
            short="METER SPINS",
        )


def _check_place(rnd: Round, place: HandAt | NoHand) -> None:
    case = case_of(rnd, Irregularity("misdeal"))
    if rnd.state.part is RoundPart.DEAL:
        raise Refused(
            "cards of the initial deal are put where they should be (report misdeal)",
            case.clause,
            short="PUT THEM RIGHT",
        )
    if rnd.irregular.irregularity is not None:
        clause = case_of(rnd, rnd.irregular.irregularity).clause
        raise Refused("something is wrong: a remedy first", clause, short="REMEDY FIRST")
    if isinstance(place, NoHand):
        return
    boxes = rnd.rules.betting.boxes_max
    if place.box > boxes.value:
        raise Refused(f"there is no box {place.box}", boxes.clause, short="NO SUCH BOX")
    box = rnd.boxes.get(place.box)
    hands = [hand.number for hand in box.hands] if box else []
    if place.hand and place.hand not in hands:
        raise Refused(f"box {place.box} has no hand {place.hand}", case.clause, "NO SUCH HAND")
    if len(hands) > 1 and not place.hand:
        raise Refused(
            f"box {place.box} has {len(hands)} hands: say which, as in {place.box}.1",
            case.clause,
            short="WHICH HAND?",
        )


def judged(rnd: Round, replay: replaying.Replay) -> Round:
    """The round with its corrections judged, and what they change told; refused where the cards do
    not permit what was decided on them, and it cannot be dropped."""
    again = replaying.numbered(rnd, replay, rnd.log)
    known, remarked = replaying.known_cards(again), len(again.irregular.remarks)
    amend(again, rnd.irregular.edits)
    again.log.append(Input("corrected", rnd.irregular.edits))
    new = again.irregular.remarks[remarked:]
    replaying.retell(again, rnd, [*(_in_words(step, known) for step in rnd.irregular.edits), *new])
    return again


def as_said(rnd: Round, replay: replaying.Replay) -> Round:
    """The round with its cards as the corrections say, and nothing judged: only to be shown."""
    shown = replaying.numbered(rnd, replay, rnd.log)
    replaying.lay(shown, rnd.irregular.edits)
    return shown


def places(rnd: Round, replay: replaying.Replay) -> list[str]:
    """Where each card that has left the shoe lies, in the order in which they left it, as the
    corrections say: ``box 3``, ``box 3.2`` of several hands, ``dealer``, ``waits``, ``out``."""
    shown = as_said(rnd, replay)
    found = ["out"] * len(cards_out(rnd.log))
    irregular = shown.irregular.irregularity.cards if shown.irregular.irregularity else []
    piles = [("dealer", shown.dealer), ("waits", [*shown.irregular.waiting, *irregular])]
    for hand in shown.hands:
        several = len(shown.boxes[hand.box].hands) > 1
        piles.append((f"box {hand.box}{f'.{hand.number}' if several else ''}", hand.cards))
    for place, cards in piles:
        for card in cards:
            found[number_of(card) - 1] = place
    return found


def _in_words(step: Correction, known: list[Card]) -> str:
    said = f"card {step.number} of the round"
    if isinstance(step, Correct):
        return f"{said} was read {known[step.number - 1]}, it is {step.card}"
    assert isinstance(step, Lies)
    at_box = "at box " if isinstance(step.place, HandAt) else ""
    return f"{said} lies {at_box}{step.place}"


def amend(rnd: Round, steps: tuple[Correction, ...]) -> None:
    """Rename and move numbered cards, settle anew, and go on. Refused as :func:`judged`."""
    before, offered, known = rnd.state, offers_of(rnd), replaying.known_cards(rnd)
    if (open_one := rnd.irregular.irregularity) and open_one.trigger == NOT_ASKED:
        rnd.irregular.irregularity = None  # it is found out again
    strays = replaying.lay(rnd, steps)
    if _deal_misread(rnd, steps, known) or before.part is RoundPart.DEAL:
        return
    settle_anew(rnd)
    go_on(rnd, before, offered)
    found = rnd.irregular.irregularity
    if found is not None and found.cards:
        open_it(rnd, found, by_itself=False)
    moved = any(isinstance(step, Lies) for step in steps)
    if moved:
        rnd.irregular.missing = _who_lacks_cards(rnd)
    open_missing(rnd)
    if moved and rnd.irregular.irregularity is None and not rnd.is_over:
        trigger = "empty-box" if strays else "misdeal"
        open_options(rnd, case_of(rnd, Irregularity(trigger)))


def _deal_misread(rnd: Round, steps: tuple[Correction, ...], known: list[Card]) -> bool:
    """Deal a card that was due and had seemed one too many of its kind, because it or another one
    was misread; whether there was one. ``known`` are the cards as they were before the steps."""
    found = rnd.irregular.irregularity
    if found is None or found.trigger != "count" or not found.asked:
        return False
    number = number_of(found.cards[0])
    corrected = [step.number for step in steps if isinstance(step, Correct)]
    if known[number - 1] not in [known[each - 1] for each in corrected]:
        return False
    rnd.irregular.irregularity = None
    log = rnd.log.copy()
    receive(rnd, found.cards[0])
    rnd.log = log
    return True


def _who_lacks_cards(rnd: Round) -> tuple[int, ...]:
    """The boxes, and the dealer (0), that lack cards of the initial deal."""
    short = [
        box.number
        for box in rnd.boxes.values()
        if len(box.hands) == 1 and len(box.hands[0].cards) < 2 and not box.given_up
    ]
    return (*short, *([] if rnd.dealer else [0]))


def open_missing(rnd: Round) -> None:
    """Open the irregularity of the next box that lacks cards, or of the dealer; then of the next
    hand that should have decided before the dealer drew, and was not asked."""
    if rnd.state == State.VOID:
        return
    while rnd.irregular.missing and rnd.irregular.irregularity is None:
        number, *rest = rnd.irregular.missing
        rnd.irregular.missing = tuple(rest)
        trigger = "dealer-no-card"
        if number:
            trigger = "one-card" if rnd.boxes[number].hands[0].cards else "no-card"
        open_it(rnd, Irregularity(trigger, box=number))
    hand = rnd.next_hand
    if hand is None or len(rnd.dealer) < 2 or rnd.irregular.irregularity:
        return
    open_it(rnd, Irregularity(NOT_ASKED, box=hand.box))


def reports_last_card(step: Report) -> bool:
    """Whether the step reports the last card of the round, by the hand that it went to."""
    return isinstance(step, ReportDrawn) and (step.dealer or step.seat is not None)


def last_card(rnd: Round, step: Report, replay: Replay) -> Round:
    """The round with its last card taken back, which that step reports; wherever it went, where the
    step does not say that. Refused where no card has just left the shoe, or it did not go there."""
    if rnd.irregular.irregularity is not None:
        raise Refused("something is wrong already: a remedy first", rnd.clause, "ONE AT A TIME")
    last = _last(rnd)
    if rnd.state == State.VOID or last is None or last.what != "card":
        raise Refused(
            "no card has just left the shoe that could be meant", rnd.clause, short="NO CARD"
        )
    box = step.box if KNOWN[step.trigger].without_hand else 0
    if box in rnd.boxes:
        raise Refused(
            f"box {box} has a wager", rnd.clause, short=f"BOX {box} HAS ONE", code="box-has-a-wager"
        )
    [card] = last.cards
    if reports_last_card(step):
        _check_lies_there(numbered(rnd, replay, rnd.log), step)
    seen = (card,) if isinstance(step, ReportDrawn) and step.seen else ()
    return _without_last(rnd, Loose((card,), step.trigger, seen=seen, box=box), replay, asked=False)


def _is_wager(given: Input) -> bool:
    return isinstance(given.step, WagerLies)


def _last(rnd: Round) -> Input | None:
    """The last input, but for what lies there as a wager."""
    return next((given for given in reversed(rnd.log) if not _is_wager(given)), None)


def joins(rnd: Round) -> bool:
    """Whether a card that left the shoe together with the one before it joins that one: it has just
    been dealt, or waits for the same reason; also where the round was settled with it."""
    last = _last(rnd)
    if rnd.state == State.VOID or last is None:
        return False
    if last.loose is not None:  # one that lay face up may have been used already, by itself
        return last.loose.trigger in ("together", "face-up", "foreign")
    return last.what == "card" and rnd.irregular.irregularity is None


def together(rnd: Round, card: Card, replay: Replay, *, foreign: bool = False) -> Round:
    """The round in which ``card`` waits with the last one, together with which it left the shoe
    (:func:`joins`); that one of them is ``foreign`` to the set comes first."""
    last = _last(rnd)
    assert last
    asked = last.loose.asked if last.loose else True
    foreign = foreign or (last.loose is not None and last.loose.trigger == "foreign")
    trigger = "foreign" if foreign else "together"
    return _without_last(rnd, Loose((*last.cards, card), trigger, asked=asked), replay)


def _without_last(rnd: Round, loose: Loose, replay: Replay, *, asked: bool = True) -> Round:
    """The round with ``loose`` in place of its last input, which was no hit if nobody ``asked``."""
    wagers = len(list(takewhile(_is_wager, reversed(rnd.log))))  # said since: they lie there still
    end = len(rnd.log) - wagers
    log, behind = rnd.log[: end - 1], rnd.log[end:]
    said = log[-1].step if log else None
    if not asked and isinstance(said, Hit | Free):
        log = log[:-1]
    again = replay(rnd, [*log, *behind])
    remarked = len(again.irregular.remarks)
    lay_aside(again, loose)
    retell(again, rnd, again.irregular.remarks[remarked:])
    return again


def _check_lies_there(rnd: Round, step: Report) -> None:
    last = _last(rnd)
    assert last
    [card] = last.cards
    hands = [hand for hand in rnd.hands if any(lies is card for lies in hand.cards)]
    box = hands[0].box if hands else 0
    if box != step.box:
        where = f"box {box}" if box else "the dealer's hand"
        raise Refused(f"the last card is {card}, and lies at {where}", rnd.clause, "NOT THAT CARD")
