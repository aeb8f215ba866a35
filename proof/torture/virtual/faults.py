"""What goes wrong at a table, kind by kind, from a seed.

A fault is something done to the site; what has to end again (a bad line, an open lid) ends by
itself after a while. :data:`KINDS` names each; the account of a shift counts them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from proof.torture.virtual.site import Device, Site
from simulators.lines.line import QUIET, Noise

Fault = Callable[[Site, random.Random], object]


def _device(site: Site, source: random.Random) -> Device:
    return site.devices[source.choice(sorted(site.devices))]


def _later(site: Site, source: random.Random, longest_s: float, then: Callable[[], Any]) -> None:
    site.world.outer.call_later(source.uniform(0.05, longest_s), then)


# ---- the machine --------------------------------------------------------------------------------


def killed(site: Site, source: random.Random) -> None:
    """The process is killed at any moment."""
    life = site.alive

    def kill() -> None:
        if site.life is life and not life.over:
            site.end_life()

    _later(site, source, 2.0, kill)


def killed_sending(site: Site, source: random.Random) -> None:
    """It is killed between two things that it sends."""
    site.alive.fate.sends_left = source.randrange(12)


def at_a_commit(what: str) -> Fault:
    """One of the next commits ends the process: it is killed ``before`` that or ``after``, with
    nobody told; or it ``fails``, and the process ends rather than try again."""

    def plan(site: Site, source: random.Random) -> None:
        setattr(site.alive.fate.disk, what, source.randrange(6))

    return plan


def power_cut(site: Site, source: random.Random) -> None:
    """The machine loses its power, and some of the devices with it."""
    site.end_life(new_boot=True)
    for name in sorted(site.devices):
        if source.random() < 0.5:
            site.devices[name].handle("restart")


def stopped(site: Site, source: random.Random) -> None:
    """It is stopped in good order, and started again."""
    if not site.alive.over:
        site.life.stop()


def disk_slow(site: Site, source: random.Random) -> None:
    """The disk takes its time."""
    plan = site.alive.fate.disk
    plan.slow_s = (0.001, source.choice((0.02, 0.3, 1.5)))
    _later(site, source, 20.0, lambda: setattr(plan, "slow_s", (0.0, 0.0)))


def clock_steps(site: Site, source: random.Random) -> None:
    """The wall clock is set, forward or back."""
    site.alive.fate.skew_s += source.choice((-86_400.0, -3600.0, -2.0, 2.0, 3600.0))


# ---- the lines ----------------------------------------------------------------------------------


def noise(site: Site, source: random.Random) -> None:
    """A line is bad for a while."""
    line = _device(site, source).line
    rate = source.choice((0.0005, 0.005, 0.03))
    line.noise = Noise(flip=rate, drop=rate / 2, double=rate / 4, insert=rate / 4)
    _later(site, source, 8.0, lambda: setattr(line, "noise", QUIET))


def cut_in_frame(site: Site, source: random.Random) -> None:
    """A plug comes out in the middle of a frame."""
    device = _device(site, source)
    device.handle("unplug", after_bytes=source.randrange(1, 60))
    _later(site, source, 6.0, lambda: (device.handle("unplug"), device.handle("plug")))


def held_back(site: Site, source: random.Random) -> None:
    """A line hears or says nothing for a while; then all of it comes, or is lost."""
    device = _device(site, source)
    inward = source.random() < 0.5
    device.handle("hold_back", inward=inward, outward=not inward)
    drop = source.random() < 0.5
    _later(site, source, 4.0, lambda: device.handle("let_go", drop=drop))


# ---- the devices --------------------------------------------------------------------------------


def device_restarts(site: Site, source: random.Random) -> None:
    """A device loses its power for a moment and remembers what nobody has stored."""
    _device(site, source).handle("restart")


def device_forgets(site: Site, source: random.Random) -> None:
    """A device loses its memory of events."""
    device = _device(site, source)
    _forgets(site, device)
    device.handle("restart", forget=True)


def device_exchanged(site: Site, source: random.Random) -> None:
    """A device is exchanged for another one of its kind."""
    device = _device(site, source)
    _forgets(site, device)
    device.exchange()


def _forgets(site: Site, device: Device) -> None:
    """What the device has told nobody is lost with it: the ledger must not expect it."""
    if device.name == "shoe":
        site.ledger.shoe_forgets(device.twin.unacknowledged)
    elif device.name == "jackpot":
        site.ledger.unit_forgets()


def card_drawn(force: bool = False, **marks: bool) -> Fault:
    """Somebody pulls a card, if the shoe gives it: one that cannot be read (``unread``), or through
    the gate (``force``)."""
    return lambda site, _: _draw(site, force=force, **marks)


def card_damaged(site: Site, source: random.Random) -> None:
    """A card is damaged, has another back, or lies face up."""
    _draw(site, **{source.choice(("other_back", "face_up", "damaged")): True})


def cards_together(site: Site, source: random.Random) -> None:
    """Two cards leave at once."""
    if _draw(site):
        _draw(site, force=True, together=True)


def _draw(site: Site, *, force: bool = False, **marks: bool) -> bool:
    shoe = site.devices["shoe"]
    model = shoe.model
    gives = bool(model.cards and not model.lid_open and (model.unlocked or force))
    if gives:
        shoe.handle("draw", force=force, **marks)
    return gives


def handled(
    name: str, longest_s: float, deed: tuple[str, bool | None], undone: tuple[str, bool | None]
) -> Fault:
    """Something is done to the device of that name (any, where it is empty), and after a while
    something else: a lid, say, is opened, and closed."""

    def handle(device: Device, verb: str, opens: bool | None) -> None:
        device.handle(verb, **({} if opens is None else {"open": opens}))

    def do_both(site: Site, source: random.Random) -> None:
        device = site.devices.get(name) if name else _device(site, source)
        if device is not None:
            handle(device, *deed)
            _later(site, source, longest_s, lambda: handle(device, *undone))

    return do_both


def button_stuck(site: Site, source: random.Random) -> None:
    """The button is held down."""
    unit = site.devices.get("jackpot")
    if unit is not None and unit.model.down_since is None:
        model = unit.model
        unit.handle("hold")
        _later(site, source, 9.0, lambda: unit.model is model and unit.handle("release"))


def meter_wrong(site: Site, source: random.Random) -> None:
    """The meter cannot be read, or shows something else, for a while."""
    unit = site.devices.get("jackpot")
    if unit is not None:
        unit.handle("display", mode=source.choice(("dark", "wrong")))
        _later(site, source, 10.0, lambda: unit.handle("display", mode="good"))


def keys_hit(site: Site, source: random.Random) -> None:
    """Somebody leans on the keypad."""
    keys = "".join(source.choice("0123456789.#*NBMPJSDLIUYFE") for _ in range(source.randrange(30)))
    site.devices["keypad"].handle("key", keys=keys)


_OF_ITSELF: Final = (
    *(killed, killed_sending, power_cut, stopped, disk_slow, clock_steps),
    *(noise, cut_in_frame, held_back),
    *(device_restarts, device_forgets, device_exchanged, card_damaged, cards_together),
    *(button_stuck, meter_wrong, keys_hit),
)

KINDS: Final[dict[str, Fault]] = {
    **{fault.__name__.replace("_", " "): fault for fault in _OF_ITSELF},
    "killed before commit": at_a_commit("before"),
    "killed after commit": at_a_commit("after"),
    "disk fails": at_a_commit("fails"),
    "card unread": card_drawn(unread=True),
    "card forced": card_drawn(force=True),
    "unplugged": handled("", 5.0, ("unplug", None), ("plug", None)),
    "lid opened": handled("shoe", 3.0, ("lid", True), ("lid", False)),
    "cover opened": handled("jackpot", 5.0, ("cover", True), ("cover", False)),
    "shuffler jams": handled("shuffler", 5.0, ("jam", None), ("door", False)),
}
