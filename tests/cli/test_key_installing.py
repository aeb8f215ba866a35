"""``journal key --install``: made or taken over, written to the safe's page, and never lost."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.evidence.keys.credential import PAGED, decrypt, page, read_page
from controller.evidence.tree.checkpoint import vkey_of
from controller.evidence.trust import read_keys
from controller.journal.keys import CREDENTIAL, ControllerKey, SecretKey, read_key
from controller.journal.lock import LOCK_NAME
from tests.cli.support import Ran, Tablectl
from tests.daemon.process import Place, running
from tests.journal.helpers import OTHER_KEY

pytestmark = pytest.mark.needs("systemd-creds")

HOST_KEY = "SYSTEMD_CREDENTIAL_SECRET"
"""The variable that names another file than the machine's for systemd's own key."""


@dataclass(frozen=True)
class Box:
    """A machine to install on, in a folder."""

    folder: Path
    place: Place
    tablectl: Tablectl

    @property
    def credential(self) -> Path:
        return self.folder / "credstore" / CREDENTIAL

    @property
    def drop_in(self) -> Path:
        return self.folder / "unit.d" / "key.conf"

    @property
    def plain(self) -> Path:
        return self.place.state / "key"

    @property
    def keys(self) -> Path:
        return self.place.folder / "journal.vkey"

    @property
    def page(self) -> Path:
        return self.folder / "page.txt"

    def install(self, *options: object, json: bool = True) -> Ran:
        given = ("--config", self.place.configuration, *(["--json"] if json else []), *options)
        return self.tablectl("journal", "key", "--install", *self.where, *given)

    @property
    def where(self) -> tuple[object, ...]:
        """The options that say where a key is installed."""
        unit = ("--unit", self.drop_in.parent, "--with-key", "host")
        return "--credential", self.credential, *unit

    def keeps(self, key: str, where: Path) -> None:
        """Have the configuration name another place for what is kept beside the state."""
        text = self.place.configuration.read_text()
        told = text.replace("[state]\n", f'[state]\n{key} = "{where}"\n')
        self.place.configuration.write_text(told)

    def becomes_a_spare(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Another box in its place, with the key that its package has made."""
        self.credential.unlink()
        self.drop_in.unlink()
        monkeypatch.setenv(HOST_KEY, str(self.folder / "the-spares"))
        nowhere = self.folder / "nowhere"
        where = (*self.where, "--config", nowhere / "table.toml", "--state", nowhere)
        made = self.tablectl("journal", "key", "--prepare", *where)
        assert made.code == 0, made.err

    def with_key(self) -> SecretKey:
        """It has played, and has a key in a file."""
        self.place.state.mkdir()
        ControllerKey(self.plain)
        return read_key(self.plain)

    def somewhere(self, key: SecretKey) -> bool:
        """Whether the key is whole in one of the places where it may be."""
        if self.plain.exists() and read_key(self.plain) == key:
            return True
        return self.credential.exists() and decrypt(self.credential) == key


@pytest.fixture
def box(tmp_path: Path, tablectl: Tablectl, monkeypatch: pytest.MonkeyPatch) -> Box:
    monkeypatch.setenv(HOST_KEY, str(tmp_path / "host-key"))
    return Box(tmp_path, Place(tmp_path / "place"), tablectl)


def test_a_key_is_made_for_a_machine_that_has_never_played(box: Box) -> None:
    told = box.install("--export", box.page)
    assert told.code == 0, told.err
    key = decrypt(box.credential)
    assert (told.json["fingerprint"], told.json["key"]) == (key.public.fingerprint, key.public.text)
    assert (told.json["from"], told.json["removed"]) == ("made now", None)
    assert read_page(box.page.read_text("utf-8")) == key
    assert f"LoadCredentialEncrypted={CREDENTIAL}:{box.credential}\n" in box.drop_in.read_text()
    assert "tpm" not in box.drop_in.read_text()
    assert [path.stat().st_mode & 0o777 for path in (box.page, box.credential)] == [0o600, 0o600]
    assert not box.place.state.exists()


def test_the_unit_names_the_credential_from_anywhere(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service does not start in the folder in which the command was given."""
    monkeypatch.chdir(box.folder)
    where = ("--credential", box.credential.relative_to(box.folder))
    assert box.install("--export", box.page, *where).code == 0
    assert f":{box.credential}\n" in box.drop_in.read_text()
    told = box.install("--credential", box.folder / "a b")
    assert (told.code, "a blank, ':' or '%'" in told.err) == (2, True)


def test_the_key_of_before_is_taken_over_and_its_file_removed(box: Box) -> None:
    key = box.with_key()
    half = box.plain.with_name("key.new")
    half.write_text(key.text[:10])
    told = box.install()
    assert (told.code, box.plain.exists()) == (2, True), "a page is asked for"
    told = box.install("--export", box.page)
    assert (told.code, told.json["fingerprint"]) == (0, key.public.fingerprint)
    assert (told.json["from"], told.json["removed"]) == (str(box.plain), str(box.plain))
    assert decrypt(box.credential) == read_page(box.page.read_text("utf-8")) == key
    assert not box.plain.exists()
    assert not half.exists()
    assert box.install().code == 0, "given again it finds that all is done"
    assert box.install("--export", box.page).code == 0
    again = box.install("--export", box.folder / "another.txt")
    assert (again.code, (box.folder / "another.txt").exists()) == (3, False)
    assert "a second one is not made" in again.err


def test_a_replaced_machine_goes_on_with_the_page_from_the_safe(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = box.with_key()
    assert box.install("--export", box.page).code == 0
    monkeypatch.setenv(HOST_KEY, str(box.folder / "another-machines"))
    told = box.install()
    assert told.code == 1
    assert "another machine's" in told.err
    assert "--from FILE" in told.err
    told = box.install("--from", box.page)
    assert (told.code, told.json["fingerprint"]) == (0, key.public.fingerprint)
    assert decrypt(box.credential) == key


class Cut(BaseException):
    """The power fails."""


def test_it_may_be_cut_off_before_anything_it_makes_durable(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before each fsync in turn: the key is at one of its places, and the command given again
    comes to its end with the same key."""
    cuts = 0
    while True:
        at = Box(tmp_path / str(cuts), Place(tmp_path / f"place{cuts}"), box.tablectl)
        at.folder.mkdir()
        key, left = at.with_key(), cuts

        def sync(fd: int, *, real=os.fsync) -> None:  # type: ignore[no-untyped-def]
            nonlocal left
            if left == 0:
                raise Cut
            left -= 1
            real(fd)

        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", sync)
            try:
                whole = at.install("--export", at.page)
            except Cut:
                whole = None
        if whole is not None:
            break
        assert at.somewhere(key), f"cut at {cuts}"
        assert at.install("--export", at.page).code == 0, f"cut at {cuts}"
        assert decrypt(at.credential) == key == read_page(at.page.read_text("utf-8"))
        assert not at.plain.exists()
        assert read_keys(at.keys) == [key.public]
        cuts += 1
    assert cuts >= 8


def test_a_new_key_that_was_cut_off_behind_its_page_is_on_the_page(box: Box) -> None:
    key = SecretKey.generate()
    box.page.write_text(page(key, "T1"), encoding="utf-8")
    told = box.install("--export", box.page)
    assert (told.code, box.credential.exists()) == (2, False)
    assert "--from FILE" in told.err
    assert box.install("--from", box.page).json["fingerprint"] == key.public.fingerprint


@pytest.mark.parametrize("there", ["a list of the safe's other things\n", ""])
def test_nothing_is_written_over(there: str, box: Box) -> None:
    key = box.with_key()
    box.page.write_text(there)
    told = box.install("--export", box.page)
    assert told.code == 2
    assert f"{box.page} is there already" in told.err
    assert box.page.read_text() == there
    assert read_key(box.plain) == key
    assert not box.credential.exists()


def test_not_while_the_controller_runs(box: Box) -> None:
    with running(box.place):
        told = box.install("--export", box.page)
    assert (told.code, box.page.exists()) == (3, False)
    assert "while the controller is stopped" in told.err


def test_different_keys_are_not_decided_between(box: Box) -> None:
    key, other = box.with_key(), SecretKey.generate()
    box.page.write_text(page(other, "T1"), encoding="utf-8")
    told = box.install("--from", box.page)
    assert told.code == 3
    assert {key.public.fingerprint[:16], other.public.fingerprint[:16]} <= set(
        re.findall(r"[0-9a-f]{16}", told.err)
    )
    assert read_key(box.plain) == key


def test_a_key_that_the_journal_does_not_name_is_refused(box: Box) -> None:
    with running(box.place):
        pass
    named = read_key(box.plain)
    box.plain.unlink()
    told = box.install("--export", box.page)
    assert told.code == 3
    assert f"the journal in {box.place.state} names {named.public.fingerprint[:16]}" in told.err
    another = box.folder / "another.txt"
    another.write_text(page(SecretKey.generate(), "T2"), encoding="utf-8")
    told = box.install("--from", another)
    assert told.code == 3
    assert "another table's page?" in told.err
    assert not box.credential.exists()
    assert box.install("--export", box.page, "--new").code == 0
    assert decrypt(box.credential) != named
    assert read_keys(box.keys) == [named.public, decrypt(box.credential).public]


@pytest.mark.parametrize("text", ["", "key 1: a1b2 c3d4\n", "\xff\n"])
def test_what_is_no_page_installs_nothing(text: str, box: Box) -> None:
    box.page.write_text(text, encoding="latin-1")
    told = box.install("--from", box.page)
    assert (told.code, box.credential.exists()) == (2, False)
    assert str(box.page) in told.err


def test_without_systemd_creds_nothing_is_lost(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    key = box.with_key()
    assert box.tablectl("journal", "key", "--export", box.page).code == 2
    assert box.install("--state", box.place.state).code == 2
    with monkeypatch.context() as patched:
        patched.setenv("PATH", str(box.folder))
        told = box.install("--export", box.page)
    assert (told.code, "systemd 250 or newer" in told.err) == (1, True)
    assert read_key(box.plain) == key
    assert read_keys(box.keys) == [key.public], "no key is in use that is not named"
    assert not box.page.exists() or read_page(box.page.read_text("utf-8")) == key
    told = box.install("--export", box.page, json=False)
    assert "flash" in told.out, "what cannot be promised"
    assert "whoever has the disk has the key" in told.out


def test_a_machine_without_a_tpm_says_that_it_has_none(box: Box) -> None:
    box.with_key()
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patched:
        patched.setenv("SYSTEMD_TPM2_DEVICE", f"device:{box.folder}/none")
        told = box.install("--export", box.page, "--with-key", "auto")
    assert told.code == 0
    assert "host key on this disk alone" in told.json["bound_to"]
    assert told.json["because"].startswith("host+tpm2: ")


def test_a_key_that_has_signed_nothing_makes_room_for_one_with_a_page(box: Box) -> None:
    """As a package makes one at its installation, of which there is no page."""
    assert box.install("--export", box.page).code == 0
    first, page_2 = decrypt(box.credential), box.folder / "page-2.txt"
    told = box.install("--new", "--export", page_2)
    assert told.code == 0, told.err
    assert told.json["from"] == "made now, in place of one that has signed nothing"
    second = decrypt(box.credential)
    assert read_page(page_2.read_text("utf-8")) == second != first
    assert PAGED in box.drop_in.read_text()
    box.place.state.mkdir()
    (box.place.state / LOCK_NAME).touch()
    told = box.install("--new", "--export", box.folder / "page-3.txt")
    assert (told.code, told.json["from"]) == (0, "made now, in place of the one that was here")
    third = decrypt(box.credential)
    assert read_keys(box.keys) == [first.public, second.public, third.public]


@pytest.mark.parametrize("journal", ["still to come", "brought"])
def test_a_spares_key_gives_way_to_the_page_of_the_box_that_it_replaces(
    journal: str, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package makes a key on every box; on a spare nothing is ever signed with it. The list of
    keys is brought from the old box. Before the journal is brought another table's page is told by
    the copy, so that nothing is to be undone."""
    copy, other = box.folder / "copy", box.folder / "other.txt"
    box.keeps("copy", copy)
    with running(box.place):
        pass
    assert box.install("--export", box.page).code == 0
    key, brought = decrypt(box.credential), box.keys.read_bytes()
    if journal == "still to come":
        shutil.rmtree(box.place.state)
    box.becomes_a_spare(monkeypatch)
    assert decrypt(box.credential) != key
    box.keys.write_bytes(brought)
    if journal == "still to come":
        other.write_text(page(SecretKey.generate(), "T2"), encoding="utf-8")
        told = box.install("--from", other)
        assert (told.code, "another table's page?" in told.err) == (3, True)
        assert str(copy) in told.err
    told = box.install("--from", box.page)
    assert told.code == 0, told.err
    assert (told.json["fingerprint"], told.json["from"]) == (key.public.fingerprint, str(box.page))
    assert decrypt(box.credential) == key
    assert box.keys.read_bytes() == brought, "the spare's key counts for nothing"
    assert PAGED in box.drop_in.read_text()


@pytest.mark.parametrize("shows", ["copy", "heads", "lock"])
def test_a_key_that_may_have_signed_gives_way_to_no_page_where_its_journal_is_gone(
    shows: str, box: Box
) -> None:
    """The disk of the journal was exchanged; copy and heads lie on others. Of a controller that ran
    here there may be its lock alone: nobody knows what it has signed."""
    apart = box.folder / "apart"
    apart.mkdir()
    if shows != "lock":
        box.keeps(shows, {"copy": apart / "copy", "heads": apart / "heads.jsonl"}[shows])
        with running(box.place):
            pass
    assert box.install("--export", box.folder / "page-1.txt").code == 0
    key = decrypt(box.credential)
    if shows == "lock":
        box.place.state.mkdir()
        (box.place.state / LOCK_NAME).touch()
    else:
        shutil.rmtree(box.place.state)
    box.page.write_text(page(SecretKey.generate(), "T2"), encoding="utf-8")
    told = box.install("--from", box.page)
    assert (told.code, "there are different keys" in told.err) == (3, True)
    assert decrypt(box.credential) == key
    assert box.install("--from", box.folder / "page-1.txt").code == 0


def test_another_key_leaves_the_one_of_before_in_the_list(box: Box) -> None:
    """Also where a version that wrote no list made it, and where the list that is there has not all
    of them; a key that is there is not written twice."""
    key, page_2 = box.with_key(), box.folder / "page-2.txt"
    assert box.install("--new", "--export", box.page).code == 0
    keys = [key.public, decrypt(box.credential).public]
    assert read_keys(box.keys) == keys
    assert box.install().code == 0
    assert box.keys.read_text("ascii").count("\n") == len(keys)
    box.keys.write_text(f"{vkey_of(OTHER_KEY.public)}\n", "ascii")
    assert box.install("--new", "--export", page_2).code == 0
    in_use = [keys[1], decrypt(box.credential).public]
    assert read_keys(box.keys) == [OTHER_KEY.public, *in_use], "in use before, and now"


@pytest.mark.parametrize("link", [True, False])
def test_what_is_no_list_of_keys_is_not_written_over(box: Box, link: bool) -> None:
    key, other = box.with_key(), box.folder / "other"
    other.write_text("a list of the safe's other things\n")
    if link:
        box.keys.symlink_to(other)
    else:
        other.replace(box.keys)
    told = box.install("--export", box.page)
    assert (told.code, "no key is lost" in told.err, str(box.keys) in told.err) == (1, True, True)
    assert box.keys.read_text("ascii") == "a list of the safe's other things\n"
    box.keys.unlink()
    assert box.install("--export", box.page).code == 0
    assert read_keys(box.keys) == [key.public]
