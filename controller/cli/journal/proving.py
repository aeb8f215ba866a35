"""``journal prove``: one round, or that a checkpoint was extended, without the whole journal.

How is said by :mod:`controller.evidence.proof`. What is written is there whole or not at all, and
the file that it goes to must not be there. ``--tlog`` writes the entries with a proof each, in the
form that other programs check; nothing is written where one of the files is there already.
"""

from __future__ import annotations

import argparse
import json

from controller.causes.finding import cause_of
from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.cli.group import Group, add_flag, add_path
from controller.cli.journal import seals
from controller.cli.journal.checkpoints import newest_of
from controller.cli.journal.opened import archives, opened
from controller.cli.output import complain, print_answer, print_line
from controller.files.new_files import check_new, write_new
from controller.forms.json_values import checked


def register(group: Group) -> None:
    """Add the command."""
    prove = group.command(
        "prove", _prove, "A proof of one round, or that an earlier checkpoint was extended"
    )
    what = prove.add_mutually_exclusive_group(required=True)
    what.add_argument("round", metavar="ROUND", nargs="?", help="the number of a round, or 'last'")
    add_path(
        what, "--from", "FILE", "an earlier checkpoint, or the proof of a round", dest="earlier"
    )
    add_path(
        prove,
        "--to",
        "FILE",
        "with --from: likewise, instead of the newest checkpoint",
        dest="later",
    )
    add_path(prove, "--out", "FILE", "where the proof goes")
    add_path(
        prove,
        "--tlog",
        "FOLDER",
        "into this folder, each entry of the round with its proof in C2SP's form",
    )
    add_flag(prove, "--spicy", "with --tlog: also as spicy-torchwood reads it")
    add_path(prove, "--archive", "DIR", "where the archived journals are")
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
    """Write the entries with a proof each; what is said of them."""
    from controller.evidence.tree.proving import tlog_of

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
