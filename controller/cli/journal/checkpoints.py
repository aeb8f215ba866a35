"""``journal checkpoint``: the newest signed checkpoint, which is small enough to be kept anywhere.

It is that of the last signed head, with the cosignatures of witnesses behind the signature. Where
that head has none the tree is still being made (exit 3).
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from controller.cli.exits import DONE
from controller.cli.journal import seals
from controller.cli.journal.opened import opened
from controller.cli.output import say, say_json
from controller.journal.reader import JournalReader

ITS_OWN: Final = 5
"""Lines of a checkpoint up to its own signature."""

if TYPE_CHECKING:
    from controller.cli.group import Group
    from controller.evidence.newest import Newest


def register(group: Group) -> None:
    """Add the command."""
    newest = group.command("checkpoint", _checkpoint, "The newest signed checkpoint, to be kept")
    newest.add_argument("--vkey", action="store_true", help="its verifier key instead")
    newest.add_argument("--qr", action="store_true", help="as a QR code as well")
    seals.add_options(newest)


def newest_of(options: argparse.Namespace, reader: JournalReader) -> Newest:
    """The newest checkpoint of that journal, by heads and keys that the options name."""
    from controller.evidence.newest import newest_checkpoint

    return newest_checkpoint(seals.heads_path(options), seals.trust(options, reader).keys)


def _checkpoint(options: argparse.Namespace) -> int:
    from controller.evidence.tree.checkpoint import vkey_of

    with opened(options) as reader:
        newest = newest_of(options, reader)
    vkey = vkey_of(newest.key)
    if options.json:
        say_json({"checkpoint": newest.text, "vkey": vkey, "size": newest.said.size})
    else:
        text = f"{vkey}\n" if options.vkey else newest.text
        say(text.removesuffix("\n"))
        if options.qr:  # without cosignatures: with some a camera does not read it any more
            say(as_qr("".join(text.splitlines(keepends=True)[:ITS_OWN])))
    return DONE


def as_qr(text: str) -> str:
    """The text as a QR code of half blocks, for a terminal or for paper."""
    from io import StringIO

    import segno

    out = StringIO()
    segno.make(text, error="m", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")
