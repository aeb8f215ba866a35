"""Files are opened in one place, which refuses what is no regular file and bounds what is read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("controller", "exporter", "drivers", "floor")

EXCEPTIONS = {
    "controller/regular_files.py": "the one place",
    "controller/causes/finding.py": "a file without a name: whether a folder takes one",
    "controller/cli/output.py": "/dev/null, for a stream that nobody reads any more",
    "controller/daemon/health/installed.py": "a distribution's own list, by importlib",
    "controller/program.py": "its own files, as Python opens them, and lists of importlib",
    "drivers/carriers/serial_port.py": "/proc/locks; drivers know nothing of the controller",
    "floor/store/schema.py": "its own SQL, by importlib",
}

FILES = frozenset({"read_bytes", "read_text", "write_bytes", "write_text"})
OF_MODULES = {
    "os": {"open", "mkfifo", "openpty"},
    "io": {"open", "open_code", "FileIO"},
    "gzip": {"open"},
    "bz2": {"open"},
    "lzma": {"open"},
    "codecs": {"open"},
    "shutil": {"copy", "copy2", "copyfile", "copytree"},
    "tarfile": {"TarFile"},
    "zipfile": {"ZipFile"},
}
BARE = frozenset({"open", "FileIO", "open_code", "copyfile", "copy2"})
MODE = re.compile(r"[rwxab+t]{1,4}")


def opened(source: str) -> Iterator[int]:
    """The lines in which a file is opened by its name."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        of = node.func
        if isinstance(of, ast.Name) and of.id in BARE:
            yield node.lineno
        if not isinstance(of, ast.Attribute):
            continue
        module = of.value.id if isinstance(of.value, ast.Name) else ""
        if (
            of.attr in FILES
            or of.attr in OF_MODULES.get(module, ())
            or (of.attr == "open" and _is_of_a_path(node, module))
        ):
            yield node.lineno


def _is_of_a_path(call: ast.Call, module: str) -> bool:
    """Whether it is ``Path.open`` or ``tarfile.open`` by name: the house has methods that are
    called so and take neither a mode nor a name."""
    if module == "tarfile":
        return not any(word.arg == "fileobj" for word in call.keywords)
    words = [*call.args[:1], *(word.value for word in call.keywords if word.arg == "mode")]
    modes = [word.value for word in words if isinstance(word, ast.Constant)]
    texts = any(word.arg in ("encoding", "newline", "buffering") for word in call.keywords)
    return texts or any(isinstance(mode, str) and MODE.fullmatch(mode) for mode in modes)


@pytest.mark.parametrize("package", PACKAGES)
def test_nobody_opens_a_file_in_another_way(package: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / package).rglob("*.py"))
        if str(path.relative_to(ROOT)) not in EXCEPTIONS
        for line in opened(path.read_text(encoding="utf-8"))
    ]
    assert found == [], "use controller.regular_files"


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_an_exception_that_is_none_any_more_is_struck_out(name: str) -> None:
    assert list(opened((ROOT / name).read_text(encoding="utf-8"))) != []


@pytest.mark.parametrize(
    "source",
    [
        "open(name)",
        "os.open(name, 0)",
        "path.open('rb')",
        "path.open(mode='x')",
        "path.open(encoding='utf-8')",
        "path.read_bytes()",
        "path.read_text()",
        "path.write_text('')",
        "io.FileIO(name)",
        "gzip.open(name)",
        "tarfile.open(name)",
        "shutil.copyfile(one, other)",
    ],
)
def test_each_way_is_seen(source: str) -> None:
    assert list(opened(source)) == [1]


@pytest.mark.parametrize(
    "source", ["runtime.open()", "tarfile.open(fileobj=packed, mode='w')", "os.fdopen(fd, 'rb')"]
)
def test_what_opens_no_file_by_its_name_is_none(source: str) -> None:
    assert list(opened(source)) == []
