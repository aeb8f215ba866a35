"""The rest of a process that its disk has failed: told to, it ends, whoever takes the signal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

RESTS = """
import threading
from controller.daemon.service_manager import Notifier
from controller.daemon.resting import Life

threading.Thread(target=threading.Event().wait, daemon=True).start()


class Told(Notifier):
    def send(self, *lines):
        print("resting", flush=True)


Life(Told()).rest("it has failed")
print("ended")
"""


def test_a_stop_is_taken_though_another_thread_may_take_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", RESTS],
        env={**os.environ, "WATCHDOG_USEC": "300000000"},
        stdout=subprocess.PIPE,
        encoding="ascii",
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "resting\n"
        process.send_signal(signal.SIGTERM)
        assert process.stdout.read() == "ended\n"
    assert process.returncode == 0
