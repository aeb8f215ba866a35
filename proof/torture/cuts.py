"""``python -m proof.torture cuts``: the machine loses its power in play, on a real kernel, many
times.

Each table is a machine of its own (:mod:`hil_tests.benches.vm`), a system installed in a virtual
machine, with a disk under its journal that loses what was not flushed, block by block, by chance.
It is used for some cuts, then stopped in good order, and its journal compared with what its devices
and clients saw. Needs what ``make bench-vm`` needs.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final

from hil_tests.bench.setup import MBS, RWS
from hil_tests.benches.vm.base import base
from hil_tests.kills.account import Account
from hil_tests.kills.power_cuts import cut

CUTS: Final = 200
SEED: Final = 20_261_121
RULES: Final = (MBS, RWS)
A_TABLE: Final = 10
"""Cuts at one table: its log grows at the beginning, where a commit has the most requests to fall
into."""


def run_table(rules: str, seed: int, cuts: int) -> Account:
    """One table; what goes wrong stands in its account."""
    try:
        account = cut(rules, seed, cuts)
    except Exception:  # play stood still, or the machine never came back
        account = Account(wrong=[traceback.format_exc()])
    account.wrong = [f"--rules {rules} --seed {seed}: {what}" for what in account.wrong]
    return account


def main(argv: Sequence[str] | None = None) -> int:
    """Cut, print the account, return 1 when anything was lost, came twice or was wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m proof.torture cuts",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--cuts", type=int, default=CUTS, help=f"at least; {CUTS}")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first table")
    parser.add_argument("--rules", action="append", choices=RULES, help="document; may be repeated")
    parser.add_argument("--jobs", type=int, default=1, help="machines at a time; 1")
    given = parser.parse_args(argv)
    began = time.monotonic()
    base()  # made once, before two want it
    total = Account()
    rules = given.rules or RULES
    sizes = [min(A_TABLE, given.cuts - at) for at in range(0, given.cuts, A_TABLE)]
    names = [rules[number % len(rules)] for number in range(len(sizes))]
    seeds = [given.seed + number for number in range(len(sizes))]
    with ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool:
        for name, seed, account in zip(
            names, seeds, pool.map(run_table, names, seeds, sizes), strict=True
        ):
            total.add(account)
            print(f"--rules {name} --seed {seed}: {account.kills} cuts", flush=True)
            print(*(f"  wrong: {what}\n" for what in account.wrong), sep="", end="", flush=True)
    took_s = time.monotonic() - began
    print(f"\npower cuts, seed {given.seed}, {took_s:.0f} s:", *total.lines(), sep="\n")
    return int(bool(total.wrong or total.lost or total.twice))


if __name__ == "__main__":
    sys.exit(main())
