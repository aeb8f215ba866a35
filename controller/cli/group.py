"""How a module registers its commands with argparse, each with the global options.

How each command is used is read from ``examples.toml`` when it is shown."""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from controller.cli.arguments import did_you_mean
from controller.plain_text import columns
from controller.regular_files import read_whole


@cache
def examples() -> Mapping[str, Mapping[str, str]]:
    """By the command's name without ``tablectl``: lines to be typed, with what they are for."""
    return tomllib.loads(read_whole(Path(__file__).with_name("examples.toml")).decode("utf-8"))


def examples_of(name: str) -> tuple[tuple[str, str], ...]:
    """A command's examples; a group's are the first of each of its commands. Empty: none."""
    every = examples()
    if name in every:
        return tuple(every[name].items())
    below = (found for known, found in every.items() if known.startswith(f"{name} "))
    return tuple(next(iter(found.items())) for found in below)


def epilog(name: str) -> Iterator[str]:
    """The lines that ``--help`` has below the options; none where there is no example."""
    if found := examples_of(name):
        yield from ("", "examples:")
    for line, about in found:
        yield f"  {line}"
        yield f"      {about}"


Command = Callable[[argparse.Namespace], int]

_NO_CHOICE = re.compile(r"invalid choice: '(?P<given>.*?)' \(choose from (?P<known>.*)\)")
"""What argparse says of a name that it does not know."""
_MISSING = "the following arguments are required: COMMAND"
"""What argparse says where none of several commands is named."""


class Parser(argparse.ArgumentParser):
    """Names the nearest of mistyped names, all where none is named, and a command's examples."""

    commands: Collection[str] = ()
    """Of a group: one of these is to follow."""
    known: Callable[[], Iterable[str]] = tuple
    """Lines to tell which commands there are, where one has to be named and none is."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse does, but where a command is to follow, ``--`` is none: by its release
        Python drops it, takes it for one or hands it on."""
        if self.commands and args is not None and first_word(args) == "--":
            known = ", ".join(map(repr, self.commands))
            self.error(f"argument COMMAND: invalid choice: '--' (choose from {known})")
        return super().parse_known_args(args, namespace)

    def format_help(self) -> str:
        """The help with the command's examples below it."""

        shown = super().format_help().rstrip("\n")
        return "\n".join([shown, *epilog(self.prog.partition(" ")[2]), ""])

    def error(self, message: str) -> NoReturn:
        """End with 2 and the message; a name that is not known first, and the one that is near.
        Where none is named, with all that there are."""
        if message == _MISSING and (lines := list(self.known())):
            self.exit(2, "\n".join([f"{self.prog}: say which command:", *lines, ""]))
        if found := _NO_CHOICE.search(message):
            given, known = found["given"], re.findall(r"[\w.:-]+", found["known"])
            if question := did_you_mean(given, known):
                there_are = ", ".join(known)
                self.exit(2, f"{self.prog}: there is no {given!r}; {question} ({there_are})\n")
        super().error(message)


class Group:
    """Registers commands under one parser, each with the global options. ``abouts`` says of the
    commands of the outermost group what they are about."""

    def __init__(
        self, parser: Parser, path: str = "", abouts: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self._abouts = abouts
        self._commands = parser.add_subparsers(
            parser_class=Parser,
            dest="verb" if not path else "command",
            metavar="COMMAND",
            required=True,
        )
        self._told: dict[str, str] = {}
        parser.commands = self._commands.choices
        parser.known = lambda: columns(self._told.items()).splitlines()
        self._path = path

    def command(self, name: str, run: Command | None, about: str = "") -> Parser:
        """A command that calls ``run``; its own options are the caller's to add."""
        about = self._told[name] = about or self._abouts[name]
        parser = self._commands.add_parser(name, help=about, description=about, allow_abbrev=False)
        add_global(parser)
        if run is not None:
            parser.set_defaults(run=run, full_name=f"{self._path} {name}".strip())
        return parser

    def names(self, names: Iterable[str]) -> None:
        """Commands of which no more than name and what they are about is needed."""
        for name in names:
            self._told[name] = self._abouts[name]
            self._commands.add_parser(name, help=self._abouts[name])

    def group(self, name: str, about: str = "") -> Group:
        """A group of commands."""
        return Group(self.command(name, None, about), name)


def add_global(parser: argparse.ArgumentParser) -> None:
    """The global options. They are left out of the result unless given, so that one given before
    the verb is not undone behind it."""
    parser.add_argument(
        "--socket",
        metavar="PATH",
        default=argparse.SUPPRESS,
        help="the controller's socket (else TABLE_CONTROLLER_SOCKET, else its usual place)",
    )
    parser.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="report in JSON"
    )
    parser.add_argument(
        "--state",
        metavar="DIR",
        default=argparse.SUPPRESS,
        help="what reads a journal: read that of this state directory (also a stopped table's)",
    )


def first_word(argv: Sequence[str]) -> str:
    """The word behind the global options; empty where there is none."""
    words = iter(argv)
    for word in words:
        if word in ("--socket", "--state"):
            next(words, None)
        elif word != "--json" and not word.startswith(("--socket=", "--state=")):
            return word
    return ""
