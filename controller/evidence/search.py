"""Entries of a journal by round, card, box, multiplier, fault and time. The rules:

- Every condition that is given must hold. The entries come in order.
- Of a box are the entries that name it (a command, also one that keys made, a settlement, a draw,
  an offer), and all that changed the cards of its hands: cards that came, corrections. That is
  known by playing the journal again; with a round only that round is.
- A card is found where it left the shoe and where somebody named it; a multiplier where it was
  drawn, commanded, shown, seen or paid; a fault where its condition began or ended.
- Times of entries are remarks of the table's own clock; one that cannot be read may be any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from controller.game.commands.command import Command, read_dealers, read_supervisors
from controller.game.round.play import as_said
from controller.game.rules.cards import Card
from controller.journal.model import Entry, read_written
from controller.journal.reader import JournalReader
from controller.not_done import WRONG_USE, NotDone
from controller.replay.finding import round_named, span_of
from controller.replay.recovery import before_round
from controller.replay.replay import Replay
from controller.table.entering.fence import needed_device
from controller.table.state.entering import Pending

Matches = Callable[[Entry], bool]
_Hands = dict[int, list[list[Card]]]
COMMANDS: Final = ("dealer", "supervisor")


@dataclass(frozen=True, slots=True)
class WantedEntry:
    """What an entry must be; None where that does not matter. ``round`` is the number of one, or
    ``last``; ``since`` and ``until`` have their zone."""

    round: str | None = None
    card: Card | None = None
    box: int | None = None
    multiplier: int | None = None
    fault: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def entries_of(reader: JournalReader, wanted: WantedEntry) -> Iterator[Entry]:
    """The entries that are as wanted. Raises NotDone: 2, the journal has no such round."""
    tests = list(_tests(wanted))
    if wanted.round is None and wanted.box is None and wanted.fault is None:
        yield from (entry for entry in reader.iterate() if all(test(entry) for test in tests))
        return
    play, entries, upto = _span(wanted.round, reader)
    for entry in entries:
        before, waited = _cards(play), play.table.entering.pending
        stood = _faults(play)
        play.replay_entry(entry)
        if upto is not None and not upto[0] <= entry.seq <= upto[1]:
            if entry.seq > upto[1]:
                return
            continue
        here = (
            wanted.box is None
            or _names(entry, wanted.box)
            or _keyed(entry, play, waited, wanted.box)
            or _moved(before, _cards(play), wanted.box)
        )
        came = wanted.fault is None or wanted.fault in stood ^ _faults(play)
        if (
            here
            and (came or (entry.type == "condition" and entry.body.get("fault") == wanted.fault))
            and all(test(entry) for test in tests)
        ):
            yield entry


def _span(
    round_: str | None, reader: JournalReader
) -> tuple[Replay, Iterable[Entry], tuple[int, int] | None]:
    if round_ is None:
        return Replay(), reader.iterate(), None
    number = round_named(round_)
    last = reader.head.seq
    if number is None:
        counted, entries = before_round(reader, reader.iterate, None)
        play = Replay(counted)
        for entry in entries:
            play.replay_entry(entry)
        number = play.table.round_number
    counted, entries = before_round(reader, reader.iterate, number)
    span = span_of(entries, counted, number, last)
    if span is None:
        raise NotDone(WRONG_USE, f"the journal in {reader.directory} has no round {number}")
    counted, entries = before_round(reader, reader.iterate, number)
    end = last if span.following is None else span.following - 1
    return Replay(counted), entries, (span.first, end)


def _tests(wanted: WantedEntry) -> Iterator[Matches]:
    if (card := wanted.card) is not None:
        yield lambda entry: _is_card(entry, card) and not _in_service(entry)
    if (multiplier := wanted.multiplier) is not None:
        yield lambda entry: _is_multiplier(entry, multiplier) and not _in_service(entry)
    if (since := wanted.since) is not None:
        yield lambda entry: (wall := read_written(entry.wall)) is None or wall >= since
    if (until := wanted.until) is not None:
        yield lambda entry: (wall := read_written(entry.wall)) is None or wall < until


def _faults(play: Replay) -> set[str]:
    """What stands: what holds play, what play waits for, and conditions."""
    if not play.table.started:
        return set()
    missing = needed_device(play.table)
    held = {hold.fault for hold in play.table.holds.standing}
    return held | set(play.table.holds.conditions) | ({missing.fault} if missing else set())


def _command(entry: Entry) -> Command | None:
    read = {"dealer": read_dealers, "supervisor": read_supervisors}.get(entry.type)
    return read(str(entry.body["command"])) if read else None


def _in_service(entry: Entry) -> bool:
    """Whether it was made in service: cards and figures that were tried are none of play."""
    after = entry.body.get("after")
    return isinstance(after, dict) and str(after.get("state")).endswith("service")


def _is_card(entry: Entry, card: Card) -> bool:
    if entry.type == "CARD":
        return (entry.body.get("rank"), entry.body.get("suit")) == (card.rank, card.suit)
    said = _command(entry)
    return said is not None and card in (said.card, *said.cards)


def _is_multiplier(entry: Entry, multiplier: int) -> bool:
    said = _command(entry)
    told = said is not None and said.verb in ("seen", "pay") and said.number == multiplier
    return told or entry.body.get("multiplier") == multiplier


def _names(entry: Entry, box: int) -> bool:
    if entry.body.get("box") == box:
        return True
    after = entry.body.get("after")
    settled = after.get("settlements") if isinstance(after, dict) else None
    if isinstance(settled, list) and any(one.get("box") == box for one in settled):
        return True
    said = _command(entry)
    return said is not None and box in said.boxes


def _keyed(entry: Entry, play: Replay, waited: Pending | None, box: int) -> bool:
    """Whether the entry is the key that made a command about that box, done or now waiting for the
    shoe's gate; ``waited`` is what waited before."""
    if entry.type != "KEY":
        return False
    waits = play.table.entering.pending
    made = [*play.table.outcome.carried_out, *([waits.entry] if waits and waits != waited else [])]
    return any(box in command.boxes for command in made)


def _cards(play: Replay) -> _Hands | None:
    """The cards of the hands at each box, as they are said to lie; None where nothing is played."""
    if play.table.rnd is None:
        return None
    boxes = as_said(play.table.rnd).boxes
    return {
        number: [list(hand.cards) for hand in box.hands if hand.cards]
        for number, box in boxes.items()
    }


def _moved(before: _Hands | None, after: _Hands | None, box: int) -> bool:
    """Whether a card has come to that box or has left it; a table that was cleared is no such."""
    return after is not None and (before or {}).get(box, []) != after.get(box, [])
