"""Write what of the documentation is made from the code: ``python -m pages``, or ``--check`` it.

Every document that is written whole or in part stands here, with what makes it. With ``--check``
nothing is written, and it exits 1 on drift, on a file that is of no document any more, and on what
no clause's or requirement's account has.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from hil_tests.rig import describe as scenarios
from pages import (
    clauses,
    codes,
    commands,
    drawn,
    faults,
    forms,
    inspection,
    link,
    monitoring,
    rooms,
    written_files,
)
from pages import terminal_pictures as terminal
from pages.generated import DOCS, ROOT, between
from pages.sources import SourceError
from pages.table import events, keypad, states

_clauses = cache(lambda: clauses.make_pages(ROOT))
_rows = cache(lambda: inspection.read_rows(ROOT))

WHOLE: Final[Mapping[str, Callable[[], str]]] = {
    "causes.md": faults.causes_page,
    "codes.md": codes.make_page,
    "commands.md": commands.make_page,
    "configuration.md": written_files.configuration_page,
    "events.md": events.make_page,
    "faults.md": faults.catalogue_page,
    "keypad.md": keypad.make_page,
    "requirements.md": lambda: inspection.requirements_page(_rows()),
    "scenarios.md": scenarios.make_page,
    "sequence.md": states.sequence_page,
    "table-link-messages.md": link.messages_page,
    "wireshark/table-link.lua": link.dissector_script,
}
"""Documents that are written whole, by their paths below ``docs``."""

IN_PART: Final[Mapping[str, Mapping[str, Callable[[], Iterable[str]]]]] = {
    "control-socket.md": {"requests": forms.requests, "bounds": forms.bounds},
    "draw.md": {"cutoffs": inspection.cutoff_rows, "power": inspection.power},
    "forms.md": {"forms": forms.form_sections},
    "integrators.md": {"checks": link.demands, "duties": link.duties},
    "maintainer.md": {"rooms": rooms.controller_rooms, "others": rooms.other_folders},
    "models.md": {"claims": inspection.claims},
    "monitoring.md": {"alerts": monitoring.alert_sections, "metrics": monitoring.metrics},
    "round-scripts.md": {
        "keys": written_files.script_keys,
        "steps": written_files.script_steps,
        "triggers": written_files.triggers,
        "remedies": written_files.remedy_rows,
    },
    "supervisor.md": {"holds": faults.holds},
}
"""Documents that people write, with the lines between their markers."""

SEVERAL: Final[Mapping[str, Callable[[], Mapping[str, str]]]] = {
    "clauses": lambda: _clauses().pages,
    "drawn": drawn.pictures,
    "states": states.pages,
    "terminal": terminal.pictures,
}
"""Subjects with a file for each of several things: their paths below ``docs``, and texts."""

FAULTS: Final[Mapping[str, Callable[[], Iterable[str]]]] = {
    "clauses": lambda: _clauses().complaints,
    "requirements.md": lambda: inspection.complaints(_rows(), ROOT),
}
"""What of the sources of a document is not right, a line for each fault."""

ALL: Final = (*WHOLE, *IN_PART, *SEVERAL)


def files(name: str, docs: Path) -> Iterator[tuple[Path, str]]:
    """The files of that document or subject in the folder ``docs``, as the code has them."""
    if name in WHOLE:
        yield docs / name, WHOLE[name]()
    elif name in IN_PART:
        text = (docs / name).read_text("utf-8")
        for marker, lines in IN_PART[name].items():
            text = between(text, marker, lines())
        yield docs / name, text
    else:
        yield from ((docs / path, text) for path, text in SEVERAL[name]().items())


def differences(written: Mapping[Path, str], docs: Path) -> Iterator[str]:
    """A line for each file that is not as it would be written, or is of no document."""
    for path, text in written.items():
        if not path.is_file() or path.read_text("utf-8") != text:
            yield f"{path} does not agree with the code: run python -m pages"
    for folder in {path.parent for path in written} - {docs}:
        for path in folder.glob("*.md"):
            if path not in written:
                yield f"{path} is of no document: delete it"


def main(arguments: list[str]) -> int:
    """Write the documents, or compare them; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m pages", description="Write documents.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on drift or gaps")
    parser.add_argument("--docs", type=Path, default=DOCS, help="the folder of the documents")
    parser.add_argument("names", nargs="*", help=f"which; left out: all of {', '.join(ALL)}")
    chosen = parser.parse_args(arguments)
    if unknown := set(chosen.names) - set(ALL):
        parser.error(f"no such documents: {', '.join(sorted(unknown))}")
    names = chosen.names or ALL
    try:
        written = {path: text for name in names for path, text in files(name, chosen.docs)}
        problems = [line for name in names if name in FAULTS for line in FAULTS[name]()]
    except SourceError as error:
        print(error, file=sys.stderr)
        return 1
    if chosen.check:
        problems += differences(written, chosen.docs)
    for path, text in () if chosen.check else written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    for line in problems:
        print(line, file=sys.stderr)
    return int(chosen.check and bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
