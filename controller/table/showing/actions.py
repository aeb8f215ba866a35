"""Commands as programs read them: with who may give them, whom they are about, and what still fills
their slots. A program that offers them needs no word of their texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypedDict

from controller.forms.json_values import JsonObject
from controller.game.commands.command import Command
from controller.game.commands.slots import Slot
from controller.game.commands.values import STAFF, HandAt, NoHand, Stake, write_amount
from controller.game.round.permitted import proposed
from controller.game.round.wagers import MAIN
from controller.game.rules.cards import RANKS, SUITS, TEN
from controller.game.rules.cases import KNOWN
from controller.table.dealing import squeezing
from controller.table.entering import choices
from controller.table.state.table import Table

Who = Literal["dealer", "supervisor"]


class Action(TypedDict):
    """A command that may be given. ``box`` and ``bettor`` are whom it is about, ``hand`` the hand
    that it names. ``slots`` are those that are still to be filled, by the ``name`` that stands in
    the ``text``; none: the text is the whole command. Each has its ``kind`` (``box``, ``bettor``,
    ``hand``, ``amount``, ``card``, ``place`` or ``word``) and its ``values``, or those ``from`` one
    ``to`` another (null: nobody knows). ``proposed`` are the values, by slot, that the command has
    where it is given without them."""

    text: str
    verb: str
    who: str
    box: int | None
    bettor: str | None
    hand: int | None
    slots: list[JsonObject]
    proposed: JsonObject


def actions_of(table: Table, commands: Iterable[Command], who: Who) -> list[Action]:
    """The commands, in their order."""
    return [_action(table, command, who) for command in commands]


def _action(table: Table, command: Command, who: Who) -> Action:
    seat, names = command.seat, command.open
    meant = proposed(table.rnd, command) if _AMOUNT in names and table.rnd else None
    return {
        "text": str(command),
        "verb": command.verb,
        "who": who,
        "box": seat.box if seat else None,
        "bettor": seat.bettor if seat else None,
        "hand": command.hand or None,
        "slots": [
            {"name": slot.name, "kind": slot.kind, **_values(table, command, slot, meant)}
            for slot in command.slots
            if slot.name in names
        ]
        if names
        else [],
        "proposed": {} if meant is None else {_AMOUNT: write_amount(meant)},
    }


_AMOUNT: Final = "AMOUNT"


def _values(table: Table, command: Command, slot: Slot, meant: Stake) -> JsonObject:
    match slot.name:
        case "BOX":
            return {"from": 1, "to": table.settings.boxes}
        case "BY":
            return {"values": [*_seated(table), STAFF]}
        case "AMOUNT":
            return _amounts(table, command, meant)
        case "N":
            return {"from": 1, "to": len(choices.lying_cards(table, supervisor=True))}
        case "CARD":
            return {"values": _cards(table, command)}
        case "PLACE":
            return {"values": _places(table)}
        case "TRIGGER":
            return {"values": [name for name, about in KNOWN.items() if not about.by_card]}
    return {"values": [MAIN, *table.rules.side_wagers, "double", "buy", "insurance"]}


def _seated(table: Table) -> list[str]:
    """Whoever is in the round, also where all that he wagered is settled."""
    boxes = table.rnd.boxes.items() if table.rnd else ()
    return [f"{at}{by}".removesuffix("a") for at, box in boxes for by in sorted(box.bettors)]


def _amounts(table: Table, command: Command, meant: Stake) -> JsonObject:
    """From the least to the most that the table's limits and the wager on the hand leave."""
    limits = table.settings.limits
    least, most = 1 if command.verb == "insure" else limits.increment, meant
    if command.verb == "wager":
        main = command.kind in ("", MAIN)
        least, most = (limits.min, limits.max) if main else (limits.side_min, limits.side_max)
    return {"from": write_amount(least or None), "to": write_amount(most or None)}


def _cards(table: Table, command: Command) -> list[str]:
    """The cards that it may be: of those that wait, where they are known; else of the set."""
    found = table.rnd.irregular.irregularity if table.rnd else None
    if command.trigger and found is not None and not squeezing.secret(table):
        return list(dict.fromkeys(map(str, found.cards)))
    ranks = [rank for at, rank in enumerate(RANKS, 1) if at != TEN or table.rules.cards.tens.value]
    return [rank + suit for suit in SUITS for rank in ranks]


def _places(table: Table) -> list[str]:
    """Every hand of the round, every other box, and what is none."""
    hands = {box: one.hands for box, one in table.rnd.boxes.items()} if table.rnd else {}
    found = [
        str(HandAt(box, hand.number if len(hands[box]) > 1 else 0))
        for box in range(1, table.settings.boxes + 1)
        for hand in hands.get(box, ())
    ]
    others = [str(box) for box in range(1, table.settings.boxes + 1) if box not in hands]
    return [*sorted([*found, *others]), *map(str, NoHand)]
