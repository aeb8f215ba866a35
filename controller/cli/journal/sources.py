"""The journal, its heads and the keys that the options name; and ``journal heads``.

The rules:

- Where the heads are is said by ``--heads``, else by the running controller; else they are looked
  for beside the journal that ``--state`` names.
- Which keys count is said by ``--key``, which may be given several times (a file, 64 hexadecimal
  digits, or a verifier key); else by the file of verifier keys beside the configuration: that of
  the controller that answers, of ``--config``, or, with ``--state`` alone, at the path that the
  last start record tells. With neither it is the journal's own word
  (:mod:`controller.evidence.trust`), and the exit status says so.
"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from controller.causes.finding import cause_of
from controller.causes.sqlite import of_content
from controller.causes.who_may import READ
from controller.cli.arguments import add_option
from controller.cli.connection import connect, started_with, state_directory
from controller.cli.group import Group
from controller.cli.output import DONE, complain, print_line, stream
from controller.evidence.examine import HEADS
from controller.evidence.trust import Trust, keys_beside, trusted
from controller.evidence.verification import Sealed, sealed_by, sealed_if_any
from controller.journal.errors import JournalError, NoJournal, NotAJournal
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.table.showing.status_fields import status_of

T = TypeVar("T")


@contextmanager
def opened(options: argparse.Namespace, *, may_be_stale: bool = False) -> Iterator[JournalReader]:
    """The journal that the options name; its errors end the command, and so does, at the end, a
    controller that was started on it meanwhile, unless the caller looks for that himself."""
    directory = state_directory(options)
    try:
        with JournalReader(directory) as reader:
            yield reader
            if reader.stale and not may_be_stale:
                raise NotDone(
                    NOT_WELL,
                    f"a controller was started on {reader.path} meanwhile: what was read may be "
                    "half old, repeat the command",
                )
    except NotAJournal as error:
        raise NotDone(NOT_WELL, str(error)) from error
    except sqlite3.DatabaseError as error:
        if not of_content(error):
            path = directory / FILE_NAME
            raise NotDone(
                NOT_WELL, f"{path} cannot be read: {cause_of(error, path, wants=READ)}"
            ) from error
        raise NotDone(
            NOT_WELL,
            f"the journal in {directory} is damaged ({error}); 'tablectl journal verify' says "
            "where",
        ) from error
    except JournalError as error:
        raise NotDone(WRONG_USE, str(error)) from error


def from_files(
    options: argparse.Namespace, read: Callable[[JournalReader], T], ask: Callable[[], T]
) -> T:
    """What is read of the journal's files; where this person may not, what the controller tells."""
    try:
        with opened(options) as reader:
            return read(reader)
    except NotDone as failed:
        named = options.state is not None or options.archive is not None
        if named or not isinstance(failed.__cause__, NoJournal):
            raise
    return ask()


def archives(options: argparse.Namespace) -> list[Path]:
    """The directory that ``--archive`` names, if it is given; raises ``NotDone`` where it is none,
    or may not be read."""
    archive: Path | None = options.archive
    if archive is None:
        return []
    try:
        if not archive.is_dir():
            raise NotDone(WRONG_USE, f"{archive} is no directory of archived journals")
        next(archive.iterdir(), None)
    except PermissionError as error:
        raise NotDone(NOT_PERMITTED, f"{archive} may not be read by this user: be root") from error
    return [archive]


def register(group: Group) -> None:
    """Add the command."""
    heads = group.command("heads", _heads, "The signed heads; --json: all of them, a line each")
    add_options(heads)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where heads and key are."""
    add_option(parser, "--heads FILE", "the signed heads")
    add_keys(parser)


def add_keys(parser: argparse.ArgumentParser) -> None:
    """The options that say which keys count."""
    add_option(
        parser,
        "--key FILE|KEY",
        "a key that counts: a file, 64 hexadecimal digits, or a verifier key; several times",
        action="append",
    )
    add_option(parser, "--config FILE", "the configuration, beside which the keys are")


def _heads(options: argparse.Namespace) -> int:
    with opened(options) as reader:
        _, sealed = signed(options, reader)
        if sealed is None:
            raise NotDone(NOT_WELL, f"there are no heads at {heads_path(options)}, or no key")
    for finding in sealed.findings:
        complain(str(finding))
    if options.json:
        for head in sealed.good.values():
            stream(head.line)
    elif sealed.last is not None:
        print_line(f"{len(sealed.good)} heads, the last one to be written down:")
        last = sealed.last
        print_line(f"  {last.short}  (signed {last.wall}, key {last.key[:16]})")
    else:
        print_line("no head of this journal")
    return DONE if sealed.last and not sealed.findings else NOT_WELL


def signed(options: argparse.Namespace, reader: JournalReader) -> tuple[Trust, Sealed | None]:
    """The keys that count for that journal, and its heads by them."""
    by = trust(options, reader)
    return by, read_sealed(options, reader, by)


def read_sealed(options: argparse.Namespace, reader: JournalReader, by: Trust) -> Sealed | None:
    """The heads of that journal; None where there are none and none were asked for."""
    path = heads_path(options)
    if options.heads is None:
        return sealed_if_any(by.keys, reader, path)
    if not by.keys:
        raise NotDone(WRONG_USE, "the journal names no key: give the controller's one with --key")
    return sealed_by(by.keys, reader, path)


def heads_path(options: argparse.Namespace) -> Path:
    """The file of the signed heads."""
    if getattr(options, "heads", None) is not None:
        return Path(options.heads)
    if options.state is not None:
        return Path(options.state) / HEADS
    with connect(options) as client:
        fields = status_of(client.status()).get("journal", {})
    return Path(str(fields.get("heads", HEADS)))


def trust(options: argparse.Namespace, reader: JournalReader) -> Trust:
    """The keys that count for that journal; raises ``NotDone`` where a key that is given, or the
    file, cannot be read."""
    config: Path | None = getattr(options, "config", None)
    by_itself = config is None and options.state is not None
    if not (options.key or config or by_itself):
        with connect(options) as client:
            config = started_with(client.status())
    file = keys_beside(config) if config else None
    return trusted(reader, options.key or (), file, by_itself=by_itself)
