"""Write ``docs/requirements.md``: ``python -m pages.requirements.describe``.

With ``--check`` nothing is written, and it fails on drift, on a row that nothing accounts for, and
on a file, module or test that is named and not there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from pages.generated import ROOT
from pages.requirements.rows import FILE, Row, Rows, RowsError, complaints, read_rows

PAGE = Path("docs/requirements.md")
MODULE = "pages.requirements.describe"
MISSING = "Missing:"
"""Behind it a note says what of a row is not met."""


def page(rows: Rows) -> str:
    """The page."""
    outside = sum(bool(row.outside) for row in rows.rows)
    parts = sum(MISSING in row.note for row in rows.rows if not row.outside)
    lines = [
        "# What regulators ask, and what carries it",
        "",
        f"Written by `python -m {MODULE}` out of `{FILE}`; do not edit. The demands are in our own",
        "words, a checklist and no claim of certification: read the source before quoting one.",
        "",
        f"{len(rows.rows)} rows: {len(rows.rows) - outside} are carried by the controller and",
        f"shown by tests, {outside} lie outside it, with the reason. Of those that are carried,",
        f"{parts} are not met in every part; what is not stands behind *{MISSING}*",
    ]
    for family, title in rows.families.items():
        mine = [row for row in rows.rows if row.family == family]
        lines += ["", f"## {family}: {title}", ""]
        lines += ["| row | demand | carried by | shown by |", "| --- | --- | --- | --- |"]
        lines += [_line(row) for row in mine]
    return "\n".join(lines) + "\n"


def _line(row: Row) -> str:
    demand = f"{row.demand} <br>*{row.source}*"
    carried = [f"`{name}`" for name in row.carried_by]
    if row.outside:
        carried.insert(0, f"**outside the controller:** {row.outside}")
    if row.note:
        carried.append(row.note)
    cells = (f"**{row.id}**", demand, "<br>".join(carried), "<br>".join(_tests(row)))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _tests(row: Row) -> Iterator[str]:
    """Tests, each file once."""
    files: dict[str, list[str]] = {}
    for node in row.tests:
        file, _, name = node.partition("::")
        files.setdefault(file, []).append(name)
    for file, names in files.items():
        yield f"`{file}`" + "".join(f"<br>&nbsp;{name}" for name in names if name)


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or compare it; 1 with ``--check`` when something is not right."""
    parser = argparse.ArgumentParser(prog=f"python -m {MODULE}")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on drift or gaps")
    parser.add_argument("--root", type=Path, default=ROOT, help="the project's directory")
    chosen = parser.parse_args(arguments)
    try:
        rows = read_rows(chosen.root)
    except RowsError as error:
        print(error, file=sys.stderr)
        return 1
    found = list(complaints(rows, chosen.root))
    path, text = chosen.root / PAGE, page(rows)
    if not chosen.check:
        path.write_text(text, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != text:
        found.append(f"{path} does not agree with {FILE}: run python -m {MODULE}")
    for line in found:
        print(line, file=sys.stderr)
    return 1 if chosen.check and found else 0


if __name__ == "__main__":
    sys.exit(main())
