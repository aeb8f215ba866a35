"""Which keys count: whose word it is that a signature is the controller's.

``--key``, which may be given several times (a file, 64 hexadecimal digits, or a verifier key); else
the file of verifier keys beside the configuration: that of the controller that answers, of
``--config``, or, with ``--state`` alone, at the path that the last start record tells. With neither
the journal's own word is all there is: then nothing is verified by it, and the exit status says so.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.cli.connection import connect, status_of
from controller.cli.exits import WRONG_USE, CommandFailed
from controller.cli.output import say
from controller.evidence.seals.recorded import recorded_heads
from controller.journal.reader import JournalReader

if TYPE_CHECKING:
    from controller.configuration.model import Configuration
    from controller.journal.keys import PublicKey

GIVEN, JOURNAL = "given", "journal"
OWN_WORD: Final = "key: the journal's own word"


@dataclass(frozen=True, slots=True)
class Trust:
    """The ``keys`` that count, the oldest first; ``by`` says whose word that is: :data:`GIVEN`, the
    path of a file, or :data:`JOURNAL`."""

    keys: Sequence[PublicKey]
    by: str
    named_by_it: bool = False
    """Whether the journal itself names the file; on another machine it could name any."""

    @property
    def of_the_journal(self) -> bool:
        """Whether only the journal itself says so."""
        return self.by == JOURNAL

    def tell(self) -> None:
        """Say whose word it is."""
        said = ", a file that the journal names" if self.named_by_it else ""
        say(OWN_WORD if self.of_the_journal else f"key: {self.by}{said}")


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


def trust(options: argparse.Namespace, reader: JournalReader) -> Trust:
    """The keys that count for that journal.

    Raises:
        CommandFailed: a key that is given, or the file, cannot be read.
    """
    from controller.cli.journal.sealing import told
    from controller.evidence.seals.known_keys import key_of, read_keys
    from controller.journal.keys import BadKey

    try:
        if options.key:
            found: list[PublicKey] = []
            for given in options.key:
                path = Path(given)
                found += read_keys(path) if path.is_file() else [key_of(given)]
            return Trust(list(dict.fromkeys(found)), GIVEN)
        file = _file(options, reader)
        if file is not None:
            named = options.state is not None and getattr(options, "config", None) is None
            return Trust(read_keys(file), str(file), named_by_it=named)
    except FileNotFoundError:
        pass
    except (BadKey, OSError, ValueError) as error:
        what = "--key: " if options.key else ""
        raise CommandFailed(WRONG_USE, f"{what}{error}") from error
    return Trust(list(dict.fromkeys(key for key, _ in told(reader))), JOURNAL)


def keys_of(config: Configuration | None, reader: JournalReader) -> Trust:
    """The same by a configuration alone; the journal's own word where there is no file beside it,
    or none that can be read."""
    from controller.cli.journal.sealing import told
    from controller.evidence.seals.known_keys import beside, read_keys
    from controller.journal.keys import BadKey

    if config is not None:
        with contextlib.suppress(BadKey, OSError):
            return Trust(read_keys(beside(config.path)), str(beside(config.path)))
    return Trust(list(dict.fromkeys(key for key, _ in told(reader))), JOURNAL)


def _file(options: argparse.Namespace, reader: JournalReader) -> Path | None:
    """The file of verifier keys; None where nobody says which."""
    from controller.evidence.seals.known_keys import beside

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
