"""What MkDocs asks for while it builds the site (``hooks`` in ``mkdocs.yml``).

- Pages become the Markdown that MkDocs reads (:mod:`~.rewriting`). They are those of a folder in
  which no link leads out (:mod:`appliance.documents`).
- Diagrams are drawn now, by mermaid itself, so that a page needs no script for them.
- The theme's scripts lose the addresses from which they would fetch what no page here needs.
- The pictures of the screens get a page.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mermaidx import render
from mkdocs.structure.files import File

from pages.site.rewriting import SCREENS, rewritten, screens

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).resolve().parents[2]
DRAWN: Final = ROOT / "build" / "diagrams"
"""What was drawn before: each takes two seconds."""

DIAGRAM: Final = re.compile(r"^```mermaid\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FETCHED: Final = re.compile(r"https://unpkg\.com/[^\"'`]*")
SHIM: Final = Path(__file__).parent / "assets" / "iframe-worker.js"


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """The shim and the page of the screens, before anything is built."""
    files.append(File.generated(config, f"assets/{SHIM.name}", abs_src_path=str(SHIM)))
    pictures = sorted(filter(re.compile(r"pictures/[^/]*\.svg").fullmatch, files.src_uris))
    files.append(File.generated(config, SCREENS, content=screens(pictures)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The page with its diagrams drawn, as MkDocs reads Markdown."""
    up = "../" * page.file.src_uri.count("/")

    def drawn(found: re.Match[str]) -> str:
        name = f"diagrams/{hashlib.sha256(found['text'].encode()).hexdigest()[:16]}.svg"
        if files.get_file_from_path(name) is None:
            files.append(File.generated(config, name, content=draw(found["text"])))
        return f"[![Diagram]({up}{name})]({up}{name})"

    return rewritten(DIAGRAM.sub(drawn, markdown))


def draw(text: str) -> str:
    """The diagram as SVG; drawn once for the same text."""
    kept = DRAWN / f"{hashlib.sha256(text.encode()).hexdigest()}.svg"
    if not kept.is_file():
        svg = render(text).svg()
        DRAWN.mkdir(parents=True, exist_ok=True)
        kept.write_text(svg, encoding="utf-8")
    return kept.read_text(encoding="utf-8")


def on_post_build(*, config: MkDocsConfig) -> None:
    """Scripts that name nothing to be fetched: mermaid, and a shim for browsers of 2019."""
    for script in Path(config.site_dir).glob("assets/javascripts/bundle.*.js"):
        text = script.read_text(encoding="utf-8")
        script.write_text(FETCHED.sub("", text), encoding="utf-8")
