"""``python -m hil_tests.console.walk``: worked rounds dealt through the page, and taps at random.

Exit status: 0 all is as it should be; 1 something is not, and what; 2 wrong use, or no Chromium.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from dataclasses import asdict
from functools import partial

from hil_tests.bench import processes
from hil_tests.browser.chromium import Chromium, Visits
from hil_tests.console.walk.account import Counterexample
from hil_tests.console.walk.taps import TapWalk
from hil_tests.console.walk.touched_rounds import deal_rounds, rounds_of_irregularity


def main() -> int:
    """Walk; returns the exit status."""
    options = _options()
    processes.start_server()
    try:
        chromium = Chromium()
    except FileNotFoundError as error:
        print(f"console-walk: {error}", file=sys.stderr)
        return 2
    visits = Visits(chromium)
    try:
        return chromium.result_of(lambda: _walk(visits, options))
    except KeyboardInterrupt:
        return 1
    finally:
        chromium.result_of(visits.close)
        chromium.close()


def _walk(visits: Visits, options: argparse.Namespace) -> int:
    well = True
    if options.taps:
        print(f"{options.taps} taps across {options.restarts} restarts, --seed {options.seed}")
        try:
            told = TapWalk(visits, options.seed).run_taps(options.taps, options.restarts)
            print(json.dumps(dict(sorted(told.items()))), flush=True)
        except Counterexample as error:
            print(f"console-walk: NOT WELL: {error}", file=sys.stderr)
            well = False
    if options.rounds != 0:
        chosen = rounds_of_irregularity(options.rounds, options.only)
        print(f"{len(chosen)} worked rounds", flush=True)
        dealt = deal_rounds(visits, chosen, lambda words: print(f"  {words}", flush=True))
        print(json.dumps(asdict(dealt), ensure_ascii=False), flush=True)
        well = well and not dealt.wrong
    for wrong in visits.wrong:
        print(f"console-walk: NOT WELL: {wrong}", file=sys.stderr)
        well = False
    return 0 if well else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="make console-walk",
        description="The dealer's page in a real browser: rounds in which something goes wrong, "
        "dealt by touch, and taps at random while console, daemon and network end and come back.",
    )
    add = partial(parser.add_argument, metavar="N", type=_number)
    add("--rounds", default=None, help="so many worked rounds (all)")
    parser.add_argument(
        "--only", metavar="TITLE", action="append", help="worked rounds with this in their title"
    )
    add("--taps", default=1000, help="so many taps (1000)")
    add("--restarts", default=50, help="across so many restarts (50)")
    seed = secrets.randbelow(10**9)
    parser.add_argument(
        "--seed", metavar="N", type=int, default=seed, help="of the taps (by chance)"
    )
    options = parser.parse_args()
    if options.restarts * 4 > options.taps > 0:
        parser.error("--restarts: at most one for four taps")
    return options


def _number(text: str) -> int | None:
    if text == "all":
        return None
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main())
