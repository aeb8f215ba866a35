"""What is expected of a plain value beyond its type, in the words of messages and documents; and
the fields of a form, by which the keys of an object become their values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeAlias

from controller.forms.faults import Wrong, among, not_among, unknown

Read: TypeAlias = Callable[[object, Any], Any]
"""Gives the value of a plain one, or a :class:`Wrong`. The second argument is handed through to
what is expected: the folder to which paths are relative."""


class Form(NamedTuple):
    """How values are read: ``words`` say what is expected, ``same`` that what is read is the value
    itself, which values of the type ``plain`` are without being read."""

    read: Read
    words: str
    same: bool = True
    plain: type | None = None


class FormField(NamedTuple):
    """A field of a form; ``usual`` is the plain value that it has where it is left out."""

    name: str
    form: Form
    hint: Any
    is_required: bool
    usual: Usual | None = None


def fields_reader(
    fields: Sequence[FormField], *, others: bool = False
) -> Callable[[Mapping[str, Any], Any], Any]:
    """What reads an object's values by the names of the fields, or gives a :class:`Wrong`;
    ``others``: other keys are let go."""
    known = {one.name: one for one in fields}
    reading = [(one.name, one.form.plain, one.form.read) for one in fields]

    def read_value(value: Mapping[str, Any], context: Any) -> object:
        wrong: list[tuple[str, str]] = []
        found: dict[str, Any] = {}
        for name, plain, field in reading:
            if name in value:
                one = value[name]
                if type(one) is not plain:
                    one = field(one, context)
                    if type(one) is Wrong:
                        wrong += one.behind(f".{name}")
                        continue
                found[name] = one
            elif usual := known[name].usual:
                found[name] = field(usual.value, context)
            elif known[name].is_required:
                wrong.append((f".{name}", f" is missing: expected {known[name].form.words}"))
        if not others:
            wrong += [("." + unknown(key, known), "") for key in value if key not in known]
        return Wrong(wrong, found) if wrong else found

    return read_value


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
        """The value, or what it becomes; ValueError, with what is expected, where it is none."""
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
    """Text that ``parse`` makes a value of, or None, or raises :class:`ValueError` with what is
    wrong."""

    parse: Callable[[str], object] = str

    def judged(self, value: str, folder: Any) -> Any:
        """The value."""
        found = self.parse(super().judged(value, folder))
        if found is None:
            raise ValueError(f"expected {self.otherwise or self.what}")
        return found


@dataclass(eq=False, repr=False)
class File(Text):
    """The path of a file or a folder, relative to the folder of the file that names it."""

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
