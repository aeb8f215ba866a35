"""The time from a press to ``SHOW`` on the virtual machine, against a bare libusb echo.

``python -m hil_tests.tables.press_latency``. Both are measured at the unit's end of the same bus,
in one machine: the time from a packet that the unit sends to the one that comes back for it. The
echo is a loop in the machine that reads with libusb and writes what it has read; the rest is the
controller's own: taking the press, writing it to the disk, drawing, writing that, sending SHOW.
"""

from __future__ import annotations

import argparse
import json
import select
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hil_tests.bench.setup import Setup
from hil_tests.benches.vm.machine_bench import VmBench
from hil_tests.tables.strategy import TableStrategy
from simulators.usb.cables import UsbSocket

PRESSES: Final = 30
ECHOES: Final = 200
PACKET: Final = bytes(range(40))
"""About as long as a PRESS."""

ECHO: Final = """
from drivers.carriers.usb_unit import open_unit
unit = open_unit("1209:0001")
print("open", flush=True)
for _ in range({count}):
    unit.write(unit.read(30), 5)
unit.close()
"""
ECHO_S: Final = 180.0


def presses(bench: VmBench, count: int) -> list[float]:
    """Milliseconds from each PRESS to its SHOW, from the capture at the unit's end."""
    strategy = TableStrategy(bench)
    strategy.dealer.wait_for_devices()
    for _ in range(count):
        strategy.play_out()
    return list(_from_press_to_show(bench.captures["jackpot"]))


def _from_press_to_show(capture: Path) -> Iterator[float]:
    pressed: dict[int, int] = {}
    for line in capture.read_text(encoding="ascii").splitlines():
        told = json.loads(line)
        offer = told.get("fields", {}).get("offer_id")
        if told.get("message") == "PRESS":
            pressed.setdefault(offer, told["at_ns"])
        elif told.get("message") == "SHOW" and offer in pressed:
            yield (told["at_ns"] - pressed.pop(offer)) / 1e6


def echoes(bench: VmBench, count: int) -> list[float]:
    """Milliseconds of each echo; the controller is stopped, the unit is one that only echoes."""
    bench.stop_controller()
    bench.remove_device("jackpot")
    line = UsbSocket(bench.machine.qemu.port("jackpot"), "jackpot", "ECHO0001")
    line.plug()
    try:
        with _echoing(bench, count):
            return [_echo(line) for _ in range(count)]
    finally:
        line.unplug()


@contextmanager
def _echoing(bench: VmBench, count: int) -> Iterator[None]:
    """A program in the machine that echoes; it waits for the unit to be found."""
    failed: list[BaseException] = []

    def run_echo() -> None:
        python = "/opt/table-controller/.venv/bin/python"
        try:
            bench.machine.guest.run_command(python, "-c", ECHO.format(count=count), within_s=ECHO_S)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run_echo, name="echo")
    thread.start()
    try:
        yield
    finally:
        thread.join()
    if failed:
        raise failed[0]


def _echo(line: UsbSocket) -> float:
    began = time.perf_counter()
    line.send([PACKET])
    deadline = began + ECHO_S
    while time.perf_counter() < deadline:
        select.select([line.fd], [], [], deadline - time.perf_counter())
        if line.receive():
            return (time.perf_counter() - began) * 1000
    raise TimeoutError("no echo")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure both and print them."""
    parser = argparse.ArgumentParser(
        prog="python -m hil_tests.tables.press_latency", description=__doc__
    )
    parser.add_argument("--presses", type=int, default=PRESSES)
    parser.add_argument("--echoes", type=int, default=ECHOES)
    given = parser.parse_args(argv)
    with VmBench(Setup(spin_ms=20), captured=True) as bench:
        shown = presses(bench, given.presses)
        echoed = echoes(bench, given.echoes)[1:]  # the first waits for the program to start
    for what, took_ms in (("press to SHOW", shown), ("libusb echo", echoed)):
        ordered = sorted(took_ms)
        print(
            f"{what}: median {statistics.median(ordered):.1f} ms, "
            f"p95 {ordered[int(len(ordered) * 0.95)]:.1f} ms, {len(ordered)} times"
        )
    print(f"ratio of the medians: {statistics.median(shown) / statistics.median(echoed):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
