"""Write what of the documentation is made from the code: ``python -m pages``, or ``--check`` it.

Every document that is written whole or in part stands here, with what makes it. With ``--check``
nothing is written, and it exits 1 on drift, on a file that is of no document any more, and on what
no clause's or requirement's account has.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Final

from drivers.table_link.messages import MAX_PAYLOAD, MIN_PAYLOAD
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
from pages.generated import DOCS, PROSE, ROOT, between, prose
from pages.sources import SourceError
from pages.table import events, keypad, states

_clauses = cache(lambda: clauses.make_pages(ROOT))
_rows = cache(lambda: inspection.read_rows(ROOT))

PARTS: Final[tuple[tuple[str, str, Callable[[], Iterable[str]]], ...]] = (
    ("causes.md", "counts", faults.counts),
    ("causes.md", "kinds", faults.kinds),
    ("causes.md", "numbers", faults.numbers),
    ("causes.md", "codes", faults.codes),
    ("causes.md", "ports", faults.of_ports),
    ("codes.md", "asked", codes.prompt_examples),
    ("codes.md", "told", codes.notice_examples),
    ("codes.md", "errors", codes.errors),
    ("commands.md", "commands", commands.sections),
    ("configuration.md", "keys", written_files.configuration_keys),
    ("configuration.md", "example", written_files.example),
    ("control-socket.md", "requests", forms.requests),
    ("control-socket.md", "bounds", forms.bounds),
    ("draw.md", "cutoffs", inspection.cutoff_rows),
    ("draw.md", "power", inspection.power),
    ("events.md", "events", events.event_rows),
    ("events.md", "steps", events.steps),
    ("events.md", "differences", events.differences),
    ("faults.md", "letters", faults.letters),
    ("faults.md", "severities", faults.severities),
    ("faults.md", "faults", faults.catalogue),
    ("forms.md", "forms", forms.form_sections),
    ("integrators.md", "checks", link.demands),
    ("integrators.md", "duties", link.duties),
    ("keypad.md", "states", keypad.states),
    ("keypad.md", "without", partial(keypad.fates, supervisor=False)),
    ("keypad.md", "with", partial(keypad.fates, supervisor=True)),
    ("maintainer.md", "rooms", rooms.controller_rooms),
    ("maintainer.md", "others", rooms.other_folders),
    ("models.md", "claims", inspection.claims),
    ("monitoring.md", "alerts", monitoring.alert_sections),
    ("monitoring.md", "metrics", monitoring.metrics),
    ("requirements.md", "counts", lambda: inspection.counted(_rows())),
    ("requirements.md", "rows", lambda: inspection.demands(_rows())),
    ("round-scripts.md", "keys", written_files.script_keys),
    ("round-scripts.md", "steps", written_files.script_steps),
    ("round-scripts.md", "triggers", written_files.triggers),
    ("round-scripts.md", "remedies", written_files.remedy_rows),
    ("sequence.md", "diagram", states.sequence),
    ("sequence.md", "pairs", states.pairs),
    ("sequence.md", "refusals", states.refusals),
    ("supervisor.md", "holds", faults.holds),
    ("table-link-messages.md", "messages", link.message_sections),
    ("table-link-messages.md", "numbers", link.numbers),
    ("wireshark/table-link.lua", "types", link.types),
    ("wireshark/table-link.lua", "fields", link.fields),
    ("wireshark/table-link.lua", "messages", link.layouts),
    ("wireshark/table-link.lua", "shortest", lambda: [f"{MIN_PAYLOAD}"]),
    ("wireshark/table-link.lua", "longest", lambda: [f"{MAX_PAYLOAD}"]),
)
"""The parts that are made from the code: in which document below ``docs``, and where in it."""

SEVERAL: Final[Mapping[str, Callable[[], Mapping[str, str]]]] = {
    "clauses": lambda: _clauses().pages,
    "drawn": drawn.pictures,
    "scenarios.md": lambda: {"scenarios.md": scenarios.make_page()},
    "states": states.pages,
    "terminal": terminal.pictures,
}
"""Subjects with files that are written whole: their paths below ``docs``, and texts."""

FAULTS: Final[Mapping[str, Callable[[], Iterable[str]]]] = {
    "clauses": lambda: _clauses().complaints,
    "requirements.md": lambda: inspection.complaints(_rows(), ROOT),
}
"""What of the sources of a document is not right, a line for each fault."""

ALL: Final = (*dict.fromkeys(name for name, *_ in PARTS), *SEVERAL)


def files(name: str, docs: Path) -> Iterator[tuple[Path, str]]:
    """The files of that document or subject in the folder ``docs``, as the code has them."""
    if name in SEVERAL:
        yield from ((docs / path, text) for path, text in SEVERAL[name]().items())
        return
    is_whole = (PROSE / name).is_file()
    text = prose(name) if is_whole else (docs / name).read_text("utf-8")
    for _, marker, lines in (part for part in PARTS if part[0] == name):
        if is_whole:
            text = text.replace(f"<!-- {marker} -->", "\n".join(lines()))
        else:
            text = between(text, marker, lines())
    yield docs / name, text


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
