"""``python -m appliance.documents FOLDER``: the documentation as a package has it.

Every page and picture of ``docs``, and under ``repository/`` each file of the source that a page
links to, its own links alike, as on the site (:mod:`pages.site`): no link leads nowhere.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

from pages.site import folder_page, place_of, relinked

ROOT: Final = Path(__file__).resolve().parents[1]
NO_CACHE: Final = shutil.ignore_patterns("__pycache__")


def write(folder: Path, root: Path = ROOT) -> None:
    """Write them into ``folder``."""
    shutil.copytree(root / "docs", folder, dirs_exist_ok=True, ignore=NO_CACHE)
    waiting = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))

    def copy_linked(wanted: str) -> str:
        place = place_of(wanted, root)
        target = folder / place
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            if (root / wanted).is_dir():
                target.write_text(folder_page(wanted, root), encoding="utf-8")
            else:
                shutil.copyfile(root / wanted, target)
            if target.suffix == ".md":
                waiting.append(place)
        return place

    while waiting:
        page = waiting.pop(0)
        text = (folder / page).read_text(encoding="utf-8")
        (folder / page).write_text(relinked(text, page, root, copy_linked), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
