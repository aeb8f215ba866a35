"""The shuffler by hand: a set through it several times, counted and compared."""

from __future__ import annotations

from typing import Final

from controller.commissioning.by_hand.bench import Bench, Failed, WantedTrial
from controller.game.rules.cards import card_of, write_cards
from drivers.vocabulary import SHUFFLE_RESULTS, SHUFFLER_STATES, SHUFFLER_STOPPED

MOVING_S: Final = 30.0
"""While it shuffles it reports every 5 s (protocol section 5)."""


def passes(bench: Bench, wanted: WantedTrial) -> str:
    """A set, pass after pass: that it is complete, and that every pass finds the same."""
    bench.person.goes_on(f"Set {wanted.set} is to lie in the shuffler, its door closed")
    found: list[tuple[int, str]] = []
    for number in range(1, wanted.passes + 1):
        bench.forget()
        bench.command(f"START set={wanted.set}")
        found.append(_one(bench, f"pass {number} of {wanted.passes}"))
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


def _one(bench: Bench, which: str) -> tuple[int, str]:
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
            rank, suit, by = (heard.whole(name) for name in ("rank", "suit", "difference"))
            card = write_cards([card_of(rank, suit)])
            amiss.append(f"{abs(by)} {card} {'too many' if by > 0 else 'missing'}")
        elif heard.name == "SHUFFLE_DONE":
            count, result = heard.whole("count"), heard.whole("result")
            known = result < len(SHUFFLE_RESULTS)
            word = SHUFFLE_RESULTS[result] if known else f"result {result}"
            return count, ", ".join(amiss) or (word if result else "")
        else:
            state = heard.whole("state")
            word = SHUFFLER_STATES[state] if state < len(SHUFFLER_STATES) else f"state {state}"
            if word in SHUFFLER_STOPPED:
                raise Failed(f"{which}: it stopped, {word}: see to it, and try again")
            bench.person.pass_by(f"  {which}: {word}, {heard.whole('progress') / 10:.0f} %")
