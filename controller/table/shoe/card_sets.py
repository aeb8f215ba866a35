"""Two card sets and a shuffler: which is in the shoe, and which may not be played.

- The shoe does not report its set. Which one it is follows from the shuffler: the set that it does
  not hold, else the one it finished last, else the other one than before. Without such a report it
  stays unknown.
- When the shoe is loaded again the sets change roles; a shoe emptied between rounds has no set.
- A set that comes out of a shuffle incomplete is blocked (``shoe.faulty_set``, matrix A-72): it
  belongs to no round in progress, and no round becomes void. Bets are not opened or closed on it
  until a shuffle of it is complete, or the supervisor clears it (``clear-set``, with name and
  reason).
- A round doubts the cards in the shoe where somebody reported that they were not shuffled, are too
  many or too few, or that one is foreign; or where the shoe gave a foreign card, or one of a kind
  more often than its decks hold it, unless that proved to be misread.
- Doubted cards are out of play from that round's end; between rounds at once. No bets are opened or
  closed on them. Where it is known which set it is, the set is blocked besides.
- That ends by a supervisor's ``play-on``, or ``clear-set N`` of that set, or by another set in the
  shoe. A full set loaded where nothing but the shuffle was doubted counts as shuffled, as behind a
  cutting card; a set that is not complete or not pure stays blocked until it is cleared, or a
  shuffle has found it complete.
- Six cards one behind the other in rank order of one suit, upwards or downwards, were not shuffled:
  that is a notice until another shoe is loaded or a supervisor says ``play-on``. By chance it comes
  once in a hundred million cards. A card that could not be read ends the sequence.
"""

from __future__ import annotations

from typing import Final

from controller.game.round.irregular.cases import case_of
from controller.game.round.refusal import Refused
from controller.game.round.state import Irregularity
from controller.game.rules.cards import TEN, Card
from controller.game.rules.cases import TRIGGERS
from controller.table import holds
from controller.table.state.cards import Doubt, LooseCard
from controller.table.state.table import Table
from drivers.vocabulary import SHOE_LOADED

UNSHUFFLED: Final = "unshuffled"
REPORTED: Final = (UNSHUFFLED, "count", "foreign")
"""Triggers that doubt the cards in the shoe."""

IN_ORDER: Final = "shoe-in-order"
"""The notice of cards that leave the shoe in the order of a new deck."""

LEAST: Final = 6
"""So many cards in order are a notice."""


def card_came(table: Table, loose: LooseCard) -> None:
    """A card has left the shoe: a foreign one, or one too many, doubts the others."""
    book = table.shoe.book
    book.in_order = _with(table, book.in_order, loose.card)[-LEAST:]
    if len(book.in_order) == LEAST and IN_ORDER not in table.holds.conditions:
        holds.has_come(table, IN_ORDER, f"round {table.round_number}")
    if loose.foreign and table.mid_round:
        table.dealing.doubt("foreign")
    elif loose.foreign:
        _take_out(table, _between_rounds(table, "foreign"))
    elif not table.mid_round and _is_excess(table, loose, waits=1):
        _take_out(table, _between_rounds(table, "count"))


def round_is_over(table: Table) -> None:
    """Take the cards out of play if the round doubts them. A round that a correction opened and
    that is over again is judged anew; what was said of its cards already stands."""
    found, book = _of_round(table), table.shoe.book
    words = "; ".join(found.values())
    before = book.doubted[1] if book.doubted[0] == table.round_number else ""
    if words == before:
        return
    book.doubted = (table.round_number, words)
    lift(table)
    if words:
        _take_out(table, words, unshuffled=[*found] == [UNSHUFFLED])


def lift(table: Table) -> None:
    """Let the cards in the shoe be played again."""
    book, sets = table.shoe.book, table.shoe.sets
    doubt, book.doubt = book.doubt, None
    if doubt and doubt.card_set is not None and sets.blocked.get(doubt.card_set) == doubt.why:
        del sets.blocked[doubt.card_set]


def end_doubts(table: Table) -> None:
    """Other cards, or the same ones shuffled, are in the shoe: cards of which nothing else was
    doubted may be played."""
    doubt = table.shoe.book.doubt
    if doubt and doubt.unshuffled:
        lift(table)
    table.shoe.book.doubt = None


def _take_out(table: Table, words: str, *, unshuffled: bool = False) -> None:
    book, sets = table.shoe.book, table.shoe.sets
    before = book.doubt.why if book.doubt else ""
    unshuffled = unshuffled and (book.doubt is None or book.doubt.unshuffled)
    why = before if words in before else "; ".join(filter(None, [before, words]))
    book.doubt = Doubt(why, unshuffled, sets.in_shoe)
    if sets.in_shoe is not None and sets.blocked.get(sets.in_shoe, before) == before:
        sets.blocked[sets.in_shoe] = why
    table.note(f"the cards in the shoe are out of play: {words}")


def _of_round(table: Table) -> dict[str, str]:
    """The triggers for which the round doubts the cards, in words."""
    rnd = table.rnd
    assert rnd
    found = [*table.dealing.doubts]
    if "count" not in found and any(_is_excess(table, card) for card in table.dealing.drawn):
        found.append("count")
    number = table.round_number
    cases = {trigger: case_of(rnd, Irregularity(trigger)) for trigger in found}
    return {t: f"{TRIGGERS[t]} (round {number}, {case.clause})" for t, case in cases.items()}


def _between_rounds(table: Table, trigger: str) -> str:
    return f"{TRIGGERS[trigger]} (after round {table.round_number})"


def _with(table: Table, before: tuple[Card, ...], card: Card | None) -> tuple[Card, ...]:
    """The cards in order up to and with that one."""
    if card is None:
        return ()
    step = _step(table, before[-1], card) if before else 0
    if not step:
        return (card,)
    goes_on = len(before) == 1 or step == _step(table, before[0], before[1])
    return (*before, card) if goes_on else (before[-1], card)


def _step(table: Table, one: Card, other: Card) -> int:
    """1 where the other card follows in the order of its suit, -1 where it goes before, else 0."""
    if one.suit != other.suit:
        return 0
    places = _place(table, other) - _place(table, one)
    return places if abs(places) == 1 else 0


def _place(table: Table, card: Card) -> int:
    """Its place in a suit; without tens a jack follows the nine."""
    return card.rank - (card.rank > TEN and not table.rules.cards.tens.value)


def _is_excess(table: Table, loose: LooseCard, waits: int = 0) -> bool:
    """Whether more cards of that name have come than the decks hold; ``waits`` of them are not
    counted yet."""
    if loose.card is None or loose.foreign:
        return False
    return table.shoe.used[loose.card] + waits > table.settings.decks


SETS = (1, 2)


def record_set_state(table: Table, number: int, word: str) -> None:
    """Record the shuffler's report about a set."""
    sets = table.shoe.sets
    if number not in SETS:
        return
    if word in ("empty", "loaded", "shuffling", "ready"):
        sets.held[number] = word != "empty"
    if word == "shuffling":
        sets.amiss.clear()
    if sets.in_shoe == number and sets.held.get(number):
        sets.in_shoe, sets.before = None, number
    absent = [other for other, held in sets.held.items() if not held]
    if sets.in_shoe is None and len(absent) == 1 and len(sets.held) == len(SETS):
        shoe = table.devices.get("shoe")
        sets.in_shoe = absent[0] if shoe and shoe.state == SHOE_LOADED else None


def record_shuffle_end(table: Table, number: int, result: int, word: str) -> None:
    """Record the end of a shuffle."""
    sets = table.shoe.sets
    amiss, sets.amiss = sets.amiss, []
    if number not in SETS:
        return
    sets.finished = number
    if result == 0 and not amiss:
        sets.blocked.pop(number, None)
    else:
        sets.blocked[number] = ", ".join(amiss) or word


def shoe_loaded(table: Table) -> None:
    """Record a new shoe: its set is the one that the shuffler does not hold, or finished last."""
    sets = table.shoe.sets
    absent = [number for number in SETS if sets.held.get(number) is False]
    before = sets.in_shoe or sets.before
    if len(absent) == 1:
        now: int | None = absent[0]
    elif sets.finished is not None:
        now = sets.finished
    else:
        now = 3 - before if before and table.has("shuffler") else None
    sets.before, sets.in_shoe, sets.finished = before, now, None
    if now in sets.blocked:
        table.note(_words(table, now))


def shoe_emptied(table: Table) -> None:
    """Record that the cards were taken out of the shoe between rounds."""
    if not table.mid_round and table.shoe.sets.in_shoe is not None:
        table.shoe.sets.before, table.shoe.sets.in_shoe = table.shoe.sets.in_shoe, None


def _words(table: Table, number: int) -> str:
    why = table.shoe.sets.blocked[number]
    return f"set {number} is in the shoe and not to be played: {why}"


def refused(table: Table) -> Refused | None:
    """The reason against opening or closing bets on the set in the shoe; None where there is
    none."""
    number = table.shoe.sets.in_shoe
    if number is None or number not in table.shoe.sets.blocked:
        return None
    return Refused(
        f"{_words(table, number)}; load the other set, or the supervisor clears it "
        f"(clear-set {number})",
        table.rules.shoe.faulty_set.clause,
        short=f"SET {number} IS BLOCKED",
        code="set-is-blocked",
    )


def clear(table: Table, number: int) -> None:
    """Unblock a set that the supervisor has had checked."""
    if number not in table.shoe.sets.blocked:
        raise Refused(f"set {number} is not blocked", short="SET NOT BLOCKED")
    del table.shoe.sets.blocked[number]
    doubt = table.shoe.book.doubt
    if doubt and number in (doubt.card_set, table.shoe.sets.in_shoe):
        table.shoe.book.doubt = None
