"""``counters``: what has been counted since commissioning and in the present shift.

The rules:

- A running table is asked through its socket; with ``--state`` a journal is read, also a stopped
  table's, by its last snapshot and what follows it.
- ``--check`` replays the whole journal, compares every snapshot on the way, and at the end holds
  the figures so rebuilt against those that a start would go on with: status 1 when they differ.
- The p-value says how often a sound generator would draw at least as unevenly. One alone proves
  nothing: a small one is a reason for ``draw test``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Final, TypeAlias

from controller.cli.arguments import add_option
from controller.cli.connection import connect
from controller.cli.group import Group
from controller.cli.journal.sources import opened
from controller.cli.output import DONE, complain, print_answer
from controller.counters.report import DrawsReport, report
from controller.draw.battery.series import chi_square_p
from controller.forms.json_values import JsonObject, checked
from controller.not_done import NOT_WELL
from controller.plain_text import columns
from controller.replay.recovery import recover
from controller.replay.replay import Replay, differences

Spans: TypeAlias = dict[str, dict[str, object]]
"""The report, a span of time by its name."""

FEWEST_EXPECTED: Final = 5
"""Draws that each multiplier should have had by its weight before a p-value says anything."""

MONEY_HEAD: Final = ("", "wagers", "wagered", "paid", "held", "given back", "without amount")

_PLAIN: Final = (
    ("rounds settled", "rounds"),
    ("rounds void", "void"),
    ("cards drawn", "cards"),
    ("cards unread", "unread"),
    ("shuffles", "shuffles"),
    ("shuffles incomplete", "incomplete"),
    ("shuffler jams", "jams"),
    ("presses", "presses"),
    ("presses ignored", "presses_ignored"),
    ("entries refused after waiting", "refused"),
    ("commands refused by devices", "refusals"),
)


def register(top: Group) -> None:
    """Add the command."""
    parser = top.command("counters", show_counters)
    which = parser.add_mutually_exclusive_group()
    add_option(which, "--shift", "only the present shift")
    add_option(which, "--total", "only since commissioning")
    add_option(parser, "--check", "rebuild them from the whole journal and compare")


def show_counters(options: argparse.Namespace) -> int:
    """Print the counters."""
    if options.check:
        counters, wrong = _rebuilt(options)
    elif options.state is not None:
        counters, wrong = _from_journal(options), []
    else:
        with connect(options) as client:
            counters, wrong = checked(Spans, client.request("counters"), "counters"), []
    spans = [name for name in ("shift", "total") if getattr(options, name)] or ["shift", "total"]
    counters = {name: with_p_values(counters[name]) for name in spans}
    said = [line for name, figures in counters.items() for line in lines(name, figures)]
    if options.check and not wrong:
        said.append("rebuilt from the journal: the same")
    print_answer(options, {**counters, "checked": not wrong} if options.check else counters, said)
    for what in wrong:
        complain(what)
    return NOT_WELL if wrong else DONE


def _from_journal(options: argparse.Namespace) -> Spans:
    with opened(options) as reader:
        return report(recover(reader, reader.iterate).counted.counters)


def _rebuilt(options: argparse.Namespace) -> tuple[Spans, list[str]]:
    """The counters by a replay of all there is, and what differs on the way or at the end."""
    with opened(options) as reader:
        upto = reader.head.seq
        replay = Replay()
        wrong = differences(replay, reader.iterate(0, upto))
        kept = recover(reader, lambda after: reader.iterate(after, upto)).counted.counters
    rebuilt = replay.counted.counters
    if rebuilt.dump() != kept.dump():
        wrong.append("the figures rebuilt from the journal are not those kept")
    return report(rebuilt), wrong


def with_p_values(figures: JsonObject) -> dict[str, object]:
    """The figures with ``p`` for the draws under each set of weights; None where they are too few
    to tell, or the weights leave no choice."""
    draws: list[DrawsReport] = []
    for under in checked(list[DrawsReport], figures["draws"], "draws"):
        total = sum(each["weight"] for each in under["multipliers"])
        observed = [each["drawn"] for each in under["multipliers"]]
        expected = [under["draws"] * each["weight"] / total for each in under["multipliers"]]
        tells = len(expected) > 1 and min(expected) >= FEWEST_EXPECTED
        draws.append({**under, "p": chi_square_p(observed, expected) if tells else None})
    return {**figures, "draws": draws}


def lines(name: str, figures: JsonObject) -> Iterator[str]:
    """The figures of a span as a person reads them."""
    yield _title(name, figures)
    yield columns([(words, figures[key]) for words, key in _PLAIN], right=(1,))
    by_kind = {**checked(dict[str, object], figures["money"], "money"), "all": figures["sum"]}
    money = checked(dict[str, dict[str, object]], by_kind, "money")
    yield columns([MONEY_HEAD, *map(money_row, money, money.values())], right=range(1, 7))
    for under in checked(list[DrawsReport], figures["draws"], "draws"):
        yield from _draws(under)
    for what in ("voids", "voids_after_draw", "corrections"):
        if by := checked(dict[str, int], figures[what], what):
            yield f"  {what} by: " + ", ".join(f"{who} {count}" for who, count in by.items())


def money_row(kind: str, money: JsonObject) -> tuple[object, ...]:
    """A kind of wager in the columns of :data:`MONEY_HEAD`."""
    sums = (money["wagered"], money["paid"], money["held"], money["given_back"])
    return kind, money["wagers"], *sums, money["untold"]


def _title(name: str, figures: JsonObject) -> str:
    if name == "total":
        return "Since commissioning"
    if not figures["number"]:
        return "This shift: none has been begun"
    return f"Shift {figures['number']}, begun by {figures['by']} before round {figures['since']}"


def _draws(under: DrawsReport) -> Iterator[str]:
    total = sum(each["weight"] for each in under["multipliers"])
    rows: list[tuple[object, ...]] = [("multiplier", "drawn", "expected")]
    for each in under["multipliers"]:
        expected = under["draws"] * each["weight"] / total
        rows.append((f"{each['multiplier']}x", each["drawn"], f"{expected:.1f}"))
    yield columns(rows, right=(0, 1, 2))
    p = under.get("p")
    said = f"p = {p:.3f}" if p is not None else "too few to compare with the weights"
    yield f"  {under['draws']} draws: {said}"
