"""What the parsers of the programs say, as plain data for man pages, and a page of all of it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
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
from pages.generated import as_table, finder

GLOBAL: Final = ("socket", "json", "state")
"""Options of ``tablectl`` that stand before or behind every verb."""

Entry = tuple[str, str]
"""How an argument, option or line is written (``--by NAME``), and what it is for."""

_SOCKET: Final = (
    "/run/table-controller/control.sock",
    "the socket on which the controller answers",
)
_FILES: Final = (
    ("/etc/table-controller/table.toml", "the table's configuration"),
    _SOCKET,
    ("/var/lib/table-controller", "the state directory, with the journal"),
)
_FLOOR_FILES: Final = (
    (floor.CONFIG, "the floor's configuration: 'table-floor --help' shows one"),
    ("/etc/table-floor/tables/NAME.vkey", "the keys of a table, as its box has them"),
    ("/etc/table-floor/mirror.key", "the mirror's private key; witness.key beside it"),
)
_CONSOLE_FILES: Final = (
    (console.CONFIG, "the console's configuration: 'table-console --help' shows one"),
    ("/etc/table-console/weston.ini", "the displays of a screen on the box"),
    ("/etc/chromium/policies/managed/table-console.json", "what its browser may do"),
    ("/var/lib/table-console", "the multipliers that the sign remembers"),
)
_VARIABLE: Final = (
    "TABLE_CONTROLLER_SOCKET",
    "the controller's socket, where --socket is not given",
)
_ENVIRONMENT: Final = (_VARIABLE, ("NO_COLOR", "set to anything: no colours on a terminal"))


@dataclass(frozen=True, slots=True)
class Around:
    """What all commands of a program go by: what each exit status means, and the examples of a
    command by its name, which is empty for the program; ``everywhere`` are options that are not a
    command's own, but stand in front of every one."""

    exits: Mapping[int, str]
    examples: Callable[[str], tuple[Entry, ...]]
    everywhere: Collection[str] = ()
    environment: tuple[Entry, ...] = ()
    files: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """A command or a group of commands. ``synopsis`` are the words behind its name."""

    name: str
    about: str
    synopsis: tuple[str, ...]
    arguments: tuple[Entry, ...]
    options: tuple[Entry, ...]
    everywhere: tuple[Entry, ...]
    children: tuple[Command, ...]
    examples: tuple[Entry, ...]
    around: Around

    @property
    def page(self) -> str:
        """Its man page's name: that of the command with dashes."""
        return self.name.replace(" ", "-")

    def walk(self) -> Iterator[Command]:
        """It and those below it."""
        yield self
        for child in self.children:
            yield from child.walk()


@cache
def programs() -> Mapping[str, Command]:
    """The programs by their names, each with every command below it."""
    known = (
        (commands, Around(output.MEANING, examples_of, GLOBAL, _ENVIRONMENT, _FILES)),
        (daemon, Around(daemon.MEANING, lambda _: daemon.EXAMPLES, GLOBAL, (), _FILES)),
        (
            exporters,
            Around(
                *(exporter.MEANING, lambda _: exporters.EXAMPLES, (), (_VARIABLE,)),
                files=(*exporters.FILES, _SOCKET),
            ),
        ),
        (
            witness,
            Around(
                *(witness.MEANING, lambda _: witness.EXAMPLES, (), witness.ENVIRONMENT),
                files=_FILES[:2],
            ),
        ),
        (console, Around(console.MEANING, lambda _: console.EXAMPLES, files=_CONSOLE_FILES)),
        (
            floor,
            Around(
                floor.MEANING,
                lambda verb: floor.COMMANDS[verb].examples if verb else floor.EXAMPLES,
                files=_FLOOR_FILES,
            ),
        ),
        (figures, Around(figures.MEANING, lambda verb: figures.COMMANDS[verb or "edge"].examples)),
    )
    made = (_command_of(module.build(), "", around) for module, around in known)
    return {command.name: command for command in made}


def _command_of(parser: argparse.ArgumentParser, name: str, around: Around) -> Command:
    actions = parser._actions
    below = [action for action in actions if isinstance(action, argparse._SubParsersAction)]
    children = [
        _command_of(child, f"{name} {word}".strip(), around)
        for action in below
        for word, child in action.choices.items()
    ]
    own = [
        action
        for action in actions
        if action not in below and action.dest not in (*around.everywhere, "help")
    ]
    shared = [
        action
        for action in actions
        if action.dest in around.everywhere
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
        around.examples(name),
        around,
    )


def _entry(parser: argparse.ArgumentParser, action: argparse.Action) -> Entry:
    about = parser._get_formatter()._expand_help(action) if action.help else ""
    written = ", ".join(f"{each}{_value(action)}" for each in action.option_strings)
    return written or _value(action).strip(), about


def _value(action: argparse.Action) -> str:
    """What stands behind an option, or instead of an argument; with a space before it."""
    if action.nargs == 0:
        return ""
    choices = "|".join(map(str, action.choices)) if action.choices is not None else ""
    words = action.metavar or choices or action.dest.upper()
    return f" {words if isinstance(words, str) else ' '.join(words)}"


def _synopsis(parser: argparse.ArgumentParser, own: list[argparse.Action]) -> Iterator[str]:
    """Options, then arguments; in brackets what may be left out, ``|`` between those of which only
    one may be given."""
    groups = {
        action: group
        for group in parser._mutually_exclusive_groups
        for action in group._group_actions
    }
    told: set[argparse.Action] = set()
    for action in sorted(own, key=lambda action: not action.option_strings):
        group = groups.get(action)
        rivals = group._group_actions if group else [action]
        if action not in told:
            words = " | ".join(map(_word, rivals))
            optional = action.nargs == "*" or not (group or action).required
            yield f"[{words}]" if optional else words
        told |= {*rivals}


def _word(action: argparse.Action) -> str:
    word = f"{action.option_strings[0] if action.option_strings else ''}{_value(action)}".strip()
    return f"{word} ..." if action.nargs in ("+", "*") else word


def sections() -> Iterator[str]:
    """What finds a command, and a section for each command of every program."""
    yield from finder("what it does", _command_rows())
    yield from (line for one in programs().values() for line in _program(one))


def _command_rows() -> Iterator[tuple[str, list[Entry]]]:
    """A program with its commands; each of those of ``tablectl`` with its own."""
    for top in programs().values():
        groups = [(top, ()), *((one, one.children) for one in top.children)]
        for one, below in groups if top.everywhere else [(top, top.children)]:
            yield one.about, [(f"`{each.name}`", each.page) for each in (one, *below)]


def _program(top: Command) -> Iterator[str]:
    """It with its commands; those of ``tablectl`` have headings of the first level."""
    first = (top, *top.children) if top.everywhere else (top,)
    for command in top.walk():
        yield from _described(command, "##" if command in first else "###")
        if command is not top:
            continue
        if top.everywhere:
            yield from ("", "Global options stand before the first word of a command or behind it:")
            yield from _table("option", top.everywhere)
        exits = ((str(code), about) for code, about in top.around.exits.items())
        yield from ("", "It ends with:", *_table("status", exits))
        if top.around.environment:
            yield from _table("variable", top.around.environment)


def _described(command: Command, level: str) -> Iterator[str]:
    yield from ("", f"{level} `{command.name}`", "", f"{command.about}.", "")
    yield from ("```text", " ".join([command.name, *command.synopsis]), "```")
    if entries := [*command.arguments, *command.options]:
        yield from _table("", entries)
    if command.children:
        yield ""
        yield from (f"- [`{one.name}`](#{one.page}): {one.about}" for one in command.children)
    else:
        yield from ("", "Examples:", "", "```sh")
        yield from (f"{line}  # {about}" for line, about in command.examples)
        yield "```"


def _table(heading: str, entries: Iterable[Entry]) -> Iterable[str]:
    return ("", *as_table((heading, ""), ((f"`{written}`", about) for written, about in entries)))
