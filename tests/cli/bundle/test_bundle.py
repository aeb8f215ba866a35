"""``bundle``: what is in it, what never is, and that it comes from boxes that are not well, too."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
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


def content(path: Path) -> dict[str, bytes]:
    with tarfile.open(path, "r:gz") as archive:
        found = {}
        for member in archive.getmembers():
            file = archive.extractfile(member)
            assert file is not None
            found[member.name.removeprefix("bundle/")] = file.read()
    return found


def bundle(tablectl: Tablectl, tmp_path: Path, state: Path, *more: object) -> Ran:
    return tablectl(
        *("bundle", "--state", state, "--socket", tmp_path / "no.sock"),
        *("--config", CONFIGURATION, "--out", tmp_path / "b.tar.gz", *more),
    )


def test_a_stopped_table(tablectl: Tablectl, tmp_path: Path, state: Path) -> None:
    ran = bundle(tablectl, tmp_path, state, "--json")
    assert ran.code == 0
    found = content(tmp_path / "b.tar.gz")
    assert set(found) == PARTS
    assert set(ran.json["missing"]) == {
        *("status.json", "links.json", "ready.json", "log.txt", "night.json")
    }
    assert "no controller answers" in ran.json["missing"]["status.json"]
    verified = json.loads(found["journal/verify.json"])
    assert (verified["well"], verified["findings"]) == (True, [])
    stats = tablectl("journal", "stats", "--state", state, "--json").json
    assert json.loads(found["journal/stats.json"])["entries"] == stats["entries"]
    exported = tablectl("journal", "export", "--state", state).out
    assert found["journal/newest.jsonl"].decode() == exported
    assert found["configuration.toml"] == CONFIGURATION.read_bytes()
    assert json.loads(found["versions.json"])["packages"]["transitions"]


def test_root_follows_no_link_to_the_report_of_a_night(
    tablectl: Tablectl, tmp_path: Path, state: Path, mocker: MockerFixture
) -> None:
    """It lies where the controller's user may put a link to what only root may read."""
    told = tmp_path / "report.json"
    mocker.patch("controller.upkeep.night_report.USUAL", told)
    told.write_text("{}")
    bundle(tablectl, tmp_path, state)
    assert content(tmp_path / "b.tar.gz")["night.json"] == b"{}"
    (tmp_path / "b.tar.gz").unlink()
    (tmp_path / "secret").write_text("secret")
    told.unlink()
    told.symlink_to(tmp_path / "secret")
    ran = bundle(tablectl, tmp_path, state, "--json")
    assert "a symbolic link" in ran.json["missing"]["night.json"]


def test_the_manifest_accounts_for_every_file(
    tablectl: Tablectl, tmp_path: Path, state: Path
) -> None:
    bundle(tablectl, tmp_path, state)
    found = content(tmp_path / "b.tar.gz")
    manifest = json.loads(found.pop("MANIFEST.json"))
    told = {file["name"]: (file["bytes"], file["sha256"]) for file in manifest["files"]}
    assert told == {
        name: (len(data), hashlib.sha256(data).hexdigest()) for name, data in found.items()
    }
    assert any("private key" in what for what in manifest["left_out"])


def test_a_running_table_adds_its_status_and_its_links(
    tablectl: Tablectl, tmp_path: Path, state: Path
) -> None:
    socket, out = tmp_path / "control.sock", tmp_path / "b.tar.gz"
    with controller(socket, {"state_directory": str(state)}, Bench()):
        ran = tablectl("bundle", "--socket", socket, "--config", CONFIGURATION, "--out", out)
    assert ran.code == 0
    found = content(out)
    assert set(found) == PARTS | {"status.json", "links.json", "ready.json"}
    assert json.loads(found["links.json"])["start"] == {"shoe": {"retries": 3}}


def test_what_runs_is_in_it_wherever_that_lies(
    tablectl: Tablectl, tmp_path: Path, state: Path
) -> None:
    """The configuration that the controller was started with, and its log in a file."""
    socket, out = tmp_path / "control.sock", tmp_path / "b.tar.gz"
    config, log = tmp_path / "elsewhere.toml", tmp_path / "daemon.log"
    config.write_bytes(CONFIGURATION.read_bytes())
    log.write_text("INFO up\nERROR token: abc\n", encoding="utf-8")
    digest = hashlib.sha256(config.read_bytes()).hexdigest()
    runs = {
        "state_directory": str(state),
        "configuration": {"path": str(config), "digest": digest},
        "log": str(log),
    }
    with controller(socket, runs, Bench()):
        assert tablectl("bundle", "--socket", socket, "--out", out).code == 0
        found = content(out)
        assert found["configuration.toml"] == config.read_bytes()
        assert found["log.txt"] == b"INFO up\nERROR token: (left out)\n"
        told = tablectl("draw", "odds", "--socket", socket, "--json")
        assert (told.code, len(told.json["multipliers"])) == (0, 8)
        out.unlink()
        config.write_text(config.read_text("utf-8") + "# changed\n", encoding="utf-8")
        ran = tablectl("bundle", "--socket", socket, "--out", out, "--json")
    assert digest in ran.json["missing"]["configuration.toml, as it runs"]


def test_the_newest_entries_are_in_it(tablectl: Tablectl, tmp_path: Path, state: Path) -> None:
    bundle(tablectl, tmp_path, state, "--entries", 3)
    newest = content(tmp_path / "b.tar.gz")["journal/newest.jsonl"].decode().splitlines()
    assert newest == tablectl("journal", "export", "--state", state).out.splitlines()[-3:]


def test_a_key_in_the_state_directory_is_never_in_it(
    tablectl: Tablectl, tmp_path: Path, state: Path
) -> None:
    for name in ("key", "key.old", "id_ed25519"):
        (state / name).write_text(HEX_KEY + "\n")
    assert bundle(tablectl, tmp_path, state).code == 0
    found = content(tmp_path / "b.tar.gz")
    for name, data in found.items():
        assert HEX_KEY.encode() not in data, name
        assert bytes.fromhex(HEX_KEY) not in data, name
    assert b" key\n" in found["state-directory.txt"]


def test_what_would_leak_the_key_is_not_written_at_all(
    tablectl: Tablectl, tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state / "key").write_text(HEX_KEY + "\n")
    monkeypatch.setattr("controller.support.parts._versions", HEX_KEY.encode)
    ran = bundle(tablectl, tmp_path, state)
    assert ran.code == 1
    assert "versions.json would hold the controller's private key" in ran.err
    assert not (tmp_path / "b.tar.gz").exists()


@pytest.mark.parametrize("place", ["/dev/zero", "fifo"])
def test_something_else_in_the_place_of_the_key_is_not_read(
    tablectl: Tablectl, tmp_path: Path, state: Path, place: str
) -> None:
    """Found in review: it hung, or took all of the memory."""
    (state / "key").unlink(missing_ok=True)
    if place == "fifo":
        os.mkfifo(state / "key")
    else:
        (state / "key").symlink_to(place)
    assert bundle(tablectl, tmp_path, state).code == 0


def test_passwords_and_keys_in_texts_are_left_out() -> None:
    text = f'a = "1"\npassword = "rosebud"\ntoken: x\nseed {HEX_KEY}\nkey = "/var/key"\n'.encode()
    assert redacted(text) == (
        b'a = "1"\npassword = (left out)\ntoken: (left out)\nseed (left out)\nkey = "/var/key"\n'
    )


def test_nothing_is_overwritten(tablectl: Tablectl, tmp_path: Path, state: Path) -> None:
    (tmp_path / "b.tar.gz").write_bytes(b"mine")
    ran = bundle(tablectl, tmp_path, state)
    assert ran.code == 2
    assert "is there already" in ran.err
    assert (tmp_path / "b.tar.gz").read_bytes() == b"mine"


def test_the_same_facts_give_the_same_files_in_order_under_a_name_of_their_own(
    tablectl: Tablectl, tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.support.parts.FACTS", ())
    monkeypatch.setattr("controller.support.parts.shutil.disk_usage", lambda _: "some")
    written = []
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        ran = tablectl(
            *("bundle", "--state", state, "--socket", tmp_path / "no.sock"),
            *("--config", CONFIGURATION),
        )
        assert ran.code == 0
        [path] = Path().iterdir()
        found = content(path)
        # What is free on the disk is another fact each time.
        free = json.loads(found.pop("journal/stats.json"))
        manifest = json.loads(found.pop("MANIFEST.json"))
        assert free["free_bytes"]
        written.append((path.name, list(found.items()), manifest["missing"]))
    assert written[0] == written[1]
    last = json.loads(tablectl("journal", "export", "--state", state).out.splitlines()[-1])["seq"]
    assert written[0][0] == f"bundle-P12-{last}.tar.gz"


def test_a_machine_that_is_not_well_is_bundled_all_the_same(
    tablectl: Tablectl, tmp_path: Path, state: Path
) -> None:
    [journal] = state.glob("*.sqlite3")
    damaged = bytearray(journal.read_bytes())
    damaged[len(damaged) // 2 :] = b"\xff" * (len(damaged) - len(damaged) // 2)
    journal.write_bytes(damaged)
    wrong = tmp_path / "table.toml"
    wrong.write_text('[table]\nid = "P12"\n')
    out = tmp_path / "b.tar.gz"
    ran = tablectl(
        *("bundle", "--state", state, "--socket", tmp_path / "no.sock"),
        *("--config", wrong, "--out", out),
    )
    assert ran.code == 0
    found = content(out)
    assert b"# FAULT" in found["configuration.toml"]
    verified = found.get("journal/verify.json")
    assert verified is None or not json.loads(verified)["well"]


def test_nothing_but_the_machine_is_to_be_had(tablectl: Tablectl, tmp_path: Path) -> None:
    out = tmp_path / "b.tar.gz"
    ran = tablectl(
        *("bundle", "--socket", tmp_path / "no.sock", "--config", tmp_path / "none.toml"),
        *("--out", out, "--json"),
    )
    assert ran.code == 0
    assert set(content(out)) == {"MANIFEST.json", "system.txt", "versions.json"}
    assert "use --state" in ran.json["missing"]["journal/stats.json"]
    told = f"there is no {tmp_path / 'none.toml'}: name the file that the controller was started"
    assert told in ran.json["missing"]["configuration.toml"]
    assert "--config FILE" in ran.err


def test_what_is_not_there_is_told_in_words(
    tablectl: Tablectl, tmp_path: Path, mocker: MockerFixture
) -> None:
    night, gone = tmp_path / "report.json", tmp_path / "gone"
    mocker.patch("controller.upkeep.night_report.USUAL", night)
    ran = bundle(tablectl, tmp_path, gone, "--json")
    missing = ran.json["missing"]
    assert missing["night.json"] == f"no night has verified a journal yet: there is no {night}"
    night.mkdir()
    (tmp_path / "b.tar.gz").rename(tmp_path / "before.tar.gz")
    assert f"{night}: it is a directory, expected" in bundle(tablectl, tmp_path, gone).err
    system = content(tmp_path / "before.tar.gz")["system.txt"].decode()
    assert f"disk of the state directory: {gone}: there is no {gone}: mount its medium" in system
    assert "Errno" not in ran.out + ran.err + system


@pytest.mark.parametrize(
    ("status", "told", "in_it"), [(0, b"started\n", True), (1, b"no rights", False)]
)
def test_the_log_is_in_it_where_it_can_be_read(
    tablectl: Tablectl,
    tmp_path: Path,
    state: Path,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    told: bytes,
    *,
    in_it: bool,
) -> None:
    ran: list[Any] = []

    def journalctl(command: list[str], **_: Any) -> subprocess.CompletedProcess[bytes]:
        ran.append(command)
        return subprocess.CompletedProcess(command, status, told, told)

    monkeypatch.setattr(shutil, "which", lambda _: "/bin/journalctl")
    monkeypatch.setattr(subprocess, "run", journalctl)
    report = bundle(tablectl, tmp_path, state, "--json").json
    assert ("log.txt" not in report["missing"]) == in_it
    assert content(tmp_path / "b.tar.gz").get("log.txt") == (told if in_it else None)
    assert "table-controller" in ran[0]


@pytest.mark.parametrize("given", [("--entries", "-1"), ("--entries", "all")])
def test_wrong_use(tablectl: Tablectl, given: tuple[str, ...]) -> None:
    assert tablectl("bundle", *given).code == 2
