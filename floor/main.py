"""``table-floor``: what a house's server runs, and what people ask it."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import indent
from typing import Final

from controller.configuration.tables import BadConfiguration
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.verbs import INTERRUPTED, UNREAD, Verb, parser_of, status_of
from floor.collector.keys import cosigner_of, make_key
from floor.collector.nightly import nightly
from floor.collector.running import collect
from floor.configuration import FloorSettings, load_floor
from floor.facts.commands import add_rebuild, add_report, rebuild, report
from floor.page.application import show_page
from floor.store.failing import StoreFails
from floor.store.schema import make_schema
from floor.tables import read_tables

MEANING: Final = {
    0: "done, or stopped in good order",
    NOT_WELL: "the database or an address cannot be used now: it may be tried again",
    WRONG_USE: "a bad configuration or wrong options: trying again helps nothing",
    NOT_PERMITTED: "not now, or not to this user",
    INTERRUPTED: "interrupted (Ctrl-C) before it was done",
    UNREAD: "nobody reads its output any more: it may have ended before it was done",
}
"""Of its exit statuses."""

CONFIG: Final = "/etc/table-floor/floor.toml"
CONFIGURATION: Final = """\
database = "postgresql:///floor"       # a connection string of libpq
tables = "tables"                      # a folder beside it: NAME.vkey, a box's journal.vkey each
currency = "SGD"
zone = "Asia/Singapore"
day_begins = "06:00"
keep_years = 5                         # the night removes what is older; left out: nothing
[mirror]
name = "floor.example/mirror"
[witness]
name = "floor.example/witness"
[collector]
listen = "127.0.0.1:8440"              # for a proxy, which ends TLS
[page]
listen = "127.0.0.1:8441"
[approved]
version = ["0.3.0"]                    # what tables may run; also program, libraries,
                                       # configuration, rules, readings and weights, by SHA-256
[table.P12]
currency = "USD"                       # of a table that plays in another one
"""


def initialize(settings: FloorSettings) -> None:
    """Make the cosigners' keys and the database's schema, where they are not; print what a table's
    configuration needs. The tables' folder is read last: what is wrong with it takes nothing back.

    Raises:
        NotDone: 1, the database; 2, a key, or files of the tables' folder.
    """
    cosigners = {"mirror": settings.mirror, "witness": settings.witness}
    for role, cosigner in cosigners.items():
        if cosigner is not None and make_key(cosigner):
            print(f"# {role}: made {cosigner.key}; keep a copy of it in the safe")
    try:
        if asyncio.run(make_schema(settings.database)):
            print("# database: made its schema")
    except StoreFails as error:
        raise NotDone(NOT_WELL, str(error)) from error
    print(for_tables(settings), end="")
    if bad := read_tables(settings.tables).bad:
        raise BadConfiguration(settings.tables, [one.fault for one in bad])


def for_tables(settings: FloorSettings) -> str:
    """The lines that send a table's journal here; the address is that by which the house's proxy
    has the collector, which the cosigner's name may be.

    Raises:
        NotDone: 2, a key cannot be used.
    """
    mirror = cosigner_of(settings.mirror).vkey
    lines = ["# for every table's configuration; url: as the house's proxy has the collector"]
    lines += ["[floor]", f'url = "https://{mirror.name}"', f'vkey = "{mirror.text}"']
    if settings.witness is not None:
        witness = cosigner_of(settings.witness).vkey
        lines += ["[[witness]]", 'name = "floor-witness"', f'url = "https://{witness.name}"']
        lines += [f'vkey = "{witness.text}"']
    return "".join(f"{line}\n" for line in lines)


COMMANDS: Final[Mapping[str, Verb]] = {
    "init": Verb(
        "Makes keys and schema where they are not, and prints what tables need",
        lambda settings, _: initialize(settings),
        ((f"table-floor init --config {CONFIG}", "also again: it keeps what is there"),),
    ),
    "nightly": Verb(
        "Checks all that is stored, has altered entries sent again, removes what is too old",
        lambda settings, _: nightly(settings),
        ((f"table-floor nightly --config {CONFIG}", "by night, beside the collectors"),),
    ),
    "collector": Verb(
        "Mirrors and witnesses the tables' journals, over HTTP",
        lambda settings, _: collect(settings),
        ((f"table-floor collector --config {CONFIG}", "as its unit starts it"),),
    ),
    "page": Verb(
        "Shows the floor to people, over HTTP, read only",
        lambda settings, _: show_page(settings),
        ((f"table-floor page --config {CONFIG}", "behind the house's proxy, which knows people"),),
    ),
    "report": Verb(
        "Prints a gaming day's or a shift's figures of the tables, beside what is expected",
        report,
        (
            (
                f"table-floor report --config {CONFIG} --day 2026-11-26 --expected expected",
                "what every table wagered, won and drew, and what is out of its bounds",
            ),
            (
                f"table-floor report --config {CONFIG} --shift 41 --table P12 --csv draws",
                "one part of it, for a spreadsheet",
            ),
        ),
        add_report,
    ),
    "rebuild": Verb(
        "Derives facts anew from the stored entries: they come out the same",
        rebuild,
        ((f"table-floor rebuild --config {CONFIG} --table P12", "of one table; --all: of all"),),
        add_rebuild,
    ),
}


EXAMPLES: Final = COMMANDS["init"].examples + COMMANDS["collector"].examples
"""Of the program as a whole."""


def build() -> argparse.ArgumentParser:
    """The parser of its options."""
    return parser_of(
        COMMANDS,
        _add_config,
        prog="table-floor",
        description="Collects the journals of a house's tables, and witnesses them",
        epilog=f"a configuration, {CONFIG}:\n{indent(CONFIGURATION, '  ')}",
    )


def _add_config(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--config", type=Path, required=True, metavar="FILE", help="the floor's configuration"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Do what was asked; returns the exit status."""
    given = build().parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stderr)
    logging.getLogger("transitions").setLevel(logging.WARNING)  # of each state of each round
    run = COMMANDS[given.verb].run
    return status_of("table-floor", lambda: run(load_floor(given.config), given))


if __name__ == "__main__":
    sys.exit(main())
