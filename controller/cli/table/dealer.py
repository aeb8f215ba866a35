"""``dealer`` and ``supervisor``: commands to the live table, one by one.

Several stop at the first that is not done. With ``--json`` each that was sent gives a line:
``{"command", "ok", "result"}`` or ``{"command", "ok", "error"}``. A dry run is one line for all of
them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from textwrap import wrap
from typing import Final, cast

from controller.cli.arguments import add_option, did_you_mean
from controller.cli.connection import code_of, connect
from controller.cli.group import Group
from controller.cli.output import DONE, complain, print_json, print_line
from controller.control.client import CommandTerms, ControlClient, NoController, RefusedByController
from controller.game.commands.command import first_word
from controller.game.commands.verbs import DEALERS, SUPERVISORS
from controller.game.round.result_fields import BettorsAccount, SettlementResult
from controller.game.round.results import owed_lines
from controller.table.showing.layout import shown_hands

WIDTH: Final = 80
"""Within which commands are listed."""
MOST_DIGITS: Final = 15
"""Of the number of an entry."""

Give = Callable[[ControlClient, str, CommandTerms], dict[str, object]]


def register(top: Group) -> None:
    """Add the commands."""
    dealer = top.command("dealer", _dealer)
    add_option(
        dealer, "commands COMMAND", 'in quotes: "stand 1"', nargs="+", known="dealer's command"
    )
    supervisor = top.command("supervisor", _supervisor)
    add_option(
        supervisor,
        "commands COMMAND",
        'in quotes: "card 9D"',
        nargs="+",
        known="supervisor's command",
    )
    for command in (dealer, supervisor):
        command.known = partial(_known, command.get_default("full_name"))
        add_option(
            command,
            "--at N",
            "for the table with this 'at' (status --json) and no other; of several commands "
            "the first, each other for what the one before has brought",
            type=_status_number,
        )
        add_option(
            command,
            "--dry-run",
            "say what it would bring; nothing is done (several: one after the other)",
        )
    add_option(supervisor, "--by NAME", "who decides")
    add_option(supervisor, "--why TEXT", "why")


def _known(role: str) -> list[str]:
    """The first words of that role's commands, and where those are that it may give now."""
    rows = DEALERS if role == "dealer" else SUPERVISORS
    words = ", ".join(name for name, row in rows.items() if not row.device)
    listed = wrap(words, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    return [*listed, "those of this moment: tablectl status"]


def _dealer(options: argparse.Namespace) -> int:
    return _give_all(options, lambda client, command, given: client.dealer(command, given))


def _supervisor(options: argparse.Namespace) -> int:
    return _give_all(
        options,
        lambda client, command, given: client.supervisor(command, options.by, options.why, given),
    )


def _give_all(options: argparse.Namespace, give: Give) -> int:
    at: int | None = options.at
    every = ["; ".join(options.commands)] if options.dry_run else options.commands
    together = tuple(options.commands) if options.dry_run else ()
    try:
        client = connect(options)
    except NoController as lost:
        _say_lost(options, every[0], lost)
        raise
    with client:
        for command in every:
            given = CommandTerms(at, dry=options.dry_run, commands=together)
            try:
                result = give(client, command, given)
            except RefusedByController as rejected:
                return _rejected(options, command, rejected)
            except NoController as lost:
                _say_lost(options, command, lost)
                raise
            if at is not None:  # each is for what the one before has brought
                at = cast("int", result["at"])
            if options.json:
                print_json({"command": command, "ok": True, "result": result})
            else:
                tried = " (dry run, nothing is done)" if options.dry_run else ""
                print_line(f"{command}{tried}: {result.get('prompt') or 'done'}")
                owed = cast("list[SettlementResult]", result.get("owed") or [])
                accounts = cast("list[BettorsAccount]", result.get("account") or [])
                for line in owed_lines(owed, accounts, *shown_hands(result)):
                    print_line(f"  {line}")
    return DONE


def _say_lost(options: argparse.Namespace, command: str, lost: NoController) -> None:
    if options.json:
        error = {"kind": "unavailable", "code": lost.code, "reason": str(lost)}
        print_json({"command": command, "ok": False, "error": error})


def _status_number(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"{text!r}: expected the number that a status has as 'at'")
    return int(text)


def _meant(role: str, command: str, rejected: RefusedByController) -> str:
    """What the person may have meant with a command that is none."""
    verb = first_word(command)
    if rejected.kind != "malformed" or not verb:
        return ""
    own, others = DEALERS, SUPERVISORS
    other = "supervisor"
    if role == other:
        own, others, other = others, own, "dealer"
    if verb not in own and verb in others:
        return f'\nthat is the {other}\'s: tablectl {other} "{command}"'
    if verb in own:
        return ""
    question = did_you_mean(verb, own)
    return f"; {question}" if question else ""


def _rejected(options: argparse.Namespace, command: str, rejected: RefusedByController) -> int:
    if options.json:
        error = {
            "kind": rejected.kind,
            "code": rejected.code,
            "reason": rejected.reason,
            "clause": rejected.clause,
            "permitted": rejected.permitted,
            "actions": rejected.actions,
            **rejected.now,
        }
        print_json({"command": command, "ok": False, "error": error})
    complain(f"{command}: {rejected}{_meant(options.verb, command, rejected)}")
    if rejected.permitted:
        complain(f"permitted now: {', '.join(rejected.permitted)}")
    return code_of(rejected)
