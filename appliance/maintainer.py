"""Who answers for a package: whoever builds it, for the project has no address of its own.

``DEBFULLNAME`` and ``DEBEMAIL``, as Debian's own tools have it, else who made the commit that is
built, so that the same commit still gives the same bytes.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from appliance.places import ROOT, CannotBuild, run

STANDS_FOR_HIM: Final = "Whoever builds it <builder@localhost>"
"""What ``debian/control`` and ``debian/changelog`` have in his place."""
ADDRESS: Final = re.compile(r"[^<>@\s]+@[^<>@\s]+\.[^<>@\s.]+")
NOWHERE: Final = (".invalid", ".example", ".test", ".localhost", "example.com", "example.org")
"""Ends of addresses that nobody can have (RFC 2606)."""


def maintainer(environment: Mapping[str, str] = os.environ, checkout: Path = ROOT) -> str:
    """``NAME <ADDRESS>``.

    Raises:
        CannotBuild: only one of the two is given, or the address is none.
    """
    given = [environment.get(name, "") for name in ("DEBFULLNAME", "DEBEMAIL")]
    if any(given) and not all(given):
        raise CannotBuild("give both: DEBFULLNAME='Ann Tan' DEBEMAIL=ann@house.sg make deb")
    if not any(given):
        told = run("git", "log", "-1", "--format=%cn%n%ce", what="who made it", cwd=checkout)
        given = told.splitlines()[:2]
    name, address = given
    if not ADDRESS.fullmatch(address) or re.search(r"[<>\n]", name):
        raise CannotBuild(f"{name} <{address}> is no address: set DEBFULLNAME and DEBEMAIL")
    return f"{name} <{address}>"


def sign(tree: Path, who: str) -> None:
    """Write him into the source in ``tree``; a word to standard error where no mail would reach
    him.

    Raises:
        CannotBuild: the source names somebody else.
    """
    if who.rstrip(">").endswith(NOWHERE):
        print(
            f"deb: the package's maintainer is {who}, whom no mail reaches; in a house: "
            "DEBFULLNAME='Ann Tan' DEBEMAIL=ann@house.sg make deb",
            file=sys.stderr,
        )
    for name in ("control", "changelog"):
        file = tree / "debian" / name
        text = file.read_text(encoding="utf-8")
        if STANDS_FOR_HIM not in text:
            raise CannotBuild(f"debian/{name}: expected {STANDS_FOR_HIM!r} as the maintainer")
        file.write_text(text.replace(STANDS_FOR_HIM, who), encoding="utf-8")
