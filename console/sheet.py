"""The sheet of a round, as the table's own program writes it. What that imports is imported with
the first sheet: the screens need none of it.
"""

from __future__ import annotations

from controller.forms.json_values import JsonObject
from controller.replay.course.steps import told_round
from controller.sheets.codes import as_svg
from controller.sheets.dispute_page import dispute_page
from controller.sheets.round_code import RoundCode


def sheet_of(told: JsonObject, code: RoundCode | None) -> str:
    """The sheet of a round that the daemon has told with its course, and with its code where that
    is to be had.

    Raises:
        WrongForm: it has another form.
    """
    picture = "" if code is None else as_svg(code.text)
    return dispute_page(*told_round(told), code, picture)
