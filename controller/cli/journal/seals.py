"""``journal heads``, and where options say that heads and keys are.

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
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.connection import connect, status_of
from controller.cli.exits import DONE, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.journal.opened import opened
from controller.cli.output import complain, say, stream

if TYPE_CHECKING:
    from controller.cli.group import Group
    from controller.evidence.trust import Trust
    from controller.evidence.verification import Sealed
    from controller.journal.keys import PublicKey
    from controller.journal.reader import JournalReader


def register(group: Group) -> None:
    """Add the command."""
    heads = group.command("heads", _heads, "The signed heads; --json: all of them, a line each")
    add_options(heads)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where heads and key are."""
    parser.add_argument("--heads", metavar="FILE", type=Path, help="the signed heads")
    add_keys(parser)


def add_keys(parser: argparse.ArgumentParser) -> None:
    """The options that say which keys count."""
    parser.add_argument(
        "--key",
        metavar="FILE|KEY",
        action="append",
        help="a key that counts: a file, 64 hexadecimal digits, or a verifier key; several times",
    )
    parser.add_argument(
        "--config", metavar="FILE", type=Path, help="the configuration, beside which the keys are"
    )


def _heads(options: argparse.Namespace) -> int:
    with opened(options) as reader:
        sealed = read_sealed(options, reader, trust(options, reader))
        if sealed is None:
            raise CommandFailed(NOT_WELL, f"there are no heads at {heads_path(options)}, or no key")
    for finding in sealed.findings:
        complain(str(finding))
    if options.json:
        for head in sealed.good.values():
            stream(head.line)
    elif sealed.last is not None:
        say(f"{len(sealed.good)} heads, the last one to be written down:")
        last = sealed.last
        say(f"  {last.short}  (signed {last.wall}, key {last.key[:16]})")
    else:
        say("no head of this journal")
    return DONE if sealed.last and not sealed.findings else NOT_WELL


def read_sealed(options: argparse.Namespace, reader: JournalReader, by: Trust) -> Sealed | None:
    """The heads of that journal; None where there are none and none were asked for."""
    from controller.evidence.verification import sealed_by

    path = heads_path(options)
    if options.heads is None and not path.exists():
        return None
    if not by.keys:
        if options.heads is None:
            return None
        raise CommandFailed(
            WRONG_USE, "the journal names no key: give the controller's one with --key"
        )
    return sealed_by(by.keys, reader, path)


def heads_path(options: argparse.Namespace) -> Path:
    """The file of the signed heads."""
    from controller.evidence.dossier import HEADS

    if getattr(options, "heads", None) is not None:
        return Path(options.heads)
    if options.state is not None:
        return Path(options.state) / HEADS
    with connect(options) as client:
        fields = status_of(client.status()).get("journal", {})
    return Path(str(fields.get("heads", HEADS)))


def trust(options: argparse.Namespace, reader: JournalReader) -> Trust:
    """The keys that count for that journal.

    Raises:
        CommandFailed: a key that is given, or the file, cannot be read.
    """
    from controller.evidence.seals.known_keys import key_of, read_keys
    from controller.evidence.trust import GIVEN, Trust, own_word
    from controller.journal.keys import BadKey

    try:
        if options.key:
            found: list[PublicKey] = []
            for given in options.key:
                path = Path(given)
                found += read_keys(path) if path.is_file() else [key_of(given)]
            return Trust(list(dict.fromkeys(found)), GIVEN)
        file = _file(options, reader)
        if file is not None and file.stat().st_size:  # empty: a shell is about to write it
            named = options.state is not None and getattr(options, "config", None) is None
            return Trust(read_keys(file), str(file), named_by_it=named)
    except FileNotFoundError:
        pass
    except (BadKey, OSError, ValueError) as error:
        what = "--key: " if options.key else ""
        raise CommandFailed(WRONG_USE, f"{what}{error}") from error
    return own_word(reader)


def _file(options: argparse.Namespace, reader: JournalReader) -> Path | None:
    """The file of verifier keys; None where nobody says which."""
    from controller.evidence.seals.known_keys import beside
    from controller.evidence.seals.recorded import recorded_heads

    if getattr(options, "config", None) is not None:
        return beside(Path(options.config))
    if options.state is None:
        with connect(options) as client:
            told = status_of(client.status()).get("configuration")
        path = told.get("path") if isinstance(told, Mapping) else None
        return beside(Path(path)) if isinstance(path, str) else None
    _, recorded = recorded_heads(reader)
    path = recorded.get("vkey") if recorded else None
    return Path(path) if isinstance(path, str) else None
