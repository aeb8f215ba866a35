"""Hands judged anew, from the cards as they lie and the decisions that were made at them.

This is the one place where it is found out what a wager is (surrendered, doubled, withdrawn, with
bought cards, on a hand that was split) and whether a hand takes more cards, once something was put
right: in every document, for every correction, and from the start each time. Cards and decisions
are kept as they came, so what one correction drops the next one may bring back.

- A hand ends with the first card that ends it. Cards behind that one were dealt in error to a hand
  that was over; they count for nothing (MBS 5.7; RWS Pontoon Plus 5.10.2; Division 15, 16.3).
- A decision that the cards do not permit is dropped. A split of unequal cards, and a double or a
  buy behind the end, is not: cards have followed from it, so it has to be taken back first, or is
  said to stand.
- Nothing is invented: a hand that should have decided and has not is left open.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.game.commands.values import write_amount
from controller.game.round import hands as decide
from controller.game.round import looks
from controller.game.round.hands import controller_then
from controller.game.round.model import Bet, Box, Decided, Hand
from controller.game.round.refusal import Refused
from controller.game.round.settling.interim import ends_hand
from controller.game.round.state import Round
from controller.game.round.steps import Absent, Buy, Double, Follow, Place, Split, Stand, Surrender
from controller.game.rules.cards import Card, NumberedCard, same_rank, same_value, write_cards

Hands = Mapping[int, Hand]
"""The hands of a box as they were before, by number."""


def judge_hands(rnd: Round, box: Box) -> list[Card]:
    """Judge all hands of the box anew, settling nothing; the cards that counted before and do not
    now. Refused where a split, a double or a buy could not have been made with these cards."""
    were = {hand.number: hand for hand in box.hands}
    originals = {bettor: bet for bettor in box.main if (bet := box.original_bet(bettor))}
    first = Hand(box.number, 1, bets={b: _unsettled(bet) for b, bet in originals.items()})
    first.pontoon_barred = were[1].pontoon_barred and not were[1].split
    box.hands, discarded, gone = [first], [], set[str]()
    for hand in box.hands:  # a split puts the hand that it forms behind the one in turn
        was = were[hand.number]
        hand.said, hand.refused = was.said, was.refused
        cards = [*was.cards, *was.beyond]
        hand.cards, cards = cards[:1], cards[1:]
        _split(rnd, box, hand, were)
        hand.beyond = _walk(rnd, hand, cards, gone)
        hand.over = hand.over or all(bet.given_back for bet in hand.bets.values())
        if hand.beyond and not hand.over and len(rnd.dealer) < 2:
            _wait(rnd, hand)
        discarded += [card for card in hand.beyond if not _is_among(card, was.beyond)]
        if again := [card for card in was.beyond if not _is_among(card, hand.beyond)]:
            rnd.remark(f"{write_cards(again)} counts again at box {box.number}")
    return discarded


def _wait(rnd: Round, hand: Hand) -> None:
    """Have cards for which the hand was not asked be the next ones."""
    waiting = [*hand.beyond, *rnd.irregular.waiting]
    rnd.irregular.waiting = sorted(waiting, key=lambda card: getattr(card, "number", 0))
    rnd.remark(
        f"{write_cards(hand.beyond)} came to box {hand.box}, which was not asked: it waits, and is "
        "the next card"
    )
    hand.beyond = []


def _is_among(card: Card, cards: list[Card]) -> bool:
    return any(card is other for other in cards)


def _unsettled(bet: Bet) -> Bet:
    """The wager as it was placed; one that was given back stays as it was then."""
    if bet.given_back:
        return bet.clone()
    return Bet(bet.stake, bet.original, placed=bet.placed)


def _split(rnd: Round, box: Box, hand: Hand, were: Hands) -> None:
    """Form the hands that the hand's splits have formed, with the wagers of those who added one."""
    new: Hand | None = None
    for one in hand.said:
        bettor = one.step.seat.bettor or "a"
        match one.step:
            case Split():
                _check_not_given_up(rnd, hand, one)
                new = _formed(rnd, box, hand, one, were)
            case Follow() if new:
                decide.follow(hand, new, bettor)
            case Place(hand=number) if new and number == new.number:
                decide.place(hand, new, bettor)
                continue  # his wager is the original one still
            case _:
                continue
        assert new
        before = were[new.number].bets.get(bettor)
        if before is not None:
            new.bets[bettor] = _unsettled(before)


def _check_not_given_up(rnd: Round, hand: Hand, one: Decided) -> None:
    """Check that no surrender which did not hold counts again before the split."""
    whose = {one.step.seat.bettor} if rnd.rules.surrender.scope.value != "box" else {*hand.bets}
    gave_up = (
        isinstance(other.step, Surrender) and other.step.seat.bettor in whose
        for other in hand.said[: hand.said.index(one)]
    )
    if decide.surrender_opens(rnd) and not one.stands and any(gave_up):
        clause = rnd.rules.surrender.offered.clause
        raise _first_back(hand, "split behind a surrender", "the split", clause, "WAS SPLIT")


def _formed(rnd: Round, box: Box, hand: Hand, one: Decided, were: Hands) -> Hand:
    """The hand that a split forms, with the first card that lies there."""
    match, firsts = rnd.rules.split.match, were[one.formed].cards[:1]
    pair = [*hand.cards, *firsts]
    equal = same_value if match.value == "value" else same_rank
    differ = len(pair) == 2 and (not equal(pair) or hand.split_aces)
    if not hand.cards or (differ and not one.stands):
        did = f"split {write_cards(pair)}, which are not equal"
        raise _first_back(hand, did, "the split", match.clause, "WAS SPLIT")
    return decide.form_hand(rnd, box, hand, one.formed, one.step.seat.bettor or "a", firsts)


def _walk(rnd: Round, hand: Hand, cards: list[Card], gone: set[str]) -> list[Card]:
    """Take cards and decisions until the hand is over, or neither is left; the cards that are left.
    ``gone`` are the bettors who have left by now."""
    splits = [at for at, one in enumerate(hand.said) if isinstance(one.step, Split)]
    before, since = (
        hand.said[: splits[-1] if splits else 0],
        hand.said[splits[-1] if splits else 0 :],
    )
    said = [
        one for one in before if isinstance(one.step, Surrender)
    ]  # he may have stood, and splits
    said += [one for one in since if not isinstance(one.step, Split | Follow | Place)]
    if rnd.rules.surrender.offered.value == "in_turn":  # of two cards only
        said = [one for one in said if not (isinstance(one.step, Surrender) and one.at > 2)]
    while True:
        while _has_surrendered(hand, said, cards):
            _decide(rnd, hand, said.pop(0), cards)
        if len(hand.cards) >= 2:
            if not (said and said[0].stands and said[0].at <= len(hand.cards)):
                _find_end(rnd, hand, set() if said else gone)
            if hand.over:
                _check_nothing_added(rnd, hand, said)
                return cards
            if said and said[0].at <= len(hand.cards):
                one = said.pop(0)
                if isinstance(one.step, Absent):
                    gone.add(one.step.seat.bettor or "a")
                _decide(rnd, hand, one, cards)
                continue
            if hand.doubled:
                hand.over = bool(cards)
                hand.cards += cards[:1]
                for one in said:  # also of a doubled hand, upon the dealer's late card (MBS 5.12.2)
                    if isinstance(one.step, Surrender):
                        _decide(rnd, hand, one, [])
                return cards[1:]
        if not cards:
            standing = [bet for bet in hand.bets.values() if not bet.given_back]
            hand.over = bool(hand.refused) or all(bet.surrendered for bet in standing)
            return cards
        if _was_not_asked_for(rnd, hand, cards[0], gone):
            hand.over = bool(hand.refused)
            return cards
        hand.twisted = hand.twisted or len(hand.cards) >= 2
        hand.cards.append(cards.pop(0))


def _was_not_asked_for(rnd: Round, hand: Hand, card: Card, gone: set[str]) -> bool:
    """Whether the card came by itself, for the hand seemed to have no choice, and it had one."""
    if not isinstance(card, NumberedCard) or not card.forced or len(hand.cards) < 2:
        return False
    if looks.house_plays(rnd, hand, gone) or controller_then(rnd, hand, gone) not in hand.bets:
        return False
    return hand.total >= rnd.rules.stand.minimum.value or decide.may_raise(rnd, hand)


def _has_surrendered(hand: Hand, said: list[Decided], cards: list[Card]) -> bool:
    """Whether the next decision surrenders two cards, or all there are; a Pontoon is over."""
    if not said or not isinstance(said[0].step, Surrender):
        return False
    dealt = len(hand.cards) >= 2 or not cards
    return dealt and (hand.split or not hand.is_pontoon)


def _find_end(rnd: Round, hand: Hand, gone: set[str]) -> None:
    """Find whether the cards end the hand, or the people at it."""
    hand.over = (
        hand.over
        or hand.split_aces
        or (hand.is_pontoon and not hand.split)
        or ends_hand(rnd, hand, hand.cards)
        or looks.house_stands(rnd, hand, gone)
    )


def _decide(rnd: Round, hand: Hand, one: Decided, cards: list[Card]) -> None:
    """Take one decision, if the cards permit it, and the card that was bought with it."""
    bettor = one.step.seat.bettor or "a"
    match one.step:
        case Surrender() if decide.surrender_opens(rnd):
            was_over = hand.over
            decide.surrender(rnd, hand, bettor)  # who has his wager back since played on then
            all_have = all(bet.surrendered for bet in hand.bets.values())
            hand.over = was_over or (hand.over and all_have)
        case Stand() if one.at < len(hand.cards) and not _had_come(hand.cards[-1], one):
            pass  # the hand got its second card since, and was asked anew
        case Stand():  # it stays as it was said, though other cards lie there than he saw then
            while cards and _had_come(cards[0], one) and not ends_hand(rnd, hand, hand.cards):
                hand.cards.append(cards.pop(0))
            hand.over = hand.total >= rnd.rules.stand.minimum.value
        case Double(amount=amount):
            _check_doubled(rnd, hand, one)
            decide.double(hand, bettor, amount)
            bet = hand.bets[bettor]
            if bet.placed and bet.double is not None and bet.stake is not None:
                bet.double = min(bet.double, bet.stake)
        case Buy(amount=amount):
            if decide.is_free(rnd, hand):
                assert rnd.rules.buy
                clause = rnd.rules.buy.free_below.clause
                paid = write_amount(amount) or "what was paid for it"
                rnd.remark(f"the last card of box {hand.box} is free: {paid} goes back ({clause})")
            elif not hand.bets[bettor].given_back:
                hand.bets[bettor].buys += (amount,)
            hand.cards += cards[:1]
            del cards[:1]


def _had_come(card: Card, one: Decided) -> bool:
    """Whether the card lay there when that was decided; so is taken of one without a number."""
    return not isinstance(card, NumberedCard) or card.came <= (one.out, 0)


def _check_doubled(rnd: Round, hand: Hand, one: Decided) -> None:
    """Check that no more cards were doubled than the document lets."""
    rule = rnd.rules.double
    assert rule
    if rule.cards.value == "first_two" and one.at > 2 and not one.stands:
        did = f"doubled on {write_cards(hand.cards)}, which are more than two"
        raise _first_back(hand, did, "the double", rule.cards.clause, "WAS DOUBLED")


def _check_nothing_added(rnd: Round, hand: Hand, said: list[Decided]) -> None:
    """Check that no wager was raised behind the end of the hand."""
    added = next((one.step for one in said if isinstance(one.step, Double | Buy)), None)
    over = f"{write_cards(hand.cards)}, which was over"
    if isinstance(added, Double):
        assert rnd.rules.double
        clause = rnd.rules.double.cards.clause
        raise _first_back(hand, f"doubled on {over}", "the double", clause, "WAS DOUBLED")
    if isinstance(added, Buy):
        assert rnd.rules.buy
        clause = rnd.rules.buy.maximum.clause
        did = f"bought a card behind {over}"
        raise _first_back(hand, did, "that", clause, "CARD WAS BOUGHT")


def _first_back(hand: Hand, did: str, what: str, clause: str, short: str) -> Refused:
    """The refusal of a correction that a decision stands against."""
    return Refused(
        f"box {hand.box} has {did}: take {what} back first "
        f"(report wrong-decision {hand.box}, reconstruct), or have it stand (continue)",
        clause,
        short=short,
    )
