"""What dealer and supervisor say, at tables in any state: done, or refused with a reason. The
tables have no house around them: events go straight into them, led by bytes.

A text that is refused changes nothing. It is printable and not long: the socket has seen to that
(:mod:`proof.fuzzing.targets.socket`).
"""

from __future__ import annotations

import json
from functools import cache

from controller.control.protocol import MAX_COMMAND
from controller.files.rules import load_rules, rule_files
from controller.game.commands.values import Malformed
from controller.game.commands.verbs import VERBS as KNOWN
from controller.game.round.refusal import Refused
from controller.game.rules.schema import RuleSet
from controller.table.dry_run import Mould
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
from proof.fuzzing.target import Target

RULES = tuple(rule_files())
VERBS = (*KNOWN, "give", "move", "return", "sing")
"""Those of commands, and some that are none."""
WORDS = (
    *("1", "1a", "1b", "1c", "2", "2@1", "1@1b", "3", "7", "8", "9", "0", "-1", "10", "100"),
    *("0.01", "0.001", "1e5", "9999999999", "1_0", "١", "½", "１", "1.2.3", "staff", "main"),
    *("pair", "pandemonium", "bonus", "none", "9D", "TC", "AS", "??", "0D", "1Z", "dealer"),
    *("box", "hand", "card", "cards", "seen", "foreign", "face-up", "together"),
    *("a", "b", "c", "d", "h", "1d", "3h", "3d@3"),
    *("@", "1@", "@1", "1@1@1", "!", "#", ".", ",", "NaN", "inf"),
)
MOST_STEPS = 60


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


@cache
def _opened(rules: str) -> tuple[Played, Mould]:
    played = opened(load_rules(rules))
    return played, Mould(played.table)


def _command_text(choices: Choices, played: Played) -> str:
    match choices.below(8):
        case 0:
            return choices.raw(choices.below(40)).decode("utf-8", "replace")
        case 1 | 2:
            known = list(map(str, dealer_commands(played.table))) or VERBS
            words = choices.among(known).split()
            words[choices.below(len(words))] = choices.among(WORDS)
            return " ".join(words)
        case _:
            said = [choices.among(WORDS) for _ in range(choices.below(5))]
            return " ".join([choices.among(VERBS), *said])


def run_bytes(data: bytes) -> int:
    """A table out of bytes, and what is said at it."""
    choices = Choices(data)
    base, mould = _opened(choices.among(RULES))
    played = base.copy()
    played.table = mould.cast()
    said = 0
    for _ in range(MOST_STEPS):
        if not choices.more:
            break
        if choices.below(2):
            go_on(choices, played)
            continue
        command = _command_text(choices, played)[:MAX_COMMAND]
        if not command.strip() or not command.isprintable():
            continue
        said += 1
        body = {"command": command, "user": "dora"}
        if choices.below(4) == 3:
            by, why = choices.among((("Ida", "seen"), (None, None), ("Ida", None)))
            enter_event(played, read_event("supervisor", {**body, "by": by, "why": why}))
        else:
            enter_event(played, read_event("dealer", body))
    published_text(played.table)
    return said


def seeds() -> list[bytes]:
    """Some play of every document, and something said in between."""
    return [
        bytes([at]) + bytes([1, 3, 1, 1, 2, 0, 0, 5, 9, 1]) * 12 for at in range(len(RULES))
    ] + [bytes([at]) + bytes(range(256)) for at in range(len(RULES))]


TARGETS = (Target("commands", "commands", run_bytes, seeds),)
