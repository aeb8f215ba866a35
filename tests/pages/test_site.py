"""What is made of the pages for the site, and what tells that it needs nothing from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.configuration.keys import SECTIONS
from pages import site as elsewhere
from pages.__main__ import files
from pages.generated import DOCS, ROOT
from pages.site import folder_page, place_of, relinked, rewritten
from pages.written_files import EXAMPLE, complete, rows_of


@pytest.mark.parametrize(
    ("github", "here"),
    [
        ("- one\n  more\n  - two\n\n    par", "- one\n    more\n    - two\n\n        par"),
        ("1. Do\n\n       make x\n\n   then", "1. Do\n\n        make x\n\n    then"),
        (
            "1. a\n   ```sh\n   x\n     y\n   ```\n2. b",
            "1. a\n    ```sh\n    x\n      y\n    ```\n2. b",
        ),
        ("Text:\n- one\n- two\n\nMore", "Text:\n\n- one\n- two\n\nMore"),
        ("- one\nlazy\n\nText", "- one\n    lazy\n\nText"),
        ("    make demo\n\n- x", "    make demo\n\n- x"),
        ("```text\n- one\n  - two\n| `a\\|b` |\n```", "```text\n- one\n  - two\n| `a\\|b` |\n```"),
        ("| `a\\|b` | c \\| d |", "| `a|b` | c \\| d |"),
        ("*emphasis* - no item\n-5 is none", "*emphasis* - no item\n-5 is none"),
    ],
)
def test_a_page_becomes_what_python_markdown_takes_for_the_same(github: str, here: str) -> None:
    assert rewritten(github) == here


def test_links_to_the_repository_lead_into_the_site() -> None:
    taken: list[str] = []

    def take(wanted: str) -> str:
        taken.append(wanted)
        return place_of(wanted, ROOT)

    text = "[a](../CONTRIBUTING.md#form) [b](examples/rounds/) [c](decisions/) [d](draw.md)"
    assert relinked(text, "maintainer.md", ROOT, take) == (
        "[a](repository/CONTRIBUTING.md#form) [b](examples/rounds/files.md) "
        "[c](decisions/README.md) [d](draw.md)"
    )
    assert taken == ["CONTRIBUTING.md", "docs/examples/rounds"]
    assert relinked("[a](docs/draw.md)", "repository/README.md", ROOT, take) == "[a](../draw.md)"
    models = relinked("[a](../proof/models/)", "models.md", ROOT, take)
    assert models == "[a](repository/proof/models/files.md)"


@pytest.mark.parametrize(
    "text",
    [
        "[a](https://example.org/x)",
        "[a](#here)",
        "`[a](../README.md)`",
        "[a](nowhere.md)",
        "[a](../../etc)",
        "```\n[a](../README.md)\n```",
        "~~~\n[a](../README.md)\n~~~",
    ],
)
def test_other_links_and_code_stay(text: str) -> None:
    assert relinked(text, "draw.md", ROOT, pytest.fail) == text


def test_a_folder_is_shown_file_by_file() -> None:
    page = folder_page("docs/examples/vendor_driver", ROOT)
    assert "## acme_shoe.py\n\n````python\n" in page
    assert "## pyproject.toml\n\n````toml\n" in page


def test_no_picture_fetches_anything() -> None:
    pictures = list((DOCS / "pictures").glob("*.svg"))
    assert pictures
    assert [reference for path in pictures for reference in elsewhere.references(path)] == []


FROM_ELSEWHERE = {
    "a.html": '<script src="https://x.example/a.js"></script>',
    "b.html": '<link rel="stylesheet" href="//x.example/a.css">',
    "c.html": '<img alt="" src="http://x.example/a.png">',
    "d.html": "<style>@font-face { src: url(https://x.example/a.woff2) }</style>",
    "e.html": "<p style=\"background: url('https://x.example/a.png')\">x</p>",
    "f.html": '<script>load("https://unpkg.com/a")</script>',
    "g.html": '<iframe src="https://x.example/"></iframe>',
    "a.css": '@import "https://x.example/a.css";',
    "a.svg": '<svg><image href="https://x.example/a.png"/></svg>',
    "a.js": 'fetch("https://cdn.example/mermaid.min.js")',
}
HARMLESS = (
    '<svg xmlns="http://www.w3.org/2000/svg"></svg><a href="https://x.example/">x</a>'
    '<img src="a.png"><style>a { background: url(a.png) }</style><p>https://unpkg.com/a</p>'
    '<link rel="canonical" href="https://x.example/">'
)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text(HARMLESS, encoding="utf-8")
    (tmp_path / "search_index.js").write_text('"https://unpkg.com/a"', encoding="utf-8")
    (tmp_path / "a.txt").write_text("https://unpkg.com/a", encoding="utf-8")
    return tmp_path


def test_a_site_that_needs_nothing_is_well(site: Path) -> None:
    assert elsewhere.main([str(site)]) == 0


@pytest.mark.parametrize("name", FROM_ELSEWHERE)
def test_what_is_from_elsewhere_is_named(
    name: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / name).write_text(FROM_ELSEWHERE[name], encoding="utf-8")
    assert elsewhere.main([str(site)]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"from elsewhere: {name}: ")
    assert told.count("\n") == 1


def test_no_site_is_no_good_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert elsewhere.main([str(tmp_path)]) == 2
    assert "make site" in capsys.readouterr().err


def test_the_example_has_every_key_and_so_has_the_page_of_keys() -> None:
    rows = list(rows_of(complete(EXAMPLE.read_text(encoding="utf-8"))))
    assert {row[0].strip("`").split(".")[0] for row in rows} == set(SECTIONS)
    assert all(path.read_text("utf-8") == text for path, text in files("configuration.md", DOCS))


def test_a_key_that_the_example_lacks_is_named() -> None:
    with pytest.raises(ValueError, match=r"table\.day_begins"):
        list(rows_of(EXAMPLE.read_text(encoding="utf-8")))
