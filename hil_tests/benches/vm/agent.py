"""What the rig does in the machine: programs run, files moved, sockets reached. Runs there as root.

- Each connection to port 7000 brings one request, a JSON line, and gets one answer, a JSON line;
  ``connect`` and ``fetch`` then go on with plain bytes. Connections are served at the same time.
- The machine reaches nobody: its network is one wire to the rig, which is what makes this safe.
- A line in the port ``bench.ready`` says, at each boot, that requests are taken.

Standard library only: it runs under the system's Python.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import re
import selectors
import shutil
import socket
import socketserver
import struct
import subprocess
import time
from pathlib import Path
from typing import Any

PORT = 7000
READY = Path("/dev/virtio-ports/bench.ready")
BOOT_ID = Path("/run/boot-id")
RNDADDENTROPY, RNDRESEEDCRNG = 0x40085203, 0x5207
PIECE_BYTES = 1 << 16


class Request(socketserver.StreamRequestHandler):
    """One request; the methods ``do_...`` are its kinds and return what is answered."""

    def handle(self) -> None:
        """Answer it; what fails is told."""
        request: dict[str, Any] = {}
        try:
            request = json.loads(self.rfile.readline())
            answer = getattr(self, f"do_{request.pop('do')}")(**request)
        except Exception as error:  # the rig wants to read of any
            answer = {"ok": False, "error": f"{type(error).__name__}: {error}"}
        if answer is not None:
            self._send_answer({"ok": True} | answer)

    def do_run(
        self, command: list[str], text: str | None = None, within_s: float = 60
    ) -> dict[str, Any]:
        """Run a program to its end."""
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, check=False, timeout=within_s
        )
        return {"status": done.returncode, "out": done.stdout, "err": done.stderr}

    def do_follow(self, command: list[str], pattern: str, within_s: float = 60) -> dict[str, Any]:
        """Run a program until it prints a line in which ``pattern`` is found."""
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        deadline = time.monotonic() + within_s
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(process.stdout, selectors.EVENT_READ)
                unread = b""
                while (left_s := deadline - time.monotonic()) > 0 and selector.select(left_s):
                    data = os.read(process.stdout.fileno(), PIECE_BYTES)
                    *lines, unread = (unread + data).split(b"\n")
                    for line in lines:
                        if re.search(pattern, line.decode(errors="replace")):
                            return {"line": line.decode(errors="replace")}
                    if not data:
                        break
            raise TimeoutError(f"{pattern!r} does not come from {command}")
        finally:
            process.kill()
            process.wait()
            process.stdout.close()

    def do_put(self, path: str, data: str, mode: int = 0o644) -> dict[str, Any]:
        """Write a file, and have it on the disk."""
        with Path(path).open("wb") as file:
            file.write(base64.b64decode(data))
            os.fchmod(file.fileno(), mode)
            file.flush()
            os.fsync(file.fileno())
        return {}

    def do_fetch(self, path: str) -> None:
        """The folder as a tar archive, until the end of the connection."""
        with subprocess.Popen(["tar", "-C", path, "-c", "."], stdout=subprocess.PIPE) as process:
            assert process.stdout
            self._send_answer({"ok": True})
            shutil.copyfileobj(process.stdout, self.wfile)

    def do_gone(self, pid: int, within_s: float = 60) -> dict[str, Any]:
        """Whether a process ends in time."""
        try:
            pidfd = os.pidfd_open(pid)
        except ProcessLookupError:
            return {"gone": True}
        with selectors.DefaultSelector() as selector:
            selector.register(pidfd, selectors.EVENT_READ)
            gone = bool(selector.select(within_s))
        os.close(pidfd)
        return {"gone": gone}

    def do_awake(self, at: float, boot_id: str, chance: str) -> dict[str, Any]:
        """Woken from a state that was saved: it is ``at`` now (seconds since 1970), another boot,
        and chance is not what it was."""
        time.clock_settime(time.CLOCK_REALTIME, at)
        BOOT_ID.write_text(boot_id + "\n", encoding="ascii")
        seed = base64.b64decode(chance)
        with Path("/dev/urandom").open("wb", buffering=0) as device:
            fcntl.ioctl(device, RNDADDENTROPY, struct.pack("ii", len(seed) * 8, len(seed)) + seed)
            fcntl.ioctl(device, RNDRESEEDCRNG)
        return {}

    def do_clock(self, by_s: float) -> dict[str, Any]:
        """Set the wall clock forward, or back."""
        time.clock_settime(time.CLOCK_REALTIME, time.time() + by_s)
        return {"at": time.time()}

    def do_connect(self, path: str) -> None:
        """Carry bytes to and from a Unix socket, until one end hangs up."""
        with socket.socket(socket.AF_UNIX) as there:
            there.connect(path)
            self._send_answer({"ok": True})
            with selectors.DefaultSelector() as selector:
                selector.register(there, selectors.EVENT_READ, self.connection)
                selector.register(self.connection, selectors.EVENT_READ, there)
                while True:
                    for key, _ in selector.select():
                        data = os.read(key.fd, PIECE_BYTES)
                        if not data:
                            return
                        key.data.sendall(data)

    def _send_answer(self, answer: dict[str, Any]) -> None:
        self.wfile.write(json.dumps(answer).encode() + b"\n")
        self.wfile.flush()


class Server(socketserver.ThreadingTCPServer):
    """A thread for each connection."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 64


def main() -> None:
    """Serve until the machine ends."""
    with Server(("", PORT), Request) as server:
        with READY.open("wb", buffering=0) as ready:
            ready.write(b"ready\n")
        server.serve_forever()


if __name__ == "__main__":
    main()
