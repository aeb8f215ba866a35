"""The commands of ``tablectl`` put together for argparse: of each module that a command line may
need, so that the others are not imported. That took most of the time of a short command.

``completion`` is the text by which a shell completes ``tablectl``, with the values known now:
``eval "$(tablectl completion bash)"``, likewise for zsh; for fish ``tablectl completion fish |
source``. The shell then asks ``tablectl`` itself (argcomplete), which builds all of its commands
and says what may come next.
"""

from __future__ import annotations

import argparse
from collections.abc import Container, Sequence
from importlib import import_module
from itertools import groupby
from typing import Any, Final

from controller.cli.arguments import add_option
from controller.cli.group import Group, Parser, add_global, first_word
from controller.cli.output import DONE, print_line
from controller.not_done import WRONG_USE, NotDone

COMMANDS: Final = (
    ("table.status", "status", "Table, round and state, what is awaited, every device's link"),
    ("live.watch", "watch", "The table live on a full screen; to a pipe, a stream"),
    ("table.counters", "counters", "Rounds, money, draws, voids: counted at the table"),
    ("shifts", "shift", "Reports on shifts and gaming days"),
    ("table.dealer", "dealer", 'What the dealer does: "open", "stand 1" …'),
    ("table.dealer", "supervisor", 'What only a supervisor may: "resume", "void", "card 9D" …'),
    ("round", "round", "Rounds written down, and rounds that were played"),
    ("rules", "rules", "The rule sets"),
    ("draw", "draw", "The games multiplier"),
    ("devices.devices", "devices", "Links, identities, who is on a port"),
    ("setup", "setup", "Commissioning: devices found, configuration and names of ports written"),
    ("setup", "config", "The configuration, before a table is started with it"),
    ("table.faults", "faults", "What a fault means and what to do; without one, all"),
    ("journal.commands", "journal", "What happened at the table"),
    ("nightly", "nightly", "What is done by night: the journal verified, closed ones taken away"),
    ("table.people", "people", "Who is known by PIN: dealers, supervisors, technicians"),
    ("simulate", "simulate", "Many rounds through the same engine: returns, house edge"),
    ("bundle", "bundle", "One archive for support, without secrets"),
    ("bundle", "program", "Name, version and digests of the program, here and running"),
    ("ready", "ready", "The report before opening: ready, or what is missing"),
    ("simulated", "demo", "A whole table without hardware"),
    ("simulated", "twin", "What a person does to a simulated device (demo --stay)"),
    ("commands", "completion", "Have a shell complete commands and values"),
)
"""Modules of :mod:`controller.cli`, verbs, and what these are about, in the order of the help. A
module's ``register`` adds its own."""

MODULES: Final = {
    f"controller.cli.{module}": [verb for _, verb, _ in rows]
    for module, rows in groupby(COMMANDS, lambda row: row[0])
}
ABOUTS: Final = {verb: about for _, verb, about in COMMANDS}
VERBS: Final = frozenset(ABOUTS)

WITH_STATE: Final = {
    *("bundle", "counters", "draw show", "round show", "shift report"),
    *("journal archive", "journal checkpoint", "journal export", "journal find", "journal heads"),
    *("journal key", "journal prove", "journal recover", "journal stats", "journal verify"),
}
"""Commands that read a journal, also a stopped table's."""

SHELLS: Final = ("bash", "zsh", "fish")

DIGITS: Final = 12
"""Of the digest in hexadecimal, as in the HELLO of a device; ``tablectl program`` has all."""


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The options; ``SystemExit`` 2 with the usage when they are wrong."""
    parser = build({first_word(argv)})
    options = parser.parse_args(argv, argparse.Namespace(socket=None, json=False, state=None))
    if options.state is not None and options.full_name not in WITH_STATE:
        parser.error(f"--state: {options.full_name} reads no journal")
    return options


def build(verbs: Container[str] = VERBS) -> argparse.ArgumentParser:
    """The parser of these verbs, and of others in their modules; of the rest it knows name and
    subject."""
    parser = Parser(
        prog="tablectl", description="Looks after a Pontoon table's controller.", allow_abbrev=False
    )
    parser.add_argument(
        "--version", action=Version, help="version and digest of this program, no controller needed"
    )
    add_global(parser)
    top = Group(parser, abouts=ABOUTS)
    for module, own in MODULES.items():
        if any(verb in verbs for verb in own):
            import_module(module).register(top)
        else:
            top.names(own)
    return parser


def register(top: Group) -> None:
    """Add the command."""
    completion = top.command("completion", _completion)
    add_option(completion, "shell", "which one reads it", choices=SHELLS)


def _completion(options: argparse.Namespace) -> int:
    try:
        from argcomplete.shell_integration import shellcode
    except ImportError as error:
        raise NotDone(WRONG_USE, "completion needs the extra 'cli' of the package") from error
    print_line(shellcode(["tablectl"], shell=options.shell).rstrip("\n"))
    return DONE


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer the shell that asks, and end the process; nothing where the library is missing."""
    try:
        import argcomplete
    except ImportError:
        return
    argcomplete.autocomplete(parser)


class Version(argparse.Action):
    """``--version``: one line, without a controller; it ends the command."""

    def __init__(self, option_strings: Sequence[str], dest: str, **more: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **more)

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """See :class:`argparse.Action`."""
        from controller.program import this_program

        program = this_program()
        print_line(f"tablectl {program.version} ({program.digest[:DIGITS]})")
        parser.exit(0)
