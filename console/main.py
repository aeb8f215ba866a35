"""``table-console``: in the foreground, until SIGTERM. Logs go to standard error."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent
from typing import Final

from console.application import ConsoleApplication
from console.configuration import ConsoleSettings, load_console
from controller import __version__
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from web.listening import listening
from web.serving import serve

MEANING: Final = {
    0: "stopped in good order",
    NOT_WELL: "the address cannot be used now: it may be started again",
    WRONG_USE: "a bad configuration or wrong options: starting again helps nothing",
}
"""Of its exit statuses."""

CONFIG: Final = "/etc/table-console/console.toml"
CONFIGURATION: Final = """\
listen = "127.0.0.1:8450"                      # a browser on this machine, or the house's proxy
hosts = ["table12.example"]                    # other names by which browsers may ask
socket = "/run/table-controller/control.sock"
state = "/var/lib/table-console"               # the multipliers that the sign remembers
language = "en"                                # or zh, ms; each page can choose another
lock_s = 60                                    # who signed in and touches nothing is signed out
[sign]
words = ["Welcome to table 12"]                # the house's own lines, between rounds
languages = ["en", "zh"]                       # one after the other; left out: language
"""


EXAMPLES: Final = ((f"table-console --config {CONFIG}", "as its unit starts it"),)


def build() -> argparse.ArgumentParser:
    """The parser of its options."""
    parser = argparse.ArgumentParser(
        prog="table-console",
        description="The screens of a table, in a browser: to deal by, to look at, to settle by",
        epilog=f"a configuration, {CONFIG}; every key may be left out:\n"
        f"{indent(CONFIGURATION, '  ')}\n"
        f"example:\n  {EXAMPLES[0][0]}\n      {EXAMPLES[0][1]}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument(
        "--config", type=Path, required=True, metavar="FILE", help="the console's configuration"
    )
    return parser


def show_screens(settings: ConsoleSettings) -> None:
    """Serve the screens until told to stop.

    Raises:
        NotDone: 1, the address cannot be used, now.
    """

    async def serve_screens() -> None:
        application = ConsoleApplication(settings)
        address = settings.listen
        with listening(address.host, address.port, "listen") as listener:
            async with asyncio.TaskGroup() as tasks:  # if one fails so does the program
                following = tasks.create_task(application.table.follow_table())
                await serve(application.asgi, listener, application.end_streams)
                following.cancel()
            await application.actor.close()
            await application.readers.close()

    asyncio.run(serve_screens())


def main(argv: Sequence[str] | None = None) -> int:
    """Serve; returns the exit status."""
    given = build().parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stderr)
    try:
        show_screens(load_console(given.config))
    except NotDone as error:
        print(f"table-console: {error}", file=sys.stderr)
        return error.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
