"""What goes wrong: the catalogue of faults, the holds among them, and what each error means.

What each error means is read out of ``controller/causes``, which of them were made to happen out of
the tests' own lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from controller.causes import errnos, ports, sqlite
from controller.causes.cause import Kind
from controller.faults.catalogue import CATALOGUE, DOES, SECTIONS, plain
from controller.game.rules.cases import TRIGGERS
from controller.table.state.entering import ROW_LENGTH
from pages.generated import ROOT, as_table, finder


def letters() -> list[str]:
    """How many characters of a code the keypad shows."""
    return [f"{ROW_LENGTH}"]


def severities() -> Iterator[str]:
    """What each severity does to play."""
    rows = ((severity.value, does) for severity, does in DOES.items())
    return as_table(("severity", "what it does to play"), rows)


def catalogue() -> Iterator[str]:
    """The faults by section, each with all that is known of it, below what finds a code."""
    yield from finder(
        "faults",
        (
            (f"{heading.removeprefix('Faults ')}: {severity.value}", links)
            for heading, faults in SECTIONS
            for severity in DOES
            if (links := [(f"`{f.code}`", f.code) for f in faults if f.severity is severity])
        ),
    )
    for heading, faults in SECTIONS:
        yield from ("", f"## {heading}")
        for fault in faults:
            yield from ("", f"### {fault.code}", "")
            if fault.code in TRIGGERS and not fault.requirements and fault.holds:
                yield f"{fault.text} [As all that is reported](#what-is-reported)."
                continue
            yield from (f"- **{name}**: {text}" for name, text in plain(fault))
    yield from ("", "### What is reported", "")
    yield from (f"- **{name}**: {text}" for name, text in plain(CATALOGUE["other"])[1:])


def holds() -> Iterator[str]:
    """The holds by what the keypad's second row shows."""
    rows = (
        (f"[`{code.replace('-', ' ').upper()[:ROW_LENGTH]}`](faults.md#{code})", fault.text)
        for code, fault in CATALOGUE.items()
        if fault.holds and code not in TRIGGERS
    )
    return as_table(("row 2", "what has happened"), rows)


TESTS: Final = ROOT / "tests" / "causes"
_WAY: Final = re.compile(r'^@?provokes\("(\w+)"', re.MULTILINE)
_OF_LIBRARY: Final = re.compile(r'^    "(SQLITE_\w+)": \(', re.MULTILINE)

NUMBERS: Final = {errnos.name_of(number): kind for number, kind in errnos.DECIDED.items()}
CODES: Final = {name: kind for name, (_, kind) in sqlite.DECIDED.items()}


def counts() -> list[str]:
    """How many error numbers and codes are decided, and were made to happen."""
    by_kernel, by_sqlite, by_library = map(len, _provoked())
    both = by_sqlite + by_library
    return f"""\
Error numbers: {len(NUMBERS)} decided, {len(NUMBERS)} provoked: {by_kernel} by the kernel
itself, and each by a library in front of libc under a start; {len(errnos.NEVER)} others are given
by no call of this program.

Codes of SQLite: {len(CODES)} decided, {both} provoked: {by_sqlite} by what deserves
them, {by_library} by that library under SQLite.""".splitlines()


def kinds() -> Iterator[str]:
    """What is said of each kind of error, and what to do."""
    rows = ((kind.what, kind.next_step, kind.heals) for kind in Kind)
    return _healing(("what is said", "next step"), rows)


def numbers() -> Iterator[str]:
    """The error numbers by kind, in bold those of the kernel itself."""
    return _by_kind(NUMBERS, _provoked()[0])


def codes() -> Iterator[str]:
    """The codes of SQLite by kind, in bold those that were made to happen."""
    return _by_kind(CODES, set().union(*_provoked()[1:]))


def of_ports() -> Iterator[str]:
    """What is said of serial ports and USB units."""
    rows = []
    for kind in ports.PortKind:
        names = [errnos.name_of(number) for number, of in ports.OF_ERRNO.items() if of is kind]
        given = ", ".join(f"`{name}`" for name in names)
        rows.append((kind.name.lower().replace("_", " "), given, kind.next_step, kind.heals))
    return _healing(("cause", "error numbers", "next step"), rows)


def _provoked() -> tuple[set[str], set[str], set[str]]:
    """Those that were made to happen by the kernel, by what SQLite does, and by a library alone."""
    by_sqlite = _names(_WAY, "by_sqlite.py") & CODES.keys()
    by_library = _names(_OF_LIBRARY, "by_sqlite.py") & CODES.keys()
    return _names(_WAY, "by_kernel.py") & NUMBERS.keys(), by_sqlite, by_library - by_sqlite


def _names(form: re.Pattern[str], file: str) -> set[str]:
    return set(form.findall((TESTS / file).read_text(encoding="utf-8")))


def _healing(
    heads: tuple[str, ...], rows: Iterable[tuple[*tuple[str, ...], bool]]
) -> Iterator[str]:
    """A table whose rows end with whether it heals; in capitals what is filled in, as a command's
    usage has it."""
    return as_table(
        (*heads, "heals"),
        ((*map(_usage_words, words), "yes" if heals else "no") for *words, heals in rows),
    )


def _usage_words(words: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: found[1].upper(), words)


def _by_kind(decided: Mapping[str, Kind], provoked: set[str]) -> Iterator[str]:
    rows = (
        (", ".join(f"**`{n}`**" if n in provoked else f"`{n}`" for n in names), kind.what)
        for kind in Kind
        if (names := [name for name, of in decided.items() if of is kind])
    )
    return as_table(("", "what it is taken for"), (map(_usage_words, row) for row in rows))
