"""Write ``docs/clauses``: ``python -m pages.clauses.describe``.

With ``--check`` nothing is written, and it fails on drift, on a clause or default that nothing
accounts for, and on a citation of something that is not there. A document whose rule file is not
there yet has no page.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from controller.files.citations import citations
from pages.clauses.account import Account, Evidence, account, account_of_defaults
from pages.clauses.pages import MODULE, document_page, index_page
from pages.clauses.shown import is_module, shown_by_rounds
from pages.clauses.sources import (
    CONSTANTS_FILE,
    DEFAULTS_FILE,
    SourceError,
    document_files,
    of_constants,
    read_clauses,
    read_constants,
    read_defaults,
)
from pages.generated import ROOT


@dataclass(frozen=True, slots=True)
class Written:
    """The pages by file name, and a line for each gap and fault."""

    pages: dict[str, str]
    complaints: list[str]


def make(root: Path) -> Written:
    """The pages of the project in the directory ``root``.

    Raises:
        SourceError: a file of clauses cannot be used.
    """
    sources = {
        name: read_clauses(path) for name, path in document_files(root / "config/clauses").items()
    }
    rule_files = {path.stem: path for path in sorted((root / "config/rules").glob("*.toml"))}
    constants = read_constants(root / "config/clauses" / CONSTANTS_FILE)
    evidence = Evidence(
        root,
        {
            name: (*citations(path), *of_constants(constants, name))
            for name, path in rule_files.items()
        },
        shown_by_rounds(root / "tests/rounds"),
    )
    listed = read_defaults(root / "config/clauses" / DEFAULTS_FILE)
    defaults, faults = account_of_defaults(listed, evidence)
    complaints = [*faults, *(f"{one.default.id} {one.gap}" for one in defaults if one.gap)]
    complaints += [
        f"{default.id} is about {name}, of which config/clauses has no list"
        for default in listed
        for name in default.documents
        if name not in sources
    ]
    complaints += [
        f"{one.name} is about {name}, of which config/clauses has no list"
        for one in constants
        for name in one.clauses
        if name not in sources
    ]
    complaints += [
        f"{one.name}: there is no module {module}"
        for one in constants
        for module in one.carried_by
        if not is_module(root, module)
    ]
    accounts: list[tuple[Account, str]] = []
    pages: dict[str, str] = {}
    for name, path in rule_files.items():
        if name not in sources:
            complaints.append(f"{name}: config/clauses has no list of its clauses")
            continue
        document = tomllib.loads(path.read_text(encoding="utf-8"))["document"]
        one = account(name, sources[name], evidence)
        accounts.append((one, document["title"]))
        pages[f"{name}.md"] = document_page(one, document["title"], document["version"])
        complaints += [*one.faults, *one.gaps]
    pages["README.md"] = index_page(accounts, defaults)
    return Written(pages, complaints)


def main(arguments: list[str] | None = None) -> int:
    """Write the pages, or compare them; 1 with ``--check`` when something is not right."""
    parser = argparse.ArgumentParser(prog=f"python -m {MODULE}")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on drift or gaps")
    parser.add_argument("--root", type=Path, default=ROOT, help="the project's directory")
    chosen = parser.parse_args(arguments)
    directory = chosen.root / "docs/clauses"
    try:
        written = make(chosen.root)
    except SourceError as error:
        print(error, file=sys.stderr)
        return 1
    complaints = list(written.complaints)
    if chosen.check:
        complaints += _drift(directory, written.pages)
    else:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in written.pages.items():
            (directory / name).write_text(text, encoding="utf-8")
    for line in complaints:
        print(line, file=sys.stderr)
    return 1 if chosen.check and complaints else 0


def _drift(directory: Path, pages: dict[str, str]) -> list[str]:
    """A line for each page that is not as it would be written, or is of no document."""
    present = {path.name: path.read_text(encoding="utf-8") for path in directory.glob("*.md")}
    return [
        f"{directory / name} does not agree with its sources: run python -m {MODULE}"
        for name, text in pages.items()
        if present.get(name) != text
    ] + [
        f"{directory / name} is of no document: delete it" for name in present if name not in pages
    ]


if __name__ == "__main__":
    sys.exit(main())
