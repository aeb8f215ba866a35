"""The checks of the conformance run as data: what each demands, and of which devices.

A check is a function of the modules below with the marker ``conformance``. Its docstring is the
demand: the sections that it is from, then what a device has to do, in words. The run of pytest, the
table in docs/integrators.md and the tests of the run itself have it from here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import getdoc, signature
from itertools import product
from types import ModuleType
from typing import Any, Final

import pytest

from hil_tests.conformance import (
    test_commands,
    test_devices,
    test_events,
    test_payloads,
    test_what_is_heard,
)
from hil_tests.conformance.controller import Controller
from hil_tests.conformance.subject import Place, Subject

MODULES: Final[tuple[ModuleType, ...]] = (
    test_payloads,
    test_commands,
    test_events,
    test_devices,
    test_what_is_heard,
)
"""In the order of the sections."""

PREFIX: Final = re.compile(r"Sections? [1-6](?: and [1-6])?: ")


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

    def make_once(self, subject: Subject, controller: Controller, case: dict[str, Any]) -> None:
        """Make it once; raises ``AssertionError`` where the device does not what it demands."""
        given = {"subject": subject, "controller": controller, **case}
        self.made(**{name: given[name] for name in signature(self.made).parameters})


def checks() -> tuple[Check, ...]:
    """All of them, by section and as they stand in their modules."""
    return tuple(_check(*found) for found in _functions())


def _functions() -> Iterator[tuple[str, Callable[..., None], list[pytest.Mark]]]:
    for module in MODULES:
        for name, value in vars(module).items():
            marks = getattr(value, "pytestmark", [])
            if any(mark.name == "conformance" for mark in marks):
                yield name, value, marks


def _check(name: str, made: Callable[..., None], marks: list[pytest.Mark]) -> Check:
    by_name = {mark.name: mark for mark in marks}
    limits = by_name["only_for"].kwargs if "only_for" in by_name else {}
    demand = PREFIX.sub("", " ".join((getdoc(made) or "").split()))
    return Check(
        name.removeprefix("test_"),
        str(by_name["conformance"].args[0]),
        demand,
        tuple(limits.get("kind", ())),
        tuple(limits.get("carrier", ())),
        "person" in by_name,
        tuple(_cases([mark for mark in marks if mark.name == "parametrize"])),
        made,
    )


def _cases(marks: list[pytest.Mark]) -> Iterator[dict[str, Any]]:
    names = [str(mark.args[0]) for mark in marks]
    for values in product(*(mark.args[1] for mark in marks)):
        yield dict(zip(names, values, strict=True))
