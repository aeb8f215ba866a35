"""What integrators of a device are told: the messages as data, what the conformance run demands,
what a driver owes, and the dissector for Wireshark."""

from __future__ import annotations

from collections.abc import Iterator

from drivers.api import DeviceLink
from drivers.table_link import messages
from drivers.table_link.layout import Field
from drivers.table_link.messages import NAK, SPECS, Role, Spec
from drivers.vocabulary import FAULT_BITS, KINDS, PLAIN_KINDS, SHOE_STATES, SHUFFLER_STATES
from hil_tests.conformance.catalogue import Check, checks
from pages.generated import as_table, items

_NUMBERS = {
    "`kind` of `HELLO`": ", ".join(f"{one} {PLAIN_KINDS[kind]}" for one, kind in KINDS.items()),
    "`code` of `NAK`": "1 unknown type, 2 bad body, 3 not in this state, 4 busy, "
    "5 hardware fault, 6 `HELLO` first",
    "`faults`, by bit": ", ".join(f"{bit} {name}" for bit, name in enumerate(FAULT_BITS)),
    "`capabilities` of a shoe, by bit": "0 gate, 1 card UIDs, 2 cutting-card sensor, "
    "3 counts what remains",
    "`colour` of `SIGNAL`": "0 off, 1 green, 2 amber, 3 red",
    "`rank`": "1 ace to 13 king",
    "`suit`": "0 unread, 1 clubs, 2 diamonds, 3 hearts, 4 spades",
    "`flags` of `CARD`, by bit": "0 lay face up, 1 left together with the one before, "
    "2 another back, 3 drawn through a locked gate, 4 damaged",
    "`remaining`": "0xFFFF unknown",
    "`state` of `SHOE_STATE`": ", ".join(f"{n} {name}" for n, name in enumerate(SHOE_STATES)),
    "`state` of a shoe's `PING`": "0 empty, 1 locked, 2 unlocked, 3 lid open, 4 fault",
    "`state` of `SHUFFLER_STATE`": ", ".join(f"{n} {s}" for n, s in enumerate(SHUFFLER_STATES)),
    "`progress`": "in thousandths",
    "`result` of `SHUFFLE_DONE`": "0 complete, 1 missing, 2 extra, 3 unreadable, 4 foreign",
    "`state` of `METER` and of a unit's `PING`": "0 idle, 1 armed, 2 spinning, 3 showing, 4 test, "
    "5 fault",
    "`lit` of `LAMPS`, by bit": "n-1 box n, 16 the hold lamp",
}

_SHAPES = {"i": " (signed)", "s": " (text)", "x": " (bytes)", "v": " (major, minor, patch)"}


def message_sections() -> Iterator[str]:
    """The messages of every device, and those of each kind."""
    yield from ("## Every device", "", *_rows(frozenset(KINDS.values())))
    for kind in KINDS.values():
        yield from ("", f"## {PLAIN_KINDS[kind].capitalize()}", "", *_rows(frozenset({kind})))


def numbers() -> Iterator[str]:
    """What numbers of the messages mean."""
    return as_table(("number", "meaning"), _NUMBERS.items())


def _rows(kinds: frozenset[str]) -> Iterator[str]:
    def role(spec: Spec) -> str:
        return "any command's answer" if spec.type == NAK else spec.role.value

    rows = (
        (f"0x{spec.type:02X}", f"`{spec.name}` {role(spec)}", _body(spec), _answer(spec))
        for spec in SPECS.values()
        if spec.kinds == kinds and (spec.role is not Role.ANSWER or spec.type == NAK)
    )
    return as_table(("type", "name", "body", "answer"), rows)


def _answer(spec: Spec) -> str:
    if spec.role is not Role.COMMAND:
        return ""
    return (
        "not answered"
        if spec.type == messages.EVENT_ACK
        else _body(SPECS[spec.type | messages.ANSWER_BIT])
    )


def _body(spec: Spec) -> str:
    fields = spec.layout.fields
    return " ".join(f"`{f.name}:{f.size}`{_SHAPES.get(f.shape, '')}" for f in fields) or "–"


def duties() -> Iterator[str]:
    """What a driver owes."""
    yield from (f"{at}. {duty}" for at, duty in enumerate(items(DeviceLink), 1))


def demands() -> Iterator[str]:
    """The checks of the conformance run. Equal sections stand together; within one the order is
    that of the run."""
    rows = (
        (
            check.section.removeprefix("section "),
            check.name.replace("_", " "),
            f"{check.demand[0].upper()}{check.demand[1:]}",
            _about(check),
        )
        for check in sorted(checks(), key=lambda check: check.section)
    )
    return as_table(("section", "check", "what it demands", "of"), rows)


def _about(check: Check) -> str:
    kinds = ", ".join(PLAIN_KINDS[kind] for kind in check.kinds)
    carriers = ", ".join({"usb": "USB", "serial": "serial lines"}[each] for each in check.carriers)
    told = " on ".join(filter(None, [kinds or "every device", carriers]))
    return f"{told}; a person" if check.person else told


def types() -> Iterator[str]:
    """Of the dissector for Wireshark: the names of types."""
    return (f'    [0x{spec.type:02X}] = "{_name(spec)}",' for spec in SPECS.values())


def fields() -> Iterator[str]:
    """Of the dissector: the fields of every message."""
    return (line for spec in SPECS.values() for line in _fields(spec))


def layouts() -> Iterator[str]:
    """Of the dissector: which fields a message has."""
    return (line for spec in SPECS.values() for line in _message(spec))


def _name(spec: Spec) -> str:
    answers = spec.role is Role.ANSWER and spec.type != NAK
    return f"{spec.name} answer" if answers else spec.name


def _key(spec: Spec, field: Field) -> str:
    return f"{_name(spec)}_{field.name}".replace(" ", "_").lower()


def _fields(spec: Spec) -> Iterator[str]:
    for field in spec.layout.fields:
        name = f"{_name(spec)}.{field.name}".replace(" ", "_").lower()
        values = ""
        if field.name == "kind":
            kinds = ", ".join(f'[{number}] = "{kind}"' for number, kind in KINDS.items())
            values = f", base.DEC, {{ {kinds} }}"
        elif field.name == "refused":
            values = ", base.HEX, types"
        made = f'ProtoField.{_type(field)}("table_link.{name}", "{field.name}"{values})'
        yield f"f.{_key(spec, field)} = {made}"


def _type(field: Field) -> str:
    if field.shape in ("s", "v"):
        return "string"
    if field.shape == "x":
        return "bytes"
    return f"{'' if field.shape else 'u'}int{field.size * 8}"


def _message(spec: Spec) -> Iterator[str]:
    head = f'name = "{_name(spec)}", size = {spec.layout.size}'
    yield f"    [0x{spec.type:02X}] = {{ {head}, fields = {{"
    for field in spec.layout.fields:
        told = f'name = "{field.name}", size = {field.size}, shape = "{field.shape}"'
        yield f"        {{ field = f.{_key(spec, field)}, {told} }},"
    yield "    } },"
