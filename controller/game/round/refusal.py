"""The refusal of what is not permitted now, with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec

P = ParamSpec("P")


class Refused(Exception):
    """An action that is not permitted now; it has changed nothing.

    ``reason`` is a sentence, ``clause`` the clause of the document that forbids it ("" where none
    does), ``short`` the reason for a keypad's row, in at most 16 characters. ``code`` says it for
    programs; where it is not given it is ``short`` up to a colon, in small letters with hyphens:
    give one where ``short`` varies or has another meaning elsewhere. What codes there are and mean
    is in docs/codes.md (:mod:`pages.codes`).
    """

    def __init__(
        self, reason: str, clause: str = "", short: str = "NOT NOW", code: str = ""
    ) -> None:
        self.reason = reason
        self.clause = clause
        self.short = short
        self._code = code
        super().__init__(f"{reason} ({clause})" if clause else reason)

    @property
    def code(self) -> str:
        """What it means, for programs: the same whatever box or amount it is about."""
        return self._code or code_of(self.short)


def code_of(short: str) -> str:
    """The code that a text for a keypad's row stands for."""
    said = short.partition(":")[0].replace("'", "").lower()
    return "-".join("".join(c if c.isalnum() else " " for c in said).split())


def refusal_of(check: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> Refused | None:
    """The check's refusal; None where it lets it pass."""
    try:
        check(*args, **kwargs)
    except Refused as refused:
        return refused
    return None
