"""``journal checkpoint``: the newest signed checkpoint, which is small enough to be kept anywhere;
and ``journal witness``: what each witness has cosigned last, and what it answered.

The newest is that of the last signed head, with the cosignatures of witnesses behind the signature.
Where that head has none the tree is still being made (exit 3).

``journal prove`` has one round, or that a checkpoint was extended, without the whole journal. What
is proven is written whole or not at all, and the file that it goes to must not be there.
``--tlog`` writes the entries with a proof each, in the form that other programs check; nothing is
written where one of the files is there already.
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from typing import TypedDict

from controller.causes.finding import cause_of
from controller.cli.arguments import add_option
from controller.cli.connection import connect
from controller.cli.group import Group
from controller.cli.journal import sources
from controller.cli.journal.sources import archives, opened
from controller.cli.output import DONE, complain, print_answer, print_json, print_line
from controller.evidence.proof import Newest, Prover, newest_checkpoint
from controller.evidence.tree.checkpoint import vkey_of
from controller.evidence.tree.proving import tlog_of
from controller.evidence.trust import named_keys
from controller.files.new_files import check_new, write_new
from controller.forms.json_values import checked
from controller.journal.keys import PublicKey
from controller.journal.reader import JournalReader, older
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.plain_text import columns
from controller.sheets.codes import as_blocks
from controller.sheets.round_code import ITS_OWN


def _prove(options: argparse.Namespace) -> int:
    _check_use(options)
    if options.out is not None:
        check_new(options.out)
    named = archives(options)
    with opened(options) as reader, older(reader, *named) as (before, broken):
        if broken and named and not before:
            raise NotDone(NOT_PERMITTED, broken)
        newest = newest_of(options, reader)
        prover = Prover([*before, reader], newest, options.archive is not None, complain)
        if options.earlier is None:
            told = prover.round(options.round)
        else:
            told = prover.extension(options.earlier, options.later)
    _hand_out(options, told)
    if not (doubted := prover.doubted(told)):
        return DONE
    complain(
        f"a start has found that nobody vouches for the entries up to {doubted}: whoever verifies "
        "this is told so"
    )
    return NOT_WELL


def _check_use(options: argparse.Namespace) -> None:
    if options.later is not None and options.earlier is None:
        raise NotDone(WRONG_USE, "--to has a use only with --from")
    if options.earlier is not None and options.tlog is not None:
        raise NotDone(WRONG_USE, "--tlog has a use only with a round")
    if options.spicy and options.tlog is None:
        raise NotDone(WRONG_USE, "--spicy has a use only with --tlog")
    if options.earlier is None and options.out is None and options.tlog is None:
        raise NotDone(
            WRONG_USE,
            "name the file that the proof goes to, --out FILE, or a folder, --tlog FOLDER",
        )


def _hand_out(options: argparse.Namespace, told: dict[str, object]) -> None:
    if options.tlog is not None:
        written = _write_tlog(options, told)
        if options.out is None:
            said = f"{options.tlog}: {written['entries']} entries in {written['files']} files"
            print_answer(options, written, [said])
            return
    text = json.dumps(told)
    if options.out is None:
        print_line(text)
        return
    write_new(options.out, text + "\n")
    entries = told.get("entries")
    count = len(entries) if isinstance(entries, list) else None
    what = f"{count} entries" if count else "the extension"
    check = f"python3 verify_journal.py --proof {options.out} --key KEY"
    print_answer(
        options,
        {"file": str(options.out), "bytes": len(text) + 1, "entries": count},
        [
            f"{options.out}: the proof of {what}, {len(text) + 1} bytes",
            f"whoever has it checks it with: {check}",
        ],
    )


def _write_tlog(options: argparse.Namespace, told: dict[str, object]) -> dict[str, object]:
    entries = checked(list[dict[str, object]], told["entries"])
    folder, proofs = options.tlog, tlog_of(entries, str(told["checkpoint"]), spicy=options.spicy)
    for name in proofs:
        check_new(folder / name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotDone(WRONG_USE, f"{folder} cannot be made: {cause_of(error, folder)}") from error
    for name, text in proofs.items():
        write_new(folder / name, text)
    return {"folder": str(folder), "entries": len(entries), "files": len(proofs)}


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
    add_option(newest, "--vkey", "its verifier key instead")
    add_option(newest, "--qr", "as a QR code as well")
    sources.add_options(newest)
    group.command("witness", _witness, "What each witness cosigned last, and what it answered")
    prove = group.command(
        "prove", _prove, "A proof of one round, or that an earlier checkpoint was extended"
    )
    what = prove.add_mutually_exclusive_group(required=True)
    add_option(what, "round ROUND", "the number of a round, or 'last'", nargs="?")
    add_option(
        what, "--from FILE", "an earlier checkpoint, or the proof of a round", dest="earlier"
    )
    add_option(
        prove, "--to FILE", "with --from: likewise, instead of the newest checkpoint", dest="later"
    )
    add_option(prove, "--out FILE", "where the proof goes")
    add_option(
        prove,
        "--tlog FOLDER",
        "into this folder, each entry of the round with its proof in C2SP's form",
    )
    add_option(prove, "--spicy", "with --tlog: also as spicy-torchwood reads it")
    add_option(prove, "--archive DIR", "where the archived journals are")
    sources.add_options(prove)


def newest_of(options: argparse.Namespace, reader: JournalReader) -> Newest:
    """The newest checkpoint of that journal, by heads and keys that the options name."""
    return newest_checkpoint(sources.heads_path(options), sources.trust(options, reader).keys)


def _checkpoint(options: argparse.Namespace) -> int:
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
            # Without cosignatures: with some a camera does not read it any more.
            print_line(as_blocks("".join(text.splitlines(keepends=True)[:ITS_OWN])))
    return DONE


def _signs_now(options: argparse.Namespace, reader: JournalReader) -> PublicKey:
    """The key that the last start record names: also where no head is signed yet, and where that
    key is not among those that count, for its line is to be written down then. Where nobody but the
    journal says that it counts, that is said."""
    known = sources.trust(options, reader)
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
