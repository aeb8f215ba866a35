"""The units of a table's screens: what they must agree on."""

from __future__ import annotations

import configparser
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from console.configuration import USUAL_LISTEN, USUAL_STATE, load_console
from tests.systemd.test_services import CONSOLE, KIOSK
from tests.systemd.test_units import ROOT, UNITS, settings

FILES = UNITS / "kiosk"
EACH = pytest.mark.parametrize("unit", [CONSOLE, KIOSK], ids=lambda path: path.stem)


@EACH
def test_it_is_in_the_package(unit: Path) -> None:
    """By the name under which dh_installsystemd takes it, and one line for each."""
    link = ROOT / "debian" / f"table-console.{unit.name}"
    assert link.resolve() == unit
    rules = (ROOT / "debian" / "rules").read_text("utf-8").splitlines()
    assert f"\tdh_installsystemd --no-enable --name={unit.stem}" in rules


@EACH
def test_it_reaches_this_machine_alone(unit: Path) -> None:
    said = settings(unit)
    assert (said["MemorySwapMax"], said["LimitCORE"]) == (["0"], ["0"])
    assert (said["IPAddressDeny"], said["IPAddressAllow"]) == (["any"], ["localhost"])


def test_its_user_may_what_a_dealer_may_and_the_screen_s_may_nothing() -> None:
    lines = (UNITS / "table-console.sysusers").read_text("utf-8").splitlines()
    entries = [line.split()[:3] for line in lines if line and not line.startswith("#")]
    assert {entry[1] for entry in entries if entry[0] == "u"} == {
        settings(unit)["User"][0] for unit in (CONSOLE, KIOSK)
    }
    assert [entry[1:] for entry in entries if entry[0] == "m"] == [
        [settings(CONSOLE)["User"][0], "table-dealers"]
    ]


def test_the_configuration_as_it_comes_is_the_usual_one(tmp_path: Path) -> None:
    """Line by line: with every key in it put in force, nothing changes."""
    come = ROOT / "config" / "console.toml"
    text = come.read_text("utf-8")
    in_force = tmp_path / "console.toml"
    in_force.write_text(re.sub(r"(?m)^#(?! )", "", text), "utf-8")
    usual = tmp_path / "usual.toml"
    usual.write_text(text, "utf-8")
    for one in (usual, in_force):
        found = load_console(one)
        assert (found.listen.authority, found.language) == (USUAL_LISTEN, "en")
        state = Path("/var/lib", settings(CONSOLE)["StateDirectory"][0])
        assert found.state == Path(USUAL_STATE) == state
        assert (found.lock_s, found.sign.words, found.sign_languages) == (60, (), ("en",))
    assert in_force.read_text("utf-8").count(" = ") == 8


def test_the_browser_gets_nowhere_but_to_the_console() -> None:
    policy = json.loads((FILES / "chromium.json").read_text("utf-8"))
    assert policy["URLBlocklist"] == ["*"]
    port = USUAL_LISTEN.rpartition(":")[2]
    assert policy["URLAllowlist"] == [f"http://{USUAL_LISTEN}", f"http://localhost:{port}"]
    assert policy["DeveloperToolsAvailability"] == 2
    assert policy["DownloadRestrictions"] == 3
    assert not policy["PrintingEnabled"]
    assert not policy["AllowFileSelectionDialogs"]
    assert not policy["PasswordManagerEnabled"]
    assert f"CONSOLE=http://{USUAL_LISTEN}" in settings(KIOSK)["Environment"]


def test_weston_has_nothing_to_get_out_by() -> None:
    found = configparser.ConfigParser()
    found.read_string((FILES / "weston.ini").read_text("utf-8"))
    assert found["core"]["shell"] == "kiosk-shell.so"
    assert found["keyboard"]["vt-switching"] == "false"
    assert found["autolaunch"]["watch"] == "true"
    assert not {"launcher", "terminal", "shell"} & {*found.sections()}


@pytest.mark.parametrize(("sign", "shown"), [("no", {"dealer"}), ("yes", {"dealer", "sign"})])
def test_the_pages_are_shown_and_all_ends_with_the_dealer_s(
    sign: str, shown: set[str], tmp_path: Path
) -> None:
    """With a browser that writes what it was started with; the dealer's ends once all are there."""
    browser = tmp_path / "chromium"
    browser.write_text(
        '#!/bin/sh\necho "$*" >>"$SEEN"\n'
        f'until [ "$(wc -l <"$SEEN")" -ge {len(shown)} ]; do :; done\n'
        'case $* in *class=table-sign*) exec cat "$WAIT" ;; esac\n'
    )
    browser.chmod(0o755)
    os.mkfifo(tmp_path / "wait")
    done = subprocess.run(
        [FILES / "show-screens"],
        env={
            "PATH": f"{tmp_path}:{os.environ['PATH']}",
            "SEEN": str(tmp_path / "seen"),
            "WAIT": str(tmp_path / "wait"),
            "SIGN": sign,
            "CONSOLE": "http://127.0.0.1:8450",
            "RUNTIME_DIRECTORY": str(tmp_path),
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0
    if "sign" in shown:  # weston ends what is left
        (tmp_path / "wait").write_text("")
    lines = (tmp_path / "seen").read_text("utf-8").splitlines()
    assert {word[14:] for line in lines for word in line.split() if "--class=" in word} == shown
    assert {line.split()[-1] for line in lines} == {
        f"http://127.0.0.1:8450{'/sign' if one == 'sign' else '/'}" for one in shown
    }
