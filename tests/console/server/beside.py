"""A console beside a table, as a user of its own where root tests, and its pages without a
browser."""

from __future__ import annotations

import grp
import http.client
import json
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from hil_tests.bench.logged_program import LoggedProgram
from hil_tests.console.beside_table import QUICK, ConsoleBesideTable
from hil_tests.console.touching import PINS, add_supervisors
from tests.console.server.as_nobody import NOBODY

PATIENCE_S: Final = 20.0
Parts = dict[str, Any]


class DealersConsole(ConsoleBesideTable):
    """The console of a table at which it may deal, and two supervisors have PINs."""

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        super().__init__(QUICK, settings)
        if os.geteuid() == 0:
            folder = self.bench.folder
            folder.chmod(0o711)
            os.chown(folder / "console", NOBODY, NOBODY)
            table = folder / "table.toml"
            dealers = f'[control]\ndealers = "{grp.getgrgid(NOBODY).gr_name}"\n'
            text = table.read_text("utf-8").replace("[control]\n", dealers)
            table.write_text(text, encoding="utf-8")
            as_nobody = "tests.console.server.as_nobody"
            command = (as_nobody, "console.main", "--config", str(self.config))
            self.program = LoggedProgram(command, self.program.log)

    def start_console(self) -> None:
        known = {person["name"] for person in self.bench.control.people()}
        add_supervisors(self, {name: pin for name, pin in PINS.items() if name not in known})
        super().start_console()

    def rest(self) -> None:
        """Have the table between rounds: what was wagered is taken back, a round is void."""
        while self.dealer.state == "betting":
            self.dealer.undo()
        if self.dealer.state == "idle":
            return
        if "next" not in self.dealer.status["permitted"]:
            self.dealer.supervisor("void")
        self.dealer.next()

    @property
    def process(self) -> Path:
        return Path("/proc") / str(self.program.pid)

    def page(self) -> ConsolePage:
        return ConsolePage(self.port)

    @contextmanager
    def acting(self) -> Iterator[ConsolePage]:
        """A page that acts, and is shown the table as it is now."""
        with self.page().following() as page:
            page.until(lambda parts: not parts["lost"])
            page.post("/seat", over=True)  # one that is gone may just be missed
            at = self.bench.control.status()["at"]
            page.until(lambda parts: parts["seat"] == page.name and parts["table"]["at"] >= at)
            yield page


class ConsolePage:
    """What a page of the console asks, by HTTP; :attr:`parts` is the state that it was shown."""

    def __init__(self, port: int, name: str = "") -> None:
        self.port = port
        self.name = name or secrets.token_hex(4)
        self.page = f"{self.name}.{secrets.token_hex(16)}"
        self.parts: Parts = {}
        self._stream: http.client.HTTPResponse | None = None

    @contextmanager
    def following(self, *, acted: bool = False) -> Iterator[ConsolePage]:
        """The page while it is open, once it was shown a whole state; ``acted``: it says so of
        itself."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            headers = {"X-Console-Page": self.page, "X-Console-Acted": "yes" if acted else "no"}
            connection.request("GET", "/events", headers=headers)
            self._stream = connection.getresponse()
            assert self._stream.status == 200, self._stream.read()
            self.parts = {}
            self.until(lambda parts: parts)
            yield self
        finally:
            if self._stream is not None:
                self._stream.close()
            connection.close()

    def until(self, true: Callable[[Parts], object]) -> Parts:
        """Take what is told until it is so; the parts then. EOFError: the stream has ended."""
        end = time.monotonic() + PATIENCE_S
        while not (self.parts and true(self.parts)):
            assert time.monotonic() < end, self.parts
            self.take()
        return self.parts

    def take(self) -> str:
        """Take the next event; its name."""
        assert self._stream
        fields = dict(line.split(": ", 1) for line in iter(self._line, ""))
        if fields["event"] == "state":
            told = json.loads(fields["data"])
            for gone in told["gone"]:
                del self.parts[gone]
            self.parts.update(told["parts"])
        return fields["event"]

    def _line(self) -> str:
        assert self._stream
        line = self._stream.readline()
        if not line:
            raise EOFError
        return line.decode().rstrip("\n")

    # ---- what it asks ---------------------------------------------------------------------------

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, Any]:
        """Status, and the answer, read as JSON where it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            text = answer.read()
            of_json = answer.headers.get("content-type") == "application/json"
            return answer.status, json.loads(text) if of_json else text.decode()
        finally:
            connection.close()

    def get(self, path: str) -> tuple[int, Any]:
        return self.ask("GET", path, X_Console_Page=self.page)

    def post(self, path: str, **given: Any) -> tuple[int, Any]:
        told = {"console": self.parts.get("console"), **given}
        return self.ask("POST", path, json.dumps(told).encode(), X_Console_Page=self.page)

    def give(self, command: str, do: str = "dealer", /, **more: Any) -> tuple[int, Any]:
        terms = {"at": self.parts["table"]["at"], "key": secrets.token_hex(8)}
        if more.get("dry"):
            terms = {}
        return self.post("/command", **{"do": do, "command": command, **terms, **more})

    def done(self, command: str, do: str = "dealer", /, **more: Any) -> Any:
        """The same, which is done; its result. The page is shown what has come of it."""
        status, answer = self.give(command, do, **more)
        assert status == 200, answer
        if not more.get("dry"):
            self.until(lambda parts: parts["table"]["at"] >= answer["result"]["at"])
        return answer["result"]

    def sign_in(self, person: str, **more: Any) -> tuple[int, Any]:
        return self.post("/sign-in", **{"person": person, "pin": PINS[person], **more})


def code(answered: tuple[int, Any]) -> tuple[int, str]:
    status, answer = answered
    assert not answer["ok"], answer
    return status, answer["error"]["kind"]
