"""``make torchwood``: other people's witness and proof programs, for the tests.

- ``litewitness``, ``witnessctl`` and ``spicy-torchwood`` are in Debian's next release, and run on
  the promised ones. The package is fetched by apt, which verifies it, and unpacked to
  ``build/torchwood``; nothing is installed.
- Debian is where this machine has it from. A mirror that is frozen has a Release that counts as
  expired; it is signed all the same.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from appliance.chroot import mirror
from hil_tests.benches.vm.places import ROOT, CannotBuild, made, run

SUITE: Final = "forky"
PACKAGE: Final = "torchwood"
FOLDER: Final = ROOT / "build" / PACKAGE
PROGRAMS: Final = FOLDER / "usr" / "bin"


def _fetch(folder: Path) -> None:
    apt = folder / "apt"
    for place in ("lists/partial", "cache/archives/partial"):
        (apt / place).mkdir(parents=True)
    (apt / "sources.list").write_text(f"deb {mirror()} {SUITE} main\n", encoding="utf-8")
    settings = {
        "Dir::Etc::sourcelist": apt / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::lists": apt / "lists",
        "Dir::Cache": apt / "cache",
        "Acquire::Check-Valid-Until": "false",
        "Acquire::Languages": "none",
        "Acquire::Retries": "5",
        "APT::Sandbox::User": "root",
    }
    options = [f"--option={name}={value}" for name, value in settings.items()]
    run("apt-get", *options, "update", "--error-on=any", what=f"Debian {SUITE}")
    run("apt-get", *options, "download", PACKAGE, what=f"{PACKAGE} of Debian {SUITE}", cwd=apt)
    package = next(apt.glob(f"{PACKAGE}_*.deb"))
    run("dpkg-deb", "--extract", package, folder, what=PACKAGE)
    run("rm", "-r", apt, what=PACKAGE)


def main() -> int:
    """Have them; 1 with the reason where that is not possible."""
    try:
        made(FOLDER, _fetch, instead=PACKAGE)
    except CannotBuild as error:
        print(f"torchwood: {error}", file=sys.stderr)
        return 1
    print(f"torchwood: {PROGRAMS} has litewitness, witnessctl and spicy-torchwood")
    return 0


if __name__ == "__main__":
    sys.exit(main())
