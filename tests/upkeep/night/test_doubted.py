"""Nights at a table of whose journal a start found something wrong, or whose key nobody vouches
for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.evidence.trust import OWN_WORD
from controller.upkeep import night_report as reports
from tests.cli.support import Tablectl
from tests.daemon.process import Place
from tests.daemon.sealed import play
from tests.journal.helpers import forging
from tests.upkeep.night.test_night import close, history, night, verified


def forged(place: Place) -> None:
    """Somebody without the key was there; a supervisor has let play go on."""
    with forging(place.state) as connection:
        connection.execute("DELETE FROM signed")
    play(place, resume=True)


def found(place: Place, after_days: float) -> list[str]:
    report = night(place, after_days)
    assert not report["well"]
    told = [one["what"] for one in verified(report)["findings"]]
    assert told == [one["what"] for one in report["doubts"]]
    return told


@pytest.mark.parametrize("closes", [False, True])
def test_what_a_start_found_is_said_every_night_until_somebody_accepts_it(
    place: Place, tablectl: Tablectl, closes: bool
) -> None:
    """Whatever was resumed, and in the journals that go on from there; and nothing else is accepted
    with it."""
    assert night(place)["well"]
    forged(place)
    first = found(place, 1)
    [what] = first
    assert "found journal-not-signed, and vouches for nothing before it: it has no signed" in what
    if closes:
        close(place)
        assert night(place, 41)["closed"][0]["well"] is False
    assert found(place, 42) == first
    path = place.folder / "report.json"
    command = ("nightly", "--config", place.configuration, "--report", path)
    assert tablectl(*command, "--accept", "--by", "Novak").code == 2
    assert f"  entry {night(place, 43)['doubts'][0]['seq']}: {what}" in tablectl(*command).out
    ran = tablectl(*command, "--accept", "--by", "Novak", "--why", "the disk was cloned")
    assert (ran.code, f"accepted: {what}" in ran.out) == (0, True), ran.out
    assert history(place) == ["accepted"]
    noted = json.loads(path.with_name(reports.HISTORY).read_text("utf-8"))
    assert (noted["doubt"], noted["by"], noted["why"]) == (what, "Novak", "the disk was cloned")
    report = night(place, 90)
    assert (report["well"], report["problems"], "doubts" in report) == (True, [], False)
    forged(place)
    assert len(found(place, 91)) == 1
    assert found(place, 130) != first


def test_the_journals_own_word_of_its_key_is_a_problem(place: Place, tablectl: Tablectl) -> None:
    """Also where all is well by it: a journal that was signed anew with another key would be."""
    keys = place.folder / "journal.vkey"
    kept = keys.read_bytes()
    keys.unlink()
    report = night(place)
    assert (report["well"], len(report["problems"])) == (True, 1)
    assert report["problems"][0].startswith(f"{OWN_WORD}: {keys} is not there")
    command = ("nightly", "--config", place.configuration, "--report", place.folder / "report.json")
    ran = tablectl(*command)
    assert (ran.code, ran.out.splitlines()[0]) == (1, OWN_WORD)
    assert tablectl(*command, "--json").json["key"] == "journal"
    keys.write_bytes(kept)
    ran = tablectl(*command)
    assert (ran.code, ran.out.splitlines()[0]) == (0, f"key: {keys}")
    assert tablectl(*command, "--json").json["key"] == str(keys)


def test_a_night_without_a_journal_says_nothing_of_keys(tmp_path: Path, tablectl: Tablectl) -> None:
    place = Place(tmp_path / "table")
    command = ("nightly", "--config", place.configuration, "--report", tmp_path / "report.json")
    ran = tablectl(*command)
    assert (ran.code, ran.out.splitlines()[0].partition(":")[0]) == (0, "journal")
    assert tablectl(*command, "--json").json["key"] is None
