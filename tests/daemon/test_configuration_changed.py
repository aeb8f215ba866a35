"""A configuration that is another one than at the last start: what the screen says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.files.rules import rule_files
from controller.journal.schema import FILE_NAME
from tests.daemon.journaling.test_tampered_while_off import close
from tests.daemon.process import RULES, Place
from tests.daemon.sealed import play


@pytest.mark.parametrize("archived", [False, True])
def test_key_old_value_and_new_value_are_told_over_a_restart(
    tmp_path: Path, *, archived: bool
) -> None:
    place = Place(tmp_path)
    for _ in range(2):
        assert play(place)["held"] is None
    if archived:
        close(place)
    text = place.configuration.read_text("utf-8")
    assert "max = 5000" in text
    place.configuration.write_text(text.replace("max = 5000", "max = 500", 1), "utf-8")
    held = play(place, resume=True)["held"]
    assert held["fault"] == "configuration-changed"
    assert "table.max was 5000, is 500" in held["reason"]
    place.configuration.write_text("# approved 26 November\n" + place.configuration.read_text())
    told = play(place)["held"]["reason"]
    assert "configuration file" in told, "only how it is written: no value is another one"
    assert (place.state / FILE_NAME).exists()


def test_a_changed_value_that_a_reading_depends_on_is_told_as_rules_and_as_readings(
    tmp_path: Path,
) -> None:
    place, rules = Place(tmp_path), tmp_path / "house.toml"
    rules.write_bytes(rule_files()[RULES].read_bytes())
    text = place.configuration.read_text("utf-8")
    assert f'rules = "{RULES}"' in text
    place.configuration.write_text(text.replace(f'"{RULES}"', f'"{rules}"', 1), "utf-8")
    assert play(place)["held"] is None
    text = rules.read_text("utf-8")
    moot = 'moot_draw = { value = "either", clause = "3.18; A-10" }'
    assert moot in text
    rules.write_text(text.replace(moot, moot.replace("either", "forbidden")), "utf-8")
    held = play(place)["held"]
    assert held["fault"] == "configuration-changed"
    assert "rule file " in held["reason"]
    assert "readings of the rules " in held["reason"]
