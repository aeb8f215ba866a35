"""What an entry of the journal was, in words. What the table says of it (notes, prompts, holds) is
not said again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from controller.faults.catalogue import fault_of
from controller.game.rules.cards import card_of
from controller.journal.model import Entry
from controller.replay.course.steps import Doer, HandChange, Mark, plain
from controller.table.dealing import squeezing
from controller.table.state.cards import marked
from controller.table.state.table import Table
from drivers.vocabulary import NAK_WORDS, SHOE_STATES


class EntrySaid(NamedTuple):
    """An entry in words: where it came from, what it was, whose, why, and its marks."""

    kind: str
    what: str
    who: str = ""
    why: str = ""
    marks: tuple[str, ...] = ()


def say_entry(entry: Entry, table: Table) -> EntrySaid | None:
    """The entry in words, at the table after it; None for what is nothing of play."""
    if entry.type in _NOT_OF_PLAY:
        return None
    return _SAYINGS.get(entry.type, _of_type)(entry, table)


def _of_type(entry: Entry, table: Table) -> EntrySaid:
    return EntrySaid(Doer.DEVICE, f"{_device(entry, table)}: {entry.type}".removeprefix(": "))


def _device(entry: Entry, table: Table) -> str:
    device = table.named(entry.device)
    return device.plain if device else entry.device or ""


def _text(entry: Entry, name: str) -> str:
    value = entry.body.get(name)
    return "" if value is None else str(value)


def _supervisor(entry: Entry, _: Table) -> EntrySaid:
    by, user = _text(entry, "by"), _text(entry, "user")
    who = by if by == user or not user else f"{by}, user {user}" if by else user
    return EntrySaid(Doer.SUPERVISOR, _text(entry, "command"), who, _text(entry, "why"))


def _link(entry: Entry, table: Table) -> EntrySaid:
    name = _device(entry, table)
    if not entry.body.get("up"):
        return EntrySaid(
            Doer.DEVICE, f"{name}: link lost, {_text(entry, 'reason')}", marks=(Mark.LOST,)
        )
    anew = ", it has started anew" if entry.body.get("new_session") else ""
    return EntrySaid(
        Doer.DEVICE, f"{name}: connected, serial {_text(entry, 'serial')}{anew}", marks=(Mark.BACK,)
    )


def card_in_words(changes: Sequence[HandChange], entry: Entry, table: Table) -> str:
    """Where a card went, as far as it may be shown."""
    came = [f"{one.added} to {plain(one.place)}" for one in changes if one.added]
    if came:
        return f"card {', '.join(came)}"
    if squeezing.secret(table):
        return "a card left the shoe"
    card = card_of(entry.body.get("rank"), entry.body.get("suit"))
    flags = entry.body.get("flags")
    return f"card {marked(card, flags if isinstance(flags, int) else 0)} left the shoe"


def _press(entry: Entry, _: Table) -> EntrySaid:
    return EntrySaid(Doer.BUTTON, f"the button is pressed, offer {_text(entry, 'offer_id')}")


def _multiplier(entry: Entry, _: Table) -> EntrySaid:
    return EntrySaid(
        Doer.METER,
        f"the meter shows {_text(entry, 'multiplier')}x, offer {_text(entry, 'offer_id')}",
    )


def _refused(entry: Entry, table: Table) -> EntrySaid:
    why = NAK_WORDS.get(entry.body.get("code"), "")  # type: ignore[call-overload]
    what = f"{_device(entry, table)}: refuses {_text(entry, 'command')}"
    return EntrySaid(Doer.DEVICE, f"{what}, {why}" if why else what)


def _condition(entry: Entry, _: Table) -> EntrySaid:
    sentence = fault_of(_text(entry, "fault")).sentence()
    begun = "" if entry.body.get("present") else "over: "
    return EntrySaid(Doer.CONTROLLER, f"{begun}{sentence} ({_text(entry, 'fault')})")


def _shoe_state(entry: Entry, table: Table) -> EntrySaid:
    state = entry.body.get("state")
    known = isinstance(state, int) and 0 <= state < len(SHOE_STATES)
    word = SHOE_STATES[state] if known and isinstance(state, int) else "in an unknown state"
    return EntrySaid(
        Doer.DEVICE, f"{_device(entry, table)}: {word}, {_text(entry, 'remaining')} cards"
    )


def _always(said: EntrySaid) -> Callable[[Entry, Table], EntrySaid]:
    return lambda *_: said


def _words(text: str) -> Callable[[Entry, Table], EntrySaid]:
    return lambda entry, table: EntrySaid(Doer.DEVICE, f"{_device(entry, table)}: {text}")


_NOT_OF_PLAY: Final = frozenset({"snapshot", "SHUFFLER_STATE", "device-tested", "person"})

_SAYINGS: Final[Mapping[str, Callable[[Entry, Table], EntrySaid]]] = {
    "start": _always(EntrySaid(Doer.CONTROLLER, "the controller started", marks=(Mark.RESTART,))),
    "stop": _always(
        EntrySaid(Doer.CONTROLLER, "the controller was stopped", marks=(Mark.RESTART,))
    ),
    "link": _link,
    "gate": _always(EntrySaid(Doer.DEVICE, "the card shoe is locked")),
    "dealer": lambda entry, _: EntrySaid(
        Doer.DEALER, _text(entry, "command"), _text(entry, "person") or _text(entry, "user")
    ),
    "supervisor": _supervisor,
    "draw": lambda entry, _: EntrySaid(
        Doer.DRAW,
        f"{_text(entry, 'multiplier')}x is drawn for box {_text(entry, 'box')}, "
        f"offer {entry.offer}",
    ),
    "overdue": lambda entry, _: EntrySaid(
        Doer.METER, f"the meter has not reported in time, offer {_text(entry, 'offer')}"
    ),
    "pressed": _press,
    "shown": _multiplier,
    "refused": _refused,
    "condition": _condition,
    "refused-attempt": lambda entry, _: EntrySaid(
        Doer.CONTROLLER,
        f"not permitted: {_text(entry, 'what')}, {_text(entry, 'why')}",
        _text(entry, "user"),
    ),
    "CARD": _always(EntrySaid(Doer.CARD, "a card left the shoe")),
    "CUTTING_CARD": _words("the cutting card has come"),
    "PRESS": _press,
    "SHOWN": _multiplier,
    "STUCK": _words("the button has been down for over five seconds"),
    "COVER": lambda entry, table: EntrySaid(
        Doer.DEVICE,
        f"{_device(entry, table)}: its cover was "
        f"{'opened' if entry.body.get('open') else 'closed'}",
    ),
    "FAULT": _words("it reports its faults"),
    "SHOE_STATE": _shoe_state,
    "KEY": lambda entry, _: EntrySaid(
        Doer.KEYPAD,
        f"keys {_text(entry, 'key')}",
        "key switch turned" if entry.body.get("supervisor") else "",
    ),
}
