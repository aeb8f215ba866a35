"""``journal checkpoint``: the newest signed checkpoint, which is small enough to be kept anywhere;
and ``journal witness``: what each witness has cosigned last, and what it answered.

The newest is that of the last signed head, with the cosignatures of witnesses behind the signature.
Where that head has none the tree is still being made (exit 3).
"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypedDict

from controller.cli.connection import connect
from controller.cli.exits import DONE, NOT_WELL, NotDone
from controller.cli.group import Group, add_flag
from controller.cli.journal import seals
from controller.cli.journal.opened import opened
from controller.cli.output import complain, print_answer, print_json, print_line
from controller.forms.json_values import checked
from controller.journal.reader import JournalReader
from controller.plain_text import columns
from controller.sheets.codes import ITS_OWN

if TYPE_CHECKING:
    from controller.evidence.newest import Newest
    from controller.journal.keys import PublicKey


class ToldWitness(TypedDict):
    """A witness, as the status has it; times in seconds since 1970."""

    name: str
    required: bool
    size: int | None
    time: int | None
    answer: str | None
    answered: int | None


def register(group: Group) -> None:
    """Add the command."""
    newest = group.command("checkpoint", _checkpoint, "The newest signed checkpoint, to be kept")
    add_flag(newest, "--vkey", "its verifier key instead")
    add_flag(newest, "--qr", "as a QR code as well")
    seals.add_options(newest)
    group.command("witness", _witness, "What each witness cosigned last, and what it answered")


def newest_of(options: argparse.Namespace, reader: JournalReader) -> Newest:
    """The newest checkpoint of that journal, by heads and keys that the options name."""
    from controller.evidence.newest import newest_checkpoint

    return newest_checkpoint(seals.heads_path(options), seals.trust(options, reader).keys)


def _checkpoint(options: argparse.Namespace) -> int:
    from controller.evidence.tree.checkpoint import vkey_of

    with opened(options) as reader:
        if options.vkey and not options.json:
            text = f"{vkey_of(_signs_now(options, reader))}\n"
        else:
            newest = newest_of(options, reader)
            text = newest.text
    if options.json:
        vkey = vkey_of(newest.key)
        print_json({"checkpoint": newest.text, "vkey": vkey, "size": newest.said.size})
    else:
        print_line(text.removesuffix("\n"))
        if options.qr:
            from controller.sheets.qr import as_blocks

            # Without cosignatures: with some a camera does not read it any more.
            print_line(as_blocks("".join(text.splitlines(keepends=True)[:ITS_OWN])))
    return DONE


def _signs_now(options: argparse.Namespace, reader: JournalReader) -> PublicKey:
    """The key that the last start record names: also where no head is signed yet, and where that
    key is not among those that count, for its line is to be written down then. Where nobody but the
    journal says that it counts, that is said.

    Raises:
        NotDone: the journal names none.
    """
    from controller.evidence.trust import named_keys

    known = seals.trust(options, reader)
    named = next((key for key, _ in named_keys(reader)), None)
    if named is None:
        raise NotDone(NOT_WELL, f"{reader.path} names no key that signs it")
    if known.of_the_journal or named not in known.keys:
        complain("this key is the journal's own word: compare it with what was written down")
    return named


def _witness(options: argparse.Namespace) -> int:
    with connect(options) as client:
        journal = checked(dict[str, object], client.status().get("journal"), "journal")
    told = checked(list[ToldWitness], journal.get("witnesses", []), "witnesses")
    rows = columns([("witness", "entries", "cosigned", "it answered"), *map(_row, told)])
    none = "the configuration names no witness ([[witness]]) and no floor ([floor])"
    print_answer(options, {"witnesses": told}, [rows if told else none])
    return DONE


def _row(one: ToldWitness) -> tuple[str, str, str, str]:
    size = "none" if one["size"] is None else str(one["size"])
    answer = "nothing was told since the start"
    if one["answer"] is not None:
        answer = f"{one['answer']} ({_time(one['answered'])})"
    return (
        f"{one['name']}{' (required)' if one['required'] else ''}",
        size,
        _time(one["time"]),
        answer,
    )


def _time(seconds: int | None) -> str:
    if seconds is None:
        return "-"
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
