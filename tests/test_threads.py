"""A machine that has no thread to give: that is an error of the system, like a full disk."""

from __future__ import annotations

import threading

import pytest
from pytest_mock import MockerFixture

from controller.threads import NoThread, start


@pytest.mark.parametrize("refusal", [RuntimeError("can't start new thread"), MemoryError()])
def test_a_refusal_is_an_error_of_the_system(mocker: MockerFixture, refusal: Exception) -> None:
    mocker.patch("threading.Thread.start", side_effect=refusal)
    with pytest.raises(NoThread, match="no thread can be started for it"):
        start(threading.Thread(target=print))
