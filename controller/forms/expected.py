"""What is expected of a plain value beyond its type, in the words of messages and documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, ClassVar

from controller.forms.faults import among, not_among


@dataclass(eq=False, repr=False)
class Expected:
    """``what`` the value is; ``SAID`` puts it into the words, and ``MEND`` says behind them what to
    do about a value of another form. ``GIVEN`` is the form in which it stands, None: that of its
    type; a value that is ``HIDDEN`` is not shown."""

    what: str
    SAID: ClassVar[str] = "{0.what}"
    GIVEN: ClassVar[Any] = None
    MEND: ClassVar[str] = ""
    HIDDEN: ClassVar[bool] = False

    @property
    def words(self) -> str:
        """What is expected."""
        return self.SAID.format(self)

    def own_form(self, hint: Any) -> Any:
        """The form of values of that type, where it is one of their own."""
        return None

    def judged(self, value: Any, folder: Any) -> Any:
        """The value, or what it becomes.

        Raises:
            ValueError: it is not what is expected; the message says what is.
        """
        return value


@dataclass(eq=False, repr=False)
class Usual:
    """What a key that is left out counts as, in plain values."""

    value: object


@dataclass(eq=False, repr=False)
class Flag(Expected):
    """``true`` or ``false``."""

    SAID: ClassVar[str] = "true or false ({0.what})"


@dataclass(eq=False, repr=False)
class Range(Expected):
    """A whole number from ``low`` to ``high``."""

    low: int
    high: int
    SAID: ClassVar[str] = "{0.low} to {0.high} ({0.what})"
    MEND: ClassVar[str] = ": a whole number, without quotes"

    def judged(self, value: int, folder: Any) -> int:
        """The number."""
        if self.low <= value <= self.high:
            return value
        raise ValueError(f"expected {self.words}")


@dataclass(eq=False, repr=False)
class Text(Expected):
    """Printable text that is not empty, of at most ``longest`` characters, and of the ``form`` that
    is given, which ``otherwise`` says in words where ``what`` does not."""

    longest: int = 4096
    form: re.Pattern[str] | None = None
    otherwise: str = ""
    GIVEN: ClassVar[Any] = str
    MEND: ClassVar[str] = ", in quotes"

    def judged(self, value: str, folder: Any) -> Any:
        """The text."""
        if not value.strip() or not value.isprintable():
            raise ValueError(f"expected {self.what}")
        if len(value) > self.longest:
            raise ValueError(f"expected at most {self.longest} characters")
        if self.form and not self.form.fullmatch(value):
            raise ValueError(f"expected {self.otherwise or self.what}")
        return value


@dataclass(eq=False, repr=False)
class OneOf(Expected):
    """One of the ``names``."""

    names: tuple[str, ...] = ()
    GIVEN: ClassVar[Any] = str
    MEND: ClassVar[str] = ", in quotes"

    def judged(self, value: str, folder: Any) -> str:
        """The name."""
        if value in self.names:
            return value
        raise ValueError(not_among(value, self.names))


def one_of(*names: str) -> OneOf:
    """One of these names."""
    return OneOf(among(names), names)


@dataclass(eq=False, repr=False)
class Parsed(Text):
    """Text that ``parse`` makes a value of. Where the text is none, it gives None, or raises
    :class:`ValueError` with what is wrong."""

    parse: Callable[[str], object] = str

    def judged(self, value: str, folder: Any) -> Any:
        """The value."""
        found = self.parse(super().judged(value, folder))
        if found is None:
            raise ValueError(f"expected {self.otherwise or self.what}")
        return found


@dataclass(eq=False, repr=False)
class File(Text):
    """The path of a file or a folder, relative to the folder in which the file lies that names
    it."""

    def judged(self, value: str, folder: Any) -> Any:
        """The path."""
        return folder / super().judged(value, folder)


@dataclass(eq=False, repr=False)
class Secret(Parsed):
    """Text that no message repeats."""

    HIDDEN: ClassVar[bool] = True


@dataclass(eq=False, repr=False)
class Several(Expected):
    """At most and at least so many values."""

    most: int
    least: int = 0

    def judged(self, value: Collection[object], folder: Any) -> Collection[object]:
        """The values."""
        if not self.least <= len(value) <= self.most:
            raise ValueError(f"expected {self.what}")
        return value
