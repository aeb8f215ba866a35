"""``journal find``: entries by round, card, box, multiplier, fault and time, as JSON lines.

The rules:

- Every condition that is given must hold. The lines are those of ``journal export``, in order.
- Of a box are the entries that name it (a command, also one that keys made, a settlement, a draw,
  an offer), and all that changed the cards of its hands: cards that came, corrections. That is
  known by playing the journal again; with ``--round`` only that round is.
- A card is found where it left the shoe and where somebody named it; a multiplier where it was
  drawn, commanded, shown, seen or paid; a fault where its condition began or ended.
- A time without its zone is that of the machine on which the command is given. One that was twice,
  in the night in which the clock is put back, is the first in ``--since`` and the second in
  ``--until``: nothing that may be meant is left out. Times of entries are remarks of the table's
  own clock.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Final

from controller.cli.command_line import known
from controller.cli.exits import DONE, WRONG_USE, CommandFailed
from controller.cli.journal.opened import opened
from controller.cli.output import complain, stream

if TYPE_CHECKING:
    from controller.cli.group import Group
    from controller.journal.model import Entry
    from controller.journal.reader import JournalReader
    from controller.replay.replay import Replay
    from controller.rules.cards import Card
    from controller.table.state.entering import Pending

    Matches = Callable[[Entry], bool]
    _Hands = dict[int, list[list[Card]]]

COMMANDS: Final = ("dealer", "supervisor")


def register(group: Group) -> None:
    """Add the command."""
    find = group.command("find", _find, "Entries by round, card, box, multiplier, fault or time")
    find.add_argument("--round", metavar="N", help="of that round, or of the last")
    find.add_argument("--card", metavar="CARD", type=_card, help="as 9D")
    find.add_argument("--box", metavar="N", type=int, help="about that box")
    find.add_argument("--multiplier", metavar="N", type=int, help="with that figure")
    known.of("fault", find.add_argument("--fault", metavar="CODE", type=_fault, help="its code"))
    find.add_argument(
        "--since",
        metavar="TIME",
        type=_since,
        help="as 2026-11-23T22:15, in the local time of this machine; of an hour that was twice "
        "the first, else with its zone: 2026-10-25T02:15+01:00",
    )
    find.add_argument(
        "--until",
        metavar="TIME",
        type=_until,
        help="before that time, local as well; of an hour that was twice the second",
    )


def _card(text: str) -> Card:
    from controller.rules.cards import parse_card

    try:
        return parse_card(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _fault(text: str) -> str:
    from controller.cli.command_line.nearest import did_you_mean
    from controller.faults.catalogue import CATALOGUE

    if text not in CATALOGUE:
        what = did_you_mean(text, CATALOGUE) or "'tablectl faults' lists them"
        raise argparse.ArgumentTypeError(f"{text!r} is no fault; {what}")
    return text


def _since(text: str) -> datetime:
    return min(_times(text))


def _until(text: str) -> datetime:
    return max(_times(text))


def _times(text: str) -> tuple[datetime, datetime]:
    """The time, read as it is before a clock is put back or forward and as it is after."""
    try:
        time = datetime.fromisoformat(text)
        return time.replace(fold=0).astimezone(), time.replace(fold=1).astimezone()
    except (ValueError, OverflowError, OSError) as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time: expected as 2026-11-23 or 2026-11-23T22:15"
        ) from error


def _find(options: argparse.Namespace) -> int:
    from controller.journal.export import Lines

    asked = ("round", "card", "box", "multiplier", "fault", "since", "until")
    if all(getattr(options, name) is None for name in asked):
        raise CommandFailed(WRONG_USE, "journal find: say what, as --round 12 or --card 9D")
    count = 0
    with opened(options) as reader:
        write = Lines(reader).of
        for entry in _entries(options, reader):
            stream(write(entry))
            count += 1
    if not count:
        complain("no entry is so")
    return DONE


def _entries(options: argparse.Namespace, reader: JournalReader) -> Iterator[Entry]:
    """The entries that are as asked for."""
    tests = list(_tests(options))
    if options.round is None and options.box is None and options.fault is None:
        yield from (entry for entry in reader.iterate() if all(test(entry) for test in tests))
        return
    play, entries, upto = _span(options, reader)
    for entry in entries:
        before, waited = _cards(play), play.table.entering.pending
        stood = _faults(play)
        play.take(entry)
        if upto is not None and not upto[0] <= entry.seq <= upto[1]:
            if entry.seq > upto[1]:
                return
            continue
        here = (
            options.box is None
            or _names(entry, options.box)
            or _keyed(entry, play, waited, options.box)
            or _moved(before, _cards(play), options.box)
        )
        came = options.fault is None or options.fault in stood ^ _faults(play)
        if here and (came or _tells(entry, options.fault)) and all(test(entry) for test in tests):
            yield entry


def _span(
    options: argparse.Namespace, reader: JournalReader
) -> tuple[Replay, Iterable[Entry], tuple[int, int] | None]:
    """The play before the entries to be gone through, these, and which of them count."""
    from controller.replay.finding import NoSuchRound, round_named
    from controller.replay.recovery import before_round
    from controller.replay.replay import Replay
    from controller.replay.spans import span_of

    if options.round is None:
        return Replay(), reader.iterate(), None
    try:
        number = round_named(options.round)
    except NoSuchRound as error:
        raise CommandFailed(WRONG_USE, str(error)) from error
    last = reader.head.seq
    if number is None:
        counted, entries = before_round(reader, reader.iterate, None)
        play = Replay(counted)
        for entry in entries:
            play.take(entry)
        number = play.table.round_number
    counted, entries = before_round(reader, reader.iterate, number)
    span = span_of(entries, counted, number, last)
    if span is None:
        raise CommandFailed(WRONG_USE, f"the journal in {reader.directory} has no round {number}")
    counted, entries = before_round(reader, reader.iterate, number)
    end = last if span.following is None else span.following - 1
    return Replay(counted), entries, (span.first, end)


def _tests(options: argparse.Namespace) -> Iterator[Matches]:
    """What an entry must be, but for round and box."""
    if options.card is not None:
        yield lambda entry: _is_card(entry, options.card) and not _in_service(entry)
    if options.multiplier is not None:
        yield lambda entry: _is_multiplier(entry, options.multiplier) and not _in_service(entry)
    if options.since is not None:
        yield lambda entry: _wall(entry) >= options.since
    if options.until is not None:
        yield lambda entry: _wall(entry) < options.until


def _tells(entry: Entry, fault: str) -> bool:
    return entry.type == "condition" and entry.body.get("fault") == fault


def _faults(play: Replay) -> set[str]:
    """What stands: what holds play, what play waits for, and conditions."""
    from controller.table.entering.needs import needed_device

    if not play.table.started:
        return set()
    missing = needed_device(play.table)
    held = {hold.fault for hold in play.table.holds.standing}
    return held | set(play.table.holds.conditions) | ({missing.fault} if missing else set())


def _wall(entry: Entry) -> datetime:
    return datetime.fromisoformat(entry.wall).astimezone()


def _words(entry: Entry) -> list[str]:
    return str(entry.body.get("command", "")).split() if entry.type in COMMANDS else []


def _in_service(entry: Entry) -> bool:
    """Whether it was made in service: cards and figures that were tried are none of play."""
    after = entry.body.get("after")
    return isinstance(after, dict) and str(after.get("state")).endswith("service")


def _is_card(entry: Entry, card: Card) -> bool:
    if entry.type == "CARD":
        return (entry.body.get("rank"), entry.body.get("suit")) == (card.rank, card.suit)
    return str(card) in _words(entry)


def _is_multiplier(entry: Entry, multiplier: int) -> bool:
    words = _words(entry)
    return entry.body.get("multiplier") == multiplier or (
        words[:1] in (["seen"], ["pay"]) and words[1:] == [str(multiplier)]
    )


def _names(entry: Entry, box: int) -> bool:
    """Whether the entry itself is about that box."""
    if entry.body.get("box") == box:
        return True
    after = entry.body.get("after")
    settled = after.get("settlements") if isinstance(after, dict) else None
    if isinstance(settled, list) and any(one.get("box") == box for one in settled):
        return True
    return _is_about(_words(entry), box)


def _is_about(command: list[str], box: int) -> bool:
    """Whether a command names that box, alone or with a bettor or a hand: ``insure 3d@1`` is about
    the box of who takes it and that of the wager."""
    verb, *words = command or [""]
    if verb in ("correct", "lies", "report", "shuffle", "clear-set", "seen", "pay"):
        words = words[1:]  # a card's number, what is reported, a set, a multiplier
    named = words[:2] if verb == "nominate" else words[:1]
    places = [place.partition(".")[0] for word in named for place in word.split("@")]
    return str(box) in (place.rstrip("abcdefgh") for place in places)


def _keyed(entry: Entry, play: Replay, waited: Pending | None, box: int) -> bool:
    """Whether the entry is the key that made a command about that box, done or now waiting for the
    shoe's gate; ``waited`` is what waited before."""
    if entry.type != "KEY":
        return False
    waits = play.table.entering.pending
    made = [
        *play.table.outcome.carried_out,
        *([str(waits.entry)] if waits and waits != waited else []),
    ]
    return any(_is_about(command.split(), box) for command in made)


def _cards(play: Replay) -> _Hands | None:
    """The cards of the hands at each box, as they are said to lie; None where nothing is played."""
    from controller.round.play import as_said

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
