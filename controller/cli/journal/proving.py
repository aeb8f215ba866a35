"""``journal prove``: one round, or that a checkpoint was extended, without the whole journal.

How is said by :mod:`controller.evidence.proof`. What is written is there whole or not at all, and
the file that it goes to must not be there. ``--tlog`` writes the entries with a proof each, in the
form that other programs check; nothing is written where one of the files is there already.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from controller.causes.finding import cause_of
from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.journal import seals
from controller.cli.journal.checkpoints import newest_of
from controller.cli.journal.opened import archives, opened
from controller.cli.output import complain, say, say_json
from controller.files.new_files import check_new, write_new
from controller.json_values import checked

if TYPE_CHECKING:
    from controller.cli.group import Group


def register(group: Group) -> None:
    """Add the command."""
    prove = group.command(
        "prove", _prove, "A proof of one round, or that an earlier checkpoint was extended"
    )
    what = prove.add_mutually_exclusive_group(required=True)
    what.add_argument("round", metavar="ROUND", nargs="?", help="the number of a round, or 'last'")
    what.add_argument(
        "--from",
        dest="earlier",
        metavar="FILE",
        type=Path,
        help="an earlier checkpoint, or the proof of a round",
    )
    prove.add_argument(
        "--to",
        dest="later",
        metavar="FILE",
        type=Path,
        help="with --from: likewise, instead of the newest checkpoint",
    )
    prove.add_argument("--out", metavar="FILE", type=Path, help="where the proof goes")
    prove.add_argument(
        "--tlog",
        metavar="FOLDER",
        type=Path,
        help="into this folder, each entry of the round with its proof in C2SP's form",
    )
    prove.add_argument(
        "--spicy", action="store_true", help="with --tlog: also as spicy-torchwood reads it"
    )
    prove.add_argument(
        "--archive", metavar="DIR", type=Path, help="where the archived journals are"
    )
    seals.add_options(prove)


def _prove(options: argparse.Namespace) -> int:
    from controller.evidence.proof import Prover
    from controller.journal.line import older

    _check_use(options)
    if options.out is not None:
        check_new(options.out)
    named = archives(options)
    with opened(options) as reader, older(reader, *named) as (before, broken):
        if broken and named and not before:
            raise CommandFailed(NOT_PERMITTED, broken)
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
        raise CommandFailed(WRONG_USE, "--to has a use only with --from")
    if options.earlier is not None and options.tlog is not None:
        raise CommandFailed(WRONG_USE, "--tlog has a use only with a round")
    if options.spicy and options.tlog is None:
        raise CommandFailed(WRONG_USE, "--spicy has a use only with --tlog")
    if options.earlier is None and options.out is None and options.tlog is None:
        raise CommandFailed(
            WRONG_USE,
            "name the file that the proof goes to, --out FILE, or a folder, --tlog FOLDER",
        )


def _hand_out(options: argparse.Namespace, told: dict[str, object]) -> None:
    if options.tlog is not None:
        fields = _write_tlog(options, told)
        if options.out is None:
            if options.json:
                say_json(fields)
            else:
                say(f"{options.tlog}: {fields['entries']} entries in {fields['files']} files")
            return
    text = json.dumps(told)
    if options.out is None:
        say(text)
        return
    write_new(options.out, text + "\n")
    entries = told.get("entries")
    fields = {
        "file": str(options.out),
        "bytes": len(text) + 1,
        "entries": len(entries) if isinstance(entries, list) else None,
    }
    if options.json:
        say_json(fields)
    else:
        what = f"{fields['entries']} entries" if fields["entries"] else "the extension"
        say(f"{options.out}: the proof of {what}, {fields['bytes']} bytes")
        check = f"python3 verify_journal.py --proof {options.out} --key KEY"
        say(f"whoever has it checks it with: {check}")


def _write_tlog(options: argparse.Namespace, told: dict[str, object]) -> dict[str, object]:
    """Write the entries with a proof each; what is said of them."""
    from controller.evidence.tree.proving import tlog_of

    entries = checked(list[dict[str, object]], told["entries"])
    folder, proofs = options.tlog, tlog_of(entries, str(told["checkpoint"]), spicy=options.spicy)
    for name in proofs:
        check_new(folder / name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandFailed(
            WRONG_USE, f"{folder} cannot be made: {cause_of(error, folder)}"
        ) from error
    for name, text in proofs.items():
        write_new(folder / name, text)
    return {"folder": str(folder), "entries": len(entries), "files": len(proofs)}
