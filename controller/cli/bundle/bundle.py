"""``bundle``: one archive for support, without secrets, from a running or a stopped table.

The rules:

- The archive holds what this command wrote down, never a file of the state directory: so no key
  gets in by accident. What is private all the same is looked for before anything is written.
- What cannot be read is named with the reason, and the rest is bundled: bundles are made for
  controllers with faults. ``MANIFEST.json`` lists every file with its size and SHA-256, what was
  left out on purpose, and what was not to be had.
- Names, order, owners and times within are fixed: the same facts give the same bytes.
- Nothing is overwritten, and half an archive is not left behind.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import hashlib
import io
import json
import re
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.causes.finding import cause_of
from controller.cli.bundle.parts import Parts
from controller.cli.exits import DONE, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.output import complain, say, say_json
from controller.regular_files import new_regular

if TYPE_CHECKING:
    from controller.cli.group import Group

TOP: Final = "bundle"
MANIFEST: Final = "MANIFEST.json"
FORMAT: Final = 1
ENTRIES: Final = 5000
MOST_ENTRIES: Final = 1_000_000
LEFT_OUT: Final = (
    "the controller's private key, and every other file of the state directory as such",
    "the journal's older entries ('tablectl journal export' has all of them)",
    "values in the configuration and the log that look like keys or passwords",
)


def register(top: Group) -> None:
    """Add the command."""
    parser = top.command("bundle", _bundle)
    parser.add_argument("--out", metavar="FILE", type=Path, help="(bundle-TABLE-ENTRY.tar.gz)")
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="the configuration (else the running table's, else the usual one)",
    )
    parser.add_argument(
        "--entries",
        metavar="N",
        type=_entries,
        default=ENTRIES,
        help="newest of the journal (5000)",
    )


def _entries(text: str) -> int:
    value = int(text[:12]) if text.isascii() and text.isdecimal() else -1
    if not 0 <= value <= MOST_ENTRIES:
        raise argparse.ArgumentTypeError(f"{text!r}: expected 0 to {MOST_ENTRIES}")
    return value


def _bundle(options: argparse.Namespace) -> int:
    if options.out is not None:
        _check_free(options.out)
    parts = Parts(options)
    parts.gather()
    out = options.out or Path(_name(parts))
    _check_free(out)
    secrets = parts.secrets()
    leaking = [name for name, content in parts.files.items() if secrets.are_in(content)]
    if leaking:
        raise CommandFailed(
            NOT_WELL,
            f"nothing was written: {', '.join(leaking)} would hold the controller's private key",
        )
    manifest = _manifest(parts)
    _write(out, {**parts.files, MANIFEST: _json(manifest)})
    for name, why in parts.missing.items():
        complain(f"not in it: {name}: {why}")
    if options.json:
        say_json({"file": str(out), **manifest})
    else:
        say(f"{out}: {len(parts.files)} files, {out.stat().st_size / 1e6:.1f} MB")
    return DONE


def _name(parts: Parts) -> str:
    table = re.sub(r"[^A-Za-z0-9_-]", "_", parts.table)[:64] or "table"
    return f"bundle-{table}-{parts.last_seq}.tar.gz"


def _check_free(out: Path) -> None:
    if out.exists() or out.is_symlink():
        raise CommandFailed(WRONG_USE, f"{out} is there already: name another file with --out")


def _manifest(parts: Parts) -> dict[str, object]:
    return {
        "bundle": FORMAT,
        "table": parts.table,
        "last_entry": parts.last_seq,
        "files": [
            {"name": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in sorted(parts.files.items())
        ],
        "left_out": list(LEFT_OUT),
        "missing": dict(sorted(parts.missing.items())),
    }


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode("ascii")


def _write(out: Path, files: Mapping[str, bytes]) -> None:
    """The archive; whatever goes wrong, no half of it stays."""
    try:
        with new_regular(out, 0o600) as file:  # what happened at a table is not everybody's
            try:
                with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                    _fill(packed, files)
            except BaseException:
                with contextlib.suppress(OSError):
                    out.unlink()
                raise
    except FileExistsError:
        raise CommandFailed(WRONG_USE, f"{out} is there already") from None
    except OSError as error:
        raise CommandFailed(NOT_WELL, f"{out} cannot be written: {cause_of(error, out)}") from error


def _fill(packed: gzip.GzipFile, files: Mapping[str, bytes]) -> None:
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in sorted(files.items()):
            member = tarfile.TarInfo(f"{TOP}/{name}")
            member.size, member.mode = len(content), 0o600
            archive.addfile(member, io.BytesIO(content))
