"""uvicorn's server, without its command line.

Its package imports that with whatever is asked of it: click, a reloader and a supervisor of
processes, for a program that is one process and reads its own options. That is 1.4 MiB (28.3 or
29.8 once the console is imported, of 30 in all with pages) and about 10 ms of its start. So it
finds an empty module in that place. Whoever asks for ``uvicorn.main`` later gets the real one.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, Final

_COMMAND_LINE: Final = "uvicorn.main"

_left_out: Any = ModuleType(_COMMAND_LINE)
_left_out.Server = _left_out.main = _left_out.run = None
sys.modules.setdefault(_COMMAND_LINE, _left_out)
try:
    from uvicorn.config import Config
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.server import Server
finally:
    if sys.modules[_COMMAND_LINE] is _left_out:
        del sys.modules[_COMMAND_LINE]

__all__ = ["Config", "H11Protocol", "Server"]
