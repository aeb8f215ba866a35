"""What a floor is shown of a table is what the table's own status says."""

from __future__ import annotations

from controller.table.showing.status import status
from floor.facts.columns import shown_table
from tests.replay.course.played import eventful
from tests.table.live.driver import MBS, Live


def test_it_is_what_the_status_says() -> None:
    held = Live(MBS)
    held.say("open", "wager 1 main 10", "close")
    held.down("shoe")
    for live in (Live(MBS), eventful(), held):
        told, said = shown_table(live.table), status(live.table)
        assert told is not None
        assert (told["rules"], told["state"]) == (said["rules"], said["state"])
        assert told["conditions"] == said["conditions"]
        assert (told["held"] is None) == (said["held"] is None)
        if told["held"] is not None and said["held"] is not None:
            assert all(said["held"].get(key) == value for key, value in told["held"].items())
        assert {name: link["up"] for name, link in told["links"].items()} == {
            name: device["link"] == "up" for name, device in said["devices"].items()
        }
    assert status(held.table)["held"] is not None
