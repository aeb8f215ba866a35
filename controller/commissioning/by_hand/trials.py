"""A device tried by hand, test after test: each is told and stored in the journal as it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from controller.commissioning.by_hand import buttons, cards
from controller.commissioning.by_hand.bench import Bench, Failed, NobodyHere, WantedTrial
from controller.commissioning.machine_tests import TestOutcome
from controller.control.client import RefusedByController
from drivers.vocabulary import DISPLAY, JACKPOT, KEYPAD, SHOE, SHUFFLER

Trial = Callable[[Bench, WantedTrial], str]
"""Tries one thing: what came of it, in words; :class:`Failed` where it is not well."""

TRIALS: Final[Mapping[str, Mapping[str, Trial]]] = {
    SHOE: {"lamp": cards.lamp, "gate": cards.gate, "pack": cards.pack},
    SHUFFLER: {"passes": cards.passes},
    JACKPOT: {
        "light": buttons.light,
        "button": buttons.button,
        "not armed": buttons.not_armed,
        "hold": buttons.hold,
        "test pattern": buttons.pattern,
        "figures": buttons.figures,
    },
    KEYPAD: {
        "rows": buttons.rows,
        "lamps": buttons.lamps,
        "keys": buttons.keys,
        "key switch": buttons.switch,
    },
    DISPLAY: {"figures": partial(buttons.figures, has_meter=False)},
}
"""By kind of device, what is tried of it, in order."""


def tried(bench: Bench, kind: str, wanted: WantedTrial) -> Iterator[TestOutcome]:
    """Try all of a device of that kind, or what ``wanted.only`` names."""
    trials = {
        name: trial
        for name, trial in TRIALS[kind].items()
        if not wanted.only or name in wanted.only
    }
    for number, (name, trial) in enumerate(trials.items(), 1):
        bench.person.write_line(f"-- {bench.device}, {name} ({number} of {len(trials)})")
        if kind == JACKPOT:
            buttons.dark(bench)
        test = _one_test(bench, name, trial, wanted)
        bench.person.write_line(f"   {'well' if test['ok'] else 'NOT WELL'}: {test['what']}")
        yield test


def _one_test(bench: Bench, name: str, trial: Trial, wanted: WantedTrial) -> TestOutcome:
    """Try one thing, and have the journal store what came of it: not where nobody was there, which
    says nothing of the device, and not where the trial has ended meanwhile."""
    try:
        test: TestOutcome = {"name": name, "ok": True, "what": trial(bench, wanted)}
    except NobodyHere as nobody:
        return {"name": name, "ok": False, "what": f"not done, {nobody}"}
    except Failed as failed:
        test = {"name": name, "ok": False, "what": str(failed)}
    except RefusedByController as rejected:
        test = {"name": name, "ok": False, "what": f"not tried to the end: {rejected.reason}"}
    try:
        bench.store(test)
    except RefusedByController as rejected:
        return {**test, "ok": False, "what": f"{test['what']}; not stored: {rejected.reason}"}
    return test
