"""``faults``: what a fault means, what to do about it, and who ends it; no controller is needed."""

from __future__ import annotations

import argparse
import difflib
import shutil
import textwrap
from collections.abc import Iterator

from controller.cli.arguments import add_option
from controller.cli.group import Group
from controller.cli.output import DONE, print_answer
from controller.faults.catalogue import CATALOGUE, plain
from controller.faults.model import Fault
from controller.not_done import WRONG_USE, NotDone
from controller.plain_text import columns


def register(top: Group) -> None:
    """Add the command."""
    faults = top.command("faults", _faults)
    add_option(faults, "code CODE", "as status shows it: device-refuses", nargs="?", known="fault")


def _faults(options: argparse.Namespace) -> int:
    if options.code is None:
        every = list(CATALOGUE.values())
        rows = ((fault.code, fault.severity.value, fault.text) for fault in every)
        listed = columns([("code", "severity", "what it says"), *rows])
        print_answer(options, [as_json(fault) for fault in every], [listed])
        return DONE
    code = "-".join(options.code.lower().split())  # as people read it off a keypad's row
    fault = CATALOGUE.get(code)
    if fault is None:
        near = difflib.get_close_matches(code, CATALOGUE, n=3, cutoff=0.5)
        meant = f" Did you mean {' or '.join(near)}?" if near else ""
        raise NotDone(
            WRONG_USE, f"{options.code!r} is no fault.{meant} 'tablectl faults' lists them all."
        )
    print_answer(options, as_json(fault), _explained(fault))
    return DONE


def _explained(fault: Fault) -> Iterator[str]:
    width = min(100, shutil.get_terminal_size((100, 0)).columns)
    yield fault.code
    for name, text in plain(fault):
        yield f"  {name}"
        yield textwrap.fill(text, width, initial_indent="    ", subsequent_indent="    ")


def as_json(fault: Fault) -> dict[str, object]:
    """The fault's fields under their names; severity and who ends it in words and by name."""
    return {
        "code": fault.code,
        "severity": fault.severity.value,
        "text": fault.text,
        "next_step": fault.next_step,
        "clears": fault.clears.name.lower(),
        "ended_by": fault.clears.value,
        "throttle_s": fault.throttle_s,
        "outlasts_void_round": fault.of_controller,
        "devices_closed": fault.devices_closed,
        "requirements": list(fault.requirements),
    }
