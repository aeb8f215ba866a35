"""Every command that a dealer might give, held against what the table says is permitted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from controller.game.commands.values import Malformed
from controller.game.round.hands import controller_of
from controller.game.round.refusal import Refused
from controller.table.apply import apply
from controller.table.dry_run import Mould
from controller.table.entering.commands import dealer_commands
from controller.table.events.event import Event
from controller.table.events.reading import read_event
from controller.table.state.table import Table
from tests.table.live.examine import snapshot

BOXES = ("1", "2", "3")
KINDS = ("main", "pair", "pandemonium", "bonus")
OUTSIDE = tuple("defgh")
HANDS = (1, 2, 3, 4)
SEATS = tuple(box + bettor for box in BOXES for bettor in ("", "b", "c"))


def grid() -> Iterator[str]:
    """Commands with the smallest amounts, in the form of the templates."""
    yield from ("open", "close", "next", "undo", "done", "shuffle 1", "shuffle 2")
    yield from ("burn", "inspected")
    yield from (f"wager 1 {kind} 10" for kind in KINDS)
    for box in BOXES:
        yield from (f"{verb} {box}" for verb in ("hit", "free", "stand", "split", "absent"))
        yield f"buy {box} 10"
        yield f"nominate {box} staff"
        yield from (f"squeeze {box}", f"reveal {box}", f"void-hand {box}")
    yield from ("use", "discard", "reconstruct", "continue", "cap", "pro-rata", "reshuffle", "void")
    for seat in SEATS:
        yield from (f"choose {seat} {word}" for word in ("refuse", "play", "return"))
        yield from (f"{verb} {seat}" for verb in ("surrender", "withdraw", "keep", "follow"))
        yield from (f"double {seat} 10", f"insure {seat} 0.01")
        yield from (f"place {seat} {number}" for number in HANDS)
        yield from (f"insure {seat}@{owner} 0.01" for owner in SEATS if owner != seat)
        yield from (f"insure {box}{bettor}@{seat} 0.01" for box in BOXES for bettor in OUTSIDE)


def _with_cards(table: Table) -> Iterator[str]:
    """What may be said of the cards that came last."""
    for card in dict.fromkeys(loose.card for loose in table.dealing.drawn[-3:]):
        yield from (f"use {card}", f"discard {card}", *(f"choose {box} {card}" for box in BOXES))


def template(table: Table, command: str) -> str:
    """The template that a command fills in; who decides for a box is written without a letter, and
    who has no wager as ``?``: one of them is told for all."""
    words = command.split()
    match words[0]:
        case "wager":
            return f"wager BOX {words[2]} AMOUNT"
        case "squeeze" if table.rnd is None:
            return "squeeze BOX"
        case "nominate":
            return f"nominate {words[1]} BY"
        case "double" | "buy":
            return f"{words[0]} {_plain(table, words[1])} AMOUNT"
        case "insure":
            return f"insure {_taker(table, *words[1].partition('@'))} AMOUNT"
        case "withdraw" | "keep" | "follow":
            return f"{words[0]} {_plain(table, words[1])}"
        case "choose":
            return f"choose {_plain(table, words[1])} {words[2]}"
        case "place":
            return f"place {_plain(table, words[1])} {words[2]}"
    return command


def _plain(table: Table, seat: str) -> str:
    rnd = table.rnd
    box = rnd.boxes.get(int(seat[0])) if rnd else None
    return seat[0] if rnd and box and seat[1:] == controller_of(rnd, box) else seat


def _taker(table: Table, seat: str, at: str, owner: str) -> str:
    assert table.rnd
    outside = seat[1:] in OUTSIDE and seat[1:] not in table.rnd.boxes[int(seat[0])].bettors
    return f"{seat[0]}?@{owner}" if at and outside else f"{seat}{at}{owner}"


def accepted(table: Table, commands: Iterable[str]) -> Iterator[str]:
    """Those of the commands that are taken, each by itself, once the gate is locked where it must
    be; all the others, one after another, change nothing."""
    mould = Mould(table)
    trial = mould.cast()
    refused = []
    for command in commands:
        try:
            outcome = apply(trial, _entry(command))
        except (Refused, Malformed):
            refused.append(command)
            continue
        if outcome.entry is not None:
            body = {"entry": outcome.entry, "last_event": trial.devices["shoe"].last_event}
            outcome = apply(trial, read_event("gate", body, "shoe"))
        [answer] = outcome.answered
        if not answer.refused:
            yield command
        trial = mould.cast()
    trial = mould.cast()
    before = snapshot(trial)
    for command in refused:
        with suppress(Refused, Malformed):
            apply(trial, _entry(command))
    assert snapshot(trial) == before, f"one of those that are refused changes it: {refused}"


def _entry(command: str) -> Event:
    return read_event("dealer", {"command": command, "user": "dora"})


def check_permitted(table: Table) -> None:
    """All that is permitted is taken, and nothing else is; reports may be made at any time. While a
    correction is being made only what ends it or takes it back is told: any other step ends it
    first, and what may be given then depends on it."""
    commands = (*grid(), *_with_cards(table))
    taken = {template(table, command) for command in accepted(table, commands)}
    told = {
        template(table, str(command))
        for command in dealer_commands(table)
        if command.verb != "report"
    }
    correcting = table.rnd is not None and bool(table.rnd.irregular.edits)
    assert told <= taken if correcting else taken == told, (table.state, taken ^ told)
