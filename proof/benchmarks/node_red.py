"""Node-RED beside the daemon: serial in, a function, serial out, on a line of the same kind.

What a workshop would put together in an hour: it reads a frame up to its zero, and the function
gives an acknowledgement to be sent. It stores nothing, so what it takes is what an answer costs in
such a program before any of it is durable. Its frames go in turn with the daemon's
(:class:`proof.benchmarks.play.PlayBenchmark` takes it for its echo).

The packages come from npm's registry, once, into ``build/node-red``; their scripts are not run.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
import tty
from pathlib import Path
from typing import Final

from drivers.table_link.framing import encode_frame
from drivers.table_link.messages import EVENT_ACK, EVENTS, encode
from proof.benchmarks.daemon import ROOT, Process

PACKAGES: Final = ("node-red@4.1.8", "node-red-node-serialport@2.0.3")
HOME: Final = ROOT / "build" / "node-red"
INSTALL_S: Final = 1200
START_S: Final = 60.0
LATE_S: Final = 5.0

CARD: Final = {"rank": 9, "suit": 2, "flags": 0, "card_uid": 305419896, "remaining": 0xFFFF}

SETTINGS: Final = """module.exports = {
    flowFile: "flows.json", credentialSecret: false,
    httpAdminRoot: false, httpNodeRoot: false,
    telemetry: { enabled: false }, logging: { console: { level: "warn" } },
};
"""


class NotHere(Exception):
    """It cannot be had on this machine; the message says why."""


def install() -> Path:
    """Have npm put the packages where they are not yet; the program.

    Raises:
        NotHere: there is no node or npm, or it does not have them.
    """
    program = HOME / "node_modules" / "node-red" / "red.js"
    if shutil.which("node") is None or (npm := shutil.which("npm")) is None:
        raise NotHere("Node-RED is left out: node and npm are not installed")
    if program.exists() and (HOME / "node_modules" / "node-red-node-serialport").exists():
        return program
    HOME.mkdir(parents=True, exist_ok=True)
    asked = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(HOME)]
    try:
        done = subprocess.run(
            [*asked, *PACKAGES], capture_output=True, text=True, timeout=INSTALL_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise NotHere(f"Node-RED is left out: npm took more than {INSTALL_S} s") from None
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["it does not say why"])[0]
        raise NotHere(f"Node-RED is left out: npm does not have it: {why}")
    return program


def flows(port: str, answer: bytes) -> list[dict[str, object]]:
    """The flow: what comes from the port up to a zero is answered."""
    line = {"serialport": port, "serialbaud": "115200", "databits": "8", "parity": "none"}
    split = {"stopbits": "1", "newline": "0x00", "bin": "bin", "out": "char", "addchar": ""}
    return [
        {"id": "tab", "type": "tab", "label": "bench"},
        {"id": "port", "type": "serial-port", **line, **split},
        {"id": "in", "type": "serial in", "z": "tab", "serial": "port", "wires": [["answer"]]},
        {
            "id": "answer",
            "type": "function",
            "z": "tab",
            "func": f'msg.payload = Buffer.from("{answer.hex()}", "hex");\nreturn msg;',
            "outputs": 1,
            "wires": [["out"]],
        },
        {"id": "out", "type": "serial out", "z": "tab", "serial": "port", "wires": []},
    ]


class NodeRed:
    """The process, in a ``directory`` of its own that is made, and the far end of its line.

    Raises:
        NotHere: it cannot be had, or does not answer within a minute.
    """

    def __init__(self, directory: Path) -> None:
        program = install()
        self._fd, self._slave = os.openpty()
        tty.setraw(self._slave)
        numbered = {"event_no": 1000, "t_ms": 700000}
        self._frame = encode_frame(encode(EVENTS["CARD"].type, 0, numbered | CARD))
        answer = encode_frame(encode(EVENT_ACK, 0, {"session_id": 2864434397, "event_no": 1000}))
        directory.mkdir()
        (directory / "settings.js").write_text(SETTINGS, encoding="utf-8")
        (directory / "node_modules").symlink_to(HOME / "node_modules")
        flow = json.dumps(flows(os.ttyname(self._slave), answer))
        (directory / "flows.json").write_text(flow, encoding="utf-8")
        log = directory / "log"
        arguments = (str(program), "--userDir", str(directory))
        self._process = Process(*arguments, log=log, interpreter="node")
        try:
            self._await(log)
        except NotHere:
            self.close()
            raise

    def _await(self, log: Path) -> None:
        until = time.monotonic() + START_S
        while time.monotonic() < until and self._process.running:
            os.write(self._fd, self._frame)
            if self._answered(1.0):
                self._rest()
                return
        said = log.read_text(encoding="utf-8", errors="replace").strip()[-300:]
        raise NotHere(f"Node-RED is left out: it does not answer; its log ends: {said}")

    def _rest(self) -> None:
        """Take what was asked for while it started."""
        while select.select([self._fd], [], [], 1.0)[0]:
            os.read(self._fd, 4096)

    def _answered(self, within_s: float) -> bool:
        """Read one frame, up to its zero; False where none comes."""
        heard = b""
        while not heard.endswith(b"\0"):
            if not select.select([self._fd], [], [], within_s)[0]:
                return False
            heard += os.read(self._fd, 4096)
        return True

    def round_trip_us(self) -> float:
        """Microseconds from the write of a card's frame to the read of its answer's last byte."""
        begun = time.perf_counter_ns()
        os.write(self._fd, self._frame)
        if not self._answered(LATE_S):
            raise RuntimeError("Node-RED does not answer any more")
        return (time.perf_counter_ns() - begun) / 1000

    def close(self) -> None:
        """End it."""
        self._process.stop()
        os.close(self._slave)
        os.close(self._fd)
