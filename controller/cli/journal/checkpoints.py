"""``journal checkpoint``: the newest signed checkpoint, which is small enough to be kept anywhere.

It is that of the last signed head, with the cosignatures of witnesses behind the signature. Where
that head has none the tree is still being made (exit 3).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.journal import sealing
from controller.cli.journal.opened import opened
from controller.cli.journal.trust import trust
from controller.cli.output import say, say_json
from controller.journal.reader import JournalReader

ITS_OWN: Final = 5
"""Lines of a checkpoint up to its own signature."""

if TYPE_CHECKING:
    from controller.cli.group import Group
    from controller.evidence.seals.cosignatures import Kept
    from controller.evidence.tree.checkpoint import Checkpoint
    from controller.journal.keys import PublicKey


def register(group: Group) -> None:
    """Add the command."""
    newest = group.command("checkpoint", _checkpoint, "The newest signed checkpoint, to be kept")
    newest.add_argument("--vkey", action="store_true", help="its verifier key instead")
    newest.add_argument("--qr", action="store_true", help="as a QR code as well")
    sealing.add_options(newest)


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest checkpoint: its ``text``, what that says, and the key that signed it; ``kept`` are
    all cosignatures that there are."""

    text: str
    said: Checkpoint
    key: PublicKey
    keys: Sequence[PublicKey]
    kept: Sequence[Kept] = ()

    def best_for(self, need: int) -> Newest:
        """The one for ``need`` entries or more that most witnesses have cosigned, the newest of
        those: where one is silent, a proof by an earlier checkpoint is worth more."""
        from controller.evidence.seals.cosignatures import cosigned
        from controller.evidence.tree.checkpoint import BadCheckpoint, read_checkpoint

        best = self
        for one in self.kept:
            text = cosigned(one.checkpoint, self.kept)
            try:
                said = read_checkpoint(text, [self.key])
            except BadCheckpoint:  # of a key before this one
                continue
            better = (text.count("\n"), said.size) > (best.text.count("\n"), best.said.size)
            if better and need <= said.size <= self.said.size:
                best = replace(self, text=text, said=said)
        return best


def newest_checkpoint(options: argparse.Namespace, reader: JournalReader) -> Newest:
    """The checkpoint of the last signed head, with the cosignatures of it that there are.

    Raises:
        CommandFailed: 3 where it has none yet, 1 where there is no good head.
    """
    from controller.evidence.seals.cosignatures import beside_heads, cosigned, read_kept
    from controller.evidence.seals.heads import last_head
    from controller.evidence.tree.checkpoint import BadCheckpoint, name_of, read_checkpoint

    path, keys = sealing.heads_path(options), trust(options, reader).keys
    try:
        newest = last_head(path, keys)
        head = last_head(path, keys, with_checkpoint=True)
        kept = read_kept(beside_heads(path))
    except OSError as error:
        where = Path(error.filename or path)
        raise CommandFailed(
            WRONG_USE, f"{where} cannot be read: {cause_of(error, where, wants=READ)}"
        ) from error
    if newest is None:
        raise CommandFailed(NOT_WELL, f"there is no good head of this journal at {path}")
    if head is None:
        raise CommandFailed(
            NOT_PERMITTED,
            f"no head up to entry {newest.seq} has a checkpoint: the tree over the journal is "
            "still being made, beside play; 'tablectl status --json' says how far it is (upkeep)",
        )
    try:
        said = read_checkpoint(head.checkpoint, list(keys))
    except BadCheckpoint as bad:
        raise CommandFailed(NOT_WELL, f"the checkpoint of the last head {bad}") from bad
    key = next(key for key in keys if name_of(key) == said.origin)
    return Newest(cosigned(head.checkpoint, kept), said, key, keys, kept)


def _checkpoint(options: argparse.Namespace) -> int:
    from controller.evidence.tree.checkpoint import vkey_of

    with opened(options) as reader:
        newest = newest_checkpoint(options, reader)
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
