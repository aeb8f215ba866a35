"""The checks of the conformance run as data: what each demands, and of which devices.

A check is a function of the :data:`MODULES` that :func:`demands` has noted. Its docstring is the
demand: the sections that it is from, then what a device has to do, in words. The run of pytest, the
table in docs/integrators.md and the tests of the run itself have it from here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from inspect import getdoc, signature
from itertools import product
from typing import Any, Final, TypeVar

from hil_tests.conformance.subject import Place, Subject

MODULES: Final = ("payloads", "commands", "events", "devices", "heard")
"""In the order of the sections; what all of them have heard is judged last."""

PREFIX: Final = re.compile(r"Sections? [1-6](?: and [1-6])?: ")

Made = TypeVar("Made", bound=Callable[..., None])


@dataclass(frozen=True, slots=True)
class Check:
    """One check. ``section`` names section and part, ``demand`` is what it asks for, in words;
    ``kinds`` and ``carriers`` are those that it is about, empty for all; ``person`` says that
    somebody has to be at the device; ``cases`` are the values that it is made with."""

    name: str
    section: str
    demand: str
    kinds: tuple[str, ...]
    carriers: tuple[str, ...]
    person: bool
    cases: tuple[dict[str, Any], ...]
    made: Callable[..., None]

    def about(self, place: Place) -> bool:
        """Whether it is about a device there."""
        return (not self.kinds or place.kind in self.kinds) and (
            not self.carriers or place.carrier in self.carriers
        )

    def examine(self, subject: Subject, case: dict[str, Any]) -> None:
        """Make it once, in a conversation of its own; raises ``AssertionError`` where the device
        does not what it demands, ``NotMade`` where that cannot be told."""
        controller = subject.greeted()
        controller.section = self.section
        given = {"subject": subject, "controller": controller, **case}
        try:
            self.made(**{name: given[name] for name in signature(self.made).parameters})
        finally:
            subject.end_check(controller, self.name)


_CHECKS: Final[list[Check]] = []


def demands(
    section: str,
    *,
    kinds: tuple[str, ...] = (),
    carriers: tuple[str, ...] = (),
    person: bool = False,
    **cases: Sequence[Any],
) -> Callable[[Made], Made]:
    """Note a function as a check; see :class:`Check`. ``cases``: of a parameter, its values."""

    def note_check(made: Made) -> Made:
        demand = PREFIX.sub("", " ".join((getdoc(made) or "").split()))
        every = tuple(dict(zip(cases, values, strict=True)) for values in product(*cases.values()))
        _CHECKS.append(Check(made.__name__, section, demand, kinds, carriers, person, every, made))
        return made

    return note_check


def checks() -> tuple[Check, ...]:
    """All of them, by section and as they stand in their modules."""
    for name in MODULES:
        import_module(f"hil_tests.conformance.{name}")
    return tuple(_CHECKS)
