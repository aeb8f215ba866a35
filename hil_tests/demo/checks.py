"""Whether all was as it must be: settlements, cards, draws, and the journal.

Each check compares two records that were made apart: the table's settlements with what the round
scripts give for the cards that were dealt; the journal's cards with those that left the shoe; the
journal's draws with the presses and with what the meter showed.
"""

from __future__ import annotations

from collections.abc import Iterator

from hil_tests.bench.interface import Json
from hil_tests.demo.stage import Played
from hil_tests.tables.journal import card_name


def faults(played: Played, entries: list[Json]) -> Iterator[str]:
    """What was not as it must be, in plain words."""
    for record, state in played.rounds:
        if state["settlements"] != record.expected()["settlements"]:
            yield f"round {state['round']}: the round script comes to other settlements"
    cards = [card_name(entry) for entry in entries if entry["type"] == "CARD"]
    if cards != played.cards:
        yield f"{len(played.cards)} cards left the shoe, the journal has {len(cards)} or others"
    drawn = [entry["multiplier"] for entry in entries if entry["type"] == "draw"]
    shown = [multiplier for record, _ in played.rounds for multiplier in record.multipliers]
    pressed = [entry["offer_id"] for entry in entries if entry["type"] == "PRESS"]
    if drawn != shown:
        yield f"the journal has drawn {drawn}, the meter has shown {shown}"
    if len(set(pressed)) != len(pressed) or len(pressed) != len(drawn):
        yield f"{len(pressed)} presses, but {len(drawn)} draws"
