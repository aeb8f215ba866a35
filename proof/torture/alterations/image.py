"""A table's journal and all that lies beside it: in memory, where it is altered, and as files."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from controller.configuration.model import Configuration
from controller.evidence.heads import beside
from controller.evidence.tree.checkpoint import vkey_of
from controller.evidence.tree.entries import TREE_FILE as TREE
from controller.evidence.trust import KEYS_FILE as VKEY
from controller.journal import schema
from controller.journal.reader import ARCHIVE
from proof.torture.alterations.ledger import DIGEST, SEQ, Key, Ledger, write_ledger

NIGHT: Final = "night.json"
MARK: Final = f"{schema.FILE_NAME}.recovered"
LOG_NAME: Final = f"{schema.FILE_NAME}-wal"


class Files(NamedTuple):
    """A journal's file and its log, as bytes."""

    file: bytes
    log: bytes


def read_files(state: Path) -> Files:
    """Those of the journal in that directory."""
    return Files((state / schema.FILE_NAME).read_bytes(), (state / LOG_NAME).read_bytes())


@dataclass(slots=True)
class Image:
    """The whole of a table's state. ``tree`` is the file of its nodes; ``heads`` are the lines of
    that file, None for no file; ``copy`` is the second copy, ``night`` the report's part about the
    journal. ``key`` is the private key in the state directory, ``vkeys`` the keys in the file
    beside the configuration, none for no file. ``closed`` are the files in the archive, by name,
    with their heads. ``devices`` is up to where events of each session were acknowledged.
    ``requested``: closing is asked for; ``mark``: words of a recovery. ``files``, where there are
    any, lie there instead of a journal made of values. ``true_key`` is the inspector's."""

    journal: Ledger
    tree: bytes
    heads: list[bytes] | None
    copy: Ledger | None
    night: dict[str, Any] | None
    key: Key
    vkeys: list[Key]
    true_key: Key
    closed: dict[str, tuple[Ledger, list[bytes]]] = field(default_factory=dict)
    devices: dict[str, tuple[int, int]] = field(default_factory=dict)
    requested: bool = False
    mark: str | None = None
    files: Files | None = None

    def copied(self) -> Image:
        """The same, to be altered."""
        closed = {name: (one.copied(), list(heads)) for name, (one, heads) in self.closed.items()}
        return replace(
            self,
            journal=self.journal.copied(),
            heads=None if self.heads is None else list(self.heads),
            copy=self.copy.copied() if self.copy else None,
            night=dict(self.night) if self.night else None,
            vkeys=list(self.vkeys),
            closed=closed,
            devices=dict(self.devices),
        )


Images = dict[str, Image]
"""The genuine ones, by the names of :mod:`~.material`."""


def write_files(image: Image, config: Configuration) -> None:
    """Have the files as the image has them, and no others."""
    state, copy = config.state_directory, config.copy
    assert copy is not None
    for folder in (state, copy):
        shutil.rmtree(folder, ignore_errors=True)
    state.mkdir()
    if image.files is None:
        write_ledger(image.journal, state / schema.FILE_NAME)
    else:
        (state / schema.FILE_NAME).write_bytes(image.files.file)
        if image.files.log:
            (state / LOG_NAME).write_bytes(image.files.log)
    (state / TREE).write_bytes(image.tree)
    if image.heads is not None:
        config.heads.write_bytes(b"".join(line + b"\n" for line in image.heads))
    config.key.touch(mode=0o600)
    config.key.write_text(image.key.text + "\n", encoding="ascii")
    vkeys = config.path.parent / VKEY
    vkeys.unlink(missing_ok=True)
    if image.vkeys:
        keys = "".join(f"{vkey_of(key.public)}\n" for key in image.vkeys)
        vkeys.write_text(keys, encoding="ascii")
    if image.requested:
        name = image.journal.identity.hex() + "\n"
        (state / "archive.request").write_text(name, encoding="ascii")
    if image.mark is not None:
        (state / MARK).write_text(image.mark, encoding="utf-8")
    if image.copy is not None:
        copy.mkdir()
        write_ledger(image.copy, copy / schema.FILE_NAME)
    for name, (ledger, heads) in image.closed.items():
        file = state / ARCHIVE / name
        file.parent.mkdir(exist_ok=True)
        write_ledger(ledger, file)
        file.chmod(0o440)
        beside(file).write_bytes(b"".join(line + b"\n" for line in heads))
    night = config.path.parent / NIGHT
    night.unlink(missing_ok=True)
    if image.night is not None:
        night.write_text(_report(image.night, state), encoding="utf-8")


def _report(last: dict[str, Any], state: Path) -> str:
    """That of a night that verified the journal so far."""
    at = "2026-11-21T05:00:00+00:00"
    report = {"format": 1, "table": "P12", "state": str(state), "began": at, "ended": at}
    report |= {"took_s": 1.0, "well": True, "well_at": at, "journal": last}
    report |= {"closed": [], "removed": [], "problems": []}
    return json.dumps(report)


def night_of(ledger: Ledger) -> dict[str, Any]:
    """What a night says that has verified all of it."""
    last, first = ledger.entries[-1], ledger.begins + 1
    told: dict[str, Any] = {"journal": ledger.identity.hex(), "bytes": 1, "first": first}
    told |= {"from": first, "to": last[SEQ], "digest": last[DIGEST].hex(), "findings": []}
    return told | {"whole": True, "whole_at": None}
