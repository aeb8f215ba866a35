"""What cards go through, by hand: the card shoe with its lamp, its gate and a known pack, and the
shuffler with a set that goes through it several times, counted and compared.

A pack is compared with what was read as two texts are: a card that was not reported, or reported
twice, does not make every later one wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from controller.commissioning.by_hand.bench import Bench, Failed, Heard, WantedTrial
from controller.game.rules.cards import RANKS, SUITS, UNREAD, Card, card_of, write_cards
from drivers.vocabulary import (
    LOCKED,
    SHOE_EMPTY,
    SHUFFLE_RESULTS,
    SHUFFLER_STATES,
    SHUFFLER_STOPPED,
)

MOVING_S: Final = 30.0
"""While it shuffles it reports every 5 s (protocol section 5)."""


def passes(bench: Bench, wanted: WantedTrial) -> str:
    """A set, pass after pass: that it is complete, and that every pass finds the same."""
    bench.person.goes_on(f"Set {wanted.set} is to lie in the shuffler, its door closed")
    found: list[tuple[int, str]] = []
    for number in range(1, wanted.passes + 1):
        bench.forget()
        bench.command(f"START set={wanted.set}")
        found.append(_one_pass(bench, f"pass {number} of {wanted.passes}"))
    wrong = [
        f"pass {number}: {what}" if wanted.passes > 1 else what
        for number, (_, what) in enumerate(found, 1)
        if what
    ]
    counts = [count for count, _ in found]
    if len(set(counts)) > 1:
        wrong.append(f"the passes do not agree: {', '.join(map(str, counts))} cards")
    if wanted.count and set(counts) != {wanted.count}:
        wrong.append(f"expected are {wanted.count} cards, counted were {counts[-1]}")
    if wrong:
        raise Failed(f"set {wanted.set}: {'; '.join(wrong)}; count the set by hand")
    return f"set {wanted.set}: {len(found)} passes, {counts[0]} cards each, complete"


def _one_pass(bench: Bench, which: str) -> tuple[int, str]:
    """Of one pass: the cards counted, and what was found amiss."""
    amiss: list[str] = []
    while True:
        heard = bench.wait(
            *("SHUFFLER_STATE", "SHUFFLE_DONE", "CARD_DISCREPANCY"),
            within_s=max(MOVING_S, bench.wait_s),
        )
        if heard is None:
            raise Failed(f"{which}: the shuffler says nothing any more")
        if heard.name == "CARD_DISCREPANCY":
            rank, suit, by = (heard.whole_number(name) for name in ("rank", "suit", "difference"))
            card = write_cards([card_of(rank, suit)])
            amiss.append(f"{abs(by)} {card} {'too many' if by > 0 else 'missing'}")
        elif heard.name == "SHUFFLE_DONE":
            count, result = heard.whole_number("count"), heard.whole_number("result")
            known = result < len(SHUFFLE_RESULTS)
            word = SHUFFLE_RESULTS[result] if known else f"result {result}"
            return count, ", ".join(amiss) or (word if result else "")
        else:
            state = heard.whole_number("state")
            word = SHUFFLER_STATES[state] if state < len(SHUFFLER_STATES) else f"state {state}"
            if word in SHUFFLER_STOPPED:
                raise Failed(f"{which}: it stopped, {word}: see to it, and try again")
            bench.person.pass_by(f"  {which}: {word}, {heard.whole_number('progress') / 10:.0f} %")


COLOURS: Final = ((1, "green"), (2, "amber"), (3, "red"))
SUIT_NAMES: Final = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
MORE_S: Final = 1.0
"""So long a card beyond the pack is waited for."""
MOST_TOLD: Final = 6
LOCK: Final = "GATE unlocked=0 cards=0"


def new_pack(*, tens: bool) -> tuple[str, ...]:
    """A pack out of its box: clubs, diamonds, hearts, spades, ace to king; some have no tens."""
    return tuple(rank + suit for suit in SUITS for rank in RANKS if tens or rank != "T")


def lamp(bench: Bench, _: WantedTrial) -> str:
    """Every colour, and blinking."""
    for colour, word in COLOURS:
        bench.check_by_eye((f"SIGNAL colour={colour} blink=0", f"Is the shoe's lamp {word}?"))
    bench.check_by_eye(("SIGNAL colour=3 blink=1", "Does it blink red?"))
    bench.check_by_eye(("SIGNAL colour=0 blink=0", "Is it dark?"))
    return "green, amber, red, blinking and dark, as told"


def gate(bench: Bench, _: WantedTrial) -> str:
    """Locked, no card leaves."""
    bench.command(LOCK)
    bench.forget()
    bench.somebody("The gate is locked: pull gently at the first card")
    card = bench.wait("CARD", within_s=1.0)
    if card is not None:
        raise Failed(f"locked, it let {_name(card)} through: do not play with it, call support")
    bench.is_so("Did the gate hold the card?")
    return "locked, it holds the card"


def pack(bench: Bench, wanted: WantedTrial) -> str:
    """A known pack, pass after pass until the first misread."""
    expected = tuple(wanted.pack) or new_pack(tens=wanted.tens)
    order = "as you named them" if wanted.pack else "clubs, diamonds, hearts, spades, ace to king"
    for number in range(1, wanted.passes + 1):
        again = f" again (pass {number} of {wanted.passes})" if number > 1 else ""
        bench.person.goes_on(
            f"Take the cards of play out. Put the known pack in{again}, {len(expected)} cards: "
            f"{order}, the first one next to the gate"
        )
        bench.forget()
        bench.command("GATE unlocked=1 cards=0")
        bench.person.write_line("> Draw them all, one by one; Enter when there are no more")
        read = _drawn(bench, len(expected))
        bench.command(LOCK)
        if not read:
            bench.is_so("Did you draw any card?")
        if wrong := misread(expected, read):
            where = f"pass {number}: " if wanted.passes > 1 else ""
            raise Failed(f"{where}{wrong}; clean the reader, try again, then call support")
    cards = f"{wanted.passes * len(expected)} cards"
    more = f" in {wanted.passes} passes" if wanted.passes > 1 else ""
    return f"{cards}{more} read right"


def _drawn(bench: Bench, most: int) -> list[str]:
    read: list[str] = []
    while True:
        heard = bench.wait("CARD", "SHOE_STATE", within_s=MORE_S if len(read) >= most else None)
        if heard is None:
            break
        if heard.name == "SHOE_STATE":
            if heard.whole_number("state") == SHOE_EMPTY:
                break
            continue
        read.append(_name(heard))
        bench.person.pass_by(f"  card {len(read)} of {most}: {read[-1]}")
    return read


def _name(heard: Heard) -> str:
    rank, suit = heard.whole_number("rank"), heard.whole_number("suit")
    known = 1 <= rank <= len(RANKS) and 1 <= suit <= len(SUITS)
    through = " (through the locked gate)" if heard.whole_number("flags") & LOCKED else ""
    return (str(Card(rank, suit)) if known else UNREAD) + through


def misread(expected: Sequence[str], read: Sequence[str]) -> str:
    """What of a pack was not read as it lies, by card, rank and suit; empty where all was."""
    wrong: list[tuple[str, str]] = []
    missing: list[str] = []
    extra: list[str] = []
    matched = SequenceMatcher(None, expected, read, autojunk=False).get_opcodes()
    for what, begin, end, first, last in matched:
        if what == "equal":
            continue
        lay, seen = expected[begin:end], read[first:last]
        wrong += zip(lay, seen, strict=False)
        missing += lay[len(seen) :]
        extra += seen[len(lay) :]
    if not (wrong or missing or extra):
        return ""
    told = [f"{_count(len(wrong), 'misread')} of {_count(len(expected), 'card')}"] if wrong else []
    pairs = Counter(wrong).most_common()
    told += [f"{lay} as {seen}{_times(often)}" for (lay, seen), often in pairs[:MOST_TOLD]]
    told += [f"and {len(pairs) - MOST_TOLD} more"] if len(pairs) > MOST_TOLD else []
    told += _confusions(wrong, 0, "rank") + _confusions(wrong, 1, "suit")
    told += [f"not reported: {_list(missing)}"] if missing else []
    told += [f"too many: {_list(extra)}"] if extra else []
    return "; ".join(told)


def _confusions(wrong: Sequence[tuple[str, str]], place: int, word: str) -> list[str]:
    """How often each rank, or suit, was taken for another one; unread cards are no such thing."""
    differ = (lay[place] for lay, seen in wrong if seen != UNREAD and lay[place] != seen[place])
    counted = Counter(differ).most_common(MOST_TOLD)
    named = ", ".join(f"{SUIT_NAMES.get(one, one)}{_times(often)}" for one, often in counted)
    return [f"by {word}: {named}"] if named else []


def _times(often: int) -> str:
    return f" {often} times" if often > 1 else ""


def _count(count: int, word: str) -> str:
    return f"{count} {word}{'s' if count != 1 else ''}"


def _list(cards: Sequence[str]) -> str:
    more = f" and {len(cards) - MOST_TOLD} more" if len(cards) > MOST_TOLD else ""
    return ", ".join(cards[:MOST_TOLD]) + more
