"""One archive for support, without secrets, from a running or a stopped table.

The rules:

- The archive holds what is written down for it, never a file of the state directory: so no key
  gets in by accident. What is private all the same is looked for before anything is written.
- What cannot be read is named with the reason, and the rest is bundled: bundles are made for
  controllers with faults. ``MANIFEST.json`` lists every file with its size and SHA-256, what was
  left out on purpose, and what was not to be had.
- Names, order, owners and times within are fixed: the same facts give the same bytes.
- Nothing is overwritten, and half an archive is not left behind.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import re
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.forms.json_values import JsonObject
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import new_regular
from controller.support.parts import Parts, as_text

TOP: Final = "bundle"
MANIFEST: Final = "MANIFEST.json"
FORMAT: Final = 1
LEFT_OUT: Final = (
    "the controller's private key, and every other file of the state directory as such",
    "the journal's older entries ('tablectl journal export' has all of them)",
    "values in the configuration and the log that look like keys or passwords",
)


def bundled(parts: Parts, out: Path | None) -> tuple[Path, JsonObject]:
    """Gather all parts that are to be had, and write the archive ``out`` (None: named after the
    table); its path and its manifest. Raises ``NotDone``: 2, that is there already; 1, it cannot be
    written, or would hold the key."""
    if out is not None:
        _check_free(out)
    parts.gather()
    table = re.sub(r"[^A-Za-z0-9_-]", "_", parts.table)[:64] or "table"
    out = out or Path(f"bundle-{table}-{parts.last_seq}.tar.gz")
    _check_free(out)
    secrets = parts.secrets()
    leaking = [name for name, content in parts.files.items() if secrets.are_in(content)]
    if leaking:
        raise NotDone(
            NOT_WELL,
            f"nothing was written: {', '.join(leaking)} would hold the controller's private key",
        )
    manifest = _manifest(parts)
    _write(out, {**parts.files, MANIFEST: as_text(manifest)})
    return out, manifest


def _check_free(out: Path) -> None:
    if out.exists() or out.is_symlink():
        raise NotDone(WRONG_USE, f"{out} is there already: name another file with --out")


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
        raise NotDone(WRONG_USE, f"{out} is there already") from None
    except OSError as error:
        raise NotDone(NOT_WELL, f"{out} cannot be written: {cause_of(error, out)}") from error


def _fill(packed: gzip.GzipFile, files: Mapping[str, bytes]) -> None:
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in sorted(files.items()):
            member = tarfile.TarInfo(f"{TOP}/{name}")
            member.size, member.mode = len(content), 0o600
            archive.addfile(member, io.BytesIO(content))
