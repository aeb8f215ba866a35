"""``journal find``: entries by round, card, box, multiplier, fault and time, as JSON lines.

What is found is said by :mod:`controller.evidence.search`; the lines are those of ``journal
export``. A time without its zone is that of the machine on which the command is given, whose zone
has to be known. One that was twice, in the night in which the clock is put back, is the first in
``--since`` and the second in ``--until``: nothing that may be meant is left out.
"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

from controller.cli.arguments import add_option, did_you_mean, parsed
from controller.cli.group import Group
from controller.cli.journal.sources import opened
from controller.cli.output import DONE, complain, stream
from controller.evidence.search import WantedEntry, entries_of
from controller.faults.catalogue import CATALOGUE
from controller.game.rules.cards import parse_card
from controller.journal.export import Lines
from controller.local_time import ZoneUnknown, known_zone
from controller.not_done import WRONG_USE, NotDone


def register(group: Group) -> None:
    """Add the command."""
    find = group.command("find", _search, "Entries by round, card, box, multiplier, fault or time")
    add_option(find, "--round N", "of that round, or of the last")
    add_option(find, "--card CARD", "as 9D", type=parsed(parse_card))
    add_option(find, "--box N", "about that box", type=int)
    add_option(find, "--multiplier N", "with that figure", type=int)
    add_option(find, "--fault CODE", "its code", type=_fault, known="fault")
    add_option(
        find,
        "--since TIME",
        "as 2026-11-23T22:15, in the local time of this machine; of an hour that was twice "
        "the first, else with its zone: 2026-10-25T02:15+01:00",
        type=_since,
    )
    add_option(
        find,
        "--until TIME",
        "before that time, local as well; of an hour that was twice the second",
        type=_until,
    )


def _fault(text: str) -> str:
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
        here = time if time.tzinfo else time.replace(tzinfo=known_zone())
        return here.replace(fold=0).astimezone(UTC), here.replace(fold=1).astimezone(UTC)
    except ZoneUnknown as error:
        raise argparse.ArgumentTypeError(f"{text!r} is without a zone, and {error}") from error
    except (ValueError, OverflowError, OSError) as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time: expected as 2026-11-23 or 2026-11-23T22:15"
        ) from error


def _search(options: argparse.Namespace) -> int:
    asked = ("round", "card", "box", "multiplier", "fault", "since", "until")
    wanted = WantedEntry(**{name: getattr(options, name) for name in asked})
    if wanted == WantedEntry():
        raise NotDone(WRONG_USE, "journal find: say what, as --round 12 or --card 9D")
    count = 0
    with opened(options) as reader:
        write = Lines(reader).line_of
        for entry in entries_of(reader, wanted):
            stream(write(entry))
            count += 1
    if not count:
        complain("no entry is so")
    return DONE
