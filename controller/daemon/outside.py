"""The daemon's environment in one place: clocks, random bits, ports and the commit thread.

Everything else in the daemon is a function of what this module provides. A test that runs the
daemon in another world (virtual time, wires from a seed, a disk that fails on command) makes
another :class:`Outside` and the same code runs in it. The event loop is passed separately.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, TypeVar

from controller.daemon.committer import Committed, Committer
from controller.daemon.health.clock import synchronised
from controller.daemon.health.memory import ProcessMemory, read_memory
from controller.files.media import FreeRoom, Room
from controller.journal.model import Draft
from controller.journal.store import Journal
from controller.local_time import LocalZone, local_zone
from controller.regular_files import read_whole
from controller.threads import NoThread, start_work
from drivers.api import OpenLink
from drivers.registry import open_device

T = TypeVar("T")

_log = logging.getLogger(__name__)

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Committing(Protocol):
    """Makes drafts durable; really :class:`controller.daemon.committer.Committer`."""

    handed_over: Callable[[], None]
    durable: Callable[[], None]
    settled: Callable[[], None]

    def start(self) -> None:
        """From now on the journal is its own."""

    def submit(self, draft: Draft, committed: Committed) -> None:
        """Have ``draft`` made durable, then ``committed`` called in the loop with its entry."""

    def age_s(self) -> float:
        """For how long the oldest draft has waited to become durable, in seconds."""

    def longest_s(self) -> float:
        """How long the longest commit has taken since this was last asked, in seconds."""

    def in_the_disk(self) -> bool:
        """Whether the kernel says that what is committed waits for a disk."""

    def journal_holder(self) -> str:
        """Which other program keeps the journal from being written; "" for none."""

    def close(self, within_s: float | None = None) -> bool:
        """Commit what waits; whether that was done in time."""


MakeCommitter = Callable[
    [Journal, asyncio.AbstractEventLoop, Callable[[Exception], None]], Committing
]


class Aside(Protocol):
    """Does what takes a while."""

    def __call__(
        self,
        loop: asyncio.AbstractEventLoop,
        work: Callable[[], T],
        then: Callable[[T], None],
        lost: Callable[[Exception], T],
        /,
    ) -> None:
        """Run ``work`` outside the loop, then call ``then`` in the loop with its result, or with
        what ``lost`` makes of the exception by which it ended or could not begin."""


def in_a_thread(
    loop: asyncio.AbstractEventLoop,
    work: Callable[[], T],
    then: Callable[[T], None],
    lost: Callable[[Exception], T],
) -> None:
    """Do it in a thread of its own, which ends with it (:class:`Aside`). Never raises."""

    def hand_over(answer: T | Exception) -> None:
        if isinstance(answer, Exception):
            _log.error("what was done beside the loop failed", exc_info=answer)
            answer = lost(answer)
        with contextlib.suppress(RuntimeError):  # the loop is closed: no one needs the result
            loop.call_soon_threadsafe(then, answer)

    try:
        start_work(work, hand_over, "aside")
    except NoThread as error:
        loop.call_soon(then, lost(error))


def read_boot_id() -> str:
    """The kernel's name of this boot."""
    return read_whole(BOOT_ID).decode("ascii").strip()


def now() -> datetime:
    """The wall clock, UTC; only ever a remark."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Outside:
    """``boot_id`` names the boot of the controller; ``wall`` is the wall clock (UTC), ``mono_ns``
    the monotonic one in nanoseconds; ``bits(k)`` are k bits of the generator that draws; ``room``
    is what may still be written at a place; ``aside`` does what takes a while; ``synchronised``
    says whether the network keeps the clock right."""

    boot_id: Callable[[], str] = read_boot_id
    wall: Callable[[], datetime] = now
    mono_ns: Callable[[], int] = time.monotonic_ns
    bits: Callable[[int], int] = secrets.randbits
    open_device: OpenLink = open_device
    room: Callable[[Path], FreeRoom] = field(default_factory=Room)
    memory: Callable[[], ProcessMemory] = read_memory
    committer: MakeCommitter = Committer
    aside: Aside = in_a_thread
    synchronised: Callable[[], bool | None] = synchronised
    zone: Callable[[], LocalZone] = local_zone
