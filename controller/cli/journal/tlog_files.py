"""``journal prove ROUND --tlog FOLDER``: each entry of the round with a proof that strangers'
programs check (C2SP tlog-proof).

The rules:

- ``SEQ.entry`` has the bytes of the entry's leaf, its line of the export without the end.
  ``SEQ.entry.tlog-proof`` has its index, its audit path and the checkpoint, whose cosignatures are
  those of witnesses::

    c2sp.org/tlog-proof@v1
    index 41
    oKhUcEoBbpGyrk0/...=          from the leaf's sibling to the root's child; none of a log of one
                                  an empty line
    table-controller/0123456789abcdef
    ...                           the checkpoint

- ``SEQ.entry.spicy`` is the same without the first line: so earlier programs want it.
- Nothing is written where one of the files is there already.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.cli.exits import WRONG_USE, CommandFailed
from controller.cli.printed.new_files import check_new, write_new

HEADER: Final = "c2sp.org/tlog-proof@v1\n"


def write_tlog(
    folder: Path, entries: Sequence[Mapping[str, object]], checkpoint: str, *, spicy: bool
) -> list[Path]:
    """Write the files of these entries, as a proof of their round has them; their paths.

    Raises:
        CommandFailed: 2, one is there already or cannot be written.
    """
    files: dict[Path, str] = {}
    for entry in entries:
        path = folder / f"{entry['seq']}.entry"
        proof = _proof(entry, checkpoint)
        files[path] = b64decode(str(entry["leaf"])).decode("ascii")
        files[path.with_name(f"{path.name}.tlog-proof")] = HEADER + proof
        if spicy:
            files[path.with_name(f"{path.name}.spicy")] = proof
    for path in files:
        check_new(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandFailed(
            WRONG_USE, f"{folder} cannot be made: {cause_of(error, folder)}"
        ) from error
    for path, text in files.items():
        write_new(path, text)
    return list(files)


def _proof(entry: Mapping[str, object], checkpoint: str) -> str:
    path = entry["proof"]
    assert isinstance(path, list)
    hashes = "".join(f"{one}\n" for one in path)
    return f"index {entry['index']}\n{hashes}\n{checkpoint}"
