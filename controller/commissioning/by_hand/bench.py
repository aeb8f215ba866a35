"""A device that is being tried: its commands, and what its line says.

Two connections: on one the controller sends the device's traffic for as long as the trial lasts, a
thread of its own takes it; on the other commands are given. What a device repeats is taken once.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from controller.commissioning.machine_tests import TestOutcome
from controller.commissioning.person import PersonAtTerminal
from controller.control.answers import Portion
from controller.control.client import ControlClient, NoController
from controller.forms.json_values import checked
from controller.threads import start

ANSWERED_S: Final = 30.0
LOOK_S: Final = 0.1
"""Between two looks at what the person has typed."""
KEPT_S: Final = 120.0
"""A connection without requests is dropped after 300 s."""
NS: Final = 1e9


class Failed(Exception):
    """A test that is not well; the message says what was found, and what to do."""


class NobodyHere(Failed):
    """Nobody was there to do it or to look: nothing is known of the device."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of the device: its name in the link protocol, its fields, and when the controller
    saw it, in seconds of its monotonic clock."""

    name: str
    fields: Mapping[str, object]
    at_s: float

    def whole_number(self, field: str) -> int:
        """A whole number among its fields."""
        return checked(int, self.fields[field], field)


@dataclass(frozen=True, slots=True)
class WantedTrial:
    """What is to be tried (``only`` these tests, none for all; a known ``pack`` in its order, none
    for a new one), and what the table has for it: the meter's ``figures``, the cards in a set
    (``count``, None where it is not known), whether packs have ``tens``."""

    only: Sequence[str] = ()
    pack: Sequence[str] = ()
    passes: int = 1
    set: int = 1
    figures: Sequence[int] = ()
    count: int | None = None
    tens: bool = True


class Bench:
    """The trial of a device; a context manager, whose end puts the device back where it was.
    ``wait_s``: how long a person or the device is waited for. Raises ``RefusedByController``: not
    now, or no such device."""

    def __init__(
        self,
        socket: Path,
        device: str,
        person: PersonAtTerminal,
        wait_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.device = device
        self.person = person
        self.wait_s = wait_s
        self._clock = clock
        self._heard: queue.SimpleQueue[Heard | None] = queue.SimpleQueue()
        self._seen: set[str] = set()
        self._stream = ControlClient(socket)
        self._socket = socket
        self._talk, self._talked = self._stream, clock()
        self._listener = threading.Thread(target=self._listen, name=f"trial of {device}")
        try:
            self._talk = ControlClient(socket, answer_s=ANSWERED_S)
            self._portions = self._stream.capture(device, "try")
            self._take_portion(next(self._portions))
            start(self._listener)
        except BaseException:
            self._close()
            raise

    def command(self, text: str) -> Heard:
        """The device's answer; raises ``Failed`` where it refuses, and ``RefusedByController``
        where the trial is over, or its link broke."""
        answer = self._talking().request("device_command", device=self.device, command=text)
        name = text.split(maxsplit=1)[0]
        if "nak" in answer:
            raise Failed(f"it refuses {name}: {answer['why']} (NAK {answer['nak']})")
        fields = checked(dict[str, object], answer["fields"], "fields")
        return Heard(f"{name} answer", fields, self._clock())

    def store(self, test: TestOutcome) -> None:
        """Have the journal store what came of a test."""
        self._talking().device_tested(self.device, test["name"], test["what"][:500], ok=test["ok"])

    def _talking(self) -> ControlClient:
        """The connection for commands, anew where a person has taken longer than one is kept."""
        before, self._talked = self._talked, self._clock()
        if self._talked - before > KEPT_S:
            self._talk.close()
            self._talk = ControlClient(self._socket, answer_s=ANSWERED_S)
        return self._talk

    def forget(self) -> None:
        """What the device has said so far is not waited for."""
        while not self._heard.empty():
            self._heard.get()

    def wait(
        self, *names: str, within_s: float | None = None, typing_ends: bool = True
    ) -> Heard | None:
        """The next message of one of these names; None where there is none in that time, where the
        person has typed a line instead (``typing_ends``), and where the trial is over."""
        deadline = self._clock() + (self.wait_s if within_s is None else within_s)
        while (left := deadline - self._clock()) > 0:
            try:
                heard = self._heard.get(timeout=min(left, LOOK_S))
            except queue.Empty:
                if typing_ends and self.person.typed():
                    return None
                continue
            if heard is None:
                return None
            if heard.name in names:
                return heard
        return None

    def is_so(self, question: str) -> None:
        """Ask the person; raises ``Failed`` where it is not so, or nobody answers."""
        answer = self.person.confirm(question)
        if answer is None:
            raise NobodyHere(f"nobody answered: {question}")
        if not answer:
            raise Failed(f"the answer was no: {question}")

    def check_by_eye(self, *steps: tuple[str, str]) -> None:
        """Give each command, and ask whether it is to be seen; raises as :meth:`is_so`."""
        for command, question in steps:
            self.command(command)
            self.is_so(question)

    def somebody(self, text: str) -> None:
        """Tell the person what to do, and wait until he has; raises ``NobodyHere``."""
        if not self.person.goes_on(text):
            raise NobodyHere(f"nobody is there: {text}")

    def _listen(self) -> None:
        try:
            for portion in self._portions:
                self._take_portion(portion)
                if "over" in portion:
                    return
        except NoController:
            pass  # it was hung up, by whichever side
        finally:
            self._heard.put(None)

    def _take_portion(self, portion: Portion) -> None:
        for line in portion["lines"]:
            raw = str(line.get("raw", ""))
            if line.get("dir") != "in" or raw in self._seen:
                continue
            self._seen.add(raw)
            at_s = checked(int, line["at_ns"], "at_ns") / NS
            fields = checked(dict[str, object], line.get("fields", {}), "fields")
            self._heard.put(Heard(str(line.get("message", "")), fields, at_s))

    def _close(self) -> None:
        self._stream.close()
        self._talk.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        self._listener.join()
