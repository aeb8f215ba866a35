"""Files of a page, and the headers of every answer."""

from __future__ import annotations

import asyncio
import hashlib
import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.web.served import Answered, get, served
from web.files import SHARED, PageFiles
from web.headers import HEADERS, POLICY, SHEET_POLICY, SecureHeaders


async def _sheet(_: Request) -> Response:
    return Response("<p>", headers={"content-security-policy": SHEET_POLICY})


def _asked(*asked: tuple[str, dict[str, str]]) -> list[Answered]:
    application = Starlette(
        routes=[Route("/static/{name}", PageFiles(SHARED).answer), Route("/sheet", _sheet)],
        middleware=[Middleware(SecureHeaders)],
    )

    async def run() -> list[Answered]:
        async with served(application) as port:
            return [await get(port, path, **headers) for path, headers in asked]

    return asyncio.run(run())


def test_files_have_their_types_and_come_once() -> None:
    script, style = _asked(("/static/live.js", {}), ("/static/common.css", {}))
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert style.headers["content-type"] == "text/css; charset=utf-8"
    assert script.body == (SHARED / "live.js").read_bytes()
    [again] = _asked(("/static/live.js", {"If_None_Match": script.headers["etag"]}))
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    "path", ["README.md", "lit-html.LICENSE", "none.js", "..%2Ffiles.py", "%2e%2e/files.py"]
)
def test_nothing_else_is_served(path: str) -> None:
    [refused] = _asked((f"/static/{path}", {}))
    assert refused.status == 404


def test_every_answer_has_the_headers() -> None:
    answers = _asked(("/static/live.js", {}), ("/static/none", {}), ("/none", {}))
    for answer in answers:
        told = {name: answer.headers[name] for name in HEADERS if name != "cache-control"}
        assert told.items() <= HEADERS.items()
        assert answer.headers["cache-control"] in ("no-cache", "no-store")
        assert "server" not in answer.headers
    assert POLICY.startswith("default-src 'none'; ")
    assert "unsafe" not in POLICY


def test_a_sheet_has_a_policy_of_its_own() -> None:
    [sheet] = _asked(("/sheet", {}))
    assert sheet.headers["content-security-policy"] == SHEET_POLICY
    assert "script" not in SHEET_POLICY


def test_two_files_of_one_name_are_a_defect(tmp_path: Path) -> None:
    (tmp_path / "live.js").write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match=r"live\.js"):
        PageFiles(SHARED, tmp_path)


def test_what_is_of_others_is_as_they_made_it() -> None:
    told = (SHARED / "README.md").read_text(encoding="utf-8")
    [(name, digest, licence)] = re.findall(
        r"^\| `(\S+)` \|.*SHA-256 `(\w{64})` \|.*`(\S+)` \|$", told, re.MULTILINE
    )
    assert hashlib.sha256((SHARED / name).read_bytes()).hexdigest() == digest
    assert "BSD 3-Clause" in (SHARED / licence).read_text(encoding="utf-8")
