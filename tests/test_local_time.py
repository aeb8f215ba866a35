"""Times for people: how long ago, and the zone of this machine, where it is read, and what is said
where it cannot be found."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path

import pytest

from controller import local_time
from controller.local_time import ZoneUnknown, known_zone, local, local_zone, zone_named
from controller.plain_text import ago

NOW = datetime(2026, 11, 23, 22, 15, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (timedelta(0), "0 s ago"),
        (timedelta(seconds=8.9), "8 s ago"),
        (timedelta(seconds=119), "119 s ago"),
        (timedelta(minutes=2), "2 min ago"),
        (timedelta(hours=1, minutes=59), "119 min ago"),
        (timedelta(hours=47), "47 h ago"),
        (timedelta(days=90), "90 days ago"),
    ],
)
def test_how_long_ago(before: timedelta, said: str) -> None:
    assert ago((NOW - before).isoformat(), NOW) == said


@pytest.mark.parametrize("text", ["-", "12:00", "2026-11-23T22:15:00", "2026-11-23T22:15:31+00:00"])
def test_what_is_no_time_of_the_past_is_told_as_it_is(text: str) -> None:
    assert ago(text, NOW) == text


NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
IN_SUMMER = datetime(2026, 7, 1, 12, tzinfo=UTC)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One without ``TZ``, whose files are in this folder."""
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(local_time, "LOCALTIME", tmp_path / "localtime")
    monkeypatch.setattr(local_time, "TIMEZONE", tmp_path / "timezone")
    return tmp_path


@pytest.fixture(params=["of the system or locked", "locked"])
def _rules(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.param == "locked":
        zoneinfo.reset_tzpath([])
        zoneinfo.ZoneInfo.clear_cache()
    yield
    zoneinfo.reset_tzpath()
    zoneinfo.ZoneInfo.clear_cache()


Set = Callable[[Path, str, pytest.MonkeyPatch], object]


def of_tz(_: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", name)


def of_a_link(machine: Path, name: str, _: pytest.MonkeyPatch) -> None:
    (machine / "localtime").symlink_to(f"/nowhere/zoneinfo/{name}")


def of_a_link_to_a_link(machine: Path, name: str, _: pytest.MonkeyPatch) -> None:
    (machine / "localtime").symlink_to("other")
    (machine / "other").symlink_to(f"/nowhere/zoneinfo/{name}")


WAYS: list[Set] = [
    *(of_tz, of_a_link, of_a_link_to_a_link),
    lambda machine, name, patch: of_tz(machine, f":{name}", patch),
    lambda machine, name, patch: of_tz(machine, f"/usr/share/zoneinfo/{name}", patch),
    lambda machine, name, _: (machine / "timezone").write_text(f"{name}\n"),  # Debian's
]


@pytest.mark.usefixtures("_rules")
@pytest.mark.parametrize("way", WAYS)
def test_a_zone_by_each_way(way: Set, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    way(machine, "Europe/Berlin", monkeypatch)
    zone = local_zone()
    assert (zone.name, zone.trouble) == ("Europe/Berlin", "")
    assert local(NOON).hour == 13
    assert local(IN_SUMMER).hour == 14
    assert NOON.astimezone(known_zone()).utcoffset() == timedelta(hours=1)


@pytest.mark.parametrize(
    "name", ["Mars/Olympus", "CET-1CEST", "Europe", "../../etc/passwd", "tzdata.zi", "\udcff"]
)
@pytest.mark.parametrize("way", [of_tz, of_a_link])
def test_one_that_is_none_is_utc_with_a_word(
    way: Set, name: str, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    way(machine, name, monkeypatch)
    zone = local_zone()
    assert local(NOON).isoformat() == "2026-11-28T12:00:00+00:00"
    assert zone.trouble.endswith(", which is not to be found")
    assert zone.trouble.startswith("TZ names" if way is of_tz else str(machine / "localtime"))
    with pytest.raises(ZoneUnknown) as refused:
        known_zone()
    assert str(refused.value).startswith(f"{zone.trouble}: install the zones, 'apt install tzdata'")


@pytest.mark.parametrize("name", ["UTC", "Etc/UTC"])
@pytest.mark.parametrize("way", WAYS)
def test_utc_needs_no_rules(
    way: Set, name: str, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    way(machine, name, monkeypatch)
    assert known_zone() is UTC


def test_what_nobody_has_set_is_utc(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert local_zone().name == "UTC"
    assert known_zone() is UTC
    (machine / "timezone").write_text("Europe/Berlin\n")
    monkeypatch.setenv("TZ", "")
    assert known_zone() is UTC


def test_the_link_comes_before_debians_file(machine: Path) -> None:
    (machine / "timezone").write_text("Europe/Berlin\n")
    (machine / "localtime").symlink_to("/nowhere/zoneinfo/Asia/Singapore")
    assert local_zone().name == "Asia/Singapore"


def test_a_copy_of_a_zone_is_read_and_a_cut_one_told(machine: Path) -> None:
    whole = files("tzdata.zoneinfo.Europe").joinpath("Berlin").read_bytes()
    copy = machine / "localtime"
    copy.write_bytes(whole)
    assert (local_zone().name, local_zone().trouble) == (str(copy), "")
    assert local(IN_SUMMER).hour == 14
    for size in (0, 3, 30, len(whole) // 2):
        copy.write_bytes(whole[:size])
        assert "is not to be found" in local_zone().trouble, size


def test_debians_file_that_cannot_be_read(machine: Path) -> None:
    (machine / "timezone").mkdir()
    assert "timezone" in local_zone().trouble


def test_a_zone_that_is_installed_meanwhile_counts(machine: Path) -> None:
    link = machine / "localtime"
    link.symlink_to("/nowhere/zoneinfo/Mars/Olympus")
    assert local_zone().trouble
    link.unlink()
    link.symlink_to("/nowhere/zoneinfo/Asia/Singapore")
    assert not local_zone().trouble
    assert local(NOON).hour == 20


def test_a_name_alone() -> None:
    assert zone_named("Asia/Singapore").key == "Asia/Singapore"
    with pytest.raises(ZoneUnknown, match="there is no time zone 'Mars/Olympus' here: install"):
        zone_named("Mars/Olympus")
