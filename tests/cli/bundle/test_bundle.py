"""``bundle``: what is in it, what never is, and that it comes from boxes that are not well, too."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.support.secrets import redacted
from tests.cli.support import CONFIGURATION, Ran, Tablectl
from tests.control.support import controller
from tests.control.technicians import Bench

HEX_KEY = "00c0ffee" * 8
PARTS = {
    "MANIFEST.json",
    "configuration.toml",
    "journal/newest.jsonl",
    "journal/stats.json",
    "journal/verify.json",
    "state-directory.txt",
    "system.txt",
    "versions.json",
}


@pytest.fixture(autouse=True)
def _no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)


@dataclass
class Box:
    """A box in ``folder`` whose table is stopped, unless a test has a controller answer."""

    folder: Path
    state: Path
    tablectl: Tablectl

    @property
    def out(self) -> Path:
        return self.folder / "b.tar.gz"

    @property
    def socket(self) -> Path:
        return self.folder / "control.sock"

    def tell(self, *given: object) -> Ran:
        return self.tablectl("bundle", "--socket", self.socket, *given)

    def bundle(self, *more: object, config: Path = CONFIGURATION) -> Ran:
        """Have a bundle of its state made."""
        return self.tell("--state", self.state, "--config", config, "--out", self.out, *more)

    def content(self, path: Path | None = None) -> dict[str, bytes]:
        """What is in the bundle."""
        found = {}
        with tarfile.open(path or self.out, "r:gz") as archive:
            for member in archive.getmembers():
                file = archive.extractfile(member)
                assert file is not None
                found[member.name.removeprefix("bundle/")] = file.read()
        return found

    def exported(self) -> str:
        return self.tablectl("journal", "export", "--state", self.state).out


@pytest.fixture
def box(tmp_path: Path, state: Path, tablectl: Tablectl) -> Box:
    return Box(tmp_path, state, tablectl)


def test_a_stopped_table(box: Box) -> None:
    ran = box.bundle("--json")
    assert ran.code == 0
    found = box.content()
    assert set(found) == PARTS
    assert set(ran.json["missing"]) == {
        *("status.json", "links.json", "ready.json", "log.txt", "night.json")
    }
    assert "no controller answers" in ran.json["missing"]["status.json"]
    verified = json.loads(found["journal/verify.json"])
    assert (verified["well"], verified["findings"]) == (True, [])
    stats = box.tablectl("journal", "stats", "--state", box.state, "--json").json
    assert json.loads(found["journal/stats.json"])["entries"] == stats["entries"]
    exported = box.exported()
    assert found["journal/newest.jsonl"].decode() == exported
    assert found["configuration.toml"] == CONFIGURATION.read_bytes()
    assert json.loads(found["versions.json"])["packages"]["transitions"]


def test_root_follows_no_link_to_the_report_of_a_night(box: Box, mocker: MockerFixture) -> None:
    """It lies where the controller's user may put a link to what only root may read."""
    told = box.folder / "report.json"
    mocker.patch("controller.upkeep.night_report.USUAL", told)
    told.write_text("{}")
    box.bundle()
    assert box.content()["night.json"] == b"{}"
    (box.out).unlink()
    (box.folder / "secret").write_text("secret")
    told.unlink()
    told.symlink_to(box.folder / "secret")
    ran = box.bundle("--json")
    assert "a symbolic link" in ran.json["missing"]["night.json"]


def test_the_manifest_accounts_for_every_file(box: Box) -> None:
    box.bundle()
    found = box.content()
    manifest = json.loads(found.pop("MANIFEST.json"))
    told = {file["name"]: (file["bytes"], file["sha256"]) for file in manifest["files"]}
    assert told == {
        name: (len(data), hashlib.sha256(data).hexdigest()) for name, data in found.items()
    }
    assert any("private key" in what for what in manifest["left_out"])


def test_a_running_table_adds_its_status_and_its_links(box: Box) -> None:
    with controller(box.socket, {"state_directory": str(box.state)}, Bench()):
        assert box.tell("--config", CONFIGURATION, "--out", box.out).code == 0
    found = box.content()
    assert set(found) == PARTS | {"status.json", "links.json", "ready.json"}
    assert json.loads(found["links.json"])["start"] == {"shoe": {"retries": 3}}


def test_what_runs_is_in_it_wherever_that_lies(box: Box) -> None:
    """The configuration that the controller was started with, and its log in a file."""
    config, log = box.folder / "elsewhere.toml", box.folder / "daemon.log"
    config.write_bytes(CONFIGURATION.read_bytes())
    log.write_text("INFO up\nERROR token: abc\n", encoding="utf-8")
    digest = hashlib.sha256(config.read_bytes()).hexdigest()
    configuration = {"path": str(config), "digest": digest}
    runs = {"state_directory": str(box.state), "configuration": configuration, "log": str(log)}
    with controller(box.socket, runs, Bench()):
        assert box.tell("--out", box.out).code == 0
        found = box.content()
        assert found["configuration.toml"] == config.read_bytes()
        assert found["log.txt"] == b"INFO up\nERROR token: (left out)\n"
        told = box.tablectl("draw", "odds", "--socket", box.socket, "--json")
        assert (told.code, len(told.json["multipliers"])) == (0, 8)
        box.out.unlink()
        config.write_text(config.read_text("utf-8") + "# changed\n", encoding="utf-8")
        ran = box.tell("--out", box.out, "--json")
    assert digest in ran.json["missing"]["configuration.toml, as it runs"]


def test_the_newest_entries_are_in_it(box: Box) -> None:
    box.bundle("--entries", 3)
    newest = box.content()["journal/newest.jsonl"].decode().splitlines()
    assert newest == box.exported().splitlines()[-3:]


def test_a_key_in_the_state_directory_is_never_in_it(box: Box) -> None:
    for name in ("key", "key.old", "id_ed25519"):
        (box.state / name).write_text(HEX_KEY + "\n")
    assert box.bundle().code == 0
    found = box.content()
    for name, data in found.items():
        assert HEX_KEY.encode() not in data, name
        assert bytes.fromhex(HEX_KEY) not in data, name
    assert b" key\n" in found["state-directory.txt"]


def test_what_would_leak_the_key_is_not_written_at_all(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    (box.state / "key").write_text(HEX_KEY + "\n")
    monkeypatch.setattr("controller.support.parts._versions", HEX_KEY.encode)
    ran = box.bundle()
    assert ran.code == 1
    assert "versions.json would hold the controller's private key" in ran.err
    assert not (box.out).exists()


@pytest.mark.parametrize("place", ["/dev/zero", "fifo"])
def test_something_else_in_the_place_of_the_key_is_not_read(box: Box, place: str) -> None:
    """Found in review: it hung, or took all of the memory."""
    (box.state / "key").unlink(missing_ok=True)
    if place == "fifo":
        os.mkfifo(box.state / "key")
    else:
        (box.state / "key").symlink_to(place)
    assert box.bundle().code == 0


def test_passwords_and_keys_in_texts_are_left_out() -> None:
    text = f'a = "1"\npassword = "rosebud"\ntoken: x\nseed {HEX_KEY}\nkey = "/var/key"\n'.encode()
    assert redacted(text) == (
        b'a = "1"\npassword = (left out)\ntoken: (left out)\nseed (left out)\nkey = "/var/key"\n'
    )


def test_nothing_is_overwritten(box: Box) -> None:
    (box.out).write_bytes(b"mine")
    ran = box.bundle()
    assert ran.code == 2
    assert "is there already" in ran.err
    assert (box.out).read_bytes() == b"mine"


def test_the_same_facts_give_the_same_files_in_order_under_a_name_of_their_own(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.support.parts.FACTS", ())
    monkeypatch.setattr("controller.support.parts.shutil.disk_usage", lambda _: "some")
    written = []
    for folder in ("one", "other"):
        (box.folder / folder).mkdir()
        monkeypatch.chdir(box.folder / folder)
        assert box.tell("--state", box.state, "--config", CONFIGURATION).code == 0
        [path] = Path().iterdir()
        found = box.content(path)
        # What is free on the disk is another fact each time.
        assert json.loads(found.pop("journal/stats.json"))["free_bytes"]
        manifest = json.loads(found.pop("MANIFEST.json"))
        written.append((path.name, list(found.items()), manifest["missing"]))
    assert written[0] == written[1]
    last = json.loads(box.exported().splitlines()[-1])["seq"]
    assert written[0][0] == f"bundle-P12-{last}.tar.gz"


def test_a_machine_that_is_not_well_is_bundled_all_the_same(box: Box) -> None:
    [journal] = box.state.glob("*.sqlite3")
    damaged = bytearray(journal.read_bytes())
    damaged[len(damaged) // 2 :] = b"\xff" * (len(damaged) - len(damaged) // 2)
    journal.write_bytes(damaged)
    wrong = box.folder / "table.toml"
    wrong.write_text('[table]\nid = "P12"\n')
    assert box.bundle(config=wrong).code == 0
    found = box.content()
    assert b"# FAULT" in found["configuration.toml"]
    verified = found.get("journal/verify.json")
    assert verified is None or not json.loads(verified)["well"]


def test_nothing_but_the_machine_is_to_be_had(box: Box) -> None:
    none = box.folder / "none.toml"
    ran = box.tell("--config", none, "--out", box.out, "--json")
    assert ran.code == 0
    assert set(box.content()) == {"MANIFEST.json", "system.txt", "versions.json"}
    assert "use --state" in ran.json["missing"]["journal/stats.json"]
    told = f"there is no {none}: name the file that the controller was started"
    assert told in ran.json["missing"]["configuration.toml"]
    assert "--config FILE" in ran.err


def test_what_is_not_there_is_told_in_words(box: Box, mocker: MockerFixture) -> None:
    night, gone, before = (box.folder / name for name in ("report.json", "gone", "before.tar.gz"))
    mocker.patch("controller.upkeep.night_report.USUAL", night)
    box.state = gone
    ran = box.bundle("--json")
    missing = ran.json["missing"]
    assert missing["night.json"] == f"no night has verified a journal yet: there is no {night}"
    night.mkdir()
    box.out.rename(before)
    assert f"{night}: it is a directory, expected" in box.bundle().err
    system = box.content(before)["system.txt"].decode()
    assert f"disk of the state directory: {gone}: there is no {gone}: mount its medium" in system
    assert "Errno" not in ran.out + ran.err + system


@pytest.mark.parametrize(
    ("status", "told", "in_it"), [(0, b"started\n", True), (1, b"no rights", False)]
)
def test_the_log_is_in_it_where_it_can_be_read(
    box: Box, monkeypatch: pytest.MonkeyPatch, status: int, told: bytes, *, in_it: bool
) -> None:
    ran: list[Any] = []

    def journalctl(command: list[str], **_: Any) -> subprocess.CompletedProcess[bytes]:
        ran.append(command)
        return subprocess.CompletedProcess(command, status, told, told)

    monkeypatch.setattr(shutil, "which", lambda _: "/bin/journalctl")
    monkeypatch.setattr(subprocess, "run", journalctl)
    report = box.bundle("--json").json
    assert ("log.txt" not in report["missing"]) == in_it
    assert box.content().get("log.txt") == (told if in_it else None)
    assert "table-controller" in ran[0]


@pytest.mark.parametrize("given", [("--entries", "-1"), ("--entries", "all")])
def test_wrong_use(tablectl: Tablectl, given: tuple[str, ...]) -> None:
    assert tablectl("bundle", *given).code == 2
