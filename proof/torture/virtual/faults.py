"""What goes wrong at a table, kind by kind, from a seed.

A fault is something done to the site; what has to end again (a bad line, an open lid) ends by
itself after a while. Each kind is named; the account of a shift counts them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from proof.torture.virtual.devices import Device
from proof.torture.virtual.site import Site
from simulators.lines.line import QUIET, Noise

Fault = Callable[[Site, random.Random], None]


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


def killed_before_commit(site: Site, source: random.Random) -> None:
    """It is killed when a commit was about to be made."""
    site.alive.fate.disk.before = source.randrange(6)


def killed_after_commit(site: Site, source: random.Random) -> None:
    """It is killed when a commit was made, and nobody told."""
    site.alive.fate.disk.after = source.randrange(6)


def killed_sending(site: Site, source: random.Random) -> None:
    """It is killed between two things that it sends."""
    site.alive.fate.sends_left = source.randrange(12)


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


def disk_fails(site: Site, source: random.Random) -> None:
    """A commit fails: the process ends rather than try again."""
    site.alive.fate.disk.fails = source.randrange(6)


def disk_slow(site: Site, source: random.Random) -> None:
    """The disk takes its time."""
    plan = site.alive.fate.disk
    plan.slow_s = (0.001, source.choice((0.02, 0.3, 1.5)))

    def quick() -> None:
        plan.slow_s = (0.0, 0.0)

    _later(site, source, 20.0, quick)


def clock_steps(site: Site, source: random.Random) -> None:
    """The wall clock is set, forward or back."""
    site.alive.fate.skew_s += source.choice((-86_400.0, -3600.0, -2.0, 2.0, 3600.0))


# ---- the lines ----------------------------------------------------------------------------------


def noise(site: Site, source: random.Random) -> None:
    """A line is bad for a while."""
    line = _device(site, source).line
    rate = source.choice((0.0005, 0.005, 0.03))
    line.noise = Noise(flip=rate, drop=rate / 2, double=rate / 4, insert=rate / 4)

    def good() -> None:
        line.noise = QUIET

    _later(site, source, 8.0, good)


def unplugged(site: Site, source: random.Random) -> None:
    """A plug is pulled, and put back."""
    device = _device(site, source)
    device.handle("unplug")
    _later(site, source, 5.0, lambda: device.handle("plug"))


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


def card_unread(site: Site, source: random.Random) -> None:
    """A card is drawn that the shoe cannot read."""
    _draw(site, unread=True)


def card_damaged(site: Site, source: random.Random) -> None:
    """A card is damaged, has another back, or lies face up."""
    _draw(site, **{source.choice(("other_back", "face_up", "damaged")): True})


def cards_together(site: Site, source: random.Random) -> None:
    """Two cards leave at once."""
    if _draw(site):
        _draw(site, force=True, together=True)


def card_forced(site: Site, source: random.Random) -> None:
    """A card is pulled through the gate."""
    _draw(site, force=True)


def lid_opened(site: Site, source: random.Random) -> None:
    """The lid of the shoe is opened for a moment."""
    shoe = site.devices["shoe"]
    shoe.handle("lid", open=True)
    _later(site, source, 3.0, lambda: shoe.handle("lid", open=False))


def button_stuck(site: Site, source: random.Random) -> None:
    """The button is held down."""
    unit = site.devices.get("jackpot")
    if unit is not None and unit.model.down_since is None:
        model = unit.model
        unit.handle("hold")
        _later(site, source, 9.0, lambda: unit.model is model and unit.handle("release"))


def cover_opened(site: Site, source: random.Random) -> None:
    """The cover of the jackpot unit is opened."""
    unit = site.devices.get("jackpot")
    if unit is not None:
        unit.handle("cover", open=True)
        _later(site, source, 5.0, lambda: unit.handle("cover", open=False))


def meter_wrong(site: Site, source: random.Random) -> None:
    """The meter cannot be read, or shows something else, for a while."""
    unit = site.devices.get("jackpot")
    if unit is not None:
        unit.handle("display", mode=source.choice(("dark", "wrong")))
        _later(site, source, 10.0, lambda: unit.handle("display", mode="good"))


def shuffler_jams(site: Site, source: random.Random) -> None:
    """The shuffler jams, and its door is opened and closed."""
    shuffler = site.devices["shuffler"]
    shuffler.handle("jam")
    _later(site, source, 5.0, lambda: shuffler.handle("door", open=False))


def keys_hit(site: Site, source: random.Random) -> None:
    """Somebody leans on the keypad."""
    keys = "".join(source.choice("0123456789.#*NBMPJSDLIUYFE") for _ in range(source.randrange(30)))
    site.devices["keypad"].handle("key", keys=keys)


def _forgets(site: Site, device: Device) -> None:
    """What the device has told nobody is lost with it: the ledger must not expect it."""
    if device.name == "shoe":
        site.ledger.shoe_forgets(device.twin.unacknowledged)
    elif device.name == "jackpot":
        site.ledger.unit_forgets()


def _draw(site: Site, *, force: bool = False, **marks: bool) -> bool:
    """Somebody pulls a card, if the shoe gives it."""
    shoe = site.devices["shoe"]
    model = shoe.model
    if not model.cards or model.lid_open or not (model.unlocked or force):
        return False
    shoe.handle("draw", force=force, **marks)
    return True


KINDS: dict[str, Fault] = {
    fault.__name__.replace("_", " "): fault
    for fault in (
        killed,
        killed_before_commit,
        killed_after_commit,
        killed_sending,
        power_cut,
        stopped,
        disk_fails,
        disk_slow,
        clock_steps,
        noise,
        unplugged,
        cut_in_frame,
        held_back,
        device_restarts,
        device_forgets,
        device_exchanged,
        card_unread,
        card_damaged,
        cards_together,
        card_forced,
        lid_opened,
        button_stuck,
        cover_opened,
        meter_wrong,
        shuffler_jams,
        keys_hit,
    )
}
