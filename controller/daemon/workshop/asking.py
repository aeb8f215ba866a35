"""A device's answer, waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from drivers.api import Answer


async def answer_to(send: Callable[[Callable[[Answer], None]], object]) -> Answer:
    """What a device answers to what ``send`` sends; ``send`` is given what to call with it."""
    answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def done(answer: Answer) -> None:
        if not answered.cancelled():  # nobody waits for it any more
            answered.set_result(answer)

    send(done)
    return await answered
