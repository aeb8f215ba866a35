"""What MkDocs asks for while it builds the site (``hooks`` in ``mkdocs.yml``).

- Pages become the Markdown that MkDocs reads (:mod:`~.site`). They are those of a folder in
  which no link leads out (:mod:`appliance.documents`).
- Diagrams are drawn now, by mermaid itself, so that a page needs no script for them.
- The theme's scripts lose the addresses from which they would fetch what no page here needs.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mermaidx import render
from mkdocs.structure.files import File

from pages.site import rewritten

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).resolve().parents[1]
DRAWN: Final = ROOT / "build" / "diagrams"
"""What was drawn before: each takes two seconds."""

DIAGRAM: Final = re.compile(r"^```mermaid\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FETCHED: Final = re.compile(r"https://unpkg\.com/[^\"'`]*")


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The page with its diagrams drawn, as MkDocs reads Markdown."""
    up = "../" * page.file.src_uri.count("/")

    def drawn(found: re.Match[str]) -> str:
        digest = hashlib.sha256(found["text"].encode()).hexdigest()
        name, kept = f"diagrams/{digest[:16]}.svg", DRAWN / f"{digest}.svg"
        if not kept.is_file():
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(render(found["text"]).svg(), encoding="utf-8")
        if files.get_file_from_path(name) is None:
            files.append(File.generated(config, name, abs_src_path=str(kept)))
        return f"[![Diagram]({up}{name})]({up}{name})"

    return rewritten(DIAGRAM.sub(drawn, markdown))


def on_post_build(*, config: MkDocsConfig) -> None:
    """Scripts that name nothing to be fetched: mermaid, and a shim for browsers of 2019."""
    for script in Path(config.site_dir).glob("assets/javascripts/bundle.*.js"):
        text = script.read_text(encoding="utf-8")
        script.write_text(FETCHED.sub("", text), encoding="utf-8")
