"""What a request asks for: its person, and the values in its address."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from starlette.requests import Request

from drivers.printable import printable
from floor.facts.report.accounts import AskedSpan

USER: Final = "x-remote-user"
NOT_READ: Final = 400
NOT_FOUND: Final = 404


class NotAsked(Exception):
    """There is no such thing, or it is named wrongly; the message says what, ``status`` how HTTP
    has it."""

    def __init__(self, words: str, status: int = NOT_FOUND) -> None:
        super().__init__(words)
        self.status = status


def who_asks(request: Request) -> str:
    """The person's name as the house's proxy gives it, printable; "" where it gives none."""
    return printable(request.headers.get(USER, ""))[:200]


def refuse_odd(request: Request) -> None:
    """Raise NotAsked where an address has a character that no name has and no database takes."""
    given = request.query_params.multi_items()
    for text in (request.scope["path"], *(one for pair in given for one in pair)):
        if "\0" in text:
            raise NotAsked("the address has a NUL (%00) in it: no name has one", NOT_READ)


def asked_for(request: Request) -> AskedSpan:
    """The table, day and shift of the query."""
    given = request.query_params
    day, shift = given.get("day"), given.get("shift")
    return AskedSpan(
        read_day(day) if day else None,
        read_number(shift) if shift else None,
        given.get("table") or None,
    )


def span_of(request: Request) -> AskedSpan:
    """Likewise, with a day or a shift at least; the days from there ``until`` another one."""
    asked, until = asked_for(request), request.query_params.get("until")
    if asked.day is None and asked.shift is None:
        raise NotAsked("of which day or shift? ?day=YYYY-MM-DD or ?shift=N")
    if not until:
        return asked
    last = read_day(until)
    if asked.day is None or last < asked.day:
        raise NotAsked(f"until {last} from when? ?day=YYYY-MM-DD names the earlier day", NOT_READ)
    return replace(asked, until=last)


def read_day(text: str) -> date:
    """The gaming day that is named."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise NotAsked(f"{text!r} is no day: expected YYYY-MM-DD") from error


def read_number(text: str) -> int:
    """The number that is named, of nine digits at most."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise NotAsked(f"{text!r} is no number")
    return int(text)
