"""The process that tells uevents is forked when no other thread can have anything locked.

Each in a process of its own: the threads of whatever runs the tests are not the sender's.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

BEGIN = """
import os, select, threading
from hil_tests.benches.usb import uevents

class Bed:
    "As much of a test bed as telling needs."
    def uevent(self, path, action):
        "Tell nobody."

def beside(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread

theirs, ours = os.pipe()
"""

AT_WORK = """
uevents.IDLE_S = 0.05
thread = beside(lambda: os.read(theirs, 1))
try:
    uevents.UeventSender(Bed())
except uevents.UeventError as error:
    assert f"threads {thread.native_id} are still at work" in str(error), error
    print("waited for")
"""

POLLS = """
poll = select.poll()
poll.register(theirs, select.POLLIN)
thread = beside(poll.poll)
one = uevents.UeventSender(Bed())
one.remove("/sys/devices/unit")
one.close()
print("told")
"""

ASKED = """
one = uevents.UeventSender(Bed())
try:
    one.remove("/sys/devices/unit")
except uevents.UeventError as error:
    print(error)
one.close()
"""

SAYS_NOTHING = """
uevents.TOLD_S = 0.05
def hears_only(bed, asked, told):
    while os.read(asked, 100):
        pass
    os._exit(0)
uevents._serve = hears_only
"""
HAS_ENDED = """
uevents._serve = lambda *_: os._exit(0)
"""


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (AT_WORK, "waited for"),
        (POLLS, "told"),
        (SAYS_NOTHING + ASKED, "remove of /sys/devices/unit was not told within 0.05 s"),
        (
            HAS_ENDED + ASKED,
            "remove of /sys/devices/unit was not told: the process that tells has ended",
        ),
    ],
    ids=[
        "a thread at work is waited for",
        "one that polls is not",
        "silence is named",
        "an end is named",
    ],
)
def test_it_is_forked_when_others_sleep(what: str, said: str) -> None:
    # Python 3.12 warns of every fork beside a thread; that this one is harmless is what is shown.
    run = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", BEGIN + what],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (run.stdout, run.stderr) == (f"{said}\n", "")
