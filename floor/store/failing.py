"""Why the database does not do what it was asked, in words for whoever runs the floor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg

_WORDS: Final = {
    "28": "it does not let this user in: see the database in the configuration, and pg_hba.conf",
    "3D": "there is no such database: make it (createdb), then 'table-floor init'",
    "3F": "it has not the floor's schema: 'table-floor init' makes it",
    "42P01": "it has not the floor's schema: 'table-floor init' makes it",
    "42703": "it has not the floor's schema: 'table-floor init' makes it",
    "42501": "this user may not do that: tables belong to whoever ran 'table-floor init'",
    "40": "others were at the same rows: it is tried again by itself",
    "55P03": "others held the same rows for too long: it is tried again by itself",
    "57014": "it took too long: it is tried again by itself",
    "53100": "its disk is full: make room; the tables send again by themselves",
    "53300": "it has too many connections: raise max_connections, or run fewer collectors",
    "53": "it is short of memory or of disk: make room; the tables send again by themselves",
    "25006": "it takes no writes: it is a replica; name the primary in the configuration",
}
_AT_THE_DOOR: Final = (
    (re.compile(r'database ".*" does not exist'), "3D"),
    (re.compile(r'role ".*" does not exist|authentication failed|no pg_hba\.conf entry'), "28"),
    (re.compile(r"no password supplied|permission denied for database"), "28"),
    (re.compile(r"too many (clients|connections)|remaining connection slots"), "53300"),
)
"""The states of connections that are refused: libpq tells these in words alone."""

_AWAY: Final = "it does not answer: see that it runs; the tables send again by themselves"


class StoreFails(Exception):
    """The database has not done it, or nobody knows whether it has; the message says why, and what
    to do."""


class StoreBusy(StoreFails):
    """All connections to the database were in use, so that it was not asked. Nothing is wrong with
    it, and nothing was done."""

    def __init__(self, connections: int, waited_s: float) -> None:
        super().__init__(
            f"busy: all {connections} connections to the floor's database were in use for"
            f" {waited_s:g} s. Whoever asked asks again by itself; where this lasts, run one more"
            " collector"
        )


@contextmanager
def told() -> Iterator[None]:
    """What psycopg raises within is raised as StoreFails."""
    try:
        yield
    except psycopg.Error as error:
        raise StoreFails(words_of(error)) from error


def words_of(error: psycopg.Error) -> str:
    """What the database said, and what to do about it."""
    said = " ".join(str(error).split()) or type(error).__name__
    state = error.sqlstate or _state_at_the_door(said)
    advice = next((_WORDS[key] for key in (state, state[:2]) if key in _WORDS), None)
    if advice is None:
        away = isinstance(error, psycopg.OperationalError)
        advice = _AWAY if away else "report this: it is a defect of the floor"
    return f"the floor's database: {advice} ({said})"


def _state_at_the_door(said: str) -> str:
    return next((state for words, state in _AT_THE_DOOR if words.search(said)), "")
