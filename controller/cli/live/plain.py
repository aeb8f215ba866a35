"""``watch --plain``: the state once, as soon as it is known, then a line for each change. No
colour, no cursor movement.

A screen reader says a line once, a log keeps it: so nothing is told again that has not changed, and
what stands on the screen by being there (a controller that does not answer) is told when it comes
and when it goes.
"""

from __future__ import annotations

import asyncio
import sys

from controller.cli.live.feed import Feed
from controller.cli.live.seen import SeenChange
from controller.cli.output import stream
from controller.cli.table.status import in_words

LOOK_EVERY_S = 0.25


def follow(feed: Feed) -> None:
    """Tell it until Ctrl-C, or until nobody reads any more."""
    try:
        asyncio.run(_follow(feed))
    except* BrokenPipeError:
        pass


async def _follow(feed: Feed) -> None:
    told = bool(feed.state)
    if told:
        _say(in_words(feed.state))
    asked = feed.state.get("prompt")
    feed.tell = _tell
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(feed.run())
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            state = feed.look().state
            if state and not told:
                told, asked = True, state.get("prompt")
                _say(in_words(state))
            if state.get("prompt") != asked:
                asked = state.get("prompt")
                _say(f"asks: {asked or 'nothing'}")


def _tell(event: SeenChange) -> None:
    mark = "! " if event.alarm else ""
    _say(f"{event.at.strftime('%H:%M:%S')} {mark}{event.text}")


def _say(text: str) -> None:
    stream(text)
    sys.stdout.flush()
