"""What is looked at before opening, each with whether it is well, in plain words, and what to do.

The rules:

- Nothing is judged here that the table judges itself: what holds play makes the table not ready,
  and the fault's own next step is told.
- A notice lets play go on, and is not well all the same before opening, but for those that only
  give weeks of warning (:data:`ADVICE`).
- A device is well if it is connected, reports nothing and has passed the last test of each name; a
  display too, though play goes on without it.
- Where there is nothing to look at, that is said and is no "ok": nothing is approved in the
  configuration, no copy or witness is configured, no night was there yet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from controller.configuration.model import Configuration
from controller.control.answers import NOT_OK, NOTHING, OK, Check, Disk, check
from controller.daemon.health.watches import MIB
from controller.faults import catalogue
from controller.program import this_program
from controller.table import holds
from controller.table.holds import OF_DEVICES
from controller.table.service import OFF
from controller.table.shoe import book, shuffling
from controller.table.state.device import Device
from controller.table.state.parts import Phase
from controller.table.state.table import Table
from drivers.vocabulary import SHOE, SHOE_EMPTY, SHUFFLER, SHUFFLER_STATES

LOAD: Final = "load a shuffled shoe"
SHOWN: Final = 16
"""Characters of a digest in words."""

ADVICE: Final = frozenset({"disk-low", "copy-same-medium", "witness-silent"})
GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "clock": frozenset({"clock-unset", "clock-ahead", "clock-stepped", "zone-unknown"}),
    "disks": frozenset(
        {"disk-low", "disk-full-soon", "disk-slow", "disk-unknown", "copy-same-medium"}
    ),
    "heads": frozenset(
        {
            "heads-failing",
            "heads-doubted",
            "journal-not-signed",
            "journal-cut",
            "journal-differs-from-head",
        }
    ),
    "copy": frozenset({"copy-failing", "copy-damaged", "copy-differs", "journal-behind-copy"}),
    "witnesses": frozenset(
        {"journal-behind-witness", "journal-differs-from-witness", "witness-silent"}
    ),
    "generator": frozenset({"generator-failed"}),
}
"""Faults that belong to a check of their own."""


def all_checks(
    table: Table,
    config: Configuration,
    sealed: Mapping[str, object],
    links: Mapping[str, Mapping[str, object]],
    numbers: Mapping[str, Sequence[str]],
    disks: Sequence[Disk] | None,
    generator: tuple[bool, str],
    clock: str,
    night: Check,
    witnesses: tuple[bool, str],
) -> list[Check]:
    """All of them, what is not well first, then what could not be looked at. ``sealed`` are the
    journal's facts, ``links`` what the status says of each link, ``numbers`` what is wrong with an
    adapter's number, and the next step; ``disks`` None where they did not answer in time."""
    found = [
        _table(table),
        _cards(table),
        *(
            _device(table, device, links.get(device.name, {}), numbers.get(device.name, ()))
            for device in table.devices.values()
        ),
        _approved("program", this_program().digest, config.approved.program),
        _approved("rules", config.table.rules_digest, config.approved.rules),
        _approved("readings", config.table.readings_digest, config.approved.readings),
        _disks(table, disks),
        _of_group(table, "clock", clock),
        _heads(table, sealed),
        _of_group(
            table, "copy", str(config.copy or "none is configured"), nothing=config.copy is None
        ),
        night,
        _witnesses(table, config, witnesses),
        _generator(table, config, generator),
        _other_conditions(table),
    ]
    return sorted(found, key=lambda one: (NOT_OK, NOTHING, OK).index(one["mark"]))


def _table(table: Table) -> Check:
    name = "table"
    if table.hold:
        steps = " ".join(catalogue.fault_of(hold.fault).next_step for hold in table.holds.standing)
        return check(name, f"held: {table.reason}", steps)
    if table.in_service:
        return check(name, "it is in service", f'tablectl supervisor "{OFF}"')
    if table.phase in (Phase.IDLE, Phase.CLOSED):
        return check(name, f"{table.state}, round {table.round_number}")
    return check(name, f"a round is not over ({table.state})", "finish the round and clear it")


def _cards(table: Table) -> Check:
    """A closed table's shoe is loaded when it is opened (Division 15, 7.1)."""
    shoe = table.devices.get(SHOE)
    if blocked := table.shoe.sets.blocked:
        said = (f"set {number} may not be played: {why}" for number, why in blocked.items())
        return check("cards", "; ".join(said), catalogue.fault_of("set-incomplete").next_step)
    if table.phase is Phase.CLOSED:
        return check("cards", "a shuffled shoe is loaded when the table is opened")
    if shoe is not None and shoe.state == SHOE_EMPTY:
        return check("cards", "the card shoe is empty", LOAD)
    refused = shuffling.refused(table)
    if refused is not None:
        return check("cards", refused.reason, LOAD)
    if differs := book.difference(table):
        return check("cards", differs, catalogue.fault_of(book.FAULT).next_step)
    left = book.remaining(table)
    return check("cards", "not counted" if left is None else f"{left} cards are in the shoe")


def _device(
    table: Table, device: Device, link: Mapping[str, object], number: Sequence[str]
) -> Check:
    wrong: list[str] = []
    steps: list[str] = []
    stopped, refused = device.stopped(), link.get("refused")
    step = str(link.get("next_step") or "look at its plug, supply and port")
    if not device.up:
        wrong.append(f"not connected: {link.get('reason') or device.reason}")
        steps.append(f"{step}.")
    elif stopped:
        wrong.append(f"it {stopped}")
        steps.append("put that right.")
    if words := device.fault_words():
        wrong.append(f"it reports {words}")
        steps.append("put that right, or exchange it.")
    if device.up and (trouble := link.get("trouble")):
        wrong.append(str(trouble))
        steps.append(f"{step}.")
    if number:
        wrong.append(number[0])
        steps.append(f"{number[1]}.")
    if new := table.holds.exchanged.get(device.key):
        wrong.append(f"it was exchanged, and nobody has tested it since: {new}")
        steps.append(f"tablectl devices test {device.name}")
    if refused and not stopped:
        wrong.append(str(refused))
        steps.append("switch it off and on.")
    for code, key in OF_DEVICES.items():
        if key == device.key and code in table.holds.conditions and not stopped:
            fault = catalogue.fault_of(code)
            wrong.append(fault.sentence(table.holds.conditions[code]))
            steps.append(fault.next_step)
    tests = ", ".join(
        f"{name} {'well' if test.ok else 'NOT WELL'} ({test.at[:16].replace('T', ' ')})"
        for name, test in device.tests.items()
    )
    for name, test in device.tests.items():
        if not test.ok:
            wrong.append(f"the last test ({name}) was not well, {test.what}")
            hand = " --by-hand" if test.by_hand else ""
            steps.append(f"tablectl devices test {device.name}{hand}")
    who = f"{device.serial or 'no serial number'}, firmware {device.firmware or 'unknown'}"
    loaded = device.kind == SHUFFLER and device.state == SHUFFLER_STATES.index("loaded")
    more = "; the set in it is not shuffled" if loaded else ""
    said = "; ".join(wrong) or f"connected, {who}; tests: {tests or 'none yet'}{more}"
    return check(device.name, said, " ".join(dict.fromkeys(steps)))


def _approved(name: str, digest: str, approved: str) -> Check:
    if not approved:
        return check(name, f"digest {digest[:SHOWN]}; nothing is approved", nothing=True)
    if digest == approved:
        return check(name, f"digest {digest[:SHOWN]}, as approved")
    step = f"install what is approved, or have it approved and written as [approved] {name}"
    return check(name, f"digest {digest}, approved is {approved}", step)


def _disks(table: Table, disks: Sequence[Disk] | None) -> Check:
    if disks is None:
        return check("disks", "a disk does not answer", "look at its cable and supply")
    told = "; ".join(map(_of_disk, disks))
    worn = any(disk["worn"] for disk in disks)
    step = "have the disk exchanged: its memory is worn out" if worn else ""
    return _of_group(table, "disks", told, step)


def _of_disk(disk: Disk) -> str:
    free = "" if disk["free"] is None else f"{disk['free'] // MIB} MiB free"
    free = ", ".join(filter(None, [free, disk["trouble"]]))
    return f"{disk['name']}: {free}, {disk['wear'] or 'of its wear it tells nothing'}"


def _heads(table: Table, sealed: Mapping[str, object]) -> Check:
    to = sealed.get("sealed_to")
    last = "no head is signed yet" if to is None else f"the last head is for {to}"
    what = f"every entry is signed, {last}, key "
    return _of_group(table, "heads", what + str(sealed["key"])[:SHOWN])


def _witnesses(table: Table, config: Configuration, told: tuple[bool, str]) -> Check:
    well, what = told
    step = "" if well else catalogue.fault_of("witness-silent").next_step
    return _of_group(table, "witnesses", what, step, nothing=not config.cosigners)


def _generator(table: Table, config: Configuration, told: tuple[bool, str]) -> Check:
    if config.weights is None:
        return check("generator", "these rules draw no multiplier")
    well, what = told
    return _of_group(table, "generator", what, "" if well else "call support; nothing is drawn")


def _other_conditions(table: Table) -> Check:
    grouped: Collection[str] = frozenset().union(*GROUPS.values(), OF_DEVICES, {holds.FAULT})
    others = [code for code in _stand(table) if code not in grouped]
    return _standing(table, "conditions", others, "" if others else "none")


def _of_group(
    table: Table, name: str, what: str, step: str = "", *, nothing: bool = False
) -> Check:
    codes = [code for code in _stand(table) if code in GROUPS[name]]
    return _standing(table, name, codes, what, step, nothing=nothing)


def _stand(table: Table) -> Iterator[str]:
    """The conditions that stand, and what holds play."""
    yield from dict.fromkeys([*table.holds.conditions, *(h.fault for h in table.holds.standing)])


def _standing(
    table: Table,
    name: str,
    codes: Sequence[str],
    what: str,
    step: str = "",
    *,
    nothing: bool = False,
) -> Check:
    said = [
        catalogue.fault_of(code).sentence(table.holds.conditions.get(code, "")) for code in codes
    ]
    steps = [catalogue.fault_of(code).next_step for code in codes if code not in ADVICE]
    told, next_step = "; ".join(filter(None, [what, *said])), " ".join(filter(None, [step, *steps]))
    return check(name, told, next_step, nothing=nothing and not said)
