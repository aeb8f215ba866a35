"""The maintainer's table of rooms: every folder of the controller, in the order of its layers."""

from __future__ import annotations

import re

from pages import rooms
from pages.generated import ROOT


def test_every_folder_of_the_controller_has_a_row_with_its_purpose() -> None:
    inner, outer = "\n".join(rooms.controller_rooms()), "\n".join(rooms.other_folders())
    rows = dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", inner, re.MULTILINE))
    folders = {
        f"{file.parent.relative_to(ROOT / 'controller')}/"
        for file in (ROOT / "controller").glob("*/**/__init__.py")
    }
    assert {name for name in rows if name.endswith("/")} == folders
    assert all(len(what.split()) > 2 for what in rows.values())
    tops = [name.rstrip("/").removesuffix(".py") for name in rows if "/" not in name.rstrip("/")]
    assert tops == rooms.layers()
    assert "| `proof/torture/` |" in outer
    assert "``" not in inner + outer
