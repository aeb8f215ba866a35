"""``python -m hil_tests.console [--rules ID] [--json]``: a table with its screens.

It stands until Ctrl-C. Exit status: 0 ended in good order; 1 something was not well, and what; 2
wrong use, or a package is missing. However it ends, no process and no file of it is left.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import sys
from contextlib import ExitStack, closing
from functools import partial
from typing import Final

from hil_tests.bench.logged_program import LISTENS, LoggedProgram, free_port
from hil_tests.bench.setup import MBS
from hil_tests.browser.chromium import PROGRAM
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.touching import PINS, add_supervisors
from hil_tests.demo import standing
from hil_tests.demo.plan import make_plan, shoe_options

LIBRARIES: Final = ("starlette", "uvicorn")
SIGN: Final = {"sign.words": '["A table of simulated devices"]'}


def main() -> int:
    """Put up table and screens; returns the exit status."""
    options = _options()
    missing = [name for name in LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        words = " and no ".join(missing)
        print(f"demo-console: there is no {words}: 'make setup'", file=sys.stderr)
        return 2
    return standing.status_of("demo-console", partial(_stand, options))


def _stand(options: argparse.Namespace) -> int:
    plan = make_plan(options.rules, 1, 6)
    with ExitStack() as stack:
        with standing.undisturbed():
            table = stack.enter_context(closing(ConsoleBesideTable(plan.setup, SIGN)))
            stack.callback(standing.be_deaf)
            standing.put_up(table.bench, shoe_options(plan))
            add_supervisors(table)
            table.start_console()
            folder, port = table.bench.folder, free_port()
            command = ("hil_tests.console.twins", str(folder / standing.TWINS), str(port))
            twins = LoggedProgram(command, folder / "twins.log")
            stack.callback(twins.kill)
            twins.start()
            twins.until_said(LISTENS)
        _print_places(table, f"http://127.0.0.1:{port}/twins", as_json=options.json)
        try:
            wrong = standing.stay(table.bench)
        except KeyboardInterrupt:
            table.bench.stop_controller()
            return 0
    print(f"demo-console: NOT WELL: {wrong}", file=sys.stderr)
    return 1


def _print_places(table: ConsoleBesideTable, twins: str, *, as_json: bool) -> None:
    name, socket = table.bench.setup.table, str(table.bench.socket)
    if as_json:
        told = {"console": table.url, "twins": twins, "socket": socket, "supervisors": PINS}
        print(json.dumps(told), flush=True)
        return
    print(f"Table {name} stands, with simulated devices. In two windows of a browser:\n")
    print(f"    deal here                  {table.url}")
    print(f"    draw cards and press here  {twins}")
    print(f"    the guests' sign           {table.url}sign")
    print(f"    rounds, for supervisors    {table.url}rounds\n")
    known = ", ".join(f"{person} {pin}" for person, pin in PINS.items())
    print(f"Supervisors, with their PINs: {known}\n")
    if shutil.which(PROGRAM) is None:
        print("No browser here? 'apt install --no-install-recommends chromium'.\n")
    print("Ctrl-C ends it; nothing is left.", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="make demo-console", description="A table of simulated devices, with its screens."
    )
    parser.add_argument("--rules", metavar="ID", default=MBS, help="the rule set to play")
    parser.add_argument("--json", action="store_true", help="only addresses and PINs, as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
