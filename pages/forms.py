"""What programs send to the control socket, and the objects that they read, out of their types.

A form is a class: its docstring tells what the fields mean, its types what they hold.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Final, NotRequired, Union, get_args, get_origin, get_type_hints

from controller.cli import draw, setup
from controller.control import answers
from controller.control.protocol import COMMANDS, REQUESTS, WITH_PIN
from controller.control.serving import acceptor, door
from controller.control.serving.rights import LISTS
from controller.counters import report as reports
from controller.counters.figures import Figures
from controller.daemon.witnesses import Witnesses
from controller.daemon.workshop import Workshop
from controller.draw.evidence import Trace
from controller.game.round import result_fields as results
from controller.table.dealing import card_places
from controller.table.showing import status_fields as shown
from controller.table.showing.actions import Action
from controller.upkeep import night_report as night
from drivers.capture import format  # noqa: A004
from floor.facts.report import floor_report as floor
from floor.facts.report.multipliers import MultiplierReport
from pages.generated import as_table

FORMS: Final[Mapping[str, tuple[object, ...]]] = {
    "Status": (
        *(shown.Status, shown.ShownBox, shown.ShownHand, shown.Insured, results.BettorsAccount),
        *(shown.Asks, shown.StatusHold, shown.DrawnCard, Action),
    ),
    "Choices": (shown.Choices,),
    "Round": (results.RoundResult, results.HandResult, results.SettlementResult),
    "Counters": (Figures, reports.MoneyReport, reports.DrawsReport),
    "Shift report": (
        *(reports.SpanReport, reports.ShiftReport),
        *(reports.DrawnReport, reports.HoldReport),
    ),
    "Floor report": (
        *(floor.FloorReport, floor.NotableReport, floor.TableReport, floor.PlayedDocument),
        *(floor.ExpectedReport, MultiplierReport),
    ),
    "Report before opening": (
        *(answers.ReadinessReport, answers.Check, answers.DevicePart, answers.DeviceTest),
        *(answers.Disk, answers.ProgramPart, answers.DocumentPart),
    ),
    "Self-test": (answers.SelfTestOutcome,),
    "Portion": (answers.Portion,),
    "Links": (Workshop.links,),
    "Links of late": (Workshop.links_lately,),
    "Device command": (Workshop.device_command,),
    "Capture": (format.head,),
    "Device of a capture": (format.device,),
    "Line of a capture": (format.line,),
    "Gap of a capture": (format.dropped,),
    "End of a capture": (format.end_line,),
    "Cards in entries": (card_places,),
    "Entries": (Witnesses.entries,),
    "Checkpoint": (Witnesses.checkpoint,),
    "Subtree": (Witnesses.subtree,),
    "Witnessed": (Witnesses.witnessed,),
    "Draw": (Trace,),
    "Draw test": (draw,),
    "Setup": (setup,),
    "Night": (
        *(night.NightReport, night.NightJournal, night.NightFinding),
        *(night.Closed, night.TakenFile, night.MissingNight),
    ),
}
"""By subject: the object itself, then those that it contains; or the function that gives it, or the
module that puts it together, whose docstring tells it."""
NAMED: Final = {one for forms in FORMS.values() for one in forms}
REPORTED: Final = {"money": dict[str, reports.MoneyReport], "draws": list[reports.DrawsReport]}
"""Fields of :class:`Figures` that are told otherwise than they are counted."""
PLAIN: Final[Mapping[object, str]] = {
    str: "text",
    int: "number",
    float: "number",
    bool: "true or false",
    NoneType: "null",
}
LEFT_OUT: Final = "; may be left out"
UNIONS: Final = {Union, UnionType}
BEFORE: Final = re.compile(r"``--json``: |The rules:\n(?=\n)")
"""What a module's docstring says before the form."""
ROLE: Final = re.compile(r":\w+:`~?\.?(?:[\w.]+\.)?(\w+)`")


def form_sections() -> Iterator[str]:
    """A section for each form."""
    for subject, forms in FORMS.items():
        for form in forms:
            told = (inspect.getdoc(form) or "").partition("Raises:")[0]
            if inspect.ismodule(form):
                told = BEFORE.split(told)[1]
            told = "\n- ".join(" ".join(item.split()) for item in told.split("\n- "))
            told = ROLE.sub(r"`\1`", told).replace("``", "`").replace("None", "null").strip()
            heading = f"## {subject}" if form is forms[0] else f"### {title(form)}"
            yield from (heading, "", told, "")
            if inspect.isclass(form):
                yield from (*as_table(("key", ""), _fields(form)), "")


def _fields(form: type) -> Iterator[tuple[str, str]]:
    """The keys with what they hold, last those that it has from a form whose keys may be missing. A
    form that itself is of that kind is read from other versions, too; it says nothing of what this
    one gives."""
    hints = get_type_hints(form, include_extras=True) | (REPORTED if form is Figures else {})
    optional: frozenset[str] = getattr(form, "__optional_keys__", frozenset())
    if not getattr(form, "__total__", False):
        optional = frozenset()
    for name in sorted(hints, key=optional.__contains__):
        yield f"`{name}`", f"{_words(hints[name])}{LEFT_OUT if name in optional else ''}"


def title(form: object) -> str:
    """The heading of a form."""
    subject = next((subject for subject, forms in FORMS.items() if forms[0] is form), None)
    name = re.sub("(Report|Result|Part)$", "", getattr(form, "__name__", ""))
    return subject or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).capitalize()


def _words(hint: object) -> str:
    """What a field holds."""
    inner, origin = get_args(hint), get_origin(hint)
    if hint in NAMED:
        return f"[{title(hint).lower()}](#{title(hint).lower().replace(' ', '-')})"
    if origin is NotRequired:
        return f"{_words(inner[0])}{LEFT_OUT}"
    if origin in UNIONS:
        return " or ".join(_words(one) for one in inner)
    if inner and inner[-1] is not object and origin is not tuple:
        held = _words(inner[-1])
        several = f"({held})" if get_origin(inner[-1]) in UNIONS else held
        return f"{'list' if origin is list else 'object'} of {several}"
    return PLAIN.get(hint, "object")


WHO: Final = {
    None: "viewer",
    "dealer": "dealer",
    "supervisor": "supervisor",
    "technician": "supervisor; technician by PIN",
    "witness": "`table-witness`",
}


def requests() -> Iterator[str]:
    """The requests of the control socket."""
    rows = ((f"`{do}`", _given_by(do), ", ".join(_keys(do)) or "–") for do in REQUESTS)
    return as_table(("`do`", "who", "keys, with the most characters"), rows)


def _given_by(do: str) -> str:
    return "root" if do in LISTS else "dealer" if do in WITH_PIN else WHO[REQUESTS[do].role]


def _keys(do: str) -> Iterator[str]:
    yield from (f"`{key}` {most}" for key, most in REQUESTS[do].texts.items())
    yield from (f"`{key}`" for key in REQUESTS[do].numbers)
    if do in COMMANDS:
        yield "`at`, `key`, `dry`, `commands`"
    if do in WITH_PIN:
        yield "`pin`"
    if do == "witnessed":
        yield "`cosignatures`"


def bounds() -> Iterator[str]:
    """What its clients may have of it."""
    at = door.Bounds()
    rows = {
        "connections": f"{at.clients}, of these {at.same_user} by one user, "
        f"and {at.guests} by those who may only look",
        "connecting": f"{at.connections} at once, then {at.connections_per_s:.0f} a second of one "
        f"user; beyond, `unavailable`. All together {acceptor.BURST}, then {acceptor.PER_S:.0f} "
        "a second; more wait",
        "strangers, in none of the groups": f"looked up every {door.STRANGER_S:.0f} s at most. If "
        f"more than {acceptor.STRANGERS} come, and {acceptor.STRANGERS_PER_S:.0f} a second, the "
        f"kernel refuses `connect` (`EACCES`) to all but the groups for {acceptor.SHUT_S:.0f} s",
        "requests": f"{at.burst} at once, then {at.requests_per_s:.0f} a second "
        f"(those who may only look: {at.guest_requests_per_s:.0f}); more wait",
        "an answer that is not taken": f"{at.slow_s:.0f} s, then the connection is dropped; "
        f"a watcher: {at.stuck_s:.0f} s",
        "a connection without requests": f"{at.idle_s:.0f} s, unless it watches",
        "malformed requests": f"{at.malformed}, then the connection is dropped",
        "states sent to a watcher": f"at most {1 / at.watch_interval_s:.0f} a second",
    }
    return as_table(("", ""), rows.items())
