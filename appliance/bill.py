"""``python -m appliance.bill WHEELS LOCK FILE``: the bill of materials, CycloneDX 1.5 as JSON.

A component for each wheel: name, version, package URL, licence as its metadata has it, and the
SHA-256 of the wheel, which is one that the LOCK names (our own wheel apart); within it, what it
holds of other languages (:mod:`appliance.within`). The same wheels give the same bytes: no serial
number, and the time is SOURCE_DATE_EPOCH's.

Raises ``SystemExit`` for a wheel whose hash the lock does not name, that tells no licence, or of
whose native files nothing is known.
"""

from __future__ import annotations

import email
import hashlib
import os
import sys
import zipfile
from datetime import UTC, datetime
from email.message import Message
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.within import Within, within

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
            components=[_inner(one, f"{name}=={version}") for one in within(wheel)],
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


def _inner(library: Within, of: str) -> Component:
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
