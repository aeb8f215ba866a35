"""``people``: who is known by PIN, at the running controller; root's, and its own user's.

A PIN is a line of standard input and never an option, which other users could read in the list of
processes. At a terminal it is asked for twice and not shown.
"""

from __future__ import annotations

import argparse
import getpass
import sys
from typing import Final, get_args

from controller.cli.arguments import add_option
from controller.cli.connection import connect
from controller.cli.group import Group
from controller.cli.output import DONE, print_answer
from controller.control.protocol import PIN, PersonsRole
from controller.not_done import WRONG_USE, NotDone

ROLES: Final = get_args(PersonsRole)
LONGEST_LINE: Final = 100


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("people")
    group.command("list", _list, "Who is known by PIN, and with which role")
    for name, about in (
        ("add", "Make somebody known; his PIN is a line of standard input"),
        ("pin", "Give him another PIN, a line of standard input"),
        ("remove", "Forget him; whatever he has signed in to ends"),
    ):
        command = group.command(name, _change, about)
        command.set_defaults(do=f"person_{name}", role="")
        add_option(command, "name NAME", "as it is to stand in the journal")
        if name == "add":
            add_option(command, "--role", "what he may", choices=ROLES, required=True)


def _list(options: argparse.Namespace) -> int:
    with connect(options) as client:
        people = client.people()
    nobody = "nobody is known by PIN: tablectl people add NAME --role ROLE"
    said = [f"{one['name']}  {one['role']}" for one in people]
    print_answer(options, {"people": people}, said or [nobody])
    return DONE


def _change(options: argparse.Namespace) -> int:
    pin = "" if options.do == "person_remove" else _read_pin()
    with connect(options) as client:
        done = client.request(options.do, person=options.name, role=options.role, pin=pin)
    print_answer(options, done, [f"{done['person']} ({done['role']}): done"])
    return DONE


def _read_pin() -> str:
    """The PIN; what else was given is not repeated."""
    if sys.stdin.isatty():
        pin = getpass.getpass("PIN, 4 to 12 digits: ")
        if getpass.getpass("once more: ") != pin:
            raise NotDone(WRONG_USE, "the two are not the same; nothing was changed")
    else:
        pin = sys.stdin.readline(LONGEST_LINE).rstrip("\r\n")
    if not PIN.fullmatch(pin):
        raise NotDone(WRONG_USE, "expected a PIN of 4 to 12 digits, a line of standard input")
    return pin
