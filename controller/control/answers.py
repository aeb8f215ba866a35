"""What answers on the control socket hold, where a program reads them (docs/control-socket.md)."""

from __future__ import annotations

from typing import Final, TypedDict

from controller.forms.json_values import JsonObject


class NewestCheckpoint(TypedDict):
    """See :meth:`controller.daemon.witnesses.Witnesses.checkpoint`."""

    checkpoint: str
    size: int
    proof: list[str] | None
    cosigned: dict[str, int]


class SelfTestOutcome(TypedDict):
    """What came of a self-test: the numbers of the tests that ``failed`` and the duration as the
    device says them; ``trouble`` in plain words where it did not say."""

    device: str
    well: bool
    failed: list[int]
    duration_ms: int | None
    trouble: str


class Portion(TypedDict, total=False):
    """A device's traffic: ``lines`` in order and how many after them were ``dropped``; the first
    portion has the ``head``; ``more`` when some is left; ``over``: why a trial has ended."""

    lines: list[JsonObject]
    dropped: int
    more: bool
    head: JsonObject
    over: str


OK: Final = "ok"
NOT_OK: Final = "not ok"
NOTHING: Final = "nothing"


class Check(TypedDict):
    """One thing that was looked at; ``next_step`` is empty where it is ``ok``. ``mark`` is ``ok``,
    ``not ok``, or ``nothing`` where there was nothing to look at: nothing is approved, no night
    yet, no copy. That keeps no table shut, so it is ``ok`` for a program."""

    name: str
    ok: bool
    mark: str
    what: str
    next_step: str


def check(name: str, what: str, next_step: str = "", *, nothing: bool = False) -> Check:
    """Well unless it says what to do next; ``nothing``: there was nothing to look at, either."""
    mark = NOT_OK if next_step else NOTHING if nothing else OK
    return {"name": name, "ok": not next_step, "mark": mark, "what": what, "next_step": next_step}


class DeviceTest(TypedDict):
    """A test of a device, and when it was (ISO 8601)."""

    ok: bool
    what: str
    by_hand: bool
    at: str


class DevicePart(TypedDict, total=False):
    """A device: what the status says of it, and its last ``tests`` by name."""

    kind: str
    link: str
    serial: str | None
    firmware: str | None
    since: str | None
    port: str
    tests: dict[str, DeviceTest]


class Disk(TypedDict):
    """A place on a disk: what it is for, where it is, the bytes that are ``free`` (None: it does
    not say, and ``trouble`` why), its ``wear`` in words ("" where it does not tell), and whether it
    is ``worn`` out."""

    name: str
    path: str
    free: int | None
    trouble: str
    wear: str
    worn: bool


class ProgramPart(TypedDict):
    """The running program."""

    name: str
    version: str
    engine: str
    digest: str
    libraries_digest: str


class DocumentPart(TypedDict):
    """The rule document that is played, ``digest`` that of its file, ``readings`` of its
    readings."""

    id: str
    title: str
    version: str
    digest: str
    readings: str


class ReadinessReport(TypedDict, total=False):
    """The whole report. ``counted`` and ``since`` (the report before, None: the first one) only
    where a supervisor asked; ``stored``: it is an entry of the journal. ``weights`` are pairs of
    multiplier and weight."""

    ready: bool
    checks: list[Check]
    at: str
    table: str
    round: int
    state: str
    program: ProgramPart
    configuration: dict[str, str]
    rules: DocumentPart
    decks: int
    boxes: int
    limits: dict[str, str | None]
    weights: list[list[int]]
    approved: dict[str, str]
    journal: dict[str, object]
    devices: dict[str, DevicePart]
    disks: list[Disk] | None
    counted: dict[str, int]
    since: str | None
    stored: bool
