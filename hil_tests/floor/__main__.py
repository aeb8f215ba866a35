"""``python -m hil_tests.floor [--seconds N] [--json] [--seed N]``: a floor with six tables at play.

It stands until Ctrl-C, or for so many seconds, and says then what it came to. Exit status: 0 all
was as it must be; 1 something was not, and what; 2 wrong use, or PostgreSQL is not there. However
it ends, no process and no file of it is left.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from typing import Final

from hil_tests.demo import standing
from hil_tests.floor.at_play import DOCUMENTS, Delays, TableAtPlay, account_of
from hil_tests.floor.house import House

LOOK_S: Final = 0.5


def main() -> int:
    """Put up the floor; returns the exit status."""
    options = _options()
    interrupted = 0 if options.seconds is None else 130
    return standing.status_of(
        "floor-demo", partial(_floor, options), interrupted, (FileNotFoundError,)
    )


def _floor(options: argparse.Namespace) -> int:
    delays = Delays()
    with _standing(options.seed) as (house, tables):
        page = house.start_page()
        with suppress(KeyboardInterrupt, ChildProcessError):  # the account names what has ended
            if not options.json:
                _print_places(house, tables, page)
            _stand(house, tables, delays, options.seconds)
        account = account_of(house, tables, delays)
        folders = [house.folder, *(table.bench.folder for table in tables)]
    account.wrong += [f"{folder} is left" for folder in folders if folder.exists()]
    if options.json:
        print(json.dumps(account.as_json()))
    else:
        print(*account.lines(), sep="\n")
    for wrong in account.wrong:
        print(f"floor-demo: NOT WELL: {wrong}", file=sys.stderr)
    return int(bool(account.wrong))


@contextmanager
def _standing(seed: int) -> Iterator[tuple[House, Sequence[TableAtPlay]]]:
    """The floor and its tables, at play."""
    with ExitStack() as stack:
        with standing.undisturbed():
            house = stack.enter_context(closing(House()))
            tables = []
            for number in range(1, len(DOCUMENTS) + 1):
                tables.append(stack.enter_context(closing(TableAtPlay(house, number, seed))))
                tables[-1].put_up()
            for table in tables:
                table.play()
        try:
            yield house, tables
        finally:
            standing.be_deaf()


def _print_places(house: House, tables: Sequence[TableAtPlay], page: str) -> None:
    print(f"A floor stands, with {len(tables)} tables at play, without hardware:\n")
    for table in tables:
        print(f"    {table.words:<34}tablectl --socket {table.bench.socket} watch")
    print(f"\n    the page      {page}")
    print(f"    the collector {house.url}/  (figures: {house.figures_url})")
    print(f'    the database  psql "{house.dsn}"')
    asked = f"--config {house.configuration} --day {house.today}"
    print(f"    the report    table-floor report {asked}")
    print("\nCtrl-C ends it, and says what it came to; nothing is left.", flush=True)


def _stand(
    house: House, tables: Sequence[TableAtPlay], delays: Delays, seconds: float | None
) -> None:
    begun = time.monotonic()
    while seconds is None or time.monotonic() - begun < seconds:
        delays.note_cosignatures(house)
        if any(table.wrong for table in tables if table.lives()):
            return
        time.sleep(LOOK_S)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make floor-demo", description="A floor with six tables.")
    parser.add_argument("--seconds", metavar="N", type=float, help="end then; else Ctrl-C does")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="for the same cards again")
    parser.add_argument("--json", action="store_true", help="only what it came to, as JSON")
    options = parser.parse_args()
    if options.seconds is not None and options.seconds <= 0:
        parser.error("--seconds: expected more than 0")
    return options


if __name__ == "__main__":
    sys.exit(main())
