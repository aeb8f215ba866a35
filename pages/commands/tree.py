"""What the parsers of the programs say, as plain data for whoever writes it down."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from console import main as console
from controller.cli import commands, output
from controller.cli.group import examples_of
from controller.daemon import main as daemon
from controller.witness import main as witness
from exporter import main as exporter
from exporter import options as exporters
from figures.program import main as figures
from floor import main as floor

GLOBAL: Final = ("socket", "json", "state")
"""Options of ``tablectl`` that stand before or behind every verb."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An argument or option: how it is written (``--by NAME``), and what it is for."""

    written: str
    about: str


_SOCKET: Final = Entry(
    "/run/table-controller/control.sock", "the socket on which the controller answers"
)
_FILES: Final = (
    Entry("/etc/table-controller/table.toml", "the table's configuration"),
    _SOCKET,
    Entry("/var/lib/table-controller", "the state directory, with the journal"),
)
_VARIABLE: Final = Entry(
    "TABLE_CONTROLLER_SOCKET", "the controller's socket, where --socket is not given"
)
_ENVIRONMENT: Final = (_VARIABLE, Entry("NO_COLOR", "set to anything: no colours on a terminal"))


@dataclass(frozen=True, slots=True)
class Command:
    """A command or a group of commands. ``synopsis`` are the words behind its name, ``exits`` what
    each exit status means, ``environment`` and ``files`` what else it goes by."""

    name: str
    about: str
    synopsis: tuple[str, ...]
    arguments: tuple[Entry, ...]
    options: tuple[Entry, ...]
    everywhere: tuple[Entry, ...]
    children: tuple[Command, ...]
    examples: tuple[tuple[str, str], ...]
    exits: Mapping[int, str]
    environment: tuple[Entry, ...] = _ENVIRONMENT
    files: tuple[Entry, ...] = _FILES

    @property
    def page(self) -> str:
        """Its man page's name: that of the command with dashes."""
        return self.name.replace(" ", "-")

    def walk(self) -> Iterator[Command]:
        """It and those below it."""
        yield self
        for child in self.children:
            yield from child.walk()


def tablectl() -> Command:
    """The technician's program with every command below it."""
    return command_of(commands.build(), "", output.MEANING)


def table_controller() -> Command:
    """The daemon's program."""
    made = command_of(daemon.build(), "", daemon.MEANING)
    return replace(made, examples=daemon.EXAMPLES, environment=())


def table_controller_witness() -> Command:
    """The program that speaks to witnesses."""
    return replace(
        command_of(witness.build(), "", witness.MEANING, everywhere=()),
        examples=witness.EXAMPLES,
        environment=tuple(Entry(name, about) for name, about in witness.ENVIRONMENT),
        files=_FILES[:2],
    )


def table_controller_exporter() -> Command:
    """The exporter's program."""
    files = [Entry(path, about) for path, about in exporters.FILES]
    return replace(
        command_of(exporters.build(), "", exporter.MEANING, everywhere=()),
        examples=exporters.EXAMPLES,
        environment=(_VARIABLE,),
        files=(*files, _SOCKET),
    )


def table_figures() -> Command:
    """The program that tells what the games return, with every verb below it."""

    def examples(verb: str) -> tuple[tuple[str, str], ...]:
        return figures.COMMANDS[verb or "edge"].examples

    return _of_its_own(command_of(figures.build(), "", figures.MEANING, (), examples))


def _of_its_own(command: Command) -> Command:
    children = tuple(map(_of_its_own, command.children))
    return replace(command, children=children, environment=(), files=())


_FLOOR_FILES: Final = (
    Entry(floor.CONFIG, "the floor's configuration: 'table-floor --help' shows one"),
    Entry("/etc/table-floor/tables/NAME.vkey", "the keys of a table, as its box has them"),
    Entry("/etc/table-floor/mirror.key", "the mirror's private key; witness.key beside it"),
)


def table_floor() -> Command:
    """The program of a house's server, with every verb below it."""

    def examples(verb: str) -> tuple[tuple[str, str], ...]:
        return floor.COMMANDS[verb].examples if verb else floor.EXAMPLES

    return _of_a_server(command_of(floor.build(), "", floor.MEANING, (), examples))


def _of_a_server(command: Command) -> Command:
    children = tuple(_of_a_server(child) for child in command.children)
    return replace(command, children=children, environment=(), files=_FLOOR_FILES)


_CONSOLE_FILES: Final = (
    Entry(console.CONFIG, "the console's configuration: 'table-console --help' shows one"),
    Entry("/etc/table-console/weston.ini", "the displays of a screen on the box"),
    Entry("/etc/chromium/policies/managed/table-console.json", "what its browser may do"),
    Entry("/var/lib/table-console", "the multipliers that the sign remembers"),
)


def table_console() -> Command:
    """The program of a table's screens."""
    made = command_of(console.build(), "", console.MEANING, ())
    return replace(made, examples=console.EXAMPLES, environment=(), files=_CONSOLE_FILES)


def command_of(
    parser: argparse.ArgumentParser,
    name: str,
    codes: Mapping[int, str],
    everywhere: Collection[str] = GLOBAL,
    examples: Callable[[str], tuple[tuple[str, str], ...]] = examples_of,
) -> Command:
    """What a parser says, and those below it. ``everywhere``: options that are not its own, but
    stand in front of every command. ``examples`` gives those of a command by its name, which is
    empty for the program."""
    actions = parser._actions
    below = [action for action in actions if isinstance(action, argparse._SubParsersAction)]
    children = [
        command_of(child, f"{name} {word}".strip(), codes, everywhere, examples)
        for action in below
        for word, child in action.choices.items()
    ]
    own = [
        action
        for action in actions
        if action not in below and action.dest not in (*everywhere, "help")
    ]
    shared = [
        action
        for action in actions
        if action.dest in everywhere
        and (action.dest != "state" or not name or name in commands.WITH_STATE)
    ]
    return Command(
        parser.prog,
        (parser.description or "").rstrip("."),
        (*_synopsis(parser, own), *("COMMAND" for _ in below)),
        tuple(_entry(parser, action) for action in own if not action.option_strings),
        tuple(_entry(parser, action) for action in own if action.option_strings),
        tuple(_entry(parser, action) for action in shared),
        tuple(children),
        examples(name),
        codes,
    )


def _entry(parser: argparse.ArgumentParser, action: argparse.Action) -> Entry:
    about = parser._get_formatter()._expand_help(action) if action.help else ""
    written = ", ".join(f"{each}{_value(action)}" for each in action.option_strings)
    return Entry(written or _value(action).strip(), about)


def _value(action: argparse.Action) -> str:
    """What stands behind an option, or instead of an argument; with a space before it."""
    if action.nargs == 0:
        return ""
    choices = "|".join(map(str, action.choices)) if action.choices is not None else ""
    return f" {action.metavar or choices or action.dest.upper()}"


def _synopsis(parser: argparse.ArgumentParser, own: list[argparse.Action]) -> Iterator[str]:
    """Options, then arguments; in brackets what may be left out, ``|`` between those of which only
    one may be given."""
    told: set[str] = set()
    ordered = sorted(own, key=lambda action: not action.option_strings)
    for action in ordered:
        if action.dest in told:
            continue
        rivals = next(
            (
                group._group_actions
                for group in parser._mutually_exclusive_groups
                if action in group._group_actions
            ),
            [action],
        )
        told |= {rival.dest for rival in rivals}
        words = " | ".join(_word(rival) for rival in rivals)
        needed = action.required if rivals == [action] else _needed(parser, action)
        yield words if needed else f"[{words}]"


def _needed(parser: argparse.ArgumentParser, action: argparse.Action) -> bool:
    return any(
        group.required
        for group in parser._mutually_exclusive_groups
        if action in group._group_actions
    )


def _word(action: argparse.Action) -> str:
    word = f"{action.option_strings[0] if action.option_strings else ''}{_value(action)}".strip()
    return f"{word} ..." if action.nargs in ("+", "*") else word
