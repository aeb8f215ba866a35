"""A table without a house around it, led by bytes: events go straight into it."""

from __future__ import annotations

import json

from controller.game.commands.values import Malformed
from controller.game.round.refusal import Refused
from controller.game.rules.schema import RuleSet
from controller.table.entering.commands import dealer_commands
from controller.table.events.event import Event
from controller.table.events.reading import read_event
from controller.table.showing.status import status
from controller.table.showing.wanted import wants
from pages.table.played_tables import (
    DEVICES,
    Played,
    card,
    dealer,
    drawn,
    filled,
    locked,
    published_text,
)
from proof.fuzzing.choices import Choices


def opened(rules: RuleSet) -> Played:
    """A table with bets made on two boxes, everybody's wager that the rules have."""
    played = Played(rules)
    assert set(DEVICES) == set(played.table.devices)
    played.give_command("open")
    for box in ("1", "2"):
        played.give_command(f"wager {box} main 20")
        for kind in rules.side_wagers:
            played.give_command(f"wager {box} {kind} 5")
    return played


def go_on(choices: Choices, played: Played) -> None:
    """What the table waits for: a permitted command, a card, a press, a draw, what is shown."""
    table = played.table
    offer = table.jackpot.offer
    if table.entering.pending is not None or table.entering.leftover is not None:
        played.apply(locked(table))
    elif (due := wants(table).draw) is not None:
        weights = table.settings.weights
        played.apply(drawn(table, weights[due[0] % len(weights)][0]))
    elif offer is not None and offer.multiplier is None and not table.hold:
        played.press_button()
    elif offer is not None and not offer.shown:
        played.show_multiplier()
    elif table.gate_cards and choices.below(4):
        ranks = [n for n in range(1, 14) if n != 10 or table.rules.cards.tens.value]
        played.apply(card(table, choices.among(ranks), choices.below(4) + 1))
    else:
        held = status(table)["held"]
        if held and table.hold and held["remedies"]:
            ida = {"by": "Ida", "why": "seen", "user": "ida"}
            offered = choices.among(held["remedies"])
            enter_event(played, read_event("supervisor", {"command": offered, **ida}))
        elif commands := dealer_commands(table):
            enter_event(played, dealer(filled(choices.among(commands))))


def enter_event(played: Played, event: Event) -> bool:
    """Somebody's entry; whether it was taken. One that is refused must have changed nothing."""
    before = published_text(played.table)
    try:
        outcome = played.apply(event)
    except (Refused, Malformed) as refused:
        why = str(refused)
    else:
        json.dumps(outcome.as_body(), allow_nan=False)
        return True
    assert why.strip(), f"refused without a reason: {event}"
    assert published_text(played.table) == before, f"{event} was refused, and changed the table"
    return False
