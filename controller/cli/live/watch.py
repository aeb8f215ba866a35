"""``watch``: on a terminal the full screen, to a pipe and as JSON a stream of states.

- ``--json`` and a pipe: the state, and again after each change, until the controller ends.
- ``--plain``: the state once, then each change in a line, without colour or movement of a cursor,
  for a screen reader, a log, a slow line. It goes on when the controller comes back.
- Without the extra ``cli`` a terminal gets the states one below the other.

A screen reader says a line once, a log keeps it: so nothing is told again that has not changed, and
what stands on the screen by being there (a controller that does not answer) is told when it comes
and when it goes."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Callable

from controller.cli.arguments import add_option
from controller.cli.connection import connect, socket_path
from controller.cli.group import Group
from controller.cli.live.feed import FROZEN_AFTER_S, Feed
from controller.cli.output import DONE, clear_screen, stream
from controller.cli.table.status import in_words
from controller.control.client import Silent
from controller.forms.json_values import JsonObject

LOOK_EVERY_S = 0.25


def register(top: Group) -> None:
    """Add the command."""
    parser = top.command("watch", watch)
    add_option(
        parser,
        "--plain",
        "the state once, then a line for each change: no colour, no cursor movement",
    )


def watch(options: argparse.Namespace) -> int:
    """Show the state, and what becomes of it."""
    if options.json:
        return _streamed(options, json.dumps)
    if options.plain:
        try:
            asyncio.run(_follow(_feed(options)))
        except* BrokenPipeError:  # nobody reads any more
            pass
        return DONE
    if not _takes_a_screen():
        return _streamed(options, _in_words)
    try:
        from controller.cli.live.screen import FullScreen
    except ImportError:
        return _streamed(options, _on_a_clear_screen)
    try:
        asyncio.run(FullScreen(_feed(options)).show_table())
    except* OSError:  # the terminal is gone
        pass
    return DONE


async def _follow(feed: Feed) -> None:
    told = bool(feed.state)
    if told:
        _print_now(in_words(feed.state))
    asked = feed.state.get("prompt")
    feed.tell = lambda change: _print_now(str(change))
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(feed.feed_view())
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            feed.observe()
            if feed.state and not told:
                told, asked = True, feed.state.get("prompt")
                _print_now(in_words(feed.state))
            if feed.state.get("prompt") != asked:
                asked = feed.state.get("prompt")
                _print_now(f"asks: {asked or 'nothing'}")


def _print_now(text: str) -> None:
    stream(text)
    sys.stdout.flush()


def _takes_a_screen() -> bool:
    """Whether there is a terminal to write to and one to take keys from, which can do both."""
    both = sys.stdout.isatty() and sys.stdin is not None and sys.stdin.isatty()
    return both and os.environ.get("TERM") not in (None, "", "dumb")


def _feed(options: argparse.Namespace) -> Feed:
    """With the first state; without one where a controller is there that does not answer."""
    from controller.configuration.places import may_ask

    path, first, unanswered_s = socket_path(options), {}, 0.0
    try:
        with connect(options, FROZEN_AFTER_S) as client:
            first = client.status()
    except Silent:  # that is what is to be seen
        unanswered_s = FROZEN_AFTER_S
    return Feed(path, first, may_ask=may_ask(path, first), unanswered_s=unanswered_s)


def _streamed(options: argparse.Namespace, told: Callable[[JsonObject], str]) -> int:
    with connect(options) as client:
        for state in client.watch():
            _print_now(told(state))
    return DONE


def _in_words(state: JsonObject) -> str:
    return in_words(state) + "\n"


def _on_a_clear_screen(state: JsonObject) -> str:
    clear_screen()
    return _in_words(state)
