"""What a wheel holds besides Python: the libraries in other languages that its native files have in
them, for the bill of materials.

A wheel that says it itself is believed (``*.dist-info/sboms``, CycloneDX, PEP 770); of the others
it is written down here. One with native files of which nothing is known ends the build.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Within:
    """Such a library. None: not known. ``sha256`` is that of its source where the wheel says so, of
    the native file where it is one of its own."""

    name: str
    version: str | None
    licence: str | None
    purl: str | None = None
    sha256: str | None = None


SAYS_NOTHING: Final = {
    # A file of its own, built from the release whose number the wheel has before its own.
    "libusb_package": ("libusb", "LGPL-2.1-or-later"),
    # Linked into _cffi_backend; the wheel tells no version.
    "cffi": ("libffi", "MIT"),
}
LICENCES: Final = {
    "cyrus-sasl-lib": "BSD-4-Clause-UC",
    "keyutils-libs": "LGPL-2.1-or-later",
    "libcom_err": "MIT",
    "openssl": "Apache-2.0",
}
"""Of what is named without one."""

BUNDLED: Final = {
    "psycopg_binary": {
        "libcom_err": "MIT",
        "libcrypt": "LGPL-2.1-or-later",
        "libcrypto": "Apache-2.0",
        "libgssapi_krb5": "MIT",
        "libk5crypto": "MIT",
        "libkeyutils": "LGPL-2.1-or-later",
        "libkrb5": "MIT",
        "libkrb5support": "MIT",
        "liblber": "OLDAP-2.8",
        "libldap": "OLDAP-2.8",
        "libpq": "PostgreSQL",
        "libsasl2": "BSD-4-Clause-UC",
        "libssl": "Apache-2.0",
    }
}
"""The files beside a wheel's own of which its bill tells a part alone: those that its builder had
as packages (auditwheel), and not those that he made himself."""


def within(wheel: Path) -> list[Within]:
    """Them, by name and version.

    Raises:
        SystemExit: it has native files, and nothing is known of what is in them.
    """
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        native = [name for name in names if name.endswith(".so") or ".so." in name]
        told = [name for name in names if ".dist-info/sboms/" in name and name.endswith(".json")]
        project, release = wheel.name.split("-")[:2]
        if told:
            found = {one for name in told for one in _told(json.loads(archive.read(name)))}
            found = {one for one in found if one.name != project}  # a bill names its subject, too
            apart = [name for name in native if ".libs/" in name and project in BUNDLED]
            found |= {_bundled(project, name, archive.read(name)) for name in apart}
        elif project in SAYS_NOTHING:
            library, licence = SAYS_NOTHING[project]
            [file] = native
            own = Path(file).name.startswith(library)
            found = {
                Within(
                    library,
                    ".".join(release.split(".")[:3]) if own else None,
                    licence,
                    sha256=hashlib.sha256(archive.read(file)).hexdigest() if own else None,
                )
            }
        elif native:
            sys.exit(f"{wheel.name}: what {', '.join(native)} is made of is not known: {__file__}")
        else:
            found = set()
    return sorted(found, key=lambda one: (one.name, one.version or "", one.sha256 or ""))


def _bundled(project: str, name: str, data: bytes) -> Within:
    library = Path(name).name.partition(".so")[0].rpartition("-")[0]
    if (licence := BUNDLED[project].get(library)) is None:
        sys.exit(f"{project}: what {name} is made of is not known: {__file__}")
    return Within(library, None, licence, sha256=hashlib.sha256(data).hexdigest())


def _told(bill: dict[str, Any]) -> Iterator[Within]:
    for component in bill.get("components", []):
        hashes = {one["alg"]: one["content"] for one in component.get("hashes", [])}
        licences = [
            one.get("expression") or one["license"].get("id") or one["license"]["name"]
            for one in component.get("licenses", [])
        ]
        yield Within(
            component["name"],
            component.get("version"),
            " AND ".join(licences) or LICENCES.get(component["name"]),
            component.get("purl"),
            hashes.get("SHA-256"),
        )
