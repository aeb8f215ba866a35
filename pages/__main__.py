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
    causes,
    configuration,
    forms,
    languages,
    monitoring,
    proofs,
    requirements,
    rooms,
    rounds,
    socket,
    terminal_pictures,
)
from pages.clauses import describe as clauses
from pages.clauses.sources import SourceError
from pages.codes import describe as codes
from pages.commands import describe as commands
from pages.drawn import pictures as drawn
from pages.generated import DOCS, ROOT
from pages.link import dissector, messages
from pages.table import events, faults, keypad, keys, sequence, states

_clauses = cache(lambda: clauses.make_pages(ROOT))
_rows = cache(lambda: requirements.read_rows(ROOT))

WHOLE: Final[Mapping[str, Callable[[], str]]] = {
    "causes.md": causes.make_page,
    "codes.md": codes.make_page,
    "commands.md": commands.make_page,
    "configuration.md": configuration.make_page,
    "events.md": events.make_page,
    "faults.md": faults.make_page,
    "glossary-languages.md": languages.make_page,
    "keypad.md": keypad.make_page,
    "requirements.md": lambda: requirements.page(_rows()),
    "scenarios.md": scenarios.make_page,
    "sequence.md": sequence.make_page,
    "table-link-messages.md": messages.messages_page,
    "wireshark/table-link.lua": dissector.make_page,
}
"""Documents that are written whole, by their paths below ``docs``."""

IN_PART: Final[Mapping[str, Callable[[str], str]]] = {
    "control-socket.md": socket.make_page,
    "draw.md": proofs.draw_page,
    "forms.md": forms.make_page,
    "integrators.md": messages.conformance_page,
    "maintainer.md": rooms.make_page,
    "models.md": proofs.models_page,
    "monitoring.md": monitoring.make_page,
    "round-scripts.md": rounds.make_page,
    "supervisor.md": keys.make_page,
}
"""Documents that people write, with parts between markers; each is made out of the present one."""

SEVERAL: Final[Mapping[str, Callable[[], Mapping[str, str]]]] = {
    "clauses": lambda: _clauses().pages,
    "drawn": drawn.pictures,
    "states": states.pages,
    "terminal": terminal_pictures.pictures,
}
"""Subjects with a file for each of several things: their paths below ``docs``, and texts."""

FAULTS: Final[Mapping[str, Callable[[], Iterable[str]]]] = {
    "clauses": lambda: _clauses().complaints,
    "requirements.md": lambda: requirements.complaints(_rows(), ROOT),
}
"""What of the sources of a document is not right, a line for each fault."""

ALL: Final = (*WHOLE, *IN_PART, *SEVERAL)


def files(name: str, docs: Path) -> Iterator[tuple[Path, str]]:
    """The files of that document or subject in the folder ``docs``, as the code has them."""
    if name in WHOLE:
        yield docs / name, WHOLE[name]()
    elif name in IN_PART:
        yield docs / name, IN_PART[name]((docs / name).read_text("utf-8"))
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
    except (SourceError, requirements.RowsError) as error:
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
