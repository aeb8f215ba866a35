"""``python -m hil_tests.console.newcomer [--json]``: the trial, and what it counts.

Exit status: 0 both came to the same; 1 they did not. Seconds are estimated by the keystroke-level
model (Card, Moran and Newell 1980): 1.35 s to make up one's mind for each command, 1.10 s to point
at and touch a key of a screen, 0.28 s for a key of a keypad by somebody who knows where it is. That
a newcomer looks a command up on the dealer's card is in none of them.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from contextlib import closing
from functools import partial
from typing import Any, Final

from hil_tests.bench import processes
from hil_tests.browser.chromium import Chromium
from hil_tests.browser.visits import Visits
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.newcomer.dealing import Counts, deal_all
from hil_tests.console.newcomer.first_evening import ROUNDS
from hil_tests.console.newcomer.hands import AtKeypad, AtPage
from hil_tests.console.touching import TouchingDealer

MIND_S: Final = 1.35
TOUCH_S: Final = 1.10
KEY_S: Final = 0.28


def main() -> int:
    """Deal twice; returns the exit status."""
    parser = argparse.ArgumentParser(prog="hil_tests.console.newcomer")
    parser.add_argument("--json", action="store_true", help="the counts as JSON")
    options = parser.parse_args()
    processes.end_with_parent(signal.SIGTERM)
    processes.start_server()
    keyed, touched = by_keypad(), by_page()
    rows = [
        {
            "round": number,
            "about": one.about,
            "touches": page.count,
            "touching_s": round(page.commands * MIND_S + page.count * TOUCH_S, 1),
            "keys": pad.count,
            "keying_s": round(pad.commands * MIND_S + pad.count * KEY_S, 1),
        }
        for number, (one, page, pad) in enumerate(zip(ROUNDS, touched, keyed, strict=True), 1)
    ]
    print(json.dumps(rows) if options.json else _table(rows))
    differ = [
        at
        for at, (one, other) in enumerate(zip(touched, keyed, strict=True), 1)
        if one.came_to != other.came_to
    ]
    print(
        *(f"newcomer: round {at} did not come to the same" for at in differ),
        sep="\n",
        file=sys.stderr,
    )
    return 1 if differ else 0


def by_keypad() -> list[Counts]:
    """The rounds at the keypad."""
    with ConsoleBesideTable() as table:
        return deal_all(AtKeypad(table.bench))


def by_page() -> list[Counts]:
    """The rounds at the page."""
    with closing(Chromium()) as chromium, ConsoleBesideTable() as table:
        visits = Visits(chromium)
        try:
            return chromium.result_of(partial(_touched, table, visits))
        finally:
            chromium.result_of(visits.close)


def _touched(table: ConsoleBesideTable, visits: Visits) -> list[Counts]:
    counts = deal_all(AtPage(TouchingDealer.at_page(table, visits)))
    assert not visits.wrong, visits.wrong
    return counts


def _table(rows: list[dict[str, Any]]) -> str:
    lines = ["| round | touches | seconds | keys | seconds |", "| --- | --- | --- | --- | --- |"]
    keys = ("touches", "touching_s", "keys", "keying_s")
    lines += [
        "| " + " | ".join([row["about"], *(f"{row[key]:g}" for key in keys)]) + " |" for row in rows
    ]
    sums = [f"{sum(row[key] for row in rows):g}" for key in keys]
    return "\n".join([*lines, "| " + " | ".join(["all", *sums]) + " |"])


if __name__ == "__main__":
    sys.exit(main())
