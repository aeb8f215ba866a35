"""``python -m appliance.bill WHEELS LOCK FILE``: the bill of materials, CycloneDX 1.5 as JSON.

A component for each wheel: name, version, package URL, licence as its metadata has it, and the
SHA-256 of the wheel, which is one that the LOCK names (our own wheel apart); within it, what it
holds besides Python: the libraries in other languages that its native files have in them. A wheel
that says it itself is believed (``*.dist-info/sboms``, CycloneDX, PEP 770); of the others it is
written down here. The same wheels give the same bytes: no serial number, and the time is
SOURCE_DATE_EPOCH's.

Raises ``SystemExit`` for a wheel whose hash the lock does not name, that tells no licence, or of
whose native files nothing is known.
"""

from __future__ import annotations

import email
import hashlib
import json
import os
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final


@dataclass(frozen=True, slots=True)
class BundledLibrary:
    """A library within a wheel. None: not known. ``sha256`` is that of its source where the wheel
    says so, of the native file where it is one of its own."""

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


def bundled_libraries(wheel: Path) -> list[BundledLibrary]:
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
            found = {
                one for name in told for one in _stated_libraries(json.loads(archive.read(name)))
            }
            found = {one for one in found if one.name != project}  # a bill names its subject, too
            apart = [name for name in native if ".libs/" in name and project in BUNDLED]
            found |= {_bundled(project, name, archive.read(name)) for name in apart}
        elif project in SAYS_NOTHING:
            library, licence = SAYS_NOTHING[project]
            [file] = native
            own = Path(file).name.startswith(library)
            found = {
                BundledLibrary(
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


def _bundled(project: str, name: str, data: bytes) -> BundledLibrary:
    library = Path(name).name.partition(".so")[0].rpartition("-")[0]
    if (licence := BUNDLED[project].get(library)) is None:
        sys.exit(f"{project}: what {name} is made of is not known: {__file__}")
    return BundledLibrary(library, None, licence, sha256=hashlib.sha256(data).hexdigest())


def _stated_libraries(bill: dict[str, Any]) -> Iterator[BundledLibrary]:
    for component in bill.get("components", []):
        hashes = {one["alg"]: one["content"] for one in component.get("hashes", [])}
        licences = [
            one.get("expression") or one["license"].get("id") or one["license"]["name"]
            for one in component.get("licenses", [])
        ]
        yield BundledLibrary(
            component["name"],
            component.get("version"),
            " AND ".join(licences) or LICENCES.get(component["name"]),
            component.get("purl"),
            hashes.get("SHA-256"),
        )


if TYPE_CHECKING:  # of the build's own environment, as are the imports within main
    from cyclonedx.model.component import Component

OURS = "table-controller"


def main(wheels: Path, lock: Path, to: Path) -> None:
    """Write it."""
    from cyclonedx.model import HashAlgorithm, HashType
    from cyclonedx.model.bom import Bom
    from cyclonedx.model.component import Component, ComponentType
    from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
    from cyclonedx.output.json import JsonV1Dot5
    from packageurl import PackageURL

    locked = lock.read_text(encoding="utf-8")
    bom = Bom()
    moment = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    bom.metadata.timestamp = datetime.fromtimestamp(moment, UTC)
    for wheel in sorted(wheels.glob("*.whl")):
        about = metadata(wheel)
        name, version = str(about["Name"]), str(about["Version"])
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        ours, told = name == OURS, licence(about, wheel.name)
        if not ours and f"sha256:{digest}" not in locked:
            sys.exit(f"{wheel.name}: its hash is not one that {lock} names")
        component = Component(
            name=name,
            version=version,
            type=ComponentType.APPLICATION if ours else ComponentType.LIBRARY,
            bom_ref=f"{name}=={version}",
            purl=PackageURL("pypi", name=name.lower().replace("_", "-"), version=version),
            licenses=[
                LicenseExpression(told)
                if about["License-Expression"]
                else DisjunctiveLicense(name=told)
            ],
            hashes=[] if ours else [HashType(alg=HashAlgorithm.SHA_256, content=digest)],
            components=[_inner(one, f"{name}=={version}") for one in bundled_libraries(wheel)],
        )
        if ours:
            bom.metadata.component = component
        else:
            bom.components.add(component)
    bom.register_dependency(bom.metadata.component, bom.components)
    # Which libraries the tool is made of would only tell about the tool.
    text = JsonV1Dot5(bom).output_as_string(indent=1)
    serial = f'"serialNumber": "{bom.serial_number.urn}",'
    to.parent.mkdir(parents=True, exist_ok=True)
    kept = [line for line in text.splitlines() if line.strip() != serial]
    to.write_text("\n".join(kept) + "\n", encoding="utf-8")


def _inner(library: BundledLibrary, of: str) -> Component:
    from cyclonedx.model import HashAlgorithm, HashType
    from cyclonedx.model.component import Component, ComponentType
    from cyclonedx.model.license import LicenseExpression
    from packageurl import PackageURL

    return Component(
        name=library.name,
        version=library.version,
        type=ComponentType.LIBRARY,
        bom_ref=f"{of}/{library.name}=={library.version or library.sha256}",
        purl=PackageURL.from_string(library.purl) if library.purl else None,
        licenses=[LicenseExpression(library.licence)] if library.licence else [],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=library.sha256)]
        if library.sha256
        else [],
    )


def metadata(wheel: Path) -> Message:
    """The METADATA of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        [name] = [one for one in archive.namelist() if one.endswith(".dist-info/METADATA")]
        return email.message_from_bytes(archive.read(name))


def licence(about: Message, wheel: str) -> str:
    """The licence that the metadata tells, in its words."""
    stated = about["License-Expression"]
    classified = [
        str(line).rpartition(" :: ")[2]
        for line in about.get_all("Classifier", [])
        if str(line).startswith("License :: ")
    ]
    free_text = str(about["License"] or "").strip().splitlines()[:1]
    for told in (stated, ", ".join(classified), *free_text):
        if told:
            return str(told)
    sys.exit(f"{wheel}: its metadata tells no licence")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
