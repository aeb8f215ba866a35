"""What a package has beside the program: documentation, completion, who answers for it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from appliance import documents
from appliance.build import STANDS_FOR_HIM, maintainer, sign
from appliance.demo_files import imported_by
from hil_tests.benches.vm.places import CannotBuild
from pages.site import CODE, ELSEWHERE, LINK

ROOT = Path(__file__).parents[2]


RULES = (ROOT / "debian" / "rules").read_text("utf-8")


def _of_rules(variable: str, package: str) -> str:
    """What ``debian/rules`` says of a package."""
    [said] = re.findall(rf"^{variable}_{package} := (.*)$", RULES, re.MULTILINE)
    return str(said)


def test_each_of_our_packages_that_a_box_imports_is_on_it() -> None:
    there = set(re.findall(r"[a-z_]+", _of_rules("SOURCE", "table-controller")))
    ours = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    waiting, imported = {"controller"}, set()
    while waiting:
        name = waiting.pop()
        imported.add(name)
        for path in (ROOT / name).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    waiting |= {node.module.partition(".")[0]} & ours - imported
    assert imported - {"config"} <= there


@pytest.mark.parametrize(
    ("package", "program", "least"),
    [("table-floor", "floor.main", 100), ("table-console", "console.main", 40)],
)
def test_all_that_a_program_imports_is_in_its_package(
    package: str, program: str, least: int
) -> None:
    """Of ours the folder, of others' the library in its lock, by the names of its modules."""
    ours = _of_rules("SOURCE", package).split()
    files, others = imported_by([program], ROOT, ours)
    foreign = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {*ours}
    assert len(files) > least
    assert others & foreign == set(), f"debian/rules: SOURCE_{package}"
    lock = (ROOT / _of_rules("LOCK", package)).read_text("utf-8")
    pinned = {name.replace("-", "_") for name in re.findall(r"(?m)^([a-z0-9-]+)==", lock)}
    assert others - foreign - sys.stdlib_module_names <= pinned, f"LOCK_{package}"


def test_no_link_of_its_documentation_is_dead(tmp_path: Path) -> None:
    documents.write(tmp_path)
    pages = sorted(tmp_path.rglob("*.md"))
    assert tmp_path / "technician.md" in pages
    dead = [
        f"{page.relative_to(tmp_path)}: {link['to']}"
        for page in pages
        for part in CODE.split(page.read_text("utf-8"))[::3]
        for link in LINK.finditer(part)
        if not ELSEWHERE.match(link["to"]) and not (page.parent / link["to"]).is_file()
    ]
    assert dead == []


@pytest.mark.parametrize(
    ("shell", "file"),
    [
        ("bash", "bash-completion/completions/tablectl"),
        ("zsh", "zsh/vendor-completions/_tablectl"),
        ("fish", "fish/vendor_completions.d/tablectl.fish"),
    ],
)
def test_each_shell_finds_its_completion(shell: str, file: str, tmp_path: Path) -> None:
    made = ["make", "-s", "-f", "debian/rules", "completion", f"BOX={tmp_path}"]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    subprocess.run(
        [*made, f"SITE={sysconfig.get_path('purelib')}"],
        env={**os.environ, "PATH": path},
        cwd=ROOT,
        check=True,
    )
    text = (tmp_path / "usr/share" / file).read_text("utf-8")
    assert "tablectl" in text
    if shell == "zsh":  # what makes zsh take the file for a function's
        assert text.startswith("#compdef tablectl\n")
    if shell == "bash":
        asked = 'COMP_TYPE=9; COMP_WORDBREAKS=" "; _python_argcomplete tablectl'
        line = 'COMP_LINE="tablectl journal ve"; COMP_POINT=19'
        ran = subprocess.run(
            ["bash", "-c", f'{text}\n{line}; {asked}; printf "%s" "${{COMPREPLY[@]}}"'],
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stdout.strip() == "verify"


def _source(tree: Path) -> Path:
    (tree / "debian").mkdir(parents=True)
    for name in ("control", "changelog"):
        text = (ROOT / "debian" / name).read_text("utf-8")
        (tree / "debian" / name).write_text(text, "utf-8")
    return tree


@pytest.mark.needs("git")
def test_who_builds_it_answers_for_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By Debian's own variables; else who made the commit that is built."""
    given = {"DEBFULLNAME": "Ann Tan", "DEBEMAIL": "ann@house.sg"}
    who = maintainer(given)
    assert who == "Ann Tan <ann@house.sg>"
    tree = _source(tmp_path / "tree")
    sign(tree, who)
    assert f"\nMaintainer: {who}\n" in (tree / "debian" / "control").read_text("utf-8")
    assert f"\n -- {who}  " in (tree / "debian" / "changelog").read_text("utf-8")
    assert capsys.readouterr().err == ""
    made = tmp_path / "checkout"
    subprocess.run(["git", "init", "-q", made], check=True)
    named = ["-c", "user.name=Li Wei", "-c", "user.email=li@house.sg"]
    empty = ["commit", "-q", "--allow-empty", "-m", "Begin"]
    subprocess.run(["git", "-C", made, *named, *empty], check=True)
    assert maintainer({}, made) == "Li Wei <li@house.sg>"


def test_one_whom_no_mail_reaches_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sign(_source(tmp_path), "Nobody <nobody@table.invalid>")
    assert "whom no mail reaches" in capsys.readouterr().err


@pytest.mark.parametrize(
    "given",
    [
        {"DEBEMAIL": "ann@house.sg"},
        {"DEBFULLNAME": "Ann Tan", "DEBEMAIL": "ann@localhost"},
        {"DEBFULLNAME": "Ann <Tan>", "DEBEMAIL": "ann@house.sg"},
    ],
)
def test_what_is_no_address_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(CannotBuild, match="DEBFULLNAME"):
        maintainer(given)


def test_a_source_that_names_another_is_not_built(tmp_path: Path) -> None:
    tree = _source(tmp_path)
    control = tree / "debian" / "control"
    control.write_text(control.read_text("utf-8").replace(STANDS_FOR_HIM, "A <a@b.c>"), "utf-8")
    with pytest.raises(CannotBuild, match="debian/control"):
        sign(tree, "Ann Tan <ann@house.sg>")
