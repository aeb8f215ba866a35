"""The package's parts that need no clean system: locks, licences, the demo, scripts, other
languages; and everything that says on which releases and Pythons it runs says the same."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import subprocess
import tomllib
import zipfile
from email.message import Message
from pathlib import Path

import pytest

from appliance.bill import BundledLibrary, bundled_libraries, licence
from appliance.demo_files import demo_files
from appliance.readme import NAMED
from appliance.releases import RELEASES
from controller import STORES, __version__

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
README = (ROOT / "README.md").read_text("utf-8")
LANGUAGE = "Programming Language :: Python :: "


def minor(version: str) -> int:
    return int(version.removeprefix("3."))


def test_pythons() -> None:
    told = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["requires-python"])
    assert told is not None
    allowed = list(range(int(told[1]), int(told[2])))
    ours = [minor(release.python) for release in RELEASES.values()]
    assert (allowed[0], allowed[-1]) == (min(ours), max(ours))
    classified = [one.removeprefix(LANGUAGE) for one in PROJECT["classifiers"] if LANGUAGE in one]
    assert list(map(minor, classified)) == allowed
    assert f"Python 3.{allowed[0]} to 3.{allowed[-1]}" in README
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert f"(3, {allowed[0]}) <= sys.version_info < (3, {allowed[-1] + 1})" in makefile
    maintainer = (ROOT / "docs" / "maintainer.md").read_text("utf-8")
    assert f"for Python 3.{allowed[0]} to 3.{allowed[-1]} on" in maintainer


def test_releases() -> None:
    numbers = [str(release.number) for release in RELEASES.values()]
    assert f"Debian {' or '.join(numbers)}" in README
    technician = (ROOT / "docs" / "technician.md").read_text("utf-8")
    assert f"A package for Debian {' and '.join(numbers)}" in technician


def test_what_the_readme_asks_for_is_what_the_plain_system_has() -> None:
    asked = re.search(r"\(Python [\d. to]+\), with\n(.*);", README)
    assert asked is not None
    assert {*re.findall(r"`([\w-]+)`", asked[1]), "python3"} == set(NAMED)


SCRIPTS = sorted(
    path.name for end in ("inst", "rm") for path in (ROOT / "debian").glob(f"table-*.p*{end}")
)


def pinned(lock: Path) -> dict[str, frozenset[str]]:
    """The hashes that a lock names, by what they are of."""
    found: dict[str, frozenset[str]] = {}
    for part in re.split(r"(?m)^(?=[a-z])", lock.read_text("utf-8"))[1:]:
        found[part.split()[0]] = frozenset(re.findall(r"sha256:[0-9a-f]{64}", part))
    return found


NOT_THERE = {
    "runtime.lock": {"psycopg", "starlette", "uvicorn"},
    "floor.lock": {"pyserial", "pyusb", "libusb-package", "rich"},
    "console.lock": {"pyserial", "pyusb", "libusb-package", "cryptography", "psycopg", "rich"},
}


@pytest.mark.parametrize("lock", NOT_THERE)
def test_a_machine_has_what_was_tested_and_what_it_needs(lock: str) -> None:
    """What the package's lock names is in the lock that the tests ran with, file for file."""
    tested = pinned(ROOT / "requirements.lock")
    box = pinned(ROOT / "appliance" / lock)
    assert len(box) > 5
    assert box.keys() <= tested.keys()
    assert all(tested[name] == hashes for name, hashes in box.items())
    assert not {name.partition("==")[0] for name in box} & {"pytest", "hypothesis", "mypy", "ruff"}
    assert not {name.partition("==")[0] for name in box} & NOT_THERE[lock]


def test_the_version_is_one() -> None:
    changelog = (ROOT / "debian" / "changelog").read_text("utf-8")
    assert changelog.startswith(f"table-controller ({__version__}) ")


def test_a_later_release_of_debian_has_the_higher_version() -> None:
    versions = [release.version(__version__) for release in RELEASES.values()]
    for lower, higher in itertools.pairwise(versions):
        done = subprocess.run(["dpkg", "--compare-versions", lower, "lt", higher], check=False)
        assert done.returncode == 0


def test_the_demo_has_what_it_imports_and_no_test() -> None:
    files = {str(path) for path in demo_files()}
    assert {"simulators/shoe.py", "hil_tests/demo/__main__.py", "hil_tests/__init__.py"} <= files
    assert not [name for name in files if Path(name).name.startswith(("test_", "conftest"))]
    assert not [name for name in files if name.startswith(("controller", "drivers", "tests"))]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"License-Expression": "MIT", "License": "other"}, "MIT"),
        ({"Classifier": "License :: OSI Approved :: BSD License"}, "BSD License"),
        ({"License": "Apache 2.0\nand more"}, "Apache 2.0"),
    ],
)
def test_a_licence_is_told_in_the_words_of_its_package(fields: dict[str, str], told: str) -> None:
    about = Message()
    for name, value in fields.items():
        about[name] = value.replace("\n", "\n ")
    assert licence(about, "x.whl") == told


def test_a_package_that_tells_no_licence_is_not_built_in() -> None:
    with pytest.raises(SystemExit, match=r"x\.whl: its metadata tells no licence"):
        licence(Message(), "x.whl")


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_one_that_sh_reads(name: str) -> None:
    path = ROOT / "debian" / name
    text = path.read_text("utf-8").replace("#BETWEEN_ROUNDS#", _functions())
    done = subprocess.run(["sh", "-n"], input=text, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def _functions() -> str:
    return (ROOT / "debian" / "between-rounds.sh").read_text("utf-8")


def test_the_number_of_what_is_stored_is_in_the_package() -> None:
    rules = (ROOT / "debian" / "rules").read_text("utf-8")
    [asked] = re.findall(r"(?m)^\t(.*STORES.*) > \$\(BUILD\)/stores$", rules)
    done = subprocess.run(["sh", "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(STORES)


OPENSSL = {
    "name": "openssl",
    "version": "4.0.3",
    "purl": "pkg:generic/openssl@4.0.3",
    "hashes": [{"alg": "SHA-256", "content": "aa"}],
}
CRATE = {
    "name": "pem",
    "version": "3.0.5",
    "licenses": [{"license": {"id": "MIT"}}, {"license": {"name": "Other"}}],
}


def wheel(folder: Path, name: str, files: dict[str, bytes]) -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        for inner, data in files.items():
            archive.writestr(inner, data)
    return path


def test_a_wheel_says_itself_what_is_in_it(tmp_path: Path) -> None:
    bills = {
        f"a-1.dist-info/sboms/{number}.json": json.dumps({"components": [one]}).encode()
        for number, one in enumerate((OPENSSL, CRATE))
    }
    assert bundled_libraries(
        wheel(tmp_path, "a-1-py3-none-any.whl", {"a/x.abi3.so": b"x", **bills})
    ) == [
        BundledLibrary("openssl", "4.0.3", "Apache-2.0", "pkg:generic/openssl@4.0.3", "aa"),
        BundledLibrary("pem", "3.0.5", "MIT AND Other"),
    ]


def test_a_library_that_is_a_file_of_its_own_is_named_with_its_digest(tmp_path: Path) -> None:
    file = "libusb_package/libusb-1.0.so"
    made = wheel(tmp_path, "libusb_package-1.0.30.2-py3-none-any.whl", {file: b"usb"})
    digest = hashlib.sha256(b"usb").hexdigest()
    assert bundled_libraries(made) == [
        BundledLibrary("libusb", "1.0.30", "LGPL-2.1-or-later", sha256=digest)
    ]


def test_what_its_bill_leaves_out_is_named_by_its_files(tmp_path: Path) -> None:
    """Of a builder's packages a bill is made by itself, of what he has made it is not."""
    bill = {"name": "psycopg_binary", "version": "3"}, {"name": "keyutils-libs", "version": "1.5"}
    files = {
        "psycopg_binary-3.dist-info/sboms/x.json": json.dumps({"components": bill}).encode(),
        "psycopg_binary/pq.so": b"own",
        "psycopg_binary.libs/libpq-e9b5c9ac.so.5.18": b"libpq",
        "psycopg_binary.libs/libcom_err-55c5739a.so.3.0": b"2",
        "psycopg_binary.libs/libcom_err-2abe824b.so.2.1": b"1",
    }
    digests = [hashlib.sha256(data).hexdigest() for data in (b"1", b"2", b"libpq")]
    found = bundled_libraries(wheel(tmp_path, "psycopg_binary-3-cp311-cp311-any.whl", files))
    assert found == [
        BundledLibrary("keyutils-libs", "1.5", "LGPL-2.1-or-later"),
        *(
            BundledLibrary("libcom_err", None, "MIT", sha256=digest)
            for digest in sorted(digests[:2])
        ),
        BundledLibrary("libpq", None, "PostgreSQL", sha256=digests[2]),
    ]
    files["psycopg_binary.libs/libnew-00.so.1"] = b""
    with pytest.raises(SystemExit, match="libnew-00"):
        bundled_libraries(wheel(tmp_path, "psycopg_binary-4-cp311-cp311-any.whl", files))


def test_one_that_is_linked_in_has_no_version_that_is_not_known(tmp_path: Path) -> None:
    made = wheel(tmp_path, "cffi-2.1.1-cp311-cp311-any.whl", {"_cffi_backend.so": b""})
    assert bundled_libraries(made) == [BundledLibrary("libffi", None, "MIT")]


def test_of_python_alone_there_is_nothing_to_say(tmp_path: Path) -> None:
    assert bundled_libraries(wheel(tmp_path, "b-1-py3-none-any.whl", {"b/__init__.py": b""})) == []


@pytest.mark.parametrize("file", ["c/fast.so", "c.libs/libz.so.1"])
def test_native_files_of_which_nothing_is_known_end_the_build(tmp_path: Path, file: str) -> None:
    made = wheel(tmp_path, "c-1-py3-none-any.whl", {file: b""})
    with pytest.raises(SystemExit, match=file):
        bundled_libraries(made)
