"""A box commissioned from nothing: ``tablectl setup`` on a machine with udev, systemd and USB."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from hil_tests.bench.setup import Setup
from hil_tests.benches.vm.controller_machine import CONFIG, SERIALS
from hil_tests.benches.vm.machine_bench import vm_of
from hil_tests.rig.opening import MakeBench

RULES: Final = "/etc/udev/rules.d/99-table-controller.rules"
PAGE: Final = "/root/page.txt"
TABLE: Final = {
    "table.id": "P12",
    "table.rules": "mbs-pontoon-pandemonium-v5",
    "table.decks": 8,
    "table.boxes": 7,
    "table.min": 10,
    "table.max": 5000,
    "table.side_min": 1,
    "table.side_max": 500,
    "multiplier.weights": "{ 100 = 4, 50 = 8, 25 = 20, 20 = 20, 10 = 24, 5 = 12, 3 = 7, 2 = 5 }",
}
KEYS: Final = [f"--set={key}={value}" for key, value in TABLE.items()]


@pytest.mark.needs_bench("kernel")
def test_a_box_is_commissioned_from_nothing(make_bench: MakeBench) -> None:
    """Names, configuration, key and start in one command; given again there is nothing to do."""
    with make_bench(Setup()) as made:
        bench = vm_of(made)
        guest = bench.machine.guest

        def setup(*options: str) -> tuple[int, dict[str, Any]]:
            done = guest.tried("tablectl", "setup", "--json", *options, within_s=240)
            assert done["out"], done["err"]
            told: dict[str, Any] = json.loads(done["out"])
            return done["status"], told

        bench.hang_up()
        bench.stop_controller()
        guest.run_command("sh", "-c", f"rm -rf /var/lib/table-controller/* {RULES} {CONFIG}")
        guest.run_command(
            "sh", "-c", "udevadm control --reload; udevadm trigger -s tty; udevadm settle"
        )
        assert not set(guest.run_command("ls", "/dev/table").split()) & SERIALS.keys()

        places = ("--set=devices.shoe.port=/dev/ttyUSB0", "--set=devices.jackpot.usb=1209:0001")
        nobody = ("runuser", "-u", "nobody", "--", "tablectl", "setup", "--yes", *KEYS, *places)
        refused = guest.tried(*nobody)
        assert (refused["status"], "root does that" in refused["err"]) == (3, True)
        assert guest.tried("ls", CONFIG, RULES)["out"] == ""

        status, told = setup("--yes", "--start", "--page", PAGE, *KEYS)
        tests = {test["name"]: test for test in told["tests"]}
        assert [test for test in tests.values() if not test["ok"]] == []
        assert (status, told["started"], told["problems"]) == (0, True, [])
        assert told["written"] == [RULES, CONFIG, PAGE]
        names = {name: bound["new"] for name, bound in told["udev"]["names"].items()}
        assert names == SERIALS
        for name in SERIALS:
            owner = guest.run_command(
                "stat", "--dereference", "--format=%G %a", f"/dev/table/{name}"
            )
            assert owner.split() == ["table-controller", "660"]
        links = json.loads(guest.run_command("tablectl", "status", "--json"))["devices"]
        assert {name: link["link"] for name, link in links.items()} == dict.fromkeys(
            (*SERIALS, "jackpot"), "up"
        )

        status, told = setup("--yes", "--start", "--page", PAGE)
        assert (status, told["written"]) == (0, [])
        assert {one["held_by"] for one in told["found"] if one["kind"]} == {
            "the running controller"
        }
        assert (
            json.loads(guest.run_command("tablectl", "journal", "key", "--json"))["kept"]
            == "credential"
        )
