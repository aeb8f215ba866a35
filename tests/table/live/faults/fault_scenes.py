"""How a table comes to be held by each fault, for tests of the catalogue."""

from __future__ import annotations

from collections.abc import Callable

from controller.faults.catalogue import CATALOGUE
from hil_tests.benches.driven_table import FACE_UP, FOREIGN, LOCKED, TOGETHER
from tests.table.live.driver import DIV, Live, dealt, spinning

Makes = Callable[[], Live]

CONDITIONS = [
    code
    for code, fault in CATALOGUE.items()
    if fault.of_controller and code not in ("power-failure", "journal-differs", "two-controllers")
]
"""What the daemon tells as a condition."""


def tell(table: Live, code: str, detail: str = "it is so", *, present: bool = True) -> list[str]:
    body = {"fault": code, "present": present, "detail": detail}
    return table.apply("condition", body).notes


def _slips(text: str, flags: int = 0, rules: str = DIV, decks: int = 8) -> Makes:
    def make() -> Live:
        table = dealt("9C 7D", rules=rules, decks=decks)
        table.slip(text, flags)
        return table

    return make


def _links(name: str = "shoe", **more: object) -> Makes:
    def make() -> Live:
        table = dealt("9C 7D")
        body = {"up": True, "serial": f"{name}-1", "new_session": True, "last_event": 90}
        table.apply("link", {**body, "taken": 90, **more}, device=name, session=100)
        return table

    return make


def drawn(tell_it: Callable[[Live], object]) -> Makes:
    def make() -> Live:
        table = spinning()
        tell_it(table)
        return table

    return make


def _shown_twice(table: Live) -> None:
    table.shown(25)
    table.shown(50)


def _between_rounds() -> Live:
    table = Live()
    table.slip("5C")
    return table


def _shoe(*states: tuple[int, int]) -> Makes:
    def make() -> Live:
        table = dealt("9C 7D 9H")
        for state, remaining in states:
            table.shoe((state, remaining))
        return table

    return make


def _counted_wrong() -> Live:
    table = Live()
    fields = {"rank": 9, "suit": 1, "flags": 0, "card_uid": 0}
    table.say("burn")
    table.device("shoe", "CARD", **fields, remaining=383)
    table.shoe((1, 300))
    return table


def _refused() -> Live:
    table = dealt("9C 7D")
    table.apply("refused", {"command": "GATE", "code": 5}, device="shoe")
    return table


def _cut_off() -> Live:
    table = dealt("9C 7D")
    table.start("boot-2")
    return table


def _differs() -> Live:
    table = Live()
    settings = table.settings.dump()
    table.apply("start", {"boot_id": "boot-1", "settings": settings, "differences": ["entry 7"]})
    return table


def _cover() -> Live:
    table = dealt("9C 7D")
    table.device("jackpot", "COVER", open=1)
    return table


def _void_asked(table: Live) -> None:
    table.shown(25)
    table.order("void")


SCENES: dict[str, Makes] = {
    "card-unread": _slips("??"),
    "card-foreign": _slips("5C", FOREIGN),
    "card-excess": _slips("9C", decks=1),
    "card-locked": _slips("5C", LOCKED),
    "card-face-up": _slips("5C", FACE_UP),
    "cards-together": _slips("5C", TOGETHER),
    "card-unexpected": _between_rounds,
    "void-unconfirmed": drawn(_void_asked),
    "shoe-count": _counted_wrong,
    "shoe-reloaded": _shoe((0, 0), (1, 384)),
    "device-restarted": _links(),
    "device-replaced": _links("jackpot", serial="other-9"),
    "device-altered": _links("shoe", firmware=[1, 0, 1]),
    "device-refuses": _refused,
    "two-controllers": _links(lost=[88, 90], greeted=True),
    "journal-cut": _links(lost=[88, 90], greeted=False),
    "cover-open": _cover,
    "meter-differs": drawn(lambda table: table.shown(50)),
    "meter-differs-later": drawn(_shown_twice),
    "meter-silent": drawn(lambda table: table.apply("overdue", {"offer": 1})),
    "power-failure": _cut_off,
    "journal-differs": _differs,
}


def _reports(trigger: str) -> Makes:
    """A round in which the supervisor reports it."""

    def make() -> Live:
        table = dealt("9C 7D 9H 8D 8C", "1 main 10, 2 main 10", rules=DIV).play("stand 1")
        for form in ("{}", "{} 1", "{} 1 10", "{} 9C"):
            try:
                table.order("report " + form.format(trigger))
            except Exception:
                continue
            return table
        return table

    return make


HOLDING = [
    *SCENES.items(),
    *(
        (trigger, _reports(trigger))
        for trigger in ("misdeal", "wrong-decision", "overlooked", "other")
    ),
]
