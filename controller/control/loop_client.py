"""A connection to the control socket for a loop that does other things meanwhile.

As :class:`controller.control.client.ControlClient`; what it waits for can be cancelled at any time.
A command is given with a ``key``, so that after a broken connection it can be given again.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from controller.causes.finding import briefly
from controller.control.client import MAX_ANSWER_BYTES, NoController, RefusedByController
from controller.control.protocol import Request, encode_request
from controller.forms.json_values import T, WrongForm, checked

HUNG_UP: Final = "it hung up"


class Asker:
    """One connection: requests one after the other, or a stream."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._id = 0

    @property
    def has_hung_up(self) -> bool:
        """Whether the controller has hung up, and nothing of it is left to be read."""
        return self._reader.at_eof()

    async def ask(self, do: str, form: type[T], **fields: Any) -> T:
        """The result of a request. NoController: none any more; RefusedByController: no."""
        self._send(do, fields)
        return await self._answer(form)

    async def stream(self, do: str, form: type[T], **fields: Any) -> AsyncGenerator[T, None]:
        """What is answered again and again under one request; errors as for :meth:`ask`."""
        self._send(do, fields)
        while True:
            yield await self._answer(form)

    def _send(self, do: str, fields: Mapping[str, Any]) -> None:
        self._id += 1
        self._writer.write(encode_request(Request(self._id, do, **fields)))

    async def _answer(self, form: type[T]) -> T:
        try:
            line = await self._reader.readline()
            answer = json.loads(line) if line else None
        except (OSError, ValueError) as failure:
            raise NoController(str(failure)) from failure
        if not isinstance(answer, dict):
            raise NoController(HUNG_UP)
        if answer.get("ok") is not True:
            error = answer.get("error")
            raise RefusedByController(error if isinstance(error, dict) else {})
        try:
            return checked(form, answer.get("result"), "result")
        except WrongForm as wrong:
            raise NoController(str(wrong)) from wrong


@asynccontextmanager
async def asking(path: Path) -> AsyncIterator[Asker]:
    """A connection to the controller at ``path``; NoController where nobody answers there."""
    try:
        reader, writer = await asyncio.open_unix_connection(os.fspath(path), limit=MAX_ANSWER_BYTES)
    except (OSError, ValueError) as error:
        why = briefly(error, path) if isinstance(error, OSError) else str(error)
        raise NoController(f"{path}: {why}") from error
    try:
        yield Asker(reader, writer)
    finally:
        writer.close()
