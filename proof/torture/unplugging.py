"""Every device pulled in every state of every document.

Each in three ways: kept its memory, cut off in mid-frame, lost its memory
(:mod:`hil_tests.people.unplugging_dealer`). Prints a table of states and devices for each document,
a letter for each way that went well, and what did not; exits 1 when anything did not.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import NamedTuple

from figures.workers import spread
from hil_tests.bench.setup import DOCUMENTS
from hil_tests.people.unplugging_dealer import WAYS, Unplugging
from hil_tests.tables.comparison import Comparison
from hil_tests.tables.unplugged import UnpluggedTable, unpluggings


class Pulled(NamedTuple):
    """A document's unpluggings with what was wrong with each, and its journal compared."""

    rules: str
    found: list[tuple[Unplugging, list[str]]]
    compared: Comparison

    @property
    def wrong(self) -> list[str]:
        """All that was not as it should be."""
        told = [
            f"{' '.join(unplugging)}: {what}" for unplugging, wrong in self.found for what in wrong
        ]
        return told + self.compared.wrong


def unplug_table(rules: str) -> Pulled:
    """Every unplugging at a table of this document."""
    with UnpluggedTable(rules) as table:
        found = [(unplugging, table.play(unplugging)) for unplugging in unpluggings(rules)]
    return Pulled(rules, found, table.compared)


def lines(pulled: Pulled) -> Iterator[str]:
    """The table of a document: a row for each state, a column for each device."""
    went_well = {unplugging for unplugging, wrong in pulled.found if not wrong}
    states = list(dict.fromkeys(unplugging.state for unplugging, _ in pulled.found))
    devices = list(dict.fromkeys(unplugging.device for unplugging, _ in pulled.found))
    yield pulled.rules
    yield f"  {'':20}" + "".join(f"{device:10}" for device in devices)
    for state in states:
        cells = (
            "".join(way[0] if (state, device, way) in went_well else "!" for way in WAYS)
            for device in devices
        )
        yield f"  {state:20}" + "".join(f"{cell:10}" for cell in cells)
    compared = pulled.compared
    yield (
        f"  {len(pulled.found)} unpluggings; {compared.cards} cards, {compared.draws} draws, "
        f"{compared.answers} entries answered; lost {compared.lost}, twice {compared.twice}, "
        f"otherwise wrong {len(pulled.wrong)}"
    )
    yield from (f"  wrong: {what}" for what in pulled.wrong)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where."""
    parser.add_argument("--rules", action="append", help="of the tables; may be given again")
    parser.add_argument("--jobs", type=int, default=2, help="tables at a time")


def run_torture(given: argparse.Namespace) -> int:
    """Pull every cable, print the tables."""
    began, total, wrong = time.monotonic(), 0, 0
    for pulled in spread(given.jobs, unplug_table, given.rules or DOCUMENTS):
        print(*lines(pulled), "", sep="\n", flush=True)
        total += len(pulled.found)
        wrong += len(pulled.wrong)
    ways = ", ".join(f"{way[0]}: {way}" for way in WAYS)
    print(f"{total} unpluggings in {time.monotonic() - began:.0f} s ({ways}); {wrong} wrong")
    return int(bool(wrong))
