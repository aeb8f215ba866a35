"""``python -m appliance.venv WHEELS PLACE ROOT``: a venv at PLACE below ROOT, made of the wheels.

- It is made where it will not stay: PLACE (an absolute path, as on the box) is what its programs
  name, ROOT what it is written below. So a package is built without writing outside its folder.
- No pip in it, no scripts to activate it: nothing on a box installs anything into it.
- Each library gets its ``RECORD`` with the hash of every file, from the library ``installer``.
- The interpreter is the release's own, by its version: ``/usr/bin/python3.11``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

PYTHON: Final = f"python{sys.version_info[0]}.{sys.version_info[1]}"
SETTINGS: Final = """\
home = /usr/bin
include-system-site-packages = false
version = {version}
executable = /usr/bin/{python}
"""


def main(wheels: Path, place: Path, root: Path) -> None:
    """Make it."""
    here = root / place.relative_to("/")
    make_venv(here)
    for wheel in sorted(wheels.glob("*.whl")):
        install(wheel, place, root)


def make_venv(here: Path) -> None:
    """An empty venv in the folder ``here``."""
    (here / "bin").mkdir(parents=True)
    (here / "lib" / PYTHON / "site-packages").mkdir(parents=True)
    for name, target in ((PYTHON, f"/usr/bin/{PYTHON}"), ("python3", PYTHON), ("python", PYTHON)):
        (here / "bin" / name).symlink_to(target)
    version = ".".join(map(str, sys.version_info[:2]))
    text = SETTINGS.format(version=version, python=PYTHON)
    (here / "pyvenv.cfg").write_text(text, encoding="ascii")


def install(wheel: Path, place: Path, root: Path) -> None:
    """Put the files of ``wheel`` into the venv, with a RECORD of them."""
    import installer
    from installer.destinations import SchemeDictionaryDestination
    from installer.sources import WheelFile

    site = str(place / "lib" / PYTHON / "site-packages")
    scheme = {
        "purelib": site,
        "platlib": site,
        "scripts": str(place / "bin"),
        "data": str(place),
        "headers": str(place / "include"),
    }
    destination = SchemeDictionaryDestination(
        scheme, interpreter=str(place / "bin" / "python"), script_kind="posix", destdir=str(root)
    )
    with WheelFile.open(wheel) as source:
        source.validate_record()
        installer.install(source, destination, {"INSTALLER": b"table-controller\n"})


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
