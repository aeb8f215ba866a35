"""The files of a page: scripts, styles and documents, which come with the program.

They are read once, when the program starts, and have the types that browsers insist on. A browser
asks each time whether its copy is still the one (``ETag``), so a page never mixes two releases.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
"""What is served, and as what."""

SHARED: Final = Path(__file__).parent / "static"
"""The files that all pages share."""

NOT_MODIFIED: Final = 304


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file as it is served."""

    body: bytes
    kind: str

    @property
    def tag(self) -> str:
        """What tells it from another release's."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'

    def answer(self, request: Request) -> Response:
        """The file, or that the browser has it already."""
        headers = {"etag": self.tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=NOT_MODIFIED, headers=headers)
        return Response(self.body, headers={**headers, "content-type": self.kind})


class PageFiles:
    """The files in folders, however deep, by their names, of which no two are the same."""

    def __init__(self, *folders: Path) -> None:
        found: dict[str, PageFile] = {}
        for path in (path for folder in folders for path in sorted(folder.rglob("*"))):
            if path.suffix in TYPES:
                if path.name in found:
                    raise ValueError(f"two files of a page are named {path.name}: {path}")
                found[path.name] = PageFile(path.read_bytes(), TYPES[path.suffix])
        self.all: Mapping[str, PageFile] = MappingProxyType(found)

    async def answer(self, request: Request) -> Response:
        """The file that the path's ``name`` names."""
        file = self.all.get(request.path_params["name"])
        if file is None:
            return PlainTextResponse("no such file\n", 404)
        return file.answer(request)

    def page(self, name: str, request: Request) -> Response:
        """The document of that name."""
        return self.all[name].answer(request)
